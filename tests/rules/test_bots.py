"""The bots: one tries every command, the other plays as people do."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from seance.rules import COMMANDS, EVENTS, IGAMES, LIBELLUD, Abandon, Begin, Command, Edition, Event, Reason, apply
from seance.rules import events as e
from seance.rules.bots import Bot, Company, Wanderer, play
from tests.nights import EACH_EDITION
from tests.rules.moments import SETUPS, every_moment, every_night

AT_THE_TABLE = {Reason.CULPRIT_FOUND, Reason.WRONG_CULPRIT, Reason.TIME_OVER}
NIGHTS = 60


def _events(begin: Begin, bot: Bot) -> list[Event]:
    return [event for _, _, events in play(begin, bot) for event in events]


def _reason(begin: Begin, bot: Bot) -> Reason:
    """Return why a night of *bot* ended."""
    *_, last = _events(begin, bot)
    assert isinstance(last, e.NightEnded)
    return last.reason


# The wanderer


def test_the_wanderer_asks_for_everything_there_is_but_an_early_end_and_is_never_refused() -> None:
    asked, happened = Counter[type[Command]](), Counter[type[Event]]()
    for begin, _ in every_night():
        happened.update(type(event) for event in apply(None, begin)[1])
    for state, seed in every_moment():
        wanderer = Wanderer(Random(seed))
        for _ in range(4):
            if state.outcome is None:
                command = wanderer.choose(state)
                asked[type(command)] += 1
                state, events = apply(state, command)
                happened.update(type(event) for event in events)
    assert set(asked) == set(COMMANDS) - {Begin, Abandon}
    assert set(happened) == set(EVENTS)


def test_the_wanderer_comes_to_an_end_of_every_night_by_the_rules() -> None:
    reasons = Counter(_reason(begin, Wanderer(chance)) for begin, chance in list(every_night())[::7])
    assert set(reasons) <= AT_THE_TABLE | {Reason.SILENCE_BROKEN}
    assert min(reasons[Reason.TIME_OVER], reasons[Reason.SILENCE_BROKEN]) > 5


# The company


def test_the_company_finishes_a_night_of_every_edition_level_number_of_players_deal_and_kind_of_visions() -> None:
    reasons = Counter(_reason(begin, Company(chance)) for begin, chance in every_night())
    assert reasons.total() == len(SETUPS)
    assert set(reasons) == AT_THE_TABLE


def _won(edition: Edition, skill: float) -> float:
    """Return which part of some nights for five at the second level a table of *skill* wins."""
    level = list(edition.levels)[1]
    begins = [Begin(edition=edition, players=5, level=level, seed=seed) for seed in range(NIGHTS)]
    won = [_reason(begin, Company(Random(begin.seed), skill=skill)) is Reason.CULPRIT_FOUND for begin in begins]
    return sum(won) / NIGHTS


@EACH_EDITION
def test_a_company_that_always_sees_wins_nearly_always(edition: Edition) -> None:
    assert _won(edition, skill=1.0) > 0.9


@EACH_EDITION
def test_a_company_that_seldom_sees_wins_seldom(edition: Edition) -> None:
    assert _won(edition, skill=0.1) < 0.1


@EACH_EDITION
def test_the_more_a_company_sees_the_more_often_it_wins(edition: Edition) -> None:
    rates = [_won(edition, skill) for skill in (0.3, 0.5, 0.9)]
    assert all(worse + 0.05 < better for worse, better in pairwise(rates))


@EACH_EDITION
def test_a_company_wins_on_an_easy_table_more_often_than_on_a_hard_one(edition: Edition) -> None:
    easy, *_, hard = edition.levels
    won = dict.fromkeys((easy, hard), 0)
    for level in won:
        for seed in range(NIGHTS):
            begin = Begin(edition=edition, players=6, level=level, seed=seed)
            won[level] += _reason(begin, Company(Random(seed))) is Reason.CULPRIT_FOUND
    assert won[easy] > won[hard]


def _bets(insight: float) -> tuple[int, int]:
    """Return how many tokens a company lays in some nights, and how often one moves its owner."""
    laid = moved = 0
    for seed in range(NIGHTS):
        begin = Begin(edition=LIBELLUD, players=6, level="medium", seed=seed)
        events = _events(begin, Company(Random(seed), insight=insight))
        laid += sum(isinstance(event, e.BetPlaced) for event in events)
        # After a card was found the marker of its finder may move: that is no bet (L24).
        after = [event for before, event in pairwise(events) if not isinstance(before, e.CardFound)]
        moved += sum(isinstance(event, e.ClairvoyancyMoved) for event in after)
    return laid, moved


def test_the_bets_of_a_company_move_its_markers_as_often_as_it_sees_who_is_right() -> None:
    laid, moved = _bets(insight=0.7)
    assert laid > 5 * NIGHTS
    assert 0.65 < moved / laid < 0.75


def test_a_company_of_perfect_insight_bets_nothing_in_vain() -> None:
    laid, moved = _bets(insight=1.0)
    assert laid == moved > 0


def test_a_company_without_insight_moves_no_marker_by_a_bet() -> None:
    laid, moved = _bets(insight=0.0)
    assert (laid > 0, moved) == (True, 0)


@pytest.mark.parametrize("bot", [Company, Wanderer])
def test_the_same_chance_plays_the_same_night(bot: type[Company | Wanderer]) -> None:
    begin = replace(SETUPS["igames easy for 4, hand deal, dealt visions"], seed=1894)
    assert list(play(begin, bot(Random(7)))) == list(play(begin, bot(Random(7))))


def test_one_company_plays_one_night_after_another() -> None:
    company = Company(Random(7), skill=0.9)
    begins = [Begin(edition=IGAMES, players=4, level="easy", seed=seed) for seed in range(NIGHTS)]
    assert Counter(_reason(begin, company) for begin in begins)[Reason.CULPRIT_FOUND] > 0.9 * NIGHTS
