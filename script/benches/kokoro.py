"""Guests who speak with the natural voices of Kokoro-82M, the narrator's own engine."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from seance.audio.files import read_wave
from seance.models import store
from seance.speech.kokoro import NATURAL_WORDS_PER_MINUTE, Kokoro, KokoroProcess
from seance.speech.voice_settings import load_voice_settings

RESPELT = load_voice_settings("en").kokoro
"""Words that espeak-ng reads wrongly in English."""


def can_speak() -> bool:
    """Return whether the model is installed."""
    return store.find("kokoro") is not None


def speak(text: str, voice: str, speed: float = 1.0, language: str = "en-us") -> tuple[NDArray[np.float32], int]:
    """Return the samples of *text* spoken by *voice*, in espeak-ng's *language*, and their rate in hertz."""
    with TemporaryDirectory(prefix="kokoro-") as folder:
        wav = Path(folder, "said.wav")
        _engine(voice, speed, language).render(text, wav)
        wave = read_wave(wav)
    return wave.samples, wave.rate


@cache
def _engine(voice: str, speed: float, language: str) -> Kokoro:
    respelt = RESPELT.respell if RESPELT is not None and language.startswith("en") else {}
    rate = speed * NATURAL_WORDS_PER_MINUTE
    return Kokoro(_process(), voice, rate, language=language, respelt=respelt)


@cache
def _process() -> KokoroProcess:
    return KokoroProcess(store.require("kokoro"))
