"""The narrator's voice in each language, from `voices/<language>/voice.toml` and the owner's settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from seance.languages import read_language_file
from seance.speech.effects import Reverb, duration_factor
from seance.speech.engines import Espeak, Piper, SpeechEngine, piper_program
from seance.speech.fallback import FallbackEngine
from seance.text_files import BadTextFile, expand_path, parse_toml, validation_error

EngineName = Literal["auto", "espeak", "piper"]
"""`auto` is Piper where it and its voice are on this machine, else espeak."""

_PIPER_SUFFIX = ".onnx"


class BadVoiceSettings(BadTextFile):
    """A voice.toml cannot be used; the message names file, line and key."""


class EngineVoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A voice of one engine."""

    voice: str
    """The engine's name for it."""
    rate: Annotated[float, msgspec.Meta(ge=80, le=300)]
    """Words a minute."""
    pitch: Annotated[float, msgspec.Meta(ge=-12, le=12)] = 0.0
    """Semitones higher, or lower below 0."""


_DEFAULT_PIPER_VOICE = EngineVoice(voice="", rate=150)
"""Rate and pitch of a Piper voice that the owner brings to a language without one."""


class ReverbSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reverb of the narrator's voice, `[room]` in voice.toml."""

    reverb: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0
    """The wet level: 0 is none, 1 is as loud as the voice."""
    seconds: Annotated[float, msgspec.Meta(ge=0.1, le=5)] = 0.8
    """The reverberation time (RT60)."""


class VoiceSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a voice.toml: the narrator of a language, for each engine."""

    espeak: EngineVoice
    piper: EngineVoice | None = None
    """None where no Piper voice speaks the language."""
    engine: EngineName = "auto"
    room: ReverbSettings = ReverbSettings()


@dataclass(frozen=True, slots=True)
class VoiceOverrides:
    """The owner's changes to a voice.toml."""

    engine: EngineName = "auto"
    """`auto` takes the engine of voice.toml."""
    name: str | None = None
    """The name of an espeak-ng voice, or the .onnx file of a Piper voice."""
    rate: float = 1.0
    """A factor: 2 is twice as fast."""
    pitch: float = 0.0
    """Semitones higher, or lower below 0."""
    effects: bool = True
    """Whether to add reverb."""


@dataclass(frozen=True, slots=True)
class SynthesisConfig:
    """A speech engine, and the effects on its sound."""

    engine: SpeechEngine
    pitch: float
    """Semitones."""
    reverb: Reverb


def load_voice_settings(language: str) -> VoiceSettings:
    """Return the voice settings of *language*, or raise BadVoiceSettings."""
    file = read_language_file(language, "voice.toml", BadVoiceSettings)
    return parse_voice_settings(file.text, file.source)


def parse_voice_settings(text: str, source: str) -> VoiceSettings:
    """Return the voice settings in the TOML *text*, or raise BadVoiceSettings naming *source*, line and key."""
    try:
        return msgspec.convert(parse_toml(text, source, BadVoiceSettings), type=VoiceSettings)
    except msgspec.ValidationError as error:
        raise BadVoiceSettings(validation_error(str(error), text, source, "voice")) from None


def configure_synthesis(
    settings: VoiceSettings,
    piper_model: Path | None = None,
    overrides: VoiceOverrides | None = None,
    *,
    on_fallback: Callable[[str], None] = lambda _: None,
) -> SynthesisConfig:
    """Return the engine and effects that *settings* and *overrides* ask for.

    *piper_model* is the .onnx file of the language's Piper voice. Where the voice that the owner names does not exist,
    the espeak-ng voice of *settings* speaks, and *on_fallback* is called with the reason.
    """
    overrides = overrides or VoiceOverrides()
    if overrides.name and overrides.name.endswith(_PIPER_SUFFIX):
        piper_model = expand_path(overrides.name)
    reverb = Reverb(settings.room.reverb, settings.room.seconds) if overrides.effects else Reverb()
    use_piper = _use_piper(settings, piper_model, overrides)
    voice = settings.piper or _DEFAULT_PIPER_VOICE if use_piper else settings.espeak
    pitch = voice.pitch + overrides.pitch
    # Shifting the pitch changes the duration: the engine's rate makes up for it.
    rate = voice.rate * overrides.rate * duration_factor(pitch)
    engine: SpeechEngine = Espeak(overrides.name or voice.voice, rate)
    if use_piper:
        engine = Piper(piper_model or Path(f"{voice.voice}{_PIPER_SUFFIX}"), rate)
    if overrides.name:
        fallback = Espeak(settings.espeak.voice, settings.espeak.rate * overrides.rate * duration_factor(pitch))
        engine = FallbackEngine(engine, fallback, on_fallback)
    return SynthesisConfig(engine, pitch, reverb)


def _use_piper(settings: VoiceSettings, model: Path | None, overrides: VoiceOverrides) -> bool:
    """Return whether Piper is to speak, or raise BadVoiceSettings where it is asked for and has no voice."""
    wanted = settings.engine if overrides.engine == "auto" else overrides.engine
    if wanted == "piper" and settings.piper is None and model is None:
        remedy = "set voice.engine to espeak, or voice.name to the .onnx file of one"
        raise BadVoiceSettings(f"there is no Piper voice for this language: {remedy}")
    if wanted != "auto":
        return wanted == "piper"
    names_espeak_voice = overrides.name is not None and not overrides.name.endswith(_PIPER_SUFFIX)
    return model is not None and piper_program() is not None and not names_espeak_voice
