"""An evening played on from a moment of another, to learn what would be said; nothing of it is written or told."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from seance.daemon.context import EveningContext
from seance.daemon.evening import Evening
from seance.daemon.night_log import NightLog
from seance.daemon.night_runner import Moment
from seance.daemon.signals import Signal
from seance.daemon.silence import SilenceTimer
from seance.daemon.snapshot import Snapshot
from seance.dialogue.conversation import Defaults
from seance.dialogue.faults import Fault
from seance.narration.cues import Cue
from seance.rules import Begin, Command, Event, Seat


class UnwrittenLog(NightLog):
    """A night log that writes nothing."""

    def with_seed(self, begin: Begin, draw_seed: Callable[[], int]) -> Begin:
        """Return *begin* with a seed."""
        return replace(begin, seed=draw_seed()) if begin.seed is None else begin

    def begin_night(self, begin: Begin, now: float, *, language: str, names: Mapping[str, str]) -> None:
        """Do nothing."""

    def append(self, command: Command, events: Sequence[Event], snapshot: Snapshot, now: float, *, seat: Seat) -> None:
        """Do nothing."""

    def save_snapshot(self, snapshot: Snapshot, now: float, *, at_once: bool = False) -> None:
        """Do nothing."""

    def flush(self) -> None:
        """Do nothing."""

    def take_faults(self) -> tuple[Fault, ...]:
        """Return nothing."""
        return ()


class Rehearsal(Evening):
    """An evening from *moment* on."""

    def __init__(self, context: EveningContext, moment: Moment, *, seed: int = 0) -> None:
        """Deal the cards of a night that begins by *seed*."""
        self.has_dealt = False
        """Whether cards were dealt, which another seed deals otherwise."""
        super().__init__(replace(context, draw_seed=lambda: self._deal(seed)), UnwrittenLog(context.journal))
        self.has_dealt = False
        self._now, self._silence = moment.now, SilenceTimer(moment.now)
        self._narrator.restore(moment.style, moment.snapshot.memory)
        self._restore(moment.state, moment.snapshot)

    @property
    def defaults(self) -> Defaults:
        """What is played where nobody says otherwise."""
        return self._defaults

    def perceive(self, signal: Signal, *, after_s: float) -> tuple[Cue, ...]:
        """Return the cues that follow *signal* if it comes *after_s* seconds from now."""
        return self.receive(signal, self._now + after_s)

    def _deal(self, seed: int) -> int:
        self.has_dealt = True
        return seed
