"""The sample format that speech recognition works on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SPEECH_RATE_HZ = 16_000
"""The sample rate of speech models."""

Sound = NDArray[np.float32]
"""Mono samples from -1 to 1."""
