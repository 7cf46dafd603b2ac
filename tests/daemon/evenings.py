"""An evening without devices, for tests: a table that types and taps, and a journal that keeps what it was given."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from seance.daemon.context import EveningContext
from seance.daemon.evening import Evening
from seance.daemon.room_devices import RoomDevices
from seance.daemon.signals import GhostCommand, Signal, StepTold, Tick, Typed
from seance.dialogue.answers import automatic_manifest
from seance.dialogue.conversation import Defaults
from seance.dialogue.expected_intents import ExpectedIntents
from seance.dialogue.phrasing import NotSpoken, phrase_command, phrase_word
from seance.ghost_words import GhostWords
from seance.journal import Journal, JournalReader
from seance.narration.cues import Cue, Expect, Knock, KnockMeaning, Mark, Pause, Say, ShowHour, ShowTable, Whisper
from seance.narration.help_card import HelpTexts
from seance.narration.script import Script
from seance.narration.staging import NarrationStyle, Pace
from seance.permissions import Action
from seance.rules import EDITIONS, LIBELLUD, Begin, CallTime, Command, Event, Psychic, State, apply, evolve
from seance.rules import commands as c
from seance.rules import events as e
from seance.rules.bots import Bot, Wanderer
from tests.guests import sentences

MOST_WORDS = 4000
"""More than any night takes."""


@cache
def script(language: str) -> Script:
    return Script.load(language)


class Witness(Journal):
    """A journal that also remembers what it was given, in its order."""

    def __init__(self, path: Path, **clock: Any) -> None:
        super().__init__(path, **clock)
        self.entries: list[tuple[Command, tuple[Event, ...]]] = []
        self.state: State | None = None
        """How the night stands by what was written."""

    def append(self, night: str, command: Command, events: Any, **more: Any) -> None:
        super().append(night, command, events, **more)
        self.entries.append((command, tuple(events)))
        for event in events:
            self.state = evolve(self.state, event)


def evening_context(
    journal: Path | Journal,
    *,
    language: str = "en",
    seed: int = 1894,
    pace: Pace = Pace.FULL,
    defaults: Defaults | None = None,
    devices: RoomDevices | None = None,
    allowed_to_devices: frozenset[Action] = frozenset(),
) -> EveningContext:
    chance, defaults = Random(seed), defaults or Defaults()
    return EveningContext(
        sentences=sentences(language),
        style=NarrationStyle(script=script(language), pace=pace, sand=defaults.sand),
        ghost_words=GhostWords.load(language),
        help_texts=HelpTexts.load(language, defaults.editions),
        defaults=defaults,
        devices=devices or RoomDevices(),
        allowed_to_devices=allowed_to_devices,
        journal=journal if isinstance(journal, Journal) else Witness.open(journal),
        draw_seed=lambda: chance.getrandbits(63),
    )


@dataclass
class Table:
    """People at a table, and the clock on the wall."""

    evening: Evening
    journal: Witness
    language: str = "en"
    now: float = 100.0
    cues: list[Cue] = field(default_factory=list)
    """All that was perceived so far."""
    expect: ExpectedIntents | None = None
    """What the ear was told last."""
    attentive: bool = True
    """Whether all is heard to its end as soon as it is told."""

    def open(self) -> list[Cue]:
        return self._kept(self.evening.open(self.now))

    def give(self, signal: Signal) -> list[Cue]:
        self.now += 0.1
        return self._kept(self.evening.receive(signal, self.now))

    def say(self, text: str) -> list[Cue]:
        return self.give(Typed(text))

    def ask(self, *commands: Command) -> list[Cue]:
        """Let the ghost do what needs no words."""
        return [cue for command in commands for cue in self.give(GhostCommand(command))]

    def wait(self, seconds: float) -> list[Cue]:
        """Let *seconds* pass in silence."""
        cues = []
        for _ in range(round(seconds * 2)):
            self.now += 0.4
            cues += self.give(Tick())
        return cues

    def would_hear(self, words: str) -> bool:
        """Tell whether an ear that is narrowed to what it was told last hears *words*."""
        assert self.expect is not None
        return self.expect.narrow(sentences(self.language)).match(words) is not None

    @property
    def state(self) -> State:
        assert self.evening.state is not None
        return self.evening.state

    def _kept(self, cues: tuple[Cue, ...]) -> list[Cue]:
        self.cues += cues
        for mark in of(list(cues), Mark) if self.attentive else ():
            self.evening.receive(StepTold(mark.night, mark.step), self.now)
        self.expect = next((cue.intents for cue in cues if isinstance(cue, Expect)), self.expect)
        return list(cues)


def table(folder: Path, *, language: str = "en", **choices: Any) -> Table:
    """Open the house whose journal is in *folder*."""
    held = evening_context(folder / "nights.sqlite", language=language, **choices)
    assert isinstance(held.journal, Witness)
    table = Table(Evening(held), held.journal, language)
    table.open()
    return table


def again(before: Table, **choices: Any) -> Table:
    """Open the same house anew, as after a power cut: what was in memory alone is gone."""
    before.journal.close()
    held = evening_context(before.journal.path, language=before.language, seed=7, **choices)
    assert isinstance(held.journal, Witness)
    held.journal.state = before.journal.state
    after = Table(Evening(held), held.journal, before.language, now=5.0)
    after.open()
    return after


# What was perceived


def lines(cues: list[Cue]) -> list[str]:
    """Return what was said."""
    return [cue.text for cue in cues if isinstance(cue, Say)]


def keys(cues: list[Cue]) -> list[str]:
    """Return where in the script stands what was said."""
    return [cue.key for cue in cues if isinstance(cue, Say)]


def whispers(cues: list[Cue]) -> list[str]:
    return [cue.text for cue in cues if isinstance(cue, Whisper)]


def knocks(cues: list[Cue]) -> list[tuple[KnockMeaning, int]]:
    return [(cue.says, cue.count) for cue in cues if isinstance(cue, Knock)]


def of(cues: list[Cue], kind: type[Cue]) -> list[Any]:
    return [cue for cue in cues if isinstance(cue, kind)]


# Nights


def night(edition: str = "libellud", players: int = 5, seed: int = 1894, **choices: Any) -> Begin:
    """Return a night with a level and psychics that *seed* chooses."""
    chance, of_it = Random(seed), EDITIONS[edition]
    psychics = tuple(chance.sample(tuple(Psychic), of_it.psychics(players)))
    psychics = psychics if len(psychics) < 5 else tuple(sorted(psychics, key=tuple(Psychic).index))
    return Begin(edition=of_it, players=players, level=chance.choice(list(of_it.levels)), psychics=psychics, **choices)


def set_up(table: Table, begin: Begin) -> None:
    """Say what is to be played, and yes."""
    table.say(phrase_word("begin", table.language))
    table.say(phrase_command(begin, table.language))
    table.say(phrase_word("yes", table.language))
    command, _ = table.journal.entries[-1]
    assert isinstance(command, Begin)
    assert replace(command, seed=None) == begin
    be_ready(table)


def be_ready(table: Table) -> None:
    """Say that everything is laid, if the house still waits for that."""
    if table.evening.conversation.laying_out:
        table.say(phrase_word("ready", table.language))
        assert not table.evening.conversation.laying_out


def begun(table: Table, *psychics: Psychic, **choices: Any) -> Table:
    """Begin a night for those psychics, of the big box unless another edition is chosen; it is dealt at random."""
    chosen = {"edition": LIBELLUD, "level": "easy", **choices}
    set_up(table, Begin(players=len(psychics) + 1, psychics=psychics, **chosen))
    return table


def play(table: Table, begin: Begin, bot: Bot, chance: Random) -> State:
    """Let *bot* decide; guests type what they would say, the ghost taps."""
    set_up(table, begin)
    for _ in range(MOST_WORDS):
        if table.state.outcome is not None:
            return table.state
        act(table, bot.choose(table.state), chance)
    raise AssertionError("the night does not end")


def act(table: Table, command: Command, chance: Random) -> list[Cue]:
    """Do *command*, and see that it was done, and that what follows was told in order."""
    written = len(table.journal.entries)
    cues = done(table, command, chance)
    entries = table.journal.entries[written:]
    assert [entry[0] for entry in entries[:1]] == [command]
    assert all(isinstance(other, c.Manifest) for other, _ in entries[1:]), "only the manor's answers come unasked"
    check(table, cues, [event for _, events in entries for event in events])
    return cues


def done(table: Table, command: Command, chance: Random) -> list[Cue]:
    """Do *command* as it is done at a table: said, and yes to what is asked back, or tapped, or waited for."""
    room = table.evening.room
    assert room is not None
    assert automatic_manifest(room) is None, "the manor's answers come by themselves"
    try:
        words = phrase_command(command, table.language, chance.randrange(9), room=room)
    except NotSpoken:
        if not isinstance(command, CallTime) or table.evening.sand is None:
            return table.ask(command)
        table.now += table.evening.sand.left_at(table.now)
        return table.give(Tick())
    assert table.would_hear(words), f"{words!r} is not expected"
    cues = table.say(words)
    pending = table.evening.conversation.pending
    if pending is not None and pending.ask_back is not None:
        yes = phrase_word("yes", table.language, chance.randrange(9))
        assert table.would_hear(yes)
        return table.say(yes)
    return cues


class Sayer(Wanderer):
    """Plays any legal command, and takes back only what was done last: "undo that" names nobody."""

    def __init__(self, chance: Random, table: Table) -> None:
        super().__init__(chance)
        object.__setattr__(self, "table", table)

    def choose(self, state: State) -> Command:
        while True:
            command = super().choose(state)
            done = self.table.evening.conversation.done  # type: ignore[attr-defined]
            if not isinstance(command, c.TakeBack) or (done and done[-1].psychic is command.psychic):
                return command


# What is true of every step


def check(table: Table, cues: list[Cue], events: list[Event]) -> None:
    """Check that *cues* tell *events* truly and in an allowed order, and that all of them were written before."""
    assert table.journal.state == table.state, "something is told that is not written"
    assert knocks(cues) == list(knocked(events))
    assert [cue.hour for cue in of(cues, ShowHour)] == [hour for hour in map(_hour, events) if hour]
    ends = [at for at, cue in enumerate(cues) if isinstance(cue, ShowTable) and cue.room.outcome is not None]
    assert not lines(cues[ends[0] :] if ends else []), "the outcome is shown before it is told"
    cues = [cue for cue in cues if not isinstance(cue, ShowTable)]
    for before, (at, cue) in zip([None, *cues], enumerate(cues), strict=False):
        if isinstance(cue, Knock) and lines(cues):
            assert isinstance(before, ShowHour if cue.says is KnockMeaning.HOUR else Pause)
            assert isinstance(cues[at + 1], Pause)
            assert isinstance(cues[at + 2], Say)
        if isinstance(cue, Expect):
            assert cue is cues[-1], "what may be said is known when all is told"


def knocked(events: list[Event]) -> Iterator[tuple[KnockMeaning, int]]:
    """Yield what is to be knocked of *events*: once for yes, twice for no, and every hour but the first."""
    for event in events:
        if isinstance(event, e.IntuitionAnswered):
            yield (KnockMeaning.YES, 1) if event.correct else (KnockMeaning.NO, 2)
        elif isinstance(event, e.Accused):
            yield (KnockMeaning.YES, 1) if e.CulpritRevealed(event.group) in events else (KnockMeaning.NO, 2)
        elif (hour := _hour(event)) is not None:
            yield KnockMeaning.HOUR, hour


def _hour(event: Event) -> int | None:
    return event.hour if isinstance(event, e.HourStruck) else None


def check_whole(table: Table) -> None:
    """Check a night that is over: the same commands lead to it, and its hours came in order."""
    state: State | None = None
    for command, _ in table.journal.entries:
        state, _ = apply(state, command)
    assert state == table.state
    hours = [cue.hour for cue in of(table.cues, ShowHour)]
    assert all(one < other for one, other in pairwise(hours))
    with JournalReader.open(table.journal.path) as file:
        number = file.last_number()
        assert number is not None
        assert file.night(number).state == state
