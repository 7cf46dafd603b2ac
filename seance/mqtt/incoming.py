"""What other devices may ask for, read from the topics below `command`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from seance.plain_text import strip_controls

MAX_PAYLOAD_BYTES = 4096
MAX_LINE_CHARS = 200
MAX_KNOCKS = 5
MAX_SAND_S = 3600


class BadPayload(ValueError):
    """A message cannot be understood; says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class PressTopic:
    """A topic that is itself the request, such as `pause`; the payload does not matter."""

    name: str


@dataclass(frozen=True, slots=True)
class SayLine:
    """A line for the narrator, without control characters."""

    text: str


@dataclass(frozen=True, slots=True)
class SetSand:
    """Seconds of sand to add or take, or that shall be left."""

    seconds: float
    is_added: bool


@dataclass(frozen=True, slots=True)
class KnockTimes:
    """So many knocks."""

    count: int


@dataclass(frozen=True, slots=True)
class PlayCommand:
    """A command of the wire."""

    fields: Mapping[str, Any]


Incoming = PressTopic | SayLine | SetSand | KnockTimes | PlayCommand


def read_message(name: str, payload: bytes) -> Incoming:
    """Return what *payload* on the topic `command/`*name* asks for, or raise BadPayload."""
    if len(payload) > MAX_PAYLOAD_BYTES:
        raise BadPayload(f"{len(payload)} bytes are too many: {MAX_PAYLOAD_BYTES} at most")
    reader = _READERS.get(name)
    return PressTopic(name) if reader is None else reader(payload)


def _read_line(payload: bytes) -> SayLine:
    try:
        text = " ".join(strip_controls(payload.decode()).split())
    except UnicodeDecodeError:
        raise BadPayload("a line must be UTF-8") from None
    if not text or len(text) > MAX_LINE_CHARS:
        raise BadPayload(f"a line has 1 to {MAX_LINE_CHARS} characters, not {len(text)}")
    return SayLine(text)


def _read_sand(payload: bytes) -> SetSand:
    given = _decode(payload, dict[str, float], '{"add_s": 30}, {"add_s": -15} or {"left_s": 90}')
    if len(given) != 1 or not given.keys() <= {"add_s", "left_s"}:
        raise BadPayload('give one of "add_s" and "left_s"')
    ((key, seconds),) = given.items()
    least = -MAX_SAND_S if key == "add_s" else 0
    if not least <= seconds <= MAX_SAND_S:
        raise BadPayload(f"{key} must be {least} to {MAX_SAND_S} seconds")
    return SetSand(seconds, is_added=key == "add_s")


def _read_knock(payload: bytes) -> KnockTimes:
    given = _decode(payload, dict[str, int], '{"count": 3}') if payload.startswith(b"{") else {}
    count = given.get("count", 1)
    if not given.keys() <= {"count"} or not 1 <= count <= MAX_KNOCKS:
        raise BadPayload(f'give nothing, or a "count" of 1 to {MAX_KNOCKS}')
    return KnockTimes(count)


def _read_game(payload: bytes) -> PlayCommand:
    return PlayCommand(_decode(payload, dict[str, Any], '{"command": "call_time"}'))


def _decode(payload: bytes, kind: Any, example: str) -> Any:
    try:
        return msgspec.json.decode(payload, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadPayload(f"{error}; such as {example}") from None


_READERS: Mapping[str, Callable[[bytes], Incoming]] = {
    "say": _read_line,
    "sand": _read_sand,
    "knock": _read_knock,
    "game": _read_game,
}
