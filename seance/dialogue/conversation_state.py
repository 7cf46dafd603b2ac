"""The state of a conversation, and the context in which something is said.

The fields of Conversation and of what it holds are stored in snapshots: their names must stay.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypedDict

from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.opening import Opening
from seance.dialogue.questions import Doubt, Question
from seance.dialogue.replies import Ask, AskBack, Reply, Summary
from seance.dialogue.sand_mode import SandMode
from seance.permissions import Permission
from seance.rules import EDITIONS, Command, Edition, Phase, Psychic, RoomView, Table, Visions


@dataclass(frozen=True, slots=True)
class EnrolVoice:
    """For the recogniser: the voice that has just spoken is this psychic's."""

    psychic: Psychic


@dataclass(frozen=True, slots=True)
class ChangeChair:
    """For the recogniser: this psychic sits in that direction from now on."""

    psychic: Psychic
    direction_deg: int


DialogueAction = Command | Reply | EnrolVoice | ChangeChair
"""What follows from something said: a command to the rules, a reply, or what the recogniser learns of a guest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """What is played when nobody says otherwise, and how long the house waits (seconds)."""

    editions: Mapping[str, Edition] = field(default_factory=lambda: EDITIONS, hash=False)
    """The editions that can be played, with the owner's corrections."""
    edition: str = "libellud"
    players: int = 5
    level: str = "easy"
    opening: Opening = Opening.SHORT
    by_hand: bool = False
    visions: Visions = Visions.TABLE
    sand: SandMode = SandMode.STRICT
    variant: str | None = None
    answer_within: float = 15.0
    """Seconds that a question waits for its answer."""
    pages_address: str | None = None
    """Host and port of the pages, such as `seance.local:8013`; None if they are not served to the network."""
    pages_only: bool = False
    """Whether a yes can come from a page alone: there is neither microphone nor keyboard, nor a button for it."""
    remind_after: float = 120.0
    """Seconds before the first reminder of a phase; each later one waits twice as long."""

    def edition_of(self, room: RoomView) -> Edition:
        """Return the edition and variant that *room* plays."""
        edition = self.editions[room.edition]
        return edition if room.variant is None else edition.variants[room.variant]


DEFAULTS = Defaults()


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupWishes:
    """What the room wants to play, as far as anybody has said."""

    edition: str | None = None
    players: int | None = None
    level: str | None = None
    psychics: tuple[Psychic, ...] = ()
    """In the order in which they were named, which becomes the seat order."""
    story: Opening | bool | None = None
    """How much of it; earlier versions stored whether it is told."""
    by_hand: bool | None = None
    variant: str | None = None
    drawn: bool | None = None
    """Whether the guests draw the cards themselves."""
    rows: Table = field(default_factory=Table)
    """The rows that they have drawn and confirmed."""
    agreed: bool = False
    """Whether the summary was answered with yes: what is missing now are the rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingQuestion:
    """An open question: exactly one of `ask`, `ask_back` and `summary`."""

    ask: Ask | None = None
    ask_back: AskBack | None = None
    summary: Summary | None = None
    intent: Intent | None = None
    """What is done once it is answered."""
    slot: str = ""
    """The slot of `intent` that the answer fills."""
    times: int = 1
    """How often it was asked."""
    sure: bool = True
    """Whether the recogniser was sure of the words that led to it."""
    text: str = ""
    """The words that led to it."""

    @property
    def reply(self) -> Ask | AskBack | Summary:
        """Return the question as it was last asked."""
        reply = self.ask or self.ask_back or self.summary
        assert reply is not None  # noqa: S101 - exactly one of them is set
        return reply

    @property
    def question(self) -> Question | None:
        """Return what is asked for, or None where the answer is yes or no."""
        return None if self.ask is None else self.ask.question


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatQuestion:
    """The open question whether a phone shall have a seat, or whether the ghost's seat shall be free."""

    times: int = 1
    """How often it was asked."""
    waited: float = 0.0
    """Seconds of silence since it was asked."""
    foremost: bool = True
    """Whether a yes or a no answers it, rather than a question that was asked later."""
    freeing: bool = False
    """Whether it is asked if the seat shall be free."""
    psychic: Psychic | None = None
    """Whose seat it is; None for the ghost's."""

    @property
    def doubt(self) -> Doubt:
        """Return what the room is asked."""
        if self.psychic is not None:
            return Doubt.PSYCHIC_SEAT
        return Doubt.FREE_SEAT if self.freeing else Doubt.SEAT


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoStep:
    """Something that a psychic did this turn and may take back."""

    psychic: Psychic
    what: str
    """`vision`, `intuition` or `bet`."""
    value: int | None = None
    """The card; or the token: 1 agrees, 0 disagrees, None was withdrawn."""
    on: Psychic | None = None
    """On whose intuition the token lies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedCard:
    """A card that a psychic has chosen and the ghost has called wrong."""

    psychic: Psychic
    card: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """The state of the conversation between the room and the house."""

    wishes: SetupWishes = SetupWishes()
    """Of the set-up that is under way, or that led to this night."""
    setting_up: bool = False
    pending: PendingQuestion | None = None
    set_aside: tuple[PendingQuestion, ...] = ()
    """Questions that a later one interrupted, the latest last: each is asked again when no other is open."""
    sitting: SeatQuestion | None = None
    """The question about the ghost's seat, which may be open beside `pending`."""
    asked: Psychic | None = None
    """The psychic who was just reminded: the next "I" means this one."""
    said: Intent | None = None
    """The last intent that became commands, with all its slots filled."""
    tries: int = 0
    """How often the rules have refused it."""
    done: tuple[UndoStep, ...] = ()
    """What can be taken back, the latest last."""
    tried: tuple[TriedCard, ...] = ()
    """The wrong cards of this night, the latest last."""
    laying_out: bool = False
    """Whether the table is still being laid: the first turn begins when somebody says "ready", or plays."""
    phase: Phase | None = None
    paused: bool = False
    asleep: bool = False
    quiet: float = 0.0
    """Seconds for which nothing was said and nothing happened."""
    reminded: int = 0
    """The number of reminders in this phase."""
    unheard: int = 0
    """How often in a row something was not understood."""


class SaidWords(TypedDict, total=False):
    """What is known of the words that an intent was found in; see DialogueContext."""

    speaker: Psychic | None
    sure: bool
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueContext:
    """What is known when something is said, besides the intent."""

    room: RoomView | None
    defaults: Defaults = DEFAULTS
    speaker: Psychic | None = None
    """The psychic whose enrolled voice it was."""
    sand: float | None = None
    """Seconds left; None when no sand runs."""
    sure: bool = True
    """Whether the recogniser is sure of the words."""
    text: str = ""
    """The words that were said."""
    permission: Permission = Permission.ALLOWED
    """What becomes of such words from where they come."""

    @property
    def night(self) -> RoomView | None:
        """Return the room's view of the night that is under way, or None."""
        return self.room if self.room is not None and self.room.outcome is None else None


DialogueStep = tuple[Conversation, tuple[DialogueAction, ...]]
"""The conversation afterwards, and the actions that follow."""
