"""The examples in the docstrings of the rules are true."""

import doctest
import importlib
import pkgutil

import pytest

import seance.rules

MODULES = ["seance.rules", *(module.name for module in pkgutil.iter_modules(seance.rules.__path__, "seance.rules."))]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    assert doctest.testmod(seance.rules).attempted > 0
