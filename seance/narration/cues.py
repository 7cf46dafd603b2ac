"""Cues: what the room should perceive next, as values for the performers."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from seance.dialogue.expected_intents import ExpectedIntents
from seance.rules import Psychic, RoomView


class KnockMeaning(StrEnum):
    """What knocks mean."""

    YES = "yes"
    NO = "no"
    HOUR = "hour"
    HEARTBEAT = "heartbeat"
    CALL = "call"
    """Asked for by another device of the house: they mean nothing."""


class PsychicLight(StrEnum):
    """What a psychic's light shows."""

    OFF = "off"
    WAITING = "waiting"
    SERVED = "served"
    CHOSEN = "chosen"
    DONE = "done"


class Sound(StrEnum):
    """The short sounds (earcons) and what they mean."""

    HEARD = "heard"
    UNDERSTOOD = "understood"
    REFUSED = "refused"
    DONE = "done"
    TIME = "time"
    LISTENING = "listening"


class Mood(StrEnum):
    """What the ambience sounds like."""

    NONE = "none"
    ARRIVAL = "arrival"
    VISIONS = "visions"
    WAITING = "waiting"
    """Visions, from a ghost who takes long."""
    SAND = "sand"
    LAST_SECONDS = "last_seconds"
    ANSWERS = "answers"
    CULPRIT = "culprit"
    DAWN = "dawn"


_CLAUSE_END = re.compile(r"(?<=[,:.])\s+|\s+(?=:)")


@dataclass(frozen=True, slots=True)
class Cue:
    """Something that a performer plays, shows or does."""


@dataclass(frozen=True, slots=True)
class Say(Cue):
    """A line, ready to be spoken."""

    text: str
    key: str = ""
    """The key of the line in the script."""
    urgent: bool = False
    """Whether it cuts off what is being said and drops what is waiting to be said."""
    idle: bool = False
    """Whether it only fills silence, and is dropped when anything else is to be said."""
    in_room_only: bool = False
    """Whether it proves presence in the room, so that pages on the network must not show it."""
    voice: str = "narrator"
    """Who says it: the narrator, or a name of the cast."""
    story: bool = False
    """Whether it belongs to the long opening, which can be skipped."""
    gap_s: float = 0.0
    """Silence after each of its clauses, so that hands can follow; 0 where it is said as it is."""
    written: str = ""
    """What screens show after the text, such as an address that is spoken digit by digit."""

    @property
    def pieces(self) -> tuple[str, ...]:
        """What is spoken at once: the clauses of a line with gaps, else the whole line."""
        return tuple(_CLAUSE_END.split(self.text)) if self.gap_s else (self.text,)

    @property
    def shown(self) -> str:
        """The text as screens show it."""
        return f"{self.text} {self.written}" if self.written else self.text


@dataclass(frozen=True, slots=True)
class Pause(Cue):
    """Silence between two cues."""

    seconds: float
    story: bool = False
    """Whether it belongs to the long opening, which can be skipped."""


@dataclass(frozen=True, slots=True)
class Knock(Cue):
    """Knocks on wood, after the line before and before the line after."""

    says: KnockMeaning
    count: int = 1
    """The number of knocks."""


@dataclass(frozen=True, slots=True)
class ShowHour(Cue):
    """The hour on the clock; 0 is none. `struck` when it strikes just now."""

    hour: int
    struck: bool = False


@dataclass(frozen=True, slots=True)
class ShowSand(Cue):
    """The sand timer."""

    left: float | None
    """Seconds; None when no sand is turned."""
    of: float = 120.0
    """Seconds of a whole turn."""
    running: bool = True


@dataclass(frozen=True, slots=True)
class ShowPsychics(Cue):
    """The light of each psychic."""

    lights: Mapping[Psychic, PsychicLight] = field(hash=False)


@dataclass(frozen=True, slots=True)
class ShowTable(Cue):
    """The table as it now lies, for the pages."""

    room: RoomView


@dataclass(frozen=True, slots=True)
class Earcon(Cue):
    """A short sound."""

    sound: Sound


@dataclass(frozen=True, slots=True)
class SetAmbience(Cue):
    """The ambience from now on."""

    mood: Mood


@dataclass(frozen=True, slots=True)
class StopSpeaking(Cue):
    """Cut off what is being said, and drop what is waiting to be said."""


@dataclass(frozen=True, slots=True)
class StopStory(Cue):
    """Cut off the long opening, and go on with what comes after it."""


@dataclass(frozen=True, slots=True)
class RepeatLine(Cue):
    """Say the last line once more."""


@dataclass(frozen=True, slots=True)
class TellUntold(Cue):
    """Say what was cut off, from the beginning of the line that was being said; nothing where nothing was."""


@dataclass(frozen=True, slots=True)
class ChangeVolume(Cue):
    """Make the voice louder or quieter."""

    steps: int
    """Positive is louder."""


@dataclass(frozen=True, slots=True)
class Whisper(Cue):
    """A line that is shown on the ghost's page only, and never spoken."""

    text: str


@dataclass(frozen=True, slots=True)
class Mark(Cue):
    """Not perceived: its turn in the queue means that the night is told up to this step."""

    night: str
    step: int
    """From 1."""


@dataclass(frozen=True, slots=True)
class Enrol(Cue):
    """For the recogniser: the voice that has just spoken is this psychic's."""

    psychic: Psychic


@dataclass(frozen=True, slots=True)
class MoveChair(Cue):
    """For the recogniser: this psychic sits in that direction around a microphone array."""

    psychic: Psychic
    direction_deg: float
    takes_over: bool = False
    """Whether nobody else sits there any more."""


@dataclass(frozen=True, slots=True)
class ForgetVoice(Cue):
    """For the recogniser: whoever played this psychic has left."""

    psychic: Psychic


@dataclass(frozen=True, slots=True)
class Expect(Cue):
    """For the recogniser: the intents that may be said now."""

    intents: ExpectedIntents


@dataclass(frozen=True, slots=True)
class Listen(Cue):
    """For the recogniser and the screens: somebody has pressed a button to talk, or nobody does any more."""

    is_open: bool
    speaker: Psychic | None = None
    """Who is talking, if known."""
    one_command: bool = False
    """Whether it is over after one command."""
