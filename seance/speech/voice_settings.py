"""How the narrator of a language speaks, from `voices/<language>/voice.toml` and the owner; makes no sound."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from seance.speech.effects import Effects, stretch
from seance.speech.engines import Engine, Espeak, Piper, piper_program
from seance.speech.fallback import StandIn

Name = Literal["auto", "espeak", "piper"]
"""`auto` is Piper where it and its voice are on this machine, else espeak."""


_PIPER_FILE = ".onnx"


class BadManner(ValueError):
    """A voice.toml cannot be used; the message names file and key."""


class Timbre(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A voice of one engine."""

    voice: str
    rate: Annotated[float, msgspec.Meta(ge=80, le=300)]
    """Words a minute."""
    pitch: Annotated[float, msgspec.Meta(ge=-12, le=12)] = 0.0
    """Semitones higher (a smaller body), or lower below 0."""


_PLAIN_PIPER = Timbre(voice="", rate=150)
"""Of a voice that the owner brings."""


class Room(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A room around the voice."""

    reverb: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0
    """How loud the room is beside the voice."""
    seconds: Annotated[float, msgspec.Meta(ge=0.1, le=5)] = 0.8
    """How long it goes on."""


class Manner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a language is spoken, by whichever engine there is."""

    espeak: Timbre
    piper: Timbre | None = None
    """None where no Piper voice speaks the language."""
    engine: Name = "auto"
    room: Room = Room()


@dataclass(frozen=True, slots=True)
class Wishes:
    """What an owner wants otherwise than voice.toml has it."""

    engine: Name = "auto"
    """`auto` is as voice.toml has it."""
    name: str | None = None
    """What espeak-ng calls a voice, or the .onnx file of one of Piper's."""
    rate: float = 1.0
    """How many times as fast."""
    pitch: float = 0.0
    """Semitones higher or lower."""
    effects: bool = True


@dataclass(frozen=True, slots=True)
class Speech:
    """An engine, and what is made of its sound."""

    engine: Engine
    pitch: float
    effects: Effects


def load(language: str) -> Manner:
    """Return the manner of *language*, or raise BadManner."""
    path = files("voices").joinpath(language, "voice.toml")
    return parse(path.read_text(encoding="utf-8"), str(path))


def parse(text: str, source: str) -> Manner:
    """Return the manner that *text* spells, or raise BadManner naming *source* and key."""
    try:
        return msgspec.convert(tomllib.loads(text), type=Manner)
    except tomllib.TOMLDecodeError as error:
        raise BadManner(f"{source}: not TOML: {error}") from None
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at `")
        raise BadManner(f"{source}: {path.strip('`$.') or 'voice'}: {problem[0].lower()}{problem[1:]}") from None


def speech(
    manner: Manner,
    piper_model: Path | None = None,
    wishes: Wishes | None = None,
    *,
    replaced: Callable[[str], None] = lambda _: None,
) -> Speech:
    """Return what speaks in *manner* as the owner wishes; *piper_model* is the .onnx file of its Piper voice.

    A voice that the owner names and that does not exist gives way to the usual one of espeak-ng: *replaced* is told.
    """
    wishes = wishes or Wishes()
    if wishes.name and wishes.name.endswith(_PIPER_FILE):
        piper_model = Path(wishes.name).expanduser()
    effects = Effects(manner.room.reverb, manner.room.seconds) if wishes.effects else Effects()
    piper = _is_piper(manner, piper_model, wishes)
    timbre = manner.piper or _PLAIN_PIPER if piper else manner.espeak
    pitch = timbre.pitch + wishes.pitch
    # Pitching changes the length: the engine makes up for it.
    rate = timbre.rate * wishes.rate * stretch(pitch)
    engine: Engine = Espeak(wishes.name or timbre.voice, rate)
    if piper:
        engine = Piper(piper_model or Path(f"{timbre.voice}{_PIPER_FILE}"), rate)
    if wishes.name:
        usual = Espeak(manner.espeak.voice, manner.espeak.rate * wishes.rate * stretch(pitch))
        engine = StandIn(engine, usual, replaced)
    return Speech(engine, pitch, effects)


def _is_piper(manner: Manner, model: Path | None, wishes: Wishes) -> bool:
    wanted = manner.engine if wishes.engine == "auto" else wishes.engine
    if wanted == "piper" and manner.piper is None and model is None:
        remedy = "set voice.engine to espeak, or voice.name to the .onnx file of one"
        raise BadManner(f"there is no Piper voice for this language: {remedy}")
    if wanted != "auto":
        return wanted == "piper"
    of_espeak = wishes.name is not None and not wishes.name.endswith(_PIPER_FILE)
    return model is not None and piper_program() is not None and not of_espeak
