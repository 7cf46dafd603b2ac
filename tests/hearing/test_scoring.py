"""When what was heard counts as a command."""

from dataclasses import replace

from seance.hearing.scoring import Circumstances, Opinion, Reading, judge

NEAR = Circumstances(stands_out=12.0, seconds=1.8, since_talk=10.0)


def reading(text, *shares, fits=1.0):
    return Reading(text, text, shares or (0.5,), fits)


SEVEN, ELEVEN = reading("i choose card seven", 0.5), reading("i choose card eleven", 0.3)


def likely(*readings, opinions=None, **where):
    return judge(readings, replace(NEAR, **where), opinions).likely


def test_nothing_that_could_be_a_sentence_is_no_command():
    assert judge([], NEAR).meant is False


def test_the_likeliest_sentence_is_the_one_that_was_said():
    assert judge([ELEVEN, SEVEN], NEAR).reading is SEVEN


def test_of_two_sentences_that_sound_alike_the_one_that_fits_the_moment_was_said():
    fourteen, forty = reading("i choose card fourteen", 0.3), reading("i choose card forty", 0.6, fits=0.05)
    verdict = judge([forty, fourteen], NEAR)
    assert verdict.reading is fourteen
    assert verdict.meant


def test_what_hardly_fits_the_moment_is_heard_where_nothing_else_sounds_like_it():
    assert judge([reading("i choose card forty", 0.95, fits=0.05)], NEAR).meant


def test_a_second_opinion_decides_between_sentences_that_are_nearly_as_likely():
    assert judge([SEVEN, ELEVEN], NEAR, [Opinion(-9.0, 12.0), Opinion(-1.0, 20.0)]).reading is ELEVEN


def test_what_a_second_model_hears_too_is_likelier_meant():
    assert likely(SEVEN, opinions=[Opinion(-1.0, 20.0)]) > likely(SEVEN, opinions=[Opinion(-12.0, 20.0)])


def test_what_the_sound_speaks_for_is_likelier_than_what_the_second_model_writes_readily():
    quieter, one = reading("quieter", 0.2, 0.2), reading("one", 0.3, 0.3)
    assert judge([one, quieter], NEAR, [Opinion(-2.0, -1.0), Opinion(-3.0, 9.0)]).reading is quieter


def test_a_clear_sentence_is_not_heard_again_but_one_word_or_two_are():
    clear = replace(NEAR, stands_out=40.0)
    assert not judge([reading("i choose card seven", 1.0)], clear).is_open
    assert judge([reading("the ninth", 1.0)], clear).is_open


def test_what_is_heard_again_as_at_first_is_likelier_than_what_was_something_else_then():
    again, otherwise = reading("pause", 0.6, 0.6, 0.6), reading("pause", 0.6, 0.05, 0.05)
    assert likely(again, opinions=[Opinion(-5.0, 5.0)]) > likely(otherwise, opinions=[Opinion(-5.0, 5.0)])


def test_the_more_a_voice_stands_out_the_likelier_it_meant_a_command():
    assert likely(SEVEN, stands_out=15.0) > likely(SEVEN, stands_out=5.0)


def test_what_is_unclear_in_a_quiet_room_is_less_likely_a_command_than_in_a_loud_one():
    unclear = reading("i choose card seven", 0.2)
    assert likely(unclear, stands_out=40.0) < likely(unclear, stands_out=15.0)


def test_two_sentences_that_are_alike_make_both_doubtful():
    assert likely(SEVEN, ELEVEN) < likely(reading("i choose card seven", 0.8))


def test_of_two_long_sentences_that_are_as_likely_the_one_was_said_of_which_noise_drowned_words():
    short, long = reading("a large espresso with sugar"), reading("a large espresso with milk with sugar")
    assert judge([short, long], NEAR, [Opinion(-1.0, 20.0)] * 2).reading is long


def test_one_word_must_be_clearer_than_a_sentence_said_at_the_same_pace():
    assert likely(reading("yes"), seconds=0.95) < likely(reading("i choose card seven"), seconds=1.74)


def test_a_snatch_of_sound_is_less_likely_a_word_than_what_lasts_as_long_as_one():
    assert likely(reading("yes"), seconds=0.6) < 0.5 * likely(reading("yes"), seconds=0.95)


def test_a_long_sentence_was_not_said_in_a_moment():
    assert likely(SEVEN, seconds=1.0) < likely(SEVEN, seconds=1.8)


def test_what_goes_on_where_talk_was_must_be_clearer_than_what_is_said_after_a_pause():
    assert likely(SEVEN, since_talk=0.2) < likely(SEVEN, since_talk=3.0)


def test_what_hardly_stands_out_of_talk_is_no_command_however_likely():
    certain = reading("i choose card seven", 0.999)
    assert judge([certain], replace(NEAR, stands_out=5.0, since_talk=1.0)).meant is False
    assert judge([certain], replace(NEAR, stands_out=5.0, since_talk=3.0)).likely > 0


def test_a_word_that_hardly_stands_out_is_no_command_however_long_nobody_has_talked():
    faint = replace(NEAR, stands_out=5.0, since_talk=60.0)
    assert judge([reading("yes", 0.999)], faint).likely == 0
    assert judge([reading("i choose card seven", 0.999)], faint).likely > 0


def test_a_single_word_is_part_of_talk_for_longer_than_a_sentence():
    def loss(text):
        """Return how much less likely it is a second after talk than long after it."""
        return likely(reading(text, 0.9), since_talk=1.2) / likely(reading(text, 0.9), since_talk=60.0)

    assert loss("yes") < loss("i choose card seven")


def test_a_sound_is_heard_again_only_where_that_could_make_a_difference():
    quiet_room = replace(NEAR, stands_out=40.0)
    assert judge([reading("i choose card seven", 0.6)], NEAR).is_open
    assert not judge([reading("i choose card seven", 0.999)], quiet_room).is_open
    assert not judge([reading("i choose card seven", 0.6)], replace(NEAR, stands_out=5.0, since_talk=1.0)).is_open
