"""When what was heard counts as a command."""

import pytest

from seance.listening.judgement import Reading, is_open, judge, needed

SEVEN, ELEVEN = Reading("i choose card seven", "seven", 0.5), Reading("i choose card eleven", "eleven", 0.3)
YES = Reading("yes", "yes", 0.5)
NEAR = {"stands_out": 12.0, "since_talk": 10.0}


def likely(*readings, opinions=None, **where):
    return judge(readings, opinions, **{**NEAR, **where}).likely


def test_nothing_that_could_be_a_sentence_is_no_command():
    assert judge([], None, **NEAR).meant is False


def test_the_likeliest_sentence_is_the_one_that_was_said():
    assert judge([ELEVEN, SEVEN], None, **NEAR).reading is SEVEN


def test_of_two_sentences_that_sound_alike_the_one_that_fits_the_moment_was_said():
    fourteen, forty = Reading("i choose card fourteen", "14", 0.3), Reading("i choose card forty", "40", 0.6, 0.05)
    verdict = judge([forty, fourteen], None, **NEAR)
    assert verdict.reading is fourteen
    assert verdict.meant


def test_what_hardly_fits_the_moment_is_heard_where_nothing_else_sounds_like_it():
    assert judge([Reading("i choose card forty", "40", 0.95, fits=0.05)], None, **NEAR).meant


def test_a_second_opinion_decides_between_sentences_that_are_nearly_as_likely():
    assert judge([SEVEN, ELEVEN], [-9.0, -1.0], **NEAR).reading is ELEVEN


def test_what_a_second_model_hears_too_is_likelier_meant():
    assert likely(SEVEN, opinions=[-1.0]) > likely(SEVEN, opinions=[-12.0])


def test_the_more_a_voice_stands_out_the_likelier_it_meant_a_command():
    assert likely(SEVEN, stands_out=15.0) > likely(SEVEN, stands_out=5.0)


def test_two_sentences_that_are_alike_make_both_doubtful():
    assert likely(SEVEN, ELEVEN) < likely(SEVEN)


def test_one_word_must_be_surer_than_a_sentence():
    assert likely(YES) < likely(SEVEN)


def test_what_goes_on_where_talk_was_must_be_surer_than_what_is_said_after_a_pause():
    assert needed(0.7, 30, since_talk=0.4) > needed(0.7, 30, since_talk=1.0)


def test_what_hardly_stands_out_of_talk_is_no_command_however_likely():
    assert needed(0.7, 5, since_talk=1.0) > 1 > needed(0.7, 5, since_talk=3.0)


@pytest.mark.parametrize(
    ("reading", "asked"),
    [
        (Reading("i choose card seven", "seven", 0.6), True),
        (Reading("i choose card seven", "seven", 0.999), False),
        (Reading("yes", "yes", 0.001), False),
    ],
)
def test_the_second_model_is_asked_only_where_it_could_make_a_difference(reading, asked):
    stands_out = 40.0 if reading.share > 0.9 else 8.0
    assert is_open([reading], stands_out=stands_out, since_talk=10.0) is asked
