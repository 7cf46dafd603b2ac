"""Whole nights in which every psychic plays by touch alone, in every edition and at every table."""

from pathlib import Path
from random import Random

import pytest

from seance.daemon.signals import PsychicSeatRequest, SeatTouched
from seance.dialogue.grammar.sentences import Intent
from seance.rules import EDITIONS, Command, Phase
from seance.rules import commands as c
from seance.rules.bots import Bot, Company, Wanderer
from tests.daemon.evenings import Table, done, night, set_up, table

TABLES = [(name, players) for name, edition in EDITIONS.items() for players in edition.players]
MOST_STEPS = 3000


def touched(command: Command) -> Intent | None:
    """Return what a psychic touches for *command*; None if no seat has it."""
    match command:
        case c.PlaceIntuition():
            return Intent("place_intuition", {"psychic": str(command.psychic), "card": command.card})
        case c.Bet():
            return Intent("bet", {"by": str(command.by), "on": str(command.on), "agrees": command.agrees})
        case c.WithdrawBet():
            return Intent("withdraw_bet", {"by": str(command.by), "on": str(command.on)})
        case c.Vote():
            return Intent("vote", {"by": str(command.by), "group": command.group})
        case c.PointAt():
            return Intent("point_at", {"by": str(command.by), "group": command.group})
        case c.NameEldest():
            return Intent("name_eldest", {"psychic": str(command.psychic)})
        case c.Accuse():
            cards = {"character": command.character, "location": command.location, "object": command.object}
            return Intent("accuse", {kind: card for kind, card in cards.items() if card is not None})
        case c.TurnSharedVision() | c.ClosePoll():
            return Intent("turn_shared_vision")
    return None


def act(house: Table, command: Command) -> None:
    """Touch what asks for *command*, and yes to what is asked back; what no seat has is said or tapped."""
    intent = touched(command)
    if intent is None:
        done(house, command, Random(1))
        return
    by = str(getattr(command, "by", getattr(command, "psychic", "")) or "")
    holders = house.evening.psychic_seats.state.holders
    device = holders.get(by) or next(iter(holders.values()))
    house.give(SeatTouched(device, intent))
    pending = house.evening.conversation.pending
    if pending is not None and pending.ask_back is not None:
        house.give(SeatTouched(device, Intent("yes")))


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_a_night_is_played_by_touch(edition: str, players: int, tmp_path: Path):
    house = play(tmp_path, edition, players, Wanderer(Random(players)))
    assert house.state.phase is Phase.OVER


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_the_culprit_is_named_by_touch(edition: str, players: int, tmp_path: Path):
    house = play(tmp_path, edition, players, Company(Random(players), accuracy=1.0))
    named = {type(command) for command, _ in house.journal.entries}
    assert named & {c.Vote, c.PointAt}


def play(tmp_path: Path, edition: str, players: int, bot: Bot) -> Table:
    """Play a night that *bot* decides, all psychics at phones, until it is over."""
    house = table(tmp_path)
    set_up(house, night(edition, players))
    for psychic in house.state.setup.psychics:
        if psychic not in house.evening.psychic_seats.state.holders:
            house.give(PsychicSeatRequest(psychic, f"phone of {psychic}", f"guest of {psychic}"))
    assert set(house.evening.psychic_seats.state.holders) == set(house.state.setup.psychics)
    for _ in range(MOST_STEPS):
        if house.state.outcome is not None:
            break
        command = bot.choose(house.state)
        if isinstance(command, c.TakeBack | c.Abandon | c.BreakSilence):
            continue
        written = len(house.journal.entries)
        act(house, command)
        assert [entry[0] for entry in house.journal.entries[written:]][:1] == [command]
    assert house.evening.psychic_seats.state.holders == {}
    return house
