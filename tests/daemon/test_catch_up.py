"""A power cut while the house speaks: what was written and not heard to its end is told after all."""

import pytest

from seance.daemon.signals import StepTold
from seance.narration.cues import Mark, Say, ShowHour, ShowSand
from seance.rules import commands as c
from tests.daemon.conftest import SEATED, choose_rightly
from tests.daemon.evenings import again, begun, keys, knocks, of
from tests.nights import BLUE, RED, WHITE


def test_a_verdict_that_was_cut_off_is_told_after_all(voting):
    voting.attentive = False
    while not voting.state.ending.readers:
        voting.say("we have voted")
    for colour in ("red", "blue", "white"):
        voting.say(f"{colour} votes for group one")
        voting.say("yes")
    ended = keys(voting.cues)[-2:]
    assert voting.state.outcome is not None
    after = again(voting)
    assert keys(after.cues)[:2] == ["interrupted.plain", "interrupted.unfinished"]
    assert keys(after.cues)[-2:] == ended
    assert after.state == voting.state


def test_what_was_told_at_last_is_not_told_again(voting):
    voting.attentive = False
    voting.say("end the séance")
    voting.say("yes")
    after = again(voting)
    assert "ending.abandoned" in keys(after.cues)
    assert keys(again(after).cues) == ["reply.welcome"]


def test_answers_that_were_cut_off_are_knocked_after_all(interpreting):
    choose_rightly(interpreting)
    interpreting.attentive = False
    cues = interpreting.say("we are ready")
    after = again(interpreting)
    assert knocks(after.cues) == knocks(cues)
    assert of(after.cues, ShowHour) == [ShowHour(1), ShowHour(2, struck=True)]


def test_only_what_was_not_heard_is_told_again(interpreting):
    choose_rightly(interpreting)
    interpreting.attentive = False
    cues = interpreting.say("we are ready")
    first, *_, last = of(cues, Mark)
    interpreting.give(StepTold(first.night, last.step - 1))
    after = again(interpreting)
    assert knocks(after.cues) == knocks(cues)[-2:], "white's answer, and the hour"


def test_a_table_that_was_being_laid_is_laid_out_again_without_the_story(opened):
    opened.attentive = False
    before = begun(opened, RED, BLUE, WHITE).cues
    told = keys(again(opened).cues)
    assert told.count("layout.all") == keys(before).count("layout.all") > 0
    assert not [key for key in told if key.startswith("tales.")]


def test_no_line_of_what_was_missed_gives_way_to_a_later_one(interpreting):
    choose_rightly(interpreting)
    interpreting.attentive = False
    interpreting.say("we are ready")
    said = of(again(interpreting).cues, Say)
    assert "event.time_called.early" in [line.key for line in said]
    assert not [line for line in said if line.urgent]


def test_sand_that_was_turned_unheard_shows_what_is_left_of_it(visions):
    visions.ask(*(c.GiveVision(psychic=psychic, count=1) for psychic in SEATED))
    visions.attentive = False
    visions.ask(c.TurnSand())
    visions.wait(20)
    after = again(visions)
    assert keys(after.cues)[0] == "interrupted.plain"
    assert of(after.cues, ShowSand)[-1].left == pytest.approx(after.evening.sand.left_s)


def test_a_night_of_an_older_journal_counts_as_told(interpreting):
    notes = interpreting.journal.unfinished().notes["evening"]
    interpreting.journal.note(interpreting.journal.unfinished().uid, "evening", {**notes, "told_to": None})
    assert keys(again(interpreting).cues) == ["interrupted.sand"]
