"""Whom the ghost might serve next, found from what lies openly on the table."""

from dataclasses import dataclass
from enum import StrEnum

from seance.rules import Phase, Psychic, RoomView
from seance.rules.view import PsychicView


class ServeReason(StrEnum):
    """Why a psychic is suggested; the keys `serve_…` of voices/*/pages.toml end with it."""

    LAST_ONE = "last_one"
    """Nobody else waits for a vision."""
    FEWEST_FOUND = "fewest_found"
    """Nobody else who waits has found as few cards."""
    FEWEST_VISIONS = "fewest_visions"
    """Of those who have found as few cards, nobody has fewer vision cards to think about."""
    ALL_EQUAL = "all_equal"
    """Others who wait are as far: the first in seat order."""


@dataclass(frozen=True, slots=True)
class ServeSuggestion:
    """A psychic whom the ghost might serve next, and why."""

    psychic: Psychic
    reason: ServeReason


def serve_next(room: RoomView) -> ServeSuggestion | None:
    """Return who is furthest behind of those who wait for a vision this hour; None when nobody waits."""
    waiting = [each for each in room.psychics if each.searching != "done" and not each.served]
    if room.phase is not Phase.VISIONS or room.outcome is not None or not waiting:
        return None
    first, *others = sorted(waiting, key=lambda each: (len(each.found), _vision_count(each)))
    return ServeSuggestion(first.colour, _reason(first, others))


def _reason(first: PsychicView, others: list[PsychicView]) -> ServeReason:
    if not others:
        return ServeReason.LAST_ONE
    as_far = [each for each in others if len(each.found) == len(first.found)]
    if not as_far:
        return ServeReason.FEWEST_FOUND
    if all(_vision_count(each) > _vision_count(first) for each in as_far):
        return ServeReason.FEWEST_VISIONS
    return ServeReason.ALL_EQUAL


def _vision_count(psychic: PsychicView) -> int:
    return psychic.visions if isinstance(psychic.visions, int) else len(psychic.visions)
