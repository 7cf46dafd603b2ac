"""Loading a hassil file as templates, with the names of a language filled in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from hassil import parse_sentence
from hassil.errors import HassilError
from hassil.intents import Intents, RangeSlotList
from hassil.parser import ParseError

from seance.dialogue.grammar.sentences_file import describe_bad_template, read_sentences
from seance.dialogue.grammar.spoken_names import COLOURS, Names
from seance.dialogue.grammar.template_graph import (
    BadSentences,
    Fold,
    GraphBuilder,
    Node,
    SlotValue,
    Tag,
    WorkLimit,
    words_of,
)
from seance.edition_texts import EditionTexts
from seance.languages import load_language, read_language_file
from seance.text_files import read_text, shorten

ROW = "row"
"""The slot that gathers the cards of a row, from left to right."""
Slot = SlotValue | tuple[str | int, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Template:
    """One sentence template of the file, as a graph of words."""

    intent: str
    slots: Mapping[str, Slot]
    """The slots that are filled whatever the words."""
    unless: str | None
    """The intent that takes these words where it is expected too."""
    lists: frozenset[str]
    """The slot lists that it takes values from."""
    start: Node
    typed_only: bool = False
    """Whether it is understood when typed, and never listened for."""

    def fill_slots(self, tags: Iterable[Tag]) -> dict[str, Slot]:
        """Return the slots that *tags* and the template itself fill; several psychics or cards become one tuple."""
        slots: dict[str, Slot] = dict(self.slots)
        gathered: dict[str, list[str]] = {"psychics": [], "but": [], "order": []}
        row: list[int] = []
        for tag in tags:
            if tag.slot == ROW:
                row.append(int(tag.value))
            elif tag.slot in gathered:
                gathered[tag.slot].append(str(tag.value))
            else:
                slots[tag.slot] = tag.value
        if gathered["but"]:
            gathered["psychics"] = [colour for colour in COLOURS if colour not in gathered["but"]]
        slots |= {name: tuple(gathered[name]) for name in ("psychics", "order") if gathered[name]}
        return slots | ({ROW: tuple(row)} if row else {})


@dataclass(frozen=True, slots=True)
class TemplateSet:
    """The templates and fillers of a hassil file."""

    templates: tuple[Template, ...]
    fillers: tuple[str, ...]
    """Words without meaning that may stand before, between or after those of a sentence, such as `um`."""
    fold: Fold


_HASSIL_ERRORS = (HassilError, ParseError, LookupError, TypeError, ValueError, AttributeError, AssertionError)
"""What hassil raises over a template that it cannot read."""


_CARD_LISTS = ("card", "number", "drawn")
"""The lists in which the number of a card is said."""


@dataclass
class _RangeAndMore(RangeSlotList):
    """A range, and further numbers outside of it."""

    more: tuple[int, ...] = ()

    def get_numbers(self) -> Iterable[float]:
        """Return the numbers of the range, then the others."""
        numbers = tuple(super().get_numbers())
        return (*numbers, *(number for number in self.more if number not in numbers))


def load_templates(
    language: str,
    names: Names,
    sentences_file: Path | None,
    wake_word: str,
    *,
    editions: Iterable[EditionTexts] = (),
    added_cards: Iterable[int] = (),
) -> TemplateSet:
    """Return the templates of *language*, or of another hassil file, each after *wake_word*; or raise BadSentences.

    Our own file understands the words of *editions*, too. The owner's *added_cards* can be called by number.
    """
    if sentences_file is None:
        where, text = read_language_file(language, "sentences.yaml", BadSentences)
    else:
        where, text = str(sentences_file), read_text(sentences_file, BadSentences)
    fold = load_language(language).make_fold()
    read = read_sentences(text, where)
    if sentences_file is None:
        _add_understood(read, editions, where)
    try:
        intents = Intents.from_dict({"language": language, **read})
        for name in _CARD_LISTS:
            if isinstance(numbers := intents.slot_lists.get(name), RangeSlotList):
                known = {field.name: getattr(numbers, field.name) for field in fields(RangeSlotList)}
                intents.slot_lists[name] = _RangeAndMore(**known, more=tuple(sorted(added_cards)))
        templates = tuple(_templates(intents, language, names, wake_word, fold))
        return TemplateSet(templates, tuple(_fillers(intents)), fold)
    except BadSentences as error:
        raise BadSentences(f"{where}: {error}") from error
    except RecursionError:
        raise BadSentences(f"{where}: a rule or a list refers to itself, or is nested too deeply") from None
    except _HASSIL_ERRORS as error:
        problem = describe_bad_template(text, where, read) or f"{where}: {shorten(str(error))}"
        raise BadSentences(problem) from error


def _add_understood(sentences: dict[str, Any], editions: Iterable[EditionTexts], source: str) -> None:
    """Add the words of *editions* to the rules of *sentences*, or raise BadEditionTexts."""
    rules = sentences.get("expansion_rules", {})
    more: dict[str, dict[str, None]] = {}
    for texts in editions:
        for rule, words in texts.tables.understood.items():
            if rule not in rules:
                raise texts.error(f"understood.{rule}", f"is no rule of {source}")
            more.setdefault(rule, {}).update(dict.fromkeys(words))
    for rule, added in more.items():
        rules[rule] = f"({'|'.join((rules[rule], *added))})"


def _fillers(intents: Intents) -> Iterator[str]:
    for filler in intents.skip_words:
        if not isinstance(filler, str) or not words_of(filler):
            raise BadSentences(f"skip_words: {filler!r} is no word")
        yield " ".join(words_of(filler))


def _templates(intents: Intents, language: str, names: Names, wake_word: str, fold: Fold) -> Iterator[Template]:
    lists = {**names.lists(), **intents.slot_lists}
    limit = WorkLimit()
    for intent in intents.intents.values():
        for block in intent.data:
            rules = {**intents.expansion_rules, **block.expansion_rules}
            builder = GraphBuilder(language, {**lists, **block.slot_lists}, rules, fold, names.sounds, limit)
            for text in block.sentence_texts:
                try:
                    sentence = parse_sentence(text)
                    start = builder.build(sentence.expression, wake_word)
                    named = frozenset(sentence.list_names(rules))
                except RecursionError:
                    problem = "a rule or a list refers to itself, or is nested too deeply"
                    raise BadSentences(f"intents.{intent.name}: {shorten(repr(text))}: {problem}") from None
                except _HASSIL_ERRORS as error:
                    raise BadSentences(f"intents.{intent.name}: {shorten(repr(text))}: {error}") from error
                yield Template(
                    intent=intent.name,
                    slots=block.slots,
                    unless=block.excludes_context.get("expected"),
                    lists=named,
                    start=start,
                    typed_only=bool((block.metadata or {}).get("typed_only")),
                )
