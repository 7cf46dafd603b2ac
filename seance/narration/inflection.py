"""How names, numbers and lists are put into words in one language, and lines filled with them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from string import Formatter

from seance.rules import Category, Psychic
from seance.word_forms import CHOICE, SEAM, WordForms

FORMS = ("name", "hour", "card", "named", "row", "place", "time", "bare", "a", "the", "many")
"""What a hole may ask for in any language, besides joins, counted things and a|choice by gender or number."""

KIND_FORMS = ("bare", "a", "the", "many")
"""The forms that each kind of card has."""

PLAIN_WORDS = (
    *("ghost", "the_ghost"),
    *("hour", "an_hour", "the_hour", "this_hour", "hours", "until_seven"),
    *("vision", "a_vision", "the_vision", "visions", "a_last_vision", "the_shared_vision"),
    *("marker", "the_marker", "group"),
)
"""Words that every edition has and that any line may name in a hole, an owner's too."""

LineValue = Psychic | Category | int | str | tuple["LineValue", ...]
"""What can stand in a hole of a line."""

_SENTENCE = re.compile(r"(?:^|(?<=[.!?]\s))(\W*)(\w)")


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionWords:
    """What an edition calls things: hours and visions, or days and dreams."""

    prefixes: tuple[str, ...]
    """What stands before the key of a line of its own: the edition's name, then that of its shared file."""
    levels: Mapping[str, str]
    """What its levels are called."""
    hours: tuple[str, ...]
    """The first hour, the second hour…"""
    plain: Mapping[str, str]
    """Words that any line may name in a hole, such as {a_vision}."""
    numbers: Mapping[str, int]
    """Numbers of the edition that any line may name in a hole: {turns}, {shared_cards}."""
    counted: Mapping[str, tuple[str, ...]]
    """Each counted thing as none of it, and then in each plural form of the language."""
    kinds: Mapping[str, Mapping[str, str]]
    """Each kind of card as `bare`, `a`, `the` and `many`, and its `gender` where a line chooses by it."""
    forms: WordForms

    @property
    def own(self) -> dict[str, str | int]:
        """What any line may name in a hole."""
        return {**self.numbers, **self.plain}


@dataclass(frozen=True, slots=True, kw_only=True)
class Inflection:
    """The words and forms of one language that lines are filled with."""

    numbers: tuple[str, ...]
    """Number words from zero on; larger numbers are written in digits."""
    places: tuple[str, ...]
    """First, second, and so on along a row."""
    joins: Mapping[str, str]
    """What stands before the last item of a list, by name: and, or."""
    comma: str
    card: str
    """What a card without a name is called: card {n}."""
    words: Mapping[str, EditionWords]
    """By edition."""
    psychics: Mapping[Psychic, str]
    """What a psychic is called in play: the colour, unless the owner has given a name."""
    names: Mapping[Psychic, str]
    """The full name, for the portraits."""
    genders: Mapping[Psychic, str]
    """One of the language's genders."""
    called: Mapping[str, Mapping[str, str]]
    """What levels, editions and the marks of phones are called."""
    cards: Mapping[int, str] = field(default_factory=dict)
    """The owner's names for cards."""

    def edition_words(self, edition: str | None) -> EditionWords:
        """Return the words of *edition*, or of the first edition where none is played."""
        return self.words.get(edition or "") or next(iter(self.words.values()))

    def with_names(self, psychics: Mapping[Psychic, str], cards: Mapping[int, str]) -> "Inflection":
        """Return a copy with the owner's names in place of colours and numbers."""
        names = {**self.names, **psychics}
        return replace(self, psychics={**self.psychics, **psychics}, names=names, cards={**self.cards, **cards})

    def capitalise_psychics(self, text: str) -> str:
        """Return *text*, as it was heard or typed, with psychics in it written as they are called."""
        written = {called.lower(): called for called in self.psychics.values()}
        names = "|".join(map(re.escape, written))
        return re.sub(rf"\b(?:{names})\b", lambda name: written[name[0].lower()], text, flags=re.IGNORECASE)

    def fill(self, line: str, words: EditionWords, values: Mapping[str, LineValue]) -> str:
        """Return *line* with its holes filled from *values* and *words*, each sentence capitalised."""
        return _SENTENCE.sub(lambda first: first[1] + first[2].upper(), self.phrase(line, words, values))

    def phrase(self, line: str, words: EditionWords, values: Mapping[str, LineValue]) -> str:
        """Return *line* with its holes filled, to stand in the middle of a sentence."""
        said = []
        for literal, hole, form, _ in Formatter().parse(line):
            said.append(literal)
            if hole is not None:
                value = values[hole] if hole in values else words.own[hole]
                said.append(self.say(value, form or "", words))
        return " ".join(words.forms.elide("".join(said)).split())

    def say(self, value: LineValue, form: str, words: EditionWords) -> str:
        """Return *value* in words, as the hole asks for it: `card`, or `card.dative` in a language with that form."""
        what, case = words.forms.split(form)
        if isinstance(value, tuple) and what == "row":
            return self.comma.join(
                self.say(each, ".".join(part for part in ("named", case) if part), words) for each in value
            )
        if isinstance(value, tuple):
            join = what if what in self.joins else "and"
            each_form = ".".join(part for part in ("" if what == join else what, case) if part)
            return self._join([self.say(each, each_form, words) for each in value], join)
        text = self._base(value, what, words)
        if not case:
            return text
        seam = SEAM if text.startswith(SEAM) else ""
        return seam + words.forms.inflect(text.removeprefix(SEAM), case)

    def base(self, value: Psychic | Category | int | str, what: str, words: EditionWords) -> str:
        """Return *value* in words, before it takes a grammatical form."""
        return self._base(value, what, words).removeprefix(SEAM)

    def _base(self, value: Psychic | Category | int | str, what: str, words: EditionWords) -> str:
        if isinstance(value, Psychic):
            if CHOICE in what:
                return SEAM + words.forms.by_gender(what, self.genders[value])
            return SEAM + (self.names if what == "name" else self.psychics)[value]
        if isinstance(value, Category):
            kind = words.kinds[value]
            return SEAM + (words.forms.by_gender(what, kind["gender"]) if CHOICE in what else kind[what or "bare"])
        if isinstance(value, int):
            return self._number(value, what, words)
        return SEAM + value

    def _number(self, number: int, form: str, words: EditionWords) -> str:
        if CHOICE in form:
            return words.forms.by_number(form, number)
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
            return self._join(parts or [self._number(0, "seconds", words)], "and")
        if form in words.counted:
            place = 1 + words.forms.language.plural(number) if number else 0
            return words.counted[form][place].format(n=self._figure(number))
        return self._figure(number)

    def _figure(self, number: int) -> str:
        return self.numbers[number] if 0 <= number < len(self.numbers) else str(number)

    def _join(self, items: list[str], join: str) -> str:
        *first, last = items or [""]
        return f"{self.comma.join(first)}{self.joins[join]}{last}" if first else last
