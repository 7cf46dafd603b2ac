"""What was recognised of one segment of speech."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Recognition:
    """One segment of speech near the microphone."""

    text: str
    intent: Any
    """What it means; None when it was no command."""
    confidence: float
    """The posterior of the command, from 0 to 1."""
    speaker: str | None
    """Who said it, if they have introduced themselves and are recognised."""
    voiceprint: tuple[float, ...] | None
    """For Speakers.enrol; None without a speaker model, or after too little speech."""
    began_s: float
    """Seconds of sound since the recogniser was made or reset."""
    ended_s: float
    latency_s: float
    """Seconds from the end of the speech to this result: trailing silence and computing."""
    snr_db: float
    direction_deg: float | None = None
    """Where it came from, 0 to 360 degrees around a microphone array; None where that is unknown."""
    moved: str | None = None
    """Who seems to sit there now, and had another seat; None if nobody does."""
