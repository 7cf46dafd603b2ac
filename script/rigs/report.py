"""Counts and prints the checks of the rig; after a failed one the next ones are still run."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager


class CheckFailed(Exception):
    """A check did not hold."""


class RigFailed(Exception):
    """The machine does not work: nothing after this can be checked."""


class Unsupported(Exception):
    """This computer's kernel lacks a feature that the part needs."""


class Report:
    """Counts checks, and prints each as it ends."""

    def __init__(self) -> None:
        self.passed: list[str] = []
        self.failed: list[str] = []
        self.skipped: list[str] = []
        self.flaky: list[str] = []
        self._began = time.monotonic()

    def say(self, text: str) -> None:
        """Print *text* with the time since the beginning."""
        sys.stdout.write(f"[{time.monotonic() - self._began:5.0f} s] {text}\n")
        sys.stdout.flush()

    @contextmanager
    def check(self, fact: str) -> Iterator[list[str]]:
        """Count *fact* as passed unless the block raises CheckFailed; details put in the list are printed with it."""
        details: list[str] = []
        try:
            yield details
        except (CheckFailed, RigFailed) as why:
            self.failed.append(f"{fact}: {why}")
            self.say(f"FAILED  {fact}: {why}")
            if isinstance(why, RigFailed):
                raise
        else:
            self.passed.append(fact)
            self.say(f"ok      {fact}{': ' if details else ''}{', '.join(details)}")

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Run one part of the rig; an exception that ends it early is printed and counted."""
        self.say(f"--- {name} (load {os.getloadavg()[0]:.1f})")
        before = len(self.failed)
        try:
            yield
        except Unsupported as why:
            self.skipped.append(f"{name}: {why}")
            self.say(f"skipped: {name}: {why}")
        except (CheckFailed, RigFailed) as why:
            if len(self.failed) == before:
                self.failed.append(f"{name}: {why}")
                self.say(f"FAILED  {name}: {why}")

    def retry_since(self, since: tuple[int, int]) -> None:
        """Discard the checks *since* these counts, and list the failed ones as flaky: they are run again."""
        passed, failed = since
        self.flaky += self.failed[failed:]
        del self.passed[passed:], self.failed[failed:]

    @property
    def counts(self) -> tuple[int, int]:
        """The numbers of checks that passed and failed."""
        return len(self.passed), len(self.failed)

    def close(self) -> int:
        """Print the totals and return the exit code."""
        for fact in self.failed:
            sys.stdout.write(f"FAILED  {fact}\n")
        for fact in self.flaky:
            sys.stdout.write(f"only at a second try: {fact}\n")
        for reason in self.skipped:
            sys.stdout.write(f"skipped: {reason}\n")
        took = time.monotonic() - self._began
        sys.stdout.write(f"rig: {len(self.passed)} passed, {len(self.failed)} failed in {took:.0f} s\n")
        return 1 if self.failed else 0


def require(fact: bool, why: str) -> None:
    """Raise CheckFailed with *why* unless *fact* holds."""
    if not fact:
        raise CheckFailed(why)
