"""Sentences that guests say for commands, from voices/<language>/guests.toml."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any

from seance.dialogue.ballots import majority_group
from seance.dialogue.grammar.spoken_names import Names
from seance.dialogue.opening import Opening
from seance.languages import read_language_file
from seance.rules import EDITIONS, Command, Deal, Psychic, RoomView, wire_name
from seance.rules import commands as c
from seance.text_files import parse_toml

_STORY_KEYS = {Opening.LONG: "story", Opening.SHORT: "short_story", Opening.SKIPPED: "no_story"}


class NotSpoken(ValueError):
    """The command is never said aloud: it is the ghost's, or the clock's."""


def phrase_command(command: Command, language: str, variation: int = 0, *, room: RoomView | None = None) -> str:
    """Return a sentence for *command*, or raise NotSpoken.

    An accusation names the group with the majority of the balls in *room*. "Undo that" names nobody: it
    stands for *command* only if its psychic did the last thing.
    """
    if isinstance(command, c.Begin):
        return phrase_setup(command, language)
    lines, slots = _lines(language).get(_key(command)), _slots(command, language)
    if lines is None:
        raise NotSpoken(f"{wire_name(type(command))} is not said aloud")
    if isinstance(command, c.Accuse) and command.character is None:
        group = majority_group(room, EDITIONS[room.edition]) if room is not None else None
        if group is None:
            raise NotSpoken("accuse names the group with the majority, and no group has it")
        slots["group"] = group
    return _varied(lines, variation).format_map(slots)


def phrase_word(word: str, language: str, variation: int = 0) -> str:
    """Return a sentence for `yes`, `no`, `begin` or `ready`."""
    return _varied(_lines(language)[word], variation)


def phrase_setup(night: c.Begin, language: str, *, story: Opening = Opening.SKIPPED) -> str:
    """Return one sentence that sets up all of *night*.

    Where five psychics play, the sentence names who does not: they must sit in the order of Psychic.
    """
    words, names = _lines(language)["setup"], _names(language)
    parts = [
        words["players"].format(players=night.players),
        words["level"].format(level=names.levels[night.level][0]),
        words["edition"].format(edition=names.editions[night.edition.name][0]),
        _psychics(night.psychics or (), language),
        words[_STORY_KEYS[story]],
        words["full_investigation"] if night.variant else "",
        words["by_hand"] if night.deal is Deal.HAND else "",
    ]
    return ", ".join(part for part in parts if part)


def _psychics(playing: Sequence[Psychic], language: str) -> str:
    """Return the words for who plays: nothing where all do, and who does not play where that is shorter."""
    words, colours = _lines(language)["setup"], _names(language).psychics
    if len(playing) in (0, len(Psychic)):
        return ""
    if len(playing) > 4:
        absent = [colours[psychic][0] for psychic in Psychic if psychic not in playing]
        return str(words["all_but"].format(psychics=f" {words['and']} ".join(absent)))
    *others, last = (colours[psychic][0] for psychic in playing)
    return str(words["psychics"].format(psychics=f"{', '.join(others)} {words['and']} {last}"))


def _key(command: Command) -> str:
    match command:
        case c.Bet():
            return "agree" if command.agrees else "disagree"
        case c.GiveVision():
            return "vision_cards" if command.cards else "give_vision" if command.count == 1 else "give_visions"
        case c.CallTime() if not command.early:
            return "time"
        case c.Accuse() if command.character is not None:
            return "accuse_cards"
        case c.ClosePoll():
            return "turn_shared_vision"  # "we have voted": the phase tells which is meant
    return wire_name(type(command))


def _slots(command: Command, language: str) -> dict[str, Any]:
    """Return the fields of *command*, with psychics by the first of their names."""
    colours = _names(language).psychics
    fields = asdict(command)
    if isinstance(command, c.NumberGroups):
        fields["order"] = ", ".join(colours[psychic][0] for psychic in command.order)
    return {name: colours[value][0] if isinstance(value, Psychic) else value for name, value in fields.items()}


def _varied(lines: Sequence[str], variation: int) -> str:
    return lines[variation % len(lines)]


@cache
def _lines(language: str) -> Mapping[str, Any]:
    file = read_language_file(language, "guests.toml")
    return parse_toml(file.text, file.source)


@cache
def _names(language: str) -> Names:
    return Names.load(language)
