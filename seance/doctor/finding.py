"""The finding of one check, as a value."""

from dataclasses import dataclass
from enum import StrEnum

from seance.texts import Texts


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
    """The same in every language."""
    title: str
    """What the part is called."""
    status: CheckStatus
    text: str
    fix: str = ""
    """What to do; empty where nothing needs to be done."""


def good(texts: Texts, key: str, /, **values: object) -> Finding:
    """Return a finding that all is well; *key* names the check and its text, such as `disk.free`."""
    return _finding(texts, CheckStatus.GOOD, key, None, values)


def warn(texts: Texts, key: str, fix: str, /, **values: object) -> Finding:
    """Return a finding in spite of which a night can be held; *fix* is the key of what to do."""
    return _finding(texts, CheckStatus.WARN, key, fix, values)


def bad(texts: Texts, key: str, fix: str, /, **values: object) -> Finding:
    """Return a finding because of which no night can be held; *fix* is the key of what to do."""
    return _finding(texts, CheckStatus.BAD, key, fix, values)


def _finding(texts: Texts, status: CheckStatus, key: str, fix: str | None, values: dict[str, object]) -> Finding:
    name = key.partition(".")[0]
    return Finding(
        name, texts(f"{name}.title"), status, texts(key, **values), "" if fix is None else texts(fix, **values)
    )
