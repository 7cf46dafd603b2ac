"""First contentful paint and transfer size of each page, as Chromium reports them; part of `script/bench web`."""

import statistics

from playwright.sync_api import sync_playwright

from tests.web.browser.conftest import CHROMIUM

PAGES = ("/", "/table", "/ghost", "/host", "/replay")
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
]
TIMINGS = """() => {
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    const loaded = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    const pages = loaded.filter(each => !each.name.endsWith("/events"));
    return [paint.startTime, pages.reduce((sum, each) => sum + each.transferSize, 0) / 1000];
}"""


def paints(url: str, *, rounds: int = 5, slower: int = 1) -> dict[str, dict[str, float]]:
    """Return the first contentful paint (ms) and the transfer size (kB) of each page, with an empty browser cache.

    *slower* is the factor by which a phone is slower than this machine.
    """
    found = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for path in PAGES:
            spent, kilobytes = [], 0.0
            for _ in range(rounds):
                device = browser.new_context(viewport={"width": 390, "height": 760}, is_mobile=True, has_touch=True)
                page = device.new_page()
                device.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
                page.goto(f"{url.rstrip('/')}{path}", wait_until="load")
                page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
                first, kilobytes = page.evaluate(TIMINGS)
                spent.append(first)
                device.close()
            found[path] = {"median_ms": statistics.median(spent), "worst_ms": max(spent), "kilobytes": kilobytes}
        browser.close()
    return found
