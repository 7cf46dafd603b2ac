"""The lines of a language: choosing one and filling it; not when it is said."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from zlib import crc32

from seance.narration.inflection import Grammar, Value
from seance.narration.owners_lines import read_script
from seance.narration.script_file import BadScript
from seance.rules import Psychic

__all__ = ["BadScript", "Memory", "Script", "Value"]


@dataclass(frozen=True, slots=True)
class Memory:
    """Which lines were said: enough never to say the same twice in a row, and to say a night again alike."""

    seed: int = 0
    """Chooses other variants for another night."""
    told: Mapping[str, tuple[int, int]] = field(default_factory=dict, hash=False)
    """By key: the variant that was said last, and how often the key was."""

    def times(self, key: str) -> int:
        """Return how often *key* was said."""
        return self.told.get(key, (0, 0))[1]

    def having_told(self, key: str, variant: int) -> "Memory":
        """Return the memory after *variant* of *key* was said."""
        return Memory(self.seed, {**self.told, key: (variant, self.times(key) + 1)})


@dataclass(frozen=True, slots=True)
class Script:
    """All that is ever said in one language."""

    language: str
    grammar: Grammar
    lines: Mapping[str, tuple[str, ...]]
    """Variants, by key."""
    tales: Mapping[str, tuple[str, ...]]
    """What is told in order, by key."""

    @classmethod
    def load(
        cls,
        language: str,
        owners: Path | None = None,
        *,
        names: Mapping[Psychic, str] | None = None,
        cards: Mapping[str, int] | None = None,
    ) -> "Script":
        """Return the script of *language* with the *owners* file over it; psychics and cards by the owner's names."""
        grammar, lines, tales = read_script(language, owners)
        numbered = {number: name for name, number in (cards or {}).items()}
        return cls(language, grammar.calling(names or {}, numbered), lines, tales)

    def has(self, key: str, edition: str | None = None) -> bool:
        """Tell whether there is a line for *key*."""
        return self.key(key, edition) in self.lines

    def key(self, key: str, edition: str | None = None, *, brisk: bool = False) -> str:
        """Return where the line stands that is said for *key*: some editions, and a brisk pace, have their own."""
        own = f"{self.grammar.set_of(edition)}.{key}"
        there = [k for k in (f"brisk.{own}", f"brisk.{key}") if brisk] + [own]
        return next((k for k in there if k in self.lines), key)

    def choose(self, key: str, memory: Memory) -> tuple[str, Memory]:
        """Return a variant of *key* that was not the last one said, not filled yet."""
        variants = self.lines[key]
        last, times = memory.told.get(key, (0, 0))
        chance = crc32(f"{memory.seed}/{key}/{times}".encode())
        if times and len(variants) > 1:
            variant = (last + 1 + chance % (len(variants) - 1)) % len(variants)
        else:
            variant = chance % len(variants)
        return variants[variant], memory.having_told(key, variant)

    def say(
        self, key: str, memory: Memory, edition: str | None = None, /, *, brisk: bool = False, **values: Value
    ) -> tuple[str, Memory]:
        """Return a line for *key*, filled, and what to remember of it."""
        line, memory = self.choose(self.key(key, edition, brisk=brisk), memory)
        return self.fill(line, edition, **values), memory

    def next_of(self, tale: str, memory: Memory, edition: str | None = None) -> tuple[str | None, Memory]:
        """Return the next piece of *tale*, or None when all is told."""
        key, place = f"tales.{tale}", memory.times(f"tales.{tale}")
        pieces = self.tales[tale]
        if place >= len(pieces):
            return None, memory
        return self.fill(pieces[place], edition), memory.having_told(key, place)

    def fill(self, line: str, edition: str | None = None, /, **values: Value) -> str:
        """Return *line* with its holes filled, in the words of *edition*."""
        return self.grammar.fill(line, self.grammar.words_of(edition), values)

    def fixed(self) -> Iterator[str]:
        """Yield every line that is always said in the same words: these can be made before they are needed."""
        for line in (line for lines in (*self.lines.values(), *self.tales.values()) for line in lines):
            if "{" not in line:
                yield self.fill(line)

    @property
    def examples(self) -> tuple[str, ...]:
        """The intents for which there is an example, the most useful first."""
        return tuple(key.removeprefix("example.") for key in self.lines if key.startswith("example."))

    def example(self, intent: str, edition: str | None = None, /, **values: Value) -> str:
        """Return a sentence that can be said for *intent*, to stand in the middle of another."""
        line = self.lines[f"example.{intent}"][0]
        return self.grammar.phrase(line, self.grammar.words_of(edition), values)

    def called(self, what: str, name: str) -> str:
        """Return how a level or an edition is called; *what* is levels or editions."""
        return self.grammar.called[what].get(name, name)
