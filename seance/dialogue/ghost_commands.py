"""Parsing what the ghost types, such as `vision red 2`, into a command of the wire."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from seance.codec import NotACommand

COLOURS = ("blue", "white", "red", "yellow", "purple", "black")

VERBS: Mapping[str, str] = {
    "vision": "give_vision",
    "crow": "use_crow",
    "sand": "turn_sand",
    "choose": "place_intuition",
    "agree": "bet",
    "disagree": "bet",
    "withdraw": "withdraw_bet",
    "time": "call_time",
    "ready": "call_time",
    "answer": "manifest",
    "number": "number_groups",
    "culprit": "choose_culprit",
    "lay": "lay_shared_vision",
    "turn": "turn_shared_vision",
    "vote": "vote",
    "eldest": "name_eldest",
    "point": "point_at",
    "accuse": "accuse",
    "silence": "break_silence",
    "undo": "take_back",
    "abandon": "abandon",
}

EXAMPLES = ("vision red 2", "crow", "sand", "answer red yes", "culprit 2", "lay")

_IMPLIED_VERBS = {"visions": "choose", "interpretation": "choose", "vote": "vote", "accusation": "point"}
"""The verb that is meant by a colour and a number alone, by phase."""


def parse_command(text: str, view: Mapping[str, Any]) -> dict[str, Any]:
    """Return *text* as a command of the wire in the night that *view* shows, or raise NotACommand."""
    words = re.findall(r"[a-zé]+|\d+", text.lower())
    colours = [word for word in words if word in COLOURS]
    numbers = [int(word) for word in words if word.isdigit()]
    verb = next((verb for word in words if (verb := _verb(word))), None)
    if verb is None and colours and numbers:
        verb = _IMPLIED_VERBS.get(view["phase"])
    if verb is None:
        raise NotACommand(f"nothing is understood by {text.strip()!r}: for instance {', '.join(EXAMPLES)}")
    yes = True if "yes" in words else False if "no" in words else None
    return {"command": VERBS[verb], **_fields(verb, colours, numbers, yes, view)}


def _verb(word: str) -> str | None:
    """Return the verb that *word* is a form of: agree, agrees, agreed."""
    return next((verb for verb in VERBS if word in (verb, f"{verb}s", f"{verb}d", f"{verb}ed")), None)


def _fields(
    verb: str, colours: Sequence[str], numbers: Sequence[int], yes: bool | None, view: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the fields of a command, without those that were not typed: the rules will ask for them."""
    command = VERBS[verb]
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
            return pair | {"agrees": verb == "agree"}
        case "withdraw_bet":
            return pair
        case "call_time":
            return {"early": verb == "ready"}
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
        case "name_eldest" | "take_back":
            return first
        case "accuse":
            return dict(zip(("character", "location", "object"), numbers, strict=False))
    return {}
