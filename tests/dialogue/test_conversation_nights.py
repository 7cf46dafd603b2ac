"""Whole nights in which bots decide what is done and guests say it in sentences."""

from random import Random
from typing import Any

import pytest

from seance.dialogue.opening import Opening
from seance.dialogue.phrasing import NotSpoken, phrase_command, phrase_setup, phrase_word
from seance.rules import EDITIONS, MANUAL, Begin, Deal, Psychic
from seance.rules import commands as c
from seance.rules.bots import Company, Wanderer
from tests.guests import Guests, play, sentences
from tests.languages import LANGUAGES
from tests.nights import BLUE, EACH_TABLE, RED, begun
from tests.tables import usual_players

BOTH = pytest.mark.parametrize("language", LANGUAGES)
EACH = pytest.mark.parametrize("edition", EDITIONS)
VARIATIONS = range(4)


def night(edition: str, players: int, seed: int, **choices: Any) -> Begin:
    """Return a night with a level and psychics that *seed* chooses."""
    chance, of = Random(seed), EDITIONS[edition]
    psychics = tuple(chance.sample(tuple(Psychic), of.psychics(players)))
    psychics = psychics if len(psychics) < 5 else tuple(sorted(psychics, key=tuple(Psychic).index))
    level = chance.choice(list(of.levels))
    return Begin(edition=of, players=players, level=level, seed=seed, psychics=psychics, **choices)


@BOTH
@EACH_TABLE
def test_a_whole_night_is_played_in_spoken_sentences(language, edition, players):
    outcomes = set()
    for seed, accuracy in ((1, 0.0), *((seed, 0.9) for seed in range(2, 9))):
        begin, guests = night(edition, players, seed), Guests(language=language)
        state = play(guests, begin, Company(Random(seed), accuracy=accuracy), Random(seed))
        assert (guests.commands[0], guests.refused) == (begin, [])
        assert state.outcome is not None
        outcomes.add(state.outcome.won)
    assert outcomes == {True, False}


@BOTH
@EACH
def test_a_night_dealt_by_hand_is_played_in_spoken_sentences(language, edition):
    players = usual_players(EDITIONS[edition])
    begin, guests = night(edition, players, 5, deal=Deal.HAND), Guests(language=language)
    play(guests, begin, Company(Random(5), accuracy=0.8), Random(5))
    assert (guests.commands[0], guests.refused) == (begin, [])


@BOTH
def test_a_full_investigation_is_played_in_spoken_sentences(language):
    begin, guests = night("manual", 4, 6, variant="full_investigation"), Guests(language=language)
    play(guests, begin, Company(Random(6), accuracy=0.9), Random(6))
    assert any(isinstance(command, c.Accuse) and command.character for command in guests.commands)
    assert guests.refused == []


@BOTH
@pytest.mark.parametrize("seed", range(1, 13))
def test_any_legal_command_that_can_be_said_is_done_as_it_was_said(language, seed):
    chance = Random(seed)
    edition = list(EDITIONS)[seed % len(EDITIONS)]
    numbers = EDITIONS[edition].players
    guests = Guests(language=language)
    play(guests, night(edition, numbers[seed % len(numbers)], seed), Sayer(chance, guests), chance)
    assert guests.refused == []


class Sayer(Wanderer):
    """Plays any legal command, and takes back only what was done last: "undo that" names nobody."""

    def __init__(self, chance: Random, guests: Guests) -> None:
        super().__init__(chance)
        object.__setattr__(self, "guests", guests)

    def choose(self, state):
        while True:
            command = super().choose(state)
            done = self.guests.conversation.done
            if not isinstance(command, c.TakeBack) or (done and done[-1].psychic is command.psychic):
                return command


@BOTH
@pytest.mark.parametrize("variation", VARIATIONS)
@pytest.mark.parametrize(
    ("command", "name"),
    [
        (c.GiveVision(psychic=RED, count=1), "give_vision"),
        (c.GiveVision(psychic=BLUE, count=3), "give_vision"),
        (c.TurnSand(), "turn_sand"),
        (c.PlaceIntuition(psychic=RED, card=21), "place_intuition"),
        (c.Bet(by=RED, on=BLUE, agrees=True), "bet"),
        (c.Bet(by=RED, on=BLUE, agrees=False), "bet"),
        (c.WithdrawBet(by=BLUE, on=RED), "withdraw_bet"),
        (c.CallTime(early=True), "call_time"),
        (c.NumberGroups(order=(BLUE, RED)), "number_groups"),
        (c.TurnSharedVision(), "turn_shared_vision"),
        (c.ClosePoll(), "turn_shared_vision"),
        (c.Vote(by=BLUE, group=3), "vote"),
        (c.NameEldest(psychic=RED), "name_eldest"),
        (c.PointAt(by=RED, group=2), "point_at"),
        (c.Accuse(character=1, location=21, object=44), "accuse"),
        (c.BreakSilence(), "break_silence"),
        (c.TakeBack(psychic=RED), "take_back"),
        (c.Abandon(), "end"),
    ],
)
def test_what_a_guest_says_is_understood(language, variation, command, name):
    intent = sentences(language).match(phrase_command(command, language, variation))
    assert intent is not None
    assert intent.name == name


@pytest.mark.parametrize(
    "command",
    [
        c.UseCrow(),
        c.Manifest(psychic=RED),
        c.ChooseCulprit(group=1),
        c.LaySharedVision(),
        c.CallTime(early=False),
        c.GiveVision(psychic=RED, cards=(1, 2)),
        c.Accuse(),
    ],
)
def test_what_nobody_says_aloud_has_no_sentence(command):
    with pytest.raises(NotSpoken):
        phrase_command(command, "en")


@BOTH
@pytest.mark.parametrize("players", MANUAL.players)
@pytest.mark.parametrize("by_hand", [True, False])
def test_a_whole_set_up_fits_in_one_breath(language, players, by_hand):
    begin = night("manual", players, players, deal=Deal.HAND if by_hand else Deal.MANOR, variant="full_investigation")
    guests = Guests(language=language, seed=players)
    guests.say(phrase_setup(begin, language, story=Opening.LONG))
    guests.say(phrase_word("yes", language))
    assert guests.commands == [begin]
    assert guests.conversation.wishes.story is Opening.LONG


def test_the_night_that_was_said_is_the_night_that_is_played():
    guests = Guests()
    guests.say("we are four, normal, the reference rules, red white and black are playing, skip the story")
    guests.say("yes")
    assert guests.state == begun(MANUAL, 4, "normal", psychics=(Psychic.RED, Psychic.WHITE, Psychic.BLACK))
