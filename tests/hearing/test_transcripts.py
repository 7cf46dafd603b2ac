"""The text of a bigger recogniser as evidence for a sentence that the first one doubts."""

from dataclasses import replace

import numpy as np
import pytest

from seance.hearing.recogniser import Recogniser
from seance.hearing.scoring import AcousticContext, Candidate, decide
from seance.hearing.transcripts import fold, is_in_doubt, similarity, transcript_log_odds
from seance.models import store
from seance.programs.hear import build_grammar

FAINT = AcousticContext(snr_db=7.0, duration_s=1.8, since_talk_s=10.0)
TWELVE = Candidate("je choisis la carte douze", "twelve", (0.35,))
TWO = Candidate("je choisis la carte deux", "two", (0.4,))
BOTH = (TWO, TWELVE)


def decided(transcript, *candidates, context=FAINT):
    return decide(candidates, context, None, transcript_log_odds(transcript, candidates, "fr"))


def test_a_number_is_the_same_in_digits_and_in_words():
    assert fold("Rouge choisit la carte 31 !", "fr") == fold("rouge choisit la carte trente et un", "fr")
    assert fold("We accuse card 7.", "en") == fold("we accuse card seven", "en")


def test_accents_case_and_spaces_are_no_difference():
    assert fold("Où en sommes-nous ?", "fr") == fold("ou en sommes nous", "fr")


@pytest.mark.parametrize(("one", "other", "alike"), [("abcd", "abcd", 1), ("abcd", "abc", 0.75), ("ab", "xyz", 0)])
def test_likeness_is_the_share_of_letters_that_need_not_be_changed(one, other, alike):
    assert similarity(one, other) == similarity(other, one) == pytest.approx(alike)


def test_the_sentence_that_is_written_is_the_one_that_was_said():
    assert decided(None, *BOTH).candidate is TWO
    assert decided("Je choisis la carte 12.", *BOTH).candidate is TWELVE
    assert decided("Je choisit la carte douze", *BOTH).candidate is TWELVE


def test_what_is_written_too_is_likelier_and_what_is_not_is_less_likely():
    alone = decided(None, TWELVE).posterior
    assert decided("Je choisis la carte douze.", TWELVE).posterior > alone
    assert decided("On dirait qu'il va pleuvoir demain.", TWELVE).posterior < alone


def test_half_of_a_sentence_does_not_speak_for_it():
    nine = Candidate("je choisit neuf", "nine", (0.3,))
    assert decided("Je choisis.", nine).posterior <= decided(None, nine).posterior


def test_what_is_invented_in_noise_does_not_undo_a_sentence():
    game = Candidate("nous jouons à six", "six", (0.95,))
    assert is_in_doubt(decided(None, game))
    assert decided(None, game).accepted
    assert decided("-Bonjour à tous.", game).accepted


@pytest.mark.parametrize("nonsense", [None, "", "...", "la " * 100, "♪" * 9])
def test_no_text_and_nonsense_are_no_evidence(nonsense):
    assert transcript_log_odds(nonsense, BOTH, "fr") is None


def test_a_liar_cannot_make_a_command_of_noise():
    noise = replace(TWELVE, posteriors=(0.01,))
    assert not decided("je choisis la carte douze", noise).accepted


def test_a_language_whose_numbers_nobody_knows_is_compared_all_the_same():
    assert fold("7 Karten", "xx-none") == "karten"


class Asked:
    """A transcriber that counts, and has one answer."""

    language = "en"

    def __init__(self):
        self.answer, self.sounds = None, []

    def transcribe(self, sound):
        self.sounds.append(sound)
        return self.answer


@pytest.fixture(scope="module")
def asked():
    return Asked()


@pytest.fixture(scope="module")
def first(english, sentences, asked):
    """A recogniser that asks *asked*."""
    rescoring = store.fetch("second")
    recogniser = Recogniser(english, build_grammar(sentences), rescoring_model=rescoring, transcriber=asked)
    recogniser.wait_until_loaded()
    yield recogniser
    recogniser.close()


@pytest.fixture
def heard_in_noise(first, asked, hear, say):
    """Return what is heard in a sentence among noise of some level while *asked* has an answer."""

    def heard_in_noise(level, answer=None):
        asked.answer, asked.sounds = answer, []
        sound = say("i choose card seven")
        first.reset()
        [heard] = hear(sound + np.random.default_rng(1).normal(0, level, len(sound)).astype(np.float32), first)
        return heard

    return heard_in_noise


def test_nobody_is_asked_about_a_clear_sentence(heard_in_noise, asked):
    assert heard_in_noise(0.02).intent is not None
    assert asked.sounds == []


def test_a_doubtful_sentence_is_asked_about_once_and_confirmed_by_its_text(heard_in_noise, asked):
    alone = heard_in_noise(0.06)
    assert (alone.intent, len(asked.sounds)) == (None, 1)
    confirmed = heard_in_noise(0.06, "I choose card 7.")
    assert confirmed.intent is not None
    assert confirmed.confidence > alone.confidence


def test_without_an_answer_it_is_heard_as_by_one_alone(heard_in_noise, recogniser, hear, say):
    unanswered = heard_in_noise(0.06)
    sound = say("i choose card seven")
    [alone] = hear(sound + np.random.default_rng(1).normal(0, 0.06, len(sound)).astype(np.float32), recogniser)
    assert (unanswered.text, unanswered.intent) == (alone.text, alone.intent)
    assert unanswered.confidence == pytest.approx(alone.confidence, abs=0.02)
