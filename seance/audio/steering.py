"""Steering vectors: with which phase a distant voice reaches each microphone of an array."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seance.audio.array_geometry import ArrayGeometry

SPEED_OF_SOUND_M_S = 343.0
TALKER_ELEVATION_DEG = 25.0
"""How high the mouths of people at a table are, seen from the table."""


def places_m(geometry: ArrayGeometry) -> NDArray[np.float64]:
    """Return where each microphone is, in metres from the middle of all."""
    places = np.array(geometry.positions_mm, np.float64) / 1000
    return np.asarray(places - places.mean(axis=0))


def steering_vectors(
    geometry: ArrayGeometry, directions_deg: NDArray[np.float64], frequencies_hz: NDArray[np.float64]
) -> NDArray[np.complex64]:
    """Return the phase of a voice for each direction, frequency and microphone."""
    azimuth, elevation = np.radians(directions_deg), np.radians(TALKER_ELEVATION_DEG)
    towards = np.stack(
        [
            np.cos(azimuth) * np.cos(elevation),
            np.sin(azimuth) * np.cos(elevation),
            np.full_like(azimuth, np.sin(elevation)),
        ],
        axis=1,
    )
    lead_s = towards @ places_m(geometry).T / SPEED_OF_SOUND_M_S
    return np.asarray(np.exp(2j * np.pi * frequencies_hz[None, :, None] * lead_s[:, None, :]), np.complex64)
