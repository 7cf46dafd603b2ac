"""Commands, events and views as JSON and back: the only wire format."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from reprlib import Repr
from typing import Annotated, Any, get_type_hints

import msgspec

from seance.rules import COMMANDS, EDITIONS, EVENTS, Begin, Command, Edition, Event, GhostView, RoomView, wire_name
from seance.rules.editions import POSSIBLE_PLAYERS, VISION_CARDS
from seance.rules.events import NightBegun
from seance.rules.refusals import Refusal
from seance.rules.terms import Table


class NotACommand(Refusal):
    """What came over the wire is not a command."""

    problem: str
    says = "{self.problem}"


class NotAnEvent(Refusal):
    """What was stored is not an event."""

    problem: str
    says = "{self.problem}"


def decode_command(given: Mapping[str, Any], editions: Mapping[str, Edition] = EDITIONS) -> Command:
    """Return *given*, the fields of the wire, as a command, or raise NotACommand."""
    name = given.get("command")
    if not isinstance(name, str) or name not in _SHAPES:
        raise NotACommand(f"no command is called {shorten(name)}: one of {', '.join(_SHAPES)}")
    kind, shape = _SHAPES[name]
    try:
        shaped = msgspec.convert({field: given[field] for field in given if field != "command"}, type=shape)
    except msgspec.ValidationError as error:
        raise NotACommand(f"{name}: {_rephrase(error, 'command')}") from None
    values = msgspec.structs.asdict(shaped)
    if kind is Begin:
        if values["table"] is not None:
            values["table"] = Table(**msgspec.structs.asdict(values["table"]))
        if values["edition"] not in editions:
            raise NotACommand(f"begin: no edition is called {shorten(values['edition'])}: one of {', '.join(editions)}")
        values["edition"] = editions[values["edition"]]
    return kind(**values)


def command_fields(command: Command) -> dict[str, Any]:
    """Return the fields of *command* on the wire."""
    kind = type(command)
    fields = {"command": wire_name(kind), **_wire(command, _COMMAND_FIELDS[kind])}
    if kind is Begin and fields["table"] is None:
        del fields["table"]  # it is new: without it the command is the same as in earlier versions
    return fields


def decode_event(given: Mapping[str, Any], editions: Mapping[str, Edition] = EDITIONS) -> Event:
    """Return *given*, the fields of the wire, as an event, or raise NotAnEvent."""
    name = given.get("event")
    if not isinstance(name, str) or name not in _EVENT_SHAPES:
        raise NotAnEvent(f"no event is called {shorten(name)}")
    kind, shape = _EVENT_SHAPES[name]
    try:
        shaped = msgspec.convert({field: given[field] for field in given if field != "event"}, type=shape)
    except msgspec.ValidationError as error:
        raise NotAnEvent(f"{name}: {_rephrase(error, 'event')}") from None
    values = msgspec.structs.asdict(shaped)
    if kind is NightBegun:
        values["edition"] = _edition_of(values["edition"], values["variant"], editions)
    return kind(**values)


def event_fields(event: Event) -> dict[str, Any]:
    """Return the fields of *event* on the wire."""
    kind = type(event)
    return {"event": _EVENT_NAMES[kind], **_wire(event, _EVENT_FIELDS[kind])}


def view_fields(view: RoomView | GhostView) -> Any:
    """Return *view* as it is encoded: the ghost's has the fields of the room's and its own side by side."""
    room = msgspec.to_builtins(view if isinstance(view, RoomView) else view.room)
    if room["readers"] is None:
        del room["readers"]  # it is new: views without it are the same as in earlier versions
    if isinstance(view, RoomView):
        return room
    return {**room, "secret": view.secret, "hand": view.hand, "served": view.served, "culprit": view.culprit}


def encode(answer: Mapping[str, Any]) -> bytes:
    """Return *answer* as JSON on one line, without a newline."""
    return msgspec.json.encode(answer)


def shorten(value: object) -> str:
    """Return the representation of *value*, shortened for a message."""
    return _SHORT.repr(value)


# Not repr(): JSON may be nested so deeply that it can be parsed, but repr() exceeds the recursion limit.
_SHORT = Repr()
_SHORT.maxlevel, _SHORT.maxstring, _SHORT.maxother = 2, 60, 60

_ANY_CARD = Annotated[int, msgspec.Meta(ge=1)]
_VISION_CARD = Annotated[int, msgspec.Meta(ge=1, le=VISION_CARDS)]


class _DrawnTable(msgspec.Struct, forbid_unknown_fields=True):
    """The cards that the guests have drawn, by kind; all three are needed."""

    character: tuple[_ANY_CARD, ...]
    location: tuple[_ANY_CARD, ...]
    object: tuple[_ANY_CARD, ...]


_WIRE_TYPES: dict[str, Any] = {
    "edition": str,
    "table": _DrawnTable | None,
    "players": Annotated[int, msgspec.Meta(ge=POSSIBLE_PLAYERS[0], le=POSSIBLE_PLAYERS[-1])],
    "seed": Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)] | None,
    "count": _VISION_CARD | None,
    "cards": tuple[_VISION_CARD, ...] | None,
    "card": _ANY_CARD,
    "group": _ANY_CARD,
    "character": _ANY_CARD | None,
    "location": _ANY_CARD | None,
    "object": _ANY_CARD | None,
}
"""The types of fields that are narrower on the wire than in Python, or different."""


def _shape(kind: type[Command | Event], narrowed: Mapping[str, Any]) -> type[msgspec.Struct]:
    """Return the struct of *kind* on the wire, with *narrowed* types for the fields named there."""
    hints = get_type_hints(kind) | dict(narrowed)
    shape: list[Any] = [
        (field.name, hints[field.name]) if field.default is MISSING else (field.name, hints[field.name], field.default)
        for field in fields(kind)
    ]
    return msgspec.defstruct(kind.__name__, shape, forbid_unknown_fields=True, kw_only=True)


def _wire(value: Command | Event, names: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields *names* of *value*, an edition by its name."""
    fields = ((name, getattr(value, name)) for name in names)
    return {name: field.name if isinstance(field, Edition) else field for name, field in fields}


def _edition_of(name: str, variant: str | None, editions: Mapping[str, Edition]) -> Edition:
    """Return the edition called *name*, or its *variant*, or raise NotAnEvent."""
    edition = editions.get(name)
    if edition is not None and variant is not None:
        edition = edition.variants.get(variant)
    if edition is None:
        called = shorten(name) if variant is None else f"{shorten(name)} with the variant {shorten(variant)}"
        raise NotAnEvent(f"night_begun: no edition is called {called}")
    return edition


def _rephrase(error: msgspec.ValidationError, what: str) -> str:
    """Return msgspec's message about *what* in lower case, with the field by its name."""
    text = str(error).replace("`$.", "`").replace("Object ", f"the {what} ")
    return text[0].lower() + text[1:]


_SHAPES = {wire_name(kind): (kind, _shape(kind, _WIRE_TYPES)) for kind in COMMANDS}
_COMMAND_FIELDS = {kind: tuple(field.name for field in fields(kind)) for kind in COMMANDS}
_EVENT_SHAPES = {wire_name(kind): (kind, _shape(kind, {"edition": str})) for kind in EVENTS}
_EVENT_NAMES = {kind: wire_name(kind) for kind in EVENTS}
_EVENT_FIELDS = {kind: tuple(field.name for field in fields(kind)) for kind in EVENTS}
