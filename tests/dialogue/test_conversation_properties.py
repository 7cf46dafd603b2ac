"""Whatever is said, at whatever moment: nothing breaks, and nothing lasting happens without a yes."""

from dataclasses import replace
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seance.dialogue.conversation import Conversation
from seance.dialogue.expected_intents import expected_intents
from seance.dialogue.phrasing import NotSpoken, phrase_command, phrase_word
from seance.rules import (
    EDITIONS,
    Abandon,
    Accuse,
    Begin,
    BreakSilence,
    Command,
    Deal,
    NameEldest,
    Psychic,
    State,
    Vote,
    is_legal,
    refusals,
)
from seance.rules.bots import Company, Wanderer
from tests.dialogue.conftest import talk
from tests.guests import Guests, sentences
from tests.languages import LANGUAGES
from tests.tables import any_night, usual_night

FOR_EVER = (Abandon, Accuse, Begin, BreakSilence, NameEldest)
PHRASES = {language: sentences(language).phrases() for language in LANGUAGES}
OF_INTENT = {
    language: {name: sentences(language).phrases([name]) for name in sentences(language).intents}
    for language in LANGUAGES
}
WORDS = {
    language: [word for line in talk(language) for word in line.lower().split()]
    + sorted(sentences(language).narrow(["place_intuition", "vote", "bet"]).words())
    for language in LANGUAGES
}
SEEDS = st.integers(min_value=1, max_value=2**32)


def evening(seed: int, steps: int) -> Guests:
    """Talk at random through *steps* of an evening: sensible and foolish words, silence, the ghost's own acts."""
    chance = Random(seed)
    guests = Guests(language=chance.choice(LANGUAGES), seed=seed)
    if chance.random() < 0.8:
        guests.do(replace(any_night(chance), seed=chance.randrange(1000)))
        for _ in range(chance.choice((0, 20, 60, 100))):
            if guests.state.outcome is None:
                guests.do(any_act(guests.state, chance))
    for _ in range(steps):
        match chance.randrange(12):
            case 0:
                guests.wait(chance.choice((1, 16, 200)))
            case 1:
                guests.mumble()
            case 2 | 3 | 4 | 5 | 6 | 7 if guests.state is not None and guests.state.outcome is None:
                act(guests, any_act(guests.state, chance), chance)
            case 8 | 9:
                said(guests, phrase_word("yes", guests.language), chance)
            case _:
                said(guests, any_words(guests, chance), chance)
        kept(guests)
    return guests


def any_act(state: State, chance: Random) -> Command:
    """Return what leads on, or anything that is legal."""
    if state.setup.deal is Deal.HAND or chance.random() < 0.1:
        return Wanderer(chance).choose(state)
    command = Company(chance, accuracy=0.9).choose(state)
    return command if is_legal(state, command) else Wanderer(chance).choose(state)


def act(guests: Guests, command: Command, chance: Random) -> None:
    """Do something, or say it where it can be said."""
    try:
        words = phrase_command(command, guests.language, chance.randrange(4), room=guests.room)
    except NotSpoken:
        guests.do(command)
    else:
        said(guests, words, chance)


def any_words(guests: Guests, chance: Random) -> str:
    """Return a phrase: any at all, or one that may be said now."""
    if chance.random() < 0.3:
        return chance.choice(PHRASES[guests.language])
    now = expected_intents(guests.conversation, guests.room)
    intents = [name for name in sorted(now.intents) if name not in ("sleep", "pause")]
    return chance.choice(OF_INTENT[guests.language][chance.choice(intents)])


def said(guests: Guests, words: str, chance: Random) -> None:
    """Say *words*, and check that nothing lasting follows from anything but a yes to a question."""
    sure = chance.random() < 0.8
    asked, before = guests.conversation.pending, len(guests.commands)
    sealed = guests.room is not None and guests.room.players != 3
    intent = guests.meant(words)
    guests.say(words, speaker=chance.choice((None, *Psychic)), sand=chance.choice((None, 30.0)), sure=sure)
    for command in guests.commands[before:]:
        assert sure
        if isinstance(command, FOR_EVER) or (sealed and isinstance(command, Vote)):
            assert asked is not None
            assert intent is not None
            assert intent.name in ("yes", "begin")


def kept(guests: Guests) -> None:
    """Check that the journal can keep the conversation."""
    stored = msgspec.json.encode(guests.conversation)
    assert msgspec.json.decode(stored, type=Conversation) == guests.conversation


@settings(max_examples=50, deadline=None)
@given(seed=SEEDS)
def test_whatever_is_said_nothing_breaks_and_what_is_undone_was_done(seed):
    guests = evening(seed, 150)
    assert not any(isinstance(refusal, refusals.NothingToTakeBack) for refusal in guests.refused)


def test_in_such_evenings_every_command_that_can_be_said_is_said_and_granted():
    said = {type(command).__name__ for seed in range(1, 120) for command in evening(seed, 150).said}
    assert said >= {
        *("Abandon", "Accuse", "Begin", "Bet", "BreakSilence", "CallTime", "GiveVision", "PlaceIntuition", "PointAt"),
        *("TakeBack", "TurnSand", "TurnSharedVision", "Vote", "WithdrawBet"),
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_table_talk_means_nothing_at_any_moment_of_a_night(language, edition):
    chance, guests = Random(1894), Guests(language=language)
    guests.do(usual_night(edition, 1))
    while guests.state.outcome is None:
        guests.do(any_act(guests.state, chance))
        for _ in range(20):
            words = " ".join(chance.choices(WORDS[language], k=chance.randint(6, 14)))
            assert guests.expected(words) is None, words


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bare_word_without_a_question_asks_nothing_of_the_rules(language):
    guests = Guests(language=language)
    guests.do(Begin(edition=EDITIONS["libellud"], players=5, level="easy", seed=1))
    bare = ["yes", "no", "answer", "setup", "hush", "repeat", "pause", "resume", "enrol"]
    for words in sentences(language).phrases(bare):
        assert not any(isinstance(answer, Command) for answer in guests.say(words))
