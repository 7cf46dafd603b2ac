"""A voice can be made ahead of time: what fills a line stands in a clause of few words that come again."""

from tests.languages import EACH_LANGUAGE
from tests.narration.clauses import FREE_TEXTS, LISTS, NUMBERS, Clause, clauses_of, spoken_pieces
from tests.narration.conftest import SCRIPTS
from tests.narration.table_clock import speaking_s

MAX_SPEECH_H = 4.0
"""Hours of speech that one night of a Pi can make."""

ONE_PSYCHIC = (".one", ".early")
"""How keys end whose list is one psychic."""


ANY_TIME = ("time_left.", "interrupted.")
"""How keys begin whose seconds may be any number; elsewhere they are those of a whole glass."""


def stands_alone(key: str, clause: Clause) -> bool:
    """Return whether the cards, lists and free texts of *clause* have no words beside them."""
    lists = LISTS - {"psychics"} if key.endswith(ONE_PSYCHIC) else LISTS
    alone = lists | FREE_TEXTS | {"card"} | ({"seconds"} if key.startswith(ANY_TIME) else set())
    if clause.holes & alone:
        return len(clause.holes) == 1 and clause.words == 0
    return "place" not in clause.holes or clause.words <= 1  # an article


def has_one_filling(clause: Clause) -> bool:
    """Return whether at most one thing fills *clause*; two small numbers may stand together."""
    return len(clause.holes) <= 1 or (len(clause.holes) == 2 and clause.holes <= NUMBERS)


@EACH_LANGUAGE
def test_cards_places_and_lists_are_clauses_of_their_own(language: str):
    script = SCRIPTS[language]
    told = {key: lines for key, lines in script.lines.items() if not key.startswith(("example.", "lore.", "phrase."))}
    wrong = [
        (key, clause.text)
        for key, lines in told.items()
        for line in lines
        for clause in clauses_of(script, line)
        if not (stands_alone(key, clause) and has_one_filling(clause))
    ]
    assert wrong == []


@EACH_LANGUAGE
def test_all_clauses_of_a_language_can_be_spoken_in_one_night_ahead(language: str):
    script = SCRIPTS[language]
    pieces = {piece for lines in script.lines.values() for line in lines for piece in spoken_pieces(script, line)}
    tales = [tale for lore in script.lores.values() for tale in lore.tales.values()]
    openings = [part.sentences for lore in script.lores.values() for part in lore.opening]
    seconds = sum(map(speaking_s, pieces)) + sum(speaking_s(text) for told in (*tales, *openings) for text in told)
    assert seconds / 3600 < MAX_SPEECH_H
