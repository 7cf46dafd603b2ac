"""Whom the house suggests to a ghost who does not know whom to serve next, and why."""

from dataclasses import replace

import pytest

from seance.dialogue.serve_next import ServeReason, ServeSuggestion, serve_next
from seance.rules import EDITIONS, Phase, Psychic, RoomView, apply
from seance.rules import commands as c
from seance.rules.view import PsychicView, room_view

BLUE, WHITE, RED = Psychic.BLUE, Psychic.WHITE, Psychic.RED


def room(**psychics: dict[str, object]) -> RoomView:
    """Return the first hour of a night of blue, white and red, each changed as told."""
    begin = c.Begin(edition=EDITIONS["libellud"], players=4, psychics=(BLUE, WHITE, RED), level="easy", seed=1)
    begun = room_view(apply(None, begin)[0])

    def changed(each: PsychicView) -> PsychicView:
        return replace(each, **psychics.get(str(each.colour), {}))  # type: ignore[arg-type]

    return replace(begun, psychics=tuple(map(changed, begun.psychics)))


@pytest.mark.parametrize(
    ("psychics", "suggested"),
    [
        ({}, ServeSuggestion(BLUE, ServeReason.ALL_EQUAL)),
        ({"blue": {"found": (3,)}, "white": {"found": (4,)}}, ServeSuggestion(RED, ServeReason.FEWEST_FOUND)),
        ({"blue": {"visions": 2}, "red": {"visions": 1}}, ServeSuggestion(WHITE, ServeReason.FEWEST_VISIONS)),
        ({"blue": {"visions": (7, 9)}, "red": {"visions": (8,)}, "white": {"served": True}},
         ServeSuggestion(RED, ServeReason.FEWEST_VISIONS)),
        ({"blue": {"visions": 3}, "red": {"visions": 0, "found": (3,)}},
         ServeSuggestion(WHITE, ServeReason.FEWEST_VISIONS)),
        ({"blue": {"served": True}, "white": {"searching": "done"}}, ServeSuggestion(RED, ServeReason.LAST_ONE)),
    ],
)  # fmt: skip
def test_the_one_who_is_furthest_behind_is_suggested_with_the_reason(
    psychics: dict[str, dict[str, object]], suggested: ServeSuggestion
) -> None:
    assert serve_next(room(**psychics)) == suggested


def test_nobody_is_suggested_when_all_are_served_or_visions_are_not_given() -> None:
    served = {colour: {"served": True} for colour in ("blue", "white", "red")}
    assert serve_next(room(**served)) is None
    assert serve_next(replace(room(), phase=Phase.INTERPRETATION)) is None
