"""The weight of the pages, and that they need nothing from other hosts."""

from importlib.resources import files

from playwright.sync_api import BrowserContext, Response, expect

from tests.web.browser.conftest import Watch
from tests.web.browser.seance_process import SeanceProcess
from tests.web.browser.test_access import Device

MAX_PAGE_BYTES = 150_000
"""Of a page with everything that it loads."""
PAGES = ("/", "/ghost", "/table", "/replay", "/host")


def weights(device: BrowserContext, address: str) -> dict[str, int]:
    """Return how many bytes each page loads, its stream left out, with nothing kept from another."""
    weights = {}
    for path in PAGES:
        page = device.new_page()
        loaded: list[Response] = []
        page.on("response", lambda response, into=loaded: into.append(response))
        page.goto(f"{address}{path}", wait_until="load")
        if path == "/host":
            expect(page.locator("#checks li").first).to_be_visible()
        weights[path] = sum(len(each.body()) for each in loaded if each.ok and not each.url.endswith("/events"))
        page.close()
    return weights


def test_no_page_is_heavier_than_it_may_be(house: SeanceProcess, device: Device, watch: Watch) -> None:
    watch.excused.add("/replay/steps")
    assert {
        path: weight for path, weight in weights(device("phone"), house.address).items() if weight > MAX_PAGE_BYTES
    } == {}


def test_nothing_is_written_into_a_page_that_would_have_to_run_there() -> None:
    for file in files("seance.web").joinpath("pages").iterdir():
        text = file.read_text(encoding="utf-8")
        assert not [bad for bad in ("style=", "onclick", "<style", "innerHTML", "eval(", "javascript:") if bad in text]
        assert "://" not in text.replace("http://www.w3.org/2000/svg", "")
