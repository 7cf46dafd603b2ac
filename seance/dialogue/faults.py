"""Faults: what in the house may stop working, and what may work again.

Their values are keys in voices/*/script.toml.
"""

from collections.abc import Mapping
from enum import StrEnum


class Fault(StrEnum):
    """Something in the house that does not work, or works again."""

    MICROPHONE_GONE = "microphone_gone"
    MICROPHONE_BACK = "microphone_back"
    MICROPHONE_SILENT = "microphone_silent"
    ARRAY_MISSING = "array_missing"
    ARRAY_BACK = "array_back"
    SPEAKER_GONE = "speaker_gone"
    SPEAKER_BACK = "speaker_back"
    DISK_FULL = "disk_full"
    DISK_READ_ONLY = "disk_read_only"
    DISK_FAILING = "disk_failing"
    DISK_BACK = "disk_back"
    JOURNAL_DAMAGED = "journal_damaged"
    NIGHT_UNREADABLE = "night_unreadable"
    MODEL_MISSING = "model_missing"
    VOICE_MISSING = "voice_missing"
    VOICE_REPLACED = "voice_replaced"
    BOARD_MISSING = "board_missing"
    PAGES_MISSING = "pages_missing"
    CLOCK_JUMPED = "clock_jumped"
    TALK_STUCK = "talk_stuck"


_ENDED_BY: Mapping[Fault, frozenset[Fault]] = {
    Fault.MICROPHONE_BACK: frozenset({Fault.MICROPHONE_GONE, Fault.MICROPHONE_SILENT}),
    Fault.ARRAY_BACK: frozenset({Fault.ARRAY_MISSING}),
    Fault.SPEAKER_BACK: frozenset({Fault.SPEAKER_GONE}),
    Fault.DISK_BACK: frozenset({Fault.DISK_FULL, Fault.DISK_READ_ONLY, Fault.DISK_FAILING}),
}
"""The faults that are over with a report that something works again."""
_MOMENTARY = frozenset({Fault.CLOCK_JUMPED, Fault.TALK_STUCK})
"""Faults that are over when they are told."""


def faults_after(faults: tuple[Fault, ...], news: Fault) -> tuple[Fault, ...]:
    """Return which *faults* there are after *news*, in the order in which they came."""
    if news in _ENDED_BY:
        return tuple(fault for fault in faults if fault not in _ENDED_BY[news])
    return faults if news in _MOMENTARY or news in faults else (*faults, news)
