"""A bigger recogniser on another machine: its text, and no answer where it hangs, dies, lies or is not there."""

import logging
import threading
from concurrent.futures import Future
from functools import partial

import numpy as np
import pytest
import zeroconf
from wyoming.asr import Transcribe
from wyoming.audio import AudioChunk

from seance.wyoming import server_lookup
from seance.wyoming.addresses import ANYWHERE, Address
from seance.wyoming.transcriber import MAX_FAILURES_IN_A_ROW, PAUSE_S, WyomingTranscriber
from tests.wyoming_servers import LIES, honest_server, lying_server

SOUND = np.sin(np.arange(16_000, dtype=np.float32)) * np.float32(0.5)
NOBODY = Address("127.0.0.1", 9)
NO_TEXT = b'{"type": "transcript", "data": {"text": 7}}\n'


class Clock:
    def __init__(self):
        self.now_s = 0.0

    def __call__(self):
        return self.now_s


@pytest.fixture
def transcriber():
    """Make transcribers that have looked for their server, and close them."""
    made = []

    def make(address, language="fr", *, found=None, **options):
        made.append(WyomingTranscriber(address, language, **options))
        made[-1].wait_until_found()
        if found is not None:  # it answered once, and then it changed
            made[-1]._found = finished(found)
        return made[-1]

    yield make
    for each in made:
        each.close()


def finished(value):
    future = Future()
    future.set_result(value)
    return future


def test_a_server_writes_what_it_was_sent_in_the_language_of_the_house(transcriber):
    with honest_server(lambda sound: f"{len(sound)} samples") as (address, received):
        assert transcriber(address).transcribe(SOUND) == "16000 samples"
    assert [event.data["language"] for event in received if Transcribe.is_type(event.type)] == ["fr"]
    sent = np.frombuffer(b"".join(event.payload for event in received if AudioChunk.is_type(event.type)), "<i2")
    assert np.abs(sent / 32_767 - SOUND).max() < 1e-4


@pytest.mark.parametrize("answer", [*LIES.values(), NO_TEXT], ids=[*LIES, "no text"])
def test_a_server_that_lies_has_no_answer(answer, transcriber):
    with lying_server(answer) as (address, _):
        assert transcriber(NOBODY, found=address).transcribe(SOUND) is None


def test_a_server_that_hangs_is_waited_for_until_the_deadline_and_no_longer(transcriber):
    release = threading.Event()
    with honest_server(lambda _: str(release.wait(60))) as (address, _):
        assert transcriber(address, deadline_s=0.05).transcribe(SOUND) is None
        release.set()


def test_a_server_that_fails_again_and_again_is_left_alone_for_a_while(transcriber):
    clock = Clock()
    with lying_server(b"") as (address, asked):
        one = transcriber(NOBODY, found=address, clock=clock)
        for _ in range(MAX_FAILURES_IN_A_ROW + 3):
            assert one.transcribe(SOUND) is None
        assert len(asked) == MAX_FAILURES_IN_A_ROW
        one._address = address
        clock.now_s += PAUSE_S
        one.transcribe(SOUND)
        one.wait_until_found()
        assert len(asked) == MAX_FAILURES_IN_A_ROW + 1  # it is asked what it can do


def test_a_server_that_comes_later_is_found(transcriber):
    clock = Clock()
    one = transcriber(NOBODY, clock=clock)
    with honest_server(lambda _: "oui") as (address, _):
        one._address = address
        assert one.transcribe(SOUND) is None
        clock.now_s += PAUSE_S
        assert one.transcribe(SOUND) is None
        one.wait_until_found()
        assert one.transcribe(SOUND) == "oui"


def test_a_server_of_another_language_is_not_asked(transcriber, caplog):
    caplog.set_level(logging.WARNING)
    with honest_server(lambda _: "yes") as (address, received):
        assert transcriber(address, "en").transcribe(SOUND) is None
    assert len(received) == 1
    assert f"the Wyoming server at {address} does not recognise 'en'" in caplog.text


def test_a_server_without_a_host_is_found_on_the_network(transcriber, monkeypatch):
    monkeypatch.setattr(server_lookup, "find_servers", partial(server_lookup.find_servers, interfaces=["127.0.0.1"]))
    with honest_server(lambda _: "oui") as (address, _), zeroconf.Zeroconf(["127.0.0.1"]) as network:
        network.register_service(
            zeroconf.ServiceInfo(
                "_wyoming._tcp.local.",
                "test._wyoming._tcp.local.",
                parsed_addresses=[address.host],
                port=address.port,
            )
        )
        one = transcriber(ANYWHERE)
        found, why = one.wait_until_found()
        assert found == address, why
        assert one.transcribe(SOUND) == "oui"
