"""The finding of one check, as a value."""

from dataclasses import dataclass
from enum import StrEnum


class CheckStatus(StrEnum):
    """How good or bad a finding is."""

    GOOD = "good"
    WARN = "warn"
    """A night can be held all the same."""
    BAD = "bad"
    """No night can be held."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The part that was checked, how it is, and what to do."""

    name: str
    status: CheckStatus
    text: str
    fix: str = ""
    """What to do; empty where nothing needs to be done."""


def good(name: str, text: str) -> Finding:
    """Return a finding that all is well."""
    return Finding(name, CheckStatus.GOOD, text)


def warn(name: str, text: str, fix: str) -> Finding:
    """Return a finding in spite of which a night can be held."""
    return Finding(name, CheckStatus.WARN, text, fix)


def bad(name: str, text: str, fix: str) -> Finding:
    """Return a finding because of which no night can be held."""
    return Finding(name, CheckStatus.BAD, text, fix)
