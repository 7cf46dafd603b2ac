"""The ghost's seat at an array: nothing said there is a command."""

import queue

import pytest

from seance.daemon.chair_signals import ChairChange, GhostOverheard
from seance.daemon.world.hearing_thread import HearingThread
from seance.dialogue.grammar.sentences import Intent
from seance.hearing.recognition import Recognition
from seance.rules import Psychic

PAUSE = Intent("pause", {})


def said_from(direction_deg, text="pause", intent=PAUSE, **more):
    return Recognition(text, intent, 0.9, None, None, 0.0, 1.0, 0.3, 20.0, direction_deg, **more)


class HeardAlready:
    """A recogniser for which each block is a recognition."""

    utterance_began_s = None
    now_s = 0.0

    def feed(self, block):
        yield block

    def close(self):
        """Nothing is open."""


@pytest.mark.parametrize(
    ("direction_deg", "intent"), [(355.0, None), (12.0, None), (40.0, PAUSE), (180.0, PAUSE), (None, PAUSE)]
)
def test_what_is_said_at_the_seat_of_the_ghost_is_no_command(direction_deg, intent):
    heard = queue.SimpleQueue()
    thread = HearingThread(HeardAlready, None, None, heard.put, ghost_deg=0.0)
    thread.run([said_from(direction_deg)])
    assert heard.get_nowait().intent == intent


def told(*said):
    """Return what the evening is told of chairs while *said* is heard."""
    signals = []
    thread = HearingThread(HeardAlready, None, None, lambda _: None, lambda _: None, signals.append, ghost_deg=0.0)
    thread.run(said)
    return signals


@pytest.mark.parametrize("intent", [PAUSE, None])
def test_what_is_said_at_the_seat_of_the_ghost_is_told(intent):
    assert told(said_from(3.0, "nine blue", intent)) == [GhostOverheard()]


def test_a_cough_at_the_seat_of_the_ghost_is_not_told():
    assert told(said_from(3.0, "the", None), said_from(3.0, "", None)) == []


def test_a_guest_whose_voice_comes_from_another_place_is_told():
    assert told(said_from(90.0, moved="red")) == [ChairChange(Psychic.RED, 90.0)]


def test_a_guest_at_the_seat_of_the_ghost_has_not_moved_there():
    assert told(said_from(3.0, moved="red")) == [GhostOverheard()]
