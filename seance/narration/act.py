"""The events of one command as one scene, and the table of who tells which; an event in no table cannot be staged."""

from functools import singledispatch

from seance.narration.cues import Earcon, Knock, Knocks, ShowHour, Sound
from seance.narration.scene import Scene, Stage, lights
from seance.narration.script import Memory
from seance.rules import RoomView
from seance.rules import events as e

BEFORE_KNOCK, AFTER_KNOCK, BEFORE_VERDICT = 1.2, 0.6, 2.0
"""Silence around knocks (seconds)."""


class Act(Scene):
    """The scene that the events of one command make, as they are told one after the other."""

    def __init__(
        self, stage: Stage, memory: Memory, events: tuple[e.Event, ...], before: RoomView | None, room: RoomView
    ) -> None:
        super().__init__(stage, memory, room, before=before)
        self.table, self.events, self.at = room, events, 0

    def tell_all(self) -> None:
        """Tell every event in turn."""
        for at, event in enumerate(self.events):
            self.at = at
            tell_event(event, self)

    def follows(self, *kinds: type[e.Event]) -> bool:
        """Tell whether an event of *kinds* is among them."""
        return any(isinstance(event, kinds) for event in self.events)

    def is_first(self) -> bool:
        """Tell whether the event before this one was of another kind."""
        return self.at == 0 or type(self.events[self.at - 1]) is not type(self.events[self.at])

    def is_last(self) -> bool:
        """Tell whether the event after this one is of another kind."""
        last = self.at == len(self.events) - 1
        return last or type(self.events[self.at + 1]) is not type(self.events[self.at])

    def understood(self) -> None:
        """Show without words that something was understood."""
        self.add(Earcon(Sound.UNDERSTOOD))
        self.light(lights(self.table))

    def knock(self, *, yes: bool, after: float) -> None:
        """Knock between two lines, with silence on both sides; *after* seconds of it before."""
        self.breathe(after)
        self.add(Knock(Knocks.YES if yes else Knocks.NO, 1 if yes else 2))
        self.breathe(AFTER_KNOCK)

    def strike(self, hour: int) -> None:
        """Let the clock strike, and say what hour it is."""
        self.add(ShowHour(hour, struck=True), Knock(Knocks.HOUR, hour))
        self.breathe(AFTER_KNOCK)
        self.say(f"hour.{hour}")


@singledispatch
def tell_event(event: e.Event, _act: Act) -> None:
    """Add to *act* what the room perceives of *event*."""
    raise TypeError(f"nothing says how {type(event).__name__} is told")


def one_or_many(count: int) -> str:
    """Return the end of a key that depends on number."""
    return "one" if count == 1 else "many"
