"""An evening without devices: what is typed and tapped goes in, and all cues are kept."""

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random

from seance.daemon.evening import Evening, House
from seance.daemon.signals import Asked, Passed, Signal, Typed
from seance.dialogue.answers import next_automatic
from seance.dialogue.conversation import Customs
from seance.dialogue.sentences import Sentences
from seance.dialogue.speaking import Unspoken, said_simply, spoken
from seance.journal import Journal
from seance.narration.cues import Cue, Expect, Knock, Say, ShowHour
from seance.narration.script import Script
from seance.narration.staging import Pace, Stage
from seance.rules import Begin, CallTime, State
from seance.rules.bots import Bot

MOST_WORDS = 4000


@cache
def sentences(language: str) -> Sentences:
    return Sentences.load(language)


@cache
def script(language: str) -> Script:
    return Script.load(language)


def house(journal: Path, *, language: str = "en", seed: int = 1894, pace: Pace = Pace.FULL) -> House:
    chance = Random(seed)
    return House(
        sentences=sentences(language),
        stage=Stage(script=script(language), pace=pace),
        customs=Customs(),
        journal=Journal.open(journal),
        seeds=lambda: chance.getrandbits(64),
    )


@dataclass
class Table:
    """People at a table, and the clock on the wall."""

    evening: Evening
    language: str = "en"
    now: float = 100.0
    cues: list[Cue] = field(default_factory=list)
    """All that was perceived so far."""

    def open(self) -> list[Cue]:
        return self._kept(self.evening.open(self.now))

    def give(self, signal: Signal) -> list[Cue]:
        self.now += 0.1
        return self._kept(self.evening.receive(signal, self.now))

    def say(self, text: str) -> list[Cue]:
        return self.give(Typed(text))

    def wait(self, seconds: float) -> list[Cue]:
        cues = []
        for _ in range(round(seconds * 2)):
            self.now += 0.4
            cues += self.give(Passed())
        return cues

    @property
    def state(self) -> State:
        assert self.evening.state is not None
        return self.evening.state

    def lines(self) -> list[str]:
        return [cue.text for cue in self.cues if isinstance(cue, Say)]

    def knocks(self) -> list[Knock]:
        return [cue for cue in self.cues if isinstance(cue, Knock)]

    def hours(self) -> list[int]:
        return [cue.hour for cue in self.cues if isinstance(cue, ShowHour)]

    def _kept(self, cues: tuple[Cue, ...]) -> list[Cue]:
        self.cues += cues
        return list(cues)


def set_up(table: Table, begin: Begin) -> None:
    """Say what is to be played, and yes."""
    table.say(said_simply("begin", table.language))
    table.say(spoken(begin, table.language))
    table.say(said_simply("yes", table.language))


def play(table: Table, begin: Begin, bot: Bot, chance: Random) -> State:
    """Let *bot* decide; guests type what they would say, the ghost taps."""
    set_up(table, begin)
    for _ in range(MOST_WORDS):
        if table.state.outcome is not None:
            return table.state
        act(table, bot, chance)
    raise AssertionError("the night does not end")


def act(table: Table, bot: Bot, chance: Random) -> None:
    """Do one thing that *bot* would do now."""
    room = table.evening.room
    assert room is not None
    assert next_automatic(room) is None, "the manor's answers come by themselves"
    command = bot.choose(table.state)
    try:
        words = spoken(command, table.language, chance.randrange(9), room=room)
    except Unspoken:
        if isinstance(command, CallTime):
            table.now += 120.0
            table.give(Passed())
        else:
            table.give(Asked(command))
        return
    before = table.state
    table.say(words)
    if table.state == before and table.evening.conversation.pending is not None:
        table.say(said_simply("yes", table.language, chance.randrange(9)))


def expected(cues: list[Cue]) -> Expect | None:
    return next((cue for cue in reversed(cues) if isinstance(cue, Expect)), None)
