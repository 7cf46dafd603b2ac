"""Nothing of a night's end leaves the house before the room was told."""

import pytest

from seance.daemon.page_publisher import PagePublisher
from seance.daemon.signals import GhostCommand, GhostPageOpen, SeatRequest, StepTold
from seance.narration.cues import Cue, Mark, Say, ShowTable
from seance.narration.staging import with_table
from seance.rules import LIBELLUD, Abandon
from tests.daemon.conftest import SEATED
from tests.daemon.evenings import Table, begun, of

PHONE = "phone"


@pytest.fixture
def pages(interpreting) -> PagePublisher:
    """Pages that show the sand of the first hour, with a ghost at its phone; what is told from now on is not heard."""
    interpreting.give(SeatRequest(PHONE))
    interpreting.say("yes")
    interpreting.give(GhostPageOpen(PHONE, True))
    interpreting.attentive = False
    pages = PagePublisher(language="en", pace="full", edition=LIBELLUD)
    for cue in interpreting.cues:
        pages.publish_cue(cue)
    pages.publish_evening(interpreting.evening)
    assert pages.latest.current.seat.status == "taken"
    assert pages.latest.current.sand is not None
    return pages


def end_by_room(table: Table) -> list[Cue]:
    return [*table.say("end the séance"), *table.say("yes")]


def abandon(table: Table) -> list[Cue]:
    return table.give(GhostCommand(Abandon(), device=PHONE))


def tell(table: Table, cues: list[Cue]) -> None:
    for mark in of(cues, Mark):
        table.give(StepTold(mark.night, mark.step))


@pytest.mark.parametrize("end", [end_by_room, abandon])
def test_a_table_page_shows_nothing_of_an_end_without_a_knock_before_it_is_told(interpreting, pages, end):
    before = pages.latest.current.seen_at_table
    cues = end(interpreting)
    assert interpreting.state.outcome is not None
    pages.publish_evening(interpreting.evening)
    assert pages.latest.current.seen_at_table == before
    ends = [cue.room.outcome is not None for cue in of(cues, ShowTable)]
    assert ends == [True]
    told = [type(cue) for cue in cues if isinstance(cue, Say | ShowTable)]
    assert told.index(ShowTable) == len(told) - 1, "the table comes after the last word"


def test_when_the_end_is_told_the_seat_is_free_and_the_chronicle_can_be_read(interpreting, pages):
    key = interpreting.evening.seat.state.key
    tell(interpreting, abandon(interpreting))
    pages.publish_evening(interpreting.evening)
    now = pages.latest.current
    assert (now.seat.status, now.sand, now.has_chronicle) == ("free", None, True)
    assert now.seat.key != key


@pytest.mark.usefixtures("pages")
def test_who_sits_down_after_the_end_keeps_the_seat(interpreting):
    cues = abandon(interpreting)
    tell(interpreting, cues)
    interpreting.give(SeatRequest("another phone"))
    interpreting.say("yes")
    tell(interpreting, cues)
    assert interpreting.evening.seat.state.holder == "another phone"
    begun(interpreting, *SEATED)
    assert interpreting.evening.seat.state.holder == "another phone"


@pytest.mark.usefixtures("pages")
def test_a_night_that_begins_while_the_last_one_is_still_told_has_a_new_seat(interpreting):
    abandon(interpreting)
    begun(interpreting, *SEATED)
    assert interpreting.evening.seat.state.status == "free"


def test_ballots_are_on_the_table_when_the_last_one_is_read(interpreting):
    cues = (Say("red: two", "event.ballot_read"), Say("blue: one", "event.ballot_read"), Say("who is eldest?", "ask"))
    assert [type(cue) for cue in with_table(cues, interpreting.evening.room)] == [Say, Say, ShowTable, Say]
