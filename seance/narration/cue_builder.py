"""Building cues: lines are chosen from the script and filled, lights and moods are shown when they change."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from seance.dialogue.opening import Opening
from seance.dialogue.sand_mode import SandMode
from seance.narration.cues import (
    Cue,
    Knock,
    KnockMeaning,
    Mood,
    Pause,
    PsychicLight,
    Say,
    SetAmbience,
    ShowHour,
    ShowPsychics,
)
from seance.narration.lore import LorePart
from seance.narration.script import LineValue, Memory, Script
from seance.rules import EDITIONS, Edition, Phase, Psychic, RoomView
from seance.rules.view import PsychicView

BETWEEN_SENTENCES_S = 0.35
BETWEEN_PARTS_S = 0.9
AFTER_KNOCK_S = 0.6


class Pace(StrEnum):
    """How much is said: everything, one short line for each event, or nothing."""

    FULL = "full"
    BRISK = "brisk"
    SILENT = "silent"


@dataclass(frozen=True, slots=True, kw_only=True)
class NarrationStyle:
    """How an evening is narrated: the script, the pace, and how much is told and taught."""

    script: Script
    pace: Pace = Pace.FULL
    opening: Opening = Opening.SHORT
    cards_drawn: bool = False
    """Whether the guests have drawn the cards themselves, so that none is read out to be laid."""
    first_night: bool = True
    """Whether the rules are taught as they are needed."""
    editions: Mapping[str, Edition] = field(default_factory=lambda: EDITIONS)
    """With the owner's corrections; for the limits of the track and the sand, which no view has."""

    def edition_of(self, room: RoomView) -> Edition:
        """Return the edition and variant that *room* plays."""
        edition = self.editions[room.edition]
        return edition if room.variant is None else edition.variants[room.variant]

    sand: SandMode = SandMode.STRICT


class CueBuilder:
    """Collects the cues for one thing that happened."""

    def __init__(
        self, style: NarrationStyle, memory: Memory, room: RoomView | None, *, before: RoomView | None = None
    ) -> None:
        self.style, self.memory, self.room, self.before = style, memory, room, before
        self.cues: list[Cue] = []
        self._told_edition: str | None = None
        self._lights: Mapping[Psychic, PsychicLight] | None = psychic_lights(before) if before else None
        self._mood = MOODS[before.phase] if before else None

    @property
    def edition(self) -> str | None:
        """The name of the edition that is played, or that is told of before the night."""
        return self._told_edition or (self.room.edition if self.room else None)

    def tell_of(self, edition: str) -> None:
        """Use the words of *edition* from now on, which is not played yet."""
        self._told_edition = edition

    @property
    def is_full(self) -> bool:
        """Whether everything is said."""
        return self.style.pace is Pace.FULL

    @property
    def is_silent(self) -> bool:
        """Whether nothing is said."""
        return self.style.pace is Pace.SILENT

    def add(self, *cues: Cue) -> None:
        """Add *cues* as they are."""
        self.cues += cues

    def say(self, key: str, /, **values: LineValue) -> None:
        """Say a line for *key*, unless the pace is silent."""
        self._say(key, values)

    def say_and_write(self, key: str, written: str, /, **values: LineValue) -> None:
        """Say a line for *key*, unless the pace is silent, and let screens show *written* after it."""
        self._say(key, values, written=written)

    def interrupt(self, key: str, /, **values: LineValue) -> None:
        """Say a line for *key* at once, cutting off what is being said."""
        self._say(key, values, urgent=True)

    def insist(self, key: str, /, **values: LineValue) -> None:
        """Say a line for *key* at every pace, even the silent one."""
        self._say(key, values, always=True)

    def insist_in_room(self, key: str, /, **values: LineValue) -> None:
        """Say a line for *key* at every pace, and keep it from pages on the network."""
        self._say(key, values, always=True, in_room_only=True)

    def say_slowly(self, key: str, gap_s: float, /, **values: LineValue) -> None:
        """Say a line for *key* with a silence of *gap_s* seconds between its clauses, unless the pace is silent."""
        self._say(key, values, gap_s=gap_s)

    def _say(
        self,
        key: str,
        values: Mapping[str, LineValue],
        *,
        urgent: bool = False,
        always: bool = False,
        in_room_only: bool = False,
        gap_s: float = 0.0,
        written: str = "",
    ) -> None:
        if self.is_silent and not always:
            return
        script, brisk = self.style.script, self.style.pace is Pace.BRISK
        text, self.memory = script.say(key, self.memory, self.edition, brisk=brisk, **values)
        its_key = script.key(key, self.edition, brisk=brisk)
        self.add(Say(text, its_key, urgent=urgent, in_room_only=in_room_only, gap_s=gap_s, written=written))

    def say_if_full(self, key: str, /, **values: LineValue) -> None:
        """Say a line for *key* at full pace only."""
        if self.is_full:
            self.say(key, **values)

    def teach(self, lesson: str, /, **values: LineValue) -> None:
        """Explain a rule the first time it is needed on a first night, at full pace."""
        key = self.style.script.key(f"lesson.{lesson}", self.edition)
        if self.style.first_night and not self.memory.times(key):
            self.say_if_full(f"lesson.{lesson}", **values)

    def guide(self, moment: str, /, *, once: bool = True, **values: LineValue) -> None:
        """Say what hands do at *moment*: in full on a first night, else in a short line, and not at all when silent.

        With *once* only for the first time. A moment without a short line has none.
        """
        key, script = f"hands.{moment}", self.style.script
        brisk = not (self.style.first_night and self.is_full)
        its_key = script.key(key, self.edition, brisk=brisk)
        if self.is_silent or (brisk and not its_key.startswith("brisk.")) or (once and self.memory.times(its_key)):
            return
        text, self.memory = script.say(key, self.memory, self.edition, brisk=brisk, **values)
        self.add(Say(text, its_key))

    def tell_tale(self, tale: str) -> None:
        """Tell all of *tale* at full pace."""
        if not self.is_full:
            return
        for at, piece in enumerate(self.style.script.tale(tale, self.edition)):
            if at:
                self.pause(BETWEEN_PARTS_S)
            self.add(Say(self.style.script.fill(piece, self.edition), f"tales.{tale}"))

    def tell_parts(self, parts: Iterable[LorePart], *, idle: bool = False) -> None:
        """Tell *parts* of the long opening sentence by sentence, so that it can be skipped between any two.

        With *idle* what is left is dropped once something else is to be told.
        """
        for part in parts:
            for at, sentence in enumerate(part.sentences):
                text = self.style.script.fill(sentence, self.edition)
                self.add(Say(text, f"tales.opening.{part.name}", voice=part.voice, story=True, idle=idle))
                last = at == len(part.sentences) - 1
                self.add(Pause(BETWEEN_PARTS_S if last else BETWEEN_SENTENCES_S, story=True))

    def strike(self, hour: int) -> None:
        """Strike *hour*, and say what hour it is."""
        self.add(ShowHour(hour, struck=True), Knock(KnockMeaning.HOUR, hour))
        self.pause(AFTER_KNOCK_S)
        self.say(f"hour.{hour}")

    def show_lights(self, shown: Mapping[Psychic, PsychicLight]) -> None:
        """Show each psychic's light, unless the same lights are shown already."""
        if shown != self._lights:
            self._lights = shown
            self.add(ShowPsychics(shown))

    def set_mood(self, mood: Mood) -> None:
        """Set the ambience to *mood*, unless it is set already."""
        if mood is not self._mood:
            self._mood = mood
            self.add(SetAmbience(mood))

    def pause(self, seconds: float) -> None:
        """Add a pause, unless the pace is silent."""
        if not self.is_silent:
            self.add(Pause(seconds))


def psychic_lights(room: RoomView) -> dict[Psychic, PsychicLight]:
    """Return what the light of each psychic shows in this phase."""
    return {psychic.colour: _light(room, psychic) for psychic in room.psychics}


def _light(room: RoomView, psychic: PsychicView) -> PsychicLight:
    if room.phase is Phase.OVER:
        return PsychicLight.OFF
    if room.phase is Phase.VOTE:
        return PsychicLight.CHOSEN if psychic.colour in room.voted else PsychicLight.WAITING
    if room.phase is Phase.ELDEST:
        return PsychicLight.WAITING if psychic.colour in (room.eldest_of or ()) else PsychicLight.OFF
    if room.phase is Phase.ACCUSATION:
        return PsychicLight.CHOSEN if psychic.colour in (room.pointing or ()) else PsychicLight.WAITING
    if psychic.searching == "done" or (room.phase is Phase.MANIFESTATION and psychic.answered):
        return PsychicLight.DONE
    if psychic.intuition is not None:
        return PsychicLight.CHOSEN
    served = psychic.served and room.phase is Phase.VISIONS
    return PsychicLight.SERVED if served else PsychicLight.WAITING


def spotlight(room: RoomView, psychic: Psychic) -> dict[Psychic, PsychicLight]:
    """Return the lights with that of *psychic* lit and all others off."""
    return {each.colour: PsychicLight.CHOSEN if each.colour is psychic else PsychicLight.OFF for each in room.psychics}


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
"""The ambience of each phase."""
