"""The night as it is being written down; what happens in it, and what is told of it, is decided elsewhere."""

import itertools
from collections.abc import Callable, Mapping, Sequence

from seance.daemon.notes import Notes, read, written
from seance.dialogue.replies import Fault
from seance.journal import Journal, freshest
from seance.journal import troubles as t
from seance.rules import Begin, Command, Event, Seat, State
from seance.rules.events import NightEnded

SAND_KEPT_EVERY = 5.0
"""Seconds between two notes of how much sand is left: so much of it is given back after a power cut."""


class Record:
    """One night after the other, each with how long it was played and what stood beside the rules."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._night: str | None = None
        """The one that is being played, and could be cut off."""
        self._played = 0.0
        self._since: float | None = None
        """Since when it is played; None while it pauses."""
        self._noted = Notes()
        self._noted_at = 0.0

    def go_on(self, now: float) -> tuple[State, Notes] | None:
        """Return the night that was cut off, if any, and what stood beside it; go on with it."""
        night = self._journal.unfinished()
        state = None if night is None else night.state
        if night is None or state is None:
            return None
        self._night, self._played, self._since = night.uid, night.played, now
        return state, read(night.notes)

    def dealt(self, begin: Begin, seeds: Callable[[], int]) -> Begin:
        """Return *begin* with a seed; cards that were seen lately are avoided."""
        if begin.seed is not None:
            return begin
        tried = (seeds() for _ in itertools.count())
        return freshest(begin, tried, self._journal.seen_lately(begin.edition.name))

    def begin(self, begin: Begin, now: float, *, language: str, names: Mapping[str, str]) -> None:
        """Begin to write the night of *begin*."""
        self._night = self._journal.begin_night(begin.edition, language=language, names=names)
        self._played, self._since = 0.0, now

    def write(self, command: Command, events: Sequence[Event], notes: Notes, now: float, *, seat: Seat) -> None:
        """Write down what *command* led to: it is on the disk when this returns."""
        played = self._played + (now - self._since if self._since is not None else 0.0)
        self._journal.append(str(self._night), command, events, seat=seat, played=played, notes=written(notes))
        self._noted, self._noted_at = notes, now
        if any(isinstance(event, NightEnded) for event in events):
            self._night = None

    def note(self, notes: Notes, now: float, *, at_once: bool = False) -> None:
        """Write *notes* down where they say more than the last; the sand alone only now and then."""
        if self._night is None:
            return
        ran = notes.sand_left != self._noted.sand_left and now - self._noted_at >= SAND_KEPT_EVERY
        if at_once or ran or notes.say_more_than(self._noted):
            for key, value in written(notes).items():
                self._journal.note(self._night, key, value)
            self._noted, self._noted_at = notes, now

    def pause(self, now: float) -> None:
        """Count no time from *now* on."""
        if self._since is not None:
            self._played, self._since = self._played + now - self._since, None

    def resume(self, now: float) -> None:
        """Count the time again."""
        self._since = now

    def catch_up(self) -> None:
        """Write what the disk has refused so far, if it now takes it."""
        if self._journal.unwritten:
            self._journal.flush()

    def news(self) -> tuple[Fault, ...]:
        """Return what the host should be told, each once."""
        return tuple(_fault(news) for news in self._journal.news())


def _fault(news: t.News) -> Fault:
    return _NEWS[news.kind] if news.fault is None else _DISK.get(news.fault, Fault.DISK_FAILING)


_NEWS: Mapping[t.Kind, Fault] = {
    t.Kind.SET_ASIDE: Fault.JOURNAL_DAMAGED,
    t.Kind.WRITTEN_AGAIN: Fault.DISK_BACK,
    t.Kind.UNREADABLE: Fault.NIGHT_UNREADABLE,
}
_DISK: Mapping[t.Fault, Fault] = {t.Fault.FULL: Fault.DISK_FULL, t.Fault.READ_ONLY: Fault.DISK_READ_ONLY}
"""Why nothing can be written, where it is known."""
