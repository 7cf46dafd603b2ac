"""The narrator's voice in each language, from `voices/<language>/voice.toml` and the owner's settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from seance.languages import read_language_file
from seance.speech.effects import Reverb, duration_factor
from seance.speech.engines import Espeak, Piper, SpeechEngine, piper_program
from seance.speech.fallback import FallbackEngine
from seance.speech.kokoro import Kokoro, KokoroProcess, has_memory, has_voice
from seance.text_files import BadTextFile, expand_path, parse_toml, validation_error

EngineName = Literal["auto", "espeak", "piper", "kokoro"]
"""`auto` is Kokoro where its model and enough memory are on this machine, else Piper where it is, else espeak."""

_PIPER_SUFFIX = ".onnx"


class BadVoiceSettings(BadTextFile):
    """A voice.toml cannot be used; the message names file, line and key."""


class CastVoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A voice of one engine for somebody of the cast, such as whoever wrote a letter."""

    voice: str
    """The engine's name for it."""
    rate: Annotated[float, msgspec.Meta(ge=80, le=300)]
    """Words a minute."""
    pitch: Annotated[float, msgspec.Meta(ge=-12, le=12)] = 0.0
    """Semitones higher, or lower below 0."""
    accent: str | None = None
    """espeak-ng's code of the variety in which Kokoro reads words; the narrator's if it is None."""
    small_loudspeaker: bool = False
    """Whether it comes from a wireless set."""


class EngineVoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The narrator's voice of one engine, and its cast."""

    voice: str
    """The engine's name for it."""
    rate: Annotated[float, msgspec.Meta(ge=80, le=300)]
    """Words a minute."""
    pitch: Annotated[float, msgspec.Meta(ge=-12, le=12)] = 0.0
    """Semitones higher, or lower below 0."""
    cast: Mapping[str, CastVoice] = {}
    """The voices of others who tell parts of a story, by the names that lores use; the narrator speaks for the rest."""


class KokoroVoice(EngineVoice, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A voice of Kokoro."""

    accent: str
    """espeak-ng's code of the variety in which words are read: en-gb, fr-fr."""
    respell: Mapping[str, str] = {}
    """Other spellings of words that would be read wrongly, in letters or, between slashes, in phonemes."""


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
    kokoro: KokoroVoice | None = None
    """None where no voice of Kokoro speaks the language."""
    engine: EngineName = "auto"
    room: ReverbSettings = ReverbSettings()


@dataclass(frozen=True, slots=True)
class VoiceOverrides:
    """The owner's changes to a voice.toml."""

    engine: EngineName = "auto"
    """`auto` takes the engine of voice.toml."""
    name: str | None = None
    """The name of an espeak-ng or Kokoro voice, or the .onnx file of a Piper voice."""
    rate: float = 1.0
    """A factor: 2 is twice as fast."""
    pitch: float = 0.0
    """Semitones higher, or lower below 0."""
    effects: bool = True
    """Whether to add reverb."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceModels:
    """The models of voices on this machine; None where there is none."""

    piper: Path | None = None
    """The .onnx file of the language's Piper voice."""
    kokoro: Path | None = None
    """The folder of Kokoro."""


@dataclass(frozen=True, slots=True)
class SynthesisConfig:
    """A speech engine, and the effects on its sound."""

    engine: SpeechEngine
    pitch: float
    """Semitones."""
    reverb: Reverb
    by_sentence: bool = False
    """Whether sentences are rendered and cached one by one, as a slow engine wants."""
    process: KokoroProcess | None = None
    """The process in which a slow engine renders, which all of the cast share."""
    small_loudspeaker: bool = False
    """Whether it comes from a wireless set."""
    cast: Mapping[str, SynthesisConfig] = field(default_factory=dict)
    """The others who tell parts of a story, by name."""


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
    models: VoiceModels | None = None,
    overrides: VoiceOverrides | None = None,
    *,
    on_fallback: Callable[[str], None] = lambda _: None,
) -> SynthesisConfig:
    """Return the engine and effects that *settings* and *overrides* ask for, or raise BadVoiceSettings.

    Where the voice that the owner names does not exist, the espeak-ng voice of *settings* speaks, and *on_fallback* is
    called with the reason.
    """
    models, overrides = models or VoiceModels(), overrides or VoiceOverrides()
    if overrides.name and overrides.name.endswith(_PIPER_SUFFIX):
        models = replace(models, piper=expand_path(overrides.name))
    reverb = Reverb(settings.room.reverb, settings.room.seconds) if overrides.effects else Reverb()
    engine_name = _choose_engine(settings, models, overrides)
    voice = _voice_of(engine_name, settings)
    process = KokoroProcess(models.kokoro or Path("kokoro"))
    make = partial(_make_engine, engine_name, settings, models, overrides, process)
    engine = make(voice, name=overrides.name)
    pitch = voice.pitch + overrides.pitch
    if overrides.name:
        fallback = Espeak(settings.espeak.voice, settings.espeak.rate * overrides.rate * duration_factor(pitch))
        engine = FallbackEngine(engine, fallback, on_fallback)
    is_slow = engine_name == "kokoro"
    cast = {
        name: SynthesisConfig(
            make(each), each.pitch + overrides.pitch, reverb, is_slow, small_loudspeaker=each.small_loudspeaker
        )
        for name, each in voice.cast.items()
        if engine_name != "piper"  # a model has one voice
    }
    shared = process if is_slow else None
    return SynthesisConfig(engine, pitch, reverb, by_sentence=is_slow, process=shared, cast=cast)


def _choose_engine(settings: VoiceSettings, models: VoiceModels, overrides: VoiceOverrides) -> EngineName:
    """Return the name of the engine that is to speak, or raise BadVoiceSettings where it has no voice."""
    wanted = settings.engine if overrides.engine == "auto" else overrides.engine
    if wanted == "piper" and settings.piper is None and models.piper is None:
        remedy = "set voice.engine to espeak, or voice.name to the .onnx file of one"
        raise BadVoiceSettings(f"there is no Piper voice for this language: {remedy}")
    if wanted == "kokoro" and settings.kokoro is None:
        raise BadVoiceSettings("there is no Kokoro voice for this language: set voice.engine to espeak")
    if wanted != "auto":
        return wanted
    name = overrides.name
    kokoro, folder = settings.kokoro, models.kokoro
    if kokoro is not None and folder is not None and has_memory() and has_voice(folder, name or kokoro.voice):
        return "kokoro"
    names_espeak_voice = name is not None and not name.endswith(_PIPER_SUFFIX)
    return "piper" if models.piper is not None and piper_program() is not None and not names_espeak_voice else "espeak"


def _voice_of(engine: EngineName, settings: VoiceSettings) -> EngineVoice:
    """Return the voice in which *engine* speaks by *settings*."""
    if engine == "piper":
        return settings.piper or _DEFAULT_PIPER_VOICE
    return settings.kokoro if engine == "kokoro" and settings.kokoro is not None else settings.espeak


def _make_engine(
    engine: EngineName,
    settings: VoiceSettings,
    models: VoiceModels,
    overrides: VoiceOverrides,
    process: KokoroProcess,
    voice: EngineVoice | CastVoice,
    *,
    name: str | None = None,
) -> SpeechEngine:
    """Return *engine* with *voice*, or with the owner's own voice *name*."""
    # Shifting the pitch changes the duration: the engine's rate makes up for it.
    rate = voice.rate * overrides.rate * duration_factor(voice.pitch + overrides.pitch)
    if engine == "piper":
        return Piper(models.piper or Path(f"{voice.voice}{_PIPER_SUFFIX}"), rate)
    if engine == "kokoro" and settings.kokoro is not None:
        own_accent = voice.accent if isinstance(voice, CastVoice) else None
        accent, respelt = own_accent or settings.kokoro.accent, settings.kokoro.respell
        return Kokoro(process, name or voice.voice, rate, language=accent, respelt=respelt)
    return Espeak(name or voice.voice, rate)
