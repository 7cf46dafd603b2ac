"""How time passes in a night: the sand that runs and the playing time in the journal, both of which a pause stops."""

from collections.abc import Iterable

from seance.daemon.night_log import NightLog
from seance.daemon.sand import SandTimer, sand_after_events
from seance.rules import Event


class NightTime:
    """The sand timer of the current hour, beside the night's playing time."""

    def __init__(self, night_log: NightLog) -> None:
        self._night_log = night_log
        self.sand: SandTimer | None = None
        """None while no sand is turned."""

    def restore(self, left_s: float | None, turn_s: float, now: float) -> None:
        """Let the sand of an interrupted night run again from *now*, with *left_s* of *turn_s* seconds left."""
        if left_s is not None:
            self.sand = SandTimer(left_s=left_s, turn_s=turn_s, at=now)

    def follow(self, events: Iterable[Event], now: float) -> None:
        """Turn or stop the sand as *events* say."""
        self.sand = sand_after_events(self.sand, events, now)

    def pause(self, now: float) -> None:
        """Stop the sand and the playing time at *now*."""
        self._night_log.pause(now)
        self.sand = self.sand and self.sand.paused(now)

    def resume(self, now: float) -> None:
        """Let both run again from *now*."""
        self._night_log.resume(now)
        self.sand = self.sand and self.sand.resumed(now)

    def left_s(self, now: float) -> float | None:
        """Return the seconds of sand that are left at *now*; None while no sand is turned."""
        return None if self.sand is None else self.sand.left_at(now)

    def whole_seconds_left(self, now: float) -> int | None:
        """Return the same, rounded to whole seconds."""
        left_s = self.left_s(now)
        return None if left_s is None else round(left_s)
