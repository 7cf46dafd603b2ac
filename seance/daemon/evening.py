"""The one owner of the state: a signal goes in, what the room should perceive comes out; it touches no device.

One straight way: said, understood, asked of the rules, written down, and only then told.
"""

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import singledispatchmethod

import msgspec

from seance.codec import NotACommand, decode_command, view_fields
from seance.daemon.ghost_buttons import asked_by
from seance.daemon.sand import Sand
from seance.daemon.signals import Asked, Failed, Heard, Passed, Pressed, Signal, Stop, Typed
from seance.dialogue import conversation as talk
from seance.dialogue import replies as r
from seance.dialogue.answers import next_automatic
from seance.dialogue.conversation import Answer, Conversation, Customs, EnrolVoice
from seance.dialogue.sayable import sayable
from seance.dialogue.sentences import Ambiguous, Intent, Sentences
from seance.journal import Journal, Kind, News, freshest
from seance.narration.cues import Cue, Enrol, Expect, Say, ShowHour, ShowPsychics, ShowSand, Whisper
from seance.narration.scene import lights
from seance.narration.script import Memory
from seance.narration.staging import Opening, Stage, Staged, stage_events, stage_refusal, stage_reply, stage_wait
from seance.rules import (
    Begin,
    CallTime,
    Command,
    Event,
    GhostView,
    Psychic,
    Refusal,
    RoomView,
    Seat,
    State,
    apply,
    ghost_view,
    heard,
    room_view,
)
from seance.rules import events as e
from seance.typed import command_of

SURE = 0.75
"""How confident the ear must be of a command that changes the game; below it the house asks back."""
SILENCE_FILLED_AFTER = 20.0
"""Seconds of silence, while the ghost is busy, that a piece of the story may fill."""
SILENCE_FILLED_EVERY = 35.0
SAND_KEPT_EVERY = 5.0
"""Seconds between two notes of how much sand is left: so much of it is given back after a power cut."""
LOUDEST = 5
"""Steps of volume above and below where the evening began."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes:
    """What stands beside the rules, and is restored with them."""

    conversation: Conversation = field(default_factory=Conversation)
    told: Memory = field(default_factory=Memory)
    sand_left: float | None = None
    sand_of: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """What an evening is held with."""

    sentences: Sentences
    stage: Stage
    customs: Customs
    journal: Journal
    seeds: Callable[[], int]
    """Draws a seed of 63 bits: as much as the wire takes."""
    names: Mapping[str, str] = field(default_factory=dict)
    """What the owner calls psychics, by colour; only what differs from the box."""


class Evening:
    """Nights, one after the other, with one house; `receive` is its only door."""

    def __init__(self, house: House) -> None:
        self._house, self._stage = house, house.stage
        self.state: State | None = None
        self.conversation = Conversation()
        self.sand: Sand | None = None
        self._told = Memory(seed=house.seeds())
        self._night: str | None = None
        self._cues: list[Cue] = []
        self._expected: Expect | None = None
        self._now = 0.0
        self._played_before = 0.0
        self._played_since = 0.0
        self._quiet = self._filled = self._kept = self._waited_since = 0.0
        self._written: Notes | None = None
        self._counted = 0
        self._loudness = 0

    @property
    def room(self) -> RoomView | None:
        """What lies openly on the table; None before the first night."""
        return None if self.state is None else room_view(self.state)

    @property
    def ghost(self) -> GhostView | None:
        """What the ghost alone may see."""
        return None if self.state is None else ghost_view(self.state)

    def open(self, now: float) -> tuple[Cue, ...]:
        """Return how the evening begins at *now*: with a welcome, or where an earlier one was cut off."""
        self._now = self._kept = self._waited_since = now
        night = self._house.journal.unfinished()
        if night is None or night.state is None:
            self._reply(r.Welcome())
            return self._performed()
        self._night, self.state = night.uid, night.state
        self._played_before, self._played_since = night.played, now
        notes = msgspec.convert(night.notes.get("evening", {}), Notes)
        self.conversation, self._told = replace(notes.conversation, quiet=0.0), notes.told
        if notes.sand_left is not None:
            self.sand = Sand(left=notes.sand_left, of=notes.sand_of, at=now, runs=not self.conversation.paused)
        self._show_again(room_view(self.state))
        return self._performed()

    def receive(self, signal: Signal, now: float) -> tuple[Cue, ...]:
        """Return what the room should perceive of *signal*, which came at *now*; all of it is written down."""
        before, self._now = self._now, max(now, self._now)
        if not isinstance(signal, Passed):
            self._quiet = 0.0
        self._run_sand(before)
        self._follow(signal)
        return self._performed()

    # What each signal leads to

    @singledispatchmethod
    def _follow(self, signal: Signal) -> None:
        raise TypeError(f"nothing says what {type(signal).__name__} leads to")

    @_follow.register
    def _(self, signal: Heard) -> None:
        if signal.intent is not None:
            sure = signal.confidence >= SURE
            self._mean(signal.intent, text=signal.text, sure=sure, speaker=signal.speaker)

    @_follow.register
    def _(self, signal: Typed) -> None:
        words = signal.text.strip()
        if not words:
            return
        if words.lower().startswith("ghost "):
            self._ghost_types(words[6:])
        elif (intent := self._understood(words)) is not None:
            self._mean(intent, text=words)
        else:
            self.conversation, answers = talk.unheard(self.conversation, customs=self._house.customs)
            self._carry_out_all(answers)

    @_follow.register
    def _(self, signal: Asked) -> None:
        self._ask(signal.command, Seat.GHOST)

    @_follow.register
    def _(self, signal: Pressed) -> None:
        if self.room is not None and self.room.outcome is None:
            command, self._counted = asked_by(signal, self.room, self._counted)
            if command is not None:
                self._ask(command, Seat.GHOST)

    @_follow.register
    def _(self, signal: Failed) -> None:
        self._reply(r.Trouble(signal.fault))

    @_follow.register
    def _(self, signal: Passed) -> None:
        waited = self._now - self._waited_since
        self._waited_since = self._now
        if self._house.journal.unwritten:
            self._house.journal.flush()
        if not signal.silent:
            self._quiet = 0.0
            return
        self._quiet += waited
        self.conversation, answers = talk.waited(self.conversation, waited, self.room, customs=self._house.customs)
        self._carry_out_all(answers)
        if not answers:
            self._fill_silence()

    @_follow.register
    def _(self, _signal: Stop) -> None:
        self._keep_notes(at_once=True)

    # From words to commands

    def _understood(self, words: str) -> Intent | None:
        """Return what *words* mean to what may be said now, else to anything that can be said at all."""
        now = sayable(self.conversation, self.room, customs=self._house.customs)
        narrow = self._house.sentences.narrowed(
            now.intents,
            cards=now.cards,
            psychics=now.psychics,
            groups=now.groups,
            numbers=now.numbers,
            places=now.places,
        )
        try:
            return narrow.match(words) or self._house.sentences.match(words)
        except Ambiguous:
            return None

    def _mean(self, intent: Intent, *, text: str, sure: bool = True, speaker: Psychic | None = None) -> None:
        self.conversation, answers = talk.interpret(
            self.conversation,
            intent,
            self.room,
            speaker=speaker,
            sand=self.sand.left_at(self._now) if self.sand else None,
            sure=sure,
            text=text,
            customs=self._house.customs,
        )
        self._carry_out_all(answers)

    def _ghost_types(self, words: str) -> None:
        """Ask what the ghost has typed, at a table without a page or buttons."""
        if self.room is None:
            self._reply(r.NoNightYet())
            return
        try:
            given = command_of(words, msgspec.to_builtins(view_fields(self.room)))
            self._ask(decode_command(given, self._house.customs.editions), Seat.GHOST)
        except NotACommand as error:
            self._cues.append(Whisper(str(error)))

    def _carry_out_all(self, answers: Iterable[Answer]) -> None:
        """Do what follows from something said, up to the first thing that the rules refuse."""
        for answer in answers:
            if isinstance(answer, Command):
                if not self._ask(answer, Seat.ROOM):
                    return
            elif isinstance(answer, EnrolVoice):
                self._cues.append(Enrol(answer.psychic))
                self._reply(r.Enrolled(answer.psychic))
            else:
                self._reply(answer)

    # From commands to events

    def _ask(self, command: Command, seat: Seat) -> bool:
        """Ask *command* of the rules and all that follows by itself; return whether it was granted."""
        try:
            self._grant(command, seat)
            while self.room and (answer := next_automatic(self.room)) is not None:
                self._grant(answer, Seat.GHOST)
        except Refusal as refusal:
            staged = stage_refusal(self._stage, self._told, refusal, self.room)
            if seat is Seat.GHOST:
                self._cues += [Whisper(cue.text) for cue in staged.cues if isinstance(cue, Say)] or [
                    Whisper(str(refusal))
                ]
                return False
            self._take(staged)
            self.conversation, more = talk.refused(self.conversation, refusal)
            self._carry_out_all(more)
            return False
        return True

    def _grant(self, command: Command, seat: Seat) -> None:
        """Carry *command* out, write it down, and only then tell it; or raise Refusal."""
        if isinstance(command, Begin):
            command = self._dealt(command)
        before = self.room
        self.state, events = apply(self.state, command)
        if isinstance(command, Begin):
            self._begin_night(command)
        room, told = room_view(self.state), heard(events, Seat.ROOM)
        self.conversation = talk.after(self.conversation, told, room)
        self._turn_sand(told)
        staged = stage_events(self._stage, self._told, told, before, room)
        self._told = staged.memory
        self._write(command, events, seat)
        self._cues += staged.cues

    def _dealt(self, begin: Begin) -> Begin:
        """Return *begin* with a seed; cards that were seen lately are avoided."""
        if begin.seed is not None:
            return begin
        seeds = (self._house.seeds() for _ in itertools.count())
        return freshest(begin, seeds, self._house.journal.seen_lately(begin.edition.name))

    def _begin_night(self, begin: Begin) -> None:
        house = self._house
        told = self.conversation.wishes.story
        opening = Opening.SKIPPED if told is False else house.stage.opening
        self._stage = replace(house.stage, opening=opening)
        self._night = house.journal.begin_night(begin.edition, language=house.stage.script.language, names=house.names)
        self._played_before, self._played_since = 0.0, self._now

    def _write(self, command: Command, events: tuple[Event, ...], seat: Seat) -> None:
        played = self._played_before + self._now - self._played_since
        self._written = self._notes()
        notes = {"evening": msgspec.to_builtins(self._written)}
        self._house.journal.append(str(self._night), command, events, seat=seat, played=played, notes=notes)

    def _notes(self) -> Notes:
        left, of = (self.sand.left_at(self._now), self.sand.of) if self.sand else (None, 0.0)
        return Notes(conversation=self.conversation, told=self._told, sand_left=left, sand_of=of)

    # The sand

    def _turn_sand(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, e.SandTurned):
                self.sand = Sand(left=float(event.seconds), of=float(event.seconds), at=self._now)
            elif isinstance(event, e.TimeCalled | e.NightEnded | e.NightBegun):
                self.sand = None

    def _run_sand(self, before: float) -> None:
        """Tell how much is left, and call time when nothing is."""
        if self.sand is None or not self.sand.runs:
            return
        if self.sand.left_at(self._now) <= 0:
            self._ask(CallTime(), Seat.ROOM)
        elif (left := self.sand.passed(before, self._now)) is not None:
            self._reply(r.SandLeft(left))

    def _keep_notes(self, *, at_once: bool = False) -> None:
        """Write down what was said and how much sand is left, if there is a night that could be cut off."""
        if self._night is None or self.state is None or self.state.outcome is not None:
            return
        notes = self._notes()
        was = self._written or Notes()
        talked = (replace(notes.conversation, quiet=0.0), notes.told) != (
            replace(was.conversation, quiet=0.0),
            was.told,
        )
        if talked or at_once or (self.sand and self._now - self._kept >= SAND_KEPT_EVERY):
            self._kept, self._written = self._now, notes
            self._house.journal.note(self._night, "evening", msgspec.to_builtins(notes))

    # What the room perceives

    def _reply(self, reply: r.Reply) -> None:
        if isinstance(reply, r.Volume):
            reply = self._limited(reply)
        elif isinstance(reply, r.Paused | r.Resumed) and self.sand is not None and not reply.already:
            paused = isinstance(reply, r.Paused)
            self.sand = self.sand.held(self._now) if paused else self.sand.running(self._now)
            reply = replace(reply, seconds=round(self.sand.left))
        self._take(stage_reply(self._stage, self._told, reply, self.room))

    def _limited(self, reply: r.Volume) -> r.Volume:
        wanted = self._loudness + (1 if reply.louder else -1)
        if abs(wanted) > LOUDEST:
            return replace(reply, limit=True)
        self._loudness = wanted
        return reply

    def _take(self, staged: Staged) -> None:
        self._told = staged.memory
        self._cues += staged.cues

    def _fill_silence(self) -> None:
        room = self.room
        if room is None or room.outcome is not None or self.conversation.paused or self.conversation.asleep:
            return
        if self._quiet >= SILENCE_FILLED_AFTER and self._now - self._filled >= SILENCE_FILLED_EVERY:
            self._filled = self._now
            self._take(stage_wait(self._stage, self._told, room))

    def _show_again(self, room: RoomView) -> None:
        """Show and say where a night was that goes on."""
        self._cues += (ShowHour(room.hour), ShowPsychics(lights(room)))
        left = None
        if self.sand is not None:
            left = round(self.sand.left)
            self._cues.append(self._shown_sand())
        self._reply(r.Interrupted(room.hour, room.phase, left))
        # Cut off between two answers of the manor: the rest of them follow now.
        if (answer := next_automatic(room)) is not None:
            self._ask(answer, Seat.GHOST)

    def _shown_sand(self) -> ShowSand:
        assert self.sand is not None  # noqa: S101 - asked for only while there is some
        return ShowSand(self.sand.left_at(self._now), self.sand.of, self.sand.runs)

    def _performed(self) -> tuple[Cue, ...]:
        """Return the cues in their order, news of the journal among them, and at last what may be said now."""
        for news in self._house.journal.news():
            self._reply(r.Trouble(_fault(news)))
        self._keep_notes()
        cues, self._cues = self._cues, []
        now = sayable(self.conversation, self.room, customs=self._house.customs)
        expect = Expect(
            intents=now.intents,
            cards=now.cards,
            psychics=now.psychics,
            groups=now.groups,
            numbers=now.numbers,
            places=now.places,
            asleep=now.asleep,
        )
        if expect != self._expected:
            self._expected = expect
            cues.append(expect)
        return tuple(cues)


def _fault(news: News) -> r.Fault:
    """Return what the host is told of *news*."""
    if news.kind is Kind.IN_MEMORY:
        return r.Fault.DISK_READ_ONLY if "read-only" in news.says else r.Fault.DISK_FULL
    return r.Fault.DISK_BACK if news.kind is Kind.WRITTEN_AGAIN else r.Fault.JOURNAL_DAMAGED
