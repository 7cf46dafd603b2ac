"""The evening on a terminal: the board, what was said and heard, and a line to type on; it decides nothing."""

import os
import select
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from seance.narration.cues import Cue, Knock, RepeatLine, Say, Whisper

LINES = 12
"""How many lines of the evening stay on the screen."""
_BACKSPACE, _END, _INTERRUPT = ("\x7f", "\b"), "\x04", "\x03"


class Screen:
    """A picture that is drawn anew as things happen; on anything but a terminal, plain lines."""

    def __init__(self, console: Console, portrait: Callable[[], RenderableType] = lambda: Text("")) -> None:
        self.portrait = portrait
        self.address: Callable[[], tuple[str, tuple[str, ...]] | None] = lambda: None
        """Where the ghost's page is, and its code, while somebody may want to know."""
        self._console = console
        self._lines: deque[Text] = deque(maxlen=LINES)
        self._whispers: list[Text] = []
        self._typing = self._last = ""
        self._live = Live(console=console, get_renderable=self.picture, refresh_per_second=8, transient=False)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def show(self, cue: Cue) -> None:
        """Show what there is to read of *cue*."""
        match cue:
            case Say():
                self._last = cue.text
                self._add(Text(cue.text))
            case RepeatLine():
                self._add(Text(self._last))
            case Knock():
                self._add(Text(" ".join(["*knock*"] * cue.count), style="bold"))
            case Whisper():
                self.whisper([cue.text])

    def heard(self, text: str) -> None:
        """Show what somebody said or typed."""
        self._whispers = []
        self._add(Text.assemble(("> ", "dim"), (text, "cyan")))

    def whisper(self, lines: Iterable[str]) -> None:
        """Show *lines* to whoever asked, until the next thing is typed."""
        self._whispers = [Text.assemble(("to the ghost alone: ", "dim"), line) for line in lines]
        if not self._console.is_terminal:
            for line in self._whispers:
                self._console.print(line, soft_wrap=True)

    def typing(self, text: str) -> None:
        """Show a line that is being typed."""
        self._typing = text

    def picture(self) -> RenderableType:
        """Return the evening as it stands."""
        hint = Text("type what you would say; ghost … for the ghost; Ctrl-D leaves", style="dim")
        typed = Text.assemble(("> ", "bold"), self._typing, ("▏", "blink"))
        above: list[RenderableType] = [self.portrait(), *self._lines]
        return Group(*above, *self._directions(above), *self._whispers, typed, hint)

    def _directions(self, above: list[RenderableType]) -> list[Text]:
        """Return where the ghost's page is, with its code where that fits below *above*."""
        found = self.address()
        if found is None:
            return []
        address, code = found
        lines = [Text.assemble(("the pages: ", "dim"), (address, "bold"))]
        taken = sum(len(self._console.render_lines(each)) for each in above) + len(self._whispers) + 3
        if taken + len(code) <= self._console.height and code and len(code[0]) <= self._console.width:
            lines += [Text(line, style="white on black", no_wrap=True) for line in code]
        return lines

    def _add(self, line: Text) -> None:
        if self._console.is_terminal:
            self._lines.append(line)
        else:
            self._console.print(line, soft_wrap=True)


class Keyboard:
    """Lines as they are typed, key by key at a terminal so that the picture is not torn, else line by line."""

    def __init__(self, *, line: Callable[[str], None], typing: Callable[[str], None], end: Callable[[], None]) -> None:
        """Give each whole line to *line* and each unfinished one to *typing*; *end* when there are no more."""
        self._line, self._typing, self._end = line, typing, end
        self._before: list[Any] | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._read, name="keyboard", daemon=True)

    def __enter__(self) -> Self:
        if sys.stdin.isatty():
            import termios
            import tty

            self._before = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin, termios.TCSANOW)  # what was typed too early counts, too
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        if self._before is not None:
            import termios

            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)

    def _read(self) -> None:
        with suppress(OSError, ValueError):
            if self._before is None:
                for line in sys.stdin:
                    self._line(line.strip())
            else:
                self._read_keys()
        self._end()

    def _read_keys(self) -> None:
        text = ""
        while not self._closing.is_set():
            if not select.select([sys.stdin], [], [], 0.2)[0]:
                continue
            for key in os.read(sys.stdin.fileno(), 256).decode(errors="ignore"):
                if key in (_END, _INTERRUPT):
                    return
                if key in "\r\n":
                    self._line(text)
                    text = ""
                else:
                    text = text[:-1] if key in _BACKSPACE else text + key if key.isprintable() else text
            self._typing(text)
