"""The evening on a terminal: a picture of the board, what was said and heard, and a line to type on."""

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
from seance.plain_text import strip_controls
from seance.texts import Texts

MAX_LINES = 12
"""Lines of the evening that stay on the screen."""
_BACKSPACE = ("\x7f", "\b")
_END = "\x04"
_INTERRUPT = "\x03"


class Screen:
    """A picture that is redrawn as things happen; plain lines if the output is not a terminal."""

    def __init__(
        self, console: Console, texts: Texts, portrait: Callable[[], RenderableType] = lambda: Text("")
    ) -> None:
        """Draw *portrait* above the texts of the file `terminal`."""
        self.texts, self.portrait = texts, portrait
        self.page_address: Callable[[], tuple[str, tuple[str, ...]] | None] = lambda: None
        """Returns the address of the pages and its QR code as lines; None to show neither."""
        self.host_code: Callable[[], str | None] = lambda: None
        """Returns the code that makes a phone the host's; None to show none."""
        self._console = console
        self._lines: deque[Text] = deque(maxlen=MAX_LINES)
        self._whispers: list[Text] = []
        self._typing = self._last = ""
        self._is_story_told = False
        self._live: Live | None = None

    def __enter__(self) -> Self:
        self.resume()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.suspend()

    def suspend(self) -> None:
        """Leave the picture as it is, and show the cursor."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def resume(self) -> None:
        """Draw the picture below what is on the terminal."""
        if self._live is None and self._console.is_terminal:
            self._live = Live(console=self._console, get_renderable=self.render, refresh_per_second=8)
            self._live.start()

    def show(self, cue: Cue) -> None:
        """Show the text of *cue*, if it has any."""
        match cue:
            case Say():
                self._is_story_told = cue.story
                self._last = strip_controls(cue.text)
                self._add(Text(self._last))
            case RepeatLine():
                self._add(Text(self._last))
            case Knock():
                self._add(Text(" ".join([self.texts("screen.knock")] * cue.count), style="bold"))
            case Whisper():
                self.whisper([cue.text])

    def show_input(self, text: str) -> None:
        """Show what somebody said or typed, and clear the whispers."""
        self._whispers = []
        self._add(Text.assemble(("> ", "dim"), (strip_controls(text), "cyan")))

    def whisper(self, lines: Iterable[str]) -> None:
        """Show *lines* to the ghost, until the next input."""
        label = (self.texts("screen.whisper"), "dim")
        self._whispers = [Text.assemble(label, strip_controls(line)) for line in lines]
        if not self._console.is_terminal:
            for line in self._whispers:
                self._console.print(line, soft_wrap=True)

    def show_typing(self, text: str) -> None:
        """Show the line that is being typed."""
        self._typing = text

    def render(self) -> RenderableType:
        """Return the current picture."""
        hint = Text(self.texts(f"screen.{'story_hint' if self._is_story_told else 'hint'}"), style="dim")
        typed = Text.assemble(("> ", "bold"), self._typing, ("▏", "blink"))
        above: list[RenderableType] = [self.portrait(), *self._lines, *self._host_code_lines()]
        return Group(*above, *self._page_address_lines(above), *self._whispers, typed, hint)

    def _host_code_lines(self) -> list[Text]:
        code = self.host_code()
        return [] if code is None else [Text.assemble((self.texts("screen.host_code"), "dim"), (code, "bold"))]

    def _page_address_lines(self, above: list[RenderableType]) -> list[Text]:
        """Return the address of the pages, with its QR code if that fits below *above*."""
        found = self.page_address()
        if found is None:
            return []
        address, code = found
        lines = [Text.assemble((self.texts("screen.pages"), "dim"), (address, "bold"))]
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
    """Reads typed lines: key by key at a terminal, so that echo does not tear the picture, else line by line."""

    def __init__(
        self, *, on_line: Callable[[str], None], on_typing: Callable[[str], None], on_end: Callable[[], None]
    ) -> None:
        """Call *on_line* with whole lines, *on_typing* with unfinished ones, and *on_end* at the end of the input."""
        self._on_line, self._on_typing, self._on_end = on_line, on_typing, on_end
        self._tty_settings: list[Any] | None = None
        self._suspended = True
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._read, name="keyboard", daemon=True)

    def __enter__(self) -> Self:
        if sys.stdin.isatty():
            import termios

            self._tty_settings = termios.tcgetattr(sys.stdin)
            self.resume()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self.suspend()

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

    def _read(self) -> None:
        with suppress(OSError, ValueError):
            if self._tty_settings is None:
                for line in sys.stdin:
                    self._on_line(line.strip())
            else:
                self._read_keys()
        self._on_end()

    def _read_keys(self) -> None:
        text = ""
        while not self._closing.is_set():
            if not select.select([sys.stdin], [], [], 0.2)[0]:
                continue
            for key in os.read(sys.stdin.fileno(), 256).decode(errors="ignore"):
                if key in (_END, _INTERRUPT):
                    return
                if key in "\r\n":
                    self._on_line(text)
                    text = ""
                else:
                    text = text[:-1] if key in _BACKSPACE else text + key if key.isprintable() else text
            self._on_typing(text)
