"""The sand of a night: announces how much is left, and calls time when it has run out or everybody has chosen."""

from seance.daemon.night_runner import NightRunner
from seance.dialogue import replies as r
from seance.dialogue.sand_mode import SandMode
from seance.rules import Phase, Psychic, Seat
from seance.rules import commands as c

SETTLED_AFTER_S = 15.0
"""Seconds of silence after the last choice, after which time is called where no sand runs."""


class TimedNight(NightRunner):
    """A night whose choosing is ended by the sand, or by the house where no sand runs."""

    def _check_sand(self, before: float) -> None:
        """Announce how much sand is left that was not at *before*, and call time when it has run out."""
        if self.sand is None or not self.sand.running:
            return
        if self.sand.left_at(self._now) <= 0:
            self._end_sand()
        elif (left := self.sand.announcement_between(before, self._now)) is not None:
            self._reply(r.SandLeft(left))

    def _end_sand(self) -> None:
        """Call time; with soft sand, only tell that it has run out while somebody is choosing."""
        choosing = self._psychics_choosing()
        if choosing and self._context.defaults.sand is SandMode.SOFT:
            self._time.stop_sand(self._now)
            self._reply(r.SandOut(choosing))
        else:
            self._try_command(c.CallTime(), Seat.ROOM)

    def _call_settled_time(self, silent_s: float) -> None:
        """Call time where no sand runs and all have chosen, after a silence in which others may bet."""
        defaults, room, is_running = self._context.defaults, self.room, self.sand is not None and self.sand.running
        if defaults.sand is SandMode.STRICT or is_running or self.conversation.paused:
            return
        if room is None or room.phase is not Phase.INTERPRETATION:
            return
        is_timed = defaults.edition_of(room).sand_seconds is not None
        if is_timed and not self._psychics_choosing() and silent_s >= SETTLED_AFTER_S:
            self._try_command(c.CallTime(early=True), Seat.ROOM)

    def _psychics_choosing(self) -> tuple[Psychic, ...]:
        psychics = self.room.psychics if self.room else ()
        return tuple(each.colour for each in psychics if each.searching != "done" and each.intuition is None)
