"""When what was heard counts as a command."""

from dataclasses import replace

from seance.hearing.scoring import AcousticContext, Candidate, RescoringScores, decide

NEAR = AcousticContext(snr_db=12.0, duration_s=1.8, since_talk_s=10.0)


def candidate(text, *posteriors, prior=1.0):
    return Candidate(text, text, posteriors or (0.5,), prior)


SEVEN, ELEVEN = candidate("i choose card seven", 0.5), candidate("i choose card eleven", 0.3)


def posterior(*candidates, scores=None, **context):
    return decide(candidates, replace(NEAR, **context), scores).posterior


def test_nothing_that_could_be_a_sentence_is_no_command():
    assert decide([], NEAR).accepted is False


def test_the_likeliest_sentence_is_the_one_that_was_said():
    assert decide([ELEVEN, SEVEN], NEAR).candidate is SEVEN


def test_of_two_sentences_that_sound_alike_the_one_that_fits_the_moment_was_said():
    fourteen, forty = candidate("i choose card fourteen", 0.3), candidate("i choose card forty", 0.6, prior=0.05)
    decision = decide([forty, fourteen], NEAR)
    assert decision.candidate is fourteen
    assert decision.accepted


def test_what_hardly_fits_the_moment_is_heard_where_nothing_else_sounds_like_it():
    assert decide([candidate("i choose card forty", 0.95, prior=0.05)], NEAR).accepted


def test_rescoring_decides_between_sentences_that_are_nearly_as_likely():
    assert decide([SEVEN, ELEVEN], NEAR, [RescoringScores(-9.0, 12.0), RescoringScores(-1.0, 20.0)]).candidate is ELEVEN


def test_what_the_rescoring_model_hears_too_is_likelier_meant():
    assert posterior(SEVEN, scores=[RescoringScores(-1.0, 20.0)]) > posterior(
        SEVEN, scores=[RescoringScores(-12.0, 20.0)]
    )


def test_what_the_sound_speaks_for_is_likelier_than_what_the_rescoring_model_writes_readily():
    quieter, one = candidate("quieter", 0.2, 0.2), candidate("one", 0.3, 0.3)
    assert decide([one, quieter], NEAR, [RescoringScores(-2.0, -1.0), RescoringScores(-3.0, 9.0)]).candidate is quieter


def test_a_clear_sentence_is_not_heard_again_but_one_word_or_two_are():
    clear = replace(NEAR, snr_db=40.0)
    assert not decide([candidate("i choose card seven", 1.0)], clear).is_uncertain
    assert decide([candidate("the ninth", 1.0)], clear).is_uncertain


def test_what_is_heard_again_as_at_first_is_likelier_than_what_was_something_else_then():
    again, otherwise = candidate("pause", 0.6, 0.6, 0.6), candidate("pause", 0.6, 0.05, 0.05)
    assert posterior(again, scores=[RescoringScores(-5.0, 5.0)]) > posterior(
        otherwise, scores=[RescoringScores(-5.0, 5.0)]
    )


def test_the_more_a_voice_stands_out_the_likelier_it_meant_a_command():
    assert posterior(SEVEN, snr_db=15.0) > posterior(SEVEN, snr_db=5.0)


def test_what_is_unclear_in_a_quiet_room_is_less_likely_a_command_than_in_a_loud_one():
    unclear = candidate("i choose card seven", 0.2)
    assert posterior(unclear, snr_db=40.0) < posterior(unclear, snr_db=15.0)


def test_two_sentences_that_are_alike_make_both_doubtful():
    assert posterior(SEVEN, ELEVEN) < posterior(candidate("i choose card seven", 0.8))


def test_of_two_long_sentences_that_are_as_likely_the_one_was_said_of_which_noise_drowned_words():
    short, long = candidate("a large espresso with sugar"), candidate("a large espresso with milk with sugar")
    assert decide([short, long], NEAR, [RescoringScores(-1.0, 20.0)] * 2).candidate is long


def test_one_word_must_be_clearer_than_a_sentence_said_at_the_same_pace():
    assert posterior(candidate("yes"), duration_s=0.95) < posterior(candidate("i choose card seven"), duration_s=1.74)


def test_a_snatch_of_sound_is_less_likely_a_word_than_what_lasts_as_long_as_one():
    assert posterior(candidate("yes"), duration_s=0.6) < 0.5 * posterior(candidate("yes"), duration_s=0.95)


def test_a_long_sentence_was_not_said_in_a_moment():
    assert posterior(SEVEN, duration_s=1.0) < posterior(SEVEN, duration_s=1.8)


def test_what_goes_on_where_talk_was_must_be_clearer_than_what_is_said_after_a_pause():
    assert posterior(SEVEN, since_talk_s=0.2) < posterior(SEVEN, since_talk_s=3.0)


def test_what_hardly_stands_out_of_talk_is_no_command_however_likely():
    certain = candidate("i choose card seven", 0.999)
    assert decide([certain], replace(NEAR, snr_db=5.0, since_talk_s=1.0)).accepted is False
    assert decide([certain], replace(NEAR, snr_db=5.0, since_talk_s=3.0)).posterior > 0


def test_a_word_that_hardly_stands_out_is_no_command_however_long_nobody_has_talked():
    faint = replace(NEAR, snr_db=5.0, since_talk_s=60.0)
    assert decide([candidate("yes", 0.999)], faint).posterior == 0
    assert decide([candidate("i choose card seven", 0.999)], faint).posterior > 0


def test_a_single_word_is_part_of_talk_for_longer_than_a_sentence():
    def loss(text):
        """Return how much less likely it is a second after talk than long after it."""
        return posterior(candidate(text, 0.9), since_talk_s=1.2) / posterior(candidate(text, 0.9), since_talk_s=60.0)

    assert loss("yes") < loss("i choose card seven")


def test_a_sound_is_heard_again_only_where_that_could_make_a_difference():
    quiet_room = replace(NEAR, snr_db=40.0)
    assert decide([candidate("i choose card seven", 0.6)], NEAR).is_uncertain
    assert not decide([candidate("i choose card seven", 0.999)], quiet_room).is_uncertain
    assert not decide([candidate("i choose card seven", 0.6)], replace(NEAR, snr_db=5.0, since_talk_s=1.0)).is_uncertain
