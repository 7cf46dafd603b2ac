"""Events of the wire described in English for the terminal; events that are not for the room have no line."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

LINES: Mapping[str, str | Callable[[Mapping[str, Any]], str]] = {
    "night_begun": lambda event: (
        f"The night begins: {event['edition']}, {event['level']}, {event['players']} players. "
        f"Lay out characters {_join(event['table']['character'])}; locations {_join(event['table']['location'])}; "
        f"objects {_join(event['table']['object'])}."
    ),
    "level_warned": "The rulebook advises against {level} with {players} players. It can be played.",
    "vision_given": lambda event: f"A vision comes to {event['psychic']}: {_cards(event)}.",
    "crow_used": "A crow takes wing: the ghost has new cards. Crows left: {crows_left}.",
    "sand_turned": "The sand runs for {seconds} seconds.",
    "interpretation_begun": "All visions are given.",
    "intuition_placed": "{psychic}, card {card}.",
    "bet_placed": lambda event: f"{event['by']} {'agrees' if event['agrees'] else 'disagrees'} with {event['on']}.",
    "bet_withdrawn": "{by} withdraws from {on}.",
    "taken_back": "Taken back: the last {what} of {psychic}.",
    "time_called": "Time. Hands off the table.",
    "intuition_answered": lambda event: (
        f"{event['psychic']}, {_card(event['card'])}: "
        + ("*knock*. Yes." if event["correct"] else "*knock* *knock*. No.")
    ),
    "clairvoyancy_moved": "{psychic} moves {spaces} on the clairvoyancy track.",
    "card_found": "{psychic} has found card {card}.",
    "tokens_returned": "All clairvoyancy tokens come back.",
    "hour_struck": "The clock moves to {hour}.",
    "lineup_formed": lambda event: f"All have found their three cards. {_groups(event)}",
    "groups_numbered": lambda event: _groups(event),
    "culprit_chosen": "The culprit is fixed.",
    "shared_vision_laid": "A vision for all lies on the table.",
    "shared_vision_turned": "Shared card {shown} of 3 is turned.",
    "vote_cast": "{by} has voted.",
    "ballot_shown": "{by} names group {group}.",
    "reader_named": lambda event: f"The votes are read by the eldest of: {_join(event['psychics'])}.",
    "votes_read": lambda event: "; ".join(f"{vote['by']}: group {vote['group']}" for vote in event["votes"]) + ".",
    "eldest_needed": lambda event: f"A tie. Who is the eldest of {_join(event['psychics'])}?",
    "eldest_named": "{psychic} is the eldest, and decides.",
    "pointed_at": "{by} points at group {group}.",
    "accused": "Group {group} is accused.",
    "culprit_revealed": "The culprit is group {group}.",
    "set_removed": "Group {group} is innocent and leaves the table.",
    "silence_broken": "The ghost has broken the silence.",
    "night_ended": lambda event: (
        f"The night is over: {'won' if event['won'] else 'lost'} ({event['reason'].replace('_', ' ')})."
    ),
}


def describe_event(event: Mapping[str, Any]) -> str | None:
    """Return a sentence about *event* of the wire, or None when it is not for the room."""
    line = LINES.get(event["event"])
    if line is None:
        return None
    words = line(event) if callable(line) else line.format(**event)
    return words[0].upper() + words[1:]


def _join(values: Iterable[object]) -> str:
    return ", ".join(str(value) for value in values)


def _cards(event: Mapping[str, Any]) -> str:
    if event["cards"]:
        return f"cards {_join(event['cards'])}"
    return "one card" if event["count"] == 1 else f"{event['count']} cards"


def _card(card: int | None) -> str:
    return "no card" if card is None else f"card {card}"


def _groups(event: Mapping[str, Any]) -> str:
    return " ".join(f"Group {group['group']}: {_join(group['cards'])}." for group in event["groups"])
