"""A typed house in a terminal: Ctrl-Z gives the terminal back, and `fg` takes it again."""

import os
import pty
import queue
import subprocess
import sys
import termios
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.daemon import job_shell

PATIENCE = 30.0
CTRL_D, CTRL_Z = b"\x04", b"\x1a"
HIDE_CURSOR, SHOW_CURSOR = b"\x1b[?25l", b"\x1b[?25h"
SETTINGS = """
[ambience]
on = false
[web]
listen = "off"
"""


class TerminalJob:
    """`seance run --typed` as a job of a shell in a terminal."""

    def __init__(self, folder: Path) -> None:
        config = folder / "settings.toml"
        config.write_text(SETTINGS)
        self._keys, self.screen = pty.openpty()
        self.mode_before = termios.tcgetattr(self.screen)
        self._orders_read, self._orders = os.pipe()
        self._reports, reports_written = os.pipe()
        program = [sys.executable, "-m", "seance", "run", "--config", str(config), "--board", "virtual"]
        shell = [sys.executable, job_shell.__file__, str(reports_written), str(self._orders_read)]
        self.shell = subprocess.Popen(
            [*shell, *program, "--typed", "--no-sound"],
            stdin=self.screen,
            stdout=self.screen,
            stderr=self.screen,
            start_new_session=True,
            pass_fds=(reports_written, self._orders_read),
            env=os.environ | {"XDG_DATA_HOME": str(folder), "TERM": "xterm", "COLUMNS": "100", "LINES": "40"},
        )
        os.close(reports_written)
        self.shown = b""
        self._chunks: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            while chunk := os.read(self._keys, 65536):
                self._chunks.put(chunk)
        except OSError:
            pass  # the terminal is closed

    def until_shown(self, text: bytes) -> None:
        """Wait until *text* appears, and forget what was shown up to there."""
        while text not in self.shown:
            self.shown += self._chunks.get(timeout=PATIENCE)
        self.shown = self.shown.partition(text)[2]

    def until_keys_are_read(self) -> None:
        """Wait until the program reads key by key; it draws its picture meanwhile."""
        while self.takes_lines:
            self.shown += self._chunks.get(timeout=PATIENCE)

    def press(self, keys: bytes) -> None:
        os.write(self._keys, keys)

    def order(self, order: bytes) -> None:
        """Give the shell an order: `fg` or `bg`."""
        os.write(self._orders, order)

    def report(self) -> bytes:
        """Return what the shell reports next: `stopped` or `ended`."""
        return os.read(self._reports, 16).strip()

    @property
    def mode(self) -> list:
        return termios.tcgetattr(self.screen)

    @property
    def takes_lines(self) -> bool:
        """Whether the terminal echoes, and collects whole lines."""
        wanted = termios.ICANON | termios.ECHO
        return self.mode[3] & wanted == wanted

    def close(self) -> None:
        self.shell.kill()
        self.shell.wait()
        for end in (self._keys, self.screen, self._orders_read, self._orders, self._reports):
            os.close(end)


@pytest.fixture
def job(tmp_path) -> Iterator[TerminalJob]:
    job = TerminalJob(tmp_path)
    yield job
    job.close()


def test_ctrl_z_gives_the_terminal_back_and_fg_takes_it_again(job):
    job.until_keys_are_read()
    job.press(b"hush")
    job.until_shown(b"hush")

    job.press(CTRL_Z)
    assert job.report() == b"stopped"
    assert job.mode == job.mode_before
    job.until_shown(SHOW_CURSOR)

    job.order(b"bg")
    job.order(b"fg")
    job.until_keys_are_read()
    job.until_shown(HIDE_CURSOR)
    job.until_shown(b"hush")
    job.press(b" now")
    job.until_shown(b"now")

    job.press(CTRL_D)
    assert job.report() == b"ended"
    assert job.mode == job.mode_before
