"""Whole nights whose secrets differ look and sound the same, until the secrets are told."""

import io
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

import pytest

from seance.daemon.page_publisher import PagePublisher
from seance.daemon.signals import GhostCommand, Heard, PsychicSeatRequest, SeatTouched, Signal, Tick, Typed, TypedOnPage
from seance.daemon.terminal.plain_terminal import PlainTerminal
from seance.dialogue.conversation import Defaults
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.phrasing import phrase_command
from seance.mqtt.house_state import HouseState, house_state
from seance.mqtt.topics import events_between, state_messages
from seance.narration.cues import Cue, Expect, Mark, Whisper
from seance.narration.staging import Pace
from seance.programs.run_terminal import is_secret_line
from seance.rules import LIBELLUD, BallotKind, Begin, Phase, Psychic, Visions
from seance.rules import commands as c
from seance.rules import events as e
from seance.rules.clairvoyancy import cards_seen
from seance.texts import Texts
from seance.web.page_json import encode_psychic_state, encode_table_state
from tests.daemon.evenings import Table, set_up, table
from tests.languages import LANGUAGES
from tests.rules.twins import twin
from tests.web.test_page_json import STATIC

PLAYERS = dict(zip(LANGUAGES, ((2, 4, 7), (3, 5, 6)), strict=False))
"""Numbers of players that each language plays: all of them, and no night twice."""
SEED = 1894
NEIGHBOUR = "a phone with another seat"
NAMES = {psychic.value: psychic.value for psychic in Psychic}


@dataclass
class Watcher:
    """Somebody who sees and hears all that the room may: voice, lights, pages, terminal and log."""

    table: Table
    log: pytest.LogCaptureFixture
    pages: PagePublisher
    terminal: PlainTerminal
    output: io.StringIO
    published: HouseState = field(default_factory=HouseState)
    """What a broker was told last."""
    seen: list[tuple[str, Any]] = field(default_factory=list)

    def give(self, signal: Signal) -> None:
        """Give *signal* to the house as the program does, and note what the room perceives of it."""
        evening = self.table.evening
        self.pages.publish_signal(signal, evening)
        if isinstance(signal, Typed | Heard) and not self._is_secret(signal):
            self.terminal.show_input(signal.text)
        for cue in self.table.give(signal):
            self._note_cue(cue)
        self.pages.publish_evening(evening)
        now = self.table.now
        self.seen.append(("page", encode_table_state(self.pages.latest.current, STATIC, now=now, level=None)))
        for device in (None, "phone", NEIGHBOUR):
            self.seen.append(("seat", encode_psychic_state(self.pages.latest.current, STATIC, device, now=now)))
        self.seen.append(("mqtt", self._messages(now)))
        self.seen.append(("terminal", self.output.getvalue()))
        self.seen.append(("log", [record.getMessage() for record in self.log.records]))
        self.log.clear()

    def _messages(self, now: float) -> object:
        """Return what a broker is told since the last time: the states that are retained, and the events."""
        before, self.published = self.published, house_state(self.pages.latest.current)
        texts = Texts.load("mqtt", self.table.language)
        return state_messages(self.published, texts, NAMES, now), list(events_between(before, self.published))

    def _is_secret(self, signal: Typed | Heard) -> bool:
        if isinstance(signal, Typed) and not isinstance(signal, TypedOnPage):
            return is_secret_line(signal.text, self.table.evening)
        return self.table.evening.gives_vote_away(signal)

    def _note_cue(self, cue: Cue) -> None:
        if not isinstance(cue, Whisper | Mark):  # the ghost's own, and the journal's
            self.pages.publish_cue(cue)
            self.terminal.show(cue)
            self.seen.append(("cue", repr(sorted(cue.intents.intents)) if isinstance(cue, Expect) else repr(cue)))

    def say(self, command: c.Command) -> None:
        """Say what asks for *command*, and yes to what is asked back."""
        words = phrase_command(command, self.table.language, room=self.table.evening.room)
        self.give(Typed(words))
        pending = self.table.evening.conversation.pending
        if pending is not None and pending.ask_back is not None and pending.intent is not None:
            self.give(Heard("", Intent("yes")))

    def linger(self, seconds: int = 390) -> None:
        """Ask whatever may be asked, and be silent for so many *seconds*."""
        for name in ("ask_options", "ask_missing", "ask_progress", "ask_table", "ask_hour", "ask_crows", "repeat"):
            self.give(Heard("", Intent(name)))
        for _ in range(3):
            self.table.now += seconds / 3
            self.give(Tick())


def watch(folder: Path, log: pytest.LogCaptureFixture, begin: Begin, *, language: str, pace: Pace) -> Watcher:
    """Open a house, and begin a night in it."""
    defaults = Defaults(visions=begin.visions)
    at_table = table(folder, language=language, pace=pace, defaults=defaults, seed=SEED)
    set_up(at_table, begin)
    pages, output = PagePublisher(language=language, pace=pace, edition=LIBELLUD), io.StringIO()
    log.clear()
    return Watcher(at_table, log, pages, PlainTerminal(Texts.load("terminal", language), output), output)


def night(watcher: Watcher, *, other: bool) -> Iterator[str]:
    """Play a night, and yield the name of each part when it is over; with *other* secrets where that is possible."""
    at_table, evening = watcher.table, watcher.table.evening
    _give_visions(watcher)
    known = evening.state
    if other:
        told = [event for _, events in at_table.journal.entries for event in events]
        evening.state = twin(at_table.state, told, Random(7))
        assert evening.state.searches != at_table.journal.state.searches or evening.state.deck.hand == ()
    for search in at_table.state.searches:
        kind = at_table.state.sought(search)
        watcher.say(c.PlaceIntuition(psychic=search.psychic, card=at_table.state.table.of(kind)[0]))
    watcher.linger(60)  # the sand is still running
    yield "the first hour"
    evening.state = known
    while not at_table.state.ending.groups:
        _find_next(watcher)
    watcher.give(Typed(f"ghost culprit {2 if other else 1}"))
    hand = at_table.state.deck.hand if at_table.state.setup.visions is Visions.DEALT else None
    watcher.give(GhostCommand(c.LaySharedVision(cards=hand and hand[:3])))
    watcher.linger()
    yield "the culprit"
    if at_table.state.setup.ballot is not BallotKind.OPEN:
        _vote_in_secret(watcher, group=2 if other else 1)
        yield "the secret vote"
    *votes, last = _votes(at_table)
    for vote in votes:
        watcher.say(vote)
    watcher.linger()
    yield "the reading"
    watcher.say(last)
    assert at_table.state.outcome is not None


def _give_visions(watcher: Watcher) -> None:
    state = watcher.table.state
    for search in state.searching():
        hand = watcher.table.state.deck.hand[:1] if state.setup.visions is Visions.DEALT else None
        watcher.give(GhostCommand(c.GiveVision(psychic=search.psychic, cards=hand, count=None if hand else 1)))
    watcher.give(GhostCommand(c.TurnSand()))


def _find_next(watcher: Watcher) -> None:
    """Let everybody find the card that they seek."""
    at_table = watcher.table
    if at_table.state.phase is Phase.VISIONS:
        _give_visions(watcher)
    for search in at_table.state.searching():
        kind = at_table.state.sought(search)
        watcher.say(c.PlaceIntuition(psychic=search.psychic, card=search.secret.of(kind)))
    watcher.say(c.CallTime(early=True))


def _vote_in_secret(watcher: Watcher, group: int) -> None:
    """Say votes for *group* aloud, seal one for it, and close the poll."""
    by = watcher.table.state.setup.psychics[0]
    for words in (phrase_command(c.Vote(by=by, group=group), watcher.table.language), f"… {group} …"):
        watcher.give(TypedOnPage(words))
        watcher.give(Typed(words))
        watcher.give(Heard(words, Intent("vote", {"by": by.value, "group": group})))
    state = watcher.table.state
    now = next(search for search in state.searches if cards_seen(state, search) == state.ending.shown)
    neighbour = next(psychic for psychic in state.setup.psychics if psychic is not now.psychic)
    for psychic, device in ((now.psychic, "phone"), (neighbour, NEIGHBOUR)):
        watcher.give(PsychicSeatRequest(psychic, device, device))
    for _ in range(2):  # the second is refused: a sealed vote cannot be changed
        watcher.give(SeatTouched("phone", Intent("vote", {"by": now.psychic.value, "group": group})))
    assert [(ballot.by, ballot.group) for ballot in watcher.table.state.ending.ballots] == [(now.psychic, group)]
    while not watcher.table.state.ending.readers:
        watcher.linger()
        watcher.give(Heard("", Intent("turn_shared_vision")))


def _votes(at_table: Table) -> list[c.Vote]:
    """Return the votes that are still to be given, all for group 1."""
    state = at_table.state
    voters: dict[int, Psychic] = {}
    for search in state.unvoted():
        voters.setdefault(state.setup.voter_of(search.psychic), search.psychic)
    return [c.Vote(by=psychic, group=1) for psychic in voters.values()]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("pace", Pace)
def test_no_secret_is_perceived_before_its_time(language: str, pace: Pace, tmp_path: Path, caplog: Any):
    caplog.set_level(logging.DEBUG)
    for players in PLAYERS.get(language, (5,)):
        visions = Visions.DEALT if players % 2 else Visions.TABLE
        psychics = tuple(Psychic)[: LIBELLUD.psychics(players)]
        begin = Begin(edition=LIBELLUD, players=players, level="easy", psychics=psychics, visions=visions)
        watchers = []
        for other in (False, True):
            folder = tmp_path / f"{players}{other}"
            folder.mkdir()
            watchers.append(watch(folder, caplog, begin, language=language, pace=pace))
        parts = (night(watcher, other=other) for watcher, other in zip(watchers, (False, True), strict=True))
        for one, two in zip(*parts, strict=True):
            assert one == two
            difference = first_difference(watchers[0].seen, watchers[1].seen)
            assert difference is None, f"{players} players, {one}: {difference}"
        told = [event for _, events in watchers[1].table.journal.entries for event in events]
        assert any(isinstance(event, e.CulpritRevealed) and event.group == 2 for event in told)


def first_difference(one: list[tuple[str, Any]], two: list[tuple[str, Any]]) -> object:
    """Return the first pair of what two watchers perceived that is not the same, or None."""
    return next(((a, b) for a, b in zip_longest(one, two) if a != b), None)
