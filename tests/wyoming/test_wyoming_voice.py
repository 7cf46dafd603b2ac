"""A narrator on another machine: its lines are cached, and the house speaks on where it hangs, dies or lies."""

import socket
import threading

import pytest

from seance.audio.files import read_wave
from seance.speech import wyoming_voice
from seance.speech.cache import SpeechCache
from seance.speech.effects import Reverb
from seance.speech.engines import CannotSpeak, Espeak, NoSuchVoice
from seance.speech.synthesis import Synthesizer
from seance.speech.voice_settings import SynthesisConfig
from seance.speech.wyoming_voice import WyomingVoice, speak_elsewhere
from seance.wyoming import connection
from seance.wyoming.addresses import ANYWHERE, Address
from tests.wyoming_servers import LIES, honest_server, lying_server

LINE = "The clock has struck the seventh hour."
NOBODY = Address("127.0.0.1", 9)
HALF_A_LINE = b"""{"type": "audio-start", "data": {"rate": 22050, "width": 2, "channels": 1}}
{"type": "audio-chunk", "data": {"rate": 22050, "width": 2, "channels": 1}, "payload_length": 4}
1234"""
NO_SPEECH = b"""{"type": "audio-start", "data": {"rate": 0, "width": 7, "channels": -1}}
{"type": "audio-stop"}
"""


def test_a_server_speaks_in_the_voice_that_the_owner_names(tmp_path):
    with honest_server() as (address, received):
        WyomingVoice(address, "en", name="grey").render(LINE, tmp_path / "a.wav")
        WyomingVoice(address, "fr").render(LINE, tmp_path / "b.wav")
    assert read_wave(tmp_path / "a.wav").seconds == pytest.approx(len(LINE) / 14, abs=0.01)
    assert [event.data for event in received] == [
        {"text": LINE, "voice": {"name": "grey"}},
        {"text": LINE, "voice": {"language": "fr"}},
    ]


@pytest.mark.parametrize("answer", [*LIES.values(), HALF_A_LINE, NO_SPEECH], ids=[*LIES, "half a line", "no speech"])
def test_a_server_that_lies_cannot_speak(answer, tmp_path):
    with lying_server(answer) as (address, _):
        voice = WyomingVoice(address, "en")
        with pytest.raises(CannotSpeak, match=f"{address}.* \\('The clock"):
            voice.render(LINE, tmp_path / "a.wav")
        with pytest.raises(NoSuchVoice):
            voice.render(LINE, tmp_path / "a.wav")


def test_a_server_that_hangs_is_given_up_at_its_deadline(tmp_path):
    with lying_server(None) as (address, _), pytest.raises(CannotSpeak, match="took longer than"):
        WyomingVoice(address, "en", timeout_s=-1.8).render(LINE, tmp_path / "a.wav")


def test_a_machine_that_takes_no_connection_is_not_waited_for_as_long_as_for_a_line(tmp_path, monkeypatch):
    monkeypatch.setattr(connection, "CONNECT_TIMEOUT_S", 0.05)
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        address = Address(*full.getsockname())
        waiting = [socket.socket() for _ in range(4)]  # more than it takes
        for each in waiting:
            each.setblocking(False)
            each.connect_ex(full.getsockname())
        with pytest.raises(CannotSpeak, match=f"no Wyoming server answers at {address}"):
            WyomingVoice(address, "en").render(LINE, tmp_path / "a.wav")
        for each in waiting:
            each.close()


def test_the_network_is_searched_for_a_server_once_and_again_when_it_fails(tmp_path, monkeypatch):
    searched = []
    with honest_server() as (address, _):
        monkeypatch.setattr(wyoming_voice, "resolve", lambda *wanted: searched.append(wanted) or address)
        voice = WyomingVoice(ANYWHERE, "en")
        for _ in range(2):
            voice.render(LINE, tmp_path / "a.wav")
        assert searched == [(ANYWHERE, "tts", "en")]
    for count in (1, 2):
        with pytest.raises(CannotSpeak):
            voice.render(LINE, tmp_path / "a.wav")
        assert len(searched) == count


def test_a_voice_that_is_closed_hangs_up_in_the_middle_of_a_line(tmp_path):
    with lying_server(None) as (address, asked):
        voice, troubles = WyomingVoice(address, "en"), []

        def render():
            try:
                voice.render(LINE, tmp_path / "a.wav")
            except CannotSpeak as trouble:
                troubles.append(trouble)

        rendering = threading.Thread(target=render)
        rendering.start()
        while not asked:
            rendering.join(0.01)
        voice.close()
        rendering.join()
    assert len(troubles) == 1


def test_a_line_that_was_said_needs_no_server_again(tmp_path):
    cache = SpeechCache(tmp_path)
    with honest_server() as (address, received), Synthesizer(WyomingVoice(address, "en"), cache) as narrator:
        said = narrator.render(LINE)
    with Synthesizer(WyomingVoice(address, "en"), cache) as narrator:
        assert narrator.render(LINE).seconds == said.seconds
    assert len(received) == 1


def test_where_the_server_is_gone_the_voice_of_this_machine_says_the_same_line(tmp_path):
    told = []
    ours = SynthesisConfig(Espeak("en", 160), 0.0, Reverb())
    config = speak_elsewhere(ours, WyomingVoice(NOBODY, "en"), on_fallback=told.append)
    with Synthesizer(config.engine, SpeechCache(tmp_path), by_sentence=config.by_sentence) as narrator:
        assert narrator.render(LINE).rms > 0.02
        narrator.render("Blue.")
    assert len(told) == 1
    assert "no Wyoming server answers at 127.0.0.1:9" in told[0]
    assert "espeak-ng en 160 speaks instead: see voice.engine in the settings" in told[0]


def test_one_lost_line_does_not_change_the_voice(tmp_path):
    with lying_server(b"") as (address, _):
        voice = WyomingVoice(address, "en")
        with pytest.raises(CannotSpeak) as told:
            voice.render(LINE, tmp_path / "a.wav")
    assert not isinstance(told.value, NoSuchVoice)
