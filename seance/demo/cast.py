"""The simulated guests of each language, from `voices/<language>/cast.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec

from seance.languages import read_language_file
from seance.rules import Psychic
from seance.text_files import BadTextFile, parse_toml, validation_error

Lines = Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]


class BadCast(BadTextFile):
    """A cast.toml cannot be used; the message names file, line and key."""


class NaturalVoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A voice of Kokoro."""

    voice: str
    """Kokoro's name for it."""
    accent: str
    """espeak-ng's code of the variety in which words are read: en-gb-scotland, fr-fr."""
    rate: Annotated[float, msgspec.Meta(ge=80, le=300)]
    """Words a minute."""


class GuestVoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The voice of a guest."""

    voice: str
    """The name of the espeak-ng voice."""
    rate: Annotated[float, msgspec.Meta(ge=80, le=300)]
    """Words a minute."""
    natural: NaturalVoice | None = None
    """The voice of Kokoro that speaks instead where it is installed and the night is played aloud."""


class Cast(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The guests of a language."""

    talk: Lines
    """Table talk: what they say to each other."""
    questions: Lines
    """What they ask the house while the sand is running."""
    voices: Mapping[Psychic, GuestVoice] = {}
    """One for each psychic; none where they type."""


def load_cast(language: str) -> Cast:
    """Return the cast of *language*, or raise BadCast."""
    source, text = read_language_file(language, "cast.toml", BadCast)
    try:
        cast = msgspec.convert(parse_toml(text, source, BadCast), Cast)
    except msgspec.ValidationError as error:
        raise BadCast(validation_error(str(error), text, source, "cast")) from None
    if cast.voices and (silent := [psychic for psychic in Psychic if psychic not in cast.voices]):
        raise BadCast(f"{source}: voices: {', '.join(silent)} has none")
    return cast
