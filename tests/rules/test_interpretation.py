"""How psychics choose a card, and when the choice is over."""

import pytest

from seance.rules import (
    EDITIONS,
    IGAMES,
    LIBELLUD,
    MANUAL,
    PORTAL,
    CallTime,
    Category,
    Edition,
    GiveVision,
    Manifest,
    Phase,
    PlaceIntuition,
    State,
    apply,
    room_view,
)
from seance.rules.events import InterpretationBegun, IntuitionAnswered, IntuitionPlaced
from seance.rules.refusals import (
    CardNotOnTable,
    ChoicesMissing,
    NotNow,
    NotPlaying,
    NotServedYet,
    SandNotTurned,
    SearchIsDone,
    VisionsMissing,
    WrongCategory,
)
from tests.nights import (
    BLACK,
    BLUE,
    EACH_EDITION,
    RED,
    WEEKS,
    WHITE,
    YELLOW,
    after,
    begun,
    chosen,
    events_of,
    hour_played,
    interpreted,
    right_card,
    served,
    wrong_card,
)


def test_L15_a_psychic_puts_the_intuition_on_any_card_of_the_kind_searched(interpreting: State) -> None:
    for card in interpreting.table.character:
        assert after(interpreting, PlaceIntuition(psychic=RED, card=card)).search(RED).intuition == card


def test_L15_the_intuition_may_move_as_often_as_wanted(interpreting: State) -> None:
    moves = [PlaceIntuition(psychic=RED, card=card) for card in interpreting.table.character * 2]
    placed = events_of(IntuitionPlaced, interpreting, *moves)
    assert placed == [IntuitionPlaced(RED, card) for card in interpreting.table.character * 2]
    assert after(interpreting, *moves).search(RED).intuition == interpreting.table.character[-1]


def test_L15_two_intuitions_may_share_a_card(interpreting: State) -> None:
    card = interpreting.table.character[0]
    state = after(interpreting, PlaceIntuition(psychic=RED, card=card), PlaceIntuition(psychic=BLUE, card=card))
    assert (state.search(RED).intuition, state.search(BLUE).intuition) == (card, card)


def test_L15_of_two_who_share_a_card_one_is_wrong(interpreting: State) -> None:
    card = right_card(interpreting, RED)
    shared = after(interpreting, PlaceIntuition(psychic=RED, card=card), PlaceIntuition(psychic=BLUE, card=card))
    answers = events_of(IntuitionAnswered, shared, CallTime(), Manifest(psychic=RED), Manifest(psychic=BLUE))
    assert [answer.correct for answer in answers] == [True, False]


def test_L15_a_card_that_was_not_laid_out_cannot_be_chosen(interpreting: State) -> None:
    absent = min(set(LIBELLUD.decks[Category.CHARACTER]) - set(interpreting.table.character))
    with pytest.raises(CardNotOnTable, match=f"card {absent}"):
        apply(interpreting, PlaceIntuition(psychic=RED, card=absent))


def test_L15_a_card_that_was_found_cannot_be_chosen(first_hour: State) -> None:
    found = right_card(first_hour, BLUE)
    second_hour = interpreted(hour_played(first_hour, [BLUE]))
    with pytest.raises(CardNotOnTable):
        apply(second_hour, PlaceIntuition(psychic=RED, card=found))


def test_L15_a_psychic_waits_for_this_hours_vision(first_hour: State) -> None:
    state = served(first_hour, BLUE)
    with pytest.raises(NotServedYet, match="red has had no vision in hour 1 yet"):
        apply(state, PlaceIntuition(psychic=RED, card=right_card(state, RED)))


@EACH_EDITION
def test_I4_a_psychic_may_start_as_soon_as_a_dream_is_given(edition: Edition) -> None:
    state = served(begun(edition), RED)
    assert state.phase is Phase.VISIONS
    assert after(state, PlaceIntuition(psychic=RED, card=right_card(state, RED))).search(RED).intuition is not None


def test_L15_a_psychic_who_has_finished_chooses_nothing() -> None:
    state = begun()
    for _ in range(3):
        state = hour_played(state, [RED])
    with pytest.raises(SearchIsDone, match="red"):
        apply(interpreted(state), PlaceIntuition(psychic=RED, card=state.table.object[0]))


def test_L15_a_colour_that_does_not_play_chooses_nothing(interpreting: State) -> None:
    with pytest.raises(NotPlaying, match="black"):
        apply(interpreting, PlaceIntuition(psychic=BLACK, card=interpreting.table.character[0]))


def test_L15_nobody_chooses_after_the_sand_has_run_out(manifestation: State) -> None:
    with pytest.raises(NotNow, match="place_intuition is not possible in the manifestation phase of hour 1"):
        apply(manifestation, PlaceIntuition(psychic=RED, card=right_card(manifestation, RED)))


def test_L15_every_hour_starts_without_intuitions(first_hour: State) -> None:
    assert {psychic.intuition for psychic in room_view(hour_played(first_hour, [RED])).psychics} == {None}


def test_L18_the_sand_must_run_before_it_can_run_out(first_hour: State) -> None:
    for command in (CallTime(), CallTime(early=True)):
        with pytest.raises(SandNotTurned, match="hour 1"):
            apply(served(first_hour), command)


def test_L23_the_sand_runs_out_even_where_nobody_has_chosen(interpreting: State) -> None:
    assert after(interpreting, CallTime()).phase is Phase.MANIFESTATION


def test_L23_no_card_chosen_is_a_wrong_answer(interpreting: State) -> None:
    answers = events_of(IntuitionAnswered, after(interpreting, CallTime()), Manifest(psychic=RED))
    assert answers == [IntuitionAnswered(RED, None, correct=False)]


def test_S3_psychics_may_go_on_early_when_all_have_chosen(all_chosen: State) -> None:
    assert after(all_chosen, CallTime(early=True)).phase is Phase.MANIFESTATION


def test_S3_nobody_goes_on_early_while_one_has_not_chosen(interpreting: State) -> None:
    state = after(
        interpreting, *(PlaceIntuition(psychic=who, card=wrong_card(interpreting, who)) for who in (BLUE, RED))
    )
    with pytest.raises(ChoicesMissing, match="hour 1: white, yellow"):
        apply(state, CallTime(early=True))


def test_S3_nobody_waits_for_the_choice_of_a_psychic_who_has_finished() -> None:
    state = begun()
    for _ in range(3):
        state = hour_played(state, [RED])
    assert after(chosen(state), CallTime(early=True)).phase is Phase.MANIFESTATION


@WEEKS
def test_I4_the_interpretation_begins_by_itself_with_the_last_dream(edition: Edition) -> None:
    state = served(begun(edition), BLUE, WHITE, RED)
    assert state.phase is Phase.VISIONS
    assert served(state, YELLOW).phase is Phase.INTERPRETATION


def test_I4_that_the_interpretation_begins_is_told_once(monday: State) -> None:
    dreams = [GiveVision(psychic=psychic, count=1) for psychic in (BLUE, WHITE, RED, YELLOW)]
    assert events_of(InterpretationBegun, monday, *dreams) == [InterpretationBegun()]


@WEEKS
@pytest.mark.parametrize("early", [False, True])
def test_I4_the_step_ends_when_every_ball_lies_on_a_card(edition: Edition, early: bool) -> None:
    state = interpreted(begun(edition))
    with pytest.raises(ChoicesMissing, match="blue, white, red, yellow"):
        apply(state, CallTime(early=early))
    assert after(chosen(state), CallTime(early=early)).phase is Phase.MANIFESTATION


@WEEKS
@pytest.mark.parametrize("early", [False, True])
def test_I4_the_step_does_not_end_before_all_dreams_are_given(edition: Edition, early: bool) -> None:
    state = served(begun(edition), BLUE, WHITE, RED)
    for psychic in (BLUE, WHITE, RED):
        state = after(state, PlaceIntuition(psychic=psychic, card=right_card(state, psychic)))
    with pytest.raises(VisionsMissing, match="yellow"):
        apply(state, CallTime(early=early))


def test_I4_balls_may_move_until_the_step_ends(dreamt: State) -> None:
    state = chosen(dreamt)
    card = wrong_card(state, RED)
    assert after(state, PlaceIntuition(psychic=RED, card=card)).search(RED).intuition == card


ORDER = [
    (LIBELLUD, ("character", "location", "object")),
    (IGAMES, ("character", "location", "object")),
    (PORTAL, ("object", "location", "character")),
    (MANUAL, ("object", "location", "character")),
]


@pytest.mark.parametrize(("edition", "order"), ORDER, ids=EDITIONS)
def test_I2_P1_M1_the_order_of_the_search(edition: Edition, order: tuple[str, ...]) -> None:
    state, seen = begun(edition), []
    for _ in range(3):
        seen.append(room_view(state).psychics[0].searching)
        state = hour_played(state)
    assert (tuple(seen), room_view(state).psychics[0].searching) == (order, "done")


@EACH_EDITION
def test_I2_no_later_card_is_chosen_before_the_earlier_is_found(edition: Edition) -> None:
    state = interpreted(begun(edition))
    for later in edition.order[1:]:
        with pytest.raises(WrongCategory, match=f"red searches the {edition.order[0]}"):
            apply(state, PlaceIntuition(psychic=RED, card=state.table.of(later)[0]))
