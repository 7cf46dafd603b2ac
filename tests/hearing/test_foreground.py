"""Which part of a breath was said by somebody nearer, by its levels and by its words."""

import numpy as np
import pytest

from seance.hearing.foreground import Way, loudest, nearest, sentence_within
from seance.hearing.noise_reduction import FRAME_S, SILENT_LEVEL_DB


def breath(*stretches):
    """Return the levels of so many seconds at such decibels each, as uneven as voices are."""
    chance = np.random.default_rng(3)
    return np.concatenate([level + chance.normal(0, 3, round(seconds / FRAME_S)) for seconds, level in stretches])


def seconds(part):
    return part.begin * FRAME_S, part.end * FRAME_S


@pytest.mark.parametrize("softer", [6, 10])
def test_somebody_nearer_is_found_among_others(softer):
    part = nearest(breath((3.0, -20.0 - softer), (1.5, -20.0), (1.5, -20.0 - softer)), -20.0 - softer)
    begin, end = seconds(part)
    assert begin == pytest.approx(2.75, abs=0.15)
    assert end == pytest.approx(5.07, abs=0.2)
    assert part.by == pytest.approx(softer, abs=2.0)


def test_somebody_nearer_is_found_after_others_to_their_last_sound():
    begin, end = seconds(loudest(breath((1.0, -34.0), (1.5, -20.0), (0.3, -40.0)), -40.0))
    assert begin == pytest.approx(0.75, abs=0.05)
    assert end == pytest.approx(2.62, abs=0.05)


@pytest.mark.parametrize("found", [loudest, nearest])
def test_where_all_are_alike_nobody_is_nearer(found):
    assert found(breath((1.0, -20.0), (1.5, -20.0), (1.0, -20.0)), -22.0) is None


def test_one_who_has_become_a_little_louder_was_no_other_before():
    assert loudest(breath((1.0, -24.0), (1.5, -20.0), (0.3, -40.0)), -40.0) is None


@pytest.mark.parametrize("found", [loudest, nearest])
def test_who_goes_on_more_softly_is_no_other_unless_the_room_is_as_loud(found):
    softly = breath((0.3, -32.0), (1.0, -20.0), (1.2, -32.0))
    assert found(softly, -45.0) is None
    assert found(softly, -34.0) is not None


@pytest.mark.parametrize("found", [loudest, nearest])
@pytest.mark.parametrize("word", [0.2, 0.6])
@pytest.mark.parametrize("pause", [-60.0, -110.0])
def test_one_who_paused_is_not_heard_without_what_was_said_before(found, word, pause):
    assert found(breath((word, -20.0), (0.8, pause), (1.5, -20.0), (0.3, pause)), pause) is None


def test_what_is_supposed_before_the_first_sound_is_no_pause():
    supposed = np.full(round(0.2 / FRAME_S), SILENT_LEVEL_DB)
    others_then_near = breath((0.5, -27.0), (1.5, -20.0), (0.6, -27.0))
    assert nearest(np.concatenate([supposed, others_then_near]), -28.0) is not None


SENTENCES = ("red agrees with blue", "blue agrees with white", "yes")


def within(levels, *ways, room=-26.0):
    """Return what is found where so many readings, each as likely as the next, begin after a second."""
    timed = [
        Way([(word, 1.0 + 0.3 * n, 1.3 + 0.3 * n) for n, word in enumerate(way.split())], 1 / len(ways)) for way in ways
    ]
    return sentence_within(
        levels,
        room,
        timed,
        lambda text: text if text in SENTENCES else None,
        lambda text: any(sentence.startswith(text + " ") for sentence in SENTENCES),
    )


AMONG_OTHERS = (1.0, -26.0), (1.2, -20.0), (1.0, -26.0)


def test_a_sentence_is_found_by_its_words():
    part = within(breath(*AMONG_OTHERS), "red agrees with blue they say")
    assert seconds(part) == pytest.approx((0.75, 2.32), abs=0.02)


def test_a_sentence_that_is_not_in_the_likeliest_reading_is_found():
    assert within(breath(*AMONG_OTHERS), "read a grease with glue", "red agrees with blue") is not None


def test_a_sentence_that_is_no_louder_than_the_rest_is_not_cut_out():
    assert within(breath((1.0, -20.0), (1.2, -20.0), (1.0, -20.0)), "red agrees with blue they say") is None


def test_one_who_goes_on_as_loud_has_said_more_than_the_sentence():
    going_on = breath((1.0, -32.0), (1.2, -20.0), (0.6, -20.0), (2.0, -32.0))
    assert within(going_on, "red agrees with blue i suppose") is None


def test_single_words_among_others_are_not_cut_out():
    assert within(breath((1.0, -26.0), (0.3, -20.0), (1.0, -26.0)), "yes they say") is None


def test_in_a_quiet_room_one_who_goes_on_more_softly_has_said_more_than_the_sentence():
    assert within(breath((1.0, -60.0), (1.2, -20.0), (1.2, -24.0)), "red agrees with blue i suppose") is None
