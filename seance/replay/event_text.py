"""Events of the wire described for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from seance.texts import Texts


@dataclass(frozen=True, slots=True, kw_only=True)
class EventText:
    """Describes events in one language."""

    texts: Texts
    """Of the file `replay`."""
    colours: Mapping[str, str]
    """What a psychic is called."""
    edition: str
    """What the edition is called."""
    levels: Mapping[str, str]
    """What a level is called."""
    turns: Sequence[str]
    """What each turn is called."""
    shared_cards: int
    """Cards of the shared vision."""

    def describe(self, event: Mapping[str, Any]) -> str:
        """Return a sentence about *event* of the wire; that on an event for the ghost alone is in brackets."""
        name, texts = event["event"], self.texts
        if (secret := f"secrets.{name}") in texts.forms:
            return texts(secret, cards=_join(event.get("cards", ())), group=event.get("group"))
        values = self._values(event)
        match name:
            case "vision_given" if event["cards"]:
                line = texts("events.vision_given_cards", **values)
            case "vision_given":
                line = texts.count("events.vision_given", event["count"], **values)
            case "sand_turned":
                line = texts.count("events.sand_turned", event["seconds"])
            case "bet_placed":
                line = texts(f"events.bet_placed_{'agrees' if event['agrees'] else 'disagrees'}", **values)
            case "taken_back":
                line = texts(f"events.taken_back_{event['what']}", **values)
            case "intuition_answered" if event["card"] is None:
                line = texts("events.intuition_answered_none", **values)
            case "intuition_answered":
                line = texts(f"events.intuition_answered_{'yes' if event['correct'] else 'no'}", **values)
            case "answer_corrected":
                line = texts(f"events.answer_corrected_{'yes' if event['correct'] else 'no'}", **values)
            case "clairvoyancy_moved" | "clairvoyancy_taken_back":
                line = texts.count(f"events.{name}", event["spaces"], **values)
            case "night_ended":
                line = texts(f"events.night_ended_{'won' if event['won'] else 'lost'}", **values)
            case _:
                line = texts(f"events.{name}", **values)
        return line[:1].upper() + line[1:]

    def turn(self, hour: int) -> str:
        """Return what the turn *hour* is called; a night of another version may have more turns."""
        return self.turns[hour - 1] if hour <= len(self.turns) else str(hour)

    def _values(self, event: Mapping[str, Any]) -> dict[str, Any]:
        """Return what fills the holes: the fields of *event*, those for people and rules in words."""
        values = {**event, "of": self.shared_cards}
        for field in ("psychic", "by", "on"):
            if field in event:
                values[field] = self.colours[event[field]]
        if "psychics" in event:
            values["psychics"] = _join(self.colours[psychic] for psychic in event["psychics"])
        if "edition" in event:
            values["edition"] = self.edition
        if "hour" in event:
            values["turn"] = self.turn(event["hour"])
        if "level" in event:
            values |= {"level": self.levels.get(event["level"], event["level"])}
            values |= {"players": self.texts.count("players.count", event["players"])}
        if "table" in event:
            values |= {f"{kind}s": _join(cards) for kind, cards in event["table"].items()}
        if "groups" in event:
            values["groups"] = " ".join(
                self.texts("events.group", group=group["group"], cards=_join(group["cards"]))
                for group in event["groups"]
            )
        if "votes" in event:
            values["votes"] = self.texts("events.vote_separator").join(
                self.texts("events.vote", by=self.colours[vote["by"]], group=vote["group"]) for vote in event["votes"]
            )
        if "reason" in event:
            values["reason"] = self.texts(f"reasons.{event['reason']}")
        if "cards" in event:
            values["cards"] = _join(event["cards"] or ())
        return values


def _join(values: Iterable[object]) -> str:
    return ", ".join(str(value) for value in values)
