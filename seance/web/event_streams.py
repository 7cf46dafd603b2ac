"""The server-sent events of the pages: complete states, of which only the newest counts, and single events."""

import time
from collections.abc import AsyncIterator, Callable
from typing import Any, TypeVar

import msgspec
from sse_starlette.event import ServerSentEvent
from sse_starlette.sse import EventSourceResponse, SendTimeoutError
from starlette.types import Receive, Scope, Send

from seance.web.latest import LatestState
from seance.web.limits import HANG_UP_KEY
from seance.web.page_json import StaticPageData, encode_ghost_state, encode_psychic_state, encode_table_state
from seance.web.page_state import NumberedKnock, NumberedLine, PageState

SEND_TIMEOUT_S = 10.0
"""After which a page that does not read is disconnected."""
LEVEL_INTERVAL_S = 0.25
"""Between two readings of the microphone's level."""
RETRY_MS = 1500
"""After which a disconnected page connects again."""


class EventStream(EventSourceResponse):
    """A stream of events that disconnects a page which does not read."""

    def __init__(self, events: AsyncIterator[ServerSentEvent]) -> None:
        super().__init__(events, ping=15, sep="\n", send_timeout=SEND_TIMEOUT_S)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the page disconnects or does not read for SEND_TIMEOUT_S."""
        try:
            await super().__call__(scope, receive, send)
        except SendTimeoutError:
            scope[HANG_UP_KEY]()
            while (await receive())["type"] != "http.disconnect":
                pass


class PageEvents:
    """Makes the events for all readers; a table's state is encoded once for all of them."""

    def __init__(self, latest: LatestState, static: StaticPageData, level: Callable[[], float | None]) -> None:
        self._latest, self._static, self._level = latest, static, level
        self._encoded: dict[bool, tuple[tuple[int, int], bytes]] = {}
        """The moment and the table's state then, by whether it is for pages on this machine."""

    def static_fields(self, edition: str) -> dict[str, Any]:
        """Return the language, words and names that a page needs for a night of *edition* without a stream."""
        static = self._static
        language = self._latest.current.language
        return {"language": language, "words": static.of(edition), "names": static.names, "cards": static.cards}

    async def table_events(self, *, here: bool) -> AsyncIterator[ServerSentEvent]:
        """Yield the events for a table's page; *here* for a page on this machine."""
        shown: tuple[object, ...] | None = None
        knocks = self._latest.current.knocks
        page: PageState | None = self._latest.current
        while page is not None:
            for knock in _newer(page.knocks, knocks):
                yield _event("knock", msgspec.json.encode({"says": knock.says, "count": knock.count}))
            knocks = page.knocks
            # No frame for what only the ghost sees: it would tell when the ghost touches its page.
            if (seen := page.seen_at_table) != shown:
                shown = seen
                yield _event("state", self._encode_table(page, here=here))
            async for level in self._levels_until_newer(page.version):
                yield _event("level", msgspec.json.encode({"microphone": level}))
            page = await self._latest.wait_for_newer(page.version)

    async def _levels_until_newer(self, version: int) -> AsyncIterator[float | None]:
        """Yield the microphone's level whenever it changes, until there is a newer state than *version*."""
        before = self._level()
        while before is not None and not await self._latest.changes_within(version, LEVEL_INTERVAL_S):
            if (now := self._level()) != before:
                before = now
                yield now

    async def ghost_events(self, device: str) -> AsyncIterator[ServerSentEvent]:
        """Yield the events for the ghost's page on *device*, which has asked for the seat."""
        whispers = self._latest.current.whispers
        page: PageState | None = self._latest.current
        while page is not None:
            yield _event("state", encode_ghost_state(page, self._static, device, now=time.monotonic()))
            if page.seat.holder == device and not page.seat.unclaimed:
                for whisper in _newer(page.whispers, whispers):
                    yield _event("whisper", msgspec.json.encode({"text": whisper.text}))
            whispers = page.whispers
            page = await self._latest.wait_for_newer(page.version)

    async def psychic_events(self, device: str | None) -> AsyncIterator[ServerSentEvent]:
        """Yield the events for a psychic's page on *device*; None if it has not asked for a seat."""
        shown: tuple[object, ...] | None = None
        page: PageState | None = self._latest.current
        while page is not None:
            # No frame for what only the ghost sees: it would tell when the ghost touches its page.
            seats = (page.psychic_seats, page.players_psychics, page.tried, page.asks_yes_or_no, page.can_hear)
            if (seen := (*page.seen_at_table, *seats)) != shown:
                shown = seen
                yield _event("state", encode_psychic_state(page, self._static, device, now=time.monotonic()))
            page = await self._latest.wait_for_newer(page.version)

    def _encode_table(self, page: PageState, *, here: bool) -> bytes:
        now = time.monotonic()
        moment = (page.version, int(now * 10))
        if here not in self._encoded or self._encoded[here][0] != moment:
            encoded = encode_table_state(page, self._static, now=now, level=self._level(), here=here)
            self._encoded[here] = (moment, encoded)
        return self._encoded[here][1]


_Numbered = TypeVar("_Numbered", NumberedKnock, NumberedLine)


def _newer(numbered: tuple[_Numbered, ...], before: tuple[_Numbered, ...]) -> tuple[_Numbered, ...]:
    """Return those that have a higher number than the last of *before*."""
    last = before[-1].n if before else 0
    return tuple(each for each in numbered if each.n > last)


def _event(name: str, data: bytes) -> ServerSentEvent:
    return ServerSentEvent(data.decode(), event=name, retry=RETRY_MS, sep="\n")
