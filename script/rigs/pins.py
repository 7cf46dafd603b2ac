"""The outside of the made-up chip: lines that are read, buttons that are pressed, and every change as the kernel saw it."""

import itertools
import re
from dataclasses import dataclass

from chores import wait_for
from guest import Guest
from report import Broken

TRACING = "/sys/kernel/tracing"
_CHANGE = re.compile(r"^.+-\d+\s+\(\s*(?P<pid>\d+)\).*?\s(?P<at>\d+\.\d+): gpio_value: \d+ set (?P<level>[01])")
_ONCE = r"""awk 'match($0, /\([ 0-9-]+\)/) { who = substr($0, RSTART, RLENGTH) } who $NF != last { print } { last = who $NF }'"""
"""Lets only lines through whose process or level is another than before: a coil that rests is driven low all the time."""


@dataclass(frozen=True)
class Change:
    """A program has driven a line."""

    at: float
    """Seconds since the machine was switched on."""
    level: int
    pid: int
    """The program's, whichever of its threads did it."""


class Pins:
    """The lines of a machine, by the numbers of a Raspberry Pi."""

    def __init__(self, machine: Guest) -> None:
        self._machine = machine
        find = "grep -l pinctrl-bcm2835 /sys/class/gpio/gpiochip*/label"
        self._base = int(machine.run(f"cat $(dirname $({find}))/base"))

    def level(self, line: int) -> int:
        """Return whether a line is high."""
        return int(self._machine.run(f"cat /run/rig-lines/sim_gpio{line}/value"))

    def share_high(self, lines: list[int], seconds: float) -> list[float]:
        """Return for which share of some time each line is high: a lamp that breathes is dark for a moment."""
        answer = self._machine.ask({"watch": lines, "seconds": seconds}, seconds=seconds + 60)
        return list(answer["high"])

    def press(self, line: int) -> None:
        """Press a button for a moment."""
        self._machine.ask({"press": line})

    def trace(self, line: int) -> None:
        """Forget all changes, and remember those of *line* from now on."""
        self._machine.run(
            f"cd {TRACING} && echo mono >trace_clock && echo 'gpio == {self._base + line}' >events/gpio/filter"
            " && echo 1 >options/record-tgid && echo 1 >events/gpio/enable && echo 1 >tracing_on && echo >trace"
        )

    def changes(self) -> list[Change]:
        """Return each time that a program has driven the line to another level, or after another one, in order."""
        found = map(_CHANGE.match, self._machine.run(f"grep gpio_value {TRACING}/trace | {_ONCE}").splitlines())
        return [Change(float(one["at"]), int(one["level"]), int(one["pid"])) for one in found if one]

    def pulses(self) -> list[float]:
        """Return how long the line was high each time (seconds); one that has not ended does not count."""
        return [after.at - before.at for before, after in self._pairs() if before.level and not after.level]

    def await_pulses(self, count: int, seconds: float = 60) -> list[float]:
        """Return the pulses when there are *count*, and none more in the time of two knocks after them."""
        try:
            wait_for(f"{count} pulses of the coil", lambda: len(self.pulses()) >= count, seconds)
        except Broken as late:
            raise Broken(f"{late}, but {self.changes()}") from None
        began = float(self._machine.run("cut -d' ' -f1 /proc/uptime"))
        wait_for("quiet", lambda: float(self._machine.run("cut -d' ' -f1 /proc/uptime")) > began + 0.8, seconds)
        return self.pulses()

    def _pairs(self) -> list[tuple[Change, Change]]:
        changes: list[Change] = []
        for change in self.changes():
            if not changes or changes[-1].level != change.level:
                changes.append(change)
        return list(itertools.pairwise(changes))
