"""Sound as the microphones of an array hear it in the open, from any direction."""

import numpy as np

from seance.audio.array_geometry import ArrayGeometry

RATE = 16_000
SPEED_OF_SOUND_M_S = 343.0


def arriving(sound, geometry: ArrayGeometry, angle_deg: float):
    """Return *sound* from *angle_deg*, with a column for each channel of the device."""
    angle = np.radians(angle_deg)
    spectrum = np.fft.rfft(np.concatenate([sound, np.zeros(RATE // 100)]))
    frequencies = np.fft.rfftfreq(2 * (len(spectrum) - 1), 1 / RATE)
    columns = np.zeros((len(sound), geometry.channel_count), np.float32)
    for channel, (x, y, _) in zip(geometry.channels, geometry.positions_mm, strict=True):
        lead_s = (x * np.cos(angle) + y * np.sin(angle)) / 1000 / SPEED_OF_SOUND_M_S
        columns[:, channel] = np.fft.irfft(spectrum * np.exp(2j * np.pi * frequencies * lead_s))[: len(sound)]
    return columns


def room_noise(frames: int, channels: int, level=0.0005):
    """Return the noise of the microphones themselves."""
    return (level * np.random.default_rng(5).standard_normal((frames, channels))).astype(np.float32)
