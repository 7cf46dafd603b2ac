"""All lamps of a board: plays scenes on parts of it, a picture at a time, within the current that it has.

It is the only one that writes lamps, and it moves only while a scene does.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from hardware.lamps import Lamps
from hardware.power import current, within
from hardware.scenes import Levels, Scene, still
from hardware.timers import ThreadTimers, Timer, Timers

UNLIMITED = float("inf")


class Stage:
    """The lamps, and the scene that each strip of them plays."""

    def __init__(
        self, lamps: Lamps, *, budget: float = UNLIMITED, brightness: float = 1.0, timers: Timers | None = None
    ) -> None:
        """Let *lamps* never draw more than *budget* milliamperes together; *brightness* is 0 to 1."""
        self.budget, self.brightness = budget, brightness
        self._lamps = lamps
        self._timers: Timers = ThreadTimers("lights") if timers is None else timers
        self._own_timers = timers is None
        self._strips: list[Strip] = []
        self._shown: Levels = (0.0,) * len(lamps.draws)
        self._next: Timer | None = None
        self._lock = threading.RLock()
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._lamps.draws)

    def strip(self, places: Iterable[int]) -> Strip:
        """Return the lamps at *places* as a strip to play scenes on."""
        with self._lock:
            strip = Strip(self, tuple(places))
            self._strips.append(strip)
        return strip

    @property
    def value(self) -> Levels:
        """The brightness of every lamp, as it was written."""
        return self._shown

    @property
    def milliamperes(self) -> float:
        """What the lamps draw at most just now."""
        return current(self._shown, self._lamps.draws)

    def now(self) -> float:
        """Return the time by which scenes are played (seconds)."""
        return self._timers.now()

    def play(self, strip: Strip, scene: Scene) -> None:
        """Show *scene* on *strip* from its beginning, now."""
        with self._lock:
            strip.begin(scene, self.now())
            self.draw()

    def draw(self) -> None:
        """Write the picture of this moment, and see to the next one while something moves."""
        with self._lock:
            if self._closed:
                return
            now = self.now()
            wanted = [0.0] * len(self)
            for strip in self._strips:
                for place, level in zip(strip.places, strip.levels_at(now), strict=True):
                    wanted[place] = level
            self._shown = within(wanted, self._lamps.draws, budget=self.budget, brightness=self.brightness)
            self._lamps.write(self._shown)
            self._come_back(now)

    def close(self) -> None:
        """Let all be dark; a second time does nothing."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            if self._next is not None:
                self._next.cancel()
            self._shown = (0.0,) * len(self)
            self._lamps.close()
        if self._own_timers:
            self._timers.close()

    def _come_back(self, now: float) -> None:
        if self._next is not None:
            self._next.cancel()
        frames = [strip.frame_at(now) for strip in self._strips if strip.moves_at(now)]
        self._next = self._timers.after(min(frames), self.draw) if frames else None


class Strip:
    """Some lamps of a stage, in order."""

    def __init__(self, stage: Stage, places: tuple[int, ...]) -> None:
        self.stage = stage
        self.places = places
        self.scene = still((0.0,) * len(places))
        self._began = 0.0

    def __len__(self) -> int:
        return len(self.places)

    def play(self, scene: Scene) -> None:
        """Show *scene* from its beginning, now."""
        self.stage.play(self, scene)

    def begin(self, scene: Scene, now: float) -> None:
        """Let *scene* have begun at *now*; the stage draws it."""
        self.scene, self._began = scene, now

    @property
    def value(self) -> Levels:
        """The brightness of each lamp, as it was written."""
        shown = self.stage.value
        return tuple(shown[place] for place in self.places)

    def levels_at(self, now: float) -> Levels:
        """Return what the scene wants at *now*."""
        return self.scene.levels(min(now - self._began, self.scene.lasts))

    def frame_at(self, now: float) -> float:
        """Return how many seconds after *now* the next picture is due."""
        return self.scene.frame(now - self._began)

    def moves_at(self, now: float) -> bool:
        """Return whether the scene still changes after *now*."""
        return now - self._began < self.scene.lasts
