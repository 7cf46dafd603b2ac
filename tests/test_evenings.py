"""Whole nights, written down so that a person can read them, and replayed line by line.

A line of an evening is something that is done, or several things with `;` between, or what follows from it:

    > intuition_answered red 12 right     news, all of it, in order: the event and what it holds
    ! NoTokensLeft                        what was asked is refused
    room: hour 2; red searching location  what the room sees; `ghost:` what the ghost sees
    # a remark
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from seance.engine import Engine
from seance.rules import COMMANDS, wire_name

EVENINGS = sorted((Path(__file__).parent / "evenings").glob("*.evening"))

SENTENCES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("a night of {edition} for {players} at {level}, seed {seed}", "begin", {}),
    ("a night of {edition} for {players} at {level}, seed {seed}, played by {psychics}", "begin", {}),
    ("{psychic} receives {count} visions?", "give_vision", {}),
    ("{psychic} receives the visions? {cards}", "give_vision", {}),
    ("the crow takes {count} cards?", "use_crow", {}),
    ("the crow takes the cards? {cards}", "use_crow", {}),
    ("the crow takes the whole hand", "use_crow", {}),
    ("the ghost turns the sand", "turn_sand", {}),
    ("{psychic} chooses {card}", "place_intuition", {}),
    ("{by} agrees with {on}", "bet", {"agrees": True}),
    ("{by} doubts {on}", "bet", {"agrees": False}),
    ("{by} takes the token off {on}", "withdraw_bet", {}),
    ("{psychic} takes that back", "take_back", {}),
    ("the time is over", "call_time", {}),
    ("everybody has chosen", "call_time", {"early": True}),
    ("the ghost answers {psychic}", "manifest", {}),
    ("the ghost answers {psychic} with one knock", "manifest", {"correct": True}),
    ("the ghost answers {psychic} with two knocks", "manifest", {"correct": False}),
    ("the ghost corrects the answer to {psychic}", "correct_answer", {}),
    ("the groups are numbered {order}", "number_groups", {}),
    ("the ghost marks group {group}", "choose_culprit", {}),
    ("the ghost lays the shared vision", "lay_shared_vision", {}),
    ("the ghost lays the shared vision {cards}", "lay_shared_vision", {}),
    ("the next shared card is turned", "turn_shared_vision", {}),
    ("the poll is closed", "close_poll", {}),
    ("{by} votes for group {group}", "vote", {}),
    ("{psychic} is the eldest", "name_eldest", {}),
    ("{by} points at group {group}", "point_at", {}),
    ("the table accuses", "accuse", {}),
    ("the table accuses {character}, {location} and {object}", "accuse", {}),
    ("the ghost makes a sound", "break_silence", {}),
    ("the table gives up", "abandon", {}),
)
CHOICES: dict[str, dict[str, Any]] = {
    "dealt by hand": {"deal": "hand"},
    "with dealt visions": {"visions": "dealt"},
    "as a full investigation": {"variant": "full_investigation"},
}
"""What may follow, after a comma, on the line that begins a night."""
LISTS = {"cards", "order", "psychics"}
FIELD = re.compile(r"\{(\w+)\}")

NEWS = {
    "level_warned", "intuition_answered", "answer_corrected", "clairvoyancy_moved", "tokens_returned", "hour_struck",
    "lineup_formed", "shared_vision_turned", "reader_named", "votes_read", "eldest_needed", "accused",
    "culprit_revealed", "set_removed", "night_ended",
}  # fmt: skip
"""What happens beside what was asked for: an evening tells all of it."""
WORDS = {"correct": ("wrong", "right"), "won": ("lost", "won")}
"""How an evening tells what is true or not."""


def understood(sentence: str) -> dict[str, Any]:
    """Return the line on the wire that *sentence* means."""
    choices: dict[str, Any] = {}
    while (words := sentence.rpartition(", "))[2] in CHOICES:
        sentence, choices = words[0], choices | CHOICES[words[2]]
    for template, command, given in SENTENCES:
        holes = FIELD.sub(lambda hole: f"(?P<{hole[1]}>.+)" if hole[1] in LISTS else f"(?P<{hole[1]}>\\w+)", template)
        if heard := re.fullmatch(holes, sentence):
            fields = {name: _value(name, said) for name, said in heard.groupdict().items()}
            return {"command": command, **fields, **given, **choices}
    raise ValueError(f"no sentence is like {sentence!r}")


def _value(name: str, said: str) -> Any:
    if name in LISTS:
        return [_value("", item) for item in re.split(r", | and ", said)]
    return int(said) if said.isdigit() else said


def told(value: Any, name: str = "") -> str:
    """Return *value* as an evening tells it."""
    if isinstance(value, dict):
        return " ".join(told(inner, name) for name, inner in value.items())
    if isinstance(value, list):
        return (", " if value and isinstance(value[0], dict) else " ").join(map(told, value)) or "nothing"
    if isinstance(value, bool):
        return WORDS.get(name, ("no", "yes"))[value]
    return "none" if value is None else str(value)


def news(event: dict[str, Any]) -> str:
    """Return *event* as an evening tells it; what it ends with is left out where there is nothing."""
    *rest, (_, last) = event.items()
    return told(dict(rest) if last is None else event)


class Reading:
    """Plays an evening line by line, and remembers what has not been told yet."""

    def __init__(self) -> None:
        self.engine = Engine()
        self.news: list[str] = []
        self.refused = ""

    def ask(self, line: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.engine.answer(json.dumps(line).encode()))
        return answer

    def do(self, sentence: str) -> None:
        assert not self.refused
        answer = self.ask(understood(sentence))
        self.refused = answer.get("refusal", "")
        self.news += [news(event) for event in answer.get("events", ()) if event["event"] in NEWS]

    def see(self, seat: str, sight: str) -> None:
        seen, words = self.ask({"view": seat})["view"], sight.split()
        seen |= {psychic["colour"]: psychic for psychic in seen["psychics"]}
        while isinstance(seen, dict) and words and words[0] in seen:
            seen = seen[words.pop(0)]
        assert told(seen) == " ".join(words)

    def read(self, line: str) -> None:
        """Play one line, or compare it with what has happened."""
        if line.startswith(">"):
            assert [line[1:].strip()] == self.news[:1]
            self.news.pop(0)
        elif line.startswith("!"):
            assert line[1:].strip() == self.refused
            self.refused = ""
        else:
            assert (self.news, self.refused) == ([], "")
            seat, colon, sights = line.partition(":")
            for each in (sights if colon else line).split("; "):
                if colon:
                    self.see(seat, each)
                else:
                    self.do(each)


def lines(evening: Path) -> Iterator[tuple[int, str]]:
    """Yield the number and the words of each line of *evening* that says something."""
    for number, line in enumerate(evening.read_text(encoding="utf-8").splitlines(), start=1):
        if words := line.partition("#")[0].strip():
            yield number, words


@pytest.mark.parametrize("evening", EVENINGS, ids=[evening.stem for evening in EVENINGS])
def test_an_evening_goes_as_it_is_written(evening: Path) -> None:
    reading = Reading()
    for number, line in lines(evening):
        try:
            reading.read(line)
        except AssertionError as difference:
            difference.add_note(f"{evening.name}, line {number}: {line}\nuntold: {reading.news} {reading.refused}")
            raise
    assert (reading.news, reading.refused) == ([], "")
    assert reading.ask({"legal": "room"})["legal"] == ["begin"]


def test_the_evenings_together_ask_for_everything_there_is() -> None:
    sentences = (
        sentence for evening in EVENINGS for _, line in lines(evening) if line[0] not in ">!" and ":" not in line
        for sentence in line.split("; ")
    )  # fmt: skip
    assert {understood(sentence)["command"] for sentence in sentences} == {wire_name(kind) for kind in COMMANDS}
