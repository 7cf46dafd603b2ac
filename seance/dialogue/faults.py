"""Faults: what in the house may stop working, and what may work again.

Their values are keys in voices/*/script.toml.
"""

from enum import StrEnum


class Fault(StrEnum):
    """Something in the house that does not work, or works again."""

    MICROPHONE_GONE = "microphone_gone"
    MICROPHONE_BACK = "microphone_back"
    MICROPHONE_SILENT = "microphone_silent"
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
