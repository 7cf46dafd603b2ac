"""The words and sound-alikes against the real models; skipped only where a model is not installed."""

import json
import os
import shutil
import subprocess
import wave
from pathlib import Path

import pytest
from conftest import LANGUAGES

vosk = pytest.importorskip("vosk")

MODELS = {"en": "vosk-model-small-en-us-0.15", "fr": "vosk-model-small-fr-0.22"}
VOICES = {
    "en": ("en-us", "en-gb", "en-gb-x-rp+m7", "en-us+f2"),
    "fr": ("fr", "fr-be+f2", "fr-ch+m4", "fr+f3"),
}
BALLAST = {"en": "electroencephalogram", "fr": "oto-rhino-laryngologiste"}
"""A long word nobody says. Vosk lets any word follow any other at half the odds it has on its own, so a word
that is most of the text makes leaving a sentence dear."""

NAMES = {
    "en": {
        "Alphonse de Belcour": "blue",
        "Ardhashir": "white",
        "Madam Wang": "red",
        "Alma": "yellow",
        "Jessalyn": "purple",
        "Sir Conrad": "black",
    },
    "fr": {
        "Alphonse de Belcour": "blue",
        "Ardhashir": "white",
        "l'Ottoman": "white",
        "Madame Wang": "red",
        "Alma": "yellow",
        "Jessalyn": "purple",
        "Conrad MacDowell": "black",
    },
}
CHOOSES = {"en": "chooses card twelve", "fr": "prend la carte douze"}

both = pytest.mark.parametrize("language", LANGUAGES)


@pytest.fixture(scope="session")
def models():
    """Each language's model, loaded once."""
    vosk.SetLogLevel(-1)
    data = Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local/share"))
    loaded = {}

    def load(language):
        folder = data / "seance" / "models" / MODELS[language]
        if not folder.is_dir():
            pytest.skip(f"{MODELS[language]} is not installed: seance models fetch {language}")
        return loaded.setdefault(language, vosk.Model(str(folder)))

    return load


@both
def test_the_model_knows_every_word(models, spoken, language):
    model = models(language)
    assert [word for word in spoken[language].words() if model.vosk_model_find_word(word) < 0] == []


@pytest.mark.skipif(not shutil.which("espeak-ng"), reason="espeak-ng is not installed")
@pytest.mark.parametrize(
    ("language", "name", "psychic"), [(lang, *pair) for lang in LANGUAGES for pair in NAMES[lang].items()]
)
def test_a_spoken_name_is_recognised(models, spoken, tmp_path, language, name, psychic):
    now = spoken[language].narrowed(["place_intuition"], cards=[2, 5, 7, 9, 12, 15])
    phrases = now.phrases()
    ballast = " ".join([BALLAST[language]] * 20 * sum(len(phrase.split()) for phrase in phrases))
    # Vosk does not read \u escapes: accents must stay as they are.
    grammar = json.dumps([*phrases, "[unk]", ballast], ensure_ascii=False)
    heard = []
    for voice in VOICES[language]:
        sound = speak(f"{name} {CHOOSES[language]}", voice, tmp_path / "said.wav")
        ear = vosk.KaldiRecognizer(models(language), sound.rate, grammar)
        ear.AcceptWaveform(sound.frames)
        heard.append(json.loads(ear.FinalResult())["text"])
    meant = [now.match(text) for text in heard]
    right = [m for m in meant if m and m.slots.get("psychic") == psychic]
    assert len(right) >= len(VOICES[language]) - 1, heard


class Sound:
    def __init__(self, file):
        with wave.open(str(file)) as opened:
            self.rate = opened.getframerate()
            self.frames = opened.readframes(opened.getnframes()) + bytes(self.rate)


def speak(text, voice, file):
    subprocess.run(["espeak-ng", "-v", voice, "-s", "150", "-w", str(file), text], check=True, timeout=20)
    return Sound(file)
