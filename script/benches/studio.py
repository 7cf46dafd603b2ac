"""Synthetic voices and the studio in which they speak; what they say is in corpus.toml, and no sound is kept."""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import kokoro
import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

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


VOICES = {
    "en": (
        Voice("espeak american man", "espeak-ng", "en-us"),
        Voice("espeak british woman", "espeak-ng", "en-gb+f2", pitch=60),
        Voice("espeak scottish man", "espeak-ng", "en-gb-scotland+m3", speed=0.9),
        Voice("espeak american woman, fast", "espeak-ng", "en-us+f4", speed=1.15, pitch=65),
        Voice("espeak lancaster man, slow", "espeak-ng", "en-gb-x-gbclan+m7", speed=0.85, pitch=35),
        Voice("flite kal", "flite", "kal16"),
        Voice("flite rms", "flite", "rms", speed=1.05),
        Voice("espeak caribbean woman", "espeak-ng", "en-029+f5", use="seen"),
        Voice("espeak received man, fast", "espeak-ng", "en-gb-x-rp+m5", speed=1.1, use="seen"),
        Voice("flite awb", "flite", "awb", use="seen"),
        Voice("flite slt", "flite", "slt", speed=1.1, use="seen"),
        Voice("festival ked", "festival", "voice_ked_diphone", use="seen"),
        Voice("festival slt", "festival", "voice_cmu_us_slt_arctic_hts", speed=0.95, use="seen"),
        Voice("piper joe", "piper", "en_US-joe-medium", use="seen"),
        Voice("pico american woman", "pico", "en-US", use="blind"),
        Voice("pico british woman, fast", "pico", "en-GB", speed=1.15, use="blind"),
        Voice("pico american, deep and slow", "pico", "en-US", speed=0.9, pitch=36, use="blind"),
        Voice("espeak midlands woman", "espeak-ng", "en-gb-x-gbcwmd+f3", speed=0.95, pitch=55, use="blind"),
        Voice("espeak new york man, fast", "espeak-ng", "en-us-nyc+m4", speed=1.1, pitch=40, use="blind"),
        Voice("espeak scottish woman", "espeak-ng", "en-gb-scotland+f1", pitch=58, use="blind"),
        Voice("espeak klatt man", "espeak-ng", "en-us+klatt4", speed=0.9, use="blind"),
        Voice("rhvoice alan", "rhvoice", "alan", use="fresh"),
        Voice("rhvoice bdl", "rhvoice", "bdl", speed=1.1, use="fresh"),
        Voice("rhvoice clb", "rhvoice", "clb", use="fresh"),
        Voice("rhvoice evgeniy, a Russian", "rhvoice", "evgeniy-eng", speed=0.95, use="fresh"),
        Voice("rhvoice lyubov, a Russian", "rhvoice", "lyubov", use="fresh"),
        Voice("kokoro heart", "kokoro", "en-us af_heart", use="natural"),
        Voice("kokoro michael", "kokoro", "en-us am_michael", speed=1.05, use="natural"),
        Voice("kokoro emma, British", "kokoro", "en-gb bf_emma", use="natural"),
        Voice("kokoro george, British, slow", "kokoro", "en-gb bm_george", speed=0.95, use="natural"),
        Voice("kokoro sara, an Italian", "kokoro", "en-us if_sara", use="natural"),
        Voice("kokoro bella, fast", "kokoro", "en-us af_bella", speed=1.1, use="natural"),
        Voice("kokoro fenrir, fast", "kokoro", "en-us am_fenrir", speed=1.15, use="natural"),
        Voice("kokoro isabella, British", "kokoro", "en-gb bf_isabella", speed=1.05, use="natural"),
        Voice("kokoro daniel, British, fast", "kokoro", "en-gb bm_daniel", speed=1.15, use="natural"),
        Voice("kokoro alex, a Spaniard", "kokoro", "en-us em_alex", speed=0.95, use="natural"),
        Voice("kokoro sarah, slow", "kokoro", "en-us af_sarah", speed=0.95, use="natural"),
        Voice("kokoro onyx", "kokoro", "en-us am_onyx", use="natural"),
        Voice("kokoro lily, British, slow", "kokoro", "en-gb bf_lily", speed=0.9, use="natural"),
        Voice("kokoro fable, British", "kokoro", "en-gb bm_fable", use="natural"),
        Voice("kokoro siwis, a Frenchwoman", "kokoro", "en-gb ff_siwis", use="natural"),
        Voice("kokoro nova, fast", "kokoro", "en-us af_nova", speed=1.1, use="natural"),
        Voice("kokoro puck, slow", "kokoro", "en-us am_puck", speed=0.9, use="natural"),
        Voice("kokoro omega, an Indian", "kokoro", "en-gb hm_omega", speed=1.05, use="natural"),
    ),
    "fr": (
        Voice("espeak française", "espeak-ng", "fr+f2", pitch=60),
        Voice("espeak français", "espeak-ng", "fr"),
        Voice("espeak belge", "espeak-ng", "fr-be+m3", speed=0.9),
        Voice("espeak suisse", "espeak-ng", "fr-ch+f4", speed=1.1, use="seen"),
        Voice("pico française", "pico", "fr-FR", use="blind"),
        Voice("pico français, grave et lent", "pico", "fr-FR", speed=0.9, pitch=36, use="blind"),
        Voice("espeak suisse, homme", "espeak-ng", "fr-ch+m6", use="blind"),
        Voice("espeak belge, femme, rapide", "espeak-ng", "fr-be+f5", speed=1.1, pitch=55, use="blind"),
        Voice("kokoro siwis", "kokoro", "fr-fr ff_siwis", use="natural"),
        Voice("kokoro siwis, rapide", "kokoro", "fr-fr ff_siwis", speed=1.15, use="natural"),
    ),
}
"""No other French voice is free enough for Debian's main archive; the mbrola ones are not."""


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
        voices = [voice for voice in VOICES[language] if voice.use == use and self.can_speak(voice)]
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
        self.folder.mkdir(parents=True, exist_ok=True)
        np.save(kept, sound)
        return sound

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
