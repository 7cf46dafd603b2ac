#!/usr/bin/env python3
"""Take the pictures of the pages in docs/ anew: a night of five in a real house, seen by Debian's Chromium.

The type is best where a Palatino is installed: `apt-get install fonts-urw-base35`.
"""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # guests, ghosts and houses are those of the tests

from tests.web.browser.conftest import ARGUMENTS, CHROMIUM, SIZES  # noqa: E402
from tests.web.browser.phones import PsychicPhone  # noqa: E402
from tests.web.browser.seance_process import SeanceProcess  # noqa: E402
from tests.web.browser.seats import Ghost, Guest  # noqa: E402

PSYCHICS = ("blue", "white", "red", "yellow")
HEAVIEST = 150_000


def taken(page: Page, name: str, width: int) -> None:
    """Write what *page* shows into docs/*name*, *width* wide."""
    page.wait_for_timeout(700)  # until the knock has rung out
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    file = ROOT / "docs" / name
    picture.resize((width, width * picture.height // picture.width), Image.Resampling.LANCZOS).save(file, quality=88)
    if file.stat().st_size > HEAVIEST:
        raise SystemExit(f"{file} is too heavy: {file.stat().st_size} bytes")


def opened(browser: Browser, size: str) -> Page:
    width, height = SIZES[size]
    touch = size == "phone"
    return browser.new_context(
        viewport={"width": width, "height": height}, has_touch=touch, is_mobile=touch, device_scale_factor=2
    ).new_page()


def searched(guest: Guest, ghost: Ghost, *bets: str, wrong: str | None = None) -> None:
    """Let all choose, and bet; *wrong* chooses the card of another."""
    ghost.touches("turn")
    for psychic in PSYCHICS:
        guest.chooses(psychic, ghost.sought("red" if psychic == wrong else psychic))
    for bet in bets:
        guest.says(bet)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        house = SeanceProcess(Path(folder))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        guest = Guest(opened(browser, "laptop")).sits(house.address)
        television = opened(browser, "television")
        television.goto(f"{house.address}/table?tv")
        ghost = Ghost(opened(browser, "phone")).asks(house.address)
        guest.says("yes")
        guest.begins("we are five, medium, the usual rules, blue, white, red and yellow play")
        for psychic in PSYCHICS:
            ghost.gives(psychic)
        searched(guest, ghost, "yellow disagrees with white", wrong="white")
        guest.says("we are ready")
        for psychic in PSYCHICS:
            ghost.reveals(psychic)
        for psychic in PSYCHICS[:2]:
            ghost.gives(psychic)
        ghost.chooses("red")
        taken(ghost.page, "ghost-page.webp", 540)
        for psychic in PSYCHICS[2:]:
            ghost.gives(psychic)
        searched(guest, ghost, "white agrees with red", "blue agrees with red", "red disagrees with white")
        expect(television.locator(".bet")).to_have_count(3)
        taken(television, "television.webp", 1440)
        taken(guest.page, "table-page.webp", 1366)
        phone = Guest(opened(browser, "phone")).sits(house.address)
        taken(phone.page, "table-page-phone.webp", 540)
        psychic = PsychicPhone(opened(browser, "phone"), house.address).sits("white")
        taken(psychic.page, "psychic-page.webp", 540)
        browser.close()
        house.end()


if __name__ == "__main__":
    main()
