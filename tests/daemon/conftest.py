"""Moments of an evening: opened, the first visions, the sand running, the vote."""

import pytest

from seance.rules import ChooseCulprit, GiveVision, LaySharedVision, Psychic, TurnSand
from seance.rules import commands as c
from tests.daemon.evenings import Table, begun, table
from tests.nights import BLUE, RED, WHITE

SEATED = (RED, BLUE, WHITE)


@pytest.fixture
def opened(tmp_path) -> Table:
    """Nothing was said yet."""
    return table(tmp_path)


@pytest.fixture
def visions(opened) -> Table:
    """Red, blue and white wait for their first visions."""
    return begun(opened, *SEATED)


@pytest.fixture
def interpreting(visions) -> Table:
    """The sand of the first hour runs."""
    visions.ask(*(GiveVision(psychic=psychic, count=1) for psychic in SEATED), TurnSand())
    return visions


@pytest.fixture
def lineup(interpreting) -> Table:
    """All have found their three cards."""
    while interpreting.state.ending.groups == ():
        served = [search.psychic for search in interpreting.state.searching() if not search.served]
        if served:
            interpreting.ask(*(GiveVision(psychic=psychic, count=1) for psychic in served), TurnSand())
        choose_rightly(interpreting)
        interpreting.say("we are ready")
    return interpreting


@pytest.fixture
def voting(lineup) -> Table:
    """The first shared card is turned."""
    lineup.ask(ChooseCulprit(group=1), LaySharedVision())
    return lineup


def choose_rightly(table: Table) -> None:
    """Let everybody who still searches choose the card that they have to find."""
    for search in list(table.state.searching()):
        assert search.secret is not None
        kind = table.state.sought(search)
        assert kind is not None
        table.say(f"{search.psychic.value} chooses card {search.secret.of(kind)}")


def choice(table: Table, psychic: Psychic) -> c.PlaceIntuition:
    """Return a card that *psychic* may choose now."""
    kind = table.state.sought(table.state.search(psychic))
    assert kind is not None
    return c.PlaceIntuition(psychic=psychic, card=table.state.table.of(kind)[0])
