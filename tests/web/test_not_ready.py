"""Requests for the ghost's seat before the evening has opened."""

import asyncio

import httpx
import msgspec
import pytest

from seance.daemon.loop import Inbox
from seance.daemon.page_callbacks import page_callbacks
from seance.daemon.page_publisher import PagePublisher
from seance.rules import LIBELLUD
from seance.web.host_access import HostAccess
from seance.web.page_json import StaticPageData
from seance.web.page_words import PageWords
from seance.web.site import Site

WORDS = PageWords({"libellud": {"not_ready": "one moment"}})


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/ghost/events"), ("POST", "/ghost/sit"), ("POST", "/ghost/command")]
)
def test_a_seat_is_neither_given_nor_refused_before_the_house_is_awake(method: str, path: str) -> None:
    latest = PagePublisher(language="en", pace="full", edition=LIBELLUD).latest
    static = StaticPageData(
        words={"libellud": msgspec.Raw(b"{}")}, names={}, cards={}, marks={}, address="", languages={}
    )
    app = Site(latest, page_callbacks(Inbox(), latest, WORDS), static, WORDS, HostAccess()).app()

    async def asked() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://house") as page:
            return await page.request(method, path)

    answer = asyncio.run(asked())
    assert (answer.status_code, answer.json()) == (503, {"message": "one moment"})
