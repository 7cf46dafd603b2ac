"""What may be said next is known before it is said, word for word."""

import threading
from random import Random

import pytest

from seance.daemon.foresight import BARE_INTENTS, foresee
from seance.daemon.signals import GhostCommand, Tick
from seance.daemon.world.foresight_thread import ForesightThread
from seance.dialogue.phrasing import phrase_word
from seance.narration.cues import Say
from seance.rules import EDITIONS, GiveVision
from tests.daemon.evenings import Sayer, act, night, of, sentences, set_up, table
from tests.languages import LANGUAGES
from tests.nights import RED

CHECKED = 8
"""Commands of a night whose lines are foreseen."""


def foreseen(table, **limits):
    return foresee(table.evening._context, table.evening.moment, **limits)


def said(cues):
    return [(cue.voice, piece) for cue in of(cues, Say) for piece in cue.pieces]


@pytest.mark.parametrize(("number", "edition"), [*enumerate(EDITIONS)])
def test_what_follows_a_command_was_foreseen_word_for_word(number, edition, tmp_path):
    chance, house = Random(number), table(tmp_path, language=LANGUAGES[number % len(LANGUAGES)])
    set_up(house, night(edition, seed=number))
    bot = Sayer(chance, house)
    checked = 0
    while checked < CHECKED and house.state.outcome is None:
        command = bot.choose(house.state)
        before = foreseen(house) if chance.random() < 0.15 else None
        lines = said(act(house, command, chance))
        if before is not None and lines and house.evening.conversation.pending is None:
            assert set(lines) <= set(before), f"after {command}"
            checked += 1


def test_what_the_house_says_as_the_sand_runs_is_foreseen(interpreting):
    lines = foreseen(interpreting)
    interpreting.now += interpreting.evening.sand.left_s - 29
    assert set(said(interpreting.give(Tick(silent=False)))) <= set(lines)


def test_the_reminder_and_the_tale_that_fill_a_silence_are_foreseen(visions):
    lines = foreseen(visions)
    heard = said(visions.wait(30))
    assert heard
    assert set(heard) <= set(lines)


def test_what_is_said_in_any_case_comes_before_an_answer_to_a_question(interpreting):
    lines = foreseen(interpreting)
    asked = said(interpreting.say("what hour is it"))[0]
    interpreting.now += interpreting.evening.sand.left_s - 59
    in_any_case = said(interpreting.give(Tick(silent=False)))[0]
    assert lines.index(in_any_case) < lines.index(asked)


def test_a_foreseen_evening_leaves_no_trace(interpreting):
    before, written = interpreting.evening.moment, len(interpreting.journal.entries)
    foreseen(interpreting)
    assert not interpreting.evening.moment.differs_beyond_time(before)
    assert len(interpreting.journal.entries) == written


def test_the_cards_of_a_night_that_has_not_begun_are_not_guessed(opened):
    begin = night()
    opened.say(phrase_word("begin", "en"))
    opened.say("we are four, easy, red, blue and white, skip the story")
    lines = foreseen(opened)
    told = opened.say(phrase_word("yes", "en"))
    laid = {(cue.voice, piece) for cue in of(told, Say) if cue.key.startswith("layout.row") for piece in cue.pieces}
    assert begin
    assert set(said(told)) & set(lines)
    assert not {line for line in laid if any(map(str.isdigit, line[1]))} & set(lines)


def test_few_rehearsals_are_those_of_this_moment(visions):
    few = foreseen(visions, max_rehearsals=1)
    assert set(few) <= set(foreseen(visions))
    assert set(said(visions.give(GhostCommand(GiveVision(psychic=RED, count=1))))) <= set(few)


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_that_name_nothing_are_known_in_every_language(language):
    assert set(sentences(language).intents) >= BARE_INTENTS


def test_a_moment_is_rehearsed_once_however_often_it_is_followed(visions):
    handed = threading.Semaphore(0)
    with ForesightThread(visions.evening._context, lambda _: handed.release()) as thread:
        thread.follow(visions.evening.moment)
        assert handed.acquire(timeout=20)
        visions.wait(1)
        thread.follow(visions.evening.moment)
        visions.give(GhostCommand(GiveVision(psychic=RED, count=1)))
        thread.follow(visions.evening.moment)
        assert handed.acquire(timeout=20)
        assert not handed.acquire(blocking=False)
