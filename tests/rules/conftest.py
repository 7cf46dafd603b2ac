"""Moments of a night, named as the table would name them; five players and libellud where nothing else is said."""

import pytest

from seance.rules import IGAMES, LaySharedVision, State, Visions
from tests.nights import (
    after,
    at_hour,
    begun,
    chosen,
    hour_played,
    interpreted,
    laid,
    lined_up,
    manifesting,
    marked,
    on_track,
)


@pytest.fixture
def first_hour() -> State:
    """The night has just begun."""
    return begun()


@pytest.fixture
def first_hour_dealt() -> State:
    """The night has just begun, and the manor deals the vision cards too."""
    return begun(visions=Visions.DEALT)


@pytest.fixture
def interpreting() -> State:
    """All visions are given and the sand runs; nobody has chosen."""
    return interpreted(begun())


@pytest.fixture
def all_chosen() -> State:
    """The sand runs and every psychic has chosen the right card."""
    return chosen(begun())


@pytest.fixture
def manifestation() -> State:
    """The sand has run out; every psychic has chosen the right card."""
    return manifesting(begun())


@pytest.fixture
def seventh_hour() -> State:
    """Hour VII begins and everybody searches the last card."""
    return hour_played(hour_played(at_hour(begun(), 5)))


@pytest.fixture
def lineup() -> State:
    """All psychics have found their cards; the ghost is to choose the culprit."""
    return lined_up(begun())


@pytest.fixture
def shared_vision() -> State:
    """Group 1 is the culprit's; the ghost is to lay the shared vision."""
    return marked(begun())


@pytest.fixture
def voting() -> State:
    """The first shared card is turned: blue and white are low, red intermediate, yellow high; group 1 is guilty."""
    return after(on_track(marked(begun()), 3, 4, 5, 7), LaySharedVision())


@pytest.fixture
def monday() -> State:
    """An igames week has just begun."""
    return begun(IGAMES)


@pytest.fixture
def dreamt() -> State:
    """All dreams of Monday are given, in igames."""
    return interpreted(begun(IGAMES))


@pytest.fixture
def accusing() -> State:
    """The common dream of an igames week lies on the table on day 4; set 1 is the culprit's."""
    return laid(begun(IGAMES))
