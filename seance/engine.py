"""The rules engine as a program: one line of JSON in, one line of JSON out."""

import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, BinaryIO

import msgspec

from seance.codec import NotACommand, decode_command, encode, event_fields, shorten, view_fields
from seance.rules import EDITIONS, Begin, Edition, Refusal, Seat, State, apply, legal, view

LONGEST_LINE = 65_536
"""In bytes; no command is nearly as long."""


class Engine:
    """Answers commands and questions about one night after another."""

    def __init__(
        self,
        editions: Mapping[str, Edition] = EDITIONS,
        *,
        draw_seed: Callable[[], int] = lambda: secrets.randbits(63),
    ) -> None:
        self.state: State | None = None
        self._editions = editions
        self._draw_seed = draw_seed

    def answer(self, line: bytes) -> bytes:
        """Return the answer to *line*; a refusal changes nothing."""
        try:
            return encode(self._answer(_parse(line)))
        except Refusal as refusal:
            return encode({"ok": False, "refusal": type(refusal).__name__, "message": str(refusal)})

    def _answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a parsed line, or raise Refusal."""
        if "command" in asked:
            return {"ok": True, "events": self._events(decode_command(asked, self._editions))}
        if set(asked) == {"view"}:
            return {"ok": True, "view": view_fields(view(self.state, _seat(asked["view"])))}
        if set(asked) == {"legal"}:
            return {"ok": True, "legal": legal(self.state, _seat(asked["legal"]))}
        raise NotACommand('a line is {"command": NAME, …}, {"view": SEAT} or {"legal": SEAT}')

    def _events(self, command: Any) -> list[dict[str, Any]]:
        if isinstance(command, Begin) and command.seed is None:
            command = replace(command, seed=self._draw_seed())
        self.state, events = apply(self.state, command)
        return [event_fields(event) for event in events]


def _parse(line: bytes) -> Mapping[str, Any]:
    if len(line) > LONGEST_LINE:
        raise NotACommand(f"the line is longer than {LONGEST_LINE} bytes")
    if not line.strip():
        raise NotACommand("the line is blank")
    try:
        asked = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotACommand(f"the line is not JSON: {error}") from None
    if not isinstance(asked, dict):
        raise NotACommand(f"the line is not a JSON object: {shorten(asked)}")
    return asked


def _seat(given: object) -> Seat:
    if not isinstance(given, str) or given not in _SEATS:
        raise NotACommand(f"there is no seat {shorten(given)}: one of {', '.join(_SEATS)}")
    return _SEATS[given]


_SEATS = {seat.value: seat for seat in Seat}


def serve(lines: BinaryIO, answers: BinaryIO, engine: Engine) -> None:
    """Answer each line of *lines* until they end."""
    for line in _read_lines(lines):
        answers.write(engine.answer(line) + b"\n")
        answers.flush()


def _read_lines(lines: BinaryIO) -> Iterator[bytes]:
    """Yield each line; of one that is too long, only the first LONGEST_LINE + 1 bytes."""
    while line := lines.readline(LONGEST_LINE + 1):
        yield line
        while len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            line = lines.readline(LONGEST_LINE + 1)
