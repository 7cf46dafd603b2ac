"""`seance safe` after the service: the coil that was driven is made safe, even with broken settings."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.board import load_board
from hardware.failsafe import recall_coil
from seance.daemon.world.startup import start_body

ROOT = Path(__file__).parents[1]


def safe(folder: Path, content: str = "[body]\nbaord = 'breadboard'\n") -> subprocess.CompletedProcess[str]:
    """Run it as the service does, with settings that cannot be read."""
    settings = folder / "settings.toml"
    settings.write_text(content)
    command = [sys.executable, "-P", "-m", "seance", "safe", "--config", settings]
    environment = os.environ | {"RUNTIME_DIRECTORY": str(folder)}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_a_house_that_wakes_as_a_service_leaves_word_of_its_coil(tmp_path, monkeypatch):
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    start_body("virtual").body.close()
    knocker = load_board("virtual").knocker
    assert knocker is not None
    assert recall_coil() == knocker.pin


def test_a_coil_that_was_driven_is_made_safe_though_the_settings_are_spoilt(tmp_path):
    (tmp_path / "coil").write_text("21\n")
    assert safe(tmp_path).returncode == 0


@pytest.mark.parametrize("word", ["", "red\n"])
def test_where_nobody_knows_the_coil_the_settings_must_be_right(tmp_path, word):
    (tmp_path / "coil").write_text(word)
    done = safe(tmp_path)
    assert done.returncode == 2
    assert "baord" in done.stderr


def test_a_mistake_in_the_board_is_named_with_the_line_of_the_settings(tmp_path):
    (tmp_path / "mine.toml").write_text("clok = 1\n")
    done = safe(tmp_path, f"[body]\nboard = '{tmp_path}/mine.toml'\n")
    assert done.returncode == 2
    assert "settings.toml, line 2: body.board: " in done.stderr
    assert "mine.toml, line 1: clok: there is no such key" in done.stderr
