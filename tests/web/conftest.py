"""A house with pages, and a night in it."""

from collections.abc import Iterator

import pytest

from tests.web.houses import Held, held


@pytest.fixture
def house(tmp_path) -> Iterator[Held]:
    """A house that has just woken up, with its pages."""
    with held(tmp_path) as house:
        yield house


@pytest.fixture
def night(house) -> Held:
    """The first hour of a night of red, blue and white."""
    house.begin()
    return house
