"""What a conversation remembers, in plain fields that the journal can keep; not what follows from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.replies import Ask, AskBack, Question, Reply, Summary
from seance.rules import EDITIONS, Command, Edition, Phase, Psychic, RoomView, Visions


@dataclass(frozen=True, slots=True)
class EnrolVoice:
    """Asked of the ear: the voice that has just spoken is this psychic's."""

    psychic: Psychic


Answer = Command | Reply | EnrolVoice
"""What follows from something said: asked of the rules, said by the house, or asked of the ear."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Customs:
    """What the house does when nobody says otherwise."""

    editions: Mapping[str, Edition] = field(default_factory=lambda: EDITIONS, hash=False)
    """The editions that can be played, as their owner has them."""
    edition: str = "libellud"
    players: int = 5
    level: str = "easy"
    story: bool = True
    by_hand: bool = False
    visions: Visions = Visions.TABLE
    variant: str | None = None
    answer_within: float = 15.0
    """How long a question waits for its answer (seconds)."""
    pages_only: bool = False
    """Whether nobody can speak to the house but from its pages: no ear, no keyboard."""
    remind_after: float = 120.0
    """How long a phase waits before its first reminder (seconds); each later one waits twice as long."""

    def played(self, room: RoomView) -> Edition:
        """Return the edition of the night, with its variant."""
        edition = self.editions[room.edition]
        return edition if room.variant is None else edition.variants[room.variant]


CUSTOMS = Customs()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the room wants to play, as far as it was said."""

    edition: str | None = None
    players: int | None = None
    level: str | None = None
    psychics: tuple[Psychic, ...] = ()
    """In the order in which they were named, which is the seat order."""
    story: bool | None = None
    by_hand: bool | None = None
    variant: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A question that is open: just one of `ask`, `ask_back` and `summary`."""

    ask: Ask | None = None
    ask_back: AskBack | None = None
    summary: Summary | None = None
    intent: Intent | None = None
    """What is carried out when the answer is there."""
    slot: str = ""
    """The slot of it that the answer fills."""
    times: int = 1
    """How often it was asked."""
    sure: bool = True
    """Whether the ear was sure of the words that led to it."""
    text: str = ""
    """Those words."""

    @property
    def reply(self) -> Ask | AskBack | Summary:
        """Return the question as it was last asked."""
        reply = self.ask or self.ask_back or self.summary
        assert reply is not None  # noqa: S101 - just one of them is there
        return reply

    @property
    def question(self) -> Question | None:
        """Return what is asked for, where it is more than yes or no."""
        return None if self.ask is None else self.ask.question


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """The room is asked whether the ghost has just sat down at a page."""

    times: int = 1
    """How often it was asked."""
    waited: float = 0.0
    """Seconds of silence since."""
    foremost: bool = True
    """Whether a yes or a no is the answer to it, and not to a question that came later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """Something that a psychic did this turn, and may take back."""

    psychic: Psychic
    what: str
    """`vision`, `intuition` or `bet`."""
    value: int | None = None
    """The card; or the token, 1 where it agrees and 0 where not; None where it was withdrawn."""
    on: Psychic | None = None
    """On whose intuition the token lies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Where the talk between the room and the house stands."""

    wishes: Wishes = Wishes()
    """For the set-up that is under way, or that led to this night."""
    setting_up: bool = False
    pending: Pending | None = None
    sitting: Sitting | None = None
    """The question who sits in the ghost's seat, beside any other."""
    asked: Psychic | None = None
    """Whom the house has just reminded: the next "I" is this psychic."""
    said: Intent | None = None
    """What was last asked of the rules, with everything that was asked for filled in."""
    tries: int = 0
    """How often the rules have refused a part of it that was asked for again."""
    done: tuple[Done, ...] = ()
    """What can be taken back, the latest last."""
    laying_out: bool = False
    """Whether the table is being laid: nothing has happened since the night began."""
    phase: Phase | None = None
    paused: bool = False
    asleep: bool = False
    quiet: float = 0.0
    """How long nothing was said and nothing happened (seconds)."""
    reminded: int = 0
    """How often this phase has been reminded of."""
    unheard: int = 0
    """How often in a row something was not understood."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What is known when something is said, beside the words."""

    room: RoomView | None
    customs: Customs = CUSTOMS
    speaker: Psychic | None = None
    """Whose enrolled voice it was."""
    sand: float | None = None
    """Seconds left; None when no sand runs."""
    sure: bool = True
    """Whether the ear is sure of the words."""
    text: str = ""
    """The words themselves."""
    far: bool = False
    """Whether they were typed at a page that anybody in the network may have."""

    @property
    def night(self) -> RoomView | None:
        """Return the night that is under way, or None."""
        return self.room if self.room is not None and self.room.outcome is None else None


Step = tuple[Conversation, tuple[Answer, ...]]
"""The conversation afterwards, and what follows."""
