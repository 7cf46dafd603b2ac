"""Which frames of an utterance the nearest speaker said, by their levels and by the words."""

import numpy as np
import pytest

from seance.hearing.decoding import Hypothesis, TimedWord
from seance.hearing.foreground import find_by_level_sum, find_by_threshold, find_by_words
from seance.hearing.noise_reduction import FRAME_S, SILENT_LEVEL_DB


def utterance(*parts):
    """Return the levels of so many seconds at such decibels each, as uneven as voices are."""
    chance = np.random.default_rng(3)
    return np.concatenate([level + chance.normal(0, 3, round(seconds / FRAME_S)) for seconds, level in parts])


def seconds(part):
    return part.begin * FRAME_S, part.end * FRAME_S


@pytest.mark.parametrize("softer", [6, 10])
def test_somebody_nearer_is_found_among_others(softer):
    part = find_by_level_sum(utterance((3.0, -20.0 - softer), (1.5, -20.0), (1.5, -20.0 - softer)), -20.0 - softer)
    begin, end = seconds(part)
    assert begin == pytest.approx(2.75, abs=0.15)
    assert end == pytest.approx(5.07, abs=0.2)
    assert part.contrast_db == pytest.approx(softer, abs=2.0)


def test_somebody_nearer_is_found_after_others_to_their_last_sound():
    begin, end = seconds(find_by_threshold(utterance((1.0, -34.0), (1.5, -20.0), (0.3, -40.0)), -40.0))
    assert begin == pytest.approx(0.75, abs=0.05)
    assert end == pytest.approx(2.62, abs=0.05)


@pytest.mark.parametrize("find", [find_by_threshold, find_by_level_sum])
def test_where_all_are_alike_nobody_is_nearer(find):
    assert find(utterance((1.0, -20.0), (1.5, -20.0), (1.0, -20.0)), -22.0) is None


def test_one_who_has_become_a_little_louder_was_no_other_before():
    assert find_by_threshold(utterance((1.0, -24.0), (1.5, -20.0), (0.3, -40.0)), -40.0) is None


@pytest.mark.parametrize("find", [find_by_threshold, find_by_level_sum])
def test_who_goes_on_more_softly_is_no_other_unless_the_room_is_as_loud(find):
    softly = utterance((0.3, -32.0), (1.0, -20.0), (1.2, -32.0))
    assert find(softly, -45.0) is None
    assert find(softly, -34.0) is not None


@pytest.mark.parametrize("find", [find_by_threshold, find_by_level_sum])
@pytest.mark.parametrize("word", [0.2, 0.6])
@pytest.mark.parametrize("pause", [-60.0, -110.0])
def test_one_who_paused_is_not_heard_without_what_was_said_before(find, word, pause):
    assert find(utterance((word, -20.0), (0.8, pause), (1.5, -20.0), (0.3, pause)), pause) is None


def test_what_is_supposed_before_the_first_sound_is_no_pause():
    supposed = np.full(round(0.2 / FRAME_S), SILENT_LEVEL_DB)
    others_then_near = utterance((0.5, -27.0), (1.5, -20.0), (0.6, -27.0))
    assert find_by_level_sum(np.concatenate([supposed, others_then_near]), -28.0) is not None


SENTENCES = ("red agrees with blue", "blue agrees with white", "yes")


def within(levels, *texts, noise_floor_db=-26.0):
    """Return what is found where so many hypotheses, each as likely as the next, begin after a second."""
    timed = [
        tuple(TimedWord(word, 1.0 + 0.3 * n, 1.3 + 0.3 * n) for n, word in enumerate(text.split())) for text in texts
    ]
    return find_by_words(
        levels,
        noise_floor_db,
        [Hypothesis(text, 1 / len(texts), words) for text, words in zip(texts, timed, strict=True)],
        parse=lambda text: text if text in SENTENCES else None,
        is_prefix=lambda text: any(sentence.startswith(text + " ") for sentence in SENTENCES),
    )


AMONG_OTHERS = (1.0, -26.0), (1.2, -20.0), (1.0, -26.0)


def test_a_sentence_is_found_by_its_words():
    part = within(utterance(*AMONG_OTHERS), "red agrees with blue they say")
    assert seconds(part) == pytest.approx((0.75, 2.32), abs=0.02)


def test_a_sentence_that_is_not_in_the_likeliest_hypothesis_is_found():
    assert within(utterance(*AMONG_OTHERS), "read a grease with glue", "red agrees with blue") is not None


def test_a_sentence_that_is_no_louder_than_the_rest_is_not_cut_out():
    assert within(utterance((1.0, -20.0), (1.2, -20.0), (1.0, -20.0)), "red agrees with blue they say") is None


def test_one_who_goes_on_as_loud_has_said_more_than_the_sentence():
    going_on = utterance((1.0, -32.0), (1.2, -20.0), (0.6, -20.0), (2.0, -32.0))
    assert within(going_on, "red agrees with blue i suppose") is None


def test_single_words_among_others_are_not_cut_out():
    assert within(utterance((1.0, -26.0), (0.3, -20.0), (1.0, -26.0)), "yes they say") is None


def test_in_a_quiet_room_one_who_goes_on_more_softly_has_said_more_than_the_sentence():
    assert within(utterance((1.0, -60.0), (1.2, -20.0), (1.2, -24.0)), "red agrees with blue i suppose") is None
