"""Rescoring of real sound: what was said is likelier than what was not."""

import numpy as np
import pytest

from seance.hearing.recogniser import Recogniser
from seance.hearing.rescoring import Rescorer
from seance.hearing.tokens import Tokenizer
from seance.models import store
from seance.programs.hear import build_grammar


@pytest.fixture(scope="module")
def folder():
    return store.fetch("second")


@pytest.fixture(scope="module")
def rescorer(folder):
    return Rescorer(folder)


def heard_by(recogniser, sound):
    heard = [h for at in range(0, len(sound), 800) for h in recogniser.feed(sound[at : at + 800])]
    recogniser.close()
    return [h.intent.name for h in heard if h.intent]


def spellings(tokenizer, sentence):
    """Return every text in which *sentence* may be written."""

    def texts(node, so_far):
        if node.complete:
            yield so_far
        for token, child in node.children.items():
            yield from texts(child, so_far + tokenizer.tokens[token])

    return {text.decode().replace("\u2581", " ").strip() for text in texts(tokenizer.build_trie([sentence]), b"")}


def test_numbers_are_written_in_words_and_in_figures(folder):
    assert {"Thirty-one", "Thirty one", "31"} <= spellings(Tokenizer(folder / "tokenizer.bin"), "thirty one")


def test_two_words_are_written_as_one(folder):
    assert "Uppercase" in spellings(Tokenizer(folder / "tokenizer.bin"), "upper case")


def test_names_are_written_with_and_without_a_capital(folder):
    assert {"I agree with Alma", "I agree with alma"} <= spellings(
        Tokenizer(folder / "tokenizer.bin"), "i agree with alma"
    )


@pytest.mark.timeout(60)
def test_a_long_sentence_is_rescored_though_it_may_be_written_in_a_billion_ways(rescorer, say):
    said = "we are four players easy the original rules red and blue and white are playing skip the story"
    other = said.replace("four players easy", "seven players difficult")
    something_else, right = rescorer.rescore(rescorer.encode(say(said)), [other, said])
    assert right.llr_vs_best > something_else.llr_vs_best


@pytest.mark.parametrize("said", ["i choose card seven", "how much time is left", "red agrees with blue"])
def test_what_was_said_is_likelier_than_what_was_not(rescorer, say, said):
    right, *others = rescorer.rescore(rescorer.encode(say(said)), [said, "i choose card forty", "the eldest is alma"])
    assert all(right.llr_vs_best > other.llr_vs_best for other in others)


def test_talk_is_far_likelier_than_the_command_that_it_is_like(rescorer, say):
    (scores,) = rescorer.rescore(rescorer.encode(say("my grandmother is eighty five")), ["i choose card eighty five"])
    assert scores.llr_vs_best < -5


def test_silence_can_be_encoded(rescorer):
    assert rescorer.rescore(rescorer.encode(np.zeros(8000, np.float32)), ["pause"])[0].llr_vs_best <= 0


def test_a_sound_speaks_for_what_was_said_and_not_for_what_is_written_readily(rescorer, say):
    """To this model *one* is likelier than *quieter* before anything is heard."""
    right, readily = rescorer.rescore(rescorer.encode(say("quieter")), ["quieter", "one"])
    assert right.llr_vs_prior > 5 > readily.llr_vs_prior


def test_noise_speaks_for_no_sentence(rescorer):
    noise = np.random.default_rng(9).standard_normal(32000, np.float32)
    assert all(
        abs(scores.llr_vs_prior) < 5
        for scores in rescorer.rescore(rescorer.encode(noise), ["yes", "i choose card seven"])
    )


def test_a_sentence_is_rescored_alike_alone_and_among_others(rescorer, say):
    encoded = rescorer.encode(say("red agrees with blue"))
    (alone,) = rescorer.rescore(encoded, ["red agrees with blue"])
    among, *_ = rescorer.rescore(encoded, ["red agrees with blue", "i choose card forty", "red agrees with white"])
    assert among.llr_vs_prior == pytest.approx(alone.llr_vs_prior, abs=0.5)


def test_a_recogniser_without_a_rescoring_model_recognises_commands(english, sentences, say):
    recogniser = Recogniser(english, build_grammar(sentences))
    recogniser.wait_until_loaded()
    assert heard_by(recogniser, say("how much time is left")) == ["ask_time"]


def test_a_damaged_rescoring_model_is_left_out(english, sentences, say, folder, tmp_path):
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes()[:1000])
    recogniser = Recogniser(english, build_grammar(sentences), rescoring_model=tmp_path)
    recogniser.wait_until_loaded()
    assert heard_by(recogniser, say("how much time is left")) == ["ask_time"]
