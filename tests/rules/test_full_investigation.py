"""The variant of manual in which an accusation names character, location and item."""

import pytest

from seance.rules import (
    MANUAL,
    Accuse,
    Outcome,
    Phase,
    Reason,
    State,
    apply,
)
from seance.rules.events import Accused
from seance.rules.refusals import (
    NameAllThree,
    NoMajority,
    NotAmongSuspects,
)
from tests.nights import (
    after,
    begun,
    culprit_and_another,
    events_of,
    laid,
    pointed,
)


def full_investigation() -> tuple[State, int, tuple[int, int, int], tuple[int, int, int]]:
    """Return a full investigation at its accusation: the state, the culprit, its cards and those of another."""
    state = laid(begun(MANUAL, variant="full_investigation"))
    culprit, other = culprit_and_another(state)
    cards = {group.group: group.cards for group in state.ending.groups}
    return pointed(state, culprit), culprit, cards[culprit], cards[other]


def test_M5_all_three_elements_of_the_culprits_set_win() -> None:
    state, culprit, (character, location, thing), _ = full_investigation()
    accuse = Accuse(character=character, location=location, object=thing)
    assert events_of(Accused, state, accuse) == [Accused(culprit, (character, location, thing))]
    assert after(state, accuse).outcome == Outcome(won=True, reason=Reason.CULPRIT_FOUND)


@pytest.mark.parametrize("wrong", [0, 1, 2])
def test_M5_one_wrong_element_loses_the_day(wrong: int) -> None:
    state, _, right, others = full_investigation()
    character, location, thing = (others[at] if at == wrong else right[at] for at in range(3))
    state = after(state, Accuse(character=character, location=location, object=thing))
    assert (state.hour, state.phase, len(state.ending.groups)) == (5, Phase.ACCUSATION, 4)


def test_M5_the_right_elements_do_not_help_a_majority_for_another_set() -> None:
    state, culprit, (character, location, thing), _ = full_investigation()
    astray = pointed(state, culprit % 4 + 1)
    state = after(astray, Accuse(character=character, location=location, object=thing))
    assert (state.hour, state.outcome) == (5, None)


def test_M5_an_accusation_names_all_three() -> None:
    state, _, (character, location, thing), _ = full_investigation()
    for accuse in (
        Accuse(),
        Accuse(location=location, object=thing),
        Accuse(character=character, object=thing),
        Accuse(character=character, location=location),
    ):
        with pytest.raises(NameAllThree):
            apply(state, accuse)


def test_M5_only_cards_of_the_sets_can_be_named() -> None:
    state, _, (character, location, thing), _ = full_investigation()
    with pytest.raises(NotAmongSuspects, match=f"card {thing} is not the character"):
        apply(state, Accuse(character=thing, location=location, object=thing))
    with pytest.raises(NotAmongSuspects, match=f"card {character} is not the object"):
        apply(state, Accuse(character=character, location=location, object=character))


def test_M5_M6_a_full_investigation_needs_a_majority_too() -> None:
    state = laid(begun(MANUAL, variant="full_investigation"))
    character, location, thing = state.ending.groups[0].cards
    with pytest.raises(NoMajority):
        apply(state, Accuse(character=character, location=location, object=thing))
