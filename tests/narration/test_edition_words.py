"""What the house says in a night of an edition is in that edition's own words."""

import re
from collections.abc import Container, Iterator
from functools import cache
from itertools import pairwise
from random import Random

import pytest

from seance.dialogue import replies as r
from seance.dialogue.next_step import NextAction
from seance.dialogue.replies import Lacking
from seance.narration.cues import Say
from seance.narration.script_file import SAMPLE_VALUES
from seance.narration.staging import Memory, NarrationStyle, Opening, Pace, stage_events, stage_refusal, stage_reply
from seance.rules import EDITIONS, Begin, Event, Phase, RoomView, room_view
from seance.rules import refusals as refused
from seance.rules.bots import Company, play
from tests.foreign_words import foreign_word
from tests.languages import EACH_SAMPLED, sample
from tests.narration.conftest import SCRIPTS
from tests.narration.table_clock import told_night
from tests.narration.test_staged_replies import EVERY_REFUSAL, EVERY_REPLY

EACH_EDITION = pytest.mark.parametrize("edition", EDITIONS)
OF_A_BALLOT = (
    refused.AlreadyVoted, refused.VotesLater, refused.LevelsStillToVote, refused.PollIsClosed, refused.NoCardToTurn,
    refused.NotACandidate, refused.VotesAreOpen, refused.NoTokensLeft, refused.NoAgreeTokenLeft,
    refused.NoDisagreeTokenLeft, r.VoteIsSilent,
)  # fmt: skip
"""What can only be heard where the culprit is voted for."""
OF_AN_ACCUSATION = (refused.NoMajority, refused.NameAllThree, refused.NameTheGroupOnly, refused.NotAmongSuspects)
PLAYERS = (2, 3, 5, 7)
SAID_BY_OTHERS = {hole: "…" for hole, value in SAMPLE_VALUES.items() if isinstance(value, str)}
"""Levels, names, digits and the like, which are no words of the line."""


@cache
def rooms(edition: str) -> tuple[tuple[RoomView | None, RoomView, tuple[Event, ...]], ...]:
    """Return the steps of some nights: the room before, the room after, and what happened."""
    steps = []
    for seed, players in enumerate(PLAYERS):
        level = [*EDITIONS[edition].levels][seed % 2]
        begin = Begin(edition=EDITIONS[edition], players=players, level=level, seed=seed)
        before = None
        for _, state, events in play(begin, Company(Random(seed), accuracy=(0.9, 0.5)[seed % 2])):
            steps.append((before, room_view(state), events))
            before = steps[-1][1]
    return tuple(steps)


def keys(language: str, edition: str, pace: Pace) -> Iterator[str]:
    """Yield the keys of the lines that are said in nights of *edition*, asked for and refused."""
    style = NarrationStyle(script=SCRIPTS[language], pace=pace, opening=Opening.SHORT)
    staged = [stage_events(style, Memory(), events, before, room) for before, room, events in rooms(edition)]
    by_phase = {room.phase: room for _, room, _ in rooms(edition)}
    foreign = OF_A_BALLOT if Phase.ACCUSATION in by_phase else OF_AN_ACCUSATION
    for room in by_phase.values():
        replies = (each for each in EVERY_REPLY if getattr(each, "phase", None) in {None, *by_phase})
        replies = (each for each in replies if not isinstance(each, foreign) and not votes_in(each, by_phase))
        staged += [stage_reply(style, Memory(), each, room) for each in replies]
        possible = (each for each in EVERY_REFUSAL if not isinstance(each, foreign))
        staged += [stage_refusal(style, Memory(), each, room) for each in possible]
    for each in staged:
        yield from (cue.key for cue in each.cues if isinstance(cue, Say))


def votes_in(reply: r.Reply, phases: Container[Phase]) -> bool:
    """Return whether *reply* tells a table to vote in silence, though these *phases* have no vote."""
    is_step = isinstance(reply, r.WhatNext | r.Reminder) and reply.step.action is NextAction.VOTE_SILENTLY
    is_vote = isinstance(reply, r.Missing) and reply.lacking in (Lacking.SLEEVE, Lacking.READING)
    return (is_step or is_vote) and Phase.VOTE not in phases


@EACH_SAMPLED
@EACH_EDITION
@pytest.mark.parametrize("pace", [Pace.FULL, Pace.BRISK])
def test_nothing_is_said_in_the_words_of_another_edition(language: str, edition: str, pace: Pace):
    script, foreign = SCRIPTS[language], []
    for key in sorted(set(keys(language, edition, pace)) & set(script.lines)):
        word = foreign_word(language, edition, in_story=key.startswith(("lore.", "trouble.")))
        for line in script.lines[key]:
            text = script.fill(line, edition, **(SAMPLE_VALUES | SAID_BY_OTHERS))
            foreign += [f"{key}: {text}"] if word.search(text) else []
    assert foreign == []


@EACH_SAMPLED
@EACH_EDITION
def test_no_story_is_told_in_the_words_of_another_edition(language: str, edition: str):
    script, word = SCRIPTS[language], foreign_word(language, edition, in_story=True)
    told = [*(line for tale in script.lores[edition].tales.values() for line in tale)]
    told += [sentence for part in script.opening(edition) for sentence in part.sentences]
    assert [line for line in told if word.search(line)] == []


@EACH_SAMPLED
def test_no_pronoun_means_the_ghost_after_a_psychic_was_named(language: str):
    pronoun = re.compile(rf"\{{(?:psychics?|by|on)\b.*(?<!\w){sample(language)['ghost_pronoun']}(?!\w)", re.IGNORECASE)
    said = SCRIPTS[language].lines.items()
    lines = [line for key, variants in said if "portrait" not in key for line in variants]
    assert [line for line in lines if pronoun.search(line)] == []


@EACH_SAMPLED
@EACH_EDITION
def test_no_line_begins_with_a_pronoun_for_the_ghost_after_one_that_named_a_psychic(language: str, edition: str):
    script, words = SCRIPTS[language], SCRIPTS[language].inflection.words[edition]
    pronoun = re.compile(rf"(?<!\w){sample(language)['ghost_pronoun']}(?!\w)", re.IGNORECASE)
    named = re.compile("|".join(rf"\b{name}\b" for name in script.inflection.psychics.values()))
    begin = Begin(edition=EDITIONS[edition], players=5, level=[*EDITIONS[edition].levels][1], seed=3)
    said = [spoken.line for spoken in told_night(NarrationStyle(script=script), begin).lines]
    wrong = []
    for before, line in pairwise(said):
        until_named, *_ = re.split(re.escape(words.plain["ghost"]), line.text, flags=re.IGNORECASE)
        if named.search(before.text) and not line.key.startswith(("lore.", "tales.")) and pronoun.search(until_named):
            wrong.append((before.text, line.text))
    assert wrong == []
