"""How the ghost gives visions, draws back and uses crows."""

from itertools import permutations
from typing import Any

import pytest

from seance.rules import (
    IGAMES,
    MANUAL,
    Edition,
    GiveVision,
    Phase,
    Psychic,
    State,
    TurnSand,
    Visions,
    apply,
    room_view,
)
from seance.rules.events import SandTurned
from seance.rules.refusals import (
    AlreadyServed,
    NoSand,
    NotInHand,
    NotNow,
    NotPlaying,
    SearchIsDone,
    VisionsMissing,
    WrongCount,
)
from tests.nights import (
    ALL,
    BLACK,
    BLUE,
    RED,
    WEEKS,
    WHITE,
    YELLOW,
    after,
    begun,
    events_of,
    hour_played,
    interpreted,
    served,
)


@pytest.mark.parametrize("count", [1, 2, 7])
def test_L9_a_psychic_is_given_one_or_more_cards(first_hour: State, count: int) -> None:
    assert after(first_hour, GiveVision(psychic=RED, count=count)).search(RED).visions == count


@pytest.mark.parametrize("count", [0, -1, 8])
def test_L9_no_vision_is_empty_or_larger_than_the_hand(first_hour: State, count: int) -> None:
    with pytest.raises(WrongCount):
        apply(first_hour, GiveVision(psychic=RED, count=count))


def test_L9_M1_a_hand_of_six_gives_no_seven() -> None:
    with pytest.raises(WrongCount, match="1 to 6"):
        apply(begun(MANUAL), GiveVision(psychic=RED, count=7))


def test_L9_the_cards_given_lie_face_up_before_the_psychic(first_hour_dealt: State) -> None:
    first, second, *kept = first_hour_dealt.deck.hand
    state = after(first_hour_dealt, GiveVision(psychic=RED, cards=(second, first)))
    assert room_view(state).psychics[2].visions == (second, first)
    assert state.deck.hand[:5] == tuple(kept)


def test_L9_the_ghost_gives_what_the_ghost_holds_each_card_once(first_hour_dealt: State) -> None:
    held, in_the_pile = first_hour_dealt.deck.hand[0], first_hour_dealt.deck.pile[0]
    for cards in ((held, held), (in_the_pile,), (held, in_the_pile)):
        with pytest.raises(NotInHand, match=f"each once: {', '.join(map(str, cards))}$"):
            apply(first_hour_dealt, GiveVision(psychic=RED, cards=cards))
    with pytest.raises(NotInHand, match=r"each once: none$"):
        apply(first_hour_dealt, GiveVision(psychic=RED, cards=()))


def test_L9_a_psychic_who_has_finished_gets_no_vision() -> None:
    state = begun()
    for _ in range(3):
        state = hour_played(state, [RED])
    with pytest.raises(SearchIsDone, match="red"):
        apply(state, GiveVision(psychic=RED, count=1))


def test_L9_a_colour_that_does_not_play_gets_no_vision(first_hour: State) -> None:
    with pytest.raises(NotPlaying, match="black"):
        apply(first_hour, GiveVision(psychic=BLACK, count=1))


def test_L10_a_psychic_gets_no_more_cards_this_turn(first_hour: State) -> None:
    with pytest.raises(AlreadyServed, match="red has already had a vision in hour 1"):
        apply(after(first_hour, GiveVision(psychic=RED, count=1)), GiveVision(psychic=RED, count=1))


def test_L10_a_psychic_gets_cards_again_in_the_next_turn(first_hour: State) -> None:
    second_hour = hour_played(first_hour, [])
    assert after(second_hour, GiveVision(psychic=RED, count=1)).search(RED).served


@pytest.mark.parametrize(
    ("choices", "hand"),
    [({}, 7), ({"edition": MANUAL}, 6), ({"edition": MANUAL, "variant": "full_investigation"}, 7)],
)
def test_L11_M1_M5_the_ghost_draws_back_to_a_full_hand(choices: dict[str, Any], hand: int) -> None:
    state = begun(visions=Visions.DEALT, **choices)
    given, drawn = state.deck.hand[:3], state.deck.pile[:3]
    deck = after(state, GiveVision(psychic=RED, cards=given)).deck
    assert deck.hand == state.deck.hand[3:] + drawn
    assert len(deck.hand) == hand


def test_L11_an_empty_pile_is_made_anew_from_the_discard_pile(first_hour_dealt: State) -> None:
    deck = first_hour_dealt.deck
    nearly_out = first_hour_dealt._replace(deck=deck._replace(pile=deck.pile[:1], discard=deck.pile[1:]))
    after_giving = after(nearly_out, GiveVision(psychic=RED, cards=deck.hand[:3])).deck
    assert len(after_giving.hand) == 7
    assert after_giving.discard == ()
    assert sorted(after_giving.hand + after_giving.pile + deck.hand[:3]) == list(range(1, 85))
    assert after_giving.pile != deck.pile[3:], "the discard pile was not shuffled"


def test_L11_every_new_pile_is_shuffled_anew(first_hour_dealt: State) -> None:
    deck = first_hour_dealt.deck
    out = deck._replace(pile=(), discard=deck.pile)
    once = after(first_hour_dealt._replace(deck=out), GiveVision(psychic=RED, cards=deck.hand[:1]))
    out_again = out._replace(shuffles=once.deck.shuffles)
    again = after(first_hour_dealt._replace(deck=out_again), GiveVision(psychic=RED, cards=deck.hand[:1]))
    assert once.deck.pile != again.deck.pile


def test_L11_the_hand_stays_short_when_both_piles_are_empty(first_hour_dealt: State) -> None:
    deck = first_hour_dealt.deck
    empty = first_hour_dealt._replace(deck=deck._replace(pile=(), discard=()))
    state = after(empty, GiveVision(psychic=RED, cards=deck.hand[:3]))
    assert state.deck.hand == deck.hand[3:]


def test_L11_where_no_card_is_left_to_give_the_sand_may_be_turned(first_hour_dealt: State) -> None:
    deck = first_hour_dealt.deck
    empty = first_hour_dealt._replace(deck=deck._replace(pile=(), discard=()))
    state = after(empty, GiveVision(psychic=RED, cards=deck.hand), TurnSand())
    assert state.phase is Phase.INTERPRETATION


def test_L11_a_short_hand_is_filled_when_visions_are_discarded(first_hour_dealt: State) -> None:
    deck = first_hour_dealt.deck
    empty = first_hour_dealt._replace(deck=deck._replace(pile=(), discard=()))
    state = served(after(empty, GiveVision(psychic=RED, cards=deck.hand[:4])))
    assert state.deck.hand == ()
    next_hour = hour_played(state, [RED])
    assert sorted(next_hour.deck.hand) == sorted(deck.hand[:4])


def test_L11_I4_where_no_card_is_left_to_give_a_day_begins_with_the_interpretation() -> None:
    monday = begun(IGAMES, visions=Visions.DEALT)
    empty = monday._replace(deck=monday.deck._replace(pile=(), discard=()))
    state = after(empty, GiveVision(psychic=RED, cards=monday.deck.hand))
    tuesday = hour_played(state, [])
    assert (tuesday.hour, tuesday.phase) == (2, Phase.INTERPRETATION)


@pytest.mark.parametrize("order", list(permutations((BLUE, WHITE, RED, YELLOW))))
def test_L12_visions_are_given_in_any_order(first_hour: State, order: tuple[Psychic, ...]) -> None:
    assert after(served(first_hour, *order), TurnSand()).phase is Phase.INTERPRETATION


def test_L12_L14_the_sand_waits_until_everybody_still_searching_has_had_a_card(first_hour: State) -> None:
    with pytest.raises(VisionsMissing, match="hour 1: white, yellow"):
        apply(served(first_hour, BLUE, RED), TurnSand())


def test_L12_nobody_waits_for_a_psychic_who_has_finished() -> None:
    state = begun()
    for _ in range(3):
        state = hour_played(state, [RED])
    assert after(served(state, BLUE, WHITE, YELLOW), TurnSand()).phase is Phase.INTERPRETATION


def test_L12_visions_add_to_those_kept_from_earlier_turns(first_hour: State) -> None:
    second_hour = hour_played(first_hour, [])
    assert after(second_hour, GiveVision(psychic=RED, count=2)).search(RED).visions == 3


def test_L14_the_ghost_starts_the_two_minute_timer(first_hour: State) -> None:
    assert events_of(SandTurned, served(first_hour), TurnSand()) == [SandTurned(seconds=120)]


def test_L14_the_sand_is_turned_once(interpreting: State) -> None:
    with pytest.raises(NotNow, match="turn_sand"):
        apply(interpreting, TurnSand())


@WEEKS
def test_I4_there_is_no_timer(edition: Edition) -> None:
    for state in (begun(edition), interpreted(begun(edition))):
        with pytest.raises(NoSand, match=edition.name):
            apply(state, TurnSand())


def test_I2_dreams_are_given_as_visions_are(monday: State) -> None:
    state = after(monday, GiveVision(psychic=RED, count=2))
    with pytest.raises(AlreadyServed):
        apply(state, GiveVision(psychic=RED, count=1))


def test_L9_every_psychic_of_a_full_table_gets_a_vision() -> None:
    assert all(search.served for search in served(begun(players=7), *ALL).searches)
