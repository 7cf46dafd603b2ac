"""The texts of the terminal, in the words of each edition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from seance.edition_texts import EditionTexts, load_edition_texts
from seance.rules import EDITIONS, Edition
from seance.texts import Texts


@dataclass(frozen=True, slots=True)
class TerminalTexts:
    """The texts of the file `terminal` in one language."""

    general: Texts
    """Where no edition is played."""
    by_edition: Mapping[str, Texts]
    editions: Mapping[str, EditionTexts]

    @classmethod
    def load(cls, language: str, editions: Mapping[str, Edition] = EDITIONS) -> TerminalTexts:
        """Return the texts of *language* in the words of each of *editions*, or raise BadTextFile."""
        general, own = Texts.load("terminal", language), load_edition_texts(language, editions)
        return cls(general, {name: _changed(general, each) for name, each in own.items()}, own)

    def of(self, edition: str | None) -> Texts:
        """Return the texts in the words of *edition*; the general ones where there is none of that name."""
        return self.by_edition.get(edition or "", self.general)

    def title(self, edition: str) -> str:
        """Return what *edition* is called."""
        return self.editions[edition].tables.called.written if edition in self.editions else edition

    def turn(self, edition: str, hour: int) -> str:
        """Return what the turn *hour* of *edition* is called."""
        turns = self.editions[edition].tables.turns.written if edition in self.editions else ()
        return turns[hour - 1] if hour <= len(turns) else str(hour)


def _changed(general: Texts, own: EditionTexts) -> Texts:
    return general.with_changes(own.tables.terminal, lambda key, problem: own.error(f"terminal.{key}", problem))
