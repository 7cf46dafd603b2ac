"""What pages are told while they are open: complete states, the newest only, and what happens once."""

import time
from collections.abc import AsyncIterator, Callable
from typing import Any, TypeVar

import msgspec
from sse_starlette.event import ServerSentEvent
from sse_starlette.sse import EventSourceResponse, SendTimeoutError
from starlette.types import Receive, Scope, Send

from seance.web.latest import Board
from seance.web.limits import HANG_UP
from seance.web.page_json import Furniture, ghost_state, table_state
from seance.web.page_state import KnockShown, Numbered, Shown

SLOW_AFTER = 10.0
"""Seconds after which a page that takes nothing is hung up on."""
LEVEL_EVERY = 0.25
"""Seconds between two looks at the microphone."""
RETRY = 1500
"""Milliseconds after which a page that was cut off comes back."""


class Stream(EventSourceResponse):
    """A stream of events; a page that does not read is hung up on, and nobody waits for it."""

    def __init__(self, frames: AsyncIterator[ServerSentEvent]) -> None:
        super().__init__(frames, ping=15, sep="\n", send_timeout=SLOW_AFTER)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the page goes, or takes nothing any more."""
        try:
            await super().__call__(scope, receive, send)
        except SendTimeoutError:
            scope[HANG_UP]()
            while (await receive())["type"] != "http.disconnect":
                pass


class Telling:
    """Frames for all readers; a table's state is written once for all of them."""

    def __init__(self, board: Board, furniture: Furniture, level: Callable[[], float | None]) -> None:
        self._board, self._furniture, self._level = board, furniture, level
        self._written: tuple[tuple[int, int], bytes] = ((-1, -1), b"")

    @property
    def furnishings(self) -> dict[str, Any]:
        """What a page needs that shows a night without being told of it: words, and what things are called."""
        its = self._furniture
        return {"language": self._board.shown.language, "words": its.words, "names": its.names, "cards": its.cards}

    async def table(self) -> AsyncIterator[ServerSentEvent]:
        """Yield what everybody may see."""
        knocked = self._board.shown.knocks
        shown: Shown | None = self._board.shown
        while shown is not None:
            for knock in _new(shown.knocks, knocked):
                yield _frame("knock", msgspec.json.encode({"says": knock.says, "count": knock.count}))
            knocked = shown.knocks
            yield _frame("state", self._table(shown))
            async for level in self._levels_until(shown.n):
                yield _frame("level", msgspec.json.encode({"microphone": level}))
            shown = await self._board.newer(shown.n)

    async def _levels_until(self, seen: int) -> AsyncIterator[float | None]:
        """Yield how loud it is, whenever that changes, until something newer than *seen* is shown."""
        before = self._level()
        while before is not None and not await self._board.is_newer(seen, within=LEVEL_EVERY):
            if (now := self._level()) != before:
                before = now
                yield now

    async def ghost(self, device: str) -> AsyncIterator[ServerSentEvent]:
        """Yield what *device* may see, which has asked for the seat."""
        whispered = self._board.shown.whispers
        shown: Shown | None = self._board.shown
        while shown is not None:
            yield _frame("state", ghost_state(shown, self._furniture, device, now=time.monotonic()))
            if shown.chair.holder == device:
                for whisper in _new(shown.whispers, whispered):
                    yield _frame("whisper", msgspec.json.encode({"text": whisper.text}))
            whispered = shown.whispers
            shown = await self._board.newer(shown.n)

    def _table(self, shown: Shown) -> bytes:
        now = time.monotonic()
        moment = (shown.n, int(now * 10))
        if self._written[0] != moment:
            self._written = (moment, table_state(shown, self._furniture, now=now, level=self._level()))
        return self._written[1]


_Happened = TypeVar("_Happened", KnockShown, Numbered)


def _new(happened: tuple[_Happened, ...], before: tuple[_Happened, ...]) -> tuple[_Happened, ...]:
    """Return what has happened since *before*."""
    last = before[-1].n if before else 0
    return tuple(each for each in happened if each.n > last)


def _frame(event: str, data: bytes) -> ServerSentEvent:
    return ServerSentEvent(data.decode(), event=event, retry=RETRY, sep="\n")
