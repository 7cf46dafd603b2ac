"""The script of a language: choosing among the variants of a line, and filling it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from seance.narration.inflection import Inflection, LineValue
from seance.narration.lore import Lore, LorePart, Tone
from seance.narration.owners_lines import lore_key, read_script
from seance.narration.script_file import BadScript
from seance.rules import EDITIONS, Edition, Psychic

__all__ = ["ONCE", "BadScript", "LineValue", "Memory", "Script", "Tone"]

ONCE = "(once) "
"""What stands before a variant that is said once a night."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Which lines were said, so that no variant is said twice in a row and the same seed chooses the same lines."""

    seed: int = 0
    """Decides which variants are chosen."""
    told: Mapping[str, tuple[int, int]] = field(default_factory=dict, hash=False)
    """By key: the variant that was said last, and how often any was said."""

    def times(self, key: str) -> int:
        """Return how often *key* was said."""
        return self.told.get(key, (0, 0))[1]

    def remember(self, key: str, variant: int) -> "Memory":
        """Return the memory after *variant* of *key* was said."""
        return Memory(self.seed, {**self.told, key: (variant, self.times(key) + 1)})


@dataclass(frozen=True, slots=True)
class Script:
    """All lines of one language."""

    language: str
    inflection: Inflection
    lines: Mapping[str, tuple[str, ...]]
    """The variants of each line, by key."""
    lores: Mapping[str, Lore]
    """The story of each edition."""
    once: Mapping[str, frozenset[int]] = field(default_factory=dict, hash=False)
    """The variants of a line that are said once a night, such as jokes, by key."""

    @classmethod
    def load(
        cls,
        language: str,
        owners: Path | None = None,
        *,
        names: Mapping[Psychic, str] | None = None,
        cards: Mapping[str, int] | None = None,
        editions: Mapping[str, Edition] = EDITIONS,
        lore: str | None = None,
        tone: Tone = Tone.USUAL,
    ) -> "Script":
        """Return the script of *language*, with the lines of the *owners* file and the owner's *names* and *cards*.

        Every edition has its own story, or that of *lore*, told in that *tone*.
        """
        parts = read_script(language, owners, editions, lore=lore, tone=tone)
        numbered = {number: name for name, number in (cards or {}).items()}
        lines = {key: tuple(each.removeprefix(ONCE) for each in variants) for key, variants in parts.lines.items()}
        once = {
            key: frozenset(at for at, each in enumerate(variants) if each.startswith(ONCE))
            for key, variants in parts.lines.items()
        }
        return cls(language, parts.inflection.with_names(names or {}, numbered), lines, parts.lores, once)

    def has(self, key: str, edition: str | None = None) -> bool:
        """Return whether there is a line for *key*."""
        return self.key(key, edition) in self.lines

    def key(self, key: str, edition: str | None = None, *, brisk: bool = False) -> str:
        """Return *key*, or the key of the line that *edition*, its lore or a brisk pace has in its place."""
        own = [f"{prefix}.{key}" for prefix in self.inflection.edition_words(edition).prefixes]
        there = [f"brisk.{each}" for each in (*own, key) if brisk] + [*own, key, lore_key(key, self._edition(edition))]
        return next((each for each in there if each in self.lines), key)

    def _edition(self, edition: str | None) -> str:
        """Return *edition*, or the first one where none is played."""
        return edition if edition is not None and edition in self.lores else next(iter(self.lores))

    def choose(self, key: str, memory: Memory) -> tuple[str, Memory]:
        """Return a variant of *key*, unfilled, and the memory after it.

        All are said before one is said again, in an order that stays, so that they come back as late as possible; those
        that are marked with ONCE do not come back.
        """
        variants, times = self.lines[key], memory.times(key)
        order = _shuffled(len(variants), f"{memory.seed}/{key}")
        again = tuple(each for each in order if each not in self.once.get(key, ())) or order
        variant = order[times] if times < len(order) else again[(times - len(order)) % len(again)]
        return variants[variant], memory.remember(key, variant)

    def say(
        self, key: str, memory: Memory, edition: str | None = None, /, *, brisk: bool = False, **values: LineValue
    ) -> tuple[str, Memory]:
        """Return a filled line for *key*, and the memory after it."""
        line, memory = self.choose(self.key(key, edition, brisk=brisk), memory)
        return self.fill(line, edition, **values), memory

    def opening(self, edition: str | None = None) -> tuple[LorePart, ...]:
        """Return the parts of the long opening of *edition*, unfilled."""
        return self.lores[self._edition(edition)].opening

    def tale(self, name: str, edition: str | None = None) -> tuple[str, ...]:
        """Return the pieces of a tale of *edition* in order, unfilled; none where it has no such tale."""
        return self.lores[self._edition(edition)].tales.get(name, ())

    def next_of(self, tale: str, memory: Memory, edition: str | None = None) -> tuple[str | None, Memory]:
        """Return the next piece of *tale*, or None when all was told, and the memory after it."""
        key = lore_key(tale, self._edition(edition))
        pieces, place = self.tale(tale, edition), memory.times(key)
        if place >= len(pieces):
            return None, memory
        return self.fill(pieces[place], edition), memory.remember(key, place)

    def fill(self, line: str, edition: str | None = None, /, **values: LineValue) -> str:
        """Return *line* with its holes filled, in the words of *edition*."""
        return self.inflection.fill(line, self.inflection.edition_words(edition), values)

    @property
    def examples(self) -> tuple[str, ...]:
        """The intents that have an example, the most useful first."""
        return tuple(key.removeprefix("example.") for key in self.lines if key.startswith("example."))

    def example(self, intent: str, edition: str | None = None, /, **values: LineValue) -> str:
        """Return what somebody can say for *intent*, to stand in the middle of a sentence."""
        return self.first_phrase(f"example.{intent}", edition, **values)

    def first_phrase(self, key: str, edition: str | None = None, /, **values: LineValue) -> str:
        """Return the first variant of *key*, filled, to stand in the middle of a sentence."""
        return self.phrase(self.lines[self.key(key, edition)][0], edition, **values)

    def phrase(self, line: str, edition: str | None = None, /, **values: LineValue) -> str:
        """Return *line* with its holes filled, to stand in the middle of a sentence."""
        return self.inflection.phrase(line, self.inflection.edition_words(edition), values)

    def called(self, what: str, name: str, edition: str | None = None) -> str:
        """Return what a level, an edition or a mark is called; *what* is `levels`, `editions` or `marks`."""
        if what == "levels" and edition is not None:
            return self.inflection.edition_words(edition).levels.get(name, name)
        return self.inflection.called[what].get(name, name)


def _shuffled(count: int, seed: str) -> tuple[int, ...]:
    """Return the numbers below *count* in an order that *seed* decides."""
    return tuple(sorted(range(count), key=lambda each: blake2b(f"{seed}/{each}".encode()).digest()))
