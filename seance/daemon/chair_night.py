"""Who sits where around a microphone array: a guest who has moved is asked, and the host may move chairs."""

from collections.abc import Mapping
from functools import singledispatchmethod

from seance.daemon import chair_signals as cs
from seance.daemon.context import EveningContext
from seance.daemon.device_night import DeviceNight
from seance.daemon.night_log import NightLog
from seance.dialogue import chair_talk
from seance.dialogue import seat_replies as sr
from seance.narration.cues import MoveChair
from seance.rules import Psychic

GHOST_REMARK_INTERVAL_S = 600.0
"""Least time between two remarks that the ghost has been heard."""


class ChairNight(DeviceNight):
    """A night at whose table the house knows from where somebody speaks."""

    def __init__(self, context: EveningContext, night_log: NightLog | None = None) -> None:
        super().__init__(context, night_log)
        self.chairs_deg: Mapping[Psychic, float] = {}
        """Where guests sit, in degrees around the array, as far as that is known."""
        self._chair_change: cs.ChairChange | None = None
        """What the room has yet to be asked about."""
        self._ghost_remark_at: float | None = None

    @property
    def has_array(self) -> bool:
        """Whether the house has microphones that tell from where somebody speaks."""
        return self._context.devices.array

    @property
    def ghost_deg(self) -> float | None:
        """Where the ghost sits around them, in degrees, if the owner has told it."""
        return self._context.devices.ghost_deg

    @singledispatchmethod
    def _carry_out_chair(self, signal: cs.ChairSignal) -> None:
        raise TypeError(f"no handler for {type(signal).__name__}")

    @_carry_out_chair.register
    def _note_chairs(self, signal: cs.ChairsKnown) -> None:
        self.chairs_deg = signal.chairs_deg

    @_carry_out_chair.register
    def _note_chair_change(self, signal: cs.ChairChange) -> None:
        self._chair_change = signal

    @_carry_out_chair.register
    def _move_chair(self, signal: cs.ChairMove) -> None:
        self._narrator.add(MoveChair(signal.psychic, signal.direction_deg % 360))

    @_carry_out_chair.register
    def _remark_on_ghost(self, _signal: cs.GhostOverheard) -> None:
        """Remark that the ghost was heard, where it must be silent and the owner wants that."""
        room, last = self.room, self._ghost_remark_at
        if not self._context.remarks_on_ghost or room is None or room.outcome is not None:
            return
        is_idle = self.conversation.paused or self.conversation.asleep or self.conversation.laying_out
        is_too_soon = last is not None and self._now - last < GHOST_REMARK_INTERVAL_S
        if self.edition_of(room).silence_is_fatal and not is_idle and not is_too_soon:
            self._ghost_remark_at = self._now
            self._reply(sr.GhostHeard())

    def _ask_about_chair(self) -> None:
        """Ask whether a guest has changed seats, once nothing else is open."""
        change = self._chair_change
        if change is not None and chair_talk.may_ask(self.conversation):
            self._chair_change = None
            self._carry_out_step(chair_talk.ask(self.conversation, change.psychic, change.direction_deg))
