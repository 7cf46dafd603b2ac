"""Cues for the events of one command; `staged_search` and `staged_verdict` register how each event is told."""

from functools import singledispatch

from seance.narration.cue_builder import AFTER_KNOCK_S, CueBuilder, NarrationStyle, psychic_lights
from seance.narration.cues import Earcon, Knock, KnockMeaning, Pause, PsychicLight, Sound
from seance.narration.script import Memory
from seance.rules import Phase, Psychic, RoomView
from seance.rules import events as e

BEFORE_KNOCK_S = 1.2
BEFORE_VERDICT_S = 2.0
BLINK_S = 0.25


class EventCueBuilder(CueBuilder):
    """Collects the cues for the events of one command."""

    def __init__(
        self,
        style: NarrationStyle,
        memory: Memory,
        events: tuple[e.Event, ...],
        before: RoomView | None,
        room: RoomView,
    ) -> None:
        super().__init__(style, memory, room, before=before)
        self.table = room
        self.events = events
        self.position = 0
        """The index of the event that is being told."""

    def tell_all(self) -> None:
        """Tell every event in turn."""
        for position, event in enumerate(self.events):
            self.position = position
            tell_event(event, self)

    def includes(self, *kinds: type[e.Event]) -> bool:
        """Return whether an event of *kinds* is among the events."""
        return any(isinstance(event, kinds) for event in self.events)

    def is_first_of_kind(self) -> bool:
        """Return whether the event before this one was of another kind."""
        return self.position == 0 or type(self.events[self.position - 1]) is not type(self.events[self.position])

    def is_last_of_kind(self) -> bool:
        """Return whether the event after this one is of another kind."""
        last = self.position == len(self.events) - 1
        return last or type(self.events[self.position + 1]) is not type(self.events[self.position])

    def acknowledge(self) -> None:
        """Show with a sound and the lights that something was understood."""
        self.add(Earcon(Sound.UNDERSTOOD))
        self.show_lights(psychic_lights(self.table))

    def blink(self, psychic: Psychic, *, times: int) -> None:
        """Let the light of *psychic* change and change back, so many *times*."""
        lights = psychic_lights(self.table)
        lit = lights[psychic] in (PsychicLight.CHOSEN, PsychicLight.DONE)
        for at in range(times):
            if at:
                self.add(Pause(BLINK_S))
            self.show_lights({**lights, psychic: PsychicLight.OFF if lit else PsychicLight.CHOSEN})
            self.add(Pause(BLINK_S))
            self.show_lights(lights)

    @property
    def is_sand_running(self) -> bool:
        """Whether guests talk against the sand, so that every word of the house takes their time."""
        has_sand = self.style.editions[self.table.edition].sand_seconds is not None
        is_turned = has_sand and not self.style.sand.is_turned_by_house
        return is_turned and self.table.phase is Phase.INTERPRETATION

    def knock(self, *, yes: bool, after_s: float) -> None:
        """Knock once for yes and twice for no, after a pause of *after_s* seconds."""
        self.pause(after_s)
        self.add(Knock(KnockMeaning.YES if yes else KnockMeaning.NO, 1 if yes else 2))
        self.pause(AFTER_KNOCK_S)


@singledispatch
def tell_event(event: e.Event, _cues: EventCueBuilder) -> None:
    """Add to *cues* what the room perceives of *event*."""
    raise TypeError(f"nothing says how {type(event).__name__} is told")


def one_or_many(count: int) -> str:
    """Return the last part of a key whose lines differ for one and for many."""
    return "one" if count == 1 else "many"
