"""What we added to every edition: dealing, counting, going on early, taking back, abandoning, replaying."""

import pytest

from seance.rules import (
    IGAMES,
    LIBELLUD,
    Abandon,
    Begin,
    Bet,
    CallTime,
    Deal,
    Edition,
    GiveVision,
    Manifest,
    Outcome,
    Phase,
    PlaceIntuition,
    Reason,
    State,
    Visions,
    apply,
    ghost_view,
    room_view,
)
from seance.rules.events import IntuitionAnswered, SecretsDealt, VisionGiven
from seance.rules.refusals import AnswerKnown, AnswerMissing, CannotBeRight, CountOrCards, SeedMissing
from tests.nights import (
    BLUE,
    EACH_EDITION,
    NOBODY,
    RED,
    WHITE,
    YELLOW,
    after,
    begun,
    chosen,
    events_of,
    interpreted,
    laid,
    lined_up,
    manifesting,
    marked,
    right_card,
)


@pytest.fixture
def dealt_by_hand() -> State:
    """The ghost deals real cards behind a real screen; the sand has run out and every psychic has chosen."""
    return manifesting(begun(deal=Deal.HAND))


def test_S1_the_manor_deals_where_nothing_is_said() -> None:
    assert Begin(edition=LIBELLUD, players=5, level="easy").deal is Deal.MANOR


@EACH_EDITION
def test_S1_dealt_by_hand_the_engine_never_knows_the_secret(edition: Edition) -> None:
    begin = Begin(edition=edition, players=5, level="easy", seed=1, deal=Deal.HAND)
    assert events_of(SecretsDealt, None, begin) == []
    state = after(None, begin)
    assert {search.secret for search in state.searches} == {None}
    assert ghost_view(state).secret is None


@EACH_EDITION
def test_S1_dealt_by_hand_the_engine_still_lays_the_same_table(edition: Edition) -> None:
    assert begun(edition, deal=Deal.HAND).table == begun(edition).table


@pytest.mark.parametrize("correct", [True, False])
def test_S1_dealt_by_hand_the_ghost_says_yes_or_no(dealt_by_hand: State, correct: bool) -> None:
    card = dealt_by_hand.search(RED).intuition
    answers = events_of(IntuitionAnswered, dealt_by_hand, Manifest(psychic=RED, correct=correct))
    assert answers == [IntuitionAnswered(RED, card, correct)]


def test_S1_dealt_by_hand_the_ghost_must_say_it(dealt_by_hand: State) -> None:
    with pytest.raises(AnswerMissing, match="red"):
        apply(dealt_by_hand, Manifest(psychic=RED))


@pytest.mark.parametrize("correct", [True, False])
def test_S1_dealt_by_the_manor_the_ghost_says_nothing(manifestation: State, correct: bool) -> None:
    with pytest.raises(AnswerKnown, match="red"):
        apply(manifestation, Manifest(psychic=RED, correct=correct))


def test_S1_dealt_by_hand_nobody_is_right_without_a_choice() -> None:
    state = after(interpreted(begun(deal=Deal.HAND)), CallTime())
    with pytest.raises(CannotBeRight, match="red"):
        apply(state, Manifest(psychic=RED, correct=True))
    assert after(state, Manifest(psychic=RED, correct=False)).search(RED).answered


def test_S1_dealt_by_hand_nobody_is_right_on_a_card_that_has_just_left() -> None:
    state = interpreted(begun(deal=Deal.HAND))
    card = state.table.character[0]
    state = after(state, PlaceIntuition(psychic=RED, card=card), PlaceIntuition(psychic=BLUE, card=card), CallTime())
    state = after(state, Manifest(psychic=BLUE, correct=True))
    with pytest.raises(CannotBeRight, match=str(card)):
        apply(state, Manifest(psychic=RED, correct=True))


@EACH_EDITION
def test_S1_a_night_dealt_by_hand_comes_to_its_lineup(edition: Edition) -> None:
    groups = lined_up(begun(edition, deal=Deal.HAND)).ending.groups
    assert [group.psychic for group in groups] == [BLUE, WHITE, RED, YELLOW]
    assert len({card for group in groups for card in group.cards}) == 12


def test_S2_visions_lie_on_the_table_where_nothing_is_said() -> None:
    assert Begin(edition=LIBELLUD, players=5, level="easy").visions is Visions.TABLE


def test_S2_visions_on_the_table_are_counted(first_hour: State) -> None:
    assert events_of(VisionGiven, first_hour, GiveVision(psychic=RED, count=2)) == [VisionGiven(RED, 2, None)]
    assert room_view(after(first_hour, GiveVision(psychic=RED, count=2))).psychics[2].visions == 2
    assert ghost_view(first_hour).hand is None


def test_S2_dealt_visions_are_numbers(first_hour_dealt: State) -> None:
    cards = first_hour_dealt.deck.hand[:2]
    given = events_of(VisionGiven, first_hour_dealt, GiveVision(psychic=RED, cards=cards))
    assert given == [VisionGiven(RED, 2, cards)]
    assert ghost_view(first_hour_dealt).hand == first_hour_dealt.deck.hand


def test_S2_visions_are_counted_or_named_and_not_both(first_hour: State, first_hour_dealt: State) -> None:
    card = first_hour_dealt.deck.hand[0]
    both = GiveVision(psychic=RED, count=1, cards=(card,))
    for command in (GiveVision(psychic=RED), GiveVision(psychic=RED, cards=(card,)), both):
        with pytest.raises(CountOrCards, match="a count"):
            apply(first_hour, command)
    for command in (GiveVision(psychic=RED), GiveVision(psychic=RED, count=1), both):
        with pytest.raises(CountOrCards, match="numbers"):
            apply(first_hour_dealt, command)


@EACH_EDITION
@pytest.mark.parametrize("visions", Visions)
def test_S4_a_night_can_be_abandoned_at_any_time(edition: Edition, visions: Visions) -> None:
    night = begun(edition, visions=visions)
    for state in (night, interpreted(night), manifesting(night), lined_up(night), marked(night), laid(night)):
        over = after(state, Abandon())
        assert (over.phase, over.outcome) == (Phase.OVER, Outcome(won=False, reason=Reason.ABANDONED))


def test_S6_a_night_needs_a_seed() -> None:
    with pytest.raises(SeedMissing):
        apply(None, Begin(edition=LIBELLUD, players=5, level="easy"))


@EACH_EDITION
def test_S6_the_same_seed_deals_the_same_night(edition: Edition) -> None:
    begin = Begin(edition=edition, players=5, level="easy", seed=77, visions=Visions.DEALT)
    assert apply(None, begin) == apply(None, begin)


@EACH_EDITION
def test_S6_another_seed_deals_another_night(edition: Edition) -> None:
    nights = [begun(edition, seed=seed, visions=Visions.DEALT) for seed in range(20)]
    assert len({night.table for night in nights}) == len({night.deck for night in nights}) == 20


def test_S6_the_seed_is_recorded() -> None:
    assert begun(seed=77).setup.seed == 77


@pytest.mark.parametrize("edition", [LIBELLUD, IGAMES])
def test_S6_what_the_table_does_changes_no_shuffle(edition: Edition) -> None:
    night = begun(edition, visions=Visions.DEALT)
    one = chosen(night, NOBODY)
    other = after(chosen(night), PlaceIntuition(psychic=RED, card=right_card(night, RED)))
    assert one.deck == other.deck


def test_S6_this_seed_deals_this_night_on_every_python() -> None:
    night = begun(seed=1894, visions=Visions.DEALT)
    assert night.table.character == (2, 3, 8, 9, 16, 18)
    assert night.deck.hand == (68, 55, 75, 58, 10, 47, 27)


def test_S3_bets_are_no_condition_for_going_on_early(all_chosen: State) -> None:
    state = after(all_chosen, Bet(by=RED, on=BLUE, agrees=True))
    assert after(state, CallTime(early=True)).phase is Phase.MANIFESTATION
