"""What other devices of the house may ask for, at moments of an evening."""

from dataclasses import replace

import pytest

from hardware.body import open_body
from seance.daemon.device_requests import GameRequest, KnockRequest, LineRequest, SandRequest
from seance.daemon.signals import HostControl, Tick, Touched
from seance.daemon.world.body_driver import BodyDriver
from seance.dialogue.grammar.sentences import Intent
from seance.narration.cues import Knock, KnockMeaning, Say, ShowSand
from seance.permissions import Action, Source
from seance.rules import Phase, PlaceIntuition, Psychic, Vote
from seance.rules import commands as c
from tests.daemon.evenings import Table, begun, keys, knocks, lines, night, of, table
from tests.nights import BLUE, RED, WHITE

CALL = [(KnockMeaning.CALL, 2)]


@pytest.fixture
def opened(tmp_path) -> Table:
    """Nothing was said yet, in a house that allows devices everything that can be allowed."""
    return table(tmp_path, allowed_to_devices=frozenset(Action))


def choose(at_table: Table) -> None:
    """Let everybody choose a card that is wrong."""
    for search in at_table.state.searches:
        assert search.secret is not None
        wrong = next(card for card in at_table.state.table.character if card != search.secret.character)
        at_table.give(GameRequest(PlaceIntuition(psychic=search.psychic, card=wrong)))


def test_a_line_is_said_as_it_came(interpreting):
    assert lines(interpreting.give(LineRequest("The doors are locked."))) == ["The doors are locked."]


def test_sand_is_added_and_taken_and_what_is_left_is_said(interpreting):
    before = interpreting.evening.sand.left_at(interpreting.now)
    cues = interpreting.give(SandRequest(30, is_added=True))
    assert interpreting.evening.sand.left_at(interpreting.now) == pytest.approx(before + 30, abs=1)
    assert keys(cues) == ["time_left.running"]
    assert of(cues, ShowSand)[0].running
    interpreting.give(SandRequest(-60, is_added=True))
    assert interpreting.evening.sand.left_at(interpreting.now) == pytest.approx(before - 30, abs=1)


def test_time_is_called_when_the_last_sand_is_taken(interpreting):
    choose(interpreting)
    interpreting.give(SandRequest(0, is_added=False))
    interpreting.give(Tick())
    assert interpreting.state.phase is not Phase.INTERPRETATION


def test_sand_stays_paused_when_some_is_given(interpreting):
    interpreting.give(Touched(Intent("pause"), Source.MQTT))
    interpreting.give(SandRequest(90, is_added=False))
    interpreting.now += 60
    assert interpreting.evening.sand.left_at(interpreting.now) == 90


def test_there_is_no_sand_to_give_before_it_is_turned(opened):
    assert opened.give(SandRequest(30, is_added=True)) == []


def test_a_device_knocks_while_nobody_waits_for_an_answer(interpreting):
    assert knocks(interpreting.give(KnockRequest(2))) == CALL


def test_a_device_does_not_knock_while_something_is_still_to_be_told(interpreting):
    interpreting.attentive = False
    choose(interpreting)
    assert knocks(interpreting.give(KnockRequest(2))) == []


def test_a_device_does_not_knock_while_the_ghost_is_to_answer(interpreting):
    ghost = "a phone"
    interpreting.evening.seat.state = replace(interpreting.evening.seat.state, holder=ghost)
    interpreting.evening.seat.set_page_open(ghost, True, interpreting.now)
    choose(interpreting)
    interpreting.give(GameRequest(c.CallTime(early=True)))
    assert interpreting.state.phase is Phase.MANIFESTATION
    assert knocks(interpreting.give(KnockRequest(2))) == []


def test_a_device_that_knocks_without_end_keeps_the_duty_limit_of_the_coil():
    with open_body("virtual") as body:
        driver = BodyDriver(body)
        lasting_s = [driver.knock(KnockMeaning.CALL, 5) for _ in range(40)]
        assert body.knocker.pending < 100
    assert lasting_s[0] > 0
    assert lasting_s[-1] == 0


def test_a_device_plays_by_the_wire_and_the_rules_refuse_as_ever(interpreting):
    choose(interpreting)
    assert all(search.intuition for search in interpreting.state.searches)
    refused = interpreting.give(GameRequest(PlaceIntuition(psychic=RED, card=9999)))
    assert len(lines(refused)) == 1


def test_a_device_that_begins_a_night_does_not_choose_the_shuffle(opened):
    opened.give(GameRequest(replace(night(players=4), seed=7)))
    begin, _ = opened.journal.entries[0]
    assert isinstance(begin, c.Begin)
    assert begin.seed not in (None, 7)


def test_a_paused_night_tells_a_device_so(interpreting):
    interpreting.give(Touched(Intent("pause"), Source.MQTT))
    assert keys(interpreting.give(GameRequest(c.CallTime(early=True)))) == ["paused.already"]


@pytest.mark.parametrize("command", [c.UseCrow(count=1), c.Abandon(), c.BreakSilence()])
def test_a_device_neither_acts_as_the_ghost_nor_ends_the_night(interpreting, command):
    state = interpreting.state
    assert interpreting.give(GameRequest(command)) == []
    assert interpreting.state == state


def test_a_secret_vote_by_a_device_counts_as_one_that_was_said_aloud(voting):
    state = voting.state
    assert keys(voting.give(GameRequest(Vote(by=Psychic.RED, group=1)))) == ["reply.vote_is_silent"]
    assert voting.state == state


REQUESTS = [
    LineRequest("The doors are locked."),
    SandRequest(30, is_added=True),
    KnockRequest(2),
    GameRequest(c.CallTime(early=True)),
    Touched(Intent("pause"), Source.MQTT),
    HostControl("louder", source=Source.MQTT),
]


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: type(request).__name__)
def test_nothing_is_done_that_the_owner_does_not_allow(tmp_path, request_):
    at_table = begun(table(tmp_path), RED, BLUE, WHITE)
    state = at_table.state
    cues = at_table.give(request_)
    assert of(cues, Knock) == of(cues, Say) == []
    assert at_table.state == state
    assert not at_table.evening.conversation.paused
