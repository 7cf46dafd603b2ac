"""The recogniser is loaded while the evening is already running."""

import queue
import threading
from types import SimpleNamespace

import pytest

from seance.daemon.signals import Heard
from seance.daemon.world.hearing_thread import HearingThread
from seance.dialogue.conversation import Conversation
from seance.dialogue.expected_intents import expected_intents
from seance.hearing.active_grammar import Grammar
from seance.hearing.speaker_recognition import Speakers
from seance.narration.cues import Expect
from tests.daemon.evenings import sentences


class FakeRecogniser:
    """Recognises each block as the word it is."""

    now_s = 0.0
    utterance_began_s = None
    partial_intent = None

    def __init__(self) -> None:
        self.grammars: list[object] = []
        self.closed = False
        self.speakers = Speakers()

    def set_grammar(self, grammar: object, **_: object) -> None:
        self.grammars.append(grammar)

    def feed(self, block: str):
        yield SimpleNamespace(
            text=block,
            intent=None,
            confidence=1.0,
            speaker=None,
            voiceprint=None,
            began_s=0.0,
            ended_s=0.0,
            direction_deg=None,
            moved=None,
            snr_db=20.0,
        )

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def room():
    """A hearing thread whose recogniser loads when it may, and what it reports."""

    room = SimpleNamespace(
        recogniser=FakeRecogniser(), may_load=threading.Event(), said=queue.SimpleQueue(), told=queue.SimpleQueue()
    )

    def load() -> FakeRecogniser:
        room.may_load.wait()
        return room.recogniser

    room.hearing = HearingThread(load, sentences("en"), lambda narrowed: Grammar((), narrowed.match), room.told.put)
    room.hearing.start(iter(room.said.get, None))
    yield room
    room.may_load.set()
    room.said.put(None)
    room.hearing.close()


def test_what_is_said_while_the_ear_wakes_is_heard_after(room):
    room.said.put("begin the séance")
    room.may_load.set()
    assert room.told.get(timeout=10) == Heard("begin the séance", None, 1.0)


def test_an_ear_that_wakes_knows_what_may_be_said_now(room):
    now = expected_intents(Conversation(), None)
    room.hearing.expect(Expect(now))
    room.may_load.set()
    room.said.put("hush")
    room.told.get(timeout=10)
    assert room.recogniser.grammars == [Grammar((), now.narrow(sentences("en")).match, prior=now.prior)]


def test_a_house_that_ends_before_its_ear_is_awake_does_not_wait_for_it(room):
    room.hearing.close()
    assert not room.recogniser.closed
