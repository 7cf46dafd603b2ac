"""Which part of a breath was said by somebody nearer, by its levels."""

from dataclasses import replace

import pytest

from seance.listening.cleaning import FRAME, STILLNESS
from seance.listening.grammar import from_phrases, sentence_model
from seance.listening.utterance import Expected, Utterance
from seance.listening.vocabulary import read_vocabulary


@pytest.fixture(scope="module")
def model(english):
    return sentence_model(english, from_phrases(["yes"]), read_vocabulary(english, ["yes"]))


@pytest.fixture
def breath(model):
    """Return an utterance of so many seconds at such levels."""

    def breath(*stretches):
        utterance = Utterance(model, Expected(from_phrases(["yes"]), str), loudness=-26.0)
        for seconds, level in stretches:
            for _ in range(round(seconds / FRAME)):
                utterance.hear(replace(STILLNESS, level=level, loudness=level))
        return utterance

    return breath


def test_somebody_nearer_is_found_after_others(breath):
    nearer, by = breath((1.0, -32.0), (1.5, -20.0), (0.3, -40.0)).loudest()
    assert 1.5 <= len(nearer.sound()) / 16_000 < 2.0
    assert by == pytest.approx(12, abs=1)


def test_where_all_are_alike_nobody_is_nearer(breath):
    assert breath((1.0, -24.0), (1.5, -20.0), (0.3, -40.0)).loudest() is None


def test_one_who_paused_is_not_heard_without_what_was_said_before(breath):
    assert breath((0.5, -20.0), (0.5, -60.0), (1.5, -20.0), (0.3, -60.0)).loudest() is None


def test_one_who_paused_after_a_word_is_not_heard_without_it(breath):
    assert breath((0.2, -20.0), (1.0, -60.0), (1.5, -20.0), (0.3, -60.0)).loudest() is None
