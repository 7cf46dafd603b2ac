"""What was checked and how it went; a check that fails does not hide those after it."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Broken(Exception):
    """A fact that should hold does not."""


class CannotGoOn(Exception):
    """The machine itself is not there: nothing after this can be checked."""


class Impossible(Exception):
    """This computer's kernel cannot do it, whoever asks."""


class Report:
    """Counts facts, and prints each as it is found."""

    def __init__(self) -> None:
        self.passed: list[str] = []
        self.failed: list[str] = []
        self.skipped: list[str] = []
        self.unsteady: list[str] = []
        self._began = time.monotonic()

    def say(self, text: str) -> None:
        """Print *text* with the time since the beginning."""
        sys.stdout.write(f"[{time.monotonic() - self._began:5.0f} s] {text}\n")
        sys.stdout.flush()

    @contextmanager
    def check(self, fact: str) -> Iterator[list[str]]:
        """Count *fact* as passed unless the block raises Broken; what is put in the list is told with it."""
        told: list[str] = []
        try:
            yield told
        except (Broken, CannotGoOn) as why:
            self.failed.append(f"{fact}: {why}")
            self.say(f"FAILED  {fact}: {why}")
            if isinstance(why, CannotGoOn):
                raise
        else:
            self.passed.append(fact)
            self.say(f"ok      {fact}{': ' if told else ''}{', '.join(told)}")

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Hold one part of the rig; what ends it early is told, and counts."""
        self.say(f"--- {name} (load {os.getloadavg()[0]:.1f})")
        before = len(self.failed)
        try:
            yield
        except Impossible as why:
            self.skipped.append(f"{name}: {why}")
            self.say(f"skipped: {name}: {why}")
        except (Broken, CannotGoOn) as why:
            if len(self.failed) == before:
                self.failed.append(f"{name}: {why}")
                self.say(f"FAILED  {name}: {why}")

    def try_again(self, since: tuple[int, int]) -> None:
        """Take back all that was found *since*: what failed is told as unsteady, for it is tried once more."""
        passed, failed = since
        self.unsteady += self.failed[failed:]
        del self.passed[passed:], self.failed[failed:]

    @property
    def so_far(self) -> tuple[int, int]:
        """How many facts have passed and failed."""
        return len(self.passed), len(self.failed)

    def close(self) -> int:
        """Print the sum and return the exit code."""
        for fact in self.failed:
            sys.stdout.write(f"FAILED  {fact}\n")
        for fact in self.unsteady:
            sys.stdout.write(f"only at a second try: {fact}\n")
        for reason in self.skipped:
            sys.stdout.write(f"skipped: {reason}\n")
        took = time.monotonic() - self._began
        sys.stdout.write(f"rig: {len(self.passed)} passed, {len(self.failed)} failed in {took:.0f} s\n")
        return 1 if self.failed else 0


def insist(fact: bool, why: str) -> None:
    """Raise Broken with *why* unless *fact* holds."""
    if not fact:
        raise Broken(why)
