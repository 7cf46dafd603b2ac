"""How names, numbers and lists are said in one language; which line they stand in is the script's."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from string import Formatter

from seance.rules import Category, Psychic

FORMS = ("name", "hour", "card", "named", "place", "time", "bare", "a", "the", "many")
"""The forms that a hole may ask for, beside joins, counted things and a|choice by gender."""

SEAM = "\u2038"
"""Stands before a name in the making of a line, so that a language can elide: de + Alma, de + le rêve."""

Value = Psychic | Category | int | str | tuple["Value", ...]
"""What can stand in a hole of a line."""

_SENTENCE = re.compile(r"(?:^|(?<=[.!?]\s))(\W*)(\w)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What a set of editions calls things: hours and visions, or days and dreams."""

    hours: tuple[str, ...]
    """The first hour, the second hour…"""
    plain: Mapping[str, str]
    """Words that any line may use as a hole of its own, such as {a_vision}."""
    counted: Mapping[str, tuple[str, str, str]]
    """None, one and {n} of something."""
    kinds: Mapping[str, Mapping[str, str]]
    """Each kind of card as `bare`, `a`, `the` and `many`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """What a language needs to say a value."""

    numbers: tuple[str, ...]
    """Number words from zero on; what is beyond is said as digits."""
    places: tuple[str, ...]
    """First, second, and so on along a row."""
    joins: Mapping[str, str]
    """The last joint of a list, by the name of it: and, or."""
    comma: str
    card: str
    """How a card without a name is called: card {n}."""
    seams: tuple[tuple[re.Pattern[str], str], ...]
    """What becomes of a word that meets a name."""
    words: Mapping[str, Words]
    editions: Mapping[str, str]
    """Which set of words an edition uses."""
    psychics: Mapping[Psychic, str]
    """How a psychic is called in play: by colour, where the owner has no name for one."""
    names: Mapping[Psychic, str]
    """The whole name, for the portraits."""
    genders: Mapping[Psychic, str]
    """m or f."""
    called: Mapping[str, Mapping[str, str]]
    """Levels and editions, as they are called."""
    cards: Mapping[int, str] = field(default_factory=dict)
    """The owner's names for cards."""

    def words_of(self, edition: str | None) -> Words:
        """Return the words of *edition*; those of the first set before a night."""
        return self.words[self.set_of(edition)]

    def set_of(self, edition: str | None) -> str:
        """Return the name of the set of words that *edition* uses."""
        return self.editions.get(edition or "", next(iter(self.words)))

    def calling(self, psychics: Mapping[Psychic, str], cards: Mapping[int, str]) -> "Grammar":
        """Return the grammar with the owner's names in place of colours and numbers."""
        names = {**self.names, **psychics}
        return replace(self, psychics={**self.psychics, **psychics}, names=names, cards={**self.cards, **cards})

    def fill(self, line: str, words: Words, values: Mapping[str, Value]) -> str:
        """Return *line* with *values*, and words of the edition, in its holes, as whole sentences."""
        return _SENTENCE.sub(lambda first: first[1] + first[2].upper(), self.phrase(line, words, values))

    def phrase(self, line: str, words: Words, values: Mapping[str, Value]) -> str:
        """Return *line*, filled, as it stands in the middle of a sentence."""
        said = []
        for literal, hole, form, _ in Formatter().parse(line):
            said.append(literal)
            if hole is not None:
                plain = hole not in values and hole in words.plain
                said.append(self.say(words.plain[hole] if plain else values[hole], form or "", words))
        return self._smoothed("".join(said))

    def say(self, value: Value, form: str, words: Words) -> str:
        """Return *value* in words, in the *form* that a line asks for."""
        if isinstance(value, tuple):
            join = form if form in self.joins else "and"
            return self._listed([self.say(each, "" if form == join else form, words) for each in value], join)
        if isinstance(value, Psychic):
            return SEAM + self._psychic(value, form)
        if isinstance(value, Category):
            return SEAM + words.kinds[value][form or "bare"]
        if isinstance(value, int):
            return self._number(value, form, words)
        return SEAM + value

    def _psychic(self, psychic: Psychic, form: str) -> str:
        if "|" in form:
            return form.split("|")[self.genders[psychic] == "f"]
        return (self.names if form == "name" else self.psychics)[psychic]

    def _number(self, number: int, form: str, words: Words) -> str:
        if form == "hour":
            return SEAM + words.hours[number - 1]
        if form == "place" and 0 < number <= len(self.places):
            return self.places[number - 1]
        if form in ("card", "named") and number in self.cards:
            return SEAM + self.cards[number]
        if form == "card":
            return SEAM + self.card.format(n=self._figure(number))
        if form == "time":
            minutes, seconds = divmod(number, 60)
            parts = [self._number(n, what, words) for n, what in ((minutes, "minutes"), (seconds, "seconds")) if n]
            return self._listed(parts or [self._number(0, "seconds", words)], "and")
        if form in words.counted:
            return words.counted[form][min(abs(number), 2)].format(n=self._figure(number))
        return self._figure(number)

    def _figure(self, number: int) -> str:
        return self.numbers[number] if 0 <= number < len(self.numbers) else str(number)

    def _listed(self, said: list[str], join: str) -> str:
        *first, last = said or [""]
        return f"{self.comma.join(first)}{self.joins[join]}{last}" if first else last

    def _smoothed(self, text: str) -> str:
        for seam, becomes in self.seams:
            text = seam.sub(becomes, text)
        return " ".join(text.replace(SEAM, "").split())
