"""The check of the narrator's voice, with real voices."""

from seance import settings
from seance.doctor import sound
from seance.programs.say import open_synthesizer
from seance.texts import Texts

TEXTS = Texts.load("doctor", "en")


def spoken_as(name: str | None) -> sound.Finding:
    chosen = settings.Settings(voice=settings.VoiceSection(engine="espeak", name=name))
    return sound.voice(TEXTS, lambda folder, replaced: open_synthesizer(chosen, replaced, keep=folder))


def test_a_narrator_who_speaks_is_good():
    assert spoken_as(None).status == "good"


def test_a_voice_that_does_not_exist_is_told_with_what_to_do():
    finding = spoken_as("martian")
    assert finding.status == "warn"
    assert "voice.name" in finding.fix
