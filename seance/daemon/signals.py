"""How the world touches the house; what it means is decided elsewhere."""

from dataclasses import dataclass

from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.replies import Fault
from seance.rules import Command, Psychic

MOST_TYPED = 500
"""Characters; no sentence is nearly as long."""


@dataclass(frozen=True, slots=True)
class Signal:
    """Something for the one inbox."""


@dataclass(frozen=True, slots=True)
class Heard(Signal):
    """A stretch of speech at the table."""

    text: str
    intent: Intent | None
    """None when it was no command."""
    confidence: float = 1.0
    """From 0 to 1."""
    speaker: Psychic | None = None
    """Whose enrolled voice it was."""


@dataclass(frozen=True, slots=True)
class Typed(Signal):
    """A line of words from a keyboard; it counts as said."""

    text: str

    @property
    def words(self) -> str:
        """Return as much of the text as anybody says in one breath, without what cannot be written down."""
        return self.text[:MOST_TYPED].encode(errors="replace").decode().strip()


@dataclass(frozen=True, slots=True)
class Written(Typed):
    """A line of words from a table's page; it counts as said, and never as the ghost's."""

    here: bool = False
    """Whether that page is open on this very machine: its keyboard is the house's own."""


@dataclass(frozen=True, slots=True)
class Asked(Signal):
    """A command that needs no words: the ghost's page or keyboard."""

    command: Command
    device: str | None = None
    """Whose page it was; None at the house's own keyboard."""


@dataclass(frozen=True, slots=True)
class Controlled(Signal):
    """The ghost's page wants a pause, or no more of it."""

    device: str
    pause: bool


@dataclass(frozen=True, slots=True)
class SatDown(Signal):
    """A device wants the ghost's seat; None where it is another's, as the page was told."""

    device: str | None


@dataclass(frozen=True, slots=True)
class Watching(Signal):
    """The page of a device that has asked for the seat is open, or open no more."""

    device: str
    watches: bool


@dataclass(frozen=True, slots=True)
class Wished(Signal):
    """What the host wants from a page: louder, quieter, or a test."""

    wish: str
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Pressed(Signal):
    """A button under the table."""

    button: str
    """`visions`, `yes`, `no` or `crow`."""
    long: bool = False


@dataclass(frozen=True, slots=True)
class Failed(Signal):
    """Something in the house does not work, or works again."""

    fault: Fault


@dataclass(frozen=True, slots=True)
class Passed(Signal):
    """Time has passed; *silent* when neither the house nor anybody near was speaking."""

    silent: bool = True


@dataclass(frozen=True, slots=True)
class Told(Signal):
    """All of a night up to this step has been told to the room."""

    night: str
    step: int
    """From 1."""


@dataclass(frozen=True, slots=True)
class Stop(Signal):
    """The evening ends; a night that has not ended goes on another time."""

    when_told: bool = False
    """Whether all that is still to be told is told first."""
    power_off: bool = False
    """Whether the machine is to be switched off afterwards."""
    language: str | None = None
    """In which language the house opens again at once; None where it does not."""
