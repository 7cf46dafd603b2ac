"""Cards that are called by their place in the row: their numbers are on the back (S5)."""

from pathlib import Path

import pytest

from seance.dialogue.card_places import card_at, place_of
from seance.dialogue.expected_intents import expected_intents
from seance.dialogue.grammar.sentences import Intent, Sentences
from seance.dialogue.questions import Question
from seance.dialogue.replies import Ask, LeftAlone, NoCardThere
from seance.rules import Category, PlaceIntuition, TurnSand, refusals
from tests.guests import Guests
from tests.languages import EACH_SAMPLED, sample
from tests.nights import BLUE, RED, after, begun, hour_played, right_card, served

CHARACTER, LOCATION = Category.CHARACTER, Category.LOCATION
WHICH = Ask(question=Question.WHICH_CARD, psychic=RED)


@pytest.fixture
def guests() -> Guests:
    """Five players in the first hour, all visions given and the sand turned."""
    return Guests(after(served(begun()), TurnSand()))


@pytest.fixture
def second_hour() -> Guests:
    """Red has found a character, the others have not."""
    return Guests(after(served(hour_played(begun(), right=(RED,))), TurnSand()))


def row(guests: Guests, kind: Category = CHARACTER) -> tuple[int, ...]:
    """Return the cards of *kind* as they were laid out."""
    return guests.room.laid_out.of(kind)


def found_place(guests: Guests) -> int:
    """Return the place that the card of red has left."""
    (found,) = guests.state.search(RED).found
    return row(guests).index(found) + 1


def ordinal(place: int) -> str:
    return ("first", "second", "third", "fourth", "fifth", "sixth")[place - 1]


def test_S5_a_card_is_called_by_its_number(guests):
    card = row(guests)[2]
    assert guests.say(f"red chooses card {card}") == (PlaceIntuition(psychic=RED, card=card),)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "red chooses the third character"),
        ("en", "the third suspect for red"),
        ("fr", "rouge choisit le troisième personnage"),
        ("fr", "le troisième suspect pour rouge"),
    ],
)
def test_S5_a_card_is_called_by_its_place_in_the_row(guests, language, text):
    guests.language = language
    assert guests.say(text) == (PlaceIntuition(psychic=RED, card=row(guests)[2]),)


@EACH_SAMPLED
def test_S5_a_card_is_called_by_the_name_that_its_owner_gave_it(tmp_path: Path, language):
    names = tmp_path / "names.toml"
    names.write_text('[cards]\n"pablo" = 7\n', encoding="utf-8")
    meant = Sentences.load(language, names_file=names).match(sample(language)["by_name"].format(name="pablo"))
    assert meant == Intent("place_intuition", {"psychic": "red", "card": 7})


def test_a_place_without_a_kind_is_in_the_row_that_the_psychic_searches(second_hour):
    assert second_hour.say("red takes the second one") == (
        PlaceIntuition(psychic=RED, card=row(second_hour, LOCATION)[1]),
    )


def test_who_speaks_is_asked_before_the_row_is_known(second_hour):
    second_hour.say("I take the second")
    assert second_hour.say("red") == (PlaceIntuition(psychic=RED, card=row(second_hour, LOCATION)[1]),)


def test_a_card_that_was_found_leaves_a_gap_and_the_others_keep_their_places(second_hour):
    for place, card in enumerate(row(second_hour), start=1):
        if place != found_place(second_hour):
            said = second_hour.say(f"blue chooses the {ordinal(place)} character")
            assert said == (PlaceIntuition(psychic=BLUE, card=card),)


def test_at_a_gap_no_card_lies_and_another_is_asked_for(second_hour):
    gap = found_place(second_hour)
    asks = Ask(question=Question.WHICH_CARD, psychic=BLUE)
    assert second_hour.say(f"blue chooses the {ordinal(gap)} character") == (NoCardThere(CHARACTER, gap), asks)


def test_beyond_the_row_no_card_lies_and_another_is_asked_for(guests):
    assert guests.say("red chooses the twelfth character") == (NoCardThere(CHARACTER, 12), WHICH)
    assert guests.commands == []


@pytest.mark.parametrize("text", ["the second character", "the second one", "the second"])
def test_the_question_for_a_card_is_answered_by_a_place(guests, text):
    guests.say("red chooses the twelfth character")
    assert guests.say(text) == (PlaceIntuition(psychic=RED, card=row(guests)[1]),)


def test_the_question_for_a_card_is_answered_by_a_number_still(guests):
    guests.say("red chooses the twelfth character")
    assert guests.say(f"{row(guests)[1]}") == (PlaceIntuition(psychic=RED, card=row(guests)[1]),)


def test_a_place_where_no_card_lies_is_not_asked_about_for_ever(guests):
    guests.say("red chooses the twelfth character")
    guests.say("the twelfth character")
    assert LeftAlone() in guests.say("the twelfth character")


def test_a_card_of_another_row_is_refused_and_another_is_asked_for(guests):
    guests.say("red chooses the second location")
    assert isinstance(guests.refused[0], refusals.WrongCategory)
    assert guests.say("the second character") == (PlaceIntuition(psychic=RED, card=row(guests)[1]),)


def test_a_place_on_its_own_is_talk_while_nothing_is_asked(guests):
    assert guests.expected("the third character") is None


def test_the_ear_is_narrowed_to_the_places_that_were_laid_out(second_hour):
    places = expected_intents(second_hour.conversation, second_hour.room).places
    assert places == set(range(1, len(row(second_hour)) + 1))


def test_what_was_hardly_heard_is_asked_back_and_then_done(guests):
    (asks,) = guests.say("red chooses the third character", sure=False)
    assert asks.card == row(guests)[2]
    assert guests.say("yes") == (PlaceIntuition(psychic=RED, card=row(guests)[2]),)


def test_every_card_lies_at_the_place_that_it_has(guests):
    room = guests.room
    cards = [card for kind in Category for card in room.laid_out.of(kind)]
    assert [card_at(room, *place_of(room, card)) for card in cards] == cards


def test_the_rows_stay_as_they_were_laid_out():
    first = begun()
    card = right_card(first, RED)
    later = Guests(hour_played(first, right=(RED,))).room
    assert card not in later.table.character
    assert later.laid_out == first.table
