"""Speech recognition on a thread: takes blocks of the microphone and reports what was heard."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from seance.daemon.chair_signals import ChairChange, ChairSignal, ChairsKnown, GhostOverheard
from seance.daemon.signals import Heard, HearingChange
from seance.daemon.world.interruption import Interruption
from seance.dialogue.grammar.sentences import Ambiguous, Intent, Sentences
from seance.hearing.talk_window import TalkWindow
from seance.narration.cues import Enrol, Expect, ForgetVoice, Listen, MoveChair
from seance.rules import Psychic

if TYPE_CHECKING:
    from seance.audio.echo_remover import EchoRemover
    from seance.hearing.active_grammar import Grammar
    from seance.hearing.array_recogniser import ArrayRecogniser
    from seance.hearing.recogniser import AudioBlock, Recogniser
    from seance.hearing.recognition import Recognition

JOIN_TIMEOUT_S = 1.5
"""How long to wait for the last block when closing."""
SPEAKING = "speaking"
"""The reason to be muted while the house itself is speaking."""
MIN_GHOST_WORDS = 2
"""The least words at the ghost's seat that are told: a cough may be taken for one."""
GHOST_SEAT_DEG = 20.0
"""How far to either side of the ghost's direction the ghost may speak."""
METER_RANGE_DB = 60.0
"""Range of the level meter, below full scale."""

log = logging.getLogger(__name__)


class HearingThread:
    """Recognises speech while it is not muted: the house would hear itself.

    The recogniser is loaded on the thread, as its model takes seconds; what is said meanwhile is heard afterwards.
    """

    def __init__(
        self,
        load_recogniser: Callable[[], Recogniser | ArrayRecogniser | None],
        sentences: Sentences,
        build_grammar: Callable[[Sentences], Grammar],
        on_heard: Callable[[Heard], None],
        on_change: Callable[[HearingChange], None] = lambda _: None,
        on_signal: Callable[[ChairSignal], None] = lambda _: None,
        *,
        talk_sentences: Sentences | None = None,
        only_talk: bool = False,
        echo: EchoRemover | None = None,
        ghost_deg: float | None = None,
    ) -> None:
        """Load the recogniser by *load_recogniser*, which returns None if there can be none.

        *on_change* is told when it cannot hear any more, and when it can again; *on_signal* who sits where around an
        array, and what is said at the ghost's seat. *talk_sentences* are what may be said
        under a button to talk, if that differs; with *only_talk* nothing else is ever reported. While the house
        speaks, it hears if *echo* has removed that from the blocks. What is said in the direction *ghost_deg* around
        an array is never a command.
        """
        self._echo = echo
        self._interruption = Interruption(echo)
        self._is_held = False
        self._on_hold: Callable[[bool], None] = lambda _: None
        self._ghost_deg = ghost_deg
        self._talk_sentences, self._only_talk = talk_sentences or sentences, only_talk
        self._listen_cues: queue.SimpleQueue[Listen] = queue.SimpleQueue()
        self._talk_window: TalkWindow | None = None
        """The last stretch in which a button was held; None before the first."""
        self._is_talk_open = False
        self._load_recogniser, self._sentences = load_recogniser, sentences
        self._build_grammar, self._on_heard, self._on_change = build_grammar, on_heard, on_change
        self._on_signal = on_signal
        self._recogniser: Recogniser | ArrayRecogniser | None = None
        self._expect: Expect | None = None
        self._lock = threading.Lock()
        """Guards the recogniser and what it is to expect."""
        self._mute_reasons: set[str] = set()
        self._missing_parts: set[str] = set()
        self._can_hear = True
        self._change_lock = threading.Lock()
        """Keeps reports to *on_change* in their order."""
        self._introductions: dict[str, tuple[tuple[float, ...] | None, float | None]] = {}
        """The voiceprint and the direction of everybody who has said who they are, until they are enrolled."""
        self._thread: threading.Thread | None = None
        self._last_block: AudioBlock | None = None

    def start(self, blocks: Iterable[AudioBlock]) -> None:
        """Recognise *blocks* on a thread until there are no more."""
        self._thread = threading.Thread(target=self.run, args=(blocks,), name="ear", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Wait for the last block; the source of the blocks must be closed."""
        if self._thread is not None:
            self._thread.join(timeout=JOIN_TIMEOUT_S)
            if self._thread.is_alive():
                return  # the model is still loading; the thread ends with the program
        if self._recogniser is not None:
            self._recogniser.close()

    def set_muted(self, reason: str, muted: bool) -> None:
        """Mute or unmute for *reason*, such as `speaking`; it hears while there is no reason left."""
        (self._mute_reasons.add if muted else self._mute_reasons.discard)(reason)
        log.debug("the ear is %s", "shut" if self.is_muted else "open")
        self._report_change()

    def on_hold(self, callback: Callable[[bool], None]) -> None:
        """Call *callback* with True when somebody seems to silence the house, and with False when that is decided."""
        self._on_hold = callback

    def set_missing(self, part: str, missing: bool) -> None:
        """Note that *part*, such as `microphone`, does not work or works again."""
        (self._missing_parts.add if missing else self._missing_parts.discard)(part)
        self._report_change()

    @property
    def is_muted(self) -> bool:
        """Whether there is any reason to hear nothing."""
        reasons = self._mute_reasons - {SPEAKING} if self._echo and self._echo.is_trusted else self._mute_reasons
        return bool(reasons)

    @property
    def is_hearing_speech(self) -> bool:
        """Whether somebody is speaking, as far as it hears."""
        recogniser = self._recogniser
        return recogniser is not None and recogniser.utterance_began_s is not None

    def level(self) -> float | None:
        """Return the level at the microphone: 0 is METER_RANGE_DB below full scale, 1 is full scale.

        None before the first block.
        """
        block = self._last_block
        if block is None or isinstance(block, bytes):
            return None
        from seance.audio.levels import dbfs  # here, not above: numpy takes long to import

        return round(min(1.0, max(0.0, 1.0 + dbfs(block) / METER_RANGE_DB)), 2)

    def expect(self, cue: Expect) -> None:
        """Recognise what *cue* allows from the next sentence on."""
        with self._lock:
            self._expect = cue
            self._update_grammar()
            self._update_candidates()

    def listen(self, cue: Listen) -> None:
        """Listen to whoever holds a button to talk, from the next block on, or no longer."""
        self._listen_cues.put(cue)

    def enrol(self, cue: Enrol | MoveChair | ForgetVoice) -> None:
        """Enrol the voice that has introduced itself and its direction, move a guest's chair, or forget a guest."""
        if self._recogniser is None:
            return
        speakers, name = self._recogniser.speakers, cue.psychic.value
        before = speakers.seats_deg
        match cue:
            case Enrol():
                speakers.enrol(name, *self._introductions.pop(name, (None, None)))
            case MoveChair():
                speakers.move(name, cue.direction_deg, takes_over=cue.takes_over)
            case ForgetVoice():
                speakers.forget(name)
        if (chairs := speakers.seats_deg) != before:
            self._on_signal(ChairsKnown({Psychic(each): seat for each, seat in chairs.items()}))

    def _report_change(self) -> None:
        with self._change_lock:
            # While the house speaks it does not hear either, but only for a moment.
            can_hear = not self._missing_parts and not self._mute_reasons - {SPEAKING}
            if can_hear != self._can_hear:
                self._can_hear = can_hear
                self._on_change(HearingChange(can_hear))

    def _update_grammar(self, *, wait: bool = False) -> None:
        if self._recogniser is not None and self._expect is not None:
            now = self._expect.intents
            sentences = now.narrow(self._talk_sentences if self._is_talk_open else self._sentences)
            self._recogniser.set_grammar(replace(self._build_grammar(sentences), prior=now.prior), wait=wait)

    def _update_candidates(self) -> None:
        """Let nobody be identified who does not play in this night."""
        if self._recogniser is not None and self._expect is not None:
            playing = self._expect.intents.psychics
            names = None if playing is None else frozenset(psychic.value for psychic in playing)
            self._recogniser.speakers.candidates = names

    def _follow_talk(self, recogniser: Recogniser | ArrayRecogniser) -> None:
        """Open, change or close the window of talk as the cues that have come say."""
        while not self._listen_cues.empty():
            cue = self._listen_cues.get()
            is_opened = cue.is_open and not self._is_talk_open
            if is_opened:
                window = TalkWindow(recogniser.now_s)
                self._end_earlier_speech(recogniser, window)
                self._talk_window = window
            if self._talk_window is None:
                continue
            if cue.is_open:
                speaker = None if cue.speaker is None else cue.speaker.value
                self._talk_window = replace(self._talk_window, speaker=speaker, one_command=cue.one_command)
            else:
                self._talk_window = self._talk_window.close(recogniser.now_s)
            has_changed, self._is_talk_open = cue.is_open != self._is_talk_open, cue.is_open
            if has_changed and self._talk_sentences is not self._sentences:
                with self._lock:
                    # Sound waits meanwhile: none of it may be decoded with the sentences of before.
                    self._update_grammar(wait=True)

    def _end_earlier_speech(self, recogniser: Recogniser | ArrayRecogniser, window: TalkWindow) -> None:
        """Report the sentence of the talk before *window* if it is still being said, and forget other people's talk.

        Somebody's sentence that was begun earlier is heard to its end: its last words must not be taken for a command.
        """
        began_s, before = recogniser.utterance_began_s, self._talk_window
        if began_s is None or window.takes(began_s):
            return
        if before is not None and before.takes(began_s):
            self._report(recogniser.finish())
        else:
            recogniser.discard_talk()

    def _report(self, recognitions: Iterable[Recognition]) -> None:
        """Report *recognitions*, with the speaker that a button to talk tells."""
        for heard in recognitions:
            window = self._talk_window
            by_talk = window is not None and window.takes(heard.began_s)
            if self._only_talk and not by_talk:
                continue
            if heard.intent is None and (silencing := self._silencing_intent(heard)) is not None:
                heard = replace(heard, intent=silencing)
            elif not self._interruption.takes(
                heard.text, heard.intent, heard.began_s, heard.ended_s, confidence=heard.confidence
            ):
                continue
            if not by_talk and self._is_ghost(heard):
                if heard.intent is not None or len(heard.text.split()) >= MIN_GHOST_WORDS:
                    self._on_signal(GhostOverheard())
                heard = replace(heard, intent=None, speaker=None, moved=None)
            if heard.intent is not None and heard.intent.name == "enrol":
                self._introductions[str(heard.intent.slots["psychic"])] = heard.voiceprint, heard.direction_deg
            speaker = (window.speaker if window is not None and by_talk else None) or heard.speaker
            if window is not None and by_talk and window.one_command and heard.intent is not None:
                self._talk_window = window.close(heard.began_s)
            who = Psychic(speaker) if speaker else None
            self._on_heard(Heard(heard.text, heard.intent, heard.confidence, who, by_talk))
            if heard.moved is not None and heard.direction_deg is not None:
                self._on_signal(ChairChange(Psychic(heard.moved), heard.direction_deg))

    def _silencing_intent(self, heard: Recognition) -> Intent | None:
        """Return what *heard*, which was not accepted, means if it silences the house; None otherwise."""
        if not self._interruption.was_held(heard.began_s):
            return None
        with suppress(Ambiguous):
            intent = self._sentences.match(heard.text)
            if self._interruption.takes_doubtful(intent, heard.began_s, heard.ended_s):
                return intent
        return None

    def _is_ghost(self, heard: Recognition) -> bool:
        """Tell whether *heard* was said where the ghost sits."""
        if self._ghost_deg is None or heard.direction_deg is None:
            return False
        return abs((heard.direction_deg - self._ghost_deg + 180) % 360 - 180) <= GHOST_SEAT_DEG

    def run(self, blocks: Iterable[AudioBlock]) -> None:
        """Recognise *blocks* on this thread until there are no more."""
        recogniser = self._load_recogniser()
        if recogniser is None:
            self.set_missing("recogniser", True)
            return
        with self._lock:
            self._recogniser = recogniser
            self._update_grammar()
            self._update_candidates()
        log.info("the ear is awake")
        for block in blocks:
            self._last_block = block
            self._follow_talk(recogniser)
            is_speaking = SPEAKING in self._mute_reasons
            if is_speaking:
                self._interruption.note_speaking(recogniser.now_s)
            if self.is_muted:
                self._set_held(False)
                # End the sentence that was begun, but keep what is known of the room's noise.
                for _ in recogniser.finish():
                    pass
                continue
            self._interruption.follow_clock(recogniser.now_s)
            self._report(recogniser.feed(block))
            if is_speaking:
                self._interruption.note_speaking(recogniser.now_s)
            partial = recogniser.partial_intent if is_speaking else None
            began_s = recogniser.utterance_began_s
            self._set_held(self._interruption.holds(partial, began_s, recogniser.now_s))

    def _set_held(self, is_held: bool) -> None:
        if is_held != self._is_held:
            self._is_held = is_held
            self._on_hold(is_held)
