"""Replies: what the house says in a conversation, besides what events and refusals say.

Class names are keys in voices/*/script.toml.
"""

from dataclasses import dataclass
from enum import StrEnum

from seance.dialogue.faults import Fault
from seance.dialogue.guest_replies import GuestBack as GuestBack
from seance.dialogue.guest_replies import GuestLeft as GuestLeft
from seance.dialogue.guest_replies import NotASuspect as NotASuspect
from seance.dialogue.guest_replies import TellStory as TellStory
from seance.dialogue.guest_replies import Tried as Tried
from seance.dialogue.guest_replies import WrongRow as WrongRow
from seance.dialogue.layout_replies import AskReady as AskReady
from seance.dialogue.layout_replies import FirstTurn as FirstTurn
from seance.dialogue.layout_replies import HandsAnswer as HandsAnswer
from seance.dialogue.layout_replies import TakeYourTime as TakeYourTime
from seance.dialogue.next_step import NextStep
from seance.dialogue.opening import Opening
from seance.dialogue.questions import Doubt, DrawnRow, Question
from seance.dialogue.reply_base import Reply as Reply
from seance.dialogue.seat_replies import SEAT_REPLIES
from seance.rules import Category, Phase, Psychic, Table
from seance.rules.view import PsychicView


class Lacking(StrEnum):
    """What a psychic has not been given, or has not done."""

    VISION = "vision"
    CHOICE = "choice"
    ANSWER = "answer"
    VOTE = "vote"
    SLEEVE = "sleeve"
    """A vote in a sleeve, where nobody sees it."""
    READING = "reading"
    """A vote that is to be read aloud."""
    BALL = "ball"


class Welcome(Reply):
    """The house is awake and waiting for a night to begin."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask(Reply):
    """A question to the room; `again` when it is asked for the second time."""

    question: Question
    again: bool = False
    psychic: Psychic | None = None
    """The psychic it is about, if any."""
    choices: tuple[str, ...] = ()
    """Levels, editions or colours that may be answered."""
    needed: int = 0
    """How many colours play, where it asks for them."""
    row: DrawnRow | None = None
    """The row of cards that it asks for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Reply):
    """What will be played, to be answered with yes or no."""

    edition: str
    players: int
    level: str
    psychics: tuple[Psychic, ...]
    story: Opening | bool
    """How much of it is told; earlier versions stored whether it is told."""
    by_hand: bool = False
    variant: str | None = None
    drawn: bool = False
    """Whether the guests draw the cards themselves."""
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AskBack(Reply):
    """Is that really meant? To be answered with yes or no."""

    doubt: Doubt
    psychic: Psychic | None = None
    card: int | None = None
    group: int | None = None
    instead_of: int | None = None
    """The group that the same voter has named before."""
    said: str = ""
    """The words as they were heard, where they may be misheard."""
    again: bool = False
    mark: str = ""
    """The key of the word that the phone shows which asks for the ghost's seat."""
    digits: str | None = None
    """The two digits that another phone must type, where a yes can come from nowhere else."""
    row: DrawnRow | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongPlayers(Reply):
    """So many cannot play the edition that was chosen, or any edition where none was."""

    edition: str | None
    players: int
    least: int
    most: int


class LeftAlone(Reply):
    """A question is dropped after it was asked twice; it can be answered at any time."""

    __slots__ = ()


class UsualOtherwise(Reply):
    """A question of the set-up was asked twice; if nobody answers it, the default is taken."""

    __slots__ = ()


class Dropped(Reply):
    """A question was answered with no: nothing happens."""

    __slots__ = ()


class NotUnderstood(Reply):
    """Something was said to the house and not understood."""

    __slots__ = ()


class NothingToUndo(Reply):
    """There is nothing that could be taken back."""

    __slots__ = ()


class VoteIsSilent(Reply):
    """Somebody has said a vote aloud before the votes are read; it is neither repeated nor counted (L30)."""

    __slots__ = ()


class NotNeeded(Reply):
    """A yes, a no or a bare answer was given, and no question was open."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class NoCardThere(Reply):
    """There is no card at this place: the row was never so long, or the card was found."""

    kind: Category
    place: int
    """From 1, counted from the left."""


@dataclass(frozen=True, slots=True)
class LayOut(Reply):
    """The cards to lay on the table, in order."""

    table: Table


@dataclass(frozen=True, slots=True)
class Enrolled(Reply):
    """A voice is enrolled, or needs `more` sentences first."""

    psychic: Psychic
    more: int = 0


@dataclass(frozen=True, slots=True)
class TimeLeft(Reply):
    """How much sand is left, when somebody asks."""

    seconds: int | None
    """None when no sand runs."""
    paused: bool = False


@dataclass(frozen=True, slots=True)
class SandLeft(Reply):
    """How much sand is left, said unasked at sixty, thirty and ten seconds."""

    seconds: int


@dataclass(frozen=True, slots=True)
class SandOut(Reply):
    """The sand has run out, and whoever is still choosing may finish."""

    psychics: tuple[Psychic, ...]


@dataclass(frozen=True, slots=True)
class SandStarted(Reply):
    """The sand runs because somebody asked for it."""

    seconds: int


@dataclass(frozen=True, slots=True)
class HourIs(Reply):
    """Which hour, or day, it is."""

    hour: int
    phase: Phase


@dataclass(frozen=True, slots=True)
class Missing(Reply):
    """What is missing, and for which psychics; for nobody when the tuple is empty."""

    lacking: Lacking
    psychics: tuple[Psychic, ...]


@dataclass(frozen=True, slots=True)
class Options(Reply):
    """The intents that the room may say now; `phase` is None before the night."""

    phase: Phase | None
    intents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WhatNext(Reply):
    """What carries the evening on, when somebody asks."""

    step: NextStep


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
    """Somebody asked about a night, and none has begun."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Paused(Reply):
    """The night is paused; `already` when it was before."""

    already: bool = False
    seconds: int | None = None
    """The sand that is left; None where none was turned."""


@dataclass(frozen=True, slots=True)
class Resumed(Reply):
    """The night goes on; `already` when it was not paused."""

    already: bool = False
    seconds: int | None = None
    """The sand that is left; None where none was turned."""


@dataclass(frozen=True, slots=True)
class Volume(Reply):
    """The voice is louder or quieter; `limit` when it cannot go further."""

    louder: bool
    limit: bool = False


class Hush(Reply):
    """Stop talking at once."""

    __slots__ = ()


class SkipStory(Reply):
    """The rest of the long opening is not wanted."""

    __slots__ = ()


class SayAgain(Reply):
    """Say the last thing again."""

    __slots__ = ()


class Asleep(Reply):
    """From now on the house listens only for `wake`."""

    __slots__ = ()


class Awake(Reply):
    """The house listens again."""

    __slots__ = ()


class SpeakerTest(Reply):
    """The host wants to hear the house."""

    __slots__ = ()


class LightsTest(Reply):
    """The host wants to see every light for a moment."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class HostCode(Reply):
    """The code that makes a phone the host's; for the room alone."""

    code: str


@dataclass(frozen=True, slots=True)
class PageAt(Reply):
    """Where the ghost's page is."""

    address: str | None
    """Such as `seance.local:8013`; None if no phone can open a page."""


@dataclass(frozen=True, slots=True)
class Reminder(Reply):
    """The night is waiting for what *step* says; the *nth* reminder in this phase."""

    step: NextStep
    nth: int


@dataclass(frozen=True, slots=True)
class Interrupted(Reply):
    """A night was interrupted and goes on from here."""

    hour: int
    phase: Phase
    seconds: int | None = None
    """The sand that was left."""
    unfinished: bool = False
    """Whether the house was cut off while telling something, which it will tell next."""


@dataclass(frozen=True, slots=True)
class Trouble(Reply):
    """Something in the house does not work."""

    fault: Fault


REPLIES: tuple[type[Reply], ...] = (
    Welcome, Ask, Summary, AskBack, WrongPlayers, LeftAlone, UsualOtherwise, Dropped, NotUnderstood, NothingToUndo,
    NotNeeded, NoCardThere, LayOut, Enrolled, TimeLeft, SandLeft, SandOut, SandStarted, HourIs, Missing, Options,
    WhatNext, OnTable, CrowsLeft, Progress, Tried, NoNightYet, Paused, Resumed,
    Volume, Hush, SkipStory, SayAgain, Asleep, Awake,
    SpeakerTest, LightsTest, HostCode, PageAt, Reminder, Interrupted, Trouble,
    VoteIsSilent, AskReady, TakeYourTime, HandsAnswer, FirstTurn,
    *SEAT_REPLIES,
    WrongRow, NotASuspect, GuestLeft, GuestBack, TellStory,
)  # fmt: skip
