"""The one owner of the state: a signal goes in, what the room should perceive comes out; it touches no device.

One straight way: said, understood, asked of the rules, written down, and only then told.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import singledispatchmethod

from seance.codec import NotACommand
from seance.daemon import signals as s
from seance.daemon.catch_up import told_at_last
from seance.daemon.context import House
from seance.daemon.ghost_buttons import asked_by, says_who_sits
from seance.daemon.ghost_seat import Seat as GhostsSeat
from seance.daemon.host_controls import ANSWERED_BY, limited
from seance.daemon.night_log import Record, Step
from seance.daemon.sand import Sand, turned
from seance.daemon.signals import Asked, Failed, Heard, Passed, Pressed, Signal, Stop, Told, Typed, Written
from seance.daemon.snapshot import Notes
from seance.daemon.typed_text import ghosts_command, understood
from seance.dialogue import conversation as talk
from seance.dialogue import replies as r
from seance.dialogue import seat_talk
from seance.dialogue.answers import automatic_manifest
from seance.dialogue.conversation import Conversation, DialogueAction, EnrolVoice
from seance.dialogue.expected_intents import ExpectedIntents, expected_intents
from seance.dialogue.grammar.sentences import Intent
from seance.narration import staging as st
from seance.narration.cues import Cue, Enrol, Expect, Say, ShowSand, ShowTable, Whisper
from seance.narration.script import Memory
from seance.rules import Command, GhostView, Phase, Psychic, Refusal, RoomView, Seat, State, apply
from seance.rules import commands as c
from seance.rules.view import ghost_view, heard, room_view

SURE, SURE_OF_ANSWERS = 0.75, 0.5
"""How confident the ear must be of a command, and of yes or no; below it the house asks back."""
SILENCE_FILLED_AFTER = 20.0
"""Seconds of silence, while the ghost is busy, that a piece of the story may fill."""
SILENCE_FILLED_EVERY = 35.0


class Evening:
    """Nights, one after the other, with one house; `receive` is its only door."""

    def __init__(self, house: House) -> None:
        self._house, self._stage = house, house.stage
        self.state: State | None = None
        self.conversation = Conversation()
        self.sand: Sand | None = None
        self.seat = GhostsSeat(house.keys)
        self._told = Memory(seed=house.seeds())
        self._record = Record(house.journal)
        self._cues: list[Cue] = []
        self._expected: ExpectedIntents | None = None
        self._now = 0.0
        self._quiet = self._filled = self._waited_since = 0.0
        self._counted = 0
        self._loudness = 0

    @property
    def room(self) -> RoomView | None:
        """What lies openly on the table; None before the first night."""
        return None if self.state is None else room_view(self.state)

    @property
    def pace(self) -> st.Pace:
        """How much is said."""
        return self._stage.pace

    @property
    def ghost(self) -> GhostView | None:
        """What the ghost alone may see."""
        return None if self.state is None else ghost_view(self.state)

    def open(self, now: float) -> tuple[Cue, ...]:
        """Return how the evening begins at *now*: with a welcome, or where an earlier one was cut off."""
        self._now = self._waited_since = now
        cut_off = self._record.go_on(now)
        if cut_off is None:
            self._reply(r.Welcome())
            if self._house.address is not None:
                self._reply(r.PageAt(self._house.address))
            return self._performed()
        self.state, notes = cut_off.state, cut_off.notes
        self.conversation, self._told = seat_talk.drop_question(notes.conversation), notes.told
        self._counted = notes.counted
        if notes.sand_left is not None:
            self.sand = Sand(left=notes.sand_left, of=notes.sand_of, at=now)
        self.seat.restore(notes.chair, now)
        self._show_again(room_view(self.state), cut_off.untold)
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
            least = SURE_OF_ANSWERS if signal.intent.name in ("yes", "no") else SURE
            self._mean(signal.intent, text=signal.text, sure=signal.confidence >= least, speaker=signal.speaker)

    @_follow.register
    def _(self, signal: Typed) -> None:
        words = signal.words
        if not words:
            return
        if not isinstance(signal, Written) and words.lower().startswith("ghost "):
            self._ghost_types(words[6:])
        elif (intent := understood(words, self._house.sentences, self._may_be_said())) is not None:
            self._mean(intent, text=words, far=isinstance(signal, Written) and not signal.here)
        else:
            self.conversation, answers = talk.respond_to_unrecognised(self.conversation)
            self._carry_out_all(answers)

    @_follow.register
    def _(self, signal: Asked) -> None:
        if signal.device in (None, self.seat.chair.holder):
            self._ghost_asks(signal.command)

    @_follow.register
    def _(self, signal: s.Controlled) -> None:
        if signal.device == self.seat.chair.holder:
            self._mean(Intent("pause" if signal.pause else "resume"), text="")

    @_follow.register
    def _(self, signal: s.SatDown) -> None:
        if self.seat.ask(signal.device):
            self.conversation, answers = seat_talk.ask(self.conversation)
            self._carry_out_all(answers)
        elif self.seat.may_be_told(self._now):
            self._reply(r.SeatTried())

    @_follow.register
    def _(self, signal: s.Watching) -> None:
        self.seat.watch(signal.device, signal.watches, self._now)

    @_follow.register
    def _(self, signal: s.Wished) -> None:
        if signal.wish == "pace":
            self._stage = replace(self._stage, pace=st.Pace(signal.value or self.pace))
            self._house = replace(self._house, stage=replace(self._house.stage, pace=self._stage.pace))
        else:
            self._reply(ANSWERED_BY[signal.wish])

    @_follow.register
    def _(self, signal: Pressed) -> None:
        if says_who_sits(signal, self.conversation, self.room):
            self._mean(Intent(signal.button), text="")
        elif self.room is not None and self.room.outcome is None:
            command, self._counted = asked_by(signal, self.room, self._counted)
            if command is not None:
                self._ghost_asks(command)

    @_follow.register
    def _(self, signal: Failed) -> None:
        self._reply(r.Trouble(signal.fault))

    @_follow.register
    def _(self, signal: Passed) -> None:
        waited, self._waited_since = self._now - self._waited_since, self._now
        self._record.catch_up()
        if not signal.silent:
            self._quiet = 0.0
            return
        self._quiet += waited
        self.conversation, answers = talk.respond_to_silence(
            self.conversation, waited, self.room, defaults=self._house.customs
        )
        self._carry_out_all(answers)
        self._answer_for_the_ghost()
        if not answers:
            self._fill_silence()

    @_follow.register
    def _(self, signal: Told) -> None:
        self._record.told(signal.night, signal.step)

    @_follow.register
    def _(self, _signal: Stop) -> None:
        self._record.note(self._notes(), self._now, at_once=True)

    # From words to commands

    def _mean(
        self, intent: Intent, *, text: str, sure: bool = True, speaker: Psychic | None = None, far: bool = False
    ) -> None:
        self.conversation, answers = talk.respond_to_intent(
            self.conversation,
            intent,
            self.room,
            speaker=speaker,
            sand=self.sand.left_at(self._now) if self.sand else None,
            sure=sure,
            text=text,
            from_page=far,
            defaults=self._house.customs,
        )
        self._carry_out_all(answers)

    def _ghost_types(self, words: str) -> None:
        """Ask what the ghost has typed, at a table without a page or buttons."""
        if self.room is None:
            self._whisper(st.stage_reply(self._stage, self._told, r.NoNightYet(), None), "there is no night yet")
            return
        try:
            self._ghost_asks(ghosts_command(words, self.room, self._house.customs.editions))
        except NotACommand as error:
            self._cues.append(Whisper(str(error)))

    def _ghost_asks(self, command: Command) -> None:
        """Ask *command* for the ghost, who waits in a pause like everybody else."""
        if self.conversation.paused and not isinstance(command, c.Abandon):
            paused = st.stage_reply(self._stage, self._told, r.Paused(already=True), self.room)
            self._whisper(paused, "the night pauses")
        else:
            self._ask(command, Seat.GHOST)

    def _carry_out_all(self, answers: Iterable[DialogueAction]) -> None:
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
            while (answer := self._own_answer()) is not None:
                self._grant(answer, Seat.GHOST)
        except Refusal as refusal:
            staged = st.stage_refusal(self._stage, self._told, refusal, self.room)
            if seat is Seat.GHOST:
                self._whisper(staged, str(refusal))
                return False
            self._take(staged)
            self.conversation, more = talk.respond_to_refusal(self.conversation, refusal)
            self._carry_out_all(more)
            return False
        return True

    def _grant(self, command: Command, seat: Seat) -> None:
        """Carry *command* out, write it down, and only then tell it; or raise Refusal."""
        if isinstance(command, c.Begin):
            command = self._record.dealt(command, self._house.seeds)
        before = self.room
        self.state, events = apply(self.state, command)
        if isinstance(command, c.Begin):
            self._begin_night(command)
        room, told = room_view(self.state), heard(events, Seat.ROOM)
        self.conversation = talk.update_after_events(self.conversation, told, room)
        self.sand = turned(self.sand, told, self._now)
        if room.outcome is not None:
            self.seat.free()
        staged = st.stage_events(self._stage, self._told, told, before, room)
        self._told = staged.memory
        self._record.write(command, events, self._notes(), self._now, seat=seat)
        self._cues += (*st.with_table(staged.cues, room), self._record.mark)

    def _begin_night(self, begin: c.Begin) -> None:
        house = self._house
        opening = st.Opening.SKIPPED if self.conversation.wishes.story is False else house.stage.opening
        self._stage = replace(house.stage, opening=opening)
        self._record.begin(begin, self._now, language=house.stage.script.language, names=house.names)

    def _notes(self) -> Notes:
        left, of = (self.sand.left_at(self._now), self.sand.of) if self.sand else (None, 0.0)
        return Notes(
            conversation=self.conversation,
            told=self._told,
            sand_left=left,
            sand_of=of,
            told_to=self._record.told_to,
            counted=self._counted,
            chair=self.seat.chair,
        )

    # The ghost's seat

    def _own_answer(self) -> c.Manifest | None:
        """Return the answer that the house gives by itself: where the ghost sits at a page, it waits for the ghost."""
        return None if self.room is None or self.seat.waits(self._now) else automatic_manifest(self.room)

    def _answer_for_the_ghost(self) -> None:
        """Answer what waits for a ghost whose seat is free, or whose page has long been gone."""
        if (answer := self._own_answer()) is not None and not self.conversation.paused:
            if self.seat.chair.holder is not None:
                self._reply(r.GhostAway())
            self._ask(answer, Seat.GHOST)

    # The sand

    def _run_sand(self, before: float) -> None:
        """Tell how much is left, and call time when nothing is."""
        if self.sand is None or not self.sand.runs:
            return
        if self.sand.left_at(self._now) <= 0:
            self._ask(c.CallTime(), Seat.ROOM)
        elif (left := self.sand.passed(before, self._now)) is not None:
            self._reply(r.SandLeft(left))

    def _hold_time(self) -> None:
        self._record.pause(self._now)
        self.sand = self.sand and self.sand.held(self._now)

    def _let_time_run(self) -> None:
        self._record.resume(self._now)
        self.sand = self.sand and self.sand.running(self._now)

    def _sand_left(self) -> int | None:
        return None if self.sand is None else round(self.sand.left_at(self._now))

    # What the room perceives

    def _reply(self, reply: r.Reply) -> None:
        if isinstance(reply, r.Volume):
            self._loudness, reply = limited(self._loudness, reply)
        elif isinstance(reply, r.Paused | r.Resumed) and not reply.already:
            self._hold_time() if isinstance(reply, r.Paused) else self._let_time_run()
            reply = replace(reply, seconds=self._sand_left())
        self.seat.settle(reply)
        self._take(st.stage_reply(self._stage, self._told, reply, self.room))

    def _take(self, staged: st.StagedCues) -> None:
        self._told = staged.memory
        self._cues += staged.cues

    def _whisper(self, staged: st.StagedCues, otherwise: str) -> None:
        """Tell the ghost alone what would be said aloud, or *otherwise* where nothing is said at all."""
        lines = [cue.text for cue in staged.cues if isinstance(cue, Say)]
        self._cues += map(Whisper, lines or [otherwise])

    def _fill_silence(self) -> None:
        room = self.room
        if room is None or room.outcome is not None or self.conversation.paused or self.conversation.asleep:
            return
        if self._quiet >= SILENCE_FILLED_AFTER and self._now - self._filled >= SILENCE_FILLED_EVERY:
            self._filled = self._now
            self._take(st.stage_wait(self._stage, self._told, room))

    def _show_again(self, room: RoomView, untold: tuple[Step, ...]) -> None:
        """Show and say where a night was that goes on, and tell what the room has not heard of it."""
        seen = room_view(untold[0].before) if untold and untold[0].before else room
        seconds = self._sand_left() if seen.phase is room.phase else None
        asks = r.Interrupted(seen.hour, seen.phase, seconds, unfinished=bool(untold))
        self._take(st.stage_reply(self._stage, self._told, asks, seen))
        self._cues.append(ShowTable(seen))
        if untold:
            self._take(told_at_last(self._stage, self._told, untold))
            self._cues.append(self._record.mark)
            if self.sand is not None:
                self._cues.append(ShowSand(self.sand.left, self.sand.of))
        if self.conversation.paused:
            self._hold_time()
            self._reply(r.Paused(already=True, seconds=self._sand_left()))
        # Cut off between two answers of the manor, the rest of them follow now; what came of those before is said.
        if (answer := self._own_answer()) is not None:
            self._ask(answer, Seat.GHOST)
        if self.room and self.room.phase is Phase.VISIONS and self.room.hour > 1 and not untold:
            self._reply(r.Progress(self.room.psychics))
        if (pending := self.conversation.pending) is not None:
            self._reply(pending.reply)

    def _may_be_said(self) -> ExpectedIntents:
        return expected_intents(self.conversation, self.room, defaults=self._house.customs)

    def _performed(self) -> tuple[Cue, ...]:
        """Return the cues in their order, news of the journal among them, and at last what may be said now."""
        for fault in self._record.news():
            self._reply(r.Trouble(fault))
        self._record.note(self._notes(), self._now)
        cues, self._cues = self._cues, []
        if (now := self._may_be_said()) != self._expected:
            self._expected = now
            cues.append(Expect(now))
        return tuple(cues)
