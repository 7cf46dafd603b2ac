"""`script/run` and `script/install` offer the natural voice at a terminal, once."""

import os
import pty
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OFFER = '. "$1"; offer_natural_voice "$2" "$3" touch "$4"'


@pytest.fixture
def offer(tmp_path):
    """Return a function that offers it and types *answer*, and returns what was shown and whether it was fetched."""
    python, declined, fetched = tmp_path / "python", tmp_path / "declined", tmp_path / "fetched"

    def offer(answer, *, is_wanting=True):
        python.write_text(f"#!/bin/sh\nexit {0 if is_wanting else 1}\n")
        python.chmod(0o755)
        fetched.unlink(missing_ok=True)
        ours, theirs = pty.openpty()
        os.write(ours, f"{answer}\n".encode())
        arguments = ["bash", "-c", OFFER, "bash", ROOT / "script/parts.sh", python, declined, fetched]
        subprocess.run(arguments, stdin=theirs, stdout=theirs, stderr=theirs, check=True)
        os.close(theirs)
        shown = _read_all(ours)
        os.close(ours)
        return shown, fetched.exists()

    return offer


def _read_all(terminal):
    text = b""
    try:
        while block := os.read(terminal, 4096):
            text += block
    except OSError:  # the other end is closed
        pass
    return text.decode()


def test_size_and_time_are_said_before_it_is_fetched(offer):
    shown, is_fetched = offer("y")
    assert "104 MB, two minutes" in shown.partition("Fetch it now?")[0]
    assert is_fetched


def test_a_no_is_remembered(offer):
    shown, is_fetched = offer("n")
    assert "Fetch it now?" in shown
    assert not is_fetched
    shown, is_fetched = offer("y")
    assert "Fetch it now?" not in shown
    assert not is_fetched


def test_where_it_is_there_or_memory_is_short_nothing_is_asked(offer):
    shown, is_fetched = offer("y", is_wanting=False)
    assert "Fetch it now?" not in shown
    assert not is_fetched


def test_without_a_terminal_nothing_is_asked(tmp_path):
    arguments = ["bash", "-c", OFFER, "bash", ROOT / "script/parts.sh", "true", tmp_path / "no", tmp_path / "fetched"]
    result = subprocess.run(arguments, input="y\n", capture_output=True, text=True, check=True)
    assert (result.stdout, result.stderr) == ("", "")
    assert not (tmp_path / "fetched").exists()
    assert not (tmp_path / "no").exists()
