"""The simulated room of `script/bench echo`: the narrator's loudspeaker, a microphone, and somebody at the table."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pyroomacoustics
import soxr
from scipy.signal import fftconvolve
from studio import RATE, Sound, Studio, Voice

from seance.audio.formats import MIX_RATE_HZ
from seance.narration.script import Script
from seance.narration.script_file import SAMPLE_VALUES
from seance.speech.voice_settings import load_voice_settings

ECHO_LEVEL = 0.08
"""Root mean square of the echo at the microphone, of full scale 1."""
NOISE_LEVEL = 2e-4
REVERBERATION_S = 0.35
LATENCY_S = 0.06
"""From when a sample is due until the microphone delivers it."""
BLOCKS_A_SECOND = 20


class Chamber:
    """A room with a loudspeaker, a microphone and somebody at the table."""

    def __init__(self, seed: int) -> None:
        chance = Random(seed)
        size = [chance.uniform(4, 6), chance.uniform(3.5, 5), chance.uniform(2.4, 3)]
        absorption, _ = pyroomacoustics.inverse_sabine(REVERBERATION_S, size)
        room = pyroomacoustics.ShoeBox(size, RATE, materials=pyroomacoustics.Material(absorption), max_order=12)
        room.add_microphone([2.2, 1.8, 0.8])
        room.add_source([2.2 + chance.uniform(0.3, 0.8), 1.9, 0.9])
        room.add_source([2.2 - chance.uniform(0.5, 1.1), 1.8 - chance.uniform(0.3, 0.9), 1.1])
        room.compute_rir()
        self._from_speaker, self._from_talker = room.rir[0]
        self._noise = np.random.default_rng(seed)

    def echo(self, played: Sound, drift_ppm: float) -> Sound:
        """Return what the microphone hears of *played*, in its own time."""
        clipped = _clip(played)
        if drift_ppm:
            clipped = soxr.resample(clipped, RATE, RATE * (1 + drift_ppm * 1e-6), quality="VHQ")
        echo = fftconvolve(clipped, self._from_speaker)[: len(played)]
        echo = np.pad(echo, (0, len(played) - len(echo))) * (ECHO_LEVEL / rms(echo))
        late = np.concatenate((np.zeros(round(LATENCY_S * RATE)), echo))[: len(played)]
        return (late + self.noise(len(played))).astype(np.float32)

    def noise(self, length: int) -> Sound:
        """Return *length* samples of what the microphone hears in an empty room."""
        return (NOISE_LEVEL * self._noise.standard_normal(length)).astype(np.float32)

    def reflect(self, played: Sound) -> Sound:
        """Return the echo of *played* at some level, with its reverberation."""
        return fftconvolve(_clip(played), self._from_speaker).astype(np.float32)

    def speech(self, said: Sound, ratio_db: float) -> Sound:
        """Return *said* as the microphone hears it, so much louder than the echo."""
        heard = fftconvolve(said, self._from_talker)
        return (heard * (ECHO_LEVEL * 10 ** (ratio_db / 20) / rms(heard))).astype(np.float32)


class HeldNarrator:
    """The loudspeaker of a narrator who pauses while the voice is held, as in a house, block by block."""

    def __init__(self, chamber: Chamber, played: Sound) -> None:
        self._chamber, self._played = chamber, played
        self._speaker = soxr.resample(played, RATE, MIX_RATE_HZ).astype(np.float32)
        self._told = 0
        """Blocks of *played* that have been told."""
        self._gain = ECHO_LEVEL / rms(chamber.reflect(played))

    def play(self, near: Sound, block: int, *, is_held: bool) -> Sound:
        """Add the echo of block number *block* to *near*, and return what the mixer writes for it."""
        size, mixed = RATE // BLOCKS_A_SECOND, MIX_RATE_HZ // BLOCKS_A_SECOND
        if is_held:
            return np.zeros(mixed, np.float32)
        at, self._told = self._told, self._told + 1
        echo = self._gain * self._chamber.reflect(self._played[at * size : (at + 1) * size])
        start = block * size + round(LATENCY_S * RATE)
        end = min(len(near), start + len(echo))
        if start < end:
            near[start:end] += echo[: end - start]
        return self._speaker[at * mixed : (at + 1) * mixed]


def lines(language: str) -> list[str]:
    """Return every distinct line of the script, filled with samples, and of the stories."""
    script = Script.load(language)
    stories = (text for lore in script.lores.values() for tale in lore.tales.values() for text in tale)
    told = (text for lore in script.lores.values() for part in lore.opening for text in part.sentences)
    variants = (line for each in script.lines.values() for line in each)
    return list(dict.fromkeys(script.fill(line, None, **SAMPLE_VALUES) for line in (*variants, *stories, *told)))


def narration(studio: Studio, voice: Voice, texts: Sequence[str], pause_s: float = 0.35) -> Sound:
    """Return *texts* in *voice*, with pauses between them."""
    pause = np.zeros(round(pause_s * RATE), np.float32)
    return np.concatenate([part for text in texts for part in (studio.say(text, voice), pause)])


def narrator(language: str, *, natural: bool = False) -> Voice:
    """Return the voice of the house: espeak-ng's as it comes, or Kokoro's."""
    settings = load_voice_settings(language)
    if natural and settings.kokoro is not None:
        return Voice("narrator", "kokoro", f"{settings.kokoro.accent} {settings.kokoro.voice}", speed=0.9)
    return Voice("narrator", "espeak-ng", settings.espeak.voice, speed=0.95)


def told_in_room(studio: Studio, chance: Random, language: str, length: int) -> Sound:
    """Return *length* samples of narration, of lines drawn from the script."""
    told, played = chance.sample(lines(language), 400), np.zeros(0, np.float32)
    while len(played) < length:
        played = np.concatenate((played, narration(studio, narrator(language), [told.pop()])))
    return played[:length]


def _clip(played: Sound) -> Sound:
    return np.tanh(1.5 * played) / 1.5


def rms(sound: Sound) -> float:
    """Return the root mean square of *sound* without its pauses."""
    loud = sound[np.abs(sound) > 0.02 * np.abs(sound).max()]
    return float(np.sqrt(np.mean(np.square(loud))))
