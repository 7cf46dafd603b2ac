"""Every voice that the house has is as loud as the others, does not click, and ends when it has ended."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest

from seance.audio.loudness import integrated_loudness, true_peak
from seance.languages import language_codes
from seance.models import store
from seance.narration.script import Script
from seance.narration.spoken_pieces import spoken_pieces
from seance.rules import EDITIONS
from seance.speech.cache import SpeechCache
from seance.speech.effects import MAX_TRUE_PEAK, TARGET_LUFS
from seance.speech.engines import piper_program
from seance.speech.sentence_split import split_clauses, split_sentences
from seance.speech.synthesis import Synthesizer
from seance.speech.voice_settings import VoiceModels, VoiceOverrides, configure_synthesis, load_voice_settings

NARRATOR = "narrator"
NEEDS = {
    "piper": pytest.mark.skipif(store.find("piper") is None or piper_program() is None, reason="needs Piper"),
    "kokoro": pytest.mark.skipif(store.find("kokoro") is None, reason="needs: seance models fetch kokoro"),
}


@dataclass(frozen=True)
class Voice:
    language: str
    engine: str
    who: str

    def __str__(self):
        return f"{self.language}-{self.engine}-{self.who}"


def all_voices():
    """Return every voice of the house; those that this machine has not are skipped."""
    voices = []
    for language in sorted(language_codes()):
        settings = load_voice_settings(language)
        for engine in ("espeak", "piper", "kokoro"):
            if (own := getattr(settings, engine)) is not None:
                cast = own.cast if engine != "piper" else {}
                voices += [Voice(language, engine, who) for who in (NARRATOR, *cast)]
    return [pytest.param(voice, id=str(voice), marks=NEEDS.get(voice.engine, ())) for voice in voices]


def long_sentence(language):
    """Return a sentence of the story that takes longer than 3 s and has a comma."""
    splits = {"split_sentences": split_sentences, "split_clauses": split_clauses}
    pieces = spoken_pieces(Script.load(language), next(iter(EDITIONS)), **splits)
    return next(piece for piece in pieces if 60 < len(piece) < 90 and "," in piece)


def render(voice, text, folder, **overrides):
    settings = load_voice_settings(voice.language)
    piper = store.find("piper")
    file = piper / f"{settings.piper.voice}.onnx" if piper is not None and settings.piper is not None else None
    models = VoiceModels(piper=file, kokoro=store.find("kokoro"))
    config = configure_synthesis(settings, models, VoiceOverrides(engine=voice.engine, **overrides))
    config = config if voice.who == NARRATOR else config.cast[voice.who]
    with Synthesizer(
        config.engine,
        SpeechCache(folder),
        pitch=config.pitch,
        reverb=config.reverb,
        by_sentence=config.by_sentence,
        from_small_loudspeaker=config.small_loudspeaker,
    ) as synthesizer:
        return synthesizer.render(text)


@pytest.mark.parametrize("voice", all_voices())
def test_every_voice_is_as_loud_as_the_others_and_does_not_click(voice, tmp_path):
    wave = render(voice, long_sentence(voice.language), tmp_path)
    assert wave.seconds > 3
    assert integrated_loudness(wave) == pytest.approx(TARGET_LUFS, abs=0.5)
    assert true_peak(wave) < 1.02 * MAX_TRUE_PEAK
    assert np.abs(wave.samples[[0, -1]]).max() < 0.001


@pytest.mark.parametrize("voice", [each for each in all_voices() if each.values[0].who == NARRATOR])
def test_no_narrator_stops_inside_a_line_or_is_cut_off_at_its_end(voice, tmp_path):
    wave = render(voice, long_sentence(voice.language), tmp_path, effects=False)
    frames = wave.samples[: len(wave.samples) // 240 * 240].reshape(-1, 240)
    level = np.abs(frames).max(axis=1) / np.abs(frames).max()
    loud = np.flatnonzero(level > 0.01)
    assert max(after - before for before, after in pairwise(loud)) * 240 / wave.rate < 0.4
    assert level[-round(0.02 * wave.rate / 240) :].max() < 0.02


def test_a_line_joined_from_pieces_is_as_loud_as_a_whole_one(tmp_path):
    config = configure_synthesis(load_voice_settings("en"), overrides=VoiceOverrides(engine="espeak"))
    pieces = {"reverb": config.reverb, "by_sentence": True}
    with Synthesizer(config.engine, SpeechCache(tmp_path), pitch=config.pitch, **pieces) as synthesizer:
        line = " ".join(long_sentence("en").split(",")[0] + "." for _ in range(3)) + " No. Yes."
        assert integrated_loudness(synthesizer.render(line)) == pytest.approx(TARGET_LUFS, abs=0.5)
