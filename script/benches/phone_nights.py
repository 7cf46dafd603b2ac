"""Plays whole nights with a phone for the ghost and each player in Chromium, and tells how long each took."""

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, product
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from seance.dialogue.phrasing import phrase_setup, phrase_word
from seance.languages import language_codes
from seance.rules import EDITIONS, Psychic
from seance.rules import commands as c
from tests.web.browser.conftest import ARGUMENTS, CHROMIUM, PATIENCE
from tests.web.browser.phones import PhoneNight, PsychicPhone
from tests.web.browser.seance_process import SeanceProcess
from tests.web.browser.seats import Ghost, Guest

PLAYERS = (2, 3, 5, 7)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedNight:
    """How a night went."""

    edition: str
    players: int
    language: str
    phones: int
    seconds: float
    ended: str
    """How it ended, as the table's page tells it, or the error that ended it."""


def play_nights(*, quick: bool, only: str | None = None) -> Iterator[PlayedNight]:
    """Play every edition with every number of players it allows, in each language in turn; *quick* plays the first alone."""
    tables = [
        (edition, players)
        for edition, players in product(EDITIONS, PLAYERS)
        if players in EDITIONS[edition].players and only in (None, edition)
    ]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for (edition, players), language in zip(tables[:1] if quick else tables, cycle(language_codes()), strict=False):
            yield _play(browser, edition, players, language)
        browser.close()


def _play(browser: Browser, edition: str, players: int, language: str) -> PlayedNight:
    with tempfile.TemporaryDirectory() as folder:
        house, began = SeanceProcess(Path(folder), language=language), time.monotonic()
        phones: list[PsychicPhone] = []
        try:
            table = Guest(_page(browser, 1920, 1080)).sits(house.address)
            ghost = Ghost(_page(browser, 360, 640)).asks(house.address)
            table.says(phrase_word("yes", language))
            ghost.is_seated()
            rules = EDITIONS[edition]
            psychics = tuple(Psychic)[: rules.psychics(players)]
            setup = c.Begin(edition=rules, players=players, level="easy", psychics=psychics)
            for sentence in (
                phrase_word("begin", language),
                phrase_setup(setup, language),
                phrase_word("yes", language),
            ):
                table.says(sentence)
            expect(table.page.locator(".psychics")).to_be_visible()
            table.says(phrase_word("ready", language))
            choice = PsychicPhone(_page(browser, 360, 640), house.address)
            choice.page.goto(f"{house.address}/seat")
            expect(choice.page.locator("[data-seat]").first).to_be_visible()
            seats = choice.page.locator("[data-seat]").evaluate_all("all => all.map(each => each.dataset.seat)")
            phones = [PsychicPhone(_page(browser, 360, 640), house.address).sits(seat) for seat in seats]
            PhoneNight(ghost, phones, edition=edition, language=language).play()
            expect(table.page.locator(".outcome")).to_be_visible()
            ended = table.page.locator(".outcome").inner_text().replace("\n", " ")
        except Exception as error:
            ended = f"failed: {str(error).splitlines()[0]}"
        finally:
            for context in browser.contexts:
                context.close()
            house.end()
    seconds = time.monotonic() - began
    return PlayedNight(
        edition=edition, players=players, language=language, phones=len(phones) + 1, seconds=seconds, ended=ended
    )


def _page(browser: Browser, width: int, height: int) -> Page:
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    return context.new_page()
