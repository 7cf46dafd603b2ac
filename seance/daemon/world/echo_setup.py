"""Builds what removes the house's own voice from what it hears, if the settings and this machine allow it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from seance import settings as s
from seance.audio.echo_canceller import MAX_COST, NoEchoCanceller, SpeexCanceller, measure_cost
from seance.audio.echo_reference import EchoReference
from seance.audio.echo_remover import EchoRemover

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EchoRemoval:
    """What the loudspeaker writes to, and what the microphone's blocks pass through."""

    reference: EchoReference
    remover: EchoRemover


def open_echo_removal(chosen: s.Settings, *, channels: Sequence[int]) -> EchoRemoval | None:
    """Return what removes the echo from *channels*, counted from 0; None if the house must be deaf while it speaks."""
    if chosen.hearing.interrupt == "off":
        return None
    try:
        cost = measure_cost(SpeexCanceller())
        cancellers = [SpeexCanceller() for _ in channels]
    except NoEchoCanceller as why:
        log.warning("the house hears nothing while it speaks: %s", why)
        return None
    if cost > MAX_COST:
        log.warning(
            "the house hears nothing while it speaks: removing its echo would take %.0f %% of a core", 100 * cost
        )
        return None
    reference = EchoReference(chosen.microphone.drift_ppm)
    return EchoRemoval(reference, EchoRemover(cancellers, reference, channels=channels))
