"""The night as it is being written down; what happens in it, and what is told of it, is decided elsewhere."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from seance.daemon.snapshot import Notes, read, written
from seance.dialogue.replies import Fault
from seance.journal import Journal, Night, choose_fresh_deal
from seance.journal import errors as t
from seance.narration.cues import Mark
from seance.rules import Begin, Command, Event, Seat, State
from seance.rules.events import NightEnded

SAND_KEPT_EVERY = 5.0
"""Seconds between two notes of how much sand is left: so much of it is given back after a power cut."""


@dataclass(frozen=True, slots=True)
class Step:
    """Something that happened, and how the night stood before and after."""

    before: State | None
    events: tuple[Event, ...]
    after: State


@dataclass(frozen=True, slots=True)
class CutOff:
    """A night that was cut off."""

    state: State
    notes: Notes
    untold: tuple[Step, ...]
    """What was written and not told to its end."""


class Record:
    """One night after the other, each with how long it was played and what stood beside the rules."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._night: str | None = None
        """The one that is being played, or told, and could be cut off."""
        self._steps = 0
        self._told_to = 0
        self._is_over = False
        self._played = 0.0
        self._since: float | None = None
        """Since when it is played; None while it pauses."""
        self._noted = Notes()
        self._noted_at = 0.0

    @property
    def told_to(self) -> int:
        """The last step of the night that was told to its end."""
        return self._told_to

    @property
    def mark(self) -> Mark:
        """What is to follow the telling of the last step."""
        return Mark(str(self._night), self._steps)

    def go_on(self, now: float) -> CutOff | None:
        """Return the night that was cut off while it was played, or told, if any; go on with it."""
        night = self._journal.last()
        notes = read({} if night is None else night.notes)
        untold = () if night is None else _untold(night, notes)
        state = untold[-1].after if untold else None if night is None or night.outcome else night.state
        if night is None or state is None:
            return None
        self._night, self._played, self._since = night.uid, night.played, now
        self._steps, self._is_over = len(night.entries), night.outcome is not None
        self._told_to = self._steps - len(untold)
        return CutOff(state, notes, untold)

    def dealt(self, begin: Begin, seeds: Callable[[], int]) -> Begin:
        """Return *begin* with a seed; cards that were seen lately are avoided."""
        if begin.seed is not None:
            return begin
        tried = (seeds() for _ in itertools.count())
        return choose_fresh_deal(begin, tried, self._journal.recently_seen_cards(begin.edition.name))

    def begin(self, begin: Begin, now: float, *, language: str, names: Mapping[str, str]) -> None:
        """Begin to write the night of *begin*."""
        self._night = self._journal.begin_night(begin.edition, language=language, names=names)
        self._played, self._since = 0.0, now
        self._steps, self._told_to, self._is_over = 0, 0, False

    def write(self, command: Command, events: Sequence[Event], notes: Notes, now: float, *, seat: Seat) -> None:
        """Write down what *command* led to: it is on the disk when this returns."""
        played = self._played + (now - self._since if self._since is not None else 0.0)
        self._journal.append(str(self._night), command, events, seat=seat, played=played, notes=written(notes))
        self._noted, self._noted_at = notes, now
        self._steps += 1
        self._is_over = any(isinstance(event, NightEnded) for event in events)

    def note(self, notes: Notes, now: float, *, at_once: bool = False) -> None:
        """Write *notes* down where they say more than the last; the sand alone only now and then."""
        if self._night is None:
            return
        if self._is_over:
            notes = replace(self._noted, told_to=notes.told_to)  # what is said afterwards is of another night
        ran = notes.sand_left != self._noted.sand_left and now - self._noted_at >= SAND_KEPT_EVERY
        if at_once or ran or notes.say_more_than(self._noted):
            for key, value in written(notes).items():
                self._journal.note(self._night, key, value)
            self._noted, self._noted_at = notes, now

    def told(self, night: str, step: int) -> None:
        """Remember that *night* was told up to *step*, if it is this one."""
        if night == self._night:
            self._told_to = max(step, self._told_to)

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


def _untold(night: Night, notes: Notes) -> tuple[Step, ...]:
    """Return the steps of *night* that were not told to their end."""
    if notes.told_to is None or notes.told_to >= len(night.entries):
        return ()
    before, steps = None, list[Step]()
    for entry, after in night.states():
        steps.append(Step(before, entry.events, after))
        before = after
    return tuple(steps[notes.told_to :])


def _fault(news: t.News) -> Fault:
    return _NEWS[news.kind] if news.fault is None else _DISK.get(news.fault, Fault.DISK_FAILING)


_NEWS: Mapping[t.NewsKind, Fault] = {
    t.NewsKind.SET_ASIDE: Fault.JOURNAL_DAMAGED,
    t.NewsKind.WRITTEN_AGAIN: Fault.DISK_BACK,
    t.NewsKind.UNREADABLE: Fault.NIGHT_UNREADABLE,
}
_DISK: Mapping[t.DiskFault, Fault] = {t.DiskFault.FULL: Fault.DISK_FULL, t.DiskFault.READ_ONLY: Fault.DISK_READ_ONLY}
"""Why nothing can be written, where it is known."""
