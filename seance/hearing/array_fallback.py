"""An array that may become one microphone in the middle of an evening, and an array again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from seance.audio.array_geometry import ArrayGeometry
from seance.hearing.array_recogniser import ArrayRecogniser
from seance.hearing.beamforming import SPECTRUM_FRAME_S
from seance.hearing.recogniser import AudioBlock, Recogniser
from seance.hearing.recognition import Recognition


class FallbackArrayRecogniser(ArrayRecogniser):
    """An ArrayRecogniser that hears blocks without columns as one microphone does, and tells no direction of them."""

    def __init__(self, recogniser: Recogniser, geometry: ArrayGeometry) -> None:
        super().__init__(recogniser, geometry)
        self._is_one_microphone = False

    def feed(self, block: AudioBlock) -> Iterator[Recognition]:
        """Yield what is recognised by the end of *block*, whether it is of one microphone or of all."""
        is_one_microphone = not isinstance(block, bytes) and block.ndim == 1
        if is_one_microphone != self._is_one_microphone:
            yield from self.finish()
            self._begin_device(is_one_microphone=is_one_microphone)
        yield from self.recogniser.feed(block) if is_one_microphone else super().feed(block)

    def _begin_device(self, *, is_one_microphone: bool) -> None:
        """Forget the noise and all talkers, which were another device's; the clock goes on."""
        self._is_one_microphone = is_one_microphone
        now_s = self.now_s
        self._reset_array()
        self._frame = self._free_since = round(now_s / SPECTRUM_FRAME_S)
        self._heard_until_s = now_s
        for _ in self.recogniser.replay(np.zeros(0, np.float32), began_s=now_s):
            pass  # there is nothing to recognise in no sound
