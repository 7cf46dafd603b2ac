"""The texts on the pages, in the words of each edition."""

from collections.abc import Mapping
from dataclasses import dataclass

Texts = Mapping[str, str]
"""Texts by key."""


@dataclass(frozen=True, slots=True)
class PageWords:
    """The texts of all editions in one language."""

    editions: Mapping[str, Texts]
    """All texts, by edition."""

    def of(self, edition: str) -> Texts:
        """Return the texts of *edition*, or of the first one if there is none of that name."""
        return self.editions.get(edition) or next(iter(self.editions.values()))
