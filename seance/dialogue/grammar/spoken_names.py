"""What psychics, levels, editions and cards are called, from voices/<language>/ and the owner's file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hassil import parse_sentence
from hassil.intents import SlotList, TextSlotList

from seance.dialogue.grammar.template_graph import Fold, words_of
from seance.edition_texts import load_edition_texts
from seance.languages import load_language, read_language_file
from seance.rules import EDITIONS, Edition, Psychic
from seance.text_files import BadTextFile, at_line, line_of, parse_toml, read_text, shorten

COLOURS = tuple(psychic.value for psychic in Psychic)

OR = "|"
"""Stands between levels of different editions that are called alike."""

_FORM_KEYS = ("colours", "names", "titles")


class BadNames(BadTextFile):
    """A file of names has something unusable; the message names the file, the line and the key."""


@dataclass(frozen=True, slots=True)
class Names:
    """What everything is called in one language."""

    psychics: Mapping[str, tuple[str, ...]]
    """Every way to call the psychic of a colour: by colour, by name, by title."""
    levels: Mapping[str, tuple[str, ...]]
    editions: Mapping[str, tuple[str, ...]]
    cards: Mapping[str, int]
    """The owner's own names for cards, and their numbers."""
    sounds: Mapping[str, tuple[str, ...]]
    """Words, folded, that the recogniser does not know, and what it hears in their place."""

    @classmethod
    def load(
        cls,
        language: str,
        owners: Path | None = None,
        *,
        fold: Fold | None = None,
        editions: Mapping[str, Edition] = EDITIONS,
    ) -> Names:
        """Return the names of *language*, with the *owners* file over ours."""
        fold = fold or load_language(language).make_fold()
        ours = read_language_file(language, "names.toml", BadNames)
        tables = _edition_names(language, editions)
        levels, names = tuple(tables["levels"]), tuple(tables["editions"])
        allowed = _ALLOWED | {"levels": levels, "editions": names}
        tables |= _read(ours.text, ours.source, allowed)
        if owners is not None:
            for key, table in _read(read_text(owners, BadNames), str(owners), allowed).items():
                tables[key] = {**tables.get(key, {}), **table}
        return cls(
            psychics={c: _forms(tables, f"psychics.{c}", _FORM_KEYS) for c in COLOURS},
            levels={level: _forms(tables, "levels", (level,)) for level in levels},
            editions={edition: _forms(tables, "editions", (edition,)) for edition in names},
            cards=dict(tables.get("cards", {})),
            sounds={fold(word): tuple(alike) for word, alike in tables.get("sounds", {}).items()},
        )

    def lists(self) -> dict[str, SlotList]:
        """Return hassil's slot lists for templates: psychic, level, edition, card_name."""
        called = {"psychic": self.psychics, "edition": self.editions}
        lists: dict[str, SlotList] = {
            name: TextSlotList.from_tuples(((form, key) for key, forms in table.items() for form in forms), name=name)
            for name, table in called.items()
        }
        lists["level"] = TextSlotList.from_tuples(self._levels_by_form().items(), name="level")
        lists["card_name"] = TextSlotList.from_tuples(self.cards.items(), name="card_name")
        return lists

    def _levels_by_form(self) -> dict[str, str]:
        """Return the level for each way to say one; where editions call different levels alike, all of them."""
        levels: dict[str, str] = {}
        for level, forms in self.levels.items():
            for form in forms:
                levels[form] = f"{levels[form]}{OR}{level}" if form in levels else level
        return levels


def _edition_names(language: str, editions: Mapping[str, Edition]) -> dict[str, dict[str, Any]]:
    """Return every way to say each level and each edition, as the tables `levels` and `editions`."""
    texts = load_edition_texts(language, editions)
    levels: dict[str, list[str]] = {}
    for each in texts.values():
        for name, level in each.tables.levels.items():
            levels.setdefault(name, []).extend(level.understood)
    return {"levels": levels, "editions": {name: [*each.tables.called.understood] for name, each in texts.items()}}


def _forms(tables: Mapping[str, Mapping[str, Any]], table: str, keys: tuple[str, ...]) -> tuple[str, ...]:
    forms = (form for key in keys for form in tables.get(table, {}).get(key, ()))
    return tuple(dict.fromkeys(" ".join(words_of(form)) for form in forms))


def _read(text: str, file: str, allowed: Mapping[str, tuple[str, ...]]) -> dict[str, dict[str, Any]]:
    """Return the tables of *text* by their dotted names, such as psychics.red, or raise BadNames."""
    tables: dict[str, dict[str, Any]] = {}
    for name, table in parse_toml(text, file, BadNames).items():
        inner = table if name == "psychics" and isinstance(table, dict) else {"": table}
        for colour, entries in inner.items():
            full = f"{name}.{colour}".rstrip(".")
            if full not in allowed or not isinstance(entries, dict):
                known = ", ".join(f"[{table}]" for table in allowed)
                where = at_line(file, line_of(text, full.split(".")))
                raise BadNames(f"{where}: {shorten(full)} is not one of {known}")
            tables[full] = entries
            for key, complaint in _complaints(full, entries, allowed[full]):
                where = at_line(file, line_of(text, [*full.split("."), key]))
                raise BadNames(f"{where}: {shorten(f'{full}.{key}')} {complaint}")
    return tables


def _complaints(table: str, entries: Mapping[str, Any], keys: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield each key of *entries* that cannot be used, and why; any of *keys* can be, all where there are none."""
    for key, value in entries.items():
        if keys and key not in keys:
            yield key, f"is unknown here: use {', '.join(keys)}"
        elif table == "cards":
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                yield key, f"must be the number of a card, not {shorten(repr(value))}"
            elif not words_of(key):
                yield key, "has no word in it"
            elif not _is_template(key):
                yield key, 'must be words such as "the cook", without signs and open brackets'
        elif not isinstance(value, list) or not all(isinstance(v, str) and words_of(v) for v in value):
            yield key, f'must be a list of texts such as ["one", "another"], not {shorten(repr(value))}'


def _is_template(name: str) -> bool:
    """Return whether hassil can read *name* by itself, without rules, lists and permutations."""
    try:
        parse_sentence(name)
    except Exception:  # hassil raises nearly anything
        return False
    return not set(name) & set("<>{};")


_ALLOWED: dict[str, tuple[str, ...]] = {
    **{f"psychics.{colour}": _FORM_KEYS for colour in COLOURS},
    "levels": (),
    "editions": (),
    "cards": (),
    "sounds": (),
}
"""The tables of a file of names, and the keys of each; any keys where there are none."""
