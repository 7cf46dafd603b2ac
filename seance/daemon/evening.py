"""The one owner of the game's state: takes signals, and returns cues for the performer.

Every signal goes the same way: words become an intent, the intent a command, the command events, the events are
written to the journal, and only then do they become cues.
"""

from dataclasses import replace
from functools import singledispatchmethod
from typing import Unpack

from seance.daemon import signals as s
from seance.daemon.chair_night import ChairNight
from seance.daemon.chair_signals import ChairSignal
from seance.daemon.context import EveningContext
from seance.daemon.device_requests import DeviceRequest
from seance.daemon.ghost_buttons import answers_seat_question, command_for_press, says_ready, skips_story
from seance.daemon.host_controls import REPLY_TO_CONTROL
from seance.daemon.night_log import NightLog
from seance.daemon.psychic_seats import may_free_seat, own_intent, seat_command
from seance.daemon.silence import SilenceTimer
from seance.daemon.talk import TalkState
from seance.daemon.typed_text import match_intent, parse_ghost_command
from seance.dialogue import conversation as talk
from seance.dialogue import replies as r
from seance.dialogue import seat_replies as sr
from seance.dialogue import seat_talk
from seance.dialogue.ballots import votes_are_silent
from seance.dialogue.conversation_state import Conversation, SaidWords
from seance.dialogue.expected_intents import ExpectedIntents, expected_intents
from seance.dialogue.faults import Fault
from seance.dialogue.ghost_commands import NotAnOrder
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.help_topics import help_topics
from seance.dialogue.house_talk import begin_first_turn
from seance.dialogue.touch_choices import TouchChoices, touch_choices
from seance.dialogue.what_next import what_next
from seance.narration.cues import Cue, Earcon, Expect, Listen, Sound, Whisper
from seance.narration.help_card import HelpCard
from seance.narration.next_text import next_text
from seance.narration.staging import Pace
from seance.permissions import GHOST_SEAT, Permission, Source
from seance.rules import Psychic, RoomView, Seat


class Evening(ChairNight):
    """Runs one night after the other; all signals come in through `receive`."""

    def __init__(self, context: EveningContext, night_log: NightLog | None = None) -> None:
        """Write nights to *night_log*, else to the journal of *context*."""
        super().__init__(context, night_log)
        self._defaults = replace(context.defaults, pages_address=context.pages_address)
        self._devices = context.devices
        self._silence = SilenceTimer()
        self._last_expected: ExpectedIntents | None = None
        self._talk = TalkState()
        self._last_listen = Listen(is_open=False)
        self._is_stuck_told = False

    @property
    def can_hear(self) -> bool:
        """Whether the house has a microphone that works and is not muted."""
        return self._devices.hearing

    @property
    def expected(self) -> ExpectedIntents | None:
        """What may be said now; None before the first cues."""
        return self._last_expected

    @property
    def silence_s(self) -> float:
        """Seconds for which nobody has said or done anything."""
        return self._silence.seconds

    def open(self, now: float) -> tuple[Cue, ...]:
        """Return the first cues: a welcome, or the resumption of an interrupted night."""
        self._now, self._silence = now, SilenceTimer(now)
        self._follow_devices()
        interrupted = self._night_log.resume_interrupted(now)
        if interrupted is None:
            self._reply(r.Welcome())
            if self._context.pages_address is not None:
                self._reply(r.PageAt(self._context.pages_address))
            return self._take_cues()
        self._resume(interrupted)
        return self._take_cues()

    def receive(self, signal: s.Signal, now: float) -> tuple[Cue, ...]:
        """Handle *signal*, which came at *now*, and return the cues that follow; all events are on disk by then."""
        before, self._now = self._now, max(now, self._now)
        if not isinstance(signal, s.Tick):
            self._silence.interrupt()
        self._check_sand(before)
        if not signal.is_forbidden(self._context.allowed_to_devices):
            self._handle(signal)
        self._follow_devices()
        return self._take_cues()

    def gives_vote_away(self, signal: s.Signal) -> bool:
        """Return whether *signal* may say a vote before the votes are read, so that no screen may show it (L30).

        Words that are not understood, or that name a colour or a number, may.
        """
        if self.room is None or not votes_are_silent(self.room) or not isinstance(signal, s.Heard | s.Typed):
            return False
        intent = signal.intent if isinstance(signal, s.Heard) else None
        if isinstance(signal, s.Typed):
            intent = match_intent(signal.words, self._context.sentences, self._expected_intents())
        return intent is None or bool(intent.slots)

    def what_next_text(self, told: RoomView | None) -> str:
        """Return what is next in words, for a table that has been told as much as *told* shows.

        A question that is asked after more has been told is left out: it would give that away.
        """
        step = what_next(self._conversation_as_told(told), told, self._defaults)
        return next_text(step, self._context.style.script, None if told is None else told.edition)

    def help_card(self, told: RoomView | None) -> HelpCard:
        """Return the help card of this moment, for a table that has been told as much as *told* shows."""
        topics = help_topics(self._conversation_as_told(told), told, self._defaults)
        return self._context.help_texts.card(topics, self._context.style.script, told)

    def _conversation_as_told(self, told: RoomView | None) -> Conversation:
        return self.conversation if told == self.room else replace(self.conversation, pending=None)

    def touch_choices(self, told: RoomView | None) -> TouchChoices:
        """Return what can be touched, at a table that has been told as much as *told* shows."""
        return touch_choices(self._conversation_as_told(told), told, self._defaults)

    # Handlers of signals

    @singledispatchmethod
    def _handle(self, signal: s.Signal) -> None:
        raise TypeError(f"no handler for {type(signal).__name__}")

    @_handle.register
    def _handle_heard(self, signal: s.Heard) -> None:
        if signal.intent is not None:
            self._talk = self._talk.hear_command() if signal.by_talk else self._talk
            sure, speaker = signal.is_sure, signal.speaker
            self._handle_intent(signal.intent, signal.source, text=signal.text, sure=sure, speaker=speaker)

    @_handle.register
    def _handle_typed(self, signal: s.Typed) -> None:
        words = signal.words
        if not words and self.conversation.laying_out:
            self._reply(r.SkipStory())
        elif not words:
            return
        elif signal.ghost_command is not None:
            self._handle_typed_ghost_command(signal.ghost_command)
        elif self.seat.is_answered_by_digits(words, self.conversation):
            self._carry_out_step(self.seat.take_digits(self.conversation, signal))
        elif (intent := match_intent(words, self._context.sentences, self._expected_intents())) is not None:
            self._handle_intent(intent, signal.source, signal.guest, text=words)
        else:
            self._carry_out_step(talk.respond_to_unrecognised(self.conversation))

    @_handle.register
    def _handle_touched(self, signal: s.Touched) -> None:
        self._handle_intent(signal.intent, signal.source, signal.guest)

    @_handle.register
    def _handle_seat_touched(self, signal: s.SeatTouched) -> None:
        room, own = self.room, self.psychic_seats.psychics_of(signal.device)
        intent = own_intent(signal.intent, own)
        if intent is None or room is None or room.outcome is not None:
            return
        meant = seat_command(intent, own, room, self.edition_of(room), self.conversation.done)
        if meant is None:
            self._handle_intent(intent, signal.source, seat=signal.seat)
        elif self.conversation.paused:
            self._reply(r.Paused(already=True))
        elif not self.conversation.asleep:
            self.conversation = replace(self.conversation, said=None, quiet=0.0)
            self._carry_out((meant,))

    @_handle.register
    def _handle_psychic_seat_request(self, signal: s.PsychicSeatRequest) -> None:
        self._give_psychic_seat(signal.psychic, signal.device, signal.guest)

    @_handle.register
    def _handle_psychic_seat_left(self, signal: s.PsychicSeatLeft) -> None:
        self._talk = self._talk.release(signal.device, self._now)
        if psychics := self.psychic_seats.leave(signal.device):
            self._reply(sr.PsychicLeft(psychics))

    @_handle.register
    def _handle_typing(self, signal: s.Typing) -> None:
        self._silence.set_typing(self._now, is_begun=signal.is_begun)

    @_handle.register
    def _handle_ghost_command(self, signal: s.GhostCommand) -> None:
        if signal.device in (None, self.seat.state.holder):
            self._run_ghost_command(signal.command)

    @_handle.register
    def _handle_pause_request(self, signal: s.PauseRequest) -> None:
        if signal.device == self.seat.state.holder:
            self._handle_intent(Intent("pause" if signal.pause else "resume"), signal.source)

    @_handle.register
    def _handle_seat_request(self, signal: s.SeatRequest) -> None:
        if self.conversation.sitting is None and self.seat.request(signal.device, signal.guest):
            self._carry_out_step(seat_talk.ask(self.conversation))
        elif self.seat.should_announce_attempt(self._now):
            self._reply(sr.SeatTried())

    @_handle.register
    def _handle_seat_claim(self, signal: s.SeatClaim) -> None:
        self.seat.claim(signal.device, signal.new_device, self._now)

    @_handle.register
    def _handle_ghost_page_open(self, signal: s.GhostPageOpen) -> None:
        self.seat.set_page_open(signal.device, signal.is_open, self._now)

    @_handle.register
    def _handle_host_control(self, signal: s.HostControl) -> None:
        if signal.control == "pace":
            self._narrator.set_pace(Pace(signal.value or self.pace))
        else:
            self._reply(REPLY_TO_CONTROL[signal.control])

    @_handle.register
    def _handle_device_request(self, request: DeviceRequest) -> None:
        self._carry_out_request(request)

    @_handle.register
    def _handle_chair_signal(self, signal: ChairSignal) -> None:
        self._carry_out_chair(signal)

    @_handle.register
    def _handle_host_code_request(self, signal: s.HostCodeRequest) -> None:
        self._reply(r.HostCode(signal.code))

    @_handle.register
    def _handle_button_press(self, signal: s.ButtonPress) -> None:
        if answers_seat_question(signal, self.conversation, self.room):
            self._handle_intent(Intent(signal.button), signal.source)
        elif says_ready(signal, self.conversation):
            self._carry_out_step(begin_first_turn(self.conversation))
        elif skips_story(signal, self.conversation):
            self._reply(r.SkipStory())
        elif self.room is not None and self.room.outcome is None:
            command, self._button_count = command_for_press(signal, self.room, self._button_count)
            if command is not None:
                self._run_ghost_command(command)

    @_handle.register
    def _handle_talk(self, signal: s.Talk) -> None:
        self._press_to_talk(signal.source, None, is_held=signal.is_held)

    @_handle.register
    def _handle_seat_talk(self, signal: s.SeatTalk) -> None:
        if signal.psychic in self.psychic_seats.psychics_of(signal.device):
            self._press_to_talk(signal.device, signal.psychic, is_held=signal.is_held)
        else:  # the seat was lost while its button was held
            self._talk = self._talk.release(signal.device, self._now)

    def _press_to_talk(self, talker: str, speaker: Psychic | None, *, is_held: bool) -> None:
        if not is_held:
            self._talk = self._talk.release(talker, self._now)
        elif self._devices.hearing:
            self._talk = self._talk.press(talker, speaker, self._now)
        else:
            self._narrator.add(Earcon(Sound.REFUSED))

    @_handle.register
    def _handle_fault_report(self, signal: s.FaultReport) -> None:
        self._reply(r.Trouble(signal.fault))

    @_handle.register
    def _handle_hearing_change(self, signal: s.HearingChange) -> None:
        self._devices = replace(self._devices, hearing=signal.can_hear)
        if not signal.can_hear:
            self._talk = TalkState()

    @_handle.register
    def _handle_tick(self, signal: s.Tick) -> None:
        waited = self._silence.tick(self._now, silent=signal.silent)
        self._night_log.flush()
        self._watch_slow_ghost()
        self._watch_talk(waited if signal.silent else 0.0)
        if not signal.silent:
            return
        if self._silence.is_typing(self._now) or self._talk.is_open:
            self._answer_for_absent_ghost()
            return
        self.conversation, answers = talk.respond_to_silence(
            self.conversation, waited, self.room, defaults=self._defaults
        )
        self._carry_out(answers)
        self._answer_for_absent_ghost()
        self._call_settled_time(self._silence.seconds)
        self._ask_about_chair()
        if not answers:
            self._fill_silence()

    @_handle.register
    def _handle_step_told(self, signal: s.StepTold) -> None:
        was_told = self.is_over_and_told
        self._night_log.mark_told(signal.night, signal.step)
        if self.is_over_and_told and not was_told:
            self.seat.release()  # not before, or a page would show that the night is over
            self.psychic_seats.release_all()

    @_handle.register
    def _handle_stop(self, _signal: s.Stop) -> None:
        self._night_log.save_snapshot(self._snapshot(), self._now, at_once=True)

    # From intents to commands

    def _handle_intent(
        self,
        intent: Intent,
        source: Source,
        guest: str | None = None,
        *,
        seat: str = GHOST_SEAT,
        **said: Unpack[SaidWords],
    ) -> None:
        allowed = self._context.allowed_to_devices
        permission = self.seat.judge_intent(intent, source, guest, self.conversation, seat=seat, allowed=allowed)
        if permission is Permission.NEVER:
            return
        if intent.name == "guest_leaves" and may_free_seat(source):
            self.psychic_seats.release(Psychic(str(intent.slots["psychic"])))
        sand = self._time.left_s(self._now)
        self.conversation, answers = talk.respond_to_intent(
            self.conversation, intent, self.room, sand=sand, permission=permission, defaults=self._defaults, **said
        )
        self._carry_out(answers)

    def _handle_typed_ghost_command(self, words: str) -> None:
        """Carry out what the ghost has typed, at a table without a page or buttons."""
        if self.room is None:
            self._narrator.whisper_reply(r.NoNightYet(), None)
            return
        try:
            editions, ghost_words = self._defaults.editions, self._context.ghost_words
            self._run_ghost_command(parse_ghost_command(words, self.room, editions=editions, ghost_words=ghost_words))
        except NotAnOrder as error:
            self._narrator.add(Whisper(str(error)))

    # The ghost's seat

    def _answer_for_absent_ghost(self) -> None:
        """Answer for a ghost whose seat is free or whose page has been closed for long."""
        if (answer := self._automatic_answer()) is not None and not self.conversation.paused:
            if self.seat.state.holder is not None:
                self._reply(sr.GhostAway())
            self._try_command(answer, Seat.GHOST)

    def _follow_devices(self) -> None:
        """Let digits answer for the seat while nobody in the room can say yes; after a change, ask again."""
        pages_only = not self._devices.can_say_yes(self.room)
        if pages_only != self._defaults.pages_only:
            self._defaults = replace(self._defaults, pages_only=pages_only)
            self.seat.ask_by_digits(pages_only, is_open=self.conversation.sitting is not None)
            self._carry_out_step(seat_talk.repeat_question(self.conversation))

    def _watch_talk(self, silent_s: float) -> None:
        """Close the ear after a tap without a command, and let go of a button that is stuck."""
        before = self._talk.wait(silent_s)
        self._talk = before.let_go_of_stuck(self._now)
        if self._talk != before and not self._is_stuck_told:
            self._is_stuck_told = True
            self._reply(r.Trouble(Fault.TALK_STUCK))

    # Cues

    def _fill_silence(self) -> None:
        room, said = self.room, self.conversation
        if room is None or room.outcome is not None or said.paused or said.asleep or said.laying_out:
            return
        if self._silence.take_idle_line(self._now):
            self._narrator.say_idle_line(room)

    def _expected_intents(self) -> ExpectedIntents:
        return expected_intents(self.conversation, self.room, defaults=self._defaults)

    def _take_cues(self) -> tuple[Cue, ...]:
        """Return the collected cues and new faults of the journal, then what may be said now if that has changed."""
        for fault in self._night_log.take_faults():
            self._reply(r.Trouble(fault))
        self._night_log.save_snapshot(self._snapshot(), self._now)
        cues = self._narrator.take_cues()
        if (listen := self._talk.listen) != self._last_listen:
            is_news = listen.is_open and not self._last_listen.is_open
            cues[:0] = (*([Earcon(Sound.LISTENING)] if is_news else ()), listen)
            self._last_listen = listen
        if (now := self._expected_intents()) != self._last_expected:
            self._last_expected = now
            cues.append(Expect(now))
        return tuple(cues)
