"""Simulated guests: they say what a bot decides, notice when the house misheard it, and correct it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from random import Random

from seance.daemon.signals import GhostCommand, Tick
from seance.demo.cast import Cast
from seance.demo.table import DemoTable
from seance.dialogue.answers import automatic_manifest
from seance.dialogue.grammar.sentences import Ambiguous, Intent, Sentences
from seance.dialogue.opening import Opening
from seance.dialogue.phrasing import NotSpoken, phrase_command, phrase_setup, phrase_word
from seance.dialogue.replies import Summary
from seance.narration.cues import Say
from seance.rules import (
    Begin,
    CallTime,
    Command,
    Deal,
    GiveVision,
    Outcome,
    Phase,
    Psychic,
    Refusal,
    State,
    apply,
    room_view,
)
from seance.rules.bots import Bot
from seance.texts import Texts

MAX_ATTEMPTS = 3
"""How often a sentence is said before it is typed."""
MAX_ANSWERS = 4
"""How many questions of the house are answered before a sentence is said again."""
MAX_MOVES = 2000
"""More than any night takes."""
MAX_SETUPS = 3
"""How often the guests begin the setup again when the house has dropped it."""
TALK_PROBABILITY = 0.3
"""That somebody talks to a neighbour before a sentence for the house."""
QUESTION_PROBABILITY = 0.08
"""That somebody asks the house a question before a sentence for the house."""


Phrasing = Callable[[int], str]
"""Returns a wording of the same sentence for each attempt, from 0."""


class NightStuck(RuntimeError):
    """The guests could not finish the night."""


@dataclass(slots=True)
class HearingTally:
    """How well the guests were heard."""

    sentences: int = 0
    """Sentences for the house, each counted once however often it is said."""
    at_once: int = 0
    """Sentences that were carried out after they were said once, and confirmed where the house asked back."""
    answered: int = 0
    """Questions of the house that were answered by yes or no."""
    repeated: int = 0
    """Repetitions of a sentence."""
    undone: int = 0
    """Commands that nobody wanted and that were taken back."""
    typed: int = 0
    """Sentences that had to be typed."""
    too_late: int = 0
    """Sentences that the rules no longer allowed by the time they were understood."""
    talk: int = 0
    """Sentences of table talk."""
    talk_taken: int = 0
    """Sentences of table talk that the house took for a command."""

    def describe(self, texts: Texts) -> str:
        """Return all numbers in a sentence, in the *texts* of the file `terminal`."""
        return texts("demo.tally", **asdict(self))


class Guests:
    """The guests at *table*, who say what *bot* decides."""

    def __init__(
        self, table: DemoTable, cast: Cast, bot: Bot, *, language: str, sentences: Sentences, chance: Random
    ) -> None:
        self.tally = HearingTally()
        self._table, self._cast, self._bot, self._chance = table, cast, bot, chance
        self._language, self._sentences = language, sentences

    def play(self, begin: Begin, *, story: Opening = Opening.SKIPPED) -> Outcome:
        """Play the night that *begin* asks for from the welcome to its end, after *story*, or raise NightStuck."""
        self._table.open()
        return self.play_another(begin, story=story)

    def play_another(self, begin: Begin, *, story: Opening = Opening.SKIPPED) -> Outcome:
        """Play the night that *begin* asks for at a table that is open already, or raise NightStuck."""
        self._set_up(begin, story)
        for _ in range(MAX_MOVES):
            if self._state.outcome is not None:
                return self._state.outcome
            self._move()
        raise NightStuck(f"the night does not end: it is still at hour {self._state.hour}, {self._state.phase}")

    # What the guests do

    def _set_up(self, begin: Begin, story: Opening) -> None:
        """Ask for the night of *begin*, and confirm it."""
        words = phrase_setup(begin, self._language, story=story)
        host, evening = (begin.psychics or tuple(Psychic))[0], self._table.evening
        for _ in range(MAX_SETUPS):
            self._say_until(host, self._simple_phrasing("begin"), lambda: evening.conversation.setting_up)
            self._say_until(host, lambda _: words, lambda: self._is_agreed(begin, story))
            self._say_until(host, self._simple_phrasing("yes"), self._is_playing)
            if self._is_playing():
                self._say_until(host, self._simple_phrasing("ready"), lambda: not evening.conversation.laying_out)
                return
        raise NightStuck("the house does not begin the night")

    def _is_playing(self) -> bool:
        state = self._table.evening.state
        return state is not None and state.outcome is None

    def _is_agreed(self, begin: Begin, story: Opening) -> bool:
        """Return whether the house asks to confirm exactly what *begin* asks for."""
        pending = self._table.evening.conversation.pending
        return pending is not None and pending.summary == Summary(
            edition=begin.edition.name,
            players=begin.players,
            level=begin.level,
            psychics=begin.psychics or (),
            story=story,
            by_hand=begin.deal is Deal.HAND,
            variant=begin.variant,
            again=pending.summary.again if pending.summary else False,
        )

    def _move(self) -> None:
        """Carry out the next command of the bot."""
        command = self._bot.choose(self._state)
        try:
            words = self._phrasing_of(command)
        except NotSpoken:
            self._do_silently(command)
            return
        guest = self._speaker_of(command)
        if self._table.spoken_input is not None:
            self._talk_aside(guest)
        self._say_command(guest, command, words)

    def _do_silently(self, command: Command) -> None:
        """Carry out a command that nobody says: the ghost taps, or the sand runs out."""
        if isinstance(command, CallTime):
            sand = self._table.evening.sand
            self._table.wait(sand.left_at(self._table.now) if sand else 0.0)
            self._table.give(Tick())
        else:
            self._table.give(GhostCommand(command))

    def _talk_aside(self, guest: Psychic) -> None:
        """Now and then, let another guest talk to a neighbour, and *guest* ask the house a question."""
        if self._chance.random() < TALK_PROBABILITY:
            other = self._chance.choice([psychic for psychic in self._state.setup.psychics if psychic is not guest])
            before = self._table.evening.state, self._table.evening.conversation.pending
            self._table.speak(other, self._chance.choice(self._cast.talk), aside=True)
            self.tally.talk += 1
            if before != (self._table.evening.state, self._table.evening.conversation.pending):
                self.tally.talk_taken += 1
                self._take_back(guest)
        if self._chance.random() < QUESTION_PROBABILITY and self._state.phase is Phase.INTERPRETATION:
            self._ask_question(guest, self._chance.choice(self._cast.questions))

    def _ask_question(self, guest: Psychic, words: str) -> None:
        """Ask the house a question, which changes nothing in the game."""
        self.tally.sentences += 1
        for attempt in range(MAX_ATTEMPTS):
            if any(isinstance(cue, Say) for cue in self._table.speak(guest, words)):
                self.tally.at_once += attempt == 0
                return
            self.tally.repeated += attempt + 1 < MAX_ATTEMPTS
        self.tally.typed += 1
        self._table.type(guest, words)

    def _say_command(self, guest: Psychic, command: Command, words: Phrasing) -> None:
        """Say *words* until *command* is carried out or the rules no longer allow it."""
        wanted: list[State] = []

        def aim() -> None:
            wanted.append(_apply_with_automatic(self._state, command))

        try:
            self._say_until(guest, words, lambda: self._state in wanted, aim)
        except Refusal:
            self.tally.too_late += 1

    def _say_until(
        self, guest: Psychic, words: Phrasing, is_done: Callable[[], bool], aim: Callable[[], None] = lambda: None
    ) -> None:
        """Say *words* in a new wording each attempt until it *is_done*, and at last type them.

        *aim* is called before each attempt.
        """
        self.tally.sentences += 1
        for attempt in range(MAX_ATTEMPTS):
            aim()
            before = self._table.evening.state
            self._table.speak(guest, words(attempt))
            if is_done() or self._answer(guest, words(attempt), is_done):
                self.tally.at_once += attempt == 0
                return
            if self._table.evening.state != before:
                self._take_back(guest)
            self.tally.repeated += attempt + 1 < MAX_ATTEMPTS
        aim()
        self.tally.typed += 1
        self._table.type(guest, words(0))
        if not is_done():
            self._answer(guest, words(0), is_done)

    def _answer(self, guest: Psychic, words: str, is_done: Callable[[], bool]) -> bool:
        """Answer the questions of the house about *words* by yes or no; return whether it *is_done* then."""
        for attempt in range(MAX_ANSWERS):
            pending = self._table.evening.conversation.pending
            if pending is None or pending.ask_back is None:
                break
            self.tally.answered += 1
            answer = self._simple_phrasing("yes" if pending.intent == self._intent_of(words) else "no")(attempt)
            say = self._table.speak if attempt + 1 < MAX_ANSWERS else self._table.type
            say(guest, answer)
            if is_done():
                return True
        return False

    def _take_back(self, guest: Psychic) -> None:
        """Take back a command that nobody wanted."""
        self.tally.undone += 1
        pending = self._table.evening.conversation.pending
        asked_back = pending is not None and pending.ask_back is not None
        self._table.speak(guest, self._simple_phrasing("no" if asked_back else "take_back")(0))

    # What they know

    @property
    def _state(self) -> State:
        state = self._table.evening.state
        if state is None:
            raise NightStuck("no night has begun")
        return state

    def _speaker_of(self, command: Command) -> Psychic:
        """Return the guest who says *command*: the psychic that it names, else the host."""
        who = getattr(command, "psychic", None) or getattr(command, "by", None)
        return who if isinstance(who, Psychic) else self._state.setup.psychics[0]

    def _intent_of(self, words: str) -> Intent | None:
        try:
            return self._sentences.match(words)
        except Ambiguous:
            return None

    def _phrasing_of(self, command: Command) -> Phrasing:
        """Return wordings of *command*, or raise NotSpoken; a vision is never said, because the ghost taps it."""
        if isinstance(command, GiveVision):
            raise NotSpoken
        first, room = self._chance.randrange(9), self._table.evening.room
        phrase_command(command, self._language, room=room)
        return lambda attempt: phrase_command(command, self._language, first + attempt, room=room)

    def _simple_phrasing(self, word: str) -> Phrasing:
        first = self._chance.randrange(9)
        return lambda attempt: phrase_word(word, self._language, first + attempt)


def _apply_with_automatic(state: State, command: Command) -> State:
    """Return *state* after *command* and the automatic commands that follow, or raise Refusal."""
    state, _ = apply(state, command)
    while (answer := automatic_manifest(room_view(state))) is not None:
        state, _ = apply(state, answer)
    return state
