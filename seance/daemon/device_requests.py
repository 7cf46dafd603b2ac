"""Signals of other devices of the house, which reach it by MQTT: a line, sand, a knock, a command of the game."""

from dataclasses import dataclass

from seance.daemon.signals import Signal
from seance.permissions import Action, Source, command_action
from seance.rules import Command, Seat, wire_name

MAX_SAND_S = 3600
"""Seconds, as in the settings."""


@dataclass(frozen=True, slots=True)
class DeviceRequest(Signal):
    """Something that a device asks for."""


@dataclass(frozen=True, slots=True)
class LineRequest(DeviceRequest):
    """The narrator shall say *text*."""

    text: str
    source: Source = Source.MQTT

    @property
    def wish(self) -> tuple[Action, Source]:
        """Return what is wished, and from where."""
        return Action.NARRATE, self.source


@dataclass(frozen=True, slots=True)
class SandRequest(DeviceRequest):
    """Sand shall be added or taken, or a certain amount be left."""

    seconds: float
    is_added: bool
    """Whether they are added to what is left, or taken if they are negative."""
    source: Source = Source.MQTT

    @property
    def wish(self) -> tuple[Action, Source]:
        """Return what is wished, and from where."""
        return Action.CHANGE_SAND, self.source

    def left_after(self, left_s: float) -> float:
        """Return the seconds that shall be left where *left_s* are."""
        return max(0.0, min(MAX_SAND_S, self.seconds + (left_s if self.is_added else 0.0)))


@dataclass(frozen=True, slots=True)
class KnockRequest(DeviceRequest):
    """The house shall knock."""

    count: int = 1
    source: Source = Source.MQTT

    @property
    def wish(self) -> tuple[Action, Source]:
        """Return what is wished, and from where."""
        return Action.KNOCK, self.source


@dataclass(frozen=True, slots=True)
class GameRequest(DeviceRequest):
    """A command of the game."""

    command: Command
    source: Source = Source.MQTT

    @property
    def wish(self) -> tuple[Action, Source]:
        """Return what is wished, and from where."""
        name = wire_name(type(self.command))
        return command_action(name, is_ghosts=Seat.ROOM not in self.command.seats), self.source
