"""The checks of the narrator's voice, with real voices, and of a recogniser on another machine."""

import threading
from types import SimpleNamespace

import numpy as np
import pytest

from seance import settings
from seance.doctor import sound
from seance.programs.say import open_synthesizer
from seance.sound_settings import VoiceSection
from seance.texts import Texts
from seance.wyoming.addresses import Address
from tests.wyoming_servers import honest_server, lying_server

TEXTS = Texts.load("doctor", "en")


def spoken_as(name: str | None) -> sound.Finding:
    chosen = settings.Settings(voice=VoiceSection(engine="espeak", name=name))
    return sound.voice(TEXTS, lambda folder, replaced: open_synthesizer(chosen, replaced, keep=folder))


def test_a_narrator_who_speaks_is_good():
    assert spoken_as(None).status == "good"


def test_a_voice_that_does_not_exist_is_told_with_what_to_do():
    finding = spoken_as("martian")
    assert finding.status == "warn"
    assert "voice.name" in finding.fix


def test_a_recogniser_on_another_machine_that_answers_in_time_is_good():
    with honest_server(lambda _: "oui") as (address, _):
        finding = sound.second_opinion(TEXTS, address, "fr")
    assert (finding.status, str(address) in finding.text) == ("good", True)


def test_a_recogniser_on_another_machine_that_has_no_answer_is_told_as_slow(monkeypatch):
    monkeypatch.setattr(sound, "_TIMEOUT_S", 0.1)
    release = threading.Event()
    with honest_server(lambda _: str(release.wait(60))) as (address, _):
        finding = sound.second_opinion(TEXTS, address, "fr")
        release.set()
    assert (finding.status, "smaller model" in finding.fix) == ("warn", True)


def test_a_recogniser_that_is_not_there_or_is_none_is_told_with_its_address():
    with lying_server(b"good evening\n") as (address, _):
        for server in (Address("127.0.0.1", 9), address):
            finding = sound.second_opinion(TEXTS, server, "fr")
            assert (finding.status, str(server) in finding.text) == ("warn", True)
            assert "hearing.second" in finding.fix


def of_array(monkeypatch, array, recording, *, in_use=False):
    """Return what the doctor finds where the microphones of *array* deliver *recording*."""
    monkeypatch.setattr(sound, "choose_input", lambda _: SimpleNamespace(label="'ring'", channels=recording.shape[1]))
    monkeypatch.setattr(sound, "_record", lambda *_: recording)
    return sound.microphone(TEXTS, "ring", channel=None, rate=None, array=array, in_use=in_use)


def quiet(channels=4):
    return (300 * np.random.default_rng(1).standard_normal((16_000, channels))).astype(np.int16)


def test_an_array_that_delivers_sound_on_all_channels_is_good(monkeypatch):
    assert of_array(monkeypatch, "ring4", quiet()).status == "good"


def test_raw_channels_that_a_firmware_leaves_silent_are_named(monkeypatch):
    recording = quiet(6)
    recording[:, 1:5] = 0
    finding = of_array(monkeypatch, "usb-4mic", recording)
    assert (finding.status, "channel 2, 3, 4, 5" in finding.text) == ("warn", True)
    assert "firmware" in finding.fix


@pytest.mark.parametrize("in_use", [False, True])
def test_a_device_with_too_few_channels_is_told_with_both_numbers_and_what_to_do(monkeypatch, in_use):
    finding = of_array(monkeypatch, "usb-4mic", quiet(4), in_use=in_use)
    assert (finding.status, "4 of 6" in finding.text) == ("warn", True)
    assert all(word in finding.fix for word in ("microphone.device", "microphone.array", "one microphone"))


def test_the_copies_of_a_sound_server_are_told(monkeypatch):
    finding = of_array(monkeypatch, "ring4", quiet()[:, [0, 0, 0, 0]])
    assert (finding.status, "1, 2, 3, 4" in finding.text, "microphone.device" in finding.fix) == ("warn", True, True)


def test_a_clipped_channel_of_an_array_is_named(monkeypatch):
    recording = quiet()
    recording[::100, 2] = 32767
    finding = of_array(monkeypatch, "ring4", recording)
    assert (finding.status, "channel 3" in finding.text) == ("warn", True)


@pytest.mark.parametrize("array", ["ring5", "/nowhere/mine.toml"])
def test_a_geometry_that_cannot_be_used_is_told_with_the_setting(monkeypatch, array):
    finding = of_array(monkeypatch, array, quiet())
    assert (finding.status, array in finding.text, "microphone.array" in finding.fix) == ("warn", True, True)
