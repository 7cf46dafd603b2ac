"""Every numbered rule has a test whose name carries its number."""

import ast
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
RULES = [f"{letter}{number}" for letter, last in {"L": 38, "I": 12, "P": 4, "M": 7, "S": 7}.items()
         for number in range(1, last + 1)]  # fmt: skip
NEEDED = {*RULES, "S4_pause"}
"""S4 is of taking back and abandoning, which the engine does, and of the pause, which it does not."""


def numbers_in(source: str) -> set[str]:
    """Return the numbers that the names of the tests in *source* carry."""
    functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
    names = [function.name for function in functions if function.name.startswith("test_")]
    numbers = {number for name in names for number in re.findall(r"(?<=_)[LIPMS]\d+(?=_)", name)}
    return numbers | {"S4_pause" for name in names if "_S4_pause_" in name}


def missing(sources: Iterable[str]) -> set[str]:
    """Return the rules that no test of *sources* names."""
    return NEEDED - set().union(*map(numbers_in, sources))


def all_tested() -> set[str]:
    return set().union(*(numbers_in(path.read_text(encoding="utf-8")) for path in TESTS.rglob("test_*.py")))


def test_every_rule_has_a_test() -> None:
    assert missing(path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py")) == set()


def test_no_test_names_a_rule_that_does_not_exist() -> None:
    assert all_tested() <= NEEDED


def test_there_are_68_rules() -> None:
    assert len(RULES) == 68


# The check itself


def source_without(number: str) -> str:
    return "\n".join(f"def test_{rule}_holds(): pass" for rule in sorted(NEEDED - {number}))


@pytest.mark.parametrize("number", sorted(NEEDED - {"S4"}))  # the pause carries the number of S4
def test_a_missing_number_is_found(number: str) -> None:
    assert missing([source_without(number)]) == {number}


def test_a_name_may_carry_several_numbers() -> None:
    assert numbers_in("def test_L4_M1_the_hand(): pass\nclass TestHand:\n    def test_I3_all(self): pass") == {
        "L4",
        "M1",
        "I3",
    }


@pytest.mark.parametrize("name", ["helper_L1_x", "test_l1_x", "test_XL1_x", "test_L1x_y", "test_about_the_hand"])
def test_a_name_that_carries_no_number_counts_for_none(name: str) -> None:
    assert numbers_in(f"def {name}(): pass") == set()


def test_the_pause_is_a_rule_of_its_own() -> None:
    assert numbers_in("def test_S4_pause_stops_the_sand(): pass") == {"S4", "S4_pause"}
