"""How the culprit is accused until the week is over, and how a broken silence ends it."""

import pytest

from seance.rules import (
    IGAMES,
    LIBELLUD,
    MANUAL,
    PORTAL,
    Accuse,
    BreakSilence,
    ChooseCulprit,
    Edition,
    LaySharedVision,
    Outcome,
    Phase,
    PointAt,
    Psychic,
    Reason,
    State,
    apply,
    room_view,
)
from seance.rules.events import Accused, CulpritRevealed, HourStruck, NightEnded, SetRemoved, SilenceBroken
from seance.rules.refusals import (
    NameTheGroupOnly,
    NoMajority,
    NoSuchGroup,
    NotNow,
    NotPlaying,
    SilenceNotFatal,
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
    culprit_and_another,
    events_of,
    interpreted,
    laid,
    lined_up,
    manifesting,
    marked,
    pointed,
)

LEAVES = pytest.mark.parametrize("edition", [IGAMES, PORTAL], ids=["igames", "portal"])


@WEEKS
def test_I5_a_word_of_the_ghost_ends_the_game_at_once_in_defeat(edition: Edition) -> None:
    night = begun(edition)
    for state in (night, interpreted(night), manifesting(night), lined_up(night), marked(night), laid(night)):
        assert events_of(SilenceBroken, state, BreakSilence()) == [SilenceBroken()]
        assert after(state, BreakSilence()).outcome == Outcome(won=False, reason=Reason.SILENCE_BROKEN)


def test_I5_in_libellud_a_word_of_the_ghost_ends_nothing(first_hour: State, voting: State) -> None:
    for state in (first_hour, voting):
        with pytest.raises(SilenceNotFatal, match="libellud"):
            apply(state, BreakSilence())


def test_I9_psychics_put_their_balls_on_sets_openly(accusing: State) -> None:
    state = after(accusing, PointAt(by=RED, group=2), PointAt(by=BLUE, group=3))
    assert room_view(state).pointing == {RED: 2, BLUE: 3}


def test_I9_a_ball_may_move(accusing: State) -> None:
    state = after(accusing, PointAt(by=RED, group=2), PointAt(by=RED, group=3))
    assert room_view(state).pointing == {RED: 3}


@pytest.mark.parametrize("group", [0, 5])
def test_I9_a_ball_lies_on_a_set_that_is_there(accusing: State, group: int) -> None:
    with pytest.raises(NoSuchGroup):
        apply(accusing, PointAt(by=RED, group=group))


def test_I9_a_colour_that_does_not_play_has_no_ball(accusing: State) -> None:
    with pytest.raises(NotPlaying, match="black"):
        apply(accusing, PointAt(by=BLACK, group=1))


MAJORITIES = [(3, 2), (4, 2), (5, 3), (6, 3), (7, 4)]


@WEEKS
@pytest.mark.parametrize(("players", "majority"), MAJORITIES)
def test_I9_M6_an_accusation_needs_more_than_half_of_the_balls(edition: Edition, players: int, majority: int) -> None:
    state = laid(begun(edition, players))
    group = culprit_and_another(state)[1]
    for balls, psychic in enumerate(state.setup.psychics[:majority]):
        with pytest.raises(NoMajority, match=f"{balls} of the {majority} balls"):
            apply(state, Accuse())
        state = after(state, PointAt(by=psychic, group=group))
    assert events_of(Accused, state, Accuse()) == [Accused(group)]


def test_I9_half_of_the_balls_is_no_majority(accusing: State) -> None:
    groups: dict[Psychic, int] = {BLUE: 1, WHITE: 1, RED: 2, YELLOW: 2}
    state = after(accusing, *(PointAt(by=by, group=group) for by, group in groups.items()))
    with pytest.raises(NoMajority):
        apply(state, Accuse())


def test_I9_M6_talk_without_a_majority_costs_no_day(accusing: State) -> None:
    state = after(accusing, PointAt(by=RED, group=2))
    with pytest.raises(NoMajority):
        apply(state, Accuse())
    assert (state.hour, state.phase) == (accusing.hour, Phase.ACCUSATION)


@WEEKS
def test_I10_a_right_accusation_is_victory(edition: Edition) -> None:
    state = laid(begun(edition))
    culprit = culprit_and_another(state)[0]
    state = pointed(state, culprit)
    assert events_of(CulpritRevealed, state, Accuse()) == [CulpritRevealed(culprit)]
    ended = events_of(NightEnded, state, Accuse())
    assert ended == [NightEnded(won=True, reason=Reason.CULPRIT_FOUND)]


@LEAVES
def test_I10_P4_a_wrongly_accused_set_leaves_the_table(edition: Edition) -> None:
    state = pointed(laid(begun(edition)), 3)
    assert events_of(SetRemoved, state, Accuse()) == [SetRemoved(3)]
    assert [group.group for group in room_view(after(state, Accuse())).groups] == [1, 2, 4]


@LEAVES
def test_I10_nobody_points_at_a_set_that_has_left(edition: Edition) -> None:
    state = after(pointed(laid(begun(edition)), 3), Accuse())
    with pytest.raises(NoSuchGroup, match="the groups on the table are 1, 2, 4"):
        apply(state, PointAt(by=RED, group=3))


@WEEKS
def test_I10_M4_a_wrong_accusation_costs_a_day(edition: Edition) -> None:
    state = laid(begun(edition))
    state = pointed(state, culprit_and_another(state)[1])
    assert events_of(HourStruck, state, Accuse()) == [HourStruck(5)]
    assert after(state, Accuse()).phase is Phase.ACCUSATION


@WEEKS
def test_I9_after_an_accusation_the_balls_are_taken_up(edition: Edition) -> None:
    state = laid(begun(edition))
    state = after(pointed(state, culprit_and_another(state)[1]), Accuse())
    assert room_view(state).pointing == {}
    with pytest.raises(NoMajority, match="0 of the 3"):
        apply(state, Accuse())


@WEEKS
def test_I10_there_are_no_new_dream_cards(edition: Edition) -> None:
    state = laid(begun(edition))
    state = after(pointed(state, culprit_and_another(state)[1]), Accuse())
    with pytest.raises(NotNow, match="lay_shared_vision"):
        apply(state, LaySharedVision())


@WEEKS
@pytest.mark.parametrize("day", [4, 5, 6, 7])
def test_I10_I11_there_are_as_many_accusations_as_days_left(edition: Edition, day: int) -> None:
    state = laid(begun(edition, 7), hour=day)
    assert state.hour == day
    innocent = [group.group for group in state.ending.groups if group.group != state.ending.culprit]
    accusations = 0
    while state.outcome is None:
        state = after(pointed(state, innocent[accusations]), Accuse())
        accusations += 1
    assert accusations == 7 - day + 1
    assert (state.hour, state.outcome) == (7, Outcome(won=False, reason=Reason.TIME_OVER))


@WEEKS
def test_I11_the_culprit_found_on_day_seven_is_in_time(edition: Edition) -> None:
    state = laid(begun(edition), hour=7)
    state = after(pointed(state, culprit_and_another(state)[0]), Accuse())
    assert (state.hour, state.outcome) == (7, Outcome(won=True, reason=Reason.CULPRIT_FOUND))


def test_M4_a_wrongly_accused_set_stays_on_the_table() -> None:
    state = laid(begun(MANUAL))
    wrong = culprit_and_another(state)[1]
    state = pointed(state, wrong)
    assert events_of(SetRemoved, state, Accuse()) == []
    again = after(state, Accuse())
    assert [group.group for group in room_view(again).groups] == [1, 2, 3, 4]
    assert pointed(again, wrong).phase is Phase.ACCUSATION


@WEEKS
def test_M3_an_accusation_names_no_location_or_item(edition: Edition) -> None:
    state = laid(begun(edition))
    group = state.ending.groups[0]
    character, location, thing = group.cards
    with pytest.raises(NameTheGroupOnly, match=edition.name):
        apply(pointed(state, 1), Accuse(character=character, location=location, object=thing))


def test_M3_locations_and_items_have_left_the_table() -> None:
    table = room_view(laid(begun(MANUAL))).table
    assert (table.character, table.location, table.object) == ((), (), ())


@LEAVES
def test_I8_any_set_may_be_the_culprits(edition: Edition) -> None:
    state = lined_up(begun(edition, 7))
    for group in range(1, len(ALL) + 1):
        assert after(state, ChooseCulprit(group=group)).ending.culprit == group


def test_L30_nobody_accuses_where_there_is_a_vote() -> None:
    state = laid(begun(LIBELLUD))
    for command in (PointAt(by=RED, group=1), Accuse()):
        with pytest.raises(NotNow, match="vote phase"):
            apply(state, command)
