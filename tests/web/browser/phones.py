"""Whole nights with a phone for the ghost and each player, of any edition and number of players."""

import json
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import httpx
from playwright.sync_api import BrowserContext, Page, expect

from seance.daemon.world.page_texts import load_page_words
from seance.rules import EDITIONS
from tests.web.browser.seats import Ghost

PATIENCE_MS = 45_000
SECRET_KEYS = frozenset({"secret", "hand", "culprit", "serve", "may", "ballots"})
"""Keys of a state that only the ghost's page may have before the end."""


class PsychicPhone:
    """A player's phone, which plays for one psychic or two."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self._address = page, address

    def sits(self, psychic: str) -> "PsychicPhone":
        self.page.goto(f"{self._address}/seat")
        self.page.locator(f"[data-seat={psychic}]").tap()
        expect(self.page.locator("#seat")).to_be_visible()
        return self

    @property
    def psychics(self) -> list[str]:
        found: list[str] = self.page.locator("#who [data-psychic]").evaluate_all(
            "all => all.map(a => a.dataset.psychic)"
        )
        return found

    def plays(self, psychic: str) -> None:
        """Act for *psychic* from now on."""
        self.page.locator(f"#who [data-psychic={psychic}]").tap()
        expect(self.page.locator(f"#who [data-psychic={psychic}]")).to_have_attribute("aria-pressed", "true")

    def chooses(self, psychic: str, card: int) -> None:
        self.plays(psychic)
        button = self.page.locator(f"[data-card='{card}']")
        button.tap()
        expect(button).to_have_attribute("aria-pressed", "true")

    def may(self, what: str) -> bool:
        """Tell whether *what* can be touched now."""
        return self.page.locator(what).count() > 0

    def clicks_if_there(self, what: str) -> bool:
        """Click *what* unless it has just gone, and tell whether it was there."""
        script = "what => { const found = document.querySelector(what); found?.click(); return Boolean(found); }"
        return bool(self.page.evaluate(script, what))

    def touches(self, what: str) -> None:
        self.page.locator(what).first.tap()


class Spy:
    """Reads every state of a stream, as anybody with that phone could."""

    def __init__(self, address: str, path: str, context: BrowserContext) -> None:
        self.states: list[dict[str, Any]] = []
        self.lines: list[str] = []
        """What was sent, as it came."""
        self.name = path
        cookies = {each["name"]: each["value"] for each in context.cookies() if "name" in each}
        self._http = httpx.Client(base_url=address, timeout=None, cookies=cookies)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            with self._http.stream("GET", self.name) as response:
                for line in response.iter_lines():
                    self.lines.append(line)
                    if line.startswith("data:"):
                        self.states.append(json.loads(line[5:]))
        except httpx.HTTPError:
            return

    def secrets(self, *, votes_are_open: bool = False) -> list[str]:
        """Return what was sent before the end of a night that the room may not know."""
        found = []
        for state in self.states:
            night = state.get("night") or {}
            if night.get("outcome"):
                continue
            found += [f"{self.name}: {key}" for key in sorted(SECRET_KEYS & set(_keys(state)))]
            if night.get("votes") and not night.get("readers") and not votes_are_open:
                found.append(f"{self.name}: votes before the reading")
        return found


def _keys(value: Any) -> list[str]:
    """Return the keys of *value* that hold something, at any depth; texts are left out."""
    if isinstance(value, Mapping):
        own = [key for key, each in value.items() if each not in (None, (), [], {}, "")]
        return own + [key for name, each in value.items() if name != "words" for key in _keys(each)]
    return [key for each in value for key in _keys(each)] if isinstance(value, list) else []


class PhoneNight:
    """Plays a night by touch; what psychics ought to choose is read from the ghost's page."""

    def __init__(self, ghost: Ghost, phones: Sequence[PsychicPhone], *, edition: str, language: str = "en") -> None:
        self.ghost, self.phones, self.edition = ghost, list(phones), EDITIONS[edition]
        self._look: Callable[[], None] = lambda: None
        words = load_page_words(language).of(edition)
        self._phases = {text: key.removeprefix("phase_") for key, text in words.items() if key.startswith("phase_")}

    @property
    def phase(self) -> str:
        """The phase that the ghost's page shows, or `over` when the seat is free again."""
        if self.ghost.page.locator("#sit").is_visible():
            return "over"
        return self._phases[self.ghost.phase.inner_text()]

    def play(self, on_phase: Callable[[], None] = lambda: None) -> list[str]:
        """Play to the end, calling *on_phase* as each phase begins and at each vote, and return the phases."""
        phases = []
        self._look = on_phase
        while (phase := self.phase) != "over":
            phases.append(phase)
            on_phase()
            getattr(self, f"play_{phase}")()
            self.until_not(phase)
        return phases

    def until_not(self, phase: str) -> None:
        """Wait until the ghost's page shows another phase than *phase*."""
        name = next(text for text, key in self._phases.items() if key == phase)
        self.ghost.page.wait_for_function(
            "name => document.querySelector('#seat').hidden || document.querySelector('#phase').textContent !== name",
            arg=name,
        )

    def searching(self) -> list[tuple[PsychicPhone, str]]:
        """Return who still searches, with their phones."""
        own = [(phone, psychic) for phone in self.phones for psychic in phone.psychics]
        return [(phone, psychic) for phone, psychic in own if self.ghost.row(psychic).locator(".sought").count()]

    def play_visions(self) -> None:
        searching = self.searching()
        for _, psychic in searching:
            self.ghost.gives(psychic)
        if self.edition.sand_seconds is not None:
            self.ghost.touches("turn")

    def play_interpretation(self) -> None:
        for phone, psychic in self.searching():
            phone.chooses(psychic, self.ghost.sought(psychic))
        expect(self.phones[0].page.locator("#all-chosen")).to_be_visible()
        self.phones[0].touches("#all-chosen")

    def play_manifestation(self) -> None:
        for _, psychic in self.searching():
            self.ghost.reveals(psychic)

    def play_lineup(self) -> None:
        self.ghost.chooses(self.phones[-1].psychics[0])
        self.ghost.touches("culprit")
        self.ghost.means_it()

    def play_shared_vision(self) -> None:
        self.ghost.touches("lay")
        self.ghost.means_it()

    @property
    def culprit(self) -> int:
        """The group that did it, as the ghost's page marks it."""
        marked = self.ghost.page.locator(".psychic .group", has_text="★").inner_text()
        return int(re.sub(r"\D", "", marked))

    def play_vote(self) -> None:
        group = f"[data-group='{self.culprit}']"
        for _ in range(len(self.phones) * PATIENCE_MS // 100):
            if self.phase != "vote":
                return
            for phone in self.phones:
                if not phone.clicks_if_there("#yes") and phone.clicks_if_there(f"{group}:not([aria-pressed=true])"):
                    phone.clicks_if_there("#seal")
            self._look()
            self.ghost.page.wait_for_timeout(100)
        raise AssertionError("the vote never ends")

    def play_eldest(self) -> None:
        self.phones[0].touches("[data-eldest]")

    def play_accusation(self) -> None:
        group = f"[data-group='{self.culprit}']"
        for phone in self.phones:
            for psychic in phone.psychics:
                phone.plays(psychic)
                if phone.page.locator(group).get_attribute("aria-pressed") != "true":
                    phone.touches(group)
                    expect(phone.page.locator(group)).to_have_attribute("aria-pressed", "true")
        self.phones[0].touches("#accuse")
        self.ghost.page.wait_for_timeout(300)
        if self.phase == "accusation" and self.phones[0].may("#yes"):
            self.phones[0].touches("#yes")
