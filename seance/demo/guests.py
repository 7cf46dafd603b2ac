"""Invented guests: they say what a bot wants, notice when it was misheard, and put it right; they know no secret."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from seance.daemon.signals import Asked, Passed
from seance.demo.cast import Cast
from seance.demo.table import Table
from seance.dialogue.answers import automatic_manifest
from seance.dialogue.grammar.sentences import Ambiguous, Intent, Sentences
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

MOST_TIMES = 3
"""How often a thing is said before it is typed."""
MOST_ANSWERS = 4
"""How many questions are answered before it is said anew."""
MOST_MOVES = 2000
"""More than any night takes."""
CHATTY, CURIOUS = 0.3, 0.08
"""How likely somebody talks to a neighbour, or asks the house something, before a thing is said."""


Words = Callable[[int], str]
"""What is said the first time (0), and the times after it."""


class NightStuck(RuntimeError):
    """The guests could not bring the night to its end."""


@dataclass(slots=True)
class Tally:
    """How well the guests were heard."""

    sentences: int = 0
    """Things that a guest wanted of the house."""
    at_once: int = 0
    """Of them, done when they were said once, and confirmed where the house asked back."""
    answered: int = 0
    """Questions asked back, answered by yes or no."""
    repeated: int = 0
    undone: int = 0
    typed: int = 0
    """Of the things wanted, those that had to be typed."""
    too_late: int = 0
    """Of the things wanted, those that the night has gone past before they were understood."""
    talk: int = 0
    """Sentences that were not for the house."""
    talk_taken: int = 0
    """Of them, those that the house took for its own."""

    def __str__(self) -> str:
        return (
            f"{self.sentences} sentences for the house, {self.at_once} of them understood when first said; "
            f"{self.answered} times asked back, {self.repeated} said again, {self.undone} taken back, "
            f"{self.typed} typed at last, {self.too_late} too late; "
            f"{self.talk} sentences of table talk, {self.talk_taken} of them taken for a command"
        )


MOST_ARRIVALS = 3
"""How often the guests begin again when the house has let their wishes rest."""


class Guests:
    """The company at *table*; what each of them wants is *bot*'s choice."""

    def __init__(
        self, table: Table, cast: Cast, bot: Bot, *, language: str, sentences: Sentences, chance: Random
    ) -> None:
        self.tally = Tally()
        self._table, self._cast, self._bot, self._chance = table, cast, bot, chance
        self._language, self._sentences = language, sentences

    def play(self, begin: Begin) -> Outcome:
        """Play the night of *begin* from the welcome to its end, or raise NightStuck."""
        self._table.open()
        return self.play_another(begin)

    def play_another(self, begin: Begin) -> Outcome:
        """Play the night of *begin* at a table where one may have ended before, or raise NightStuck."""
        self._arrive(begin)
        for _ in range(MOST_MOVES):
            if self._state.outcome is not None:
                return self._state.outcome
            self._move()
        raise NightStuck(f"the night does not end: it is still at hour {self._state.hour}, {self._state.phase}")

    # What the guests do

    def _arrive(self, begin: Begin) -> None:
        """Say what is to be played, and yes."""
        host, evening = (begin.psychics or tuple(Psychic))[0], self._table.evening
        for _ in range(MOST_ARRIVALS):
            self._get_across(host, self._simply("begin"), lambda: evening.conversation.setting_up)
            self._get_across(host, lambda _: phrase_setup(begin, self._language), lambda: self._is_agreed(begin))
            self._get_across(host, self._simply("yes"), self._plays)
            if self._plays():
                return
        raise NightStuck("the house does not begin the night")

    def _plays(self) -> bool:
        state = self._table.evening.state
        return state is not None and state.outcome is None

    def _is_agreed(self, begin: Begin) -> bool:
        """Return whether the house has just said what *begin* asks for."""
        pending = self._table.evening.conversation.pending
        return pending is not None and pending.summary == Summary(
            edition=begin.edition.name,
            players=begin.players,
            level=begin.level,
            psychics=begin.psychics or (),
            story=False,
            by_hand=begin.deal is Deal.HAND,
            variant=begin.variant,
            again=pending.summary.again if pending.summary else False,
        )

    def _move(self) -> None:
        """Do one thing that the bot would do now."""
        command = self._bot.choose(self._state)
        try:
            words = self._words_for(command)
        except NotSpoken:
            self._act(command)
            return
        guest = self._who(command)
        if self._table.voices is not None:
            self._talk(guest)
        self._ask(guest, command, words)

    def _act(self, command: Command) -> None:
        """Do what nobody says: the ghost taps, the sand runs out."""
        if isinstance(command, CallTime):
            sand = self._table.evening.sand
            self._table.wait(sand.left_at(self._table.now) if sand else 0.0)
            self._table.give(Passed())
        else:
            self._table.give(Asked(command))

    def _talk(self, guest: Psychic) -> None:
        """Let somebody else say something to a neighbour, and somebody ask a question, now and then."""
        if self._chance.random() < CHATTY:
            other = self._chance.choice([psychic for psychic in self._state.setup.psychics if psychic is not guest])
            before = self._table.evening.state, self._table.evening.conversation.pending
            self._table.speak(other, self._chance.choice(self._cast.talk), aside=True)
            self.tally.talk += 1
            if before != (self._table.evening.state, self._table.evening.conversation.pending):
                self.tally.talk_taken += 1
                self._put_right(guest)
        if self._chance.random() < CURIOUS and self._state.phase is Phase.INTERPRETATION:
            self._question(guest, self._chance.choice(self._cast.questions))

    def _question(self, guest: Psychic, words: str) -> None:
        """Ask the house something that changes nothing."""
        self.tally.sentences += 1
        for time in range(MOST_TIMES):
            if any(isinstance(cue, Say) for cue in self._table.speak(guest, words)):
                self.tally.at_once += time == 0
                return
            self.tally.repeated += time + 1 < MOST_TIMES
        self.tally.typed += 1
        self._table.type(guest, words)

    def _ask(self, guest: Psychic, command: Command, words: Words) -> None:
        """Get *command* across, unless the rules no longer grant it."""
        wanted: list[State] = []

        def aim() -> None:
            wanted.append(_followed(self._state, command))

        try:
            self._get_across(guest, words, lambda: self._state in wanted, aim)
        except Refusal:
            self.tally.too_late += 1

    def _get_across(
        self, guest: Psychic, words: Words, is_done: Callable[[], bool], aim: Callable[[], None] = lambda: None
    ) -> None:
        """Say *words*, each time others, until it *is_done*, and at last type them; *aim* is called before each."""
        self.tally.sentences += 1
        for time in range(MOST_TIMES):
            aim()
            before = self._table.evening.state
            self._table.speak(guest, words(time))
            if is_done() or self._answer(guest, words(time), is_done):
                self.tally.at_once += time == 0
                return
            if self._table.evening.state != before:
                self._put_right(guest)
            self.tally.repeated += time + 1 < MOST_TIMES
        aim()
        self.tally.typed += 1
        self._table.type(guest, words(0))
        if not is_done():
            self._answer(guest, words(0), is_done)

    def _answer(self, guest: Psychic, words: str, is_done: Callable[[], bool]) -> bool:
        """Answer what the house asks back about *words* by yes or no; return whether it is done then."""
        for time in range(MOST_ANSWERS):
            pending = self._table.evening.conversation.pending
            if pending is None or pending.ask_back is None:
                break
            self.tally.answered += 1
            answer = self._simply("yes" if pending.intent == self._meant(words) else "no")(time)
            say = self._table.speak if time + 1 < MOST_ANSWERS else self._table.type
            say(guest, answer)
            if is_done():
                return True
        return False

    def _put_right(self, guest: Psychic) -> None:
        """Take back what nobody wanted."""
        self.tally.undone += 1
        pending = self._table.evening.conversation.pending
        asked_back = pending is not None and pending.ask_back is not None
        self._table.speak(guest, self._simply("no" if asked_back else "take_back")(0))

    # What they know

    @property
    def _state(self) -> State:
        state = self._table.evening.state
        if state is None:
            raise NightStuck("no night has begun")
        return state

    def _who(self, command: Command) -> Psychic:
        """Return who says it: whom it is about, else the host."""
        who = getattr(command, "psychic", None) or getattr(command, "by", None)
        return who if isinstance(who, Psychic) else self._state.setup.psychics[0]

    def _meant(self, words: str) -> Intent | None:
        try:
            return self._sentences.match(words)
        except Ambiguous:
            return None

    def _words_for(self, command: Command) -> Words:
        """Return ways to say *command*, or raise Unspoken; visions are given in silence, for the ghost can tap."""
        if isinstance(command, GiveVision):
            raise NotSpoken
        first, room = self._chance.randrange(9), self._table.evening.room
        phrase_command(command, self._language, room=room)
        return lambda time: phrase_command(command, self._language, first + time, room=room)

    def _simply(self, word: str) -> Words:
        first = self._chance.randrange(9)
        return lambda time: phrase_word(word, self._language, first + time)


def _followed(state: State, command: Command) -> State:
    """Return *state* after *command* and all that follows by itself, or raise Refusal."""
    state, _ = apply(state, command)
    while (answer := automatic_manifest(room_view(state))) is not None:
        state, _ = apply(state, answer)
    return state
