"""What the pages may show, as one immutable value; nothing here says who may see which part of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from seance.rules import GhostView, RoomView

Standing = Literal["free", "asked", "taken"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chair:
    """The ghost's seat, as the house knows it."""

    key: str
    """What cookies of this seat are signed with; another night has another."""
    asked: str | None = None
    """The device that has asked for it, while the room is asked."""
    holder: str | None = None
    """The device that holds it."""

    @property
    def standing(self) -> Standing:
        """Return how it stands with the seat."""
        return "taken" if self.holder else "asked" if self.asked else "free"


@dataclass(frozen=True, slots=True)
class Numbered:
    """Something that happened once: whoever has seen it does not want it again."""

    n: int
    text: str


@dataclass(frozen=True, slots=True)
class KnockShown:
    """A knock that has just been heard."""

    n: int
    says: str
    count: int


class SandShown(Protocol):
    """The sand of the house, as far as a page wants to know it."""

    @property
    def of(self) -> float:
        """Seconds of a whole turn."""

    @property
    def runs(self) -> bool:
        """Whether it runs, or stands."""

    def left_at(self, now: float) -> float:
        """Return the seconds left at *now*."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """What of an edition the pages must know."""

    unit: Literal["hour", "day"] = "hour"
    of: int = 7
    order: tuple[str, ...] = ("character", "location", "object")
    track: tuple[int, int] | None = None
    """Where the two upper levels of the clairvoyancy track begin."""
    crow_takes_hand: bool = False
    """Whether a crow takes the whole hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """All that there is to show, at one moment."""

    chair: Chair
    n: int = 0
    """Grows with each change."""
    language: str = "en"
    pace: str | None = None
    night: RoomView | None = None
    """The table as the room has been told of it: never ahead of the narrator."""
    present: RoomView | None = None
    """The table as it is, for the ghost."""
    ghost: GhostView | None = None
    """For the seat alone."""
    may: tuple[str, ...] = ()
    """What the ghost may ask for now."""
    dealt: bool = False
    """Whether visions are dealt, not counted."""
    manners: Manners = Manners()
    sand: SandShown | None = None
    paused: bool = False
    lights: Mapping[str, str] = field(default_factory=dict)
    said: tuple[Numbered, ...] = ()
    heard: Numbered | None = None
    knocks: tuple[KnockShown, ...] = ()
    whispers: tuple[Numbered, ...] = ()
    """For the seat alone."""
    chronicle: bool = False
    """Whether a night is over and can be told again."""
