"""What is said at a table, in synthetic rooms: corpus.toml spoken into noise; it hears nothing itself."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from studio import RATE, Sound, Studio, Voice


@dataclass(frozen=True, slots=True)
class Texts:
    """What is said in one language."""

    commands: tuple[str, ...]
    """Sentences that must be heard."""
    talk: tuple[str, ...]
    """Sentences that must not be taken for a command, near misses among them."""


def languages() -> tuple[str, ...]:
    """Return the languages in which corpus.toml has something."""
    return tuple(_read())


def texts(language: str) -> Texts:
    """Return what corpus.toml has in *language*."""
    read = _read()[language]
    return Texts(tuple(read["commands"]), tuple(read["talk"]))


def _read() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(Path(__file__).with_name("corpus.toml").read_text(encoding="utf-8"))


def level(sound: Sound) -> float:
    """Return the root mean square of *sound*."""
    return float(np.sqrt(np.mean(np.square(sound, dtype=np.float64))))


def white(seconds: float, chance: random.Random) -> Sound:
    """Return white noise of level 1."""
    return np.random.default_rng(chance.getrandbits(32)).standard_normal(round(seconds * RATE)).astype(np.float32)


def pink(seconds: float, chance: random.Random) -> Sound:
    """Return noise whose power falls with frequency, of level 1."""
    even = white(seconds, chance)
    spectrum = np.fft.rfft(even)
    spectrum /= np.sqrt(np.maximum(np.arange(spectrum.size), 20 * seconds))
    sound = np.fft.irfft(spectrum, even.size)
    return (sound / level(sound)).astype(np.float32)


def clatter(seconds: float, chance: random.Random) -> Sound:
    """Return a kitchen of level 1: things that ring for a moment when they are put down, over a soft hum."""
    dice, size = np.random.default_rng(chance.getrandbits(32)), round(seconds * RATE)
    room = 0.15 * pink(seconds, chance)
    at = round(dice.exponential(0.45) * RATE)
    while at < size:
        time = np.arange(round(dice.uniform(0.05, 0.35) * RATE)) / RATE
        tones = zip(dice.uniform(700, 6500, 6), dice.uniform(0.01, 0.08, 6), strict=True)
        ring = sum(np.sin(2 * np.pi * hertz * time) * np.exp(-time / lasts) for hertz, lasts in tones)
        struck = (ring * 10 ** (dice.uniform(-14, 6) / 20))[: size - at]
        room[at : at + struck.size] += struck
        at += round(dice.exponential(0.45) * RATE)
    return (room / level(room)).astype(np.float32)


def music(seconds: float, chance: random.Random) -> Sound:
    """Return plucked chords, four a bar, of level 1."""
    size, room = round(seconds * RATE), np.zeros(round(seconds * RATE) + 2 * RATE, np.float32)
    time = np.arange(2 * RATE) / RATE
    for at in range(0, size, round(0.45 * RATE)):
        root = 110 * 2 ** (chance.choice((0, 3, 5, 7, 8, 10)) / 12)
        for step in (1, chance.choice((1.2, 1.25)), 1.5, chance.choice((2, 3, 4))):
            tones = sum(np.sin(2 * np.pi * root * step * n * time) / n**1.5 for n in range(1, 9))
            room[at : at + time.size] += (tones * np.exp(-time * 3) * chance.uniform(0.4, 1)).astype(np.float32)
    return (room[:size] / level(room[:size])).astype(np.float32)


def talker(studio: Studio, voice: Voice, chance: random.Random, talk: Sequence[str]) -> Iterator[Sound]:
    """Yield what one guest says all evening, with pauses."""
    while True:
        yield studio.say(chance.choice(talk), voice)
        yield np.zeros(round(chance.uniform(0.1, 0.8) * RATE), np.float32)


def babble(
    seconds: float,
    chance: random.Random,
    studio: Studio,
    voices: Sequence[Voice],
    talk: Sequence[str],
    guests: int = 5,
) -> Sound:
    """Return *guests* people talking at once, of level 1."""
    wanted = round(seconds * RATE)
    room = np.zeros(wanted, np.float32)
    for number in range(guests):
        said = talker(studio, voices[number % len(voices)], chance, talk)
        at = -round(chance.uniform(0, 2) * RATE)
        while at < wanted:
            sound = next(said)
            begin, end = max(at, 0), min(at + sound.size, wanted)
            if end > begin:
                room[begin:end] += sound[begin - at : end - at]
            at += sound.size
    return (room / level(room)).astype(np.float32)


Span = tuple[float, float]
"""The least and the most of something, in seconds."""
AT_A_TABLE: tuple[Span, Span] = (0.8, 1.6), (1.5, 2.0)
A_RECORDING: tuple[Span, Span] = (0.02, 0.25), (0.02, 0.3)
"""For how long there is a room before and after a sentence."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One command (or piece of table talk) in a room."""

    text: str
    voice: str
    noise: str
    """clean, white, pink, clatter or babble"""
    snr: float | None
    """Decibels between the sentence and the noise, None when clean."""
    sound: Sound
    began: float
    ended: float
    """Seconds into the sound at which the sentence begins and its last sound ends."""


def scene(
    text: str,
    voice: Voice,
    noise: str,
    snr: float | None,
    chance: random.Random,
    studio: Studio,
    others: Sequence[Voice],
    talk: Sequence[str],
    around: tuple[Span, Span] = AT_A_TABLE,
) -> Scene:
    """Return *text* said in a room whose noise goes on before and after it."""
    said = studio.say(text, voice)
    lead, tail = (chance.uniform(*span) for span in around)
    before, after = round(lead * RATE), round(tail * RATE)
    sound = np.concatenate([np.zeros(before, np.float32), said, np.zeros(after, np.float32)])
    if snr is not None:
        seconds = sound.size / RATE
        if noise == "babble":
            cast = [other for other in others if other.name != voice.name]
            chance.shuffle(cast)
            room = babble(seconds, chance, studio, cast, talk, guests=chance.randint(4, 6))
        else:
            room = {"white": white, "pink": pink, "clatter": clatter}[noise](seconds, chance)
        sound = sound + room[: sound.size] * np.float32(level(said) / 10 ** (snr / 20))
    sound = sound * np.float32(min(1.0, 0.9 / np.abs(sound).max()))
    return Scene(text, voice.name, noise, snr, sound, before / RATE, (before + said.size) / RATE)


def pcm(sound: Sound) -> bytes:
    """Return *sound* as 16-bit samples."""
    return (np.clip(sound, -1, 1) * 32767).astype("<i2").tobytes()
