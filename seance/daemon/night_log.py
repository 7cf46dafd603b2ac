"""The log of the current night: appends steps and snapshots to the journal, and finds a night that was interrupted."""

import itertools
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from seance.chronicle.guest_changes import JOURNAL_KEY as GUESTS_KEY
from seance.chronicle.guest_changes import GuestChange, read_guest_changes
from seance.daemon.snapshot import Snapshot, from_journal, to_journal
from seance.dialogue.faults import Fault
from seance.journal import Journal, Night, choose_fresh_deal
from seance.journal import errors as t
from seance.narration.cues import Mark
from seance.rules import Begin, Command, Event, Seat, State
from seance.rules.events import NightEnded

log = logging.getLogger(__name__)

SAND_SAVE_INTERVAL_S = 5.0
"""Seconds between two snapshots while only the sand runs: at most this much sand is given back after a power cut."""


@dataclass(frozen=True, slots=True)
class LoggedStep:
    """The events of one command, with the state before and after."""

    before: State | None
    events: tuple[Event, ...]
    after: State


@dataclass(frozen=True, slots=True)
class InterruptedNight:
    """A night that was interrupted while it was played or told."""

    state: State
    snapshot: Snapshot
    untold: tuple[LoggedStep, ...]
    """Steps that were written and not told to the end."""


class NightLog:
    """Writes one night after the other, each with its snapshot and its playing time."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._night: str | None = None
        """The night that is being played or told; None before the first."""
        self._steps = 0
        self._last_told_step = 0
        self._is_over = False
        self._played_s = 0.0
        self._running_since: float | None = None
        """None while the night is paused."""
        self._guests: tuple[GuestChange, ...] = ()
        self._saved = Snapshot()
        self._saved_at = 0.0

    @property
    def last_told_step(self) -> int:
        """The last step of the night that was told to the end; 0 before the first."""
        return self._last_told_step

    @property
    def is_told(self) -> bool:
        """Whether every step of the night was told to the end."""
        return self._last_told_step >= self._steps

    @property
    def mark(self) -> Mark:
        """The cue that follows the cues of the last step."""
        return Mark(str(self._night), self._steps)

    def resume_interrupted(self, now: float) -> InterruptedNight | None:
        """Return the last night if it was interrupted, and continue to write it."""
        night = self._journal.last()
        snapshot = from_journal({} if night is None else night.notes)
        untold = () if night is None else _untold_steps(night, snapshot)
        state = untold[-1].after if untold else None if night is None or night.outcome else night.state
        if night is None or state is None:
            return None
        self._night, self._played_s, self._running_since = night.uid, night.played, now
        self._steps, self._is_over = len(night.entries), night.outcome is not None
        self._last_told_step = self._steps - len(untold)
        self._guests = read_guest_changes(night.notes)
        return InterruptedNight(state, snapshot, untold)

    def with_seed(self, begin: Begin, draw_seed: Callable[[], int]) -> Begin:
        """Return *begin* with a seed whose cards were not seen lately; a seed that is given stays."""
        if begin.seed is not None:
            return begin
        seeds = (draw_seed() for _ in itertools.count())
        return choose_fresh_deal(begin, seeds, self._journal.recently_seen_cards(begin.edition.name))

    def begin_night(self, begin: Begin, now: float, *, language: str, names: Mapping[str, str]) -> None:
        """Begin to write the night of *begin*."""
        self._night = self._journal.begin_night(begin.edition, language=language, names=names)
        self._played_s, self._running_since = 0.0, now
        self._steps, self._last_told_step, self._is_over = 0, 0, False
        self._guests = ()

    def append(self, command: Command, events: Sequence[Event], snapshot: Snapshot, now: float, *, seat: Seat) -> None:
        """Write *command* and its *events*; they are on disk when this returns."""
        played = self._played_s + (now - self._running_since if self._running_since is not None else 0.0)
        self._journal.append(str(self._night), command, events, seat=seat, played=played, notes=to_journal(snapshot))
        self._saved, self._saved_at = snapshot, now
        self._steps += 1
        self._is_over = any(isinstance(event, NightEnded) for event in events)

    def save_snapshot(self, snapshot: Snapshot, now: float, *, at_once: bool = False) -> None:
        """Write *snapshot* if it differs from the last; if only the sand has run, once in SAND_SAVE_INTERVAL_S."""
        if self._night is None:
            return
        if self._is_over:
            # What is said after the end belongs to another night.
            snapshot = msgspec.structs.replace(self._saved, last_told_step=snapshot.last_told_step)
        sand_ran = snapshot.sand_left_s != self._saved.sand_left_s and now - self._saved_at >= SAND_SAVE_INTERVAL_S
        if at_once or sand_ran or snapshot.differs_beyond_time(self._saved):
            for key, value in to_journal(snapshot).items():
                self._journal.note(self._night, key, value)
            self._saved, self._saved_at = snapshot, now

    def note_guest(self, change: GuestChange) -> None:
        """Write that a guest left or came, unless that was written last of this psychic."""
        before = [each.has_left for each in self._guests if each.psychic is change.psychic][-1:]
        if self._night is None or self._is_over or before == [change.has_left]:
            return
        self._guests += (change,)
        self._journal.note(self._night, GUESTS_KEY, [each.to_note() for each in self._guests])

    def mark_told(self, night: str, step: int) -> None:
        """Remember that *night* was told up to *step*, if it is the current one."""
        if night == self._night:
            self._last_told_step = max(step, self._last_told_step)

    def pause(self, now: float) -> None:
        """Stop counting playing time at *now*."""
        if self._running_since is not None:
            self._played_s, self._running_since = self._played_s + now - self._running_since, None

    def resume(self, now: float) -> None:
        """Count playing time again from *now*."""
        self._running_since = now

    def flush(self) -> None:
        """Write what the disk has refused so far."""
        if self._journal.unwritten:
            self._journal.flush()

    def take_faults(self) -> tuple[Fault, ...]:
        """Return the journal's faults that the host has not been told yet."""
        news = self._journal.news()
        for each in news:
            log.warning("%s", each.text)  # which night, and what of it: the host is told less
        return tuple(_fault(each) for each in news)


def _untold_steps(night: Night, snapshot: Snapshot) -> tuple[LoggedStep, ...]:
    """Return the steps of *night* that were not told to the end."""
    if snapshot.last_told_step is None or snapshot.last_told_step >= len(night.entries):
        return ()
    before, steps = None, list[LoggedStep]()
    for entry, after in night.states():
        steps.append(LoggedStep(before, entry.events, after))
        before = after
    return tuple(steps[snapshot.last_told_step :])


def _fault(news: t.News) -> Fault:
    return _FAULT_OF_NEWS[news.kind] if news.fault is None else _FAULT_OF_DISK.get(news.fault, Fault.DISK_FAILING)


_FAULT_OF_NEWS: Mapping[t.NewsKind, Fault] = {
    t.NewsKind.SET_ASIDE: Fault.JOURNAL_DAMAGED,
    t.NewsKind.WRITTEN_AGAIN: Fault.DISK_BACK,
    t.NewsKind.UNREADABLE: Fault.NIGHT_UNREADABLE,
}
_FAULT_OF_DISK: Mapping[t.DiskFault, Fault] = {
    t.DiskFault.FULL: Fault.DISK_FULL,
    t.DiskFault.READ_ONLY: Fault.DISK_READ_ONLY,
}
"""The known causes of a failed write; any other is DISK_FAILING."""
