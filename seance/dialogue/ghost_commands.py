"""Parsing what the ghost types, such as `vision red 2`, into a command of the wire."""

from collections.abc import Mapping, Sequence
from typing import Any

from seance.ghost_words import GhostWords, Order

COMMANDS: Mapping[Order, str] = {
    Order.VISION: "give_vision",
    Order.CROW: "use_crow",
    Order.SAND: "turn_sand",
    Order.CHOOSE: "place_intuition",
    Order.AGREE: "bet",
    Order.DISAGREE: "bet",
    Order.WITHDRAW: "withdraw_bet",
    Order.TIME: "call_time",
    Order.READY: "call_time",
    Order.ANSWER: "manifest",
    Order.CORRECT: "correct_answer",
    Order.NUMBER: "number_groups",
    Order.CULPRIT: "choose_culprit",
    Order.LAY: "lay_shared_vision",
    Order.TURN: "turn_shared_vision",
    Order.VOTE: "vote",
    Order.ELDEST: "name_eldest",
    Order.POINT: "point_at",
    Order.ACCUSE: "accuse",
    Order.SILENCE: "break_silence",
    Order.UNDO: "take_back",
    Order.ABANDON: "abandon",
}

_IMPLIED_ORDERS = {
    "visions": Order.CHOOSE,
    "interpretation": Order.CHOOSE,
    "vote": Order.VOTE,
    "accusation": Order.POINT,
}
"""The order that is meant by a colour and a number alone, by phase."""


class NotAnOrder(ValueError):
    """The ghost typed what is no order; the message is for the ghost, in its language."""


def parse_order(typed: str, view: Mapping[str, Any], ghost_words: GhostWords) -> dict[str, Any]:
    """Return what was *typed* as a command of the wire in the night that *view* shows, or raise NotAnOrder."""
    words = ghost_words.split(typed)
    colours = [str(ghost_words.colours[word]) for word in words if word in ghost_words.colours]
    numbers = [int(word) for word in words if word.isdigit()]
    order = ghost_words.find_order(words)
    if order is None and colours and numbers:
        order = _IMPLIED_ORDERS.get(view["phase"])
    if order is None:
        raise NotAnOrder(ghost_words.explain_unknown(typed, view.get("edition")))
    yes = next((word in ghost_words.yes for word in words if word in ghost_words.yes | ghost_words.no), None)
    return {"command": COMMANDS[order], **_fields(order, colours, numbers, yes, view)}


def _fields(
    order: Order, colours: Sequence[str], numbers: Sequence[int], yes: bool | None, view: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the fields of a command, without those that were not typed: the rules will ask for them."""
    command = COMMANDS[order]
    dealt = view["shared_vision"] is not None
    first = dict(zip(("psychic",), colours, strict=False))
    pair = dict(zip(("by", "on"), colours, strict=False))
    match command:
        case "give_vision":
            return first | ({"cards": numbers} if dealt else {"count": numbers[0] if numbers else 1})
        case "use_crow":
            return {"cards": numbers} if dealt and numbers else {}
        case "place_intuition":
            return first | dict(zip(("card",), numbers, strict=False))
        case "bet":
            return pair | {"agrees": order is Order.AGREE}
        case "withdraw_bet":
            return pair
        case "call_time":
            return {"early": order is Order.READY}
        case "manifest":
            return first if yes is None else first | {"correct": yes}
        case "number_groups":
            return {"order": colours}
        case "choose_culprit":
            return dict(zip(("group",), numbers, strict=False))
        case "lay_shared_vision":
            return {"cards": numbers} if dealt else {}
        case "vote" | "point_at":
            return dict(zip(("by",), colours, strict=False)) | dict(zip(("group",), numbers, strict=False))
        case "name_eldest" | "take_back" | "correct_answer":
            return first
        case "accuse":
            return dict(zip(("character", "location", "object"), numbers, strict=False))
    return {}
