"""A studio with espeak-ng, and a recogniser of the real English sentences."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

from seance.audio.files import read_for_recognition
from seance.dialogue.grammar.sentences import Sentences
from seance.hearing.recogniser import Recogniser
from seance.models import store
from seance.programs.hear import build_grammar


@pytest.fixture(scope="session")
def english() -> Path:
    return store.fetch("en")


@pytest.fixture(scope="session")
def sentences() -> Sentences:
    return Sentences.load("en")


@pytest.fixture(scope="session")
def _recogniser(english, sentences):
    recogniser = Recogniser(english, build_grammar(sentences), rescoring_model=store.fetch("second"))
    recogniser.wait_until_loaded()
    yield recogniser
    recogniser.close()


@pytest.fixture
def recogniser(_recogniser):
    _recogniser.reset()
    return _recogniser


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
def hear(recogniser):
    """Return everything that the recogniser hears in a sound, block by block."""

    def hear(sound, recogniser=recogniser):
        heard = [h for at in range(0, len(sound), 800) for h in recogniser.feed(sound[at : at + 800])]
        return heard + list(recogniser.finish())

    return hear


@pytest.fixture
def commands(hear):
    """Return the intents that the recogniser hears in a sound."""

    def commands(sound):
        return [(h.intent.name, dict(h.intent.slots)) for h in hear(sound) if h.intent is not None]

    return commands
