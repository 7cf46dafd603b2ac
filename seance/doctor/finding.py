"""What was found of one part of the house, as a value."""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How it stands with a part."""

    GOOD = "good"
    WARN = "warn"
    """A night can be held without it, or with it as it is."""
    BAD = "bad"
    """No night can be held."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One part, how it stands, and what helps."""

    name: str
    state: State
    told: str
    fix: str = ""
    """What to do; empty where nothing is to be done."""


def good(name: str, told: str) -> Finding:
    """Return that all is well with a part."""
    return Finding(name, State.GOOD, told)


def warn(name: str, told: str, fix: str) -> Finding:
    """Return that a night can be held in spite of a part."""
    return Finding(name, State.WARN, told, fix)


def bad(name: str, told: str, fix: str) -> Finding:
    """Return that no night can be held because of a part."""
    return Finding(name, State.BAD, told, fix)
