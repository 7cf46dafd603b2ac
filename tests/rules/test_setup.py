"""How a night is set up: the table, the secret, tokens and crows."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from seance.rules import (
    IGAMES,
    LIBELLUD,
    MANUAL,
    PORTAL,
    Begin,
    Category,
    Edition,
    Psychic,
    State,
    Visions,
    evolve,
    ghost_view,
    room_view,
)
from seance.rules.events import HourStruck, LevelWarned
from seance.rules.refusals import UnknownLevel, UnknownVariant, WrongNumberOfPlayers, WrongPsychics
from tests.nights import ALL, BLACK, BLUE, EACH_EDITION, RED, WEEKS, WHITE, YELLOW, begun, events_of

PLAYERS = range(2, 8)
LIBELLUD_LAID_OUT = {
    "easy": (4, 5, 5, 6, 6, 7),
    "medium": (5, 6, 6, 7, 8, 8),
    "hard": (6, 7, 7, 8, 9, 9),
}
WEEK_LAID_OUT = {
    "easy": (4, 5, 6, 7, 8, 9),
    "normal": (5, 6, 7, 8, 9, 10),
    "difficult": (6, 7, 8, 9, 10, 11),
    "very_difficult": (7, 8, 9, 10, 11, 12),
}
LIBELLUD_DECKS = {"character": range(1, 19), "location": range(19, 37), "object": range(37, 55)}
PORTAL_DECKS = {"character": range(1, 20), "location": range(20, 39), "object": range(39, 59)}


def table_of(rows: Mapping[str, tuple[int, ...]]) -> list[tuple[str, int, int]]:
    """Return (level, players, cards of each kind) for every cell of a table of cards laid out."""
    return [(level, players, cards) for level, row in rows.items() for players, cards in zip(PLAYERS, row, strict=True)]


def assert_laid_out(state: State, decks: dict[str, range], cards: int) -> None:
    """Check that *cards* different cards of each kind lie on the table, from the deck of that kind."""
    for kind in Category:
        row = state.table.of(kind)
        assert len(set(row)) == len(row) == cards
        assert set(row) <= set(decks[kind])


@pytest.mark.parametrize(
    ("players", "psychics"), [(2, ALL[:2]), (3, ALL[:4]), (4, ALL[:3]), (5, ALL[:4]), (6, ALL[:5]), (7, ALL)]
)
def test_L1_two_to_seven_players_sit_down_in_the_order_of_the_colours(
    players: int, psychics: tuple[Psychic, ...]
) -> None:
    assert begun(players=players).setup.psychics == psychics


@pytest.mark.parametrize("players", [-1, 0, 1, 8, 100])
def test_L1_nobody_plays_alone_nor_more_than_seven(players: int) -> None:
    with pytest.raises(WrongNumberOfPlayers, match=f"{players} players"):
        begun(players=players)


def test_L1_the_psychics_may_choose_their_colours_and_seats() -> None:
    assert begun(psychics=(BLACK, RED, BLUE, WHITE)).setup.psychics == (BLACK, RED, BLUE, WHITE)


@pytest.mark.parametrize(
    "psychics", [(), (BLUE, WHITE, RED), (BLUE, WHITE, RED, RED), (BLUE, WHITE, RED, RED, YELLOW), ALL]
)
def test_L1_each_psychic_has_a_colour_of_their_own(psychics: tuple[Psychic, ...]) -> None:
    with pytest.raises(WrongPsychics, match="need 4 different psychics"):
        begun(psychics=psychics)


@pytest.mark.parametrize(("level", "players", "cards"), table_of(LIBELLUD_LAID_OUT))
def test_L2_cards_laid_out_in_libellud(level: str, players: int, cards: int) -> None:
    assert_laid_out(begun(LIBELLUD, players, level), LIBELLUD_DECKS, cards)


@pytest.mark.parametrize(("level", "players", "cards"), table_of(WEEK_LAID_OUT))
def test_I1_cards_laid_out_in_igames(level: str, players: int, cards: int) -> None:
    assert_laid_out(begun(IGAMES, players, level), LIBELLUD_DECKS, cards)


@pytest.mark.parametrize(("level", "players", "cards"), table_of(WEEK_LAID_OUT))
def test_P1_cards_laid_out_in_portal(level: str, players: int, cards: int) -> None:
    assert_laid_out(begun(PORTAL, players, level), PORTAL_DECKS, cards)


@pytest.mark.parametrize("variant", [None, "full_investigation"])
@pytest.mark.parametrize(("level", "players", "cards"), table_of(WEEK_LAID_OUT))
def test_M1_cards_laid_out_in_manual(level: str, players: int, cards: int, variant: str | None) -> None:
    assert_laid_out(begun(MANUAL, players, level, variant=variant), PORTAL_DECKS, cards)


@pytest.mark.parametrize(
    ("edition", "levels"),
    [
        (LIBELLUD, list(LIBELLUD_LAID_OUT)),
        (IGAMES, list(WEEK_LAID_OUT)),
        (PORTAL, list(WEEK_LAID_OUT)),
        (MANUAL, list(WEEK_LAID_OUT)),
    ],
)
def test_L2_an_edition_has_these_levels_and_no_other(edition: Edition, levels: list[str]) -> None:
    assert list(edition.levels) == levels
    for unknown in {"easy", "medium", "hard", "normal", "difficult", "very_difficult", "", "Easy"} - set(levels):
        with pytest.raises(UnknownLevel, match=edition.name):
            begun(edition, level=unknown)


@EACH_EDITION
def test_L2_any_card_of_the_deck_may_be_laid_out(edition: Edition) -> None:
    nights = [begun(edition, 2, seed=seed) for seed in range(150)]
    for kind in Category:
        assert {card for night in nights for card in night.table.of(kind)} == set(edition.decks[kind])


def test_L2_the_ghost_sees_the_cards_of_the_psychics_and_none_of_the_rest(first_hour: State) -> None:
    secret = ghost_view(first_hour).secret
    assert secret is not None
    assert list(secret) == [BLUE, WHITE, RED, YELLOW]
    assert secret == {search.psychic: search.secret for search in first_hour.searches}


@EACH_EDITION
@pytest.mark.parametrize("players", PLAYERS)
def test_L3_no_two_psychics_share_a_card_and_every_secret_lies_on_the_table(edition: Edition, players: int) -> None:
    for seed in range(20):
        night = begun(edition, players, seed=seed)
        secrets = [search.secret for search in night.searches]
        for kind in Category:
            cards = [secret.of(kind) for secret in secrets if secret]
            assert len(set(cards)) == len(cards) == len(night.setup.psychics)
            assert set(cards) <= set(night.table.of(kind))


def test_L3_a_psychic_may_be_dealt_any_card_on_the_table() -> None:
    places = set()
    for seed in range(150):
        night = begun(seed=seed)
        secret = night.search(BLUE).secret
        assert secret is not None
        places.add(night.table.character.index(secret.character))
    assert places == set(range(6))


HANDS: list[tuple[dict[str, Any], int]] = [
    ({"edition": LIBELLUD}, 7),
    ({"edition": IGAMES}, 7),
    ({"edition": PORTAL}, 7),
    ({"edition": MANUAL}, 6),
    ({"edition": MANUAL, "variant": "full_investigation"}, 7),
]


@pytest.mark.parametrize(("choices", "hand"), HANDS)
def test_L4_M1_M5_the_ghost_draws_a_hand_from_84_vision_cards(choices: dict[str, Any], hand: int) -> None:
    deck = begun(visions=Visions.DEALT, **choices).deck
    assert len(deck.hand) == hand
    assert sorted(deck.hand + deck.pile) == list(range(1, 85))
    assert deck.discard == ()


def test_L4_the_vision_cards_are_shuffled() -> None:
    hands = [begun(seed=seed, visions=Visions.DEALT).deck.hand for seed in range(150)]
    assert {card for hand in hands for card in hand} == set(range(1, 85))


def test_L5_each_psychic_starts_on_the_character_board_with_the_marker_on_0(first_hour: State) -> None:
    psychics = room_view(first_hour).psychics
    assert [(psychic.searching, psychic.clairvoyancy) for psychic in psychics] == [("character", 0)] * 4


@pytest.mark.parametrize("edition", [PORTAL, MANUAL], ids=["portal", "manual"])
def test_P1_M1_the_search_starts_with_the_item(edition: Edition) -> None:
    assert [psychic.searching for psychic in room_view(begun(edition)).psychics] == ["object"] * 4


@pytest.mark.parametrize(("players", "tokens"), [(2, None), (3, None), (4, 4), (5, 4), (6, 6), (7, 6)])
def test_L6_clairvoyancy_tokens_of_each_psychic(players: int, tokens: int | None) -> None:
    assert {psychic.tokens_left for psychic in room_view(begun(players=players)).psychics} == {tokens}


@WEEKS
@pytest.mark.parametrize("players", PLAYERS)
def test_L6_other_editions_have_neither_tokens_nor_track(edition: Edition, players: int) -> None:
    psychics = room_view(begun(edition, players)).psychics
    assert {(psychic.tokens_left, psychic.clairvoyancy) for psychic in psychics} == {(None, None)}


@EACH_EDITION
def test_L7_I1_the_clock_starts_at_one(edition: Edition) -> None:
    assert begun(edition).hour == 1


CROWS = [
    (LIBELLUD, "easy", 1),
    (LIBELLUD, "medium", 3),
    (LIBELLUD, "hard", 1),
    *((edition, "easy", 1) for edition in (IGAMES, PORTAL, MANUAL)),
    *((edition, "normal", 3) for edition in (IGAMES, PORTAL, MANUAL)),
    *((edition, "difficult", 1) for edition in (IGAMES, PORTAL, MANUAL)),
    *((edition, "very_difficult", 0) for edition in (IGAMES, PORTAL, MANUAL)),
]


@pytest.mark.parametrize(("edition", "level", "crows"), CROWS)
def test_L8_crows_by_level(edition: Edition, level: str, crows: int) -> None:
    assert room_view(begun(edition, level=level)).crows_left == crows


@EACH_EDITION
@pytest.mark.parametrize("players", PLAYERS)
def test_P1_portal_alone_warns_of_the_two_hardest_levels_above_five_players(edition: Edition, players: int) -> None:
    for level in edition.levels:
        begin = Begin(edition=edition, players=players, level=level, seed=1)
        warned = events_of(LevelWarned, None, begin)
        advised_against = edition is PORTAL and players > 5 and level in {"difficult", "very_difficult"}
        assert warned == ([LevelWarned(level, players)] if advised_against else [])


@pytest.mark.parametrize("edition", [LIBELLUD, IGAMES, PORTAL], ids=["libellud", "igames", "portal"])
def test_M5_only_manual_knows_the_full_investigation(edition: Edition) -> None:
    with pytest.raises(UnknownVariant, match="full_investigation"):
        begun(edition, variant="full_investigation")


def test_L2_an_edition_with_added_cards_lays_them_out() -> None:
    decks = {kind: (*LIBELLUD.decks[kind], 100 + at) for at, kind in enumerate(Category)}
    nights = [begun(replace(LIBELLUD, decks=decks), seed=seed) for seed in range(60)]
    assert {100, 101, 102} <= {card for night in nights for kind in Category for card in night.table.of(kind)}


def test_nothing_happens_before_a_night_has_begun() -> None:
    with pytest.raises(ValueError, match="a night starts with NightBegun"):
        evolve(None, HourStruck(2))
