"""An evening as plain lines, for pipes, screen readers and terminals that cannot do more."""

import codecs
import os
import select
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from itertools import takewhile
from typing import Any, TextIO

from seance.daemon.terminal.evening_terminal import EveningTerminal
from seance.daemon.terminal.help_rows import help_rows
from seance.plain_text import strip_controls
from seance.texts import Texts

_BACKSPACE = ("\x7f", "\b")
_END = "\x04"
_RUB_OUT = "\b \b"
"""Takes one character off the line, on any terminal."""


class PlainTerminal(EveningTerminal):
    """Prints each line once, and reads lines; at a keyboard, what is secret is not echoed."""

    def __init__(self, texts: Texts, output: TextIO | None = None) -> None:
        super().__init__(texts)
        self._output = output
        self._tty_settings: list[Any] | None = None
        self._suspended = True
        self._closing, self._listening = threading.Event(), threading.Event()
        self._typed = self._echoed = ""
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._read, name="keyboard", daemon=True)

    def listen(self) -> None:
        """Begin to read lines, or to pass them on again."""
        self._listening.set()
        if self._thread.ident is not None:
            if not self._thread.is_alive():
                self.on_end()  # whoever was told of it listens no longer
            return
        if sys.stdin.isatty():
            import termios

            self._tty_settings = termios.tcgetattr(sys.stdin)
            self.resume()
        self._thread.start()

    def hold(self) -> None:
        """Keep lines and the end of the input until `listen` is called again."""
        self._listening.clear()

    def suspend(self) -> None:
        """Give the terminal the mode that it had before."""
        if self._tty_settings is not None and not self._suspended:
            import termios

            self._suspended = True
            termios.tcsetattr(sys.stdin, termios.TCSANOW, self._tty_settings)

    def resume(self) -> None:
        """Let the terminal pass on every key, without an echo."""
        if self._tty_settings is not None and not self._closing.is_set():
            import termios
            import tty

            self._suspended = False
            tty.setcbreak(sys.stdin, termios.TCSANOW)  # TCSANOW keeps what was typed before

    def refresh(self) -> None:
        """Do nothing: a line is printed once."""

    def show_help(self) -> None:
        """Print the help card."""
        for _, line in help_rows(self.view().help_card):
            self._add(line)

    def whisper(self, lines: Iterable[str]) -> None:
        """Print *lines* for the ghost."""
        for line in lines:
            self._add(self.texts("screen.whisper") + strip_controls(line))

    def _add(self, text: str, style: str = "") -> None:  # noqa: ARG002 - plain lines have no style
        with self._lock:
            # What is being typed goes on below the line.
            self._write(f"{_RUB_OUT * len(self._echoed)}{text}\n{self._echoed}")

    def _write(self, text: str) -> None:
        output = self._output or sys.stdout
        output.write(text)
        output.flush()

    def _read(self) -> None:
        with suppress(OSError, ValueError):
            if self._tty_settings is None:
                for line in sys.stdin:
                    self._pass_on(line.strip())
            else:
                self._read_keys()
        self._listening.wait()
        self.on_end()

    def _pass_on(self, line: str) -> None:
        self._listening.wait()
        self.on_line(line)

    def _read_keys(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")(errors="ignore")
        while not self._closing.is_set():
            if not select.select([sys.stdin], [], [], 0.2)[0]:
                continue
            pressed = os.read(sys.stdin.fileno(), 256)
            for key in decoder.decode(pressed):
                if key == _END:
                    return
                self._take_key(key)
            if not pressed:
                return

    def _take_key(self, key: str) -> None:
        if key in "\r\n":
            line = self._typed
            with self._lock:
                self._typed = self._echoed = ""
                self._write("\n")
            self._pass_on(line)
        else:
            typed = self._typed[:-1] if key in _BACKSPACE else self._typed + key if key.isprintable() else self._typed
            with self._lock:
                self._typed = typed
                self._echo(self._shown(typed))
        self.on_typing(bool(self._typed))

    def _shown(self, typed: str) -> str:
        """Return what may be seen of a line: of a secret one, no more than its first word."""
        return typed.split(" ")[0] if self.is_secret(typed) else typed

    def _echo(self, text: str) -> None:
        pairs = zip(text, self._echoed, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        self._write(_RUB_OUT * (len(self._echoed) - same) + text[same:])
        self._echoed = text
