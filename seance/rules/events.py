"""Events: what has happened. Class and field names are the wire's, and stored in journals."""

from dataclasses import dataclass

from seance.rules.editions import Edition
from seance.rules.terms import Ballot, Deal, Group, Psychic, Reason, Table, Trio, Visions


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened; only events change the state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightBegun(Event):
    """A night has begun and the table is laid."""

    edition: Edition
    players: int
    level: str
    psychics: tuple[Psychic, ...]
    deal: Deal
    visions: Visions
    variant: str | None
    table: Table


@dataclass(frozen=True, slots=True)
class SeedDrawn(Event):
    """The seed of this night is fixed (S6)."""

    seed: int


@dataclass(frozen=True, slots=True)
class LevelWarned(Event):
    """The edition advises against this level with so many players."""

    level: str
    players: int


@dataclass(frozen=True, slots=True)
class SecretsDealt(Event):
    """Each psychic has a character, a location and an object to find."""

    secret: tuple[Trio, ...]
    """In seat order."""


@dataclass(frozen=True, slots=True)
class PileShuffled(Event):
    """The draw pile is new: all vision cards at the beginning, the discard pile later (L11)."""

    pile: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HandDrawn(Event):
    """The ghost has drawn from the pile."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class VisionGiven(Event):
    """Vision cards lie before a psychic; `cards` is None where only their count is known (S2)."""

    psychic: Psychic
    count: int
    cards: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class CrowUsed(Event):
    """The ghost has discarded `count` vision cards; None where nobody counted."""

    count: int | None
    crows_left: int


@dataclass(frozen=True, slots=True)
class HandDiscarded(Event):
    """These cards have left the ghost's hand."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SandTurned(Event):
    """The sand runs."""

    seconds: int


class InterpretationBegun(Event):
    """All visions are given, and no sand runs (I4)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class IntuitionPlaced(Event):
    """A psychic has chosen a card."""

    psychic: Psychic
    card: int


@dataclass(frozen=True, slots=True)
class BetPlaced(Event):
    """A clairvoyancy token lies on an intuition."""

    by: Psychic
    on: Psychic
    agrees: bool


@dataclass(frozen=True, slots=True)
class BetWithdrawn(Event):
    """A clairvoyancy token is back with its owner."""

    by: Psychic
    on: Psychic


@dataclass(frozen=True, slots=True)
class TakenBack(Event):
    """The last step of a psychic in this turn is undone; `what` is vision, intuition or bet."""

    psychic: Psychic
    what: str


@dataclass(frozen=True, slots=True)
class TimeCalled(Event):
    """The interpretation is over."""

    early: bool


@dataclass(frozen=True, slots=True)
class IntuitionAnswered(Event):
    """The ghost has answered a psychic; `card` is None where none was chosen (L23)."""

    psychic: Psychic
    card: int | None
    correct: bool


@dataclass(frozen=True, slots=True)
class ClairvoyancyMoved(Event):
    """A psychic's marker has moved forward."""

    psychic: Psychic
    spaces: int


@dataclass(frozen=True, slots=True)
class AnswerCorrected(Event):
    """The answer to a psychic was wrong, and is the opposite; a card that was found is back on the table (S7)."""

    psychic: Psychic
    card: int | None
    correct: bool


@dataclass(frozen=True, slots=True)
class ClairvoyancyTakenBack(Event):
    """A psychic's marker has moved back, as the answer that moved it was corrected (S7)."""

    psychic: Psychic
    spaces: int


@dataclass(frozen=True, slots=True)
class CardFound(Event):
    """A card has left the table for a psychic's sleeve."""

    psychic: Psychic
    card: int


class TokensReturned(Event):
    """All psychics have all their clairvoyancy tokens again (L18, L27)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class HourStruck(Event):
    """A new hour, or day, begins."""

    hour: int


@dataclass(frozen=True, slots=True)
class LineupFormed(Event):
    """The groups lie on the table, numbered in seat order (L26)."""

    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class GroupsNumbered(Event):
    """The psychics have numbered the groups in another order (L26)."""

    groups: tuple[Group, ...]


class CulpritChosen(Event):
    """The culprit is fixed."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class CulpritMarked(Event):
    """The ghost, or chance, has marked this group as the culprit's."""

    group: int


class SharedVisionLaid(Event):
    """The shared vision, for all psychics, lies on the table."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class SharedVisionSet(Event):
    """These cards have gone from the hand into the shared vision, in the order in which they will be turned."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SharedVisionTurned(Event):
    """One more card of the shared vision is face up: `shown` of three."""

    shown: int
    card: int | None = None


@dataclass(frozen=True, slots=True)
class VoteCast(Event):
    """A psychic has voted."""

    by: Psychic


@dataclass(frozen=True, slots=True)
class BallotSealed(Event):
    """A psychic's vote, secret until the votes are read (L30)."""

    by: Psychic
    group: int


@dataclass(frozen=True, slots=True)
class BallotShown(Event):
    """A psychic's open vote (L38)."""

    by: Psychic
    group: int


@dataclass(frozen=True, slots=True)
class ReaderNamed(Event):
    """The eldest of these psychics reads the votes out (L31)."""

    psychics: tuple[Psychic, ...]


@dataclass(frozen=True, slots=True)
class VotesRead(Event):
    """All votes are open."""

    votes: tuple[Ballot, ...]


@dataclass(frozen=True, slots=True)
class EldestNeeded(Event):
    """The eldest of these psychics breaks the tie (L32)."""

    psychics: tuple[Psychic, ...]


@dataclass(frozen=True, slots=True)
class EldestNamed(Event):
    """One of those who tied is the eldest."""

    psychic: Psychic


@dataclass(frozen=True, slots=True)
class PointedAt(Event):
    """A psychic's ball lies on a group."""

    by: Psychic
    group: int


@dataclass(frozen=True, slots=True)
class Accused(Event):
    """The psychics have accused a group; `cards` are what they named in a full investigation."""

    group: int
    cards: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class CulpritRevealed(Event):
    """The culprit's token is turned; nothing is secret any more (L33)."""

    group: int


@dataclass(frozen=True, slots=True)
class SetRemoved(Event):
    """A wrongly accused group has left the table (I10)."""

    group: int


class SilenceBroken(Event):
    """The ghost has made a sound or a sign (I5)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class NightEnded(Event):
    """The night is over."""

    won: bool
    reason: Reason


EVENTS: tuple[type[Event], ...] = (
    NightBegun, SeedDrawn, LevelWarned, SecretsDealt, PileShuffled, HandDrawn, VisionGiven, CrowUsed,
    HandDiscarded, SandTurned, InterpretationBegun, IntuitionPlaced, BetPlaced, BetWithdrawn, TakenBack,
    TimeCalled, IntuitionAnswered, ClairvoyancyMoved, CardFound, TokensReturned, HourStruck, LineupFormed,
    GroupsNumbered, CulpritChosen, CulpritMarked, SharedVisionLaid, SharedVisionSet, SharedVisionTurned,
    VoteCast, BallotSealed, BallotShown, ReaderNamed, VotesRead, EldestNeeded, EldestNamed, PointedAt, Accused,
    CulpritRevealed, SetRemoved, SilenceBroken, NightEnded, AnswerCorrected, ClairvoyancyTakenBack,
)  # fmt: skip
