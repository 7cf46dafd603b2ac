"""The keys of a board file with their types and defaults, read from the classes of `hardware.board`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import inspect

NOT_IN_FILES = ("name",)
"""Fields of a board that are no keys."""


@dataclass(frozen=True, slots=True)
class BoardKey:
    """One key of a board file."""

    table: str
    """The table that it is in; empty for the top of the file."""
    name: str
    type: str
    """What its value may be, in words."""
    required: bool
    default: Any
    """The value where it is left out, as TOML has it; None for nothing."""


def board_keys(board: type[msgspec.Struct]) -> tuple[BoardKey, ...]:
    """Return every key of a *board* file, those of the top first and then table by table."""
    whole = inspect.type_info(board)
    assert isinstance(whole, inspect.StructType)  # noqa: S101 (a board is one)
    top = tuple(field for field in whole.fields if field.name not in NOT_IN_FILES)
    tables = [(field.name, kind) for field in top if (kind := _table_type(field.type)) is not None]
    return (
        *(_board_key("", field) for field in top),
        *(_board_key(name, field) for name, kind in tables for field in kind.fields),
    )


def valid_keys(keys: Sequence[BoardKey], table: Sequence[str]) -> tuple[str, ...]:
    """Return the names of *keys* that *table*, a path of at most one part, may have."""
    return tuple(key.name for key in keys if key.table == ".".join(table))


def type_of(keys: Sequence[BoardKey], path: Sequence[str]) -> str | None:
    """Return in words what the key at *path* may be; None if there is no such key."""
    table, name = ".".join(path[:-1]), path[-1] if path else ""
    return next((_with_article(key.type) for key in keys if (key.table, key.name) == (table, name)), None)


def _board_key(table: str, field: inspect.Field) -> BoardKey:
    default = None if field.default is msgspec.NODEFAULT else msgspec.to_builtins(field.default)
    is_table = _table_type(field.type) is not None
    return BoardKey(table, field.encode_name, _describe(field.type), field.required, None if is_table else default)


def _table_type(kind: inspect.Type) -> inspect.StructType | None:
    return next((each for each in _alternatives(kind) if isinstance(each, inspect.StructType)), None)


def _alternatives(kind: inspect.Type) -> Iterator[inspect.Type]:
    """Yield the types that *kind* allows, but None."""
    if isinstance(kind, inspect.UnionType):
        yield from (each for each in kind.types if not isinstance(each, inspect.NoneType))
    else:
        yield kind


def _describe(kind: inspect.Type) -> str:
    (kind,) = _alternatives(kind)
    match kind:
        case inspect.Metadata():
            return str((kind.extra_json_schema or {})["description"])
        case inspect.StructType():
            return "table"
        case inspect.VarTupleType():
            return f"list, each {_with_article(_describe(kind.item_type))}"
        case inspect.LiteralType():
            values = [f'"{value}"' for value in kind.values]
            return f"{', '.join(values[:-1])} or {values[-1]}"
        case inspect.IntType():
            return f"whole number {_range(kind)}".rstrip()
        case inspect.FloatType():
            return f"number {_range(kind)}".rstrip()
    return "text"


def _with_article(described: str) -> str:
    return described if described.startswith('"') else f"a {described}"


def _range(kind: inspect.IntType | inspect.FloatType) -> str:
    if kind.ge is not None and kind.le is not None:
        return f"from {kind.ge:g} to {kind.le:g}"
    bounds = {"above": kind.gt, "at least": kind.ge, "at most": kind.le}
    return ", ".join(f"{word} {bound:g}" for word, bound in bounds.items() if bound is not None)
