"""A second model on real sound: what was said is likelier than what was not."""

import numpy as np
import pytest

from seance.hearing.recogniser import Ear
from seance.hearing.rescoring import SecondOpinion
from seance.hearing.tokens import Spelling
from seance.models import store
from seance.programs.hear import expected


@pytest.fixture(scope="module")
def folder():
    return store.fetch("second")


@pytest.fixture(scope="module")
def second(folder):
    return SecondOpinion(folder)


def heard_by(ear, sound):
    heard = [h for at in range(0, len(sound), 800) for h in ear.feed(sound[at : at + 800])]
    ear.close()
    return [h.intent.name for h in heard if h.intent]


def written(spelling, sentence):
    """Return every text in which *sentence* may be written."""

    def texts(place, so_far):
        if place.whole:
            yield so_far
        for piece, after in place.pieces.items():
            yield from texts(after, so_far + spelling.pieces[piece])

    return {text.decode().replace("\u2581", " ").strip() for text in texts(spelling.places([sentence]), b"")}


def test_numbers_are_written_in_words_and_in_figures(folder):
    assert {"Thirty-one", "Thirty one", "31"} <= written(Spelling(folder / "tokenizer.bin"), "thirty one")


def test_two_words_are_written_as_one(folder):
    assert "Uppercase" in written(Spelling(folder / "tokenizer.bin"), "upper case")


def test_names_are_written_with_and_without_a_capital(folder):
    assert {"I agree with Alma", "I agree with alma"} <= written(
        Spelling(folder / "tokenizer.bin"), "i agree with alma"
    )


@pytest.mark.timeout(60)
def test_a_long_sentence_is_weighed_though_it_may_be_written_in_a_billion_ways(second, say):
    said = "we are four players easy the original rules red and blue and white are playing skip the story"
    other = said.replace("four players easy", "seven players difficult")
    something_else, right = second.weigh(second.listen(say(said)), [other, said])
    assert right.beside > something_else.beside


@pytest.mark.parametrize("said", ["i choose card seven", "how much time is left", "red agrees with blue"])
def test_what_was_said_is_likelier_than_what_was_not(second, say, said):
    right, *others = second.weigh(second.listen(say(said)), [said, "i choose card forty", "the eldest is alma"])
    assert all(right.beside > other.beside for other in others)


def test_talk_is_far_likelier_than_the_command_that_it_is_like(second, say):
    (opinion,) = second.weigh(second.listen(say("my grandmother is eighty five")), ["i choose card eighty five"])
    assert opinion.beside < -5


def test_silence_can_be_listened_to(second):
    assert second.weigh(second.listen(np.zeros(8000, np.float32)), ["pause"])[0].beside <= 0


def test_a_sound_speaks_for_what_was_said_and_not_for_what_is_written_readily(second, say):
    """To this model *one* is likelier than *quieter* before anything is heard."""
    right, readily = second.weigh(second.listen(say("quieter")), ["quieter", "one"])
    assert right.told > 5 > readily.told


def test_noise_speaks_for_no_sentence(second):
    noise = np.random.default_rng(9).standard_normal(32000, np.float32)
    assert all(abs(opinion.told) < 5 for opinion in second.weigh(second.listen(noise), ["yes", "i choose card seven"]))


def test_a_sentence_is_weighed_alike_alone_and_among_others(second, say):
    impression = second.listen(say("red agrees with blue"))
    (alone,) = second.weigh(impression, ["red agrees with blue"])
    among, *_ = second.weigh(impression, ["red agrees with blue", "i choose card forty", "red agrees with white"])
    assert among.told == pytest.approx(alone.told, abs=0.5)


def test_an_ear_without_a_second_model_hears_as_well(english, sentences, say):
    ear = Ear(english, expected(sentences))
    ear.settle()
    assert heard_by(ear, say("how much time is left")) == ["ask_time"]


def test_a_second_model_that_is_damaged_changes_nothing(english, sentences, say, folder, tmp_path):
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes()[:1000])
    ear = Ear(english, expected(sentences), second_model=tmp_path)
    ear.settle()
    assert heard_by(ear, say("how much time is left")) == ["ask_time"]
