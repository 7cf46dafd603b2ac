"""The night that is being played: carries out commands and replies, writes them to the journal, and collects cues."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from seance.chronicle.guest_changes import GuestChange
from seance.daemon.context import EveningContext
from seance.daemon.ghost_seat import GhostSeat
from seance.daemon.host_controls import change_volume
from seance.daemon.narrator import Narrator
from seance.daemon.night_log import InterruptedNight, LoggedStep, NightLog
from seance.daemon.night_time import NightTime
from seance.daemon.psychic_seats import PsychicSeats, players_psychics
from seance.daemon.sand import SandTimer
from seance.daemon.snapshot import Snapshot
from seance.dialogue import conversation as talk
from seance.dialogue import replies as r
from seance.dialogue import seat_replies as sr
from seance.dialogue import seat_talk
from seance.dialogue.answers import automatic_manifest
from seance.dialogue.ballots import psychics_playing
from seance.dialogue.conversation import Conversation, DialogueAction, EnrolVoice
from seance.dialogue.conversation_state import ChangeChair, DialogueStep
from seance.dialogue.faults import Fault, faults_after
from seance.narration.cue_builder import MOODS
from seance.narration.cues import Enrol, ForgetVoice, Mood, MoveChair, SetAmbience, ShowSand
from seance.narration.staging import NarrationStyle, Pace
from seance.rules import Command, Edition, GhostView, Phase, Psychic, Refusal, RoomView, Seat, State, apply
from seance.rules import commands as c
from seance.rules.view import ghost_view, heard, room_view

SLOW_GHOST_AFTER_S = 90.0
"""Seconds without a vision after which the room's sound changes."""


@dataclass(frozen=True, slots=True)
class Moment:
    """All that decides what an evening says next."""

    state: State | None
    snapshot: Snapshot
    style: NarrationStyle
    """That of this night, which may differ from the evening's."""
    now: float
    """Seconds of the evening's clock."""

    def differs_beyond_time(self, other: "Moment") -> bool:
        """Tell whether anything but elapsed time differs from *other*."""
        is_same = self.state is other.state and self.style is other.style
        return not is_same or self.snapshot.differs_beyond_time(other.snapshot)


class NightRunner:
    """Holds the state of the current night and its conversation, and changes them by commands and replies."""

    def __init__(self, context: EveningContext, night_log: NightLog | None = None) -> None:
        """Write nights to *night_log*, else to the journal of *context*."""
        self._context = context
        self.state: State | None = None
        self.conversation = Conversation()
        self.seat = GhostSeat(context.make_key, context.make_digits)
        self.psychic_seats = PsychicSeats(context.make_key)
        self._narrator = Narrator(context.style, seed=context.draw_seed())
        self._night_log = night_log or NightLog(context.journal)
        sand_is_shown = not context.defaults.sand.is_turned_by_house
        self._time = NightTime(self._night_log, sand_is_shown=sand_is_shown)
        self._now = 0.0
        """The time of the signal that is being handled, in seconds of a monotonic clock."""
        self._last_step_at = 0.0
        self._ghost_is_slow = False
        self._button_count = 0
        self._volume_steps = 0
        self.faults: tuple[Fault, ...] = ()
        """What does not work now, as the room was told."""

    @property
    def room(self) -> RoomView | None:
        """What everybody at the table may see; None before the first night."""
        return None if self.state is None else room_view(self.state)

    @property
    def is_over_and_told(self) -> bool:
        """Whether the night has ended and the room was told how."""
        return self.state is not None and self.state.outcome is not None and self._night_log.is_told

    @property
    def sand(self) -> SandTimer | None:
        """The sand that was turned; None while there is none."""
        return self._time.sand

    @property
    def pace(self) -> Pace:
        """How much the narrator says."""
        return self._narrator.pace

    @property
    def ghost(self) -> GhostView | None:
        """What the ghost may see; None before the first night."""
        return None if self.state is None else ghost_view(self.state)

    def edition_of(self, room: RoomView) -> Edition:
        """Return the edition and variant that *room* plays."""
        return self._context.defaults.edition_of(room)

    # Commands and replies

    def _run_ghost_command(self, command: Command) -> None:
        """Carry out *command* of the ghost, unless the night is paused."""
        if self.conversation.paused and not isinstance(command, c.Abandon):
            self._narrator.whisper_reply(r.Paused(already=True), self.room)
        else:
            self._try_command(command, Seat.GHOST)

    def _carry_out_step(self, step: DialogueStep) -> None:
        self.conversation, answers = step
        self._carry_out(answers)

    def _carry_out(self, answers: Iterable[DialogueAction]) -> None:
        """Carry out *answers* in order, up to the first that the rules refuse."""
        for answer in answers:
            if isinstance(answer, Command):
                if not self._try_command(answer, Seat.ROOM):
                    return
            elif isinstance(answer, EnrolVoice):
                self._narrator.add(Enrol(answer.psychic))
                self._reply(r.Enrolled(answer.psychic))
            elif isinstance(answer, ChangeChair):
                self._narrator.add(MoveChair(answer.psychic, answer.direction_deg, takes_over=True))
            else:
                self._reply(answer)

    def _reply(self, reply: r.Reply) -> None:
        if isinstance(reply, r.Volume):
            self._volume_steps, reply = change_volume(self._volume_steps, reply)
        elif isinstance(reply, r.Paused | r.Resumed) and not reply.already:
            (self._time.pause if isinstance(reply, r.Paused) else self._time.resume)(self._now)
            reply = replace(reply, seconds=self._time.whole_seconds_left(self._now))
        elif isinstance(reply, r.SandStarted):
            self._time.start_sand(reply.seconds, self._now)
        elif isinstance(reply, r.AskBack):
            reply = self.seat.fill_question(reply, psychic_mark=self.psychic_seats.state.mark)
        elif isinstance(reply, r.GuestLeft | r.GuestBack) and (room := self.room) is not None:
            heir = reply.heir if isinstance(reply, r.GuestLeft) else None
            if isinstance(reply, r.GuestLeft):
                self._narrator.add(ForgetVoice(reply.psychic))
            self._night_log.note_guest(GuestChange(reply.psychic, room.hour, isinstance(reply, r.GuestLeft), heir))
        elif isinstance(reply, r.SkipStory):
            self._narrator.skip_story()
        elif isinstance(reply, r.Trouble):
            self.faults = faults_after(self.faults, reply.fault)
        elif (answer := self.psychic_seats.close_question(reply)) is not None:
            self.seat.close_question()
            reply = answer
        self.seat.apply_reply(reply)
        self._narrator.say_reply(reply, self.room)

    def _give_psychic_seat(self, psychic: Psychic, device: str, guest: str | None) -> None:
        """Give the seat of *psychic* to *device* of *guest* if it is free, or ask the room if another one holds it."""
        room = self.room
        if room is None or room.outcome is not None or psychic not in psychics_playing(room):
            return
        psychics = next(seat for seat in players_psychics(room, self.edition_of(room)) if psychic in seat)
        if self.psychic_seats.take(psychics, device):
            self._reply(sr.PsychicSeated(psychics))
        elif self.conversation.sitting is None:
            self.psychic_seats.ask(psychics, device, self.seat.next_mark())
            self.seat.open_question(guest)
            self._carry_out_step(seat_talk.ask(self.conversation, psychic))

    # From commands to events

    def _try_command(self, command: Command, seat: Seat) -> bool:
        """Apply *command* and the automatic answers that follow; return False if the rules refuse."""
        try:
            self._apply(command, seat)
            while (following := self._automatic_answer() or self._automatic_sand()) is not None:
                self._apply(following, Seat.GHOST)
        except Refusal as refusal:
            if seat is Seat.GHOST:
                self._narrator.whisper_refusal(refusal, self.room)
                return False
            self._narrator.say_refusal(refusal, self.room)
            self.conversation, more = talk.respond_to_refusal(
                self.conversation, refusal, self.room, defaults=self._context.defaults
            )
            self._carry_out(more)
            return False
        return True

    def _automatic_answer(self) -> c.Manifest | None:
        """Return the next answer that the house gives for the ghost; None while the ghost is present at a page."""
        return None if self.room is None or self.seat.is_ghost_present(self._now) else automatic_manifest(self.room)

    def _automatic_sand(self) -> c.TurnSand | None:
        """Return the command that begins the choosing in silence, where no sand is shown and all have their visions."""
        defaults, room = self._context.defaults, self.room
        if room is None or room.phase is not Phase.VISIONS or not defaults.sand.is_turned_by_house:
            return None
        is_timed = defaults.edition_of(room).sand_seconds is not None
        is_served = all(psychic.served for psychic in room.psychics if psychic.searching != "done")
        return c.TurnSand() if is_timed and is_served else None

    def _apply(self, command: Command, seat: Seat) -> None:
        """Apply *command*, write it to the journal, and then add its cues; or raise Refusal."""
        if isinstance(command, c.Begin):
            command = self._night_log.with_seed(command, self._context.draw_seed)
        before = self.room
        self.state, events = apply(self.state, command)
        room, public_events = room_view(self.state), heard(events, Seat.ROOM)
        if isinstance(command, c.Begin):
            self._begin_night(command)
        elif self.conversation.laying_out and room.outcome is None:
            self._narrator.say_reply(r.FirstTurn(), before)  # whoever plays is ready
        self.conversation = talk.update_after_events(self.conversation, public_events, room)
        self._time.follow(public_events, self._now)
        if room.outcome is not None:
            self.conversation = seat_talk.drop_question(self.conversation)
        cues = self._narrator.stage_events(public_events, before, room)
        self._night_log.append(command, events, self._snapshot(), self._now, seat=seat)
        self._end_wait(room)
        self._narrator.add(*cues, self._night_log.mark)
        if isinstance(command, c.Begin):
            self._ask_ready()

    def _ask_ready(self) -> None:
        """Ask whether everything is laid; a house that says nothing begins the first turn at once."""
        is_silent = self.pace is Pace.SILENT
        self.conversation = replace(self.conversation, laying_out=not is_silent)
        self._reply(r.FirstTurn(is_called=False) if is_silent else r.AskReady())

    def _watch_slow_ghost(self) -> None:
        """Change the room's sound when the ghost has given no vision for SLOW_GHOST_AFTER_S; nothing is said."""
        room = self.room
        if room is None or room.phase is not Phase.VISIONS or self.conversation.paused:
            self._last_step_at = self._now
        elif not self._ghost_is_slow and self._now - self._last_step_at >= SLOW_GHOST_AFTER_S:
            self._ghost_is_slow = True
            self._narrator.add(SetAmbience(Mood.WAITING))

    def _end_wait(self, room: RoomView) -> None:
        """Give the room its usual sound again, since somebody has done something."""
        self._last_step_at = self._now
        if self._ghost_is_slow:
            self._ghost_is_slow = False
            self._narrator.add(SetAmbience(MOODS[room.phase]))

    def _begin_night(self, begin: c.Begin) -> None:
        if not self._night_log.is_told:
            self.seat.release()  # the end of the last night is still being told
        self.psychic_seats.release_all()
        self._narrator.begin_night(self.conversation.wishes.story, cards_drawn=begin.table is not None)
        language, names = self._context.style.script.language, self._context.psychic_names
        self._night_log.begin_night(begin, self._now, language=language, names=names)

    def _snapshot(self) -> Snapshot:
        return Snapshot(
            conversation=self.conversation,
            memory=self._narrator.memory,
            sand_left_s=self._time.left_s(self._now),
            sand_turn_s=self.sand.turn_s if self.sand else 0.0,
            last_told_step=self._night_log.last_told_step,
            button_count=self._button_count,
            seat=self.seat.state,
            psychic_seats=self.psychic_seats.state,
        )

    @property
    def moment(self) -> Moment:
        """Everything that decides what is said next, as a value."""
        return Moment(self.state, self._snapshot(), self._narrator.night_style, self._now)

    # After a restart

    def _resume(self, interrupted: InterruptedNight) -> None:
        """Go on with *interrupted* where it was."""
        self._restore(interrupted.state, interrupted.snapshot)
        self.conversation = seat_talk.drop_question(self.conversation)
        self._tell_interrupted(room_view(interrupted.state), interrupted.untold)

    def _restore(self, state: State | None, snapshot: Snapshot) -> None:
        """Be where *state* and *snapshot* are."""
        self.state, self._narrator.memory = state, snapshot.memory
        self.conversation = snapshot.conversation
        self._button_count = snapshot.button_count
        self._time.restore(snapshot.sand_left_s, snapshot.sand_turn_s, self._now)
        self.seat.restore(snapshot.seat, self._now)
        self.psychic_seats.restore(snapshot.psychic_seats)

    def _tell_interrupted(self, room: RoomView, untold: tuple[LoggedStep, ...]) -> None:
        """Say where the interrupted night was, and tell what the room has not heard of it."""
        laying_out = self.conversation.laying_out
        seconds = self._time.whole_seconds_left(self._now)
        self._narrator.say_interrupted(room, untold, seconds=seconds, laying_out=laying_out)
        if untold:
            self._narrator.add(self._night_log.mark)
            if self.sand is not None:
                self._narrator.add(ShowSand(self.sand.left_s, self.sand.turn_s))
        if self.conversation.paused:
            self._time.pause(self._now)
            self._reply(r.Paused(already=True, seconds=self._time.whole_seconds_left(self._now)))
        # Interrupted between two automatic answers: the rest of them follow now.
        if (answer := self._automatic_answer()) is not None:
            self._try_command(answer, Seat.GHOST)
        if self.room and self.room.phase is Phase.VISIONS and self.room.hour > 1 and not untold:
            self._reply(r.Progress(self.room.psychics))
        if (pending := self.conversation.pending) is not None:
            self._reply(pending.reply)
        elif self.conversation.laying_out:
            self._reply(r.AskReady())
