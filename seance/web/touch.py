"""What can be touched on a page: an intent by its name, with the slots that the touch has filled."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from seance.rules import Category, Edition, Psychic
from seance.web.requests import BadRequest, decode_request

TouchedSlot = str | int | bool | tuple[str, ...] | tuple[int, ...]

_ROW_CARDS_MAX = 20
_NUMBER_MAX = 99
_STORIES = ("long", "short", "skipped")
_ALONE = (
    *("begin", "yes", "no", "ready", "take_back", "call_time", "turn_sand", "turn_shared_vision"),
    *("pause", "resume", "repeat", "end", "ask_next", "louder", "quieter", "wake"),
)
"""Intents without slots."""
TOUCH_SLOTS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(_ALONE, ()),
    "setup": ("edition", "players", "level", "psychics", "story", "by_hand", "drawn", "variant"),
    "answer": ("psychic", "number"),
    "draw_row": ("kind", "row"),
    "place_intuition": ("psychic", "card"),
    "bet": ("by", "on", "agrees"),
    "withdraw_bet": ("by", "on"),
    "number_groups": ("order",),
    "vote": ("by", "group"),
    "point_at": ("by", "group"),
    "accuse": ("group", "character", "location", "object"),
    "name_eldest": ("psychic",),
}
"""The intents that can be touched, and the slots that a touch may fill."""
SEAT_TOUCHES = (
    *("place_intuition", "bet", "withdraw_bet", "vote", "point_at", "accuse", "name_eldest"),
    *("take_back", "pause", "resume", "ready", "call_time", "turn_shared_vision", "yes", "no"),
)
"""The intents that can be touched on a psychic's page."""
ACTING_SLOTS = {"place_intuition": "psychic", "bet": "by", "withdraw_bet": "by", "vote": "by", "point_at": "by"}
"""The slot that names whoever acts, by intent."""
_REQUIRED = {"bet": ("on", "agrees"), "draw_row": ("row",), "number_groups": ("order",)}
"""Slots that the house does not ask for."""


@dataclass(frozen=True, slots=True)
class Touch:
    """An intent that was touched."""

    name: str
    slots: Mapping[str, TouchedSlot] = field(default_factory=dict, hash=False)


class TouchRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request that touches something."""

    intent: str
    slots: dict[str, Any] = {}


def decode_touch(body: bytes, editions: Mapping[str, Edition]) -> Touch:
    """Return what was touched by the request *body*, or raise BadRequest."""
    request = decode_request(body, TouchRequest)
    allowed = TOUCH_SLOTS.get(request.intent)
    if allowed is None:
        raise BadRequest(f"`intent` is one of {', '.join(TOUCH_SLOTS)}")
    slots: dict[str, TouchedSlot] = {}
    for name, value in request.slots.items():
        if name not in allowed:
            raise BadRequest(f"{request.intent} has no slot `{name[:40]}`: it takes {', '.join(allowed) or 'none'}")
        slots[name] = _checked(name, value, editions)
    if missing := [name for name in _REQUIRED.get(request.intent, ()) if name not in slots]:
        raise BadRequest(f"{request.intent} needs `{missing[0]}`")
    return Touch(request.intent, slots)


def _checked(name: str, value: Any, editions: Mapping[str, Edition]) -> TouchedSlot:
    """Return *value* as the slot *name* takes it, or raise BadRequest."""
    if name in ("psychics", "order"):
        return tuple(_one_of(name, each, Psychic) for each in _items(name, value, len(Psychic)))
    if name == "row":
        return tuple(_number(name, each) for each in _items(name, value, _ROW_CARDS_MAX))
    if name in ("agrees", "by_hand", "drawn"):
        if not isinstance(value, bool):
            raise BadRequest(f"`{name}` is true or false")
        return value
    if (choices := _CHOICES.get(name)) is not None:
        return _one_of(name, value, choices(editions))
    return _number(name, value)


_CHOICES: Mapping[str, Callable[[Mapping[str, Edition]], Iterable[str]]] = {
    **dict.fromkeys(("psychic", "by", "on"), lambda _: Psychic),
    "kind": lambda _: Category,
    "story": lambda _: _STORIES,
    "edition": lambda editions: editions,
    "level": lambda editions: dict.fromkeys(level for each in editions.values() for level in each.levels),
    "variant": lambda editions: dict.fromkeys(name for each in editions.values() for name in each.variants),
}
"""The values of slots that are words."""


def _one_of(name: str, value: Any, choices: Iterable[str]) -> str:
    words = [str(choice) for choice in choices]
    if value not in words:
        raise BadRequest(f"`{name}` is one of {', '.join(words)}")
    return str(value)


def _number(name: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= _NUMBER_MAX:
        raise BadRequest(f"`{name}` is a number from 1 to {_NUMBER_MAX}")
    return value


def _items(name: str, value: Any, most: int) -> list[Any]:
    if not isinstance(value, list) or not 1 <= len(value) <= most:
        raise BadRequest(f"`{name}` is a list of at most {most}")
    return value
