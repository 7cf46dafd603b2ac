"""Signals: everything that reaches the evening from outside, through its one inbox."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from seance.dialogue.faults import Fault
from seance.dialogue.grammar.sentences import Intent
from seance.ghost_words import ghost_order
from seance.permissions import (
    CONTROL_ACTIONS,
    GHOST_SEAT,
    PSYCHIC_SEAT,
    Action,
    Permission,
    Source,
    intent_action,
    permission,
)
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

    seat: ClassVar[str] = GHOST_SEAT
    """The seat that a seated phone holds which sends it."""

    @property
    def wish(self) -> tuple[Action, Source] | None:
        """Return the action that is wished, and from where; None if that depends on words, or nobody wishes it."""
        return None

    def is_forbidden(self, allowed: Collection[Action]) -> bool:
        """Tell whether such a wish is never granted from there; *allowed* is what the owner allows other devices."""
        if self.wish is None:
            return False
        return permission(*self.wish, seat=self.seat, allowed=allowed) is Permission.NEVER


@dataclass(frozen=True, slots=True)
class Heard(Signal):
    """A recognised stretch of speech at the table."""

    text: str
    intent: Intent | None
    """None if it was no command."""
    confidence: float = 1.0
    """From 0 to 1."""
    speaker: Psychic | None = None
    """Who spoke, if known: whose enrolled voice it was, or whose phone was held to talk."""
    by_talk: bool = False
    """Whether it was said while somebody held a button to talk, or after a tap."""
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
class Touched(Signal):
    """Something on a table's page was touched; it counts as said."""

    intent: Intent
    source: Source = Source.OTHER_PHONE
    guest: str | None = None
    """Whose device it was, by the guest's cookie."""

    @property
    def wish(self) -> tuple[Action, Source]:
        """Return what is wished, and from where."""
        return intent_action(self.intent.name), self.source


@dataclass(frozen=True, slots=True)
class SeatTouched(Signal):
    """Something on a psychic's page was touched; it counts as said by a psychic of that seat."""

    device: str
    intent: Intent
    source: ClassVar[Source] = Source.SEATED_PHONE
    seat: ClassVar[str] = PSYCHIC_SEAT

    @property
    def wish(self) -> tuple[Action, Source]:
        """Return what is wished, and from where."""
        return intent_action(self.intent.name), self.source


@dataclass(frozen=True, slots=True)
class PsychicSeatRequest(Signal):
    """A device asks for the seat of a psychic."""

    psychic: Psychic
    device: str
    guest: str | None = None
    """Whose device it is, by the guest's cookie."""
    source: Source = Source.OTHER_PHONE

    @property
    def wish(self) -> tuple[Action, Source]:
        """Return what is wished, and from where."""
        return Action.SIT, self.source


@dataclass(frozen=True, slots=True)
class PsychicSeatLeft(Signal):
    """A device gives its psychic's seat back."""

    device: str


@dataclass(frozen=True, slots=True)
class Typing(Signal):
    """A key was pressed at the machine's own keyboard, or on a table's page."""

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
class Talk(Signal):
    """Somebody presses a button to talk, or lets go of it; a key that tells of no release sends both at once."""

    is_held: bool
    source: Source = Source.BUTTON

    @property
    def wish(self) -> tuple[Action, Source]:
        """Return what is wished, and from where."""
        return Action.TALK, self.source


@dataclass(frozen=True, slots=True)
class SeatTalk(Signal):
    """The button to talk on a psychic's page is pressed, or let go of."""

    device: str
    is_held: bool
    psychic: Psychic
    """Who speaks, of those whom the device plays for."""
    source: ClassVar[Source] = Source.SEATED_PHONE
    seat: ClassVar[str] = PSYCHIC_SEAT

    @property
    def wish(self) -> tuple[Action, Source]:
        """Return what is wished, and from where."""
        return Action.TALK, self.source


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
