"""The decoder graph: its sentences, and words that the model does not know."""

import pytest

from seance.hearing.decoder_graph import UnknownWords, build_model, build_word_graph, graph_words
from seance.hearing.vocabulary import COMMON_WORD_COUNT, BadModel, read_vocabulary


def accepts(graph, text):
    """Return whether *graph* accepts *text*."""
    state = len(graph) - 1
    for word in text.split():
        state = dict(graph[state][1]).get(word, -1)
        if state < 0:
            return False
    return graph[state][0]


@pytest.mark.parametrize("text", ["red agrees", "red agrees with blue", "blue agrees"])
def test_a_graph_says_its_phrases(text):
    assert accepts(build_word_graph(["red agrees", "red agrees with blue", "blue agrees"]), text)


@pytest.mark.parametrize("text", ["red", "blue agrees with blue", "agrees", ""])
def test_a_graph_says_nothing_else(text):
    assert not accepts(build_word_graph(["red agrees", "red agrees with blue", "blue agrees"]), text)


def test_the_same_endings_are_kept_once():
    assert len(build_word_graph(["red agrees with blue", "white agrees with blue"])) == 5


def test_a_word_that_the_model_does_not_know_is_named(english):
    graph = build_word_graph(["i am jessalyn"])
    with pytest.raises(UnknownWords, match="jessalyn"):
        build_model(english, graph, read_vocabulary(english, graph_words(graph)))


def test_everyday_talk_has_a_state_for_any_word(english):
    background = read_vocabulary(english, ()).background
    assert background[0].size == COMMON_WORD_COUNT + 1


def test_a_folder_that_is_no_model_is_refused(tmp_path):
    with pytest.raises(BadModel, match=r"Gr\.fst"):
        read_vocabulary(tmp_path, ())


def test_a_file_that_is_no_graph_is_refused(tmp_path):
    (tmp_path / "graph").mkdir()
    (tmp_path / "graph" / "Gr.fst").write_bytes(b"not a graph at all")
    with pytest.raises(BadModel, match=r"Gr\.fst"):
        read_vocabulary(tmp_path, ())
