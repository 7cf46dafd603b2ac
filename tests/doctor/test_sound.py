"""The checks of the narrator's voice, with real voices, and of a recogniser on another machine."""

import threading

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
