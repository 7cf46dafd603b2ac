"""Talking over the narrator: what the real recogniser hears behind the real canceller while the house speaks."""

import subprocess
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import soundfile
import soxr

from seance.audio.echo_canceller import SpeexCanceller
from seance.audio.echo_reference import EchoReference
from seance.audio.echo_remover import EchoRemover
from seance.audio.formats import MIX_RATE_HZ, SPEECH_RATE_HZ
from seance.daemon.world.hearing_thread import SPEAKING, HearingThread
from seance.daemon.world.interruption import Interruption
from seance.dialogue.grammar.sentences import Intent
from seance.hearing.recogniser import Recogniser
from seance.models import store
from seance.models.language_models import find_rescoring_model
from seance.programs.hear import build_grammar
from tests.daemon.evenings import sentences

BLOCK = SPEECH_RATE_HZ // 20
STORY = (
    "The lamps are low, and the curtains have been drawn. Long ago a servant was found in the great hall. "
    "Nobody knew who had been there, and the clock had stopped at midnight. Since then the family has kept "
    "the door of the east wing locked."
)
FADE_AND_LATENCY_S = 0.06
"""From when the voice is held until the room is silent."""
LATE_S = 0.15
"""How late the microphone hears the loudspeaker."""


def spoken(folder: Path, text: str, voice: str) -> np.ndarray:
    wav = folder / "spoken.wav"
    subprocess.run(["espeak-ng", "-v", voice, "-s", "150", "-w", str(wav), text], check=True)
    sound, rate = soundfile.read(wav, dtype="float32")
    return 0.2 * soxr.resample(sound, rate, SPEECH_RATE_HZ) / np.abs(sound).max()


class SpeakingHouse:
    """A house that tells a story, in its own time."""

    def __init__(self, folder: Path, *last_words: str, overdrive: float = 0.01) -> None:
        """Let it end with *last_words*, through a loudspeaker that clips the more, the larger *overdrive* is."""
        self.spoken = partial(spoken, folder)
        pause = np.zeros(SPEECH_RATE_HZ, np.float32)
        self.played = self.spoken(STORY, "en-gb-x-rp")
        for words in last_words:
            self.played = np.concatenate((self.played, pause, self.spoken(words, "en-gb-x-rp"), pause))
        echo = 0.5 * np.concatenate((np.zeros(round(LATE_S * SPEECH_RATE_HZ)), self.played))[: len(self.played)]
        reflected = echo + 0.15 * np.concatenate((np.zeros(500), echo[:-500]))
        self.near = np.tanh(overdrive * reflected) / overdrive
        self.heard, self.held_at = [], []
        self._now, self._reference = 0.0, EchoReference()
        self._remover = EchoRemover([SpeexCanceller()], self._reference, clock=lambda: self._now)

    def interrupt(self, text: str, at_s: float) -> float:
        """Let a guest say *text* as loudly as the echo, and return when the last word ends."""
        said, at = self.spoken(text, "en-us+f4") * 0.5, round(at_s * SPEECH_RATE_HZ)
        self.near[at : at + len(said)] += said
        return at_s + (np.flatnonzero(np.abs(said) > 0.004)[-1] + 1) / SPEECH_RATE_HZ

    def listen(self, recogniser: Recogniser, *, removes_echo: bool = True) -> list[str]:
        """Return the names of the intents that are reported."""
        thread = HearingThread(
            lambda: recogniser,
            sentences("en"),
            build_grammar,
            self.heard.append,
            echo=self._remover if removes_echo else None,
        )
        thread.on_hold(lambda is_held: self.held_at.append((is_held, self._now)))
        thread.set_muted(SPEAKING, True)
        thread.run(self._blocks())
        return [heard.intent.name for heard in self.heard if heard.intent is not None]

    def _blocks(self):
        speaker = soxr.resample(self.played, SPEECH_RATE_HZ, MIX_RATE_HZ).astype(np.float32)
        near = (self.near * 32767).astype(np.int16)
        for at in range(0, len(near) // BLOCK * BLOCK, BLOCK):
            due = at / SPEECH_RATE_HZ
            self._reference.write(speaker[3 * at : 3 * (at + BLOCK)], due)
            self._now = due + BLOCK / SPEECH_RATE_HZ
            yield self._remover.process(near[at : at + BLOCK])


@pytest.fixture(scope="module")
def loaded():
    recogniser = Recogniser(
        store.require("en"), build_grammar(sentences("en")), rescoring_model=find_rescoring_model("en")
    )
    recogniser.wait_until_loaded()
    yield recogniser
    recogniser.close()


@pytest.fixture
def recogniser(loaded):
    loaded.reset()
    return loaded


@pytest.fixture
def house(tmp_path) -> SpeakingHouse:
    return SpeakingHouse(tmp_path)


@pytest.mark.parametrize(("words", "at_s"), [("stop", 11.5), ("stop", 9.0), ("hush", 12.5), ("be quiet", 10.0)])
def test_whoever_says_stop_is_heard_and_the_voice_is_held_at_once(words, at_s, house, recogniser):
    ended_s = house.interrupt(words, at_s)
    assert house.listen(recogniser) == ["hush"]
    is_held, held_s = house.held_at[0]
    assert is_held
    assert held_s + FADE_AND_LATENCY_S < ended_s + 0.3  # in the time of the sound, not of this machine


def test_a_command_is_heard_over_the_narrator(house, recogniser):
    house.interrupt("red chooses card seven", 11.5)
    assert house.listen(recogniser) == ["place_intuition"]
    assert house.held_at == []


def test_without_a_canceller_the_house_is_deaf_while_it_speaks(house, recogniser):
    house.interrupt("red chooses card seven", 11.5)
    assert house.listen(recogniser, removes_echo=False) == []


@pytest.mark.parametrize(
    ("text", "intent", "counts"),
    [
        ("louder", "louder", False),
        ("red chooses card seven", "place_intuition", True),
        ("stop", "hush", True),
        ("pause", "pause", True),
        ("yes", "yes", True),
        ("continue", "resume", False),
    ],
)
def test_a_single_word_counts_over_the_narrator_only_if_it_holds_the_telling_or_answers(text, intent, counts):
    interruption = Interruption()
    interruption.note_speaking(20.0)
    assert interruption.takes(text, Intent(intent), 18.0, 18.8, confidence=0.9) is counts
    assert interruption.takes(text, Intent(intent), 20.0, 20.8, confidence=0.9)


@pytest.mark.parametrize(
    ("text", "intent", "counts"),
    [("that's it", "yes", False), ("stop", "hush", True), ("red chooses card seven", "place_intuition", True)],
)
def test_a_doubtful_sentence_of_two_words_counts_over_the_narrator_only_if_it_silences_the_house(text, intent, counts):
    interruption = Interruption()
    interruption.note_speaking(20.0)
    assert interruption.takes(text, Intent(intent), 18.0, 18.8, confidence=0.55) is counts
    assert interruption.takes(text, Intent(intent), 20.0, 20.8, confidence=0.55)


class Canceller:
    """Has removed nearly all of what was heard between two times: the house spoke, and nobody else."""

    heard_s = 100.0

    def __init__(self, began_s: float, ended_s: float) -> None:
        self._own = began_s, ended_s

    def is_own_voice(self, began_s: float, ended_s: float) -> bool:
        return self._own[0] <= began_s and ended_s <= self._own[1]


def test_what_the_house_itself_says_is_no_command_and_does_not_hold_the_voice():
    interruption = Interruption(Canceller(80.0, 90.0))
    interruption.follow_clock(40.0)
    interruption.note_speaking(40.0)
    assert not interruption.takes("i agree with red", Intent("bet"), 25.0, 27.0, confidence=0.95)
    assert interruption.takes("i agree with red", Intent("bet"), 35.0, 37.0, confidence=0.95)
    assert not interruption.holds(Intent("hush"), 28.0, 29.0)
    assert interruption.holds(Intent("hush"), 38.0, 39.0)


def test_a_sentence_that_the_house_quotes_is_not_taken_from_its_own_mouth(tmp_path, recogniser):
    house = SpeakingHouse(tmp_path, "repeat that", overdrive=14.0)
    assert house.listen(recogniser) == []


def test_the_voice_goes_on_if_the_word_was_not_meant():
    interruption = Interruption()
    interruption.note_speaking(20.0)
    assert interruption.holds(Intent("hush"), 19.5, 20.0)
    interruption.note_speaking(20.5)
    assert interruption.holds(Intent("end"), 19.5, 20.5)
    interruption.note_speaking(20.7)
    assert not interruption.holds(None, None, 20.7)


@pytest.mark.parametrize(
    ("intent", "began_s", "counts"),
    [("hush", 19.5, True), ("hush", 18.5, False), ("pause", 19.5, False), ("hush", 20.5, False)],
)
def test_a_doubtful_word_counts_only_if_the_voice_was_held_for_it_and_a_guest_said_it(intent, began_s, counts):
    interruption = Interruption(Canceller(0.0, 99.4))
    interruption.follow_clock(20.0)
    assert not interruption.takes_doubtful(Intent(intent), began_s, began_s + 0.6)
    interruption.note_speaking(20.0)
    assert interruption.holds(Intent("hush"), 19.5, 20.0)
    assert interruption.takes_doubtful(Intent(intent), began_s, began_s + 0.6) is counts


class MostlyHouse(Canceller):
    """Was heard with a guest's word in it, which is little of a long stretch."""

    def is_own_voice(self, began_s: float, ended_s: float) -> bool:
        return ended_s - began_s > 2.0


def test_what_the_voice_was_held_for_counts_even_if_the_house_was_heard_for_most_of_the_utterance():
    interruption = Interruption(MostlyHouse(0.0, 0.0))
    interruption.follow_clock(20.0)
    interruption.note_speaking(20.0)
    assert not interruption.takes("stop", Intent("hush"), 15.0, 19.8, confidence=0.9)
    assert interruption.holds(Intent("hush"), 19.5, 20.0)
    assert interruption.takes("stop", Intent("hush"), 15.0, 19.8, confidence=0.9)
    assert interruption.takes_doubtful(Intent("hush"), 15.0, 19.8)


def test_the_voice_is_not_held_while_the_house_is_silent():
    assert not Interruption().holds(Intent("hush"), 19.5, 20.0)
