"""Whole nights on a virtual clock: what the house says, and when, at a table that takes its time as people do."""

from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

from seance.daemon.sand import ANNOUNCED_AT_S
from seance.daemon.silence import IDLE_LINE_AFTER_S, IDLE_LINE_INTERVAL_S
from seance.dialogue import replies as r
from seance.dialogue.conversation_state import DEFAULTS, Conversation
from seance.dialogue.what_next import what_next
from seance.narration.cues import Cue, Knock, Pause, Say
from seance.narration.script import Memory
from seance.narration.staging import NarrationStyle, StagedCues, stage_events, stage_reply, stage_wait
from seance.rules import Begin, Command, Psychic, RoomView, apply, room_view
from seance.rules import commands as c
from seance.rules.bots import Company

WORDS_PER_S = 2.5
"""How fast the house speaks: 150 words a minute."""
SENTENCE_PAUSE_S = 0.4
KNOCK_S = 0.7

TABLE_S: dict[type[Command], float] = {
    c.GiveVision: 30, c.UseCrow: 15, c.TurnSand: 3, c.PlaceIntuition: 12, c.Bet: 4, c.Manifest: 4, c.ChooseCulprit: 30,
    c.LaySharedVision: 60, c.TurnSharedVision: 20, c.ClosePoll: 20, c.Vote: 5, c.PointAt: 20, c.Accuse: 20,
    c.NameEldest: 5,
}  # fmt: skip
"""Seconds that a table takes before a command; a choice takes thrice as long while no sand runs."""
LONG_THOUGHT_S = 150.0
"""How long the ghost thinks once an hour, so that the house reminds the table."""


class Spoken(NamedTuple):
    """A line, and when it was said."""

    at_s: float
    """When it began, in seconds of the night."""
    line: Say
    under_sand: bool


@dataclass
class NightOnClock:
    """A night told by the house: `lines` are what was said, `now_s` the time."""

    style: NarrationStyle
    memory: Memory
    now_s: float = 0.0
    sand_s: float | None = None
    """Seconds of sand left, while it runs."""
    sand_ran_s: float = 0.0
    """Seconds for which sand ran in the whole night."""

    def __post_init__(self) -> None:
        self.lines: list[Spoken] = []
        self._idle_at_s = 0.0
        self._room: RoomView | None = None

    def play(self, begin: Begin) -> None:
        """Tell the night that *begin* begins, as a plausible company plays it."""
        chance = Random(begin.seed)
        company, state = Company(chance), None
        command: Command = begin
        while True:
            before = room_view(state) if state else None
            state, events = apply(state, command)
            self._room = room_view(state)
            if isinstance(command, c.TurnSand):
                self.sand_s = float(state.setup.edition.sand_seconds or 0)
            elif isinstance(command, c.CallTime):
                self.sand_s = None
            self._perform(stage_events(self.style, self.memory, events, before, self._room))
            if isinstance(command, Begin):
                for reply in (r.AskReady(), r.FirstTurn()):
                    self._perform(self._reply(reply))
            if state.outcome is not None:
                return
            command = company.choose(state)
            command = self._wait(command, state.hour)

    def _wait(self, command: Command, hour: int) -> Command:
        """Let the time pass that the table takes for *command*, and return it; the sand runs out every other hour."""
        if isinstance(command, c.CallTime):
            if self.sand_s is None or hour % 2:
                self._pass(5.0)
                return command
            self._pass(self.sand_s)
            return replace(command, early=False)
        seconds = TABLE_S.get(type(command), 5.0)
        if isinstance(command, c.PlaceIntuition) and self.sand_s is None:
            seconds *= 3
        if isinstance(command, c.GiveVision) and hour % 3 == 2 and self._first_waiting() is command.psychic:
            seconds = LONG_THOUGHT_S
        self._pass(seconds)
        return command

    def _first_waiting(self) -> Psychic | None:
        assert self._room is not None
        return next((each.colour for each in self._room.psychics if not each.served), None)

    def _pass(self, seconds: float) -> None:
        """Let *seconds* pass, in which the house tells the sand, fills silence and reminds."""
        began_s, reminded = self.now_s, False
        while (left_s := began_s + seconds - self.now_s) > 0.001:
            self._advance(min(1.0, left_s))
            if self._room is None or self.sand_s is not None:
                continue
            if self.now_s - began_s >= DEFAULTS.remind_after and not reminded:
                reminded = True
                self._perform(self._reply(r.Reminder(what_next(Conversation(), self._room), 1)))
            elif self.now_s - max(began_s + IDLE_LINE_AFTER_S, self._idle_at_s + IDLE_LINE_INTERVAL_S) >= 0:
                self._idle_at_s = self.now_s
                self._perform(stage_wait(self.style, self.memory, self._room))

    def _advance(self, seconds: float) -> None:
        self.now_s += seconds
        if self.sand_s is not None:
            before, self.sand_s = self.sand_s, max(0.0, self.sand_s - seconds)
            self.sand_ran_s += before - self.sand_s
            passed = [mark for mark in ANNOUNCED_AT_S if self.sand_s <= mark < before]
            if passed:
                self._perform(self._reply(r.SandLeft(passed[-1])))

    def _reply(self, reply: r.Reply) -> StagedCues:
        return stage_reply(self.style, self.memory, reply, self._room)

    def _perform(self, staged: StagedCues) -> None:
        self.memory = staged.memory
        for cue in staged.cues:
            if isinstance(cue, Say):
                self.lines.append(Spoken(self.now_s, cue, self.sand_s is not None))
            self._advance(duration_s(cue))


def duration_s(cue: Cue) -> float:
    """Return how long *cue* takes."""
    if isinstance(cue, Say):
        return speaking_s(cue.text) + cue.gap_s * (len(cue.pieces) - 1)
    if isinstance(cue, Pause):
        return cue.seconds
    return KNOCK_S * cue.count if isinstance(cue, Knock) else 0.0


def speaking_s(text: str) -> float:
    """Return how long the house takes to say *text*."""
    return len(text.split()) / WORDS_PER_S + SENTENCE_PAUSE_S * sum(text.count(mark) for mark in ".?!")


def told_night(style: NarrationStyle, begin: Begin) -> NightOnClock:
    """Return a night that was told from beginning to end."""
    night = NightOnClock(style, Memory(begin.seed or 0))
    night.play(begin)
    return night
