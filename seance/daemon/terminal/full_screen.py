"""An evening on the whole screen of a terminal: the table, the talk beneath, and a line to type on."""

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Iterable, Mapping
from contextlib import suppress

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.clipboard import ClipboardData
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import Float, FloatContainer, HSplit, Layout, VSplit, Window
from prompt_toolkit.layout.controls import BufferControl, FormattedTextControl
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import Style

from seance.daemon.terminal.completion import SentenceCompleter, SentenceHistory
from seance.daemon.terminal.evening_terminal import EveningTerminal
from seance.daemon.terminal.help_rows import help_rows
from seance.daemon.terminal.marks import Marks, choose_marks
from seance.daemon.terminal.screen_layout import ScreenLayout, ScreenPanel, TalkLine
from seance.daemon.terminal.table_lines import cut
from seance.plain_text import strip_controls
from seance.texts import Texts

MAX_TALK = 500
"""Lines of the evening that can be scrolled back to."""
LEAVE_TIMEOUT_S = 2.0
"""Seconds to wait until the terminal is given back."""
RESIZE_POLL_S = 0.3
"""Seconds between two looks at the terminal's size; its signal reaches only the main thread."""
COMPLETION_ROWS = 6
"""Most completions that are shown at once."""
SCROLL_ROWS = 5
"""Rows of talk that one press of PgUp or PgDn moves."""
WHISPER_S = 30.0
"""Seconds for which the ghost's secrets are shown, if no key is pressed before."""
PROMPT = "> "
STYLE = Style.from_dict(
    {
        "header": "reverse",
        "sand": "bold",
        "sand.urgent": "bold ansibrightred",
        "label": "ansigray",
        "dim": "ansibrightblack",
        "heard": "ansicyan",
        "next": "bold",
        "whisper": "ansimagenta",
        "hint": "ansibrightblack",
        "qr": "ansiwhite bg:ansiblack",
        "completion-menu": "reverse",
        "completion-menu.completion.current": "noreverse bold",
    }
)


def colour_depth(environ: Mapping[str, str] = os.environ) -> ColorDepth | None:
    """Return the one depth without colours where these are not wanted or not there; None lets the library choose."""
    has_none = bool(environ.get("NO_COLOR")) or environ.get("TERM", "").startswith("vt")
    return ColorDepth.DEPTH_1_BIT if has_none else None


class FullScreenTerminal(EveningTerminal):
    """Draws on the alternate screen, on a thread of its own, so that nothing stays in the scrollback."""

    def __init__(
        self, texts: Texts, *, marks: Marks | None = None, input_: Input | None = None, output: Output | None = None
    ) -> None:
        super().__init__(texts)
        self._talk: deque[TalkLine] = deque(maxlen=MAX_TALK)
        self._whispers: tuple[str, ...] = ()
        self._whispered_at = 0.0
        self._panel = ScreenPanel.NONE
        self._scrolled = 0
        self._marks = marks or choose_marks()
        self._shown: object = None
        self._is_typing = self._is_listening = self._is_line_secret = self._has_ended = False
        self._wanted, self._left, self._closing = threading.Event(), threading.Event(), threading.Event()
        self._left.set()
        self._buffer = Buffer(
            completer=SentenceCompleter(lambda text: self.complete(text), lambda text: self.is_secret(text)),
            history=SentenceHistory(lambda _: self._is_line_secret),
            accept_handler=self._accept,
            multiline=False,
            on_text_changed=lambda _: self._follow_typing(),
        )
        self._app = self._make_application(input_, output)
        self._thread = threading.Thread(target=self._run, name="terminal", daemon=True)

    # As a user of the terminal

    def listen(self) -> None:
        """Begin to pass on what is typed; until then, a line stays."""
        self._is_listening = True
        if self._has_ended:
            self.on_end()  # whoever was told of it listens no longer

    def hold(self) -> None:
        """Let a line stay until `listen` is called again."""
        self._is_listening = False

    def suspend(self) -> None:
        """Leave the alternate screen, and give the terminal the mode that it had before."""
        self._wanted.clear()
        loop = self._app.loop
        if loop is not None:
            with suppress(RuntimeError):  # the loop has just been closed
                loop.call_soon_threadsafe(self._leave)
        self._left.wait(LEAVE_TIMEOUT_S)

    def resume(self) -> None:
        """Draw the screen."""
        if not self._closing.is_set():
            self._left.clear()
            self._wanted.set()
            if self._thread.ident is None:
                self._thread.start()

    def refresh(self) -> None:
        """Draw the view anew if it has changed."""
        if self._whispers and time.monotonic() - self._whispered_at > WHISPER_S:
            self.whisper(())
        now = self.view()
        if now != self._shown:
            self._shown = now
            self._app.invalidate()

    def show_help(self) -> None:
        """Cover the screen with the help card."""
        self._panel, self._scrolled = ScreenPanel.HELP, 0
        self._app.invalidate()

    def whisper(self, lines: Iterable[str]) -> None:
        """Show *lines* to the ghost, until the next key and for WHISPER_S at most."""
        self._whispered_at = time.monotonic()
        self._whispers = tuple(strip_controls(line) for line in lines)
        self._app.invalidate()

    def _add(self, text: str, style: str = "") -> None:
        self._talk.append(TalkLine(text, style))
        if self._panel is not ScreenPanel.HELP:
            self._scrolled = 0
        self._app.invalidate()

    # The thread

    def _run(self) -> None:
        while self._wanted.wait() and not self._closing.is_set():
            try:
                self._app.run(pre_run=self._leave_if_unwanted, set_exception_handler=False)
            except EOFError:  # the terminal was closed
                self._has_ended = True
                self.on_end()
                self._wanted.clear()
            finally:
                self._left.set()

    def _leave_if_unwanted(self) -> None:
        if not self._wanted.is_set():
            self._leave()

    def _leave(self) -> None:
        if self._app.is_running and not self._app.is_done:
            self._app.exit()

    # Keys

    def _accept(self, buffer: Buffer) -> bool:
        """Pass on the line and forget it; return whether it stays, as it does while nobody listens yet."""
        if not self._is_listening:
            return True
        text = buffer.text
        self._whispers, self._scrolled = (), 0
        # Here, not when it is remembered: once it is passed on, a vote may be open to all.
        self._is_line_secret = self.is_secret(text)
        if self._is_line_secret:
            # What was cut from it could be pasted.
            self._app.clipboard.set_data(ClipboardData())
        self.on_line(text)
        return False

    def _follow_typing(self) -> None:
        self._whispers = ()
        is_typing = bool(self._buffer.text)
        if is_typing or self._is_typing:
            self.on_typing(is_typing)
        self._is_typing = is_typing

    def _bindings(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-c")
        @keys.add("c-d")
        def _end(_event: KeyPressEvent) -> None:
            if self._is_listening:
                self.on_end()
            else:
                os.kill(os.getpid(), signal.SIGINT)  # while the house is still waking

        @keys.add("c-z")
        def _stop(_event: KeyPressEvent) -> None:
            os.kill(0, signal.SIGTSTP)

        @keys.add("f1")
        def _help(_event: KeyPressEvent) -> None:
            self._toggle(ScreenPanel.HELP)

        @keys.add("f2")
        def _phones(_event: KeyPressEvent) -> None:
            self._toggle(ScreenPanel.PHONES)

        @keys.add("f3")
        def _talk(_event: KeyPressEvent) -> None:
            if self._is_listening:
                self.on_talk()

        @keys.add("pageup")
        def _back(_event: KeyPressEvent) -> None:
            self._scroll(-SCROLL_ROWS)

        @keys.add("pagedown")
        def _forward(_event: KeyPressEvent) -> None:
            self._scroll(SCROLL_ROWS)

        @keys.add("escape", eager=True)
        def _close(_event: KeyPressEvent) -> None:
            self._panel, self._whispers, self._scrolled = ScreenPanel.NONE, (), 0

        return keys

    def _toggle(self, panel: ScreenPanel) -> None:
        self._panel, self._scrolled = ScreenPanel.NONE if self._panel is panel else panel, 0

    def _scroll(self, rows: int) -> None:
        """Move down by *rows*; the talk counts them from its end, the help card from its beginning."""
        if self._panel is ScreenPanel.HELP:
            longest = sum(1 for _ in help_rows(self.view().help_card))
            self._scrolled = min(max(0, self._scrolled + rows), longest)
        else:
            self._scrolled = max(0, self._scrolled - rows)

    # The picture

    def _make_application(self, input_: Input | None, output: Output | None) -> Application[None]:
        line = Window(BufferControl(self._buffer), height=1)
        prompt = Window(FormattedTextControl([("bold", PROMPT)]), width=len(PROMPT), height=1)
        body = HSplit(
            [
                Window(FormattedTextControl(self._draw, focusable=False)),
                VSplit([prompt, line]),
                Window(FormattedTextControl(self._draw_hint), height=1),
            ]
        )
        menu = CompletionsMenu(max_height=COMPLETION_ROWS, scroll_offset=1)
        root = FloatContainer(body, [Float(menu, xcursor=True, ycursor=True)])
        return Application(
            Layout(root, focused_element=line),
            key_bindings=self._bindings(),
            style=STYLE,
            full_screen=True,
            color_depth=colour_depth(),
            terminal_size_polling_interval=RESIZE_POLL_S,
            input=input_,
            output=output,
            erase_when_done=True,
        )

    def _draw(self) -> StyleAndTextTuples:
        size = self._app.output.get_size()
        layout = ScreenLayout(texts=self.texts, marks=self._marks, width=size.columns, height=max(0, size.rows - 2))
        rows = layout.compose(
            self.view(), tuple(self._talk), whispers=self._whispers, panel=self._panel, scrolled=self._scrolled
        )
        drawn: StyleAndTextTuples = []
        for number, row in enumerate(rows):
            if number:
                drawn.append(("", "\n"))
            drawn.extend(row)
        return drawn

    def _draw_hint(self) -> StyleAndTextTuples:
        key = "story_hint" if self._is_story_told else "hint"
        return [("class:hint", cut(self.texts(f"screen.{key}"), self._app.output.get_size().columns))]
