"""What every device of lamps has in common: a strip of its own or of a stage, and an end; it shows nothing itself."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

from hardware.lamps import PinLamps
from hardware.light_compositor import Stage, Strip
from hardware.scenes import Levels, still, sweep
from hardware.timers import Timers


class Fixture:
    """A device of lamps: on the GPIO *lamps*, or on a strip of a stage that other devices share; none is allowed."""

    def __init__(
        self, lamps: Strip | Sequence[int] = (), *, timers: Timers | None = None, pin_factory: Any = None
    ) -> None:
        self._stage: Stage | None = None
        if isinstance(lamps, Strip):
            self._strip = lamps
        else:
            self._stage = Stage(PinLamps(lamps, pin_factory=pin_factory), timers=timers)
            self._strip = self._stage.strip(range(len(lamps)))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._strip)

    @property
    def levels(self) -> Levels:
        """The brightness of each lamp as it is shown, 0 to 1."""
        return self._strip.value

    def off(self) -> None:
        """Let all lamps be dark."""
        self._strip.play(still((0.0,) * len(self)))

    def sweep(self, seconds: float) -> None:
        """Let a light run once over all lamps, and all be dark after it."""
        self._strip.play(sweep(len(self), seconds))

    def light(self, place: int) -> None:
        """Light one lamp alone, to see which it is."""
        self._strip.play(still(tuple(float(place == other) for other in range(len(self)))))

    def close(self) -> None:
        """Let all lamps be dark and let go of the pins; a second time does nothing."""
        self.off()
        if self._stage is not None:
            self._stage.close()
