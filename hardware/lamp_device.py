"""The base class of every device made of lamps."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

from hardware.animations import Levels, still, sweep
from hardware.lamps import PinLamps
from hardware.light_compositor import LightCompositor, Segment
from hardware.timers import Timers


class LampDevice:
    """A device on GPIO pins of its own or on a segment of a shared compositor; it may have no lamps at all."""

    def __init__(
        self, lamps: Segment | Sequence[int] = (), *, timers: Timers | None = None, pin_factory: Any = None
    ) -> None:
        self._compositor: LightCompositor | None = None
        if isinstance(lamps, Segment):
            self._segment = lamps
        else:
            self._compositor = LightCompositor(PinLamps(lamps, pin_factory=pin_factory), timers=timers)
            self._segment = self._compositor.segment(range(len(lamps)))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._segment)

    @property
    def levels(self) -> Levels:
        """The brightness of each lamp as it is shown, 0 to 1."""
        return self._segment.value

    def off(self) -> None:
        """Turn all lamps off."""
        self._segment.play(still((0.0,) * len(self)))

    def sweep(self, seconds: float) -> None:
        """Run a light once over all lamps in *seconds*, then leave them dark."""
        self._segment.play(sweep(len(self), seconds))

    def light_only(self, index: int) -> None:
        """Light the lamp at *index* and turn all others off."""
        self._segment.play(still(tuple(float(index == other) for other in range(len(self)))))

    def close(self) -> None:
        """Turn all lamps off and release the pins; safe to call twice."""
        self.off()
        if self._compositor is not None:
            self._compositor.close()
