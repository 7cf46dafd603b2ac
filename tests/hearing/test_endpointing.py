"""How much trailing silence ends an utterance."""

import pytest

from seance.hearing.active_grammar import Grammar
from seance.hearing.endpointing import PartialState, partial_state, silence_timeout_s

SENTENCES = ("blue withdraws", "blue withdraws from red", "card twenty", "card twenty one", "yes")


@pytest.fixture
def grammar():
    return Grammar(
        (),
        lambda text: text if text in SENTENCES else None,
        could_continue=lambda text: text == "card twenty",
        could_extend=lambda text: text == "blue withdraws",
        is_prefix=lambda text: any(sentence.startswith(text + " ") for sentence in SENTENCES),
    )


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("yes", PartialState.COMPLETE),
        ("card twenty", PartialState.CONTINUABLE),
        ("blue withdraws", PartialState.EXTENSIBLE),
        ("blue withdraws from", PartialState.PREFIX),
        ("my sister", PartialState.NO_MATCH),
        ("", PartialState.NO_MATCH),
    ],
)
def test_the_state_of_a_partial_result_is_what_its_words_are_in_the_grammar(grammar, text, state):
    assert partial_state(text, grammar) is state


def test_a_complete_sentence_ends_after_the_least_silence():
    assert min(PartialState, key=lambda state: silence_timeout_s(state, snr_db=30.0)) is PartialState.COMPLETE


@pytest.mark.parametrize("state", PartialState)
def test_low_snr_extends_the_timeout_unless_the_sentence_is_complete(state):
    low, high = silence_timeout_s(state, snr_db=10.0), silence_timeout_s(state, snr_db=30.0)
    assert low == high if state is PartialState.COMPLETE else low > 1.5 * high
