"""docs/boards.md has every key of a board file, with its type and default, and examples that can be used."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from hardware.board import BOARD_KEYS, Board, parse_board
from hardware.board_schema import BoardKey

PAGE = (Path(__file__).parents[2] / "docs" / "boards.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(\w+)` \| (.+?) \| (?:`(.+?)`|(\w+)) \| `(.+?)` \| .+ \|$", re.MULTILINE)


def documented() -> Iterator[tuple[BoardKey, str]]:
    """Yield each key of the page with its example."""
    for section in PAGE.split("## Keys")[1].split("\n### ")[1:]:
        heading, _, rows = section.partition("\n")
        for table in re.findall(r"`\[(\w+)\]`", heading) or [""]:
            for name, kind, default, word, example in ROW.findall(rows):
                value = tomllib.loads(f"it = {default}")["it"] if default else None
                value = tuple(value) if isinstance(value, list) else value
                yield BoardKey(table, name, kind, word == "required", value), example


def test_the_page_has_every_key_with_its_type_and_default() -> None:
    assert sorted(map(str, (key for key, _ in documented()))) == sorted(map(str, BOARD_KEYS))


@pytest.mark.parametrize(("key", "example"), tuple(documented()), ids=lambda each: getattr(each, "name", each))
def test_every_example_of_the_page_is_valid(key: BoardKey, example: str) -> None:
    needed = {other.name: text for other, text in documented() if other.table == key.table and other.required}
    keys = "".join(f"{name} = {value}\n" for name, value in (needed | {key.name: example}).items())
    tree = tomllib.loads(f"[{key.table}]\n{keys}" if key.table else keys)
    msgspec.convert({"power": {"budget_ma": 60}} | tree, Board)


def test_the_board_of_the_page_can_be_used() -> None:
    (example,) = re.findall(r"```toml\n(.+?)```", PAGE, re.DOTALL)
    board = parse_board(example, "mine.toml")
    assert isinstance(board, Board)
    assert board.clock.outputs == (4, 5, 6, 7)
