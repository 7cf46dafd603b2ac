"""How time passes in a night: the sand that runs and the playing time in the journal, both of which a pause stops."""

from collections.abc import Iterable

from seance.daemon.night_log import NightLog
from seance.daemon.sand import SandTimer, sand_after_events
from seance.rules import Event
from seance.rules.events import SandTurned


class NightTime:
    """The sand timer of the current hour, beside the night's playing time."""

    def __init__(self, night_log: NightLog, *, sand_is_shown: bool = True) -> None:
        """Time a night; without *sand_is_shown* the sand that the rules turn is no timer."""
        self._night_log, self._sand_is_shown = night_log, sand_is_shown
        self.sand: SandTimer | None = None
        """None while no sand is turned."""

    def restore(self, left_s: float | None, turn_s: float, now: float) -> None:
        """Let the sand of an interrupted night run again from *now*, with *left_s* of *turn_s* seconds left."""
        if left_s is not None:
            self.sand = SandTimer(left_s=left_s, turn_s=turn_s, at=now)

    def follow(self, events: Iterable[Event], now: float) -> None:
        """Turn or stop the sand as *events* say."""
        shown = [event for event in events if self._sand_is_shown or not isinstance(event, SandTurned)]
        self.sand = sand_after_events(self.sand, shown, now)

    def start_sand(self, seconds: float, now: float) -> None:
        """Let *seconds* of sand run from *now*."""
        self.sand = SandTimer(left_s=seconds, turn_s=seconds, at=now)

    def change_sand(self, left_s: float, now: float) -> None:
        """Let *left_s* seconds be left at *now* of the sand that was turned."""
        if self.sand is not None:
            self.sand = self.sand.with_left(left_s, now)

    def stop_sand(self, now: float) -> None:
        """Keep the sand as it is at *now*."""
        self.sand = self.sand and self.sand.paused(now)

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
