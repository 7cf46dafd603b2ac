"""The game's words as types."""

from dataclasses import dataclass
from enum import StrEnum


class Psychic(StrEnum):
    """A psychic, called by colour, in the default seat order."""

    BLUE = "blue"
    WHITE = "white"
    RED = "red"
    YELLOW = "yellow"
    PURPLE = "purple"
    BLACK = "black"


class Category(StrEnum):
    """A kind of card that a psychic searches for."""

    CHARACTER = "character"
    LOCATION = "location"
    OBJECT = "object"


class Phase(StrEnum):
    """A step of the night; `seance.rules.decide.ALLOWED` says what may be asked in each."""

    VISIONS = "visions"
    INTERPRETATION = "interpretation"
    MANIFESTATION = "manifestation"
    LINEUP = "lineup"
    SHARED_VISION = "shared_vision"
    VOTE = "vote"
    ELDEST = "eldest"
    ACCUSATION = "accusation"
    OVER = "over"


class BallotKind(StrEnum):
    """How the culprit is named."""

    SECRET_BY_LEVEL = "secret_by_level"  # noqa: S105 - not a password
    """One secret vote in stages: at the card of the shared vision that the level on the track allows (L30)."""
    SECRET_BY_ALL = "secret_by_all"  # noqa: S105 - not a password
    """One secret vote of all at once, when all cards of the shared vision are face up."""
    OPEN = "open"
    """One open vote that may be changed, until all name the same group (L38)."""
    ACCUSATION = "accusation"
    """Accusations by the majority until the time is over; a wrong one costs a turn (I9, I10)."""


class Voter(StrEnum):
    """Who has one vote: it matters where a player plays two psychics."""

    PSYCHIC = "psychic"
    PLAYER = "player"


class Seat(StrEnum):
    """Who sees or asks: the room is all psychics together, the ghost sits alone."""

    ROOM = "room"
    GHOST = "ghost"


class Deal(StrEnum):
    """Who deals the secret cards, and so knows them: the manor (this program) or the ghost by hand (S1)."""

    MANOR = "manor"
    HAND = "hand"


class Visions(StrEnum):
    """Whether vision cards are only counted, or dealt as numbers (S2)."""

    TABLE = "table"
    DEALT = "dealt"


class Reason(StrEnum):
    """Why a night ended."""

    CULPRIT_FOUND = "culprit_found"
    WRONG_CULPRIT = "wrong_culprit"
    TIME_OVER = "time_over"
    SILENCE_BROKEN = "silence_broken"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a night ended."""

    won: bool
    reason: Reason


@dataclass(frozen=True, slots=True)
class Trio:
    """One card of each kind: a psychic's secret, or a group in the line-up."""

    character: int
    location: int
    object: int

    def of(self, category: Category) -> int:
        """Return the card of *category*."""
        return getattr(self, category)  # type: ignore[no-any-return]

    def cards(self) -> tuple[int, int, int]:
        """Return the three cards: character, location, object."""
        return (self.character, self.location, self.object)


@dataclass(frozen=True, slots=True)
class Table:
    """The cards that lie face up, by kind."""

    character: tuple[int, ...] = ()
    location: tuple[int, ...] = ()
    object: tuple[int, ...] = ()

    def of(self, category: Category) -> tuple[int, ...]:
        """Return the cards of *category*."""
        return getattr(self, category)  # type: ignore[no-any-return]

    def with_card(self, card: int, laid_out: "Table") -> "Table":
        """Return the table after *card* has come back to its place in the rows as they were *laid_out*."""
        rows = zip(self.rows(), laid_out.rows(), strict=True)
        return Table(*(tuple(c for c in places if c in row or c == card) for row, places in rows))

    def rows(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """Return the three rows: characters, locations, objects."""
        return (self.character, self.location, self.object)

    def without(self, card: int) -> "Table":
        """Return the table after *card* has left it."""
        return Table(*(tuple(c for c in row if c != card) if card in row else row for row in self.rows()))


@dataclass(frozen=True, slots=True)
class Group:
    """Three cards in the line-up; `psychic` is None for a group made from cards left over (L37)."""

    group: int
    cards: tuple[int, int, int]
    psychic: Psychic | None


@dataclass(frozen=True, slots=True)
class Token:
    """A clairvoyancy token that lies on another psychic's intuition."""

    by: Psychic
    on: Psychic
    agrees: bool


@dataclass(frozen=True, slots=True)
class Ballot:
    """A psychic's vote for a group, or ball on it."""

    by: Psychic
    group: int
