"""What is said under a button to talk is taken, and in talk mode nothing else: real vosk, real sound."""

from collections.abc import Sequence

import numpy as np
import pytest

from seance.daemon.signals import Heard
from seance.daemon.world.hearing_thread import HearingThread
from seance.dialogue.expected_intents import ExpectedIntents
from seance.dialogue.grammar.sentences import Sentences
from seance.hearing.recogniser import Recogniser
from seance.hearing.talk_window import TalkWindow
from seance.narration.cues import Expect, Listen
from seance.programs.hear import build_grammar
from seance.rules import Psychic

BLOCK_SAMPLES = 800
OPEN, SHUT = Listen(is_open=True), Listen(is_open=False)
ONE_COMMAND = Listen(is_open=True, one_command=True)


def play(recogniser, sentences, parts: Sequence[np.ndarray | Listen], *, expects: bool = False, **mode) -> list[Heard]:
    """Play sounds and cues in turn to a house, and return the commands that it takes."""
    taken: list[Heard] = []
    thread = HearingThread(lambda: recogniser, sentences, build_grammar, taken.append, **mode)
    if expects:
        thread.expect(Expect(ExpectedIntents(intents=sentences.intents)))

    def blocks():
        for part in parts:
            if isinstance(part, Listen):
                thread.listen(part)
                continue
            yield from (part[at : at + BLOCK_SAMPLES] for at in range(0, len(part), BLOCK_SAMPLES))

    thread.run(blocks())
    return [each for each in taken if each.intent is not None]


@pytest.fixture
def heard_in(recogniser, sentences):
    """Return a function that plays sounds and cues in turn to a house in talk mode, and returns what it takes."""
    return lambda *parts, only_talk=True: play(recogniser, sentences, parts, only_talk=only_talk)


def _cards(taken: list[Heard]) -> list[int]:
    return [each.intent.slots["card"] for each in taken if each.intent is not None]


def test_in_talk_mode_only_what_is_said_under_the_button_is_taken(heard_in, say):
    seven, nine = say("I choose card seven"), say("I choose card nine")
    assert _cards(heard_in(seven, OPEN, nine, SHUT, seven)) == [9]


def test_in_open_mode_everything_is_taken_and_the_button_tells_who_spoke(heard_in, say):
    red = Listen(is_open=True, speaker=Psychic.RED)
    seven, nine = say("I choose card seven"), say("I choose card nine")
    taken = heard_in(seven, red, nine, SHUT, seven, only_talk=False)
    assert [(*_cards([each]), each.speaker) for each in taken] == [(7, None), (9, Psychic.RED), (7, None)]


def test_a_sentence_that_is_being_spoken_at_release_is_finished(heard_in, say):
    seven = say("I choose card seven")
    half = len(seven) // 2
    assert _cards(heard_in(OPEN, seven[:half], SHUT, seven[half:], say("I choose card nine"))) == [7]


def test_what_was_begun_before_the_press_is_not_taken(heard_in, say):
    seven = say("I choose card seven")
    half = len(seven) // 2
    assert _cards(heard_in(seven[:half], OPEN, seven[half:], say("I choose card nine"))) == [9]


def test_after_a_tap_one_command_is_taken(heard_in, say):
    assert _cards(heard_in(ONE_COMMAND, say("I choose card nine"), say("I choose card seven"))) == [9]


def test_who_presses_while_another_finishes_is_heard_after_them(heard_in, say):
    blue, red = Listen(is_open=True, speaker=Psychic.BLUE), Listen(is_open=True, speaker=Psychic.RED)
    seven, nine = say("I choose card seven", pause=0.2), say("I choose card nine")
    taken = heard_in(blue, seven, SHUT, red, nine, SHUT, nine)
    assert [(*_cards([each]), each.speaker) for each in taken] == [(7, Psychic.BLUE), (9, Psychic.RED)]


def test_the_wake_word_is_not_needed_under_the_button(english, say):
    called = Sentences.load("en", wake_word="spirit")
    recogniser = Recogniser(english, build_grammar(called))
    seven, nine = say("I choose card seven"), say("I choose card nine")
    taken = play(
        recogniser, called, (seven, OPEN, nine, SHUT, seven), talk_sentences=Sentences.load("en"), expects=True
    )
    recogniser.close()
    assert _cards(taken) == [9]


def test_an_utterance_belongs_to_the_press_by_where_it_begins():
    window = TalkWindow(1.0).close(2.0)
    assert [window.takes(began_s) for began_s in (0.5, 0.9, 1.5, 2.5)] == [False, True, True, False]
