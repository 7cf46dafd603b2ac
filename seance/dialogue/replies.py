"""What the house answers that no event of the rules says; the words of it are the narrator's."""

from dataclasses import dataclass
from enum import StrEnum

from seance.rules import Category, Phase, Psychic, Table
from seance.rules.view import PsychicView


class Question(StrEnum):
    """Something that is asked for; the bare answer to it is the intent `answer`."""

    EDITION = "edition"
    PLAYERS = "players"
    LEVEL = "level"
    PSYCHICS = "psychics"
    STORY = "story"
    WHO_SPEAKS = "who_speaks"
    WHICH_CARD = "which_card"
    ON_WHOM = "on_whom"
    WHICH_GROUP = "which_group"
    WHO_IS_ELDEST = "who_is_eldest"
    WHAT_TO_CHANGE = "what_to_change"


class Doubt(StrEnum):
    """What cannot be undone, and is asked back first."""

    BREAK_SILENCE = "break_silence"
    ACCUSE = "accuse"
    END = "end"
    BEGIN_ANEW = "begin_anew"
    MISHEARD = "misheard"
    VOTE = "vote"
    ELDEST = "eldest"
    SEAT = "seat"
    """Has the ghost just sat down?"""


class Lacking(StrEnum):
    """What a psychic has not got, or has not done."""

    VISION = "vision"
    CHOICE = "choice"
    ANSWER = "answer"
    VOTE = "vote"
    BALL = "ball"


class Fault(StrEnum):
    """Something in the house that does not work; the night goes on without it."""

    MICROPHONE_GONE = "microphone_gone"
    MICROPHONE_BACK = "microphone_back"
    MICROPHONE_SILENT = "microphone_silent"
    SPEAKER_GONE = "speaker_gone"
    SPEAKER_BACK = "speaker_back"
    DISK_FULL = "disk_full"
    DISK_READ_ONLY = "disk_read_only"
    DISK_FAILING = "disk_failing"
    DISK_BACK = "disk_back"
    JOURNAL_DAMAGED = "journal_damaged"
    NIGHT_UNREADABLE = "night_unreadable"
    MODEL_MISSING = "model_missing"
    VOICE_MISSING = "voice_missing"
    VOICE_REPLACED = "voice_replaced"
    BOARD_MISSING = "board_missing"
    PAGES_MISSING = "pages_missing"
    CLOCK_JUMPED = "clock_jumped"


@dataclass(frozen=True, slots=True)
class Reply:
    """Something the house says of its own, without any change of the game."""


class Welcome(Reply):
    """The house is awake and waits for a night to begin."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask(Reply):
    """A question to the room; `again` when it is asked the second time."""

    question: Question
    again: bool = False
    psychic: Psychic | None = None
    """Whom it is about, where it is about somebody."""
    choices: tuple[str, ...] = ()
    """Levels, editions or colours that may be answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Reply):
    """What will be played, to be answered by yes or no."""

    edition: str
    players: int
    level: str
    psychics: tuple[Psychic, ...]
    story: bool
    by_hand: bool = False
    variant: str | None = None
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AskBack(Reply):
    """Is that really meant? To be answered by yes or no."""

    doubt: Doubt
    psychic: Psychic | None = None
    card: int | None = None
    group: int | None = None
    said: str = ""
    """The words as they were heard, for what may be misheard."""
    again: bool = False


class LeftAlone(Reply):
    """What was asked twice is left: it can be said again at any time."""

    __slots__ = ()


class UsualOtherwise(Reply):
    """What was asked for twice can still be said; if nobody does, the house takes what is usual."""

    __slots__ = ()


class Dropped(Reply):
    """What was asked back was answered by no: nothing happens."""

    __slots__ = ()


class NotUnderstood(Reply):
    """Something was said to the house and means nothing to it."""

    __slots__ = ()


class NothingToUndo(Reply):
    """Nothing was said yet that could be taken back."""

    __slots__ = ()


class NotNeeded(Reply):
    """A yes, a no or a bare answer, and no question was open."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class NoCardThere(Reply):
    """The row of this kind never was so long, or the card has left that place."""

    kind: Category
    place: int
    """From 1, counted from the left."""


@dataclass(frozen=True, slots=True)
class LayOut(Reply):
    """Which cards to lay on the table, in order; one reply a kind of card."""

    table: Table


@dataclass(frozen=True, slots=True)
class Enrolled(Reply):
    """A voice is known from now on, or needs `more` sentences to be known."""

    psychic: Psychic
    more: int = 0


@dataclass(frozen=True, slots=True)
class TimeLeft(Reply):
    """The sand that is left (seconds); None when none runs."""

    seconds: int | None
    paused: bool = False


@dataclass(frozen=True, slots=True)
class SandLeft(Reply):
    """The sand itself says how much is left: sixty, thirty, ten seconds."""

    seconds: int


@dataclass(frozen=True, slots=True)
class HourIs(Reply):
    """Which hour, or day, it is."""

    hour: int
    phase: Phase


@dataclass(frozen=True, slots=True)
class Missing(Reply):
    """Who lacks what now; nobody when the tuple is empty."""

    lacking: Lacking
    psychics: tuple[Psychic, ...]


@dataclass(frozen=True, slots=True)
class Options(Reply):
    """What the room may say now, by the names of intents; `phase` is None before the night."""

    phase: Phase | None
    intents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OnTable(Reply):
    """The cards that lie face up."""

    table: Table


@dataclass(frozen=True, slots=True)
class CrowsLeft(Reply):
    """How many crows the ghost has left."""

    crows: int


@dataclass(frozen=True, slots=True)
class Progress(Reply):
    """Who has found what."""

    psychics: tuple[PsychicView, ...]


class NoNightYet(Reply):
    """A question about a night that has not begun."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Paused(Reply):
    """Time stands still; `already` when it did before."""

    already: bool = False
    seconds: int | None = None
    """The sand that is left, where it was turned."""


@dataclass(frozen=True, slots=True)
class Resumed(Reply):
    """Time runs again; `already` when it did before."""

    already: bool = False
    seconds: int | None = None
    """The sand that is left, where it was turned."""


@dataclass(frozen=True, slots=True)
class Volume(Reply):
    """The voice is louder or quieter; `limit` when it cannot go further."""

    louder: bool
    limit: bool = False


class Hush(Reply):
    """Stop talking at once."""

    __slots__ = ()


class SayAgain(Reply):
    """Say the last thing again."""

    __slots__ = ()


class Asleep(Reply):
    """The house hears nothing but `wake` from now on."""

    __slots__ = ()


class Awake(Reply):
    """The house listens again."""

    __slots__ = ()


class SeatFreed(Reply):
    """The ghost's seat may be taken anew."""

    __slots__ = ()


class SeatTaken(Reply):
    """The ghost sits at a page from now on."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class SeatRefused(Reply):
    """The page that wanted to be the ghost's is not; `answered` when somebody said so."""

    answered: bool = True


class SeatTried(Reply):
    """Somebody wanted the ghost's seat, and it is taken."""

    __slots__ = ()


class SayAloud(Reply):
    """That is answered at the table, and not from a page that anybody may have."""

    __slots__ = ()


class GhostAway(Reply):
    """The ghost's page has been gone for long: the house answers in its place."""

    __slots__ = ()


class SpeakerTest(Reply):
    """The host wants to hear the house."""

    __slots__ = ()


class LightsTest(Reply):
    """The host wants to see every light; then all is shown as it was."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PageAt(Reply):
    """Where the ghost's page is."""

    address: str
    """Such as `seance.local:8013`."""


@dataclass(frozen=True, slots=True)
class Reminder(Reply):
    """The night waits: for whom and what, the *nth* time in this phase."""

    phase: Phase
    nth: int
    psychics: tuple[Psychic, ...] = ()


@dataclass(frozen=True, slots=True)
class Interrupted(Reply):
    """A night was cut off and goes on from here."""

    hour: int
    phase: Phase
    seconds: int | None = None
    """The sand that was left."""
    unfinished: bool = False
    """Whether the house was cut off in the middle of telling something, which follows."""


@dataclass(frozen=True, slots=True)
class Trouble(Reply):
    """Something in the house does not work."""

    fault: Fault


REPLIES: tuple[type[Reply], ...] = (
    Welcome, Ask, Summary, AskBack, LeftAlone, UsualOtherwise, Dropped, NotUnderstood, NothingToUndo, NotNeeded,
    NoCardThere, LayOut, Enrolled, TimeLeft, SandLeft, HourIs, Missing, Options, OnTable, CrowsLeft, Progress,
    NoNightYet, Paused, Resumed,
    Volume, Hush, SayAgain, Asleep, Awake, SeatFreed, SeatTaken, SeatRefused,
    SeatTried, SayAloud, GhostAway, SpeakerTest, LightsTest, PageAt, Reminder, Interrupted, Trouble,
)  # fmt: skip
