"""Sample formats and sample rates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SPEECH_RATE_HZ = 16_000
"""The sample rate of speech models."""
MIX_RATE_HZ = 48_000
"""The sample rate of the mixer: hardly any output device refuses it."""
FULL_SCALE = 32768.0
"""The int16 value that corresponds to a float sample of 1.0."""

Samples = NDArray[np.float32]
"""Mono samples from -1 to 1."""
Channels = NDArray[np.float32]
"""Samples from -1 to 1 with a column for each channel."""
Block = NDArray[np.int16]
"""Samples as a microphone delivers them: mono, or with a column for each channel of an array."""
