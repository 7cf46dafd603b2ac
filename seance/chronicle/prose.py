"""Writing the story of a night in sentences, from its timeline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from seance.chronicle.guest_changes import GuestChange
from seance.chronicle.timeline import Accusation, Hour, Timeline, Turn
from seance.chronicle.words import ChronicleWords
from seance.plain_text import strip_controls
from seance.rules import Category


@dataclass(frozen=True, slots=True)
class NightDetails:
    """What the journal knows of a night besides its events."""

    number: int
    begun: str
    """ISO 8601."""
    played: float
    """Seconds."""


@dataclass(frozen=True, slots=True)
class Section:
    """The story of one hour, or of the hunt for the culprit."""

    mark: str
    """A few letters to set beside the heading, such as IV."""
    heading: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """The story of one night, in sentences."""

    eyebrow: str
    title: str
    verdict: str
    """Won, lost or unfinished."""
    won: bool | None
    ending: str
    facts: tuple[str, ...]
    """The edition with its level, and how long the night lasted."""
    opening: tuple[str, ...]
    sections: tuple[Section, ...]
    colophon: str


def write_story(timeline: Timeline, words: ChronicleWords, details: NightDetails) -> Story:
    """Return the story of *timeline* in *words*."""
    words = words.for_edition(timeline.edition)
    won = timeline.outcome.won if timeline.outcome else None
    edition, level = words.edition_name(), words.level_name(timeline.level)
    facts = [words.word("level", edition=edition, level=level), _duration(details.played, words)]
    hours = tuple(_hours(timeline))
    later = (each for each in timeline.guests if each.hour not in {hour.hour for hour in hours})
    last = (*_verdict(timeline, words), *(_guest(each, words) for each in later))
    return Story(
        eyebrow=words.word("eyebrow"),
        title=words.word("title", date=_date(details.begun, words)),
        verdict=words.word("unfinished" if won is None else "won" if won else "lost"),
        won=won,
        ending=words.word(timeline.outcome.reason if timeline.outcome else "unfinished", "endings"),
        facts=tuple(fact[0].upper() + fact[1:] for fact in facts if fact),
        opening=(
            words.sentence("opening", names=words.names_of(timeline.psychics, full=True)),
            words.sentence("opening_details", edition=edition, level=level),
        ),
        sections=(
            *(_hour(hour, timeline, words) for hour in hours),
            *([Section("❦", words.word("lineup"), last)] if last else []),
        ),
        colophon=words.word("colophon", number=details.number),
    )


def _hours(timeline: Timeline) -> Iterator[Hour]:
    """Yield the hours of the search, and before the line-up also an hour in which only a guest left or came."""
    yield from timeline.hours
    if not timeline.groups:
        changed = {each.hour for each in timeline.guests} - {hour.hour for hour in timeline.hours}
        yield from (Hour(at, (), 0) for at in sorted(changed))


def _hour(hour: Hour, timeline: Timeline, words: ChronicleWords) -> Section:
    sentences = []
    if hour.crows > 1:
        sentences.append(words.sentence("crows", count=words.number(hour.crows)))
    elif hour.crows:
        again = any(other.crows for other in timeline.hours if other.hour < hour.hour)
        sentences.append(words.sentence("crow", int(again)))
    for at, turn in enumerate(hour.turns, start=hour.hour):
        sentences.append(_turn(turn, at, words))
    if hour.turns and all(turn.correct is False for turn in hour.turns):
        sentences.append(words.sentence("quiet_hour", hour.hour))
    sentences += (_guest(each, words) for each in timeline.guests if each.hour == hour.hour)
    return Section(words.turn_mark(hour.hour), words.turn_heading(hour.hour), tuple(sentences))


def _guest(change: GuestChange, words: ChronicleWords) -> str:
    if not change.has_left:
        return words.sentence("guest_back", change.hour, name=words.name(change.psychic))
    if change.heir is None:
        return words.sentence("guest_left_alone", change.hour, name=words.name(change.psychic))
    heir = words.names_of([change.heir])
    return words.sentence("guest_left", change.hour, name=words.name(change.psychic), names=heir)


def _turn(turn: Turn, at: int, words: ChronicleWords) -> str:
    if turn.card is None:
        key = "pending_nothing" if turn.correct is None else "nothing"
    elif turn.correct is None:
        key = "pending"
    else:
        key = "wrong" if not turn.correct else "found_last" if turn.last else "found"
    holes = {"name": words.name(turn.psychic), "card": turn.card, "what": words.noun(words.category(turn.sought))}
    return words.sentence(key, at, **holes, aside=_aside(turn, at, words))


def _aside(turn: Turn, at: int, words: ChronicleWords) -> str:
    """Return what the others had bet, as the end of a sentence."""
    right, wrong = ([bet.by for bet in turn.bets if bet.right is each] for each in (True, False))
    aside = ""
    if right:
        aside += words.line("foresaw_one" if len(right) == 1 else "foresaw_many", at, names=words.names_of(right))
    if wrong:
        aside += words.line("misled", at, names=words.names_of(wrong))
    return aside


def _verdict(timeline: Timeline, words: ChronicleWords) -> Iterator[str]:
    """Yield the sentences about the hunt for the culprit."""
    if not timeline.groups:
        return
    yield words.sentence("lineup", count=words.number(len(timeline.groups)))
    if timeline.clairvoyancy and (spaces := max(timeline.clairvoyancy.values())):
        first = [psychic for psychic, there in timeline.clairvoyancy.items() if there == spaces]
        if len(first) == 1:
            yield words.sentence("seers", name=words.name(first[0]), spaces=words.count(spaces))
    if timeline.votes or timeline.accusations:
        yield words.sentence("shared")
    for group in sorted({vote.group for vote in timeline.votes}):
        names = words.names_of(vote.by for vote in timeline.votes if vote.group == group)
        yield words.sentence("vote", names=names, group=group)
    if timeline.eldest:
        yield words.sentence("eldest", name=words.name(timeline.eldest))
    for accusation in timeline.accusations:
        yield _accusation(accusation, timeline, words)
    if timeline.culprit is not None:
        cards = next(group.cards for group in timeline.groups if group.group == timeline.culprit)
        named = (f"{words.category(kind)} {card}" for kind, card in zip(Category, cards, strict=True))
        yield words.sentence("culprit", group=timeline.culprit, cards=", ".join(named))


def _accusation(accusation: Accusation, timeline: Timeline, words: ChronicleWords) -> str:
    group = str(accusation.group)
    if accusation.cards:
        group += f" ({', '.join(map(str, accusation.cards))})"
    if not timeline.is_accused_by_turn:
        return words.sentence("accused", group=group)
    key = "accused_right" if accusation.right else "accused_wrong"
    return words.sentence(key, turn=words.noun(words.turn(accusation.hour)), group=group)


def _duration(seconds: float, words: ChronicleWords) -> str:
    hours, minutes = divmod(round(seconds / 60), 60)
    if hours:
        return words.word("lasted", hours=words.count(hours), minutes=f"{minutes:02}")
    return words.word("lasted_minutes", minutes=words.count(minutes)) if minutes else ""


def _date(stamp: str, words: ChronicleWords) -> str:
    try:
        begun = datetime.fromisoformat(stamp)
    except ValueError:  # an imported night may have any text here
        return strip_controls(stamp)
    return words.date(begun.day, begun.month, begun.year)
