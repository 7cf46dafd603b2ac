"""Drives the body of a board: hours on the clock, sand on the bar, psychics' lights, knocks."""

from collections.abc import Mapping

from hardware.body import Body
from hardware.knocker import KnockerBusy
from hardware.psychic_lights import LightState as Lamp
from hardware.rhythm import HEARTBEAT, NO, YES, Rhythm, hour_knocks, knocks
from seance.narration.cues import KnockMeaning, PsychicLight, ShowPsychics
from seance.rules import Psychic

_KNOCK_DECAY_S = 0.2
"""Until the last knock has died away."""

_LAMP_OF_LIGHT: Mapping[PsychicLight, Lamp] = {
    PsychicLight.OFF: Lamp.DARK,
    PsychicLight.WAITING: Lamp.WAITING,
    PsychicLight.SERVED: Lamp.SERVED,
    PsychicLight.CHOSEN: Lamp.CHOSEN,
    PsychicLight.DONE: Lamp.CHOSEN,
}


class BodyDriver:
    """Shows the game on the body of a board."""

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

    def show_sand(self, left_s: float | None, turn_s: float, *, running: bool) -> None:
        """Show the seconds of sand left, of a turn of *turn_s*; None is no sand."""
        bar = self._body.bar
        if left_s is None:
            bar.off()
            return
        bar.drain(turn_s, left=left_s)
        if not running:
            bar.pause()

    def show_psychics(self, cue: ShowPsychics) -> None:
        """Show each psychic's light, in the order of the colours."""
        lights = (cue.lights.get(psychic, PsychicLight.OFF) for psychic in Psychic)
        self._body.lights.show_all([_LAMP_OF_LIGHT[light] for light in lights])

    def knock(self, says: KnockMeaning, count: int) -> float:
        """Begin to knock and return the seconds that it takes; 0 if the coil must cool first."""
        try:
            return self._body.knocker.play(_rhythm(says, count)) + _KNOCK_DECAY_S
        except KnockerBusy:
            return 0.0


def _rhythm(says: KnockMeaning, count: int) -> Rhythm:
    if says is KnockMeaning.HOUR:
        return hour_knocks(count)
    if says is KnockMeaning.CALL:
        return knocks(count)
    return {KnockMeaning.YES: YES, KnockMeaning.NO: NO, KnockMeaning.HEARTBEAT: HEARTBEAT}[says]
