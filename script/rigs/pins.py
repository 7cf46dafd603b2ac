"""The simulated GPIO chip from outside: reads lines, presses buttons, traces changes with the kernel's tracer."""

import itertools
import re
from dataclasses import dataclass

from guest import Guest
from processes import wait_for
from report import CheckFailed

TRACING = "/sys/kernel/tracing"
_CHANGE = re.compile(r"^.+-\d+\s+\(\s*(?P<pid>\d+)\).*?\s(?P<at>\d+\.\d+): gpio_value: \d+ set (?P<level>[01])")
_SKIP_REPEATS = r"""awk 'match($0, /\([ 0-9-]+\)/) { who = substr($0, RSTART, RLENGTH) } who $NF != last { print } { last = who $NF }'"""
"""Drops lines with the same process and level as before: a resting coil is driven low all the time."""


@dataclass(frozen=True)
class Change:
    """A process drove a line."""

    at: float
    """Seconds since boot."""
    level: int
    pid: int
    """Of the process, whichever of its threads did it."""


class Pins:
    """The lines of a machine, by their GPIO numbers on a Raspberry Pi."""

    def __init__(self, machine: Guest) -> None:
        self._machine = machine
        find = "grep -l pinctrl-bcm2835 /sys/class/gpio/gpiochip*/label"
        self._base = int(machine.run(f"cat $(dirname $({find}))/base"))

    def level(self, line: int) -> int:
        """Return 1 if a line is high, else 0."""
        return int(self._machine.run(f"cat /run/rig-lines/sim_gpio{line}/value"))

    def share_high(self, lines: list[int], seconds: float) -> list[float]:
        """Return the share of time for which each line is high within *seconds*: a breathing lamp is dark at times."""
        answer = self._machine.ask({"watch": lines, "seconds": seconds}, seconds=seconds + 60)
        return list(answer["high"])

    def press(self, line: int) -> None:
        """Press a button briefly."""
        self._machine.ask({"press": line})

    def trace(self, line: int) -> None:
        """Start a new trace of the changes of *line*."""
        self._machine.run(
            f"cd {TRACING} && echo mono >trace_clock && echo 'gpio == {self._base + line}' >events/gpio/filter"
            " && echo 1 >options/record-tgid && echo 1 >events/gpio/enable && echo 1 >tracing_on && echo >trace"
        )

    def changes(self) -> list[Change]:
        """Return the changes of the traced line's level or of the process that drives it, in order."""
        found = map(_CHANGE.match, self._machine.run(f"grep gpio_value {TRACING}/trace | {_SKIP_REPEATS}").splitlines())
        return [Change(float(one["at"]), int(one["level"]), int(one["pid"])) for one in found if one]

    def pulses(self) -> list[float]:
        """Return the lengths of all finished pulses of the traced line (seconds)."""
        return [after.at - before.at for before, after in self._pairs() if before.level and not after.level]

    def await_pulses(self, count: int, seconds: float = 60) -> list[float]:
        """Return the pulses when there are *count* and 0.8 s have passed, so that one too many is seen."""
        try:
            wait_for(f"{count} pulses of the coil", lambda: len(self.pulses()) >= count, seconds)
        except CheckFailed as late:
            raise CheckFailed(f"{late}, but {self.changes()}") from None
        began = float(self._machine.run("cut -d' ' -f1 /proc/uptime"))
        wait_for("quiet", lambda: float(self._machine.run("cut -d' ' -f1 /proc/uptime")) > began + 0.8, seconds)
        return self.pulses()

    def _pairs(self) -> list[tuple[Change, Change]]:
        changes: list[Change] = []
        for change in self.changes():
            if not changes or changes[-1].level != change.level:
                changes.append(change)
        return list(itertools.pairwise(changes))
