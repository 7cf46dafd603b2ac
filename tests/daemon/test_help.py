"""Whole nights in which the help card is read before each step."""

from dataclasses import replace
from pathlib import Path

import pytest

from seance.dialogue.help_topics import MAX_RULES
from seance.narration.help_card import MAX_SENTENCES, HelpCard
from seance.rules import BallotKind, Edition, Phase, RoomView
from tests.daemon.evenings import table
from tests.daemon.test_what_next import MOST_STEPS, Follower, defaults
from tests.guests import sentences
from tests.languages import LANGUAGES
from tests.nights import EACH_TABLE

MAX_COLUMNS = 76
BOTH = pytest.mark.parametrize("language", LANGUAGES)


class Reader(Follower):
    """A table that reads the help card before it does what is next."""

    def read(self) -> HelpCard:
        """Return the card of this moment, and see that all its sentences are understood and its lines are short."""
        evening, expected = self.table.evening, self.table.evening.expected
        assert expected is not None
        card = evening.help_card(evening.room)
        understood = expected.narrow(sentences(self.table.language))
        for words in card.sentences:
            assert understood.match(words) is not None, f"{words!r} is not understood"
        assert 1 <= len(card.sentences) <= MAX_SENTENCES
        assert 1 <= len(card.rules) <= MAX_RULES
        lines = (*card.rules, *(word.text for word in card.words))
        assert [line for line in lines if len(line) > MAX_COLUMNS or "{" in line] == []
        return card


def phases(edition: Edition, players: int) -> set[Phase]:
    """Return the phases that every won night of *edition* has."""
    search = {Phase.VISIONS, Phase.INTERPRETATION, Phase.SHARED_VISION, Phase.OVER}
    search |= set() if edition.culprit_is_drawn else {Phase.LINEUP}
    is_accused = edition.ballot_of(players) is BallotKind.ACCUSATION
    return search | {Phase.ACCUSATION if is_accused else Phase.VOTE}


@BOTH
@EACH_TABLE
def test_every_moment_of_every_night_has_a_card(tmp_path: Path, language: str, edition: str, players: int):
    house = table(tmp_path, language=language, defaults=defaults(edition, players))
    reader, seen = Reader(house, insight=True), set()
    before: RoomView | None = None
    for _ in range(MOST_STEPS):
        reader.read()
        before = house.evening.room
        seen |= {None if before is None else before.phase}
        if before is not None and before.outcome is not None:
            break
        reader.follow()
    rules = reader.defaults.editions[edition]
    assert seen >= {None, *phases(rules, players)}


@BOTH
@pytest.mark.parametrize("variant", [None, "full_investigation"])
def test_every_phase_has_rules_in_every_variant(tmp_path: Path, language: str, variant: str | None):
    house = table(tmp_path, language=language, defaults=defaults("manual", 5))
    reader = Reader(house, insight=True)
    for _ in range(MOST_STEPS):
        if house.evening.room is not None:
            break
        reader.follow()
    for phase in Phase:
        room = replace(house.evening.room, phase=phase, variant=variant)
        card = house.evening.help_card(room)
        assert 1 <= len(card.rules) <= MAX_RULES
        assert all(len(line) <= MAX_COLUMNS for line in card.rules)


@BOTH
def test_a_card_explains_only_words_that_the_edition_has(tmp_path: Path, language: str):
    words = {}
    for edition in ("libellud", "igames"):
        folder = tmp_path / edition
        folder.mkdir()
        house = table(folder, language=language, defaults=defaults(edition, 5))
        words[edition] = house.evening.help_card(None).words
    assert len(words["libellud"]) == len(words["igames"]) + 3  # sand, token and track
