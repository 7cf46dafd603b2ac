"""How long the room has been silent, and when the narrator may fill the silence with a piece of the story."""

IDLE_LINE_AFTER_S = 20.0
"""Seconds of silence after which the narrator may tell a piece of the story."""
IDLE_LINE_INTERVAL_S = 35.0
"""Least time between two such pieces."""
TYPING_PAUSE_S = 60.0
"""Seconds after the last key for which a line that was not sent counts as being typed."""


class SilenceTimer:
    """Adds up the time between ticks while nobody says or does anything."""

    def __init__(self, now: float = 0.0) -> None:
        """Count from *now*, in seconds of a monotonic clock."""
        self._silence_s = 0.0
        self._last_tick_at = now
        self._last_idle_line_at = 0.0
        self._last_key_at: float | None = None

    def set_typing(self, now: float, *, is_begun: bool) -> None:
        """Note a key that was pressed at *now*, and whether it leaves a line that was begun and not sent."""
        self._last_key_at = now if is_begun else None

    def is_typing(self, now: float) -> bool:
        """Tell whether somebody is typing at *now*."""
        return self._last_key_at is not None and now - self._last_key_at < TYPING_PAUSE_S

    @property
    def seconds(self) -> float:
        """How long nobody has said or done anything."""
        return self._silence_s

    def interrupt(self) -> None:
        """Begin a new silence, because somebody has said or done something."""
        self._silence_s = 0.0

    def tick(self, now: float, *, silent: bool) -> float:
        """Count the time up to *now* if it was *silent*, else begin anew; return the seconds since the last tick."""
        waited_s, self._last_tick_at = now - self._last_tick_at, now
        self._silence_s = self._silence_s + waited_s if silent else 0.0
        return waited_s

    def take_idle_line(self, now: float) -> bool:
        """Tell whether a piece of the story is due at *now*; if so, the next is due IDLE_LINE_INTERVAL_S later."""
        if self._silence_s < IDLE_LINE_AFTER_S or now - self._last_idle_line_at < IDLE_LINE_INTERVAL_S:
            return False
        self._last_idle_line_at = now
        return True
