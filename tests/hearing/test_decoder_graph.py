"""The language that the model is given: its words, and what is no word of it."""

import pytest

from seance.hearing.decoder_graph import UnknownWords, from_phrases, sentence_model, words_of
from seance.hearing.vocabulary import COMMON, BadModel, read_vocabulary


def says(graph, text):
    """Tell whether *text* is a way through *graph*."""
    state = len(graph) - 1
    for word in text.split():
        state = dict(graph[state][1]).get(word, -1)
        if state < 0:
            return False
    return graph[state][0]


@pytest.mark.parametrize("text", ["red agrees", "red agrees with blue", "blue agrees"])
def test_a_graph_says_its_phrases(text):
    assert says(from_phrases(["red agrees", "red agrees with blue", "blue agrees"]), text)


@pytest.mark.parametrize("text", ["red", "blue agrees with blue", "agrees", ""])
def test_a_graph_says_nothing_else(text):
    assert not says(from_phrases(["red agrees", "red agrees with blue", "blue agrees"]), text)


def test_the_same_endings_are_kept_once():
    assert len(from_phrases(["red agrees with blue", "white agrees with blue"])) == 5


def test_a_word_that_the_model_does_not_know_is_named(english):
    graph = from_phrases(["i am jessalyn"])
    with pytest.raises(UnknownWords, match="jessalyn"):
        sentence_model(english, graph, read_vocabulary(english, words_of(graph)))


def test_everyday_talk_has_a_state_for_any_word(english):
    talk = read_vocabulary(english, ()).talk
    assert talk[0].size == COMMON + 1


def test_a_folder_that_is_no_model_is_refused(tmp_path):
    with pytest.raises(BadModel, match=r"Gr\.fst"):
        read_vocabulary(tmp_path, ())


def test_a_file_that_is_no_graph_is_refused(tmp_path):
    (tmp_path / "graph").mkdir()
    (tmp_path / "graph" / "Gr.fst").write_bytes(b"not a graph at all")
    with pytest.raises(BadModel, match=r"Gr\.fst"):
        read_vocabulary(tmp_path, ())
