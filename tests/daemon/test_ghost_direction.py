"""The ghost's seat at an array: nothing said there is a command."""

import queue

import pytest

from seance.daemon.world.hearing_thread import HearingThread
from seance.dialogue.grammar.sentences import Intent
from seance.hearing.recogniser import Recognition

PAUSE = Intent("pause", {})


def said_from(direction_deg):
    return Recognition("pause", PAUSE, 0.9, None, None, 0.0, 1.0, 0.3, 20.0, direction_deg)


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
