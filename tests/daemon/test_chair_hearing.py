"""What the ear learns of the guests: their voices, and their chairs around an array."""

import pytest

from seance.daemon.chair_signals import ChairsKnown
from seance.daemon.world.hearing_thread import HearingThread
from seance.dialogue.grammar.sentences import Intent
from seance.hearing.recognition import Recognition
from seance.hearing.speaker_recognition import Speakers
from seance.narration.cues import Enrol, ForgetVoice, MoveChair
from seance.rules import Psychic

RED_VOICE, BLUE_VOICE = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)


def said(text, intent, voiceprint, direction_deg):
    return Recognition(text, intent, 0.9, None, voiceprint, 0.0, 1.0, 0.3, 20.0, direction_deg)


I_AM_RED = said("i am madam wang", Intent("enrol", {"psychic": "red"}), RED_VOICE, 30.0)
CHATTER = said("so it is", None, BLUE_VOICE, 200.0)


class Ear:
    """A recogniser for which each block is a recognition."""

    utterance_began_s = None
    now_s = 0.0

    def __init__(self):
        self.speakers = Speakers()

    def feed(self, block):
        yield block

    def close(self):
        """Nothing is open."""


@pytest.fixture
def ear():
    return Ear()


@pytest.fixture
def signals():
    return []


@pytest.fixture
def thread(ear, signals):
    return HearingThread(lambda: ear, None, None, lambda _: None, lambda _: None, signals.append)


def test_a_guest_is_enrolled_with_the_voice_and_place_of_the_introduction_whoever_spoke_since(thread, ear, signals):
    thread.run([I_AM_RED, CHATTER])
    thread.enrol(Enrol(Psychic.RED))
    assert ear.speakers.identify(RED_VOICE, 30.0) == "red"
    assert ear.speakers.identify(BLUE_VOICE) is None
    assert signals == [ChairsKnown({Psychic.RED: 30.0})]


def test_an_introduction_that_was_typed_enrols_no_voice(thread, ear):
    thread.run([CHATTER])
    thread.enrol(Enrol(Psychic.RED))
    assert ear.speakers.identify(BLUE_VOICE) is None


def test_a_chair_is_moved_and_the_evening_is_told(thread, ear, signals):
    thread.run([I_AM_RED])
    thread.enrol(Enrol(Psychic.RED))
    thread.enrol(MoveChair(Psychic.BLUE, 30.0, takes_over=True))
    assert signals[-1] == ChairsKnown({Psychic.BLUE: 30.0})
    assert ear.speakers.seat_at(30.0) == "blue"


def test_whoever_has_left_is_forgotten_and_the_evening_is_told(thread, ear, signals):
    thread.run([I_AM_RED])
    thread.enrol(Enrol(Psychic.RED))
    thread.enrol(ForgetVoice(Psychic.RED))
    assert signals[-1] == ChairsKnown({})
    assert ear.speakers.names == frozenset()
