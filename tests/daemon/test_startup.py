"""The ear wakes up while the house is already there."""

import queue
import threading
from types import SimpleNamespace

import pytest

from seance.daemon.signals import Heard
from seance.daemon.world.hearing_thread import Listener
from seance.dialogue.conversation import Conversation
from seance.dialogue.expected_intents import expected_intents
from seance.hearing.grammar import Grammar
from seance.narration.cues import Expect
from tests.daemon.evenings import sentences


class Ear:
    """Hears every block as the word it is."""

    def __init__(self) -> None:
        self.grammars: list[object] = []
        self.closed = False

    def set_grammar(self, grammar: object) -> None:
        self.grammars.append(grammar)

    def feed(self, block: str):
        yield SimpleNamespace(text=block, intent=None, confidence=1.0, speaker=None, voiceprint=None)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def room():
    """A listener whose ear wakes when it is let, and what it tells."""

    room = SimpleNamespace(ear=Ear(), may_wake=threading.Event(), said=queue.SimpleQueue(), told=queue.SimpleQueue())

    def wake() -> Ear:
        room.may_wake.wait()
        return room.ear

    room.listener = Listener(wake, sentences("en"), lambda narrowed: Grammar((), narrowed.match), room.told.put)
    room.listener.listen(iter(room.said.get, None))
    yield room
    room.may_wake.set()
    room.said.put(None)
    room.listener.close()


def test_what_is_said_while_the_ear_wakes_is_heard_after(room):
    room.said.put("begin the séance")
    room.may_wake.set()
    assert room.told.get(timeout=10) == Heard("begin the séance", None, 1.0)


def test_an_ear_that_wakes_knows_what_may_be_said_now(room):
    now = expected_intents(Conversation(), None)
    room.listener.expect(Expect(now))
    room.may_wake.set()
    room.said.put("hush")
    room.told.get(timeout=10)
    assert room.ear.grammars == [Grammar((), now.narrow(sentences("en")).match, prior=now.prior)]


def test_a_house_that_ends_before_its_ear_is_awake_does_not_wait_for_it(room):
    room.listener.close()
    assert not room.ear.closed
