"""Commands, events and views as JSON and back: the only wire format."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from reprlib import Repr
from typing import Annotated, Any, get_type_hints

import msgspec

from seance.rules import COMMANDS, EDITIONS, EVENTS, Begin, Command, Edition, Event, GhostView, RoomView, wire_name
from seance.rules.editions import MOST_PLAYERS, VISION_CARDS
from seance.rules.refusals import Refusal


class NotACommand(Refusal):
    """What came over the wire is no command."""

    problem: str
    says = "{self.problem}"


def decode_command(given: Mapping[str, Any], editions: Mapping[str, Edition] = EDITIONS) -> Command:
    """Return the command that *given* spells, or raise NotACommand."""
    name = given.get("command")
    if not isinstance(name, str) or name not in _SHAPES:
        raise NotACommand(f"no command is called {shortened(name)}: one of {', '.join(_SHAPES)}")
    kind, shape = _SHAPES[name]
    try:
        shaped = msgspec.convert({field: given[field] for field in given if field != "command"}, type=shape)
    except msgspec.ValidationError as error:
        raise NotACommand(f"{name}: {_plainly(error)}") from None
    values = msgspec.structs.asdict(shaped)
    if kind is Begin:
        if values["edition"] not in editions:
            raise NotACommand(
                f"begin: no edition is called {shortened(values['edition'])}: one of {', '.join(editions)}"
            )
        values["edition"] = editions[values["edition"]]
    return kind(**values)


def event_fields(event: Event) -> dict[str, Any]:
    """Return *event* as it stands on the wire."""
    kind = type(event)
    wire: dict[str, Any] = {"event": _EVENT_NAMES[kind]}
    for name in _EVENT_FIELDS[kind]:
        value = getattr(event, name)
        wire[name] = value.name if isinstance(value, Edition) else value
    return wire


def view_fields(view: RoomView | GhostView) -> Any:
    """Return *view* as it stands on the wire: the ghost's has all that the room's has."""
    if isinstance(view, RoomView):
        return view
    room = msgspec.to_builtins(view.room)
    return {**room, "secret": view.secret, "hand": view.hand, "served": view.served, "culprit": view.culprit}


def encode(answer: Mapping[str, Any]) -> bytes:
    """Return *answer* as one line of JSON, without its end."""
    return msgspec.json.encode(answer)


def shortened(value: object) -> str:
    """Return *value* as it can be shown in a message, however long it is."""
    return _SHORT.repr(value)


# Not repr(): what is nested just deeply enough to be read is too deep to be written.
_SHORT = Repr()
_SHORT.maxlevel, _SHORT.maxstring, _SHORT.maxother = 2, 60, 60

_ANY_CARD = Annotated[int, msgspec.Meta(ge=1)]
_VISION_CARD = Annotated[int, msgspec.Meta(ge=1, le=VISION_CARDS)]
_WIRE_TYPES: dict[str, Any] = {
    "edition": str,
    "players": Annotated[int, msgspec.Meta(ge=2, le=MOST_PLAYERS)],
    "seed": Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)] | None,
    "count": _VISION_CARD | None,
    "cards": tuple[_VISION_CARD, ...] | None,
    "card": _ANY_CARD,
    "group": _ANY_CARD,
    "character": _ANY_CARD | None,
    "location": _ANY_CARD | None,
    "object": _ANY_CARD | None,
}
"""Fields that are narrower on the wire, or other, than in Python."""


def _shape(kind: type[Command]) -> type[msgspec.Struct]:
    """Return the form in which *kind* of command comes over the wire."""
    hints = get_type_hints(kind) | _WIRE_TYPES
    shape: list[Any] = [
        (field.name, hints[field.name]) if field.default is MISSING else (field.name, hints[field.name], field.default)
        for field in fields(kind)
    ]
    return msgspec.defstruct(kind.__name__, shape, forbid_unknown_fields=True, kw_only=True)


def _plainly(error: msgspec.ValidationError) -> str:
    """Return what msgspec found, in our manner: lower case, the field by its name."""
    text = str(error).replace("`$.", "`").replace("Object ", "the command ")
    return text[0].lower() + text[1:]


_SHAPES = {wire_name(kind): (kind, _shape(kind)) for kind in COMMANDS}
_EVENT_NAMES = {kind: wire_name(kind) for kind in EVENTS}
_EVENT_FIELDS = {kind: tuple(field.name for field in fields(kind)) for kind in EVENTS}
