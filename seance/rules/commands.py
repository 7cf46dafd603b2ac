"""Commands: what may be asked of the rules. Class and field names are the wire's."""

from dataclasses import dataclass
from typing import ClassVar

from seance.rules.editions import Edition
from seance.rules.terms import Deal, Psychic, Seat, Table, Visions

ANYONE = (Seat.ROOM, Seat.GHOST)


@dataclass(frozen=True, slots=True)
class Command:
    """Something asked of the rules."""

    seats: ClassVar[tuple[Seat, ...]] = (Seat.ROOM,)
    """Who may ask it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin(Command):
    """Deal a new night (L1-L8, I1, P1, M1, M5, S1, S2)."""

    seats = ANYONE
    edition: Edition
    players: int
    level: str
    seed: int | None = None
    """Decides the shuffle; the rules refuse None, so draw one before applying the command (S6)."""
    psychics: tuple[Psychic, ...] | None = None
    """In seat order; the first colours where none are given."""
    deal: Deal = Deal.MANOR
    visions: Visions = Visions.TABLE
    variant: str | None = None
    table: Table | None = None
    """The cards that the guests have drawn themselves; the rules draw them where none are given (L2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveVision(Command):
    """Lay vision cards before a psychic (L9-L12, I2)."""

    seats = (Seat.GHOST,)
    psychic: Psychic
    count: int | None = None
    cards: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UseCrow(Command):
    """Discard vision cards and draw new ones (L13, I3)."""

    seats = (Seat.GHOST,)
    count: int | None = None
    cards: tuple[int, ...] | None = None


class TurnSand(Command):
    """Start the sand (L14)."""

    seats = (Seat.GHOST,)
    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceIntuition(Command):
    """Put or move the intuition token of a psychic (L15, I4)."""

    psychic: Psychic
    card: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bet(Command):
    """Lay or turn a clairvoyancy token on another psychic's intuition (L17)."""

    by: Psychic
    on: Psychic
    agrees: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawBet(Command):
    """Take a clairvoyancy token back (L17)."""

    by: Psychic
    on: Psychic


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTime(Command):
    """End the interpretation: the sand has run out, or all agree to go on early (L18, L23, S3, I4)."""

    early: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest(Command):
    """Answer a psychic (L20-L25, I6)."""

    seats = (Seat.GHOST,)
    psychic: Psychic
    correct: bool | None = None
    """The ghost's answer where only the ghost knows it (S1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectAnswer(Command):
    """Turn an answer of this turn into its opposite, where the ghost dealt by hand (S7)."""

    seats = ANYONE
    psychic: Psychic


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberGroups(Command):
    """Choose which psychic's group has which number (L26)."""

    order: tuple[Psychic, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseCulprit(Command):
    """Mark the culprit's group, secretly (L28, I8, P3)."""

    seats = (Seat.GHOST,)
    group: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LaySharedVision(Command):
    """Lay the cards that point at the culprit (L28, I8, P2)."""

    seats = (Seat.GHOST,)
    cards: tuple[int, ...] | None = None


class TurnSharedVision(Command):
    """Turn the next card of the shared vision: those whose turn it was have voted on paper (L30)."""

    __slots__ = ()


class ClosePoll(Command):
    """Say that all votes lie in the sleeves: the reader is named, and the votes are read in (L31)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote(Command):
    """Vote for a group (L30, L36, L38)."""

    by: Psychic
    group: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NameEldest(Command):
    """Say who is the eldest of those who tied (L31, L32)."""

    psychic: Psychic


@dataclass(frozen=True, slots=True, kw_only=True)
class PointAt(Command):
    """Put a psychic's ball on a group (I9)."""

    by: Psychic
    group: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuse(Command):
    """Accuse the group on which the majority points (I9, I10, M3-M6)."""

    character: int | None = None
    location: int | None = None
    object: int | None = None


class BreakSilence(Command):
    """Say that the ghost has made a sound or a sign (I5)."""

    seats = ANYONE
    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack(Command):
    """Undo the last thing that a psychic did in this turn (S4)."""

    psychic: Psychic


class Abandon(Command):
    """End the night at once (S4)."""

    seats = ANYONE
    __slots__ = ()


COMMANDS: tuple[type[Command], ...] = (
    Begin, GiveVision, UseCrow, TurnSand, PlaceIntuition, Bet, WithdrawBet, CallTime, Manifest, NumberGroups,
    ChooseCulprit, LaySharedVision, TurnSharedVision, ClosePoll, Vote, NameEldest, PointAt, Accuse, BreakSilence,
    TakeBack, Abandon, CorrectAnswer,
)  # fmt: skip
