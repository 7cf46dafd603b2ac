"""`seance run` in a real terminal: a pseudo terminal whose screen is drawn by pyte."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pyte

from seance.journal import JournalReader, NoJournal
from seance.rules import State

PATIENCE = 30.0
"""Seconds after which a test gives up, on a busy machine."""
FRAME_S = 0.02
"""A screen that stays so long could be seen; what is written within it is one frame."""
SETTINGS = """
language = "{language}"
[telling]
pace = "brisk"
first_night = false
reading_speed = 0
[ambience]
on = false
[web]
listen = "{listen}"
port = 0
"""


class TerminalSession:
    """The program in a terminal, and what its screen shows."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        columns: int = 80,
        rows: int = 24,
        language: str = "en",
        listen: str = "off",
        **environ: str,
    ) -> None:
        self.folder = folder
        config = folder / "settings.toml"
        config.write_text(SETTINGS.format(language=language, listen=listen))
        self.screen = pyte.HistoryScreen(columns, rows, history=10_000)
        self.written = b""
        """Everything that the program has written."""
        self.frames_without_prompt: list[list[str]] = []
        """Screens since the house listens on which the line to type on could not be seen."""
        self.is_watched = False
        self._stream = pyte.ByteStream(self.screen)
        self._changed = threading.Condition()
        self._keys, terminal = pty.openpty()
        self._resize(columns, rows)
        program = [sys.executable, "-m", "seance", "run", "--config", str(config), "--board", "virtual", "--typed"]
        home = {"XDG_DATA_HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache"), "HOME": str(folder)}
        without = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "NO_COLOR")}
        self.process = subprocess.Popen(
            [*program, "--no-sound", *arguments],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env=without | home | {"TERM": "xterm-256color"} | environ,
        )
        os.close(terminal)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        with suppress(OSError):  # the terminal is closed
            while chunk := os.read(self._keys, 65536):
                with self._changed:
                    self.written += chunk
                    self._stream.feed(chunk)
                    is_whole = not select.select([self._keys], [], [], FRAME_S)[0]
                    if self.is_watched and is_whole and not self.screen.display[-2].startswith(">"):
                        self.frames_without_prompt.append(list(self.screen.display))
                    self._changed.notify_all()

    @property
    def display(self) -> list[str]:
        """The rows of the screen."""
        with self._changed:
            return list(self.screen.display)

    @property
    def text(self) -> str:
        """The screen as one text, its rows joined as words are."""
        return " ".join(" ".join(self.display).split())

    @property
    def scrollback(self) -> str:
        """What has left the screen at its top."""
        return "\n".join("".join(row[x].data for x in sorted(row)) for row in self.screen.history.top)

    def press(self, keys: str) -> None:
        os.write(self._keys, keys.encode())

    def type(self, *lines: str) -> None:
        """Type *lines*, each when the line before has left the prompt."""
        for line in lines:
            self.press(line)
            self.until(lambda line=line: self.prompt.endswith(line[-40:]))
            self.press("\r")
            self.until(lambda: self.prompt == ">")

    @property
    def prompt(self) -> str:
        """The row that is typed on."""
        return self.display[-2].rstrip()

    def until_shown(self, text: str) -> None:
        """Wait until *text* is on the screen."""
        self.until(lambda: text in self.text)

    def until(self, done: Callable[[], bool]) -> None:
        """Wait until *done*, looking whenever the screen changes and now and then."""
        giving_up = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < giving_up, "\n".join(self.display)
            with self._changed:
                self._changed.wait(0.2)

    @property
    def state(self) -> State | None:
        """The state of the night in the journal."""
        with suppress(NoJournal), JournalReader.open(self.folder / "seance" / "nights.sqlite") as nights:
            number = nights.last_number()
            return None if number is None else nights.night(number).state
        return None

    def until_state(self, done: Callable[[State], bool]) -> State:
        """Wait until the night stands so, and return its state."""
        found: list[State] = []

        def is_done() -> bool:
            state = self.state
            found[:] = [] if state is None else [state]
            return state is not None and done(state)

        self.until(is_done)
        return found[0]

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        with self._changed:
            self.screen.resize(rows, columns)
            self._resize(columns, rows)

    def _resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._keys, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def close(self) -> None:
        """End the program, if it has not ended."""
        self.process.terminate()
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        os.close(self._keys)
