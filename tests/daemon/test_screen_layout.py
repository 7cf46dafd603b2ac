"""The table and the talk on screens of any size."""

from dataclasses import replace

import pytest

from seance.daemon.terminal.evening_view import EveningView
from seance.daemon.terminal.screen_layout import MIN_TALK_ROWS, TalkLine
from seance.daemon.world.page_texts import load_page_words
from seance.rules import EDITIONS, Begin, Psychic, apply, room_view
from seance.rules.terms import Group
from tests.daemon.screens import screen_rows
from tests.languages import EACH_LANGUAGE

TALK = [TalkLine(f"line {number}") for number in range(100)]


def view_of(edition: str, players: int, language: str = "en", **more) -> EveningView:
    """Return the view of a night that has just begun, at the edition's hardest level."""
    rules = EDITIONS[edition]
    state, _ = apply(None, Begin(edition=rules, players=players, level=list(rules.levels)[-1], seed=1))
    words = load_page_words(language).of(edition)
    order = tuple(map(str, rules.order))
    return EveningView(room=room_view(state), words=words, turns=rules.turns, order=order, **more)


@EACH_LANGUAGE
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 7])
def test_a_full_table_and_the_talk_fit_80_columns_and_24_rows(edition, players, language):
    view = view_of(edition, players, language, next_step="words " * 20, sand_left_s=90, sand_turn_s=120)
    assert view.room is not None
    rows = screen_rows(view, TALK, language=language, width=80, height=22)
    assert len(rows) == 22
    assert all(len(row) <= 80 for row in rows)
    assert not [row for row in rows[:-MIN_TALK_ROWS] if "…" in row]
    shown = "\n".join(rows)
    cards = [card for kind in view.order for card in view.room.table.of(kind)]
    assert all(f" {card} " in shown for card in cards)
    assert rows[-1] == "line 99"


@pytest.mark.parametrize(("width", "height"), [(20, 5), (40, 10), (80, 14), (200, 60), (1, 1), (0, 0)])
def test_every_size_is_filled_and_the_last_line_said_is_seen(width, height):
    rows = screen_rows(view_of("libellud", 7), TALK, width=width, height=height)
    assert len(rows) == height
    assert all(len(row) <= width for row in rows)
    assert height < MIN_TALK_ROWS or width < 10 or rows[-1].startswith("line 99")


def test_names_of_the_owner_stand_for_colours():
    view = view_of("libellud", 4, names={psychic: f"Anna {psychic}" for psychic in Psychic})
    assert "Anna blue" in "\n".join(screen_rows(view))


def test_while_the_table_is_laid_the_screen_says_so():
    assert "Laying the table" in screen_rows(view_of("libellud", 4, laying=True))[0]
    assert "The visions" in screen_rows(view_of("libellud", 4))[0]


def test_the_culprit_is_marked_once_the_table_knows():
    view = replace(view_of("libellud", 4), culprit=2)
    assert view.room is not None
    groups = tuple(Group(number, (number, 20 + number, 40 + number), None) for number in (1, 2, 3))
    rows = screen_rows(replace(view, room=replace(view.room, groups=groups)))
    assert [row[:2].strip() for row in rows if "The culprit" in row] == ["2"]


def test_the_setup_is_shown_as_it_is_said():
    rows = screen_rows(EveningView(setup=(("Players", "5"), ("Who plays", "Red, Blue"))))
    assert "Players    5" in rows
    assert "Who plays  Red, Blue" in rows
