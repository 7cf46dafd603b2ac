"""Hours, sand, lights and knocks on the board; what they mean is decided elsewhere."""

from collections.abc import Mapping

from hardware.body import Body
from hardware.knocker import KnockerBusy
from hardware.psychic_lights import LightState as Lamp
from hardware.rhythm import HEARTBEAT, NO, YES, Rhythm, hour_knocks
from seance.narration.cues import KnockMeaning, PsychicLight, ShowPsychics
from seance.rules import Psychic

_AFTER_KNOCK = 0.2
"""Seconds until the last knock has died away."""

_LAMPS: Mapping[PsychicLight, Lamp] = {
    PsychicLight.OFF: Lamp.DARK,
    PsychicLight.WAITING: Lamp.WAITING,
    PsychicLight.SERVED: Lamp.SERVED,
    PsychicLight.CHOSEN: Lamp.CHOSEN,
    PsychicLight.DONE: Lamp.CHOSEN,
}


class Limbs:
    """The body of a board, told what the game shows."""

    def __init__(self, body: Body) -> None:
        self._body = body

    def show_hour(self, hour: int, *, struck: bool) -> None:
        """Show the hour; 0 is none."""
        clock = self._body.clock
        if hour == 0:
            clock.off()
        elif struck:
            clock.strike(hour)
        else:
            clock.show(hour)

    def show_sand(self, left: float | None, of: float, *, running: bool) -> None:
        """Show the sand, running or standing."""
        bar = self._body.bar
        if left is None:
            bar.off()
            return
        bar.drain(of, left=left)
        if not running:
            bar.pause()

    def show_psychics(self, shown: ShowPsychics) -> None:
        """Show each psychic's light, in the order of the colours."""
        lights = (shown.lights.get(psychic, PsychicLight.OFF) for psychic in Psychic)
        self._body.lights.show_all([_LAMPS[light] for light in lights])

    def knock(self, says: KnockMeaning, count: int) -> float:
        """Begin to knock and return how long it takes (seconds); a coil that must cool knocks no more."""
        try:
            return self._body.knocker.play(_rhythm(says, count)) + _AFTER_KNOCK
        except KnockerBusy:
            return 0.0


def _rhythm(says: KnockMeaning, count: int) -> Rhythm:
    if says is KnockMeaning.HOUR:
        return hour_knocks(count)
    return {KnockMeaning.YES: YES, KnockMeaning.NO: NO, KnockMeaning.HEARTBEAT: HEARTBEAT}[says]
