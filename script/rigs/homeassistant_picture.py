"""A picture of a device's page in Home Assistant, by headless Chromium."""

import io
import json
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

CHROMIUM = "/usr/bin/chromium"
WIDTH, HEIGHT = 1280, 1860
CARDS = {"x": 138, "y": 100, "width": 672, "height": HEIGHT - 110}
"""Where the device's cards are."""


def take_picture(url: str, tokens: dict[str, Any], device: str, into: Path) -> None:
    """Save what the page of *device* shows to its owner, as the WebP *into*."""
    session = {**tokens, "hassUrl": url, "clientId": f"{url}/", "expires": 2**52}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.add_init_script(
            f"localStorage.setItem('hassTokens', {json.dumps(json.dumps(session))});"
            "localStorage.setItem('dockedSidebar', '\"always_hidden\"');"
        )
        page.goto(f"{url}/config/devices/device/{device}")
        page.get_by_text("Sand left").first.wait_for(timeout=180_000)
        page.locator("ha-state-icon svg path").nth(20).wait_for(state="attached", timeout=180_000)
        shown = page.screenshot(clip=CARDS)
        browser.close()
    Image.open(io.BytesIO(shown)).save(into, "WEBP", quality=80)
