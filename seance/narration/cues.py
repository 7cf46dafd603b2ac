"""What the room should perceive next; who performs it, and how, is decided elsewhere."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from seance.dialogue.expected_intents import Sayable
from seance.rules import Psychic, RoomView


class Knocks(StrEnum):
    """What a knock says."""

    YES = "yes"
    NO = "no"
    HOUR = "hour"
    HEARTBEAT = "heartbeat"


class Light(StrEnum):
    """What a psychic's light shows."""

    OFF = "off"
    WAITING = "waiting"
    SERVED = "served"
    CHOSEN = "chosen"
    DONE = "done"


class Sound(StrEnum):
    """A short sound that says something without words."""

    HEARD = "heard"
    UNDERSTOOD = "understood"
    REFUSED = "refused"
    DONE = "done"
    TIME = "time"


class Mood(StrEnum):
    """What the room sounds like while nobody speaks."""

    NONE = "none"
    ARRIVAL = "arrival"
    VISIONS = "visions"
    SAND = "sand"
    LAST_SECONDS = "last_seconds"
    ANSWERS = "answers"
    CULPRIT = "culprit"
    DAWN = "dawn"


@dataclass(frozen=True, slots=True)
class Cue:
    """Something for a performer."""


@dataclass(frozen=True, slots=True)
class Say(Cue):
    """A line, ready to be spoken."""

    text: str
    key: str = ""
    """Where in the script it stands."""
    urgent: bool = False
    """Whether what is being said, and waits to be said, gives way to it."""
    idle: bool = False
    """Whether it may be dropped when anything else is to be said: filling silence."""


@dataclass(frozen=True, slots=True)
class Pause(Cue):
    """Silence between two cues (seconds)."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Knock(Cue):
    """Knocks on wood, played after what was said before and before what is said next."""

    says: Knocks
    count: int = 1
    """How often, for the hour."""


@dataclass(frozen=True, slots=True)
class ShowHour(Cue):
    """The hour on the clock; 0 is none. `struck` when it strikes just now."""

    hour: int
    struck: bool = False


@dataclass(frozen=True, slots=True)
class ShowSand(Cue):
    """The sand: how much is left of how much (seconds), and whether it runs; `left` None when there is none."""

    left: float | None
    of: float = 120.0
    running: bool = True


@dataclass(frozen=True, slots=True)
class ShowPsychics(Cue):
    """The light of each psychic."""

    lights: Mapping[Psychic, Light] = field(hash=False)


@dataclass(frozen=True, slots=True)
class ShowTable(Cue):
    """The table as it now lies, for whoever looks at it on a page."""

    room: RoomView


@dataclass(frozen=True, slots=True)
class Earcon(Cue):
    """A short sound."""

    sound: Sound


@dataclass(frozen=True, slots=True)
class Ambience(Cue):
    """What the room sounds like from now on."""

    mood: Mood


@dataclass(frozen=True, slots=True)
class Hush(Cue):
    """Silence at once: what is being said ends and what waits is dropped."""


@dataclass(frozen=True, slots=True)
class SayAgain(Cue):
    """The last line once more."""


@dataclass(frozen=True, slots=True)
class Volume(Cue):
    """The voice louder or quieter, by steps."""

    steps: int


@dataclass(frozen=True, slots=True)
class Whisper(Cue):
    """A line for the ghost's seat alone: shown there, never spoken."""

    text: str


@dataclass(frozen=True, slots=True)
class Mark(Cue):
    """Nothing to perceive: when its turn comes, all of a night up to this step has been told."""

    night: str
    step: int
    """From 1."""


@dataclass(frozen=True, slots=True)
class Enrol(Cue):
    """Asked of the ear: the voice that has just spoken is this psychic's."""

    psychic: Psychic


@dataclass(frozen=True, slots=True)
class Expect(Cue):
    """Asked of the ear: this may be said now, and nothing else."""

    now: Sayable
