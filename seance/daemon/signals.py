"""Signals: everything that reaches the evening from outside, through its one inbox."""

from dataclasses import dataclass
from typing import ClassVar

from seance.dialogue.faults import Fault
from seance.dialogue.grammar.sentences import Intent
from seance.ghost_words import ghost_order
from seance.permissions import CONTROL_ACTIONS, GHOST_SEAT, Action, Permission, Source, permission
from seance.plain_text import strip_controls
from seance.rules import Command, Psychic

MAX_TYPED_CHARS = 500
"""No sentence is nearly as long."""
MIN_COMMAND_CONFIDENCE = 0.75
"""The least confidence (0 to 1) with which a heard command is carried out without asking back."""
MIN_YES_NO_CONFIDENCE = 0.5
"""The same for yes and no."""


@dataclass(frozen=True, slots=True)
class Signal:
    """Something for the inbox."""

    @property
    def wish(self) -> tuple[Action, Source] | None:
        """Return the action that is wished, and from where; None if that depends on words, or nobody wishes it."""
        return None

    @property
    def is_forbidden(self) -> bool:
        """Whether such a wish is never granted from there."""
        return self.wish is not None and permission(*self.wish, seat=GHOST_SEAT) is Permission.NEVER


@dataclass(frozen=True, slots=True)
class Heard(Signal):
    """A recognised stretch of speech at the table."""

    text: str
    intent: Intent | None
    """None if it was no command."""
    confidence: float = 1.0
    """From 0 to 1."""
    speaker: Psychic | None = None
    """Whose enrolled voice it was, if known."""
    source: ClassVar[Source] = Source.VOICE

    @property
    def is_sure(self) -> bool:
        """Whether it was recognised well enough to be carried out without asking back."""
        answers = self.intent is not None and self.intent.name in ("yes", "no")
        return self.confidence >= (MIN_YES_NO_CONFIDENCE if answers else MIN_COMMAND_CONFIDENCE)


@dataclass(frozen=True, slots=True)
class Typed(Signal):
    """A line typed at the machine's own keyboard; it counts as said."""

    text: str
    source: Source = Source.KEYBOARD
    guest: str | None = None
    """Whose device it was, by the guest's cookie; None for the machine's own keyboard."""

    @property
    def wish(self) -> tuple[Action, Source]:
        """Return what is wished, and from where."""
        return Action.SAY if self.ghost_command is None else Action.ACT_AS_GHOST, self.source

    @property
    def words(self) -> str:
        """Return the text without surrounding space and control characters, cut to MAX_TYPED_CHARS."""
        return strip_controls(self.text[:MAX_TYPED_CHARS]).strip()

    @property
    def ghost_command(self) -> str | None:
        """Return the ghost's order that follows the word for the ghost; None if there is none."""
        return ghost_order(self.words) or None


@dataclass(frozen=True, slots=True)
class TypedOnPage(Typed):
    """A line typed on a table's page; it counts as said, and is never a command of the ghost."""

    source: Source = Source.OTHER_PHONE

    @property
    def ghost_command(self) -> None:
        """Return None: the ghost has a page of its own."""


@dataclass(frozen=True, slots=True)
class Typing(Signal):
    """A key was pressed at the machine's own keyboard."""

    is_begun: bool
    """Whether there is now a line that was begun and not sent."""


@dataclass(frozen=True, slots=True)
class GhostCommand(Signal):
    """A command from the ghost's page or keyboard."""

    command: Command
    device: str | None = None
    """The device whose page it was; None for the machine's own keyboard."""

    @property
    def wish(self) -> tuple[Action, Source]:
        """Return what is wished, and from where."""
        return Action.ACT_AS_GHOST, Source.KEYBOARD if self.device is None else Source.SEATED_PHONE


@dataclass(frozen=True, slots=True)
class PauseRequest(Signal):
    """The ghost's page asks to pause the night, or to resume it."""

    device: str
    pause: bool
    source: ClassVar[Source] = Source.SEATED_PHONE

    @property
    def wish(self) -> tuple[Action, Source]:
        """Return what is wished, and from where."""
        return Action.PAUSE, self.source


@dataclass(frozen=True, slots=True)
class SeatRequest(Signal):
    """A device asks for the ghost's seat."""

    device: str | None
    """None if the page was already told that the seat is taken."""
    guest: str | None = None
    """Whose device it is, by the guest's cookie."""
    source: Source = Source.OTHER_PHONE

    @property
    def wish(self) -> tuple[Action, Source]:
        """Return what is wished, and from where."""
        return Action.SIT, self.source


@dataclass(frozen=True, slots=True)
class SeatClaim(Signal):
    """The device that was given the seat exchanges its cookie for a new one."""

    device: str
    new_device: str


@dataclass(frozen=True, slots=True)
class GhostPageOpen(Signal):
    """The page of a device that has asked for the seat was opened or closed."""

    device: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class HostControl(Signal):
    """A control on the host's page: volume, pace or a test."""

    control: str
    value: str | None = None
    source: Source = Source.HOST_PHONE

    @property
    def wish(self) -> tuple[Action, Source]:
        """Return what is wished, and from where."""
        return CONTROL_ACTIONS[self.control], self.source


@dataclass(frozen=True, slots=True)
class HostCodeRequest(Signal):
    """A page asks that the host's code be told in the room."""

    code: str


@dataclass(frozen=True, slots=True)
class ButtonPress(Signal):
    """A press of one of the ghost's buttons under the table."""

    button: str
    """`visions`, `yes`, `no` or `crow`."""
    long: bool = False
    source: ClassVar[Source] = Source.BUTTON

    @property
    def wish(self) -> tuple[Action, Source]:
        """Return what is wished, and from where."""
        return Action.ACT_AS_GHOST, self.source


@dataclass(frozen=True, slots=True)
class FaultReport(Signal):
    """A device or file has failed, or works again."""

    fault: Fault


@dataclass(frozen=True, slots=True)
class HearingChange(Signal):
    """The house can hear from now on, or no longer: its microphone was lost, muted, unmuted or found again."""

    can_hear: bool


@dataclass(frozen=True, slots=True)
class Tick(Signal):
    """Time has passed."""

    silent: bool = True
    """Whether nothing was being performed meanwhile."""


@dataclass(frozen=True, slots=True)
class StepTold(Signal):
    """All of a night up to this step has been told to the room."""

    night: str
    step: int
    """From 1."""


@dataclass(frozen=True, slots=True)
class Stop(Signal):
    """The evening ends; an unfinished night can be resumed later."""

    when_told: bool = False
    """Whether to perform the waiting cues first."""
    power_off: bool = False
    """Whether to switch the machine off afterwards."""
    language: str | None = None
    """The language in which to start again at once; None to end."""
