"""How the groups are formed, the culprit is fixed and the shared vision is laid."""

from dataclasses import replace

import pytest

from seance.rules import (
    HEARD_BY,
    IGAMES,
    LIBELLUD,
    MANUAL,
    PORTAL,
    Bet,
    CallTime,
    ChooseCulprit,
    Edition,
    LaySharedVision,
    Manifest,
    NumberGroups,
    Phase,
    Psychic,
    Seat,
    State,
    Table,
    Visions,
    apply,
    ghost_view,
    room_view,
)
from seance.rules.events import CulpritChosen, CulpritMarked, LineupFormed, SharedVisionTurned, TokensReturned
from seance.rules.refusals import (
    CountOrCards,
    CulpritIsDrawn,
    NoSuchGroup,
    NotInHand,
    NotNow,
    ThreeCards,
    WrongOrder,
)
from tests.nights import (
    ALL,
    BLACK,
    BLUE,
    EACH_EDITION,
    RED,
    WEEKS,
    WHITE,
    YELLOW,
    after,
    answered,
    begun,
    chosen,
    events_of,
    hour_played,
    laid,
    lined_up,
    manifesting,
    marked,
    on_track,
)

CHOSEN_BY_THE_GHOST = pytest.mark.parametrize("edition", [LIBELLUD, IGAMES, PORTAL], ids=lambda edition: edition.name)


@EACH_EDITION
def test_L26_I7_cards_that_nobody_found_go_back_to_the_box(edition: Edition) -> None:
    assert lined_up(begun(edition)).table == Table()


@EACH_EDITION
@pytest.mark.parametrize("players", range(3, 8))
def test_L26_I7_each_psychics_three_cards_form_a_group_numbered_in_seat_order(edition: Edition, players: int) -> None:
    state = lined_up(begun(edition, players))
    groups = room_view(state).groups
    assert [group.group for group in groups] == list(range(1, len(state.setup.psychics) + 1))
    assert tuple(group.psychic for group in groups) == state.setup.psychics
    assert [group.cards for group in groups] == [search.secret.cards() for search in state.searches if search.secret]


def test_L26_the_psychics_choose_the_numbers(lineup: State) -> None:
    before = {group.psychic: group.cards for group in lineup.ending.groups}
    groups = after(lineup, NumberGroups(order=(YELLOW, BLUE, RED, WHITE))).ending.groups
    assert [(group.group, group.psychic) for group in groups] == [(1, YELLOW), (2, BLUE), (3, RED), (4, WHITE)]
    assert {group.psychic: group.cards for group in groups} == before


@pytest.mark.parametrize("order", [(), (BLUE, WHITE, RED), (BLUE, WHITE, RED, RED), (BLUE, WHITE, RED, BLACK), ALL])
def test_L26_each_psychics_group_has_one_number(lineup: State, order: tuple[Psychic, ...]) -> None:
    with pytest.raises(WrongOrder, match="name each once"):
        apply(lineup, NumberGroups(order=order))


def test_L26_groups_are_numbered_before_the_culprit_is_chosen(shared_vision: State) -> None:
    with pytest.raises(NotNow, match="number_groups"):
        apply(shared_vision, NumberGroups(order=(YELLOW, BLUE, RED, WHITE)))


def test_L27_all_psychics_take_back_all_their_tokens() -> None:
    third_hour = hour_played(hour_played(begun()))
    state = after(chosen(third_hour), Bet(by=RED, on=BLUE, agrees=True), Bet(by=RED, on=WHITE, agrees=True), CallTime())
    assert [search.tokens_left for search in answered(state).searches] == [4, 4, 4, 4]
    assert len(events_of(TokensReturned, state, *(Manifest(psychic=psychic) for psychic in state.setup.psychics))) == 1


def test_L28_the_ghost_picks_any_group(lineup: State) -> None:
    for group in (1, 2, 3, 4):
        state = after(lineup, ChooseCulprit(group=group))
        assert (ghost_view(state).culprit, state.phase) == (group, Phase.SHARED_VISION)


@pytest.mark.parametrize("group", [-1, 0, 5, 99])
def test_L28_the_culprit_is_one_of_the_groups(lineup: State, group: int) -> None:
    with pytest.raises(NoSuchGroup, match="the groups on the table are 1, 2, 3, 4"):
        apply(lineup, ChooseCulprit(group=group))


def test_L28_the_room_hears_that_a_culprit_is_chosen_and_not_which(lineup: State) -> None:
    assert HEARD_BY[CulpritMarked] == {Seat.GHOST}
    assert HEARD_BY[CulpritChosen] == {Seat.ROOM, Seat.GHOST}
    first, *others = (room_view(after(lineup, ChooseCulprit(group=group))) for group in (1, 2, 3, 4))
    assert all(other == first for other in others)


@EACH_EDITION
def test_L28_I8_three_hand_cards_are_the_shared_vision(edition: Edition) -> None:
    state = marked(begun(edition, visions=Visions.DEALT))
    given = state.deck.hand[2:5]
    after_laying = after(state, LaySharedVision(cards=given))
    assert sorted(after_laying.ending.shared) == sorted(given)
    assert after_laying.deck.hand == state.deck.hand[:2] + state.deck.hand[5:]


@EACH_EDITION
def test_L28_P2_the_order_in_which_the_ghost_named_the_cards_is_not_told(edition: Edition) -> None:
    state = marked(begun(edition, visions=Visions.DEALT))
    first, second, third = state.deck.hand[:3]
    orders = [(first, second, third), (third, first, second), (second, third, first), (third, second, first)]
    shown = {after(state, LaySharedVision(cards=order)).ending.shared for order in orders}
    assert len(shown) == 1


def test_P2_the_shared_cards_are_shuffled() -> None:
    state = marked(begun(PORTAL, visions=Visions.DEALT))
    first, *others = state.deck.hand
    places = {after(state, LaySharedVision(cards=(first, *others[:2]))).ending.shared.index(first)}
    for seed in range(20):
        reseeded = state._replace(setup=replace(state.setup, seed=seed))
        places.add(after(reseeded, LaySharedVision(cards=(first, *others[:2]))).ending.shared.index(first))
    assert places == {0, 1, 2}


def test_L28_a_shared_vision_is_three_different_cards_of_the_hand() -> None:
    state = marked(begun(visions=Visions.DEALT))
    first, second, third, fourth, *_ = state.deck.hand
    for cards in ((first, second), (first, second, third, fourth)):
        with pytest.raises(ThreeCards, match=f"not: {', '.join(map(str, cards))}$"):
            apply(state, LaySharedVision(cards=cards))
    with pytest.raises(ThreeCards, match=r"not: none$"):
        apply(state, LaySharedVision(cards=()))
    for last in (second, state.deck.pile[0]):
        with pytest.raises(NotInHand):
            apply(state, LaySharedVision(cards=(first, second, last)))


def test_L28_dealt_the_shared_cards_are_named_and_else_they_are_not(shared_vision: State) -> None:
    with pytest.raises(CountOrCards, match="lay_shared_vision"):
        apply(shared_vision, LaySharedVision(cards=(1, 2, 3)))
    with pytest.raises(CountOrCards, match="lay_shared_vision"):
        apply(marked(begun(visions=Visions.DEALT)), LaySharedVision())


def test_L28_the_cards_lie_face_down_until_they_are_turned() -> None:
    state = on_track(marked(begun(visions=Visions.DEALT)), 0, 5, 7, 7)
    state = after(state, LaySharedVision(cards=state.deck.hand[:3]))
    view = room_view(state)
    assert (view.shared_vision_shown, view.shared_vision) == (1, state.ending.shared[:1])


def test_L28_a_short_hand_is_filled_from_the_last_visions_before_the_shared_vision_is_chosen() -> None:
    third_hour = hour_played(hour_played(begun(visions=Visions.DEALT)))
    few = third_hour.deck.hand[:4]
    state = third_hour._replace(deck=third_hour.deck._replace(hand=few, pile=(), discard=(81, 82, 83)))
    assert len(chosen(state).deck.hand) == 3
    assert len(hour_played(state).deck.hand) == 7


@WEEKS
def test_I8_the_common_dream_is_laid_face_up(edition: Edition) -> None:
    state = marked(begun(edition))
    turned = events_of(SharedVisionTurned, state, LaySharedVision())
    assert [event.shown for event in turned] == [1, 2, 3]
    assert after(state, LaySharedVision()).phase is Phase.ACCUSATION


@WEEKS
def test_I8_the_common_dream_is_laid_once(edition: Edition) -> None:
    with pytest.raises(NotNow, match="lay_shared_vision"):
        apply(laid(begun(edition)), LaySharedVision())


@CHOSEN_BY_THE_GHOST
def test_P3_I8_the_culprit_is_marked_before_the_common_dream_is_laid(edition: Edition) -> None:
    with pytest.raises(NotNow, match="lay_shared_vision is not possible in the lineup phase"):
        apply(lined_up(begun(edition)), LaySharedVision())


@CHOSEN_BY_THE_GHOST
def test_P3_the_culprit_cannot_be_changed(edition: Edition) -> None:
    for state in (marked(begun(edition)), laid(begun(edition))):
        with pytest.raises(NotNow, match="choose_culprit"):
            apply(state, ChooseCulprit(group=2))


def test_M2_the_culprit_is_drawn_at_the_start_of_the_last_step() -> None:
    state = manifesting(hour_played(hour_played(begun(MANUAL))))
    answers = [Manifest(psychic=psychic) for psychic in state.setup.psychics]
    assert len(events_of(LineupFormed, state, *answers)) == len(events_of(CulpritMarked, state, *answers)) == 1
    assert events_of(CulpritChosen, state, *answers) == [CulpritChosen()]
    assert after(state, *answers).phase is Phase.SHARED_VISION


def test_M2_any_set_may_be_drawn() -> None:
    assert {lined_up(begun(MANUAL, seed=seed)).ending.culprit for seed in range(40)} == {1, 2, 3, 4}


def test_M2_nobody_chooses_the_culprit() -> None:
    for state in (begun(MANUAL), lined_up(begun(MANUAL)), laid(begun(MANUAL))):
        with pytest.raises(CulpritIsDrawn, match="manual"):
            apply(state, ChooseCulprit(group=1))


def test_M2_the_ghost_sees_which_set_was_drawn() -> None:
    state = lined_up(begun(MANUAL))
    assert ghost_view(state).culprit == state.ending.culprit is not None
