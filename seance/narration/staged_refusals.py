"""How each refusal of the rules is told: one line a class, filled with what the refusal carries."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from seance.narration.cues import Earcon, Sound
from seance.narration.inflection import Value
from seance.narration.scene import Scene
from seance.rules import Category, Psychic, Refusal


def tell_refusal(refusal: Refusal, scene: Scene) -> None:
    """Add to *scene* what the room perceives of *refusal*."""
    scene.add(Earcon(Sound.REFUSED))
    scene.say(refusal_key(type(refusal)), **_values(refusal, scene))


def refusal_key(kind: type[Refusal]) -> str:
    """Return where the line for a *kind* of refusal stands."""
    return "refusal." + re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def _values(refusal: Refusal, scene: Scene) -> dict[str, Value]:
    """Return what a line may say of *refusal*: its fields, in the game's words."""
    called = scene.stage.script.called
    words: Mapping[str, Callable[[Any], Value]] = {
        "level": lambda level: called("levels", level),
        "edition": lambda edition: called("editions", edition),
        "psychics": _psychics,
        "candidates": _psychics,
        "groups": lambda groups: tuple(int(group) for group in groups.split(", ") if group),
    }
    values: dict[str, Value] = {str(kind): kind for kind in Category}
    for name, value in vars(refusal).items():
        if value is not None:
            values[_HOLES.get(name, name)] = words[name](value) if name in words else value
    return values


_HOLES = {"candidates": "psychics", "group": "number"}
"""Fields that stand in lines under another name: {group} is a word of the edition."""


def _psychics(names: str) -> Value:
    return tuple(Psychic(name) for name in names.split(", ") if name in set(Psychic))
