"""Who the invented guests are, from `voices/<language>/cast.toml`; makes no sound."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Annotated

import msgspec

from seance.rules import Psychic

Lines = Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]


class BadCast(ValueError):
    """A cast.toml cannot be used; the message names file and key."""


class Throat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a guest sounds."""

    voice: str
    """What espeak-ng calls it."""
    rate: Annotated[float, msgspec.Meta(ge=80, le=300)]
    """Words a minute."""


class Cast(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The guests of a language."""

    talk: Lines
    """What they say to each other."""
    questions: Lines
    """What they ask the house while the sand runs."""
    voices: Mapping[Psychic, Throat]
    """One for each psychic."""


def load(language: str) -> Cast:
    """Return the cast of *language*, or raise BadCast."""
    path = files("voices").joinpath(language, "cast.toml")
    try:
        cast = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Cast)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadCast(f"{path}: {error}") from None
    if silent := [psychic for psychic in Psychic if psychic not in cast.voices]:
        raise BadCast(f"{path}: voices: {', '.join(silent)} has none")
    return cast
