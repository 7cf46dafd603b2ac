"""Table talk that is not meant for the house, made of the game's words and of others."""

from dataclasses import dataclass, field, replace
from functools import cache
from random import Random

from seance.daemon.signals import Heard, Tick, Typed
from seance.dialogue.grammar.sentences import Ambiguous, Intent
from seance.rules import CallTime, Command, Deal, State, apply
from seance.rules.bots import Company
from tests.daemon.evenings import Table, sentences
from tests.dialogue.conftest import talk
from tests.tables import any_night

UTTERANCES_AN_HOUR = 720
"""One every five seconds."""


@cache
def _lines(language: str) -> list[str]:
    return talk(language)


@cache
def words(language: str) -> tuple[str, ...]:
    """Return words that are said at a table of *language*, those of commands among them."""
    said = [word for line in _lines(language) for word in line.lower().split()]
    return (*said, *sorted(sentences(language).narrow(["place_intuition", "vote", "bet"]).words()))


@dataclass
class Talk:
    """The result of table talk."""

    utterances: int = 0
    understood: list[str] = field(default_factory=list)
    """Utterances that happened to be a sentence."""
    moved: list[str] = field(default_factory=list)
    """Utterances that changed the night though they were no sentence."""


def talked(table: Table, chance: Random, utterances: int) -> Talk:
    """Talk at *table*, mostly heard and sometimes typed, and let time pass in between."""
    came = Talk()
    for _ in range(utterances):
        text = _utterance(table, chance)
        before = _after_the_sand(table)
        typed = chance.random() < 0.02
        intent = _meaning(table, text, anything=typed)
        table.give(Typed(text) if typed else Heard(text, intent, chance.random()))
        came.utterances += 1
        if intent is not None:
            came.understood.append(text)
        elif table.evening.state != before:
            came.moved.append(text)
        table.now += 4.9
        if chance.random() < 0.1:
            table.give(Tick(silent=chance.random() < 0.5))
    return came


def _after_the_sand(table: Table) -> State | None:
    """Let sand that is over run out, so that the next utterance is not blamed for it; return the state then."""
    sand, written = table.evening.sand, len(table.journal.entries)
    has_run_out = sand is not None and sand.running and sand.left_at(table.now + 0.1) <= 0
    if has_run_out:
        table.give(Tick(silent=False))
    done = [command for command, _ in table.journal.entries[written:]]
    assert (done[:1] == [CallTime()]) is has_run_out
    return table.evening.state


def play_on(table: Table, chance: Random) -> None:
    """Begin any night and play it to any moment, without a word."""
    table.ask(replace(any_night(chance, 1), deal=chance.choice(list(Deal))))
    company = Company(chance, accuracy=0.9)
    for _ in range(chance.randint(0, 90)):
        if table.state.outcome is None:
            table.ask(company.choose(table.state))


def replayed(entries: list[tuple[Command, object]]) -> State | None:
    """Return the state to which the commands of *entries* lead."""
    state: State | None = None
    for command, _ in entries:
        state, _ = apply(state, command)
    return state


def _utterance(table: Table, chance: Random) -> str:
    if chance.random() < 0.2:
        return chance.choice(_lines(table.language))
    return " ".join(chance.choices(words(table.language), k=chance.randint(1, 14)))


def _meaning(table: Table, text: str, *, anything: bool = False) -> Intent | None:
    """Return the intent of *text* in the current grammar, or in any if *anything*."""
    assert table.expect is not None
    known = sentences(table.language)
    try:
        meant = table.expect.narrow(known).match(text)
        return meant or (known.match(text) if anything else None)
    except Ambiguous:
        return None
