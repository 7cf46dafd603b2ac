"""Text files that people write, such as settings and boards: read within bounds, with errors that name the line."""

from __future__ import annotations

import math
import os
import re
import stat
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MAX_BYTES = 1_000_000
"""Size of the largest file that is read."""
MAX_DEPTH = 30
"""Levels of the most deeply nested tables and lists that are accepted."""
_MAX_NUMBER = 2**63
_MAX_SHOWN = 80
_MAX_PATH_BYTES = 4000
_MAX_NAME_BYTES = 255
_LONG_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){100}""")
"""A dotted key of more than 100 parts, over which tomllib takes time that grows with their square."""


class BadTextFile(ValueError):
    """A file that somebody wrote cannot be used; the message names the file, the line and the key."""


Error = Callable[[str], BadTextFile]


def expand_path(given: str) -> Path:
    """Return *given* as a path, with `~` as a home folder; raise ValueError for what can be no path."""
    if "\0" in given:
        raise ValueError("no path has a NUL character in it")
    try:
        path = Path(given).expanduser()
    except RuntimeError:
        raise ValueError(f"there is no home folder {shorten(Path(given).parts[0])}: write the whole path") from None
    if len(os.fsencode(path)) > _MAX_PATH_BYTES or any(len(os.fsencode(part)) > _MAX_NAME_BYTES for part in path.parts):
        raise ValueError("the path is too long")
    return path


def read_text(path: Path, error: Error = BadTextFile) -> str:
    """Return the text in *path*, or raise *error*, which names it."""
    try:
        mode = path.stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise error(f"{path}: cannot be read: this is {'a folder' if stat.S_ISDIR(mode) else 'no file'}")
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise error(f"{path}: there is no such file") from None
    except OSError as problem:
        raise error(f"{path}: cannot be read: {problem.strerror}") from None
    if len(content) > MAX_BYTES:
        raise error(f"{path}: cannot be read: it has more than {MAX_BYTES // 1_000_000} megabyte")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise error(f"{path}, line {line}: cannot be read: this is not UTF-8 text") from None


def parse_toml(text: str, source: str, error: Error = BadTextFile) -> dict[str, Any]:
    """Return the TOML *text*, or raise *error*, which names *source* and line.

    Too deep nesting, numbers of more than 64 bits and numbers that are not finite are errors too.
    """
    if long_key := _LONG_KEY.search(text):
        raise error(f"{at_line(source, text.count(chr(10), 0, long_key.start()) + 1)}: {_TOO_DEEP}")
    try:
        # tomllib gives no line number for an error at the very end, so a line end is added.
        tree = tomllib.loads(f"{text}\n")
    except tomllib.TOMLDecodeError as problem:
        raise error(f"{source}: not TOML: {shorten(str(problem))}") from None
    except RecursionError:
        raise error(f"{at_line(source, _deepest_line(text))}: {_TOO_DEEP}") from None
    except ValueError:  # Python's own limit for the digits of a number
        line = next((number for number, line in enumerate(text.splitlines(), 1) if len(line) > 4000), None)
        raise error(f"{at_line(source, line)}: {_TOO_LARGE}") from None
    for key, complaint in _find_problems(tree):
        raise error(f"{at_line(source, line_of(text, key))}: {shorten('.'.join(key))}: {complaint}")
    return tree


def line_of(text: str, key: Sequence[str]) -> int | None:
    """Return the line of the TOML *text* that sets *key* or its nearest table, since tomllib keeps no line numbers."""
    key = list(key)
    table: list[str] = []
    nearest, best = None, 0
    for number, line in enumerate(text.splitlines(), start=1):
        head = line.split("#")[0].strip()
        if head.startswith("["):
            found = table = _key_parts(head.strip("[]"))
        elif "=" in head:
            found = table + _key_parts(head.split("=")[0])
        else:
            continue
        depth = min(len(found), len(key))
        if depth > best and found[:depth] == key[:depth]:
            nearest, best = number, depth
    return nearest


@dataclass(frozen=True, slots=True)
class KeySchema:
    """What an error may say of the keys of a file."""

    valid_keys: Callable[[Sequence[str]], Sequence[str]]
    """Returns the keys of the table at a path."""
    type_of: Callable[[Sequence[str]], str | None]
    """Returns in words what the key at a path may be; None if there is no such key."""


def validation_error(message: str, text: str, source: str, whole: str, *, schema: KeySchema | None = None) -> str:
    """Return a validation *message* of msgspec with *source*, line and key first; *whole* is the name of all.

    With a *schema* it ends with the keys or the values that are valid there.
    """
    problem, _, path = message.partition(" - at `")
    key = path.strip("`$").lstrip(".")
    if unknown := re.search(r"unknown field `([^`]+)`", problem):
        table, key, problem = key_parts(key), f"{key}.{unknown[1]}".lstrip("."), "there is no such key"
        if schema is not None:
            problem = f"{problem}: valid here are {', '.join(schema.valid_keys(table))}"
    elif missing := re.search(r"missing required field `([^`]+)`", problem):
        key, problem = f"{key}.{missing[1]}".lstrip("."), "is missing"
    if schema is not None and not unknown and (wanted := schema.type_of(key_parts(key))) is not None:
        problem = f"{problem}: it takes {wanted}"
    where = at_line(source, line_of(text, key_parts(key)))
    return f"{where}: {shorten(key) or whole}: {problem[0].lower()}{problem[1:]}"


def key_parts(key: str) -> list[str]:
    """Return the parts of a dotted *key* without its indexes, such as `clock.pins[3]`."""
    return [part for part in re.split(r"\.|\[[^]]*\]", key) if part]


def at_line(source: str, line: int | None) -> str:
    """Return *source* with its *line*, where that is known."""
    return f"{source}, line {line}" if line else source


def shorten(text: str) -> str:
    """Return *text* for an error message, without its middle where it is long."""
    half = _MAX_SHOWN // 2
    return text if len(text) <= _MAX_SHOWN else f"{text[:half]}…{text[-half:]}"


_TOO_DEEP = f"tables and lists are nested too deeply, at most {MAX_DEPTH} levels are allowed"
_TOO_LARGE = "the number is too large"


def _find_problems(tree: dict[str, Any]) -> Iterator[tuple[list[str], str]]:
    """Yield the key and a description of each value that no file of ours can need."""
    waiting: list[tuple[list[str], int, Any]] = [([], 0, tree)]
    while waiting:
        key, depth, value = waiting.pop()
        if depth > MAX_DEPTH:
            yield key[:MAX_DEPTH], _TOO_DEEP
        elif isinstance(value, dict):
            waiting += [([*key, name], depth + 1, inner) for name, inner in value.items()]
        elif isinstance(value, list):
            waiting += [(key, depth + 1, inner) for inner in value]
        elif isinstance(value, int) and not -_MAX_NUMBER <= value < _MAX_NUMBER:
            yield key, _TOO_LARGE
        elif isinstance(value, float) and not math.isfinite(value):
            yield key, "the number must be finite"


def _deepest_line(text: str) -> int | None:
    """Return the first line on which more than MAX_DEPTH brackets are open."""
    depth = 0
    for number, line in enumerate(text.splitlines(), start=1):
        for sign in line:
            depth += (sign in "[{") - (sign in "]}")
            if depth > MAX_DEPTH:
                return number
    return None


def _key_parts(text: str) -> list[str]:
    """Return the parts of a dotted TOML key; none where *text* is not a key."""
    try:
        tree: Any = tomllib.loads(f"{text.strip()} = 0")
    except (ValueError, RecursionError):
        return []
    parts: list[str] = []
    while isinstance(tree, dict) and tree:
        part, tree = next(iter(tree.items()))
        parts.append(part)
    return parts
