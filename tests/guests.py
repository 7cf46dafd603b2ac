"""Guests who talk to the house in real sentences, which are matched, resolved and applied to the rules."""

from dataclasses import dataclass, field, replace
from functools import cache
from random import Random

from seance.daemon.typed_text import match_intent
from seance.dialogue import conversation as talk
from seance.dialogue.answers import automatic_manifest
from seance.dialogue.conversation import Conversation, Defaults
from seance.dialogue.conversation_state import DialogueAction
from seance.dialogue.expected_intents import expected_intents
from seance.dialogue.grammar.sentences import Intent, Sentences
from seance.dialogue.phrasing import NotSpoken, phrase_command, phrase_word
from seance.dialogue.replies import AskBack, FirstTurn, Summary
from seance.rules import Begin, Command, Psychic, Refusal, RoomView, Seat, State, apply, heard, room_view
from seance.rules.bots import Bot

SEED = 1894
MOST_WORDS = 4000
"""More than any night takes."""


@cache
def sentences(language: str) -> Sentences:
    """Return the sentences of *language*, loaded once."""
    return Sentences.load(language)


@dataclass
class Guests:
    """A room full of people, and the house that answers them."""

    state: State | None = None
    conversation: Conversation = field(default_factory=Conversation)
    language: str = "en"
    defaults: Defaults = field(default_factory=Defaults)
    seed: int = SEED
    commands: list[Command] = field(default_factory=list)
    """All commands that the rules accepted."""
    said: list[Command] = field(default_factory=list)
    """Those of them that followed from a sentence."""
    refused: list[Refusal] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.state is not None:
            self.conversation = replace(self.conversation, phase=self.state.phase)

    @property
    def room(self) -> RoomView | None:
        return None if self.state is None else room_view(self.state)

    def say(
        self, text: str, *, speaker: Psychic | None = None, sand: float | None = None, sure: bool = True
    ) -> tuple[DialogueAction, ...]:
        """Say *text*, which must be a sentence, and return all that follows: seeds are drawn, the rules are asked."""
        intent = self.meant(text)
        assert intent is not None, f"nobody understands {text!r}"
        self.conversation, answers = talk.respond_to_intent(
            self.conversation,
            intent,
            self.room,
            speaker=speaker,
            sand=sand,
            sure=sure,
            text=text,
            defaults=self.defaults,
        )
        return tuple(follow for answer in answers for follow in self._followed(answer))

    def meant(self, text: str) -> Intent | None:
        """Return the intent of *text* as it is typed: one that is expected now, or else any."""
        now = expected_intents(self.conversation, self.room, defaults=self.defaults)
        return match_intent(text, sentences(self.language), now)

    def expected(self, text: str) -> Intent | None:
        """Return the intent of *text* among those that are expected now, or None."""
        now = expected_intents(self.conversation, self.room, defaults=self.defaults)
        return now.narrow(sentences(self.language)).match(text)

    def wait(self, seconds: float) -> tuple[DialogueAction, ...]:
        """Let *seconds* pass in silence."""
        self.conversation, answers = talk.respond_to_silence(
            self.conversation, seconds, self.room, defaults=self.defaults
        )
        return answers

    def mumble(self) -> tuple[DialogueAction, ...]:
        """Say something that is not understood."""
        self.conversation, answers = talk.respond_to_unrecognised(self.conversation)
        return answers

    def do(self, *commands: Command) -> None:
        """Apply *commands* without a word, as the ghost and the clock do."""
        for command in commands:
            self.state, events = apply(self.state, command)
            self.conversation = talk.update_after_events(
                self.conversation, heard(events, Seat.ROOM), room_view(self.state)
            )
            self.commands.append(command)

    def _followed(self, answer: DialogueAction) -> tuple[DialogueAction, ...]:
        if not isinstance(answer, Command):
            return (answer,)
        try:
            self.do(replace(answer, seed=self.seed) if isinstance(answer, Begin) else answer)
        except Refusal as refusal:
            self.refused.append(refusal)
            self.conversation, more = talk.respond_to_refusal(
                self.conversation, refusal, self.room, defaults=self.defaults
            )
            return (answer, *more)
        self.said.append(answer)
        return (answer,)


def play(guests: Guests, begin: Begin, bot: Bot, chance: Random) -> State:
    """Let *bot* decide and the guests say it, from the first word to the verdict."""
    guests.seed = begin.seed or SEED
    guests.say(phrase_word("begin", guests.language, chance.randrange(9)))
    confirm(guests, guests.say(phrase_command(begin, guests.language)), chance)
    assert guests.state is not None
    assert guests.say(phrase_word("ready", guests.language, chance.randrange(9))) == (FirstTurn(),)
    for _ in range(MOST_WORDS):
        if guests.state.outcome is not None:
            return guests.state
        assert guests.room is not None
        command = automatic_manifest(guests.room) or bot.choose(guests.state)
        asked = len(guests.commands)
        try:
            words = phrase_command(command, guests.language, chance.randrange(9), room=guests.room)
        except NotSpoken:
            guests.do(command)
        else:
            assert guests.expected(words), f"{words!r} is not expected"
            confirm(guests, guests.say(words), chance)
        assert guests.commands[asked:] == [command]
    raise AssertionError("the night does not end")


def confirm(guests: Guests, answers: tuple[DialogueAction, ...], chance: Random) -> None:
    """Say yes where the house asks back."""
    if any(isinstance(answer, AskBack | Summary) for answer in answers):
        guests.say(phrase_word("yes", guests.language, chance.randrange(9)))
