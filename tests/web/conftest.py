"""A running evening with pages, and a night in it."""

from collections.abc import Iterator

import pytest

from seance.daemon.world.body_driver import BodyDriver
from seance.narration.cue_builder import CueBuilder
from tests.web.running_evening import RunningEvening, running_evening


@pytest.fixture
def house(tmp_path) -> Iterator[RunningEvening]:
    """An evening that has just begun, with its pages."""
    with running_evening(tmp_path) as house:
        yield house


@pytest.fixture
def night(house) -> RunningEvening:
    """The first hour of a night of red, blue and white."""
    house.begin()
    return house


@pytest.fixture
def hasty(monkeypatch) -> None:
    """No pauses between lines or within one, and no waiting for knocks."""
    monkeypatch.setattr(BodyDriver, "knock", lambda *_: 0.0)
    monkeypatch.setattr(CueBuilder, "pause", lambda *_: None)
    monkeypatch.setattr(CueBuilder, "say_slowly", lambda cues, key, _, /, **values: cues.say(key, **values))
