"""Replies about seats at pages.

Class names are keys in voices/*/script.toml.
"""

from dataclasses import dataclass

from seance.dialogue.reply_base import Reply
from seance.rules import Psychic


class SeatFreed(Reply):
    """The ghost's seat may be taken anew."""

    __slots__ = ()


class SeatTaken(Reply):
    """From now on the ghost sits at a page."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class SeatRefused(Reply):
    """The page that asked for the ghost's seat does not get it; `answered` when the room said no."""

    answered: bool = True


class SeatKept(Reply):
    """The ghost's seat is not freed, though somebody at a page asked for that."""

    __slots__ = ()


class SeatTried(Reply):
    """Somebody asked for the ghost's seat, and it is taken."""

    __slots__ = ()


class SayAloud(Reply):
    """The answer must be given aloud at the table, not on a page that anybody may open."""

    __slots__ = ()


class DigitsNeeded(Reply):
    """The answer must be the two digits, typed on another phone."""

    __slots__ = ()


class AnotherPhone(Reply):
    """The two digits were typed on the phone that has asked."""

    __slots__ = ()


class GhostAway(Reply):
    """The ghost's page has been away for long: the house answers in its place."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PsychicSeated(Reply):
    """A phone plays for these psychics from now on."""

    psychics: tuple[Psychic, ...]


@dataclass(frozen=True, slots=True)
class PsychicLeft(Reply):
    """The seat of these psychics is free again."""

    psychics: tuple[Psychic, ...]


@dataclass(frozen=True, slots=True)
class PsychicSeatRefused(Reply):
    """Another phone does not get a psychic's seat; `answered` when the room said no."""

    answered: bool = True


@dataclass(frozen=True, slots=True)
class ChairChanged(Reply):
    """A guest has said yes: they have changed seats."""

    psychic: Psychic


class GhostHeard(Reply):
    """Something was said where the ghost sits, which is silent."""

    __slots__ = ()


SEAT_REPLIES: tuple[type[Reply], ...] = (
    SeatFreed, SeatTaken, SeatRefused, SeatKept, SeatTried, SayAloud, DigitsNeeded, AnotherPhone, GhostAway,
    PsychicSeated, PsychicLeft, PsychicSeatRefused, ChairChanged, GhostHeard,
)  # fmt: skip
"""All of them."""
