"""The deal prefers cards that were not seen lately, and the same seed still deals the same night."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from seance.journal import Journal, choose_fresh_deal
from seance.journal.fresh_deals import NIGHTS_REMEMBERED
from seance.rules import LIBELLUD, PORTAL, Begin, Category, apply
from tests.journal.recording import bot_night, write_journal

BEGIN = Begin(edition=LIBELLUD, players=5, level="medium")


def table(begin):
    state, _ = apply(None, begin)
    return {card for kind in Category for card in state.table.of(kind)}


def test_the_seed_with_the_fewest_cards_seen_is_taken():
    seen = Counter(table(replace(BEGIN, seed=1)))
    begin = choose_fresh_deal(BEGIN, range(1, 100), seen)
    overlaps = {seed: len(table(replace(BEGIN, seed=seed)) & set(seen)) for seed in range(1, 100)}
    assert overlaps[begin.seed] == min(overlaps.values())


def test_where_nothing_was_seen_the_first_seed_is_taken():
    assert choose_fresh_deal(BEGIN, iter([7, 3, 5]), {}) == replace(BEGIN, seed=7)


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=5), st.integers())
def test_the_choice_is_a_function_of_seeds_and_cards(seeds, seed):
    seen = Counter(Random(seed).choices(range(1, 55), k=20))
    assert choose_fresh_deal(BEGIN, seeds, seen) == choose_fresh_deal(BEGIN, list(seeds), dict(seen))


def test_what_the_ghost_is_dealt_does_not_depend_on_what_was_seen():
    """Among seeds with one table the first is taken, whatever their secrets are."""
    begin = choose_fresh_deal(BEGIN, [11, 11], {3: 5})
    assert begin == replace(BEGIN, seed=11)


def test_a_company_that_plays_every_week_sees_new_cards():
    def repeated(tables):
        return sum(len(first & second) for first, second in pairwise(tables))

    chance, seen, fresh = Random(1), Counter(), []
    for _ in range(12):
        begin = choose_fresh_deal(BEGIN, iter(lambda: chance.getrandbits(32), None), seen)
        fresh.append(table(begin))
        seen = Counter(fresh[-1])
    blind = [table(replace(BEGIN, seed=chance.getrandbits(32))) for _ in range(12)]
    assert repeated(fresh) < repeated(blind) / 2


def test_the_last_night_counts_most(tmp_path):
    for seed in (1, 2):
        write_journal(tmp_path / "nights.sqlite", bot_night(seed)[:1])
    seen = Journal.open(tmp_path / "nights.sqlite").recently_seen_cards("libellud")
    first, last = (table(bot_night(seed)[0][0]) for seed in (1, 2))
    assert {seen[card] for card in last - first} == {NIGHTS_REMEMBERED}
    assert {seen[card] for card in first - last} == {NIGHTS_REMEMBERED - 1}
    assert {seen[card] for card in first & last} == {2 * NIGHTS_REMEMBERED - 1}


def test_nights_long_ago_are_forgotten(tmp_path):
    for seed in range(NIGHTS_REMEMBERED + 1):
        write_journal(tmp_path / "nights.sqlite", bot_night(seed)[:1])
    seen = Journal.open(tmp_path / "nights.sqlite").recently_seen_cards("libellud")
    assert set(seen) == set().union(*(table(bot_night(seed)[0][0]) for seed in range(1, NIGHTS_REMEMBERED + 1)))


def test_another_edition_shows_other_cards(tmp_path):
    write_journal(tmp_path / "nights.sqlite", bot_night()[:1])
    assert Journal.open(tmp_path / "nights.sqlite").recently_seen_cards(PORTAL.name) == Counter()


def test_where_there_is_no_journal_nothing_was_seen(tmp_path):
    assert Journal.open(tmp_path / "nights.sqlite").recently_seen_cards("libellud") == Counter()
