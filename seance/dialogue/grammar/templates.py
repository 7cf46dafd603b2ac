"""A hassil file woven into templates, with the names of a language; not what is asked of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import yaml
from hassil.errors import HassilError
from hassil.intents import Intents
from hassil.parser import ParseError

from seance.dialogue.grammar.names import COLOURS, Names
from seance.dialogue.grammar.template_graph import BadSentences, Node, Tag, Value, Weaver, words_of

Slot = Value | tuple[str, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Template:
    """One sentence of the file, with everything that it may vary."""

    intent: str
    slots: Mapping[str, Slot]
    """What it always means, whatever the words."""
    unless: str | None
    """The intent that takes these words for itself where it is expected."""
    lists: frozenset[str]
    """The lists that it takes values from."""
    start: Node

    def filled(self, tags: Iterable[Tag]) -> dict[str, Slot]:
        """Return all slots, with those that its words filled; several psychics become one tuple."""
        slots: dict[str, Slot] = dict(self.slots)
        gathered: dict[str, list[str]] = {"psychics": [], "but": [], "order": []}
        for tag in tags:
            if tag.slot in gathered:
                gathered[tag.slot].append(str(tag.value))
            else:
                slots[tag.slot] = tag.value
        if gathered["but"]:
            gathered["psychics"] = [colour for colour in COLOURS if colour not in gathered["but"]]
        slots |= {name: tuple(gathered[name]) for name in ("psychics", "order") if gathered[name]}
        return slots


@dataclass(frozen=True, slots=True)
class Book:
    """All that a hassil file says."""

    templates: tuple[Template, ...]
    fillers: tuple[str, ...]
    """What may be said before, between or after the words of any sentence, and means nothing: `um`."""


def load_book(language: str, names_file: Path | None, sentences_file: Path | None, wake_word: str) -> Book:
    """Return our sentences in *language*, or those of any hassil file; BadSentences names the file."""
    if sentences_file is None:
        where = f"voices/{language}/sentences.yaml"
        text = files("voices").joinpath(language, "sentences.yaml").read_text(encoding="utf-8")
    else:
        where, text = str(sentences_file), sentences_file.read_text(encoding="utf-8")
    names = Names.load(language, names_file)
    try:
        read = yaml.safe_load(text)
        if not isinstance(read, dict) or not isinstance(read.get("intents"), dict):
            raise BadSentences("no intents in it: this is not a hassil file")
        intents = Intents.from_dict({"language": language, **read})
        return Book(tuple(_templates(intents, language, names, wake_word)), tuple(_fillers(intents)))
    except (BadSentences, HassilError, ParseError, yaml.YAMLError, KeyError, TypeError, ValueError) as error:
        raise BadSentences(f"{where}: {error!s}") from error


def _fillers(intents: Intents) -> Iterator[str]:
    for filler in intents.skip_words:
        if not isinstance(filler, str) or not words_of(filler):
            raise BadSentences(f"skip_words: {filler!r} is no word")
        yield " ".join(words_of(filler))


def _templates(intents: Intents, language: str, names: Names, wake_word: str) -> Iterator[Template]:
    lists = {**names.lists(), **intents.slot_lists}
    for intent in intents.intents.values():
        for block in intent.data:
            rules = {**intents.expansion_rules, **block.expansion_rules}
            weaver = Weaver(language, {**lists, **block.slot_lists}, rules, names.sounds)
            for sentence in block.sentences:
                yield Template(
                    intent=intent.name,
                    slots=block.slots,
                    unless=block.excludes_context.get("expected"),
                    lists=frozenset(sentence.list_names(rules)),
                    start=weaver.weave(sentence.expression, wake_word),
                )
