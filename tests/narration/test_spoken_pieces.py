"""Most of what the narrator says in a night can be made ahead of time, and in one night of a Pi."""

import pytest

from seance.narration.spoken_pieces import spoken_pieces
from seance.narration.staging import NarrationStyle
from seance.rules import EDITIONS, Begin
from seance.speech.sentence_split import split_clauses, split_sentences
from seance.speech.synthesis import is_pronounceable
from tests.languages import EACH_LANGUAGE
from tests.narration.conftest import SCRIPTS
from tests.narration.table_clock import speaking_s, told_night
from tests.tables import usual_level

MAX_SPEECH_H = 4.0
"""Hours of speech of one edition that a Pi 5 can make in a night."""
MIN_READY_SHARE = 0.93


def pieces_of(language: str, edition: str) -> set[str]:
    made = spoken_pieces(SCRIPTS[language], edition, split_sentences=split_sentences, split_clauses=split_clauses)
    return set(map(_lower, made))


def is_made(sentence: str, pieces: set[str]) -> bool:
    return _lower(sentence) in pieces or all(_lower(clause) in pieces for clause in split_clauses(sentence))


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


@EACH_LANGUAGE
@pytest.mark.parametrize("edition", EDITIONS)
def test_all_pieces_of_an_edition_can_be_spoken_in_one_night_ahead(language: str, edition: str):
    assert sum(map(speaking_s, pieces_of(language, edition))) / 3600 < MAX_SPEECH_H


@EACH_LANGUAGE
@pytest.mark.parametrize("edition", EDITIONS.values(), ids=list(EDITIONS))
def test_nearly_all_sentences_of_a_night_are_among_the_pieces(language: str, edition):
    pieces = pieces_of(language, edition.name)
    begin = Begin(edition=edition, players=5, level=usual_level(edition), seed=3)
    night = told_night(NarrationStyle(script=SCRIPTS[language], first_night=False), begin)
    said = [each for spoken in night.lines for piece in spoken.line.pieces for each in split_sentences(piece)]
    said = [sentence for sentence in said if is_pronounceable(sentence)]
    share = sum(is_made(sentence, pieces) for sentence in said) / len(said)
    assert share > MIN_READY_SHARE, [sentence for sentence in said if not is_made(sentence, pieces)]


def test_a_list_is_joined_from_its_items_and_the_last_two():
    pieces = pieces_of("en", "libellud")
    assert {"red,", "blue and White.", "seventeen,"} <= pieces
