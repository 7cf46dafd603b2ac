"""A house of its own for every test, with a journal of an earlier version."""

from pathlib import Path

import pytest

from tests.compatibility.files import FINISHED, journal


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch) -> Path:
    """The folders of a user who has never played here."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("TZ", "UTC")
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def nights(home) -> Path:
    """The journal of that user, with the nights that are over in it."""
    return journal(FINISHED, home / "data" / "seance" / "nights.sqlite")
