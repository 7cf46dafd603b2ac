"""Cues in the making: lines chosen and filled as they are asked for; what is asked for is decided by the stagings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from seance.narration.cues import Ambience, Cue, Light, Mood, Pause, Say, ShowPsychics
from seance.narration.script import Memory, Script, Value
from seance.rules import EDITIONS, Edition, Phase, Psychic, RoomView
from seance.rules.view import PsychicView


class Pace(StrEnum):
    """How much is said: everything, one short line each, or nothing at all."""

    FULL = "full"
    BRISK = "brisk"
    SILENT = "silent"


class Opening(StrEnum):
    """How much of the story is told first."""

    LONG = "long"
    SHORT = "short"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """How an evening is told."""

    script: Script
    pace: Pace = Pace.FULL
    opening: Opening = Opening.SHORT
    first_night: bool = True
    """Whether the rules are taught as they are needed."""
    editions: Mapping[str, Edition] = field(default_factory=lambda: EDITIONS)
    """With the owner's corrections, for what a view does not say: the limits of the track, the sand."""


class Scene:
    """What the room will perceive of one thing that happened; lasts as long as a call."""

    def __init__(self, stage: Stage, memory: Memory, room: RoomView | None, *, before: RoomView | None = None) -> None:
        self.stage, self.memory, self.room, self.before = stage, memory, room, before
        self.cues: list[Cue] = []
        self._lights: Mapping[Psychic, Light] | None = lights(before) if before else None
        self._mood = MOODS[before.phase] if before else None

    @property
    def edition(self) -> str | None:
        """The name of the edition that is played."""
        return self.room.edition if self.room else None

    @property
    def is_full(self) -> bool:
        """Whether everything is said."""
        return self.stage.pace is Pace.FULL

    @property
    def is_silent(self) -> bool:
        """Whether nothing is said."""
        return self.stage.pace is Pace.SILENT

    def add(self, *cues: Cue) -> None:
        """Add *cues* that are no words."""
        self.cues += cues

    def say(self, key: str, /, **values: Value) -> None:
        """Say a line for *key*, unless nothing is said at all."""
        self._say(key, values)

    def interrupt(self, key: str, /, **values: Value) -> None:
        """Say a line for *key* at once: whatever else is being said gives way."""
        self._say(key, values, urgent=True)

    def insist(self, key: str, /, **values: Value) -> None:
        """Say a line for *key* at every pace: a sound would not say who wants what."""
        self._say(key, values, always=True)

    def _say(self, key: str, values: Mapping[str, Value], *, urgent: bool = False, always: bool = False) -> None:
        if self.is_silent and not always:
            return
        script, brisk = self.stage.script, self.stage.pace is Pace.BRISK
        text, self.memory = script.say(key, self.memory, self.edition, brisk=brisk, **values)
        self.add(Say(text, script.key(key, self.edition, brisk=brisk), urgent=urgent))

    def tell(self, key: str, /, **values: Value) -> None:
        """Say a line for *key* where there is time for it."""
        if self.is_full:
            self.say(key, **values)

    def teach(self, lesson: str) -> None:
        """Say a rule the first time it is needed, on a first night."""
        key = self.stage.script.key(f"lesson.{lesson}", self.edition)
        if self.stage.first_night and not self.memory.times(key):
            self.tell(f"lesson.{lesson}")

    def recount(self, tale: str, pause: float = 0.8) -> None:
        """Tell all of *tale*, with silence (seconds) between its pieces."""
        if not self.is_full:
            return
        for at, piece in enumerate(self.stage.script.tales[tale]):
            if at:
                self.breathe(pause)
            self.add(Say(self.stage.script.fill(piece, self.edition), f"tales.{tale}"))

    def light(self, shown: Mapping[Psychic, Light]) -> None:
        """Show each psychic's light, unless it is shown already."""
        if shown != self._lights:
            self._lights = shown
            self.add(ShowPsychics(shown))

    def mood(self, mood: Mood) -> None:
        """Let the room sound like *mood*, unless it does already."""
        if mood is not self._mood:
            self._mood = mood
            self.add(Ambience(mood))

    def breathe(self, seconds: float) -> None:
        """Be silent for a moment, where something is said at all."""
        if not self.is_silent:
            self.add(Pause(seconds))


def lights(room: RoomView) -> dict[Psychic, Light]:
    """Return the light of each psychic."""
    return {psychic.colour: _light(room, psychic) for psychic in room.psychics}


def _light(room: RoomView, psychic: PsychicView) -> Light:
    if room.phase is Phase.OVER:
        return Light.OFF
    if room.phase is Phase.VOTE:
        return Light.CHOSEN if psychic.colour in room.voted else Light.WAITING
    if room.phase is Phase.ELDEST:
        return Light.WAITING if psychic.colour in (room.eldest_of or ()) else Light.OFF
    if room.phase is Phase.ACCUSATION:
        return Light.CHOSEN if psychic.colour in (room.pointing or ()) else Light.WAITING
    if psychic.searching == "done" or (room.phase is Phase.MANIFESTATION and psychic.answered):
        return Light.DONE
    if psychic.intuition is not None:
        return Light.CHOSEN
    served = psychic.served and room.phase is Phase.VISIONS
    return Light.SERVED if served else Light.WAITING


def spotlight(room: RoomView, psychic: Psychic) -> dict[Psychic, Light]:
    """Return the lights when all eyes are on *psychic*."""
    return {each.colour: Light.CHOSEN if each.colour is psychic else Light.OFF for each in room.psychics}


MOODS: Mapping[Phase, Mood] = {
    Phase.VISIONS: Mood.VISIONS,
    Phase.INTERPRETATION: Mood.SAND,
    Phase.MANIFESTATION: Mood.ANSWERS,
    Phase.LINEUP: Mood.CULPRIT,
    Phase.SHARED_VISION: Mood.CULPRIT,
    Phase.VOTE: Mood.CULPRIT,
    Phase.ELDEST: Mood.CULPRIT,
    Phase.ACCUSATION: Mood.CULPRIT,
    Phase.OVER: Mood.DAWN,
}
"""What the room sounds like in each phase."""
