"""The table of who may do what, in the code and in docs/access.md."""

import re
from itertools import product
from pathlib import Path

import pytest

from seance.dialogue.grammar.sentences import Sentences
from seance.permissions import (
    CONTROL_ACTIONS,
    GHOST_SEAT,
    PERMISSIONS,
    SEAT_ACTIONS,
    Action,
    Permission,
    Source,
    intent_action,
    permission,
)
from seance.web.requests import HostControlRequest

DOCUMENT = (Path(__file__).parents[1] / "docs/access.md").read_text(encoding="utf-8")


def documented() -> dict[tuple[str, str], str]:
    """Return the cells of the document's table, by row and column."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in re.search(r"^\| action .+?\n\n", DOCUMENT, re.MULTILINE | re.DOTALL)[0].splitlines()
        if line.startswith("|") and not line.startswith("|---")
    ]
    (_, *sources), *actions = rows
    return {(action, source): cell for action, *cells in actions for source, cell in zip(sources, cells, strict=True)}


@pytest.mark.parametrize(("action", "source"), list(product(Action, Source)))
def test_the_document_says_what_the_code_does(action, source):
    assert documented()[action, source] == PERMISSIONS[action][source]


def test_the_document_has_no_other_rows_and_columns():
    assert set(documented()) == set(product(Action, Source))


def test_every_sentence_and_control_has_a_row():
    intents = set(Sentences.load("en").intents)
    named = {name for name in intents if intent_action(name) is not Action.SAY}
    assert {intent_action(name) for name in named} == {
        Action.FREE_SEAT, Action.CHOOSE, Action.BET, Action.VOTE, Action.UNDO, Action.PAUSE, Action.VOLUME,
        Action.END_NIGHT,
    }  # fmt: skip
    assert set(CONTROL_ACTIONS) == set(HostControlRequest.__annotations__["do"].__args__)


@pytest.mark.parametrize("action", [action for action in Action if PERMISSIONS[action][Source.VOICE] != "never"])
def test_what_may_be_said_aloud_may_be_wished_by_a_guests_phone(action):
    assert PERMISSIONS[action][Source.OTHER_PHONE] is not Permission.NEVER


BY_DEVICES = [action for action in Action if PERMISSIONS[action][Source.MQTT] is Permission.IF_ALLOWED]


@pytest.mark.parametrize("action", BY_DEVICES)
def test_a_device_does_what_the_owner_allows_and_nothing_else(action):
    assert permission(action, Source.MQTT) is Permission.NEVER
    assert permission(action, Source.MQTT, allowed={action}) is Permission.ALLOWED
    assert permission(action, Source.MQTT, allowed=set(Action) - {action}) is Permission.NEVER


@pytest.mark.parametrize("action", [action for action in Action if action not in BY_DEVICES])
def test_what_the_owner_cannot_allow_is_never_done(action):
    assert permission(action, Source.MQTT, allowed=set(Action)) is Permission.NEVER


OF_SEATS = [action for action in Action if PERMISSIONS[action][Source.SEATED_PHONE] is Permission.OWN_SEAT]


@pytest.mark.parametrize("action", OF_SEATS)
def test_a_seat_is_good_for_what_belongs_to_it_alone(action):
    belongs = action in SEAT_ACTIONS[GHOST_SEAT]
    its = Permission.ALLOWED if belongs else Permission.NEVER
    assert permission(action, Source.SEATED_PHONE, seat=GHOST_SEAT) is its
    assert permission(action, Source.SEATED_PHONE, seat="red") is Permission.NEVER
