"""What is next in words: the line of its action, and the sentences that can be said."""

from typing import NamedTuple

from seance.dialogue.next_step import Intent, NextStep
from seance.narration.inflection import LineValue
from seance.narration.script import Script
from seance.rules import Category, Psychic

MAX_NAMED = 4
"""Where more psychics play, a sentence names who does not."""


class LineToSay(NamedTuple):
    """The key of a line, and the values for its holes."""

    key: str
    values: dict[str, LineValue]


def next_lines(step: NextStep, script: Script, edition: str | None) -> list[LineToSay]:
    """Return the lines that say *step*: what is to be done, and with which sentence where one does it."""
    lines = [LineToSay(step.key, {"psychics": step.psychics, "number": step.group or 1})]
    if step.say:
        examples = tuple(sentence_for(intent, script, edition) for intent in step.say)
        lines.append(LineToSay(f"next_say.{'instance' if step.is_example else 'exact'}", {"examples": examples}))
    return lines


def next_text(step: NextStep, script: Script, edition: str | None) -> str:
    """Return *step* as a text that stays the same as long as the step does."""
    lines = ((script.lines[script.key(line.key, edition)][0], line) for line in next_lines(step, script, edition))
    return " ".join(script.fill(text, edition, **line.values) for text, line in lines)


def sentence_for(intent: Intent, script: Script, edition: str | None) -> str:
    """Return a sentence that means *intent*, to stand in the middle of another."""
    values = _values(intent, script)
    match intent.name:
        case "answer":
            return script.phrase("{value}", edition, value=next(iter(values.values())))
        case "draw_row":
            return script.phrase("{cards}", edition, **values)
        case "answer_story":
            return script.first_phrase(f"phrase.story_{intent.slots['story']}", edition)
        case "setup" if "psychics" in values:
            return _who_plays(values["psychics"], script, edition)
        case "setup":
            return script.first_phrase("phrase.players", edition, **values)
        case "accuse" if "cards" in values:
            return script.first_phrase("phrase.accuse_cards", edition, **values)
    return script.example(intent.name, edition, **values)


def _values(intent: Intent, script: Script) -> dict[str, LineValue]:
    """Return the slots of *intent* as values for the holes of its example."""
    slots = intent.slots
    values: dict[str, LineValue] = {}
    for name, value in slots.items():
        hole = _HOLES.get(name, name)
        if name in ("psychic", "by", "on"):
            values[hole] = Psychic(str(value))
        elif isinstance(value, tuple) and name == "row":
            values[hole] = tuple(int(card) for card in value)
        elif isinstance(value, tuple):
            values[hole] = tuple(Psychic(str(each)) for each in value)
        elif name in ("level", "edition"):
            values[hole] = script.called(f"{name}s", str(value))
        elif isinstance(value, int | str):
            values[hole] = value
    if "character" in slots:
        values["cards"] = tuple(values[str(kind)] for kind in Category)
    return values


_HOLES = {"by": "psychic", "on": "other", "group": "number", "order": "psychics", "row": "cards"}
"""Slots whose hole has another name."""


def _who_plays(playing: LineValue, script: Script, edition: str | None) -> str:
    psychics = playing if isinstance(playing, tuple) else (playing,)
    if len(psychics) == 1:
        return script.first_phrase("phrase.one_plays", edition, psychic=psychics[0])
    if len(psychics) <= MAX_NAMED:
        return script.first_phrase("phrase.some_play", edition, psychics=psychics)
    absent = tuple(psychic for psychic in Psychic if psychic not in psychics)
    return script.first_phrase("phrase.all_but", edition, psychics=absent)
