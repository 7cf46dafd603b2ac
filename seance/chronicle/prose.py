"""A tale told in the sentences of a language; how it looks on paper or a screen is not known here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from seance.chronicle.timeline import Accusation, Hour, Tale, Turn
from seance.chronicle.words import Words, roman
from seance.rules import Category


@dataclass(frozen=True, slots=True)
class Occasion:
    """What is known of a night beside what happened in it."""

    number: int
    begun: str
    """ISO 8601."""
    played: float
    """Seconds."""


@dataclass(frozen=True, slots=True)
class Section:
    """An hour, or what came after the hours."""

    mark: str
    """A few letters to set beside it: IV."""
    heading: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """The story of one night, in words."""

    eyebrow: str
    title: str
    verdict: str
    """Won, lost or unfinished."""
    won: bool | None
    ending: str
    facts: tuple[str, ...]
    """Rules, level, how long."""
    opening: tuple[str, ...]
    sections: tuple[Section, ...]
    colophon: str


def told(tale: Tale, words: Words, occasion: Occasion) -> Story:
    """Return *tale* in *words*."""
    won = tale.outcome.won if tale.outcome else None
    edition, level = words.word(tale.edition, "editions"), words.word(tale.level, "levels")
    facts = [words.word("level", edition=edition, level=level), _lasted(occasion.played, words)]
    last = tuple(_verdict(tale, words))
    return Story(
        eyebrow=words.word("eyebrow"),
        title=words.word("title", date=_date(occasion.begun, words)),
        verdict=words.word("unfinished" if won is None else "won" if won else "lost"),
        won=won,
        ending=words.word(tale.outcome.reason if tale.outcome else "unfinished", "endings"),
        facts=tuple(fact[0].upper() + fact[1:] for fact in facts if fact),
        opening=(
            words.sentence("opening", names=words.listed(map(words.full_name, tale.psychics))),
            words.sentence("opening_details", edition=edition, level=level),
        ),
        sections=(
            *(_hour(hour, tale, words) for hour in tale.hours),
            *([Section("❦", words.word("lineup"), last)] if last else []),
        ),
        colophon=words.word("colophon", number=occasion.number),
    )


def hour_name(hour: int, tale: Tale, words: Words) -> str:
    """Return what *hour* is called in this edition."""
    if tale.by_days:
        day = words.day(hour)
        return day[0].upper() + day[1:]
    return words.word("hour", hour=roman(hour))


def _hour(hour: Hour, tale: Tale, words: Words) -> Section:
    sentences = []
    if hour.crows > 1:
        sentences.append(words.sentence("crows", count=words.number(hour.crows)))
    elif hour.crows:
        again = any(other.crows for other in tale.hours if other.hour < hour.hour)
        sentences.append(words.sentence("crow", int(again)))
    for at, turn in enumerate(hour.turns, start=hour.hour):
        sentences.append(_turn(turn, at, words))
    if hour.turns and all(turn.correct is False for turn in hour.turns):
        sentences.append(words.sentence("quiet_hour", hour.hour))
    return Section(roman(hour.hour), hour_name(hour.hour, tale, words), tuple(sentences))


def _turn(turn: Turn, at: int, words: Words) -> str:
    if turn.card is None:
        key = "pending_nothing" if turn.correct is None else "nothing"
    elif turn.correct is None:
        key = "pending"
    else:
        key = "wrong" if not turn.correct else "found_last" if turn.last else "found"
    holes = {"name": words.name(turn.psychic), "card": turn.card, "what": words.category(turn.sought)}
    return words.sentence(key, at, **holes, aside=_aside(turn, at, words))


def _aside(turn: Turn, at: int, words: Words) -> str:
    """Return what the others had bet, as a part of a sentence."""
    right, wrong = ([words.name(bet.by) for bet in turn.bets if bet.right is each] for each in (True, False))
    aside = ""
    if right:
        aside += words.line("foresaw_one" if len(right) == 1 else "foresaw_many", at, names=words.listed(right))
    if wrong:
        aside += words.line("misled", at, names=words.listed(wrong))
    return aside


def _verdict(tale: Tale, words: Words) -> Iterator[str]:
    """Yield what came after the last card was found."""
    if not tale.groups:
        return
    yield words.sentence("lineup", count=words.number(len(tale.groups)))
    if tale.clairvoyancy and (spaces := max(tale.clairvoyancy.values())):
        first = [psychic for psychic, there in tale.clairvoyancy.items() if there == spaces]
        if len(first) == 1:
            yield words.sentence("seers", name=words.name(first[0]), spaces=spaces)
    if tale.votes or tale.accusations:
        yield words.sentence("shared")
    for group in sorted({vote.group for vote in tale.votes}):
        names = [words.name(vote.by) for vote in tale.votes if vote.group == group]
        yield words.sentence("vote", names=words.listed(names), group=group)
    if tale.eldest:
        yield words.sentence("eldest", name=words.name(tale.eldest))
    for accusation in tale.accusations:
        yield _accused(accusation, tale, words)
    if tale.culprit is not None:
        cards = next(group.cards for group in tale.groups if group.group == tale.culprit)
        named = (f"{words.category(kind)} {card}" for kind, card in zip(Category, cards, strict=True))
        yield words.sentence("culprit", group=tale.culprit, cards=", ".join(named))


def _accused(accusation: Accusation, tale: Tale, words: Words) -> str:
    group = str(accusation.group)
    if accusation.cards:
        group += f" ({', '.join(map(str, accusation.cards))})"
    if not tale.by_days:
        return words.sentence("accused", group=group)
    key = "accused_right" if accusation.right else "accused_wrong"
    return words.sentence(key, day=words.day(accusation.hour), group=group)


def _lasted(seconds: float, words: Words) -> str:
    hours, minutes = divmod(round(seconds / 60), 60)
    if hours:
        return words.word("lasted", hours=hours, minutes=f"{minutes:02}")
    return words.word("lasted_minutes", minutes=minutes) if minutes else ""


def _date(stamp: str, words: Words) -> str:
    try:
        begun = datetime.fromisoformat(stamp)
    except ValueError:  # it came with a document
        return stamp
    return words.date(begun.day, begun.month, begun.year)
