"""A ghost who dealt by hand corrects an answer before the clock moves (S7)."""

import pytest

from seance.rules import LIBELLUD, Bet, CallTime, CorrectAnswer, Deal, Edition, Manifest, Phase, State, Visions, apply
from seance.rules.events import AnswerCorrected, CardFound, HourStruck
from seance.rules.refusals import AnswerKnown, CannotBeRight, NotAnsweredYet, NotNow
from tests.nights import BLUE, EACH_EDITION, RED, WHITE, YELLOW, after, begun, chosen, events_of, hour_played

BETS = (Bet(by=BLUE, on=RED, agrees=True), Bet(by=WHITE, on=RED, agrees=False))


def answering(edition: Edition, *, turns: int = 0, **choices: object) -> State:
    """Return the state when the ghost is about to answer, after *turns* in which everybody was right."""
    state = begun(edition, deal=Deal.HAND, **choices)
    for _ in range(turns):
        state = hour_played(state)
    return after(chosen(state), *(BETS if state.setup.tokens else ()), CallTime())


@EACH_EDITION
@pytest.mark.parametrize("visions", Visions)
@pytest.mark.parametrize("turns", [0, 1, 2])
@pytest.mark.parametrize("slip", [True, False])
def test_S7_a_corrected_answer_is_as_if_it_had_been_given_rightly(
    edition: Edition, visions: Visions, turns: int, slip: bool
) -> None:
    state = answering(edition, turns=turns, visions=visions)
    corrected = after(state, Manifest(psychic=RED, correct=slip), CorrectAnswer(psychic=RED))
    assert corrected == after(state, Manifest(psychic=RED, correct=not slip))


@EACH_EDITION
def test_S7_an_answer_may_be_corrected_twice(edition: Edition) -> None:
    state = after(answering(edition), Manifest(psychic=RED, correct=True))
    assert after(state, CorrectAnswer(psychic=RED), CorrectAnswer(psychic=RED)) == state


@EACH_EDITION
def test_S7_the_events_say_what_holds_now(edition: Edition) -> None:
    state = after(answering(edition), Manifest(psychic=RED, correct=False))
    card = state.search(RED).intuition
    assert events_of(AnswerCorrected, state, CorrectAnswer(psychic=RED)) == [AnswerCorrected(RED, card, True)]
    assert events_of(CardFound, state, CorrectAnswer(psychic=RED)) == [CardFound(RED, card)]


@EACH_EDITION
def test_S7_the_hour_goes_on_after_it(edition: Edition) -> None:
    state = after(answering(edition), Manifest(psychic=RED, correct=True), CorrectAnswer(psychic=RED))
    rest = [Manifest(psychic=psychic, correct=False) for psychic in (BLUE, WHITE, YELLOW)]
    assert [struck.hour for struck in events_of(HourStruck, state, *rest)] == [2]
    assert after(state, *rest).search(RED).found == ()


def test_S7_after_the_last_answer_nothing_is_corrected() -> None:
    state = answering(LIBELLUD)
    state = after(state, *(Manifest(psychic=psychic, correct=False) for psychic in (RED, BLUE, WHITE, YELLOW)))
    assert state.phase is Phase.VISIONS
    with pytest.raises(NotNow):
        apply(state, CorrectAnswer(psychic=RED))


def test_S7_only_an_answer_that_was_given_is_corrected() -> None:
    with pytest.raises(NotAnsweredYet, match="red has no answer in hour 1"):
        apply(answering(LIBELLUD), CorrectAnswer(psychic=RED))


def test_S7_what_the_manor_dealt_needs_no_correction(manifestation: State) -> None:
    with pytest.raises(AnswerKnown, match="red"):
        apply(after(manifestation, Manifest(psychic=RED)), CorrectAnswer(psychic=RED))


def test_S7_a_card_that_another_has_found_cannot_become_right() -> None:
    state = answering(LIBELLUD)
    shared = state.search(BLUE).intuition
    searches = tuple(s._replace(intuition=shared) if s.psychic is RED else s for s in state.searches)
    state = after(
        state._replace(searches=searches), Manifest(psychic=RED, correct=False), Manifest(psychic=BLUE, correct=True)
    )
    with pytest.raises(CannotBeRight, match=str(shared)):
        apply(state, CorrectAnswer(psychic=RED))
