"""Silence before, inside and after speech: taken away at its ends, and shortened where an engine stops for too long."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from seance.audio.formats import Samples
from seance.audio.waves import Wave

MAX_PAUSE_S = 0.35
"""The longest silence inside a line; Kokoro sometimes stops for a second at a comma, or for no reason."""
_SILENCE_LEVEL = 0.01
"""Below this share of the peak a sample is silence."""
_FRAME_S = 0.01
_ONSET_LEVEL, _RELEASE_LEVEL = 0.02, 0.005
"""Of the peak, where speech begins and ends: it ends more softly."""
_ONSET_S = 0.015
"""Kept before the first loud sample: the soft beginning of an h or an s."""
_RELEASE_S = 0.03
"""Kept after the last audible sample: the soft end of a last consonant."""
_FADE_S = 0.005


def trim_silence(wave: Wave) -> Wave:
    """Return *wave* without the silence at its ends."""
    level = np.abs(wave.samples)
    loud = np.flatnonzero(level > _ONSET_LEVEL * level.max(initial=0.0))
    audible = np.flatnonzero(level > _RELEASE_LEVEL * level.max(initial=0.0))
    if not len(loud):
        return wave
    first = max(0, int(loud[0]) - round(_ONSET_S * wave.rate))
    return replace(wave, samples=wave.samples[first : int(audible[-1]) + 1 + round(_RELEASE_S * wave.rate)])


def shorten_pauses(wave: Wave) -> Wave:
    """Return *wave* with no longer silence inside than MAX_PAUSE_S; the middle of a longer one is taken out."""
    frame = round(_FRAME_S * wave.rate)
    frames = np.pad(np.abs(wave.samples), (0, -len(wave.samples) % frame)).reshape(-1, frame).max(axis=1)
    loud = np.flatnonzero(frames > _SILENCE_LEVEL * frames.max(initial=0.0)).tolist()
    kept = round(MAX_PAUSE_S / 2 * wave.rate)
    parts, start = [], 0
    for before, after in itertools.pairwise(loud):
        if (after - before - 1) * frame > 2 * kept:
            parts.append(wave.samples[start : (before + 1) * frame + kept])
            start = after * frame - kept
    if not parts:
        return wave
    parts.append(wave.samples[start:])
    # Each half of a pause fades to nothing where they meet: a room's hum would click.
    faded = [fade_ends(part, wave.rate, at_start=at > 0, at_end=at < len(parts) - 1) for at, part in enumerate(parts)]
    return replace(wave, samples=np.concatenate(faded))


def fade_ends(samples: Samples, rate: int, *, at_start: bool = True, at_end: bool = True) -> Samples:
    """Return *samples* with a fade of a few milliseconds, so that they begin and end without a click."""
    faded = samples.copy()
    fade = min(len(samples) // 2, round(rate * _FADE_S))
    ramp = np.linspace(0, 1, fade, dtype=np.float32)
    if at_start:
        faded[:fade] *= ramp
    if at_end:
        faded[len(faded) - fade :] *= ramp[::-1]
    return faded
