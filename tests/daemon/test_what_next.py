"""Whole nights in which the table does nothing but what it is told is next."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from seance.daemon.ghost_guidance import phrase_move
from seance.daemon.page_publisher import PagePublisher
from seance.daemon.signals import Typed
from seance.dialogue.conversation import Defaults
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.next_step import NextAction, NextStep, WhoActs
from seance.dialogue.questions import Question
from seance.dialogue.what_next import what_next
from seance.ghost_words import GhostWords
from seance.narration.next_text import next_text, sentence_for
from seance.rules import EDITIONS, Category, Deal, Phase, Psychic, Reason, State, Visions
from seance.rules import commands as c
from tests.daemon.evenings import Table, lines, script, table
from tests.guests import sentences
from tests.languages import EACH_SAMPLED, LANGUAGES, sample
from tests.nights import EACH_TABLE, right_card

BOTH = pytest.mark.parametrize("language", LANGUAGES)
MOST_STEPS = 600
"""More than any night takes."""


class Follower:
    """A table that says and does what it is told is next, and nothing else.

    With *insight* the psychics choose the right card of the kind that they are told to choose; without, they repeat
    the example word by word. The ghost types what the ghost is told.
    """

    def __init__(self, table: Table, *, insight: bool) -> None:
        self.table, self.insight = table, insight
        self.script, self.ghost_words = script(table.language), GhostWords.load(table.language)
        self.taken: list[NextStep] = []
        self.defaults = table.evening._defaults

    @property
    def step(self) -> NextStep:
        return what_next(self.table.evening.conversation, self.table.evening.room, self.defaults)

    def follow(self) -> None:
        """Do what is next, and see that this changes what is next."""
        step, written = self.step, len(self.table.journal.entries)
        told = next_text(step, self.script, self.edition)
        words = self._words(step)
        assert words is not None, f"nobody is told what to do: {told}"
        self.table.give(Typed(words))
        self.taken.append(step)
        assert len(self.table.journal.entries) > written or self.step != step, f"{words!r} leads nowhere: {told}"

    @property
    def edition(self) -> str | None:
        room = self.table.evening.room
        return None if room is None else room.edition

    def _words(self, step: NextStep) -> str | None:
        if step.who is WhoActs.GHOST:
            return self._ghost_words(step)
        self._check_sentences(step)
        return sentence_for(self._with_insight(step.say[0]), self.script, self.edition)

    def _check_sentences(self, step: NextStep) -> None:
        """See that all that can be said is in the text, is expected now, and means what it was made from."""
        told, expected = next_text(step, self.script, self.edition), self.table.expect
        assert expected is not None
        for intent in step.say:
            words = sentence_for(intent, self.script, self.edition)
            assert words in told
            meant = expected.narrow(sentences(self.table.language)).match(words)
            assert meant is not None, f"{words!r} is not expected"
            assert meant.name == intent.name

    def _ghost_words(self, step: NextStep) -> str | None:
        if step.ghost is None:
            return None
        state = self.table.state
        dealt = state.setup.visions is Visions.DEALT
        counts = {c.GiveVision: 1, c.LaySharedVision: state.setup.edition.shared_vision_cards}
        cards = state.deck.hand[: counts.get(step.ghost.command, 0)] if dealt else ()
        return phrase_move(step.ghost, self.ghost_words, cards=cards)

    def _with_insight(self, intent: Intent) -> Intent:
        if not self.insight or intent.name != "place_intuition":
            return intent
        psychic = Psychic(str(intent.slots["psychic"]))
        return Intent(intent.name, {**intent.slots, "card": right_card(self.table.state, psychic)})


def play(follower: Follower) -> State:
    """Follow from the welcome until the night is over."""
    for _ in range(MOST_STEPS):
        follower.follow()
        if follower.table.evening.state is not None and follower.table.state.outcome is not None:
            assert follower.step.action is NextAction.BEGIN_ANOTHER
            return follower.table.state
    raise AssertionError(f"the night does not end: {[step.action for step in follower.taken[-20:]]}")


def defaults(edition: str, players: int, **choices: Any) -> Defaults:
    """Return the defaults of a house for *players* of *edition*, which the set-up then suggests."""
    level = next(iter(EDITIONS[edition].levels))
    return Defaults(edition=edition, players=players, level=level, **choices)


@BOTH
@EACH_TABLE
def test_whoever_does_what_is_next_plays_a_whole_night(tmp_path: Path, language: str, edition: str, players: int):
    house = table(tmp_path, language=language, defaults=defaults(edition, players))
    follower = Follower(house, insight=True)
    state = play(follower)
    assert (state.setup.edition.name, state.setup.players) == (edition, players)
    named = {NextAction.VOTE_TOGETHER, NextAction.READ_VOTES, NextAction.ACCUSE}
    assert {step.action for step in follower.taken} & named


@BOTH
@pytest.mark.parametrize("edition", EDITIONS)
def test_whoever_repeats_each_example_plays_until_the_time_is_over(tmp_path: Path, language: str, edition: str):
    house = table(tmp_path, language=language, defaults=defaults(edition, EDITIONS[edition].players[-1]))
    state = play(Follower(house, insight=False))
    assert state.outcome is not None
    assert state.outcome.reason is Reason.TIME_OVER


@BOTH
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("choices", [{"by_hand": True}, {"visions": Visions.DEALT}], ids=["by_hand", "dealt"])
def test_a_night_that_the_ghost_deals_is_played_so_too(tmp_path: Path, language: str, edition: str, choices: Any):
    players = EDITIONS[edition].players[len(EDITIONS[edition].players) // 2]
    house = table(tmp_path, language=language, defaults=defaults(edition, players, **choices))
    state = play(Follower(house, insight=True))
    assert state.setup.deal is (Deal.HAND if choices.get("by_hand") else Deal.MANOR)
    assert state.ending.groups


@BOTH
@pytest.mark.parametrize(
    ("edition", "variant"), [(edition.name, variant) for edition in EDITIONS.values() for variant in edition.variants]
)
def test_a_variant_is_played_so_too(tmp_path: Path, language: str, edition: str, variant: str):
    house = table(tmp_path, language=language, defaults=defaults(edition, 4, variant=variant))
    follower = Follower(house, insight=True)
    assert play(follower).setup.variant == variant
    names_cards = EDITIONS[edition].variants[variant].names_all_three
    assert (NextAction.ACCUSE_CARDS in {step.action for step in follower.taken}) is names_cards


@BOTH
@pytest.mark.parametrize("edition", EDITIONS)
def test_guests_who_draw_the_cards_are_told_how(tmp_path: Path, language: str, edition: str):
    house = table(tmp_path, language=language, defaults=defaults(edition, EDITIONS[edition].players[-1]))
    follower = Follower(house, insight=True)
    while house.evening.state is None:
        follower.follow()
        wishes = replace(house.evening.conversation.wishes, drawn=True)
        house.evening.conversation = replace(house.evening.conversation, wishes=wishes)
    assert Question.ROW in {step.about for step in follower.taken}
    assert (
        house.state.table.character == EDITIONS[edition].decks[Category.CHARACTER][: len(house.state.table.character)]
    )


@EACH_SAMPLED
@pytest.mark.parametrize("edition", EDITIONS)
def test_help_is_answered_with_what_is_next_in_every_phase(tmp_path: Path, language: str, edition: str):
    house = table(tmp_path, language=language, defaults=defaults(edition, EDITIONS[edition].players[-1]))
    follower, asked = Follower(house, insight=True), list[Phase | NextAction]()
    while house.evening.state is None or house.state.outcome is None:
        step, room = follower.step, house.evening.room
        if (moment := step.action if room is None else room.phase) not in asked:
            words = sample(language)["help"]
            told = " ".join(lines(house.say(words[len(asked) % len(words)])))
            assert told
            assert all(sentence_for(each, follower.script, follower.edition) in told for each in step.say)
            assert follower.step == step, "asking changes nothing"
            asked.append(moment)
        follower.follow()
    assert {Phase.VISIONS, Phase.INTERPRETATION, Phase.SHARED_VISION} <= set(asked)


def test_paused_the_table_is_told_to_continue(tmp_path: Path):
    house = table(tmp_path, defaults=defaults("libellud", 5))
    follower = Follower(house, insight=True)
    while follower.step.action is not NextAction.CHOOSE:
        follower.follow()
    house.say("pause")
    assert follower.step.action is NextAction.RESUME
    follower.follow()
    assert follower.step.action is NextAction.CHOOSE


# On the pages


@pytest.fixture
def choosing(tmp_path: Path) -> Follower:
    """A table in the first hour at which all but the last psychic have chosen."""
    follower = Follower(table(tmp_path, defaults=defaults("libellud", 5)), insight=True)
    while follower.step.action is not NextAction.CHOOSE or len(follower.step.psychics) > 1:
        follower.follow()
    return follower


def published(follower: Follower) -> PagePublisher:
    """Return pages that show all that the table was told."""
    pages = PagePublisher(language="en", pace="full", edition=EDITIONS["libellud"])
    pages.publish_evening(follower.table.evening)
    for cue in follower.table.cues:
        pages.publish_cue(cue)
    pages.publish_evening(follower.table.evening)
    return pages


def test_the_table_s_page_shows_what_is_next(choosing: Follower):
    assert published(choosing).latest.current.what_next == next_text(choosing.step, choosing.script, "libellud")


def test_what_is_next_is_not_shown_before_what_has_happened_is_told(choosing: Follower):
    choosing.follow()
    pages = published(choosing)
    before, told = pages.latest.current.what_next, len(choosing.table.cues)
    assert choosing.step.action is NextAction.END_CHOOSING
    choosing.follow()
    assert choosing.table.state.hour == 2
    pages.publish_evening(choosing.table.evening)
    assert pages.latest.current.what_next == before
    for cue in choosing.table.cues[told:]:
        pages.publish_cue(cue)
    pages.publish_evening(choosing.table.evening)
    assert pages.latest.current.what_next == next_text(choosing.step, choosing.script, "libellud")
