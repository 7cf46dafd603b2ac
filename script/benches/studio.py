"""Synthetic voices and the studio in which they speak; what they say is in corpus.toml, and no sound is kept."""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import kokoro
import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

from seance.languages import load_language

RATE = 16_000
Sound = NDArray[np.float32]
Use = Literal["tuning", "seen", "blind", "fresh", "natural"]
"""What a voice was used for: fitting numbers, looking at mistakes, or nothing but counting, at first or later.

The natural ones sound nearly like people.
"""


@dataclass(frozen=True, slots=True)
class Voice:
    """One synthetic voice: an engine, the name it gives the voice, and how fast it speaks."""

    name: str
    engine: str
    option: str
    """The voice's name; for kokoro, the language in which espeak-ng reads the text stands before it."""
    speed: float = 1.0
    """Relative to the engine's ordinary pace."""
    pitch: int = 50
    """0 to 99, espeak-ng and pico only."""
    use: Use = "tuning"


@dataclass(frozen=True, slots=True)
class BenchVoices:
    """The voices of a language, and what else speaks or hears it."""

    voices: tuple[Voice, ...]
    pocketsphinx: bool = False
    """Whether pocketsphinx comes with this language."""


def bench_voices(language: str) -> BenchVoices:
    """Return what script/benches/test_speakers/ has for *language*; without a file there, its test voices."""
    path = Path(__file__).with_name("test_speakers") / f"{language}.toml"
    if not path.exists():
        return BenchVoices(
            tuple(Voice(f"espeak {name}", "espeak-ng", name) for name in load_language(language).test_voices)
        )
    read = tomllib.loads(path.read_text(encoding="utf-8"))
    return BenchVoices(tuple(Voice(**voice) for voice in read["voices"]), read["pocketsphinx"])


NATURAL_GUESTS = 6
"""How many of kokoro's voices babble at the most."""
_PROGRAMS = {"festival": "text2wave", "rhvoice": "RHVoice-test"}
"""Where a program is not called like its engine; RHVoice is in Debian from 13 on."""


class CannotSpeak(RuntimeError):
    """An engine is missing or gave no sound."""


@dataclass(slots=True)
class Studio:
    """Speaks sentences with any voice and remembers the sound in a folder."""

    folder: Path
    piper_voices: Path | None = None
    """Where piper keeps its models, or None when there is none."""

    def can_speak(self, voice: Voice) -> bool:
        """Return whether this machine has the voice."""
        if voice.engine == "pico":
            return importlib.util.find_spec("ttspico") is not None
        if voice.engine == "kokoro":
            return kokoro.can_speak()
        if voice.engine == "piper":
            return self._piper_file(voice) is not None and importlib.util.find_spec("piper") is not None
        return shutil.which(_PROGRAMS.get(voice.engine, voice.engine)) is not None

    def cast(self, language: str, use: Use) -> list[Voice]:
        """Return the voices of that *use* which this machine has."""
        voices = [voice for voice in bench_voices(language).voices if voice.use == use and self.can_speak(voice)]
        if not voices:
            raise SystemExit(f"bench: no {use} voice speaks {language} here; `script/setup bench` brings those it can")
        return voices

    def say(self, text: str, voice: Voice) -> Sound:
        """Return *text* in *voice*, without silence at either end, at full scale 0.5."""
        key = hashlib.sha256(repr((text, voice.engine, voice.option, voice.speed, voice.pitch)).encode()).hexdigest()
        kept = self.folder / f"{key[:24]}.npy"
        if kept.exists():
            return np.load(kept)  # type: ignore[no-any-return]
        sound = trim(self._render(text, voice))
        self._keep(sound, kept)
        return sound

    def _keep(self, sound: Sound, path: Path) -> None:
        """Write *sound* to *path* at once: other processes may be reading it, or writing the same."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self.folder, suffix=".part", delete=False) as unfinished:
            np.save(unfinished, sound)
        Path(unfinished.name).replace(path)

    def _piper_file(self, voice: Voice) -> Path | None:
        if self.piper_voices is None:
            return None
        return next(iter(self.piper_voices.rglob(f"{voice.option}.onnx")), None)

    def _command(self, text: str, voice: Voice, wav: Path, words: Path) -> list[str]:
        """Return what makes *wav* of *text*, which is also in the file *words*."""
        stretch = f"{1 / voice.speed:.3f}"
        pace, pitch = str(round(165 * voice.speed)), str(voice.pitch)
        duration = f"(Parameter.set 'Duration_Stretch {stretch})"
        return {
            "espeak-ng": ["espeak-ng", "-v", voice.option, "-s", pace, "-p", pitch, "-w", str(wav), text],
            "flite": [
                "flite",
                "-voice",
                voice.option,
                "--setf",
                f"duration_stretch={stretch}",
                "-t",
                text,
                "-o",
                str(wav),
            ],
            "festival": ["text2wave", "-o", str(wav), "-eval", f"({voice.option})", "-eval", duration, str(words)],
            "rhvoice": [
                *("RHVoice-test", "-p", voice.option, "-r", str(round(100 * voice.speed))),
                *("-i", str(words), "-o", str(wav)),
            ],
            "piper": [
                *(sys.executable, "-m", "piper", "-m", str(self._piper_file(voice)), "-f", str(wav)),
                *("--length-scale", stretch, "-i", str(words)),
            ],
        }[voice.engine]

    def _render(self, text: str, voice: Voice) -> Sound:
        if voice.engine == "pico":
            return self._pico(text, voice)
        if voice.engine == "kokoro":
            language, name = voice.option.split()
            return resampled(*kokoro.speak(text, name, voice.speed, language))
        with tempfile.TemporaryDirectory() as scratch:
            wav = Path(scratch, "said.wav")
            words = Path(scratch, "words.txt")
            words.write_text(text + "\n")
            command = self._command(text, voice, wav, words)
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode or not wav.exists():
                raise CannotSpeak(f"{voice.engine} could not say {text!r}: {done.stderr.strip()[-200:]}")
            samples, rate = soundfile.read(wav, dtype="float32")
        return resampled(samples, rate)

    def _pico(self, text: str, voice: Voice) -> Sound:
        import ttspico

        engine = ttspico.TtsEngine(voice.option)
        engine.rate, engine.pitch = round(100 * voice.speed), 2 * voice.pitch
        return np.frombuffer(engine.speak(text), "<i2").astype(np.float32) / 32768


def guests(voices: Sequence[Voice]) -> list[Voice]:
    """Return who of *voices* babbles: piper takes seconds to say anything, and kokoro one, so a few of its are enough."""
    natural = [voice for voice in voices if voice.engine == "kokoro"][:NATURAL_GUESTS]
    return natural + [voice for voice in voices if voice.engine not in ("kokoro", "piper")]


def resampled(samples: Sound, rate: int) -> Sound:
    """Return *samples* at the rate of the ear."""
    return samples if rate == RATE else soxr.resample(samples, rate, RATE).astype(np.float32)


def trim(sound: Sound, under: float = 0.01) -> Sound:
    """Return *sound* scaled to a peak of 0.5, without what lies 40 dB under its peak at either end."""
    loud = np.flatnonzero(np.abs(sound) > under * np.abs(sound).max())
    kept = sound[loud[0] : loud[-1] + 1]
    return (kept * (0.5 / np.abs(kept).max())).astype(np.float32)
