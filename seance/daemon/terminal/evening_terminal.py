"""What every terminal of an evening does: show cues and inputs, and pass on what is typed."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Self

from seance.daemon.terminal.evening_view import EveningView
from seance.narration.cues import Cue, Knock, Listen, RepeatLine, Say, Whisper
from seance.plain_text import strip_controls
from seance.texts import Texts


class EveningTerminal(ABC):
    """A terminal that shows an evening in the texts of the file `terminal`."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self.view: Callable[[], EveningView] = EveningView
        """Returns what to show now; called on any thread."""
        self.complete: Callable[[str], tuple[str, ...]] = lambda _: ()
        """Returns the words that may stand in place of the last one of a text."""
        self.is_secret: Callable[[str], bool] = lambda _: False
        """Returns whether a typed line may be neither shown nor remembered."""
        self.on_line: Callable[[str], None] = lambda _: None
        self.on_typing: Callable[[bool], None] = lambda _: None
        """Is told whether a line has been begun and not yet sent."""
        self.on_talk: Callable[[], None] = lambda: None
        """Is called when somebody presses the key to talk."""
        self.on_end: Callable[[], None] = lambda: None
        self._last_said = ""
        self._is_story_told = False

    def __enter__(self) -> Self:
        self.resume()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.suspend()

    @abstractmethod
    def listen(self) -> None:
        """Begin to pass on what is typed, and that the input has ended, if it has."""

    @abstractmethod
    def hold(self) -> None:
        """Keep what is typed until `listen` is called again: one evening has ended, the next has not begun."""

    @abstractmethod
    def suspend(self) -> None:
        """Leave the terminal as it was before; calling it again does nothing."""

    @abstractmethod
    def resume(self) -> None:
        """Use the terminal again; calling it again does nothing."""

    @abstractmethod
    def refresh(self) -> None:
        """Show the view anew if it has changed; called on any thread."""

    @abstractmethod
    def show_help(self) -> None:
        """Show the help card of this moment."""

    @abstractmethod
    def whisper(self, lines: Iterable[str]) -> None:
        """Show *lines* to the ghost alone."""

    @abstractmethod
    def _add(self, text: str, style: str = "") -> None:
        """Add *text* to what was said."""

    def show(self, cue: Cue) -> None:
        """Show the text of *cue*, if it has any."""
        match cue:
            case Say():
                self._is_story_told = cue.story
                self._last_said = strip_controls(cue.shown)
                self._add(self._last_said)
            case RepeatLine():
                self._add(self._last_said)
            case Knock():
                self._add(" ".join([self.texts("screen.knock")] * cue.count), "bold")
            case Listen() if cue.is_open:
                self._add(self.texts("screen.listening"), "class:label")
            case Whisper():
                self.whisper([cue.text])

    def show_input(self, text: str) -> None:
        """Show what somebody said or typed, unless it is nothing."""
        if text.strip():
            self._add(f"> {strip_controls(text)}", "class:heard")

    def show_note(self, text: str) -> None:
        """Show something about the machine that nobody says aloud."""
        self._add(strip_controls(text), "class:label")
