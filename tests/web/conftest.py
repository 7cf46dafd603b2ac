"""A house with pages, and a night in it."""

from collections.abc import Iterator

import pytest

from seance.daemon.world.body_driver import Limbs
from seance.narration.cue_builder import CueBuilder
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


@pytest.fixture
def hasty(monkeypatch) -> None:
    """A house that neither pauses between its lines nor waits for its knocks to die away."""
    monkeypatch.setattr(Limbs, "knock", lambda *_: 0.0)
    monkeypatch.setattr(CueBuilder, "pause", lambda *_: None)
