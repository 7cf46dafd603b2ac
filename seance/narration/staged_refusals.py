"""Cues for refusals: one line for each class, filled with the fields of the refusal."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from seance.narration.cue_builder import CueBuilder
from seance.narration.cues import Earcon, Sound
from seance.narration.inflection import LineValue
from seance.rules import Category, Psychic, Refusal


def tell_refusal(refusal: Refusal, cues: CueBuilder) -> None:
    """Add to *cues* what the room perceives of *refusal*."""
    cues.add(Earcon(Sound.REFUSED))
    cues.say(refusal_key(type(refusal)), **_values(refusal, cues))


def refusal_key(kind: type[Refusal]) -> str:
    """Return the key of the line for a *kind* of refusal."""
    return "refusal." + re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def _values(refusal: Refusal, cues: CueBuilder) -> dict[str, LineValue]:
    """Return the fields of *refusal* as values for the holes of its line; {psychics} are else those who play."""
    called = cues.style.script.called
    words: Mapping[str, Callable[[Any], LineValue]] = {
        "level": lambda level: called("levels", level),
        "edition": lambda edition: called("editions", edition),
        "psychics": _psychics,
        "candidates": _psychics,
        "levels": lambda levels: tuple(called("levels", level) for level in levels.split(", ")),
        "groups": lambda groups: tuple(int(group) for group in groups.split(", ") if group),
    }
    playing = tuple(each.colour for each in cues.room.psychics) if cues.room else tuple(Psychic)
    values: dict[str, LineValue] = {"psychics": playing, **{str(kind): kind for kind in Category}}
    for name, value in vars(refusal).items():
        if value is not None:
            values[_HOLES.get(name, name)] = words[name](value) if name in words else value
    return values


_HOLES = {"candidates": "psychics", "group": "number"}
"""Fields whose hole has another name: {group} is a word of the edition."""


def _psychics(names: str) -> LineValue:
    return tuple(Psychic(name) for name in names.split(", ") if name in set(Psychic))
