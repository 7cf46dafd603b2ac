"""The words and sound-alikes against the real models and real speech."""

import json
import subprocess
import wave
from functools import cache

import pytest
import vosk

from seance.dialogue.grammar.sentences import Intent, Sentences
from seance.languages import load_language
from seance.models.language_models import recogniser_key
from seance.models.store import fetch
from tests.languages import EACH_SPOKEN, SPOKEN, sample

RATE = 22050
"""What espeak-ng speaks at (hertz)."""


@pytest.fixture(scope="session")
def models():
    """Each language's model, fetched where it is missing and loaded once."""
    vosk.SetLogLevel(-1)
    return cache(lambda language: vosk.Model(str(fetch(recogniser_key(language)))))


@EACH_SPOKEN
def test_the_model_knows_every_word(models, spoken, language):
    model = models(language)
    assert [word for word in spoken[language].words() if model.vosk_model_find_word(word) < 0] == []


@cache
def grammar(language):
    """Return what an ear listens for while cards are chosen."""
    phrases = Sentences.load(language).phrases(["place_intuition"], cards=[2, 5, 7, 9, 12, 15])
    # A long word nobody says. Vosk lets any word follow any other at half the odds it has on its own, so a word
    # that is most of the text makes leaving a sentence dear.
    ballast = " ".join([sample(language)["ballast"]] * 20 * sum(len(phrase.split()) for phrase in phrases))
    # Vosk does not read \u escapes: accents must stay as they are.
    return json.dumps([*phrases, "[unk]", ballast], ensure_ascii=False)


@pytest.mark.parametrize(
    ("language", "name", "psychic"), [(lang, *pair) for lang in SPOKEN for pair in sample(lang)["names"].items()]
)
def test_a_spoken_name_is_recognised(models, spoken, tmp_path, language, name, psychic):
    ear, heard = vosk.KaldiRecognizer(models(language), RATE, grammar(language)), []
    for voice in load_language(language).test_voices:
        sound = speech(f"{name} {sample(language)['chooses']}", voice, tmp_path / "said.wav")
        results = [ear.Result() for block in blocks(sound) if ear.AcceptWaveform(block)]
        heard += [json.loads(result)["text"] for result in (*results, ear.FinalResult())]
    meant = [spoken[language].match(text) for text in heard]
    right = [m for m in meant if m == Intent("place_intuition", {"psychic": psychic, "card": 12})]
    assert len(right) >= len(load_language(language).test_voices) - 1, heard


def blocks(sound):
    """Cut *sound* into blocks of a quarter of a second, as a microphone does."""
    return (sound[start : start + RATE // 4 * 2] for start in range(0, len(sound), RATE // 4 * 2))


def speech(text, voice, file):
    """Return *text* spoken by *voice*, with a little silence before and after."""
    subprocess.run(["espeak-ng", "-v", voice, "-s", "150", "-w", str(file), text], check=True, timeout=20)
    with wave.open(str(file)) as opened:
        assert opened.getframerate() == RATE
        silence = bytes(RATE)
        return silence + opened.readframes(opened.getnframes()) + silence
