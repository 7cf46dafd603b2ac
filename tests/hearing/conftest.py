"""A studio with espeak-ng, and an ear that knows the real English sentences."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

from seance.audio.files import read_for_recognition
from seance.dialogue.grammar.sentences import Sentences
from seance.hearing.recogniser import Ear
from seance.models import store
from seance.programs.hear import expected


@pytest.fixture(scope="session")
def english() -> Path:
    return store.fetch("en")


@pytest.fixture(scope="session")
def sentences() -> Sentences:
    return Sentences.load("en")


@pytest.fixture(scope="session")
def _ear(english, sentences):
    ear = Ear(english, expected(sentences), second_model=store.fetch("second"))
    ear.settle()
    yield ear
    ear.close()


@pytest.fixture
def ear(_ear):
    _ear.reset()
    return _ear


@pytest.fixture(scope="session")
def say(tmp_path_factory):
    """Return a sentence as espeak-ng says it, with a pause on either side."""
    folder = tmp_path_factory.mktemp("said")

    def say(text, voice="en-us", *, pause=0.6):
        wav = folder / f"{abs(hash((text, voice)))}.wav"
        if not wav.exists():
            subprocess.run(["espeak-ng", "-v", voice, "-s", "160", "-w", wav, text], check=True)
        sound = read_for_recognition(wav)
        still = np.zeros(round(pause * 16_000), np.float32)
        return np.concatenate([still, sound, still])

    return say


@pytest.fixture
def hear(ear):
    """Return everything that the ear hears in a sound, block by block."""

    def hear(sound, ear=ear):
        heard = [h for at in range(0, len(sound), 800) for h in ear.feed(sound[at : at + 800])]
        return heard + list(ear.finish())

    return hear


@pytest.fixture
def commands(hear):
    """Return the intents that the ear hears in a sound."""

    def commands(sound):
        return [(h.intent.name, dict(h.intent.slots)) for h in hear(sound) if h.intent is not None]

    return commands
