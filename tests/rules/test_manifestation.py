"""How the ghost answers, and what follows for cards, visions and the clock."""

from itertools import permutations

import pytest

from seance.rules import (
    Edition,
    Manifest,
    Outcome,
    Phase,
    Psychic,
    Reason,
    State,
    Visions,
    apply,
    room_view,
)
from seance.rules.events import CardFound, HourStruck, IntuitionAnswered, NightEnded
from seance.rules.refusals import AlreadyAnswered, NotNow, NotPlaying, SearchIsDone
from tests.nights import (
    ALL,
    BLACK,
    BLUE,
    EACH_EDITION,
    NOBODY,
    RED,
    WEEKS,
    WHITE,
    YELLOW,
    after,
    answered,
    at_hour,
    begun,
    events_of,
    hour_played,
    manifesting,
    right_card,
    wrong_card,
)


@pytest.mark.parametrize("order", list(permutations((BLUE, WHITE, RED, YELLOW))))
def test_L20_the_ghost_answers_in_any_order(manifestation: State, order: tuple[Psychic, ...]) -> None:
    answers = events_of(IntuitionAnswered, manifestation, *(Manifest(psychic=psychic) for psychic in order))
    assert [answer.psychic for answer in answers] == list(order)
    assert all(answer.correct for answer in answers)


@EACH_EDITION
def test_L20_I6_each_answer_is_right_or_wrong(edition: Edition) -> None:
    state = manifesting(begun(edition), [RED])
    right, wrong = right_card(state, RED), wrong_card(state, BLUE)
    answers = events_of(IntuitionAnswered, state, Manifest(psychic=RED), Manifest(psychic=BLUE))
    assert answers == [IntuitionAnswered(RED, right, correct=True), IntuitionAnswered(BLUE, wrong, correct=False)]


def test_L20_nobody_is_answered_twice(manifestation: State) -> None:
    with pytest.raises(AlreadyAnswered, match="red has been answered in hour 1 already"):
        apply(after(manifestation, Manifest(psychic=RED)), Manifest(psychic=RED))


def test_L20_a_psychic_who_has_just_finished_is_not_answered_again(first_hour: State) -> None:
    third_hour = hour_played(hour_played(first_hour, [RED]), [RED])
    state = after(manifesting(third_hour, [RED]), Manifest(psychic=RED))
    with pytest.raises(AlreadyAnswered):
        apply(state, Manifest(psychic=RED))


def test_L20_a_psychic_who_finished_earlier_is_not_answered() -> None:
    state = begun()
    for _ in range(3):
        state = hour_played(state, [RED])
    with pytest.raises(SearchIsDone, match="red"):
        apply(manifesting(state), Manifest(psychic=RED))


def test_L20_a_colour_that_does_not_play_is_not_answered(manifestation: State) -> None:
    with pytest.raises(NotPlaying, match="black"):
        apply(manifestation, Manifest(psychic=BLACK))


def test_L20_nobody_is_answered_while_the_sand_runs(all_chosen: State) -> None:
    with pytest.raises(NotNow, match="interpretation"):
        apply(all_chosen, Manifest(psychic=RED))


@EACH_EDITION
def test_L21_I6_a_card_that_was_found_leaves_the_table_for_the_sleeve(edition: Edition) -> None:
    state = manifesting(begun(edition))
    card = right_card(state, RED)
    assert events_of(CardFound, state, Manifest(psychic=RED)) == [CardFound(RED, card)]
    state = after(state, Manifest(psychic=RED))
    assert card not in state.table.of(edition.order[0])
    assert state.search(RED).found == (card,)


@EACH_EDITION
def test_L21_I6_the_visions_of_one_who_was_right_are_discarded(edition: Edition) -> None:
    state = manifesting(begun(edition, visions=Visions.DEALT))
    visions = state.search(RED).vision_cards
    state = after(state, Manifest(psychic=RED))
    assert state.search(RED).vision_cards == ()
    assert state.deck.discard == visions


@EACH_EDITION
def test_L21_I6_counted_visions_are_discarded_too(edition: Edition) -> None:
    assert hour_played(begun(edition), [RED]).search(RED).visions == 0


def test_L21_a_psychic_moves_from_board_to_board(first_hour: State) -> None:
    state, boards = first_hour, []
    for _ in range(3):
        state = hour_played(state, [RED])
        boards.append([psychic.searching for psychic in room_view(state).psychics])
    assert [board[2] for board in boards] == ["location", "object", "done"]
    assert {place for board in boards for place in board[:2] + board[3:]} == {"character"}


@EACH_EDITION
def test_L22_I6_who_was_wrong_stays_on_the_board_and_keeps_the_visions(edition: Edition) -> None:
    state = manifesting(begun(edition, visions=Visions.DEALT), NOBODY)
    table, visions = state.table, state.search(RED).vision_cards
    second_hour = answered(state, NOBODY)
    assert second_hour.table == table
    assert second_hour.search(RED).vision_cards == visions != ()
    assert room_view(second_hour).psychics[2].searching == edition.order[0]


def test_L22_a_wrong_card_may_be_chosen_again(first_hour: State) -> None:
    wrong = wrong_card(first_hour, RED)
    assert wrong in hour_played(first_hour, NOBODY).table.character


@EACH_EDITION
def test_L25_I7_the_clock_moves_with_the_last_answer(edition: Edition) -> None:
    state = manifesting(begun(edition), NOBODY)
    *rest, last = (Manifest(psychic=search.psychic) for search in state.searching())
    assert events_of(HourStruck, state, *rest) == []
    assert events_of(HourStruck, after(state, *rest), last) == [HourStruck(2)]


@EACH_EDITION
def test_L25_a_new_hour_begins_with_visions(edition: Edition) -> None:
    state = hour_played(begun(edition), NOBODY)
    assert (state.hour, state.phase) == (2, Phase.VISIONS)


@EACH_EDITION
def test_L25_I11_all_lose_when_one_still_searches_after_the_seventh_hour(edition: Edition) -> None:
    state = at_hour(begun(edition), 5)
    for _ in range(2):
        state = hour_played(state)
    state = hour_played(state, [psychic for psychic in ALL if psychic is not RED])
    assert (state.hour, state.outcome) == (7, Outcome(won=False, reason=Reason.TIME_OVER))


@EACH_EDITION
@pytest.mark.parametrize("hour", range(3, 7))
def test_L25_I7_when_all_have_finished_the_last_phase_begins(edition: Edition, hour: int) -> None:
    state = at_hour(begun(edition), hour - 2)
    for _ in range(3):
        state = hour_played(state)
    assert state.hour == hour + 1
    assert state.phase in {Phase.LINEUP, Phase.SHARED_VISION}


def test_L25_the_last_card_found_at_hour_seven_is_in_time(seventh_hour: State) -> None:
    state = hour_played(seventh_hour)
    assert (state.hour, state.phase, state.outcome) == (7, Phase.LINEUP, None)


def test_L25_no_hour_strikes_after_the_seventh(seventh_hour: State) -> None:
    state = manifesting(seventh_hour)
    assert events_of(HourStruck, state, *(Manifest(psychic=search.psychic) for search in state.searching())) == []


@WEEKS
def test_I11_the_last_card_found_on_day_seven_is_too_late(edition: Edition) -> None:
    state = at_hour(begun(edition), 5)
    for _ in range(2):
        state = hour_played(state)
    state = manifesting(state)
    ended = events_of(NightEnded, state, *(Manifest(psychic=search.psychic) for search in state.searching()))
    assert ended == [NightEnded(won=False, reason=Reason.TIME_OVER)]


@WEEKS
def test_I11_the_last_card_found_on_day_six_is_in_time(edition: Edition) -> None:
    state = at_hour(begun(edition), 4)
    for _ in range(3):
        state = hour_played(state)
    assert (state.hour, state.outcome) == (7, None)
