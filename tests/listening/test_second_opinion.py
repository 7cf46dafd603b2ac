"""A second model on real sound: what was said is likelier than what was not."""

import numpy as np
import pytest

from seance.listening import models
from seance.listening.recogniser import Ear
from seance.listening.second_opinion import SecondOpinion
from seance.listening.spelling import Spelling
from seance.programs.hear import expected


@pytest.fixture(scope="module")
def folder():
    return models.fetch("second")


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


@pytest.mark.parametrize("said", ["i choose card seven", "how much time is left", "red agrees with blue"])
def test_what_was_said_is_likelier_than_what_was_not(second, say, said):
    weighed = second.weigh(second.listen(say(said)), [said, "i choose card forty", "the eldest is alma"])
    assert weighed[0] == max(weighed)


def test_talk_is_far_likelier_than_the_command_that_it_is_like(second, say):
    (weighed,) = second.weigh(second.listen(say("my grandmother is eighty five")), ["i choose card eighty five"])
    assert weighed < -5


def test_silence_can_be_listened_to(second):
    assert second.weigh(second.listen(np.zeros(8000, np.float32)), ["pause"])[0] <= 0


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


def test_a_whole_set_up_in_one_breath_is_written_at_once(second):
    words = "we are three easy the original rules yellow and purple are playing skip the story"
    place = second._spelling.places([words])
    assert len(place.pieces) == 1
