"""Looks for the secrets of a night where they do not belong: on screens, in streams, in the log, in the chronicle."""

import re
from collections.abc import Iterable, Sequence

import httpx
from playwright.sync_api import BrowserContext, Page

LOOK = """() => document.querySelector(".outcome") ? null
    : [document.body.innerText, document.documentElement.outerHTML]"""
"""What a page shows and what it is made of; None once it tells how the night has ended."""
LOGGED = re.compile(r"\bVote\(|\bculprit=|\bsecret=|\bhand=")
"""What a log line of a vote, the culprit or the ghost's cards has, as values are written into logs."""


class Secrets:
    """The secrets of one night, and where they were seen before they were told."""

    def __init__(self, trios: Iterable[Sequence[str]], devices: Iterable[BrowserContext]) -> None:
        """*trios* are the cards that psychics seek; the cookies of *devices* are their seats."""
        self._trios = [re.compile(r"\b{}, \b{}, \b{}\b".format(*trio)) for trio in trios]
        cookies = [each["value"] for device in devices for each in device.cookies() if "value" in each]
        self.keys = [part for cookie in cookies for part in cookie.split(".") if len(part) >= 16]
        self.found: list[str] = []

    def look_at(self, page: Page, *, trios: bool) -> None:
        """Look for the culprit's star, the key of any seat and, with *trios*, the cards that are sought."""
        if (seen := page.evaluate(LOOK)) is not None:
            shown, source = seen
            self.found += [f"{page.url}: the culprit"] if "★" in shown else []
            self.read(page.url, source)
            if trios:
                self.find_trios(page.url, shown)

    def read(self, where: str, text: str) -> None:
        """Look for the key of any seat in *text*."""
        self.found += [f"{where}: the key of a seat" for key in self.keys if key in text]

    def find_trios(self, where: str, text: str) -> None:
        """Look for cards that are sought in *text*."""
        self.found += [f"{where}: cards that are sought" for trio in self._trios if trio.search(text)]

    def read_log(self, lines: Sequence[str], *, trios: bool) -> None:
        """Look through *lines* of the terminal and the log."""
        for line in lines:
            self.found += [f"log: {line}"] if LOGGED.search(line) else []
            self.read("log", line)
            if trios:
                self.find_trios("log", line)

    def ask(self, address: str) -> None:
        """Look whether a night that is not over can be read already."""
        for path in ("/chronicle", "/replay/steps"):
            if httpx.get(f"{address}{path}").status_code != 404:
                self.found.append(f"{path}: the night is told")
