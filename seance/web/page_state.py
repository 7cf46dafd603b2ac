"""Everything the pages may show, as one immutable value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from seance.languages import DEFAULT_LANGUAGE
from seance.rules import GhostView, RoomView

SeatStatus = Literal["free", "asked", "taken"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatState:
    """Who has asked for the ghost's seat and who holds it; stored in snapshots under these names."""

    key: str
    """Signs the cookies of this seat; each night has another."""
    asked: str | None = None
    """The device that has asked for the seat and waits for the room's answer."""
    holder: str | None = None
    """The device that holds the seat."""
    mark: str = ""
    """The key of the word that the asking device shows."""
    unclaimed: bool = False
    """Whether the holder has yet to exchange the cookie of its request for a new one."""

    @property
    def status(self) -> SeatStatus:
        """Return whether the seat is free, asked for or taken."""
        return "taken" if self.holder else "asked" if self.asked else "free"


@dataclass(frozen=True, slots=True, kw_only=True)
class PsychicSeatsState:
    """Which devices play for which psychics, and which one asks for a seat; stored in snapshots under these names."""

    key: str
    """Signs the cookies of these seats; each night has another."""
    holders: Mapping[str, str] = field(default_factory=dict)
    """The device that plays for a psychic, by colour."""
    asked: str | None = None
    """The device that has asked for a seat which another one holds, and waits for the room's answer."""
    asked_psychics: tuple[str, ...] = ()
    mark: str = ""
    """The key of the word that the asking device shows."""

    def psychics_of(self, device: str | None) -> tuple[str, ...]:
        """Return the colours that *device* plays for."""
        return tuple(colour for colour, holder in self.holders.items() if holder == device)


@dataclass(frozen=True, slots=True)
class NumberedLine:
    """A line with a number that grows, so that a page shows each once; sent under these names."""

    n: int
    text: str


@dataclass(frozen=True, slots=True)
class NumberedKnock:
    """A knock with a number that grows, so that a page plays each once."""

    n: int
    says: str
    count: int


class SandView(Protocol):
    """The sand timer, as far as a page shows it."""

    @property
    def turn_s(self) -> float:
        """Seconds of a whole turn."""

    @property
    def running(self) -> bool:
        """Whether it runs or is paused."""

    def left_at(self, now: float) -> float:
        """Return the seconds left at *now*."""


class HelpView(Protocol):
    """A help card, which pages are sent with all its fields."""

    @property
    def title(self) -> str:
        """What it is called."""


@dataclass(frozen=True, slots=True)
class TalkView:
    """That the house listens to whoever holds a button to talk; sent under these names."""

    psychic: str | None
    """Whose it is, by colour, if known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChairsView:
    """Who sits where around a microphone array, in degrees; sent under these names."""

    psychics: Mapping[str, float] = field(default_factory=dict)
    """The directions of those who are known, by colour."""
    ghost: float | None = None
    """The direction of the ghost's chair, if the owner has told it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionInfo:
    """What the pages need to know of an edition."""

    name: str = ""
    turns: int = 7
    order: tuple[str, ...] = ("character", "location", "object")
    track: tuple[int, int] | None = None
    """The spaces at which the intermediate and the high level of the clairvoyancy track begin."""
    crow_takes_hand: bool = False
    """Whether a crow takes the whole hand."""
    hand: int = 7
    """Vision cards that the ghost holds."""
    shared_vision_cards: int = 3
    lineup_kinds: tuple[str, ...] = ("character", "location", "object")
    """The kinds of card that are shown in the line-up."""
    ballot: str = ""
    """How the culprit is named."""
    names_all_three: bool = False
    """Whether an accusation names a character, a location and an object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageState:
    """Everything there is to show at one moment."""

    seat: SeatState
    version: int = 0
    """Grows with each change."""
    language: str = DEFAULT_LANGUAGE
    pace: str | None = None
    told_room: RoomView | None = None
    """The table as far as the narrator has told it."""
    current_room: RoomView | None = None
    """The table as it is, for the ghost."""
    ghost_view: GhostView | None = None
    """For the holder of the seat alone."""
    ghost_commands: tuple[str, ...] = ()
    """The commands that the ghost may give now."""
    serve_next: tuple[str, str] | None = None
    """Whom the ghost might serve next, and the key of the reason."""
    visions_dealt: bool = False
    """Whether the machine deals the vision cards; otherwise they are only counted."""
    edition_info: EditionInfo = EditionInfo()
    sand: SandView | None = None
    paused: bool = False
    lights: Mapping[str, str] = field(default_factory=dict)
    said: tuple[NumberedLine, ...] = ()
    heard: NumberedLine | None = None
    what_next: str = ""
    """Who must do what, and what can be said, as far as the table knows."""
    help: HelpView | None = None
    """What may be said, the rules and the words of this moment, as far as the table knows."""
    touch: Mapping[str, Any] = field(default_factory=dict)
    """What can be touched besides cards, psychics and groups: answers, actions and the rows of the set-up."""
    culprit: int | None = None
    """The culprit's group, once the table has been told how the night ended."""
    is_story_told: bool = False
    """Whether the long opening is being told, which anybody may skip."""
    is_table_being_laid: bool = False
    """Whether the house waits for "ready", which anybody may say."""
    knocks: tuple[NumberedKnock, ...] = ()
    whispers: tuple[NumberedLine, ...] = ()
    """For the holder of the seat alone."""
    seat_digits: str | None = None
    """The two digits that answer the question about the ghost's seat, for pages on this machine alone."""
    has_chronicle: bool = False
    """Whether there is a finished night to read or replay."""
    psychic_seats: PsychicSeatsState = PsychicSeatsState(key="")
    players_psychics: tuple[tuple[str, ...], ...] = ()
    """The psychics of each player, by colour: each tuple is one seat."""
    tried: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The cards of the present search that were called wrong, by colour, as far as the room was told."""
    can_hear: bool = False
    """Whether the house has a microphone that works."""
    talk: TalkView | None = None
    """That the house listens to a button to talk, and to whose; None while nobody holds one."""
    chairs: ChairsView | None = None
    """None where there is no microphone array."""
    asks_yes_or_no: bool = False
    """Whether a question is open that anybody may answer with yes or no."""

    mood: str = ""
    """What the ambience sounds like now."""
    faults: tuple[str, ...] = ()
    """What in the house does not work, by key."""

    @property
    def asks_about_seat(self) -> bool:
        """Whether the room is being asked about a seat, so that no other can be asked about."""
        return self.seat.asked is not None or self.psychic_seats.asked is not None

    @property
    def seen_at_table(self) -> tuple[object, ...]:
        """What a table's page shows of it, to tell whether that has changed."""
        return (
            *(self.seat.status, self.language, self.pace, self.told_room, self.edition_info, self.sand, self.paused),
            *(
                self.lights,
                self.said,
                self.heard,
                self.what_next,
                self.help,
                self.touch,
                self.tried,
                self.culprit,
                self.is_story_told,
                self.is_table_being_laid,
                self.seat_digits,
                self.has_chronicle,
                self.talk,
                self.chairs,
            ),
        )
