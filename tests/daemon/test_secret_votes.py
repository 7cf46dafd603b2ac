"""Votes are silent: what is said of them before the reading is neither spoken, shown nor kept (L30)."""

import pytest

from seance.daemon.page_publisher import PagePublisher
from seance.daemon.signals import Heard, Signal, Typed, TypedOnPage
from seance.dialogue.grammar.sentences import Intent
from seance.narration.cue_builder import Pace
from seance.rules import LIBELLUD
from tests.daemon.evenings import keys, lines
from tests.nights import RED

WORDS = "red votes for group three"
SPOKEN = Heard(WORDS, Intent("vote", {"by": "red", "group": 3}))
SIGNALS = pytest.mark.parametrize("signal", [SPOKEN, Typed(WORDS), TypedOnPage(WORDS)], ids=["heard", "typed", "page"])


@SIGNALS
def test_L30_a_vote_said_before_the_reading_is_answered_without_repeating_it(voting, signal: Signal):
    for _ in range(6):
        cues = voting.give(signal)
        assert keys(cues) == ["reply.vote_is_silent"]
        assert not any("three" in line.lower() or "red" in line.lower().split() for line in lines(cues))
    assert voting.state.ending.ballots == ()
    assert voting.evening.conversation.pending is None


@SIGNALS
def test_L30_a_vote_said_before_the_reading_is_shown_on_no_page(voting, signal: Signal):
    pages = PagePublisher(language="en", pace=Pace.FULL, edition=LIBELLUD)
    pages.publish_evening(voting.evening)
    pages.publish_signal(signal, voting.evening)
    assert pages.latest.current.heard is None


@pytest.mark.parametrize("words", ["red, three", "group three", "we accuse group three", "it was the third, I swear"])
def test_L30_words_that_may_be_a_vote_are_shown_on_no_page(voting, words: str):
    pages = PagePublisher(language="en", pace=Pace.FULL, edition=LIBELLUD)
    pages.publish_evening(voting.evening)
    pages.publish_signal(TypedOnPage(words), voting.evening)
    assert pages.latest.current.heard is None


def test_that_all_have_voted_is_shown(voting):
    pages = PagePublisher(language="en", pace=Pace.FULL, edition=LIBELLUD)
    pages.publish_evening(voting.evening)
    pages.publish_signal(TypedOnPage("we have voted"), voting.evening)
    shown = pages.latest.current.heard
    assert shown is not None
    assert shown.text == "we have voted"


@SIGNALS
def test_a_vote_that_is_read_aloud_is_shown(voting, signal: Signal):
    while not voting.state.ending.readers:
        voting.say("we have voted")
    pages = PagePublisher(language="en", pace=Pace.FULL, edition=LIBELLUD)
    pages.publish_evening(voting.evening)
    pages.publish_signal(signal, voting.evening)
    shown = pages.latest.current.heard
    assert shown is not None
    assert shown.text == WORDS
    voting.give(signal)
    voting.say("yes")
    assert [ballot.by for ballot in voting.state.ending.ballots] == [RED]
