"""Who sends a request, whether it may, and how often; each check raises the HTTP error that the page is told."""

import anyio
from starlette.exceptions import HTTPException
from starlette.requests import Request

from seance.permissions import GHOST_SEAT, Action, Permission, Source, permission
from seance.rate_limiter import RateLimiter
from seance.web.cookies import Cookies, device_of, is_host
from seance.web.host_access import HostAccess
from seance.web.latest import LatestState
from seance.web.limits import is_loopback
from seance.web.page_state import SeatState
from seance.web.page_words import PageWords
from seance.web.requests import MAX_BODY_BYTES

BODY_TIMEOUT_S = 10.0
"""In which the body of a request must have arrived."""

_TABLE_ACTIONS = frozenset({Action.SAY, Action.CHOOSE, Action.BET, Action.VOTE, Action.UNDO, Action.END_NIGHT})
"""What guests do at the table's page, and the ghost's phone never does."""


class RequestChecks:
    """Checks requests against the latest page state, in the words of the edition that is played."""

    def __init__(self, latest: LatestState, words: PageWords, host_access: HostAccess, cookies: Cookies) -> None:
        self._latest, self._words, self._host_access, self._cookies = latest, words, host_access, cookies

    def word(self, key: str) -> str:
        """Return the text *key* in the words of the edition that is played."""
        return self._words.of(self._latest.current.edition_info.name).get(key, key)

    def seat(self) -> SeatState:
        """Return the ghost's seat, or raise 503 until the evening has been opened and has published it."""
        seat = self._latest.current.seat
        if not seat.key:
            raise HTTPException(503, self.word("not_ready"))
        return seat

    def guest(self, request: Request) -> str:
        """Return whose device sends *request*, or raise 403 if it has not opened a page before."""
        guest = self._cookies.guest_of(request)
        if guest is None:
            raise HTTPException(403, self.word("wrong_origin"))
        return guest

    def source_of(self, request: Request) -> Source:
        """Return what kind of device sends *request*; the host's phone stays that when it takes a seat."""
        if is_loopback(client_address(request)):
            return Source.KEYBOARD
        if is_host(request, self._host_access):
            return Source.HOST_PHONE
        seat = self._latest.current.seat
        holds_seat = seat.holder is not None and device_of(request, seat) == seat.holder
        return Source.SEATED_PHONE if holds_seat else Source.OTHER_PHONE

    def permission(self, action: Action, request: Request) -> Source:
        """Return what kind of device sends *request*, or raise 403 if it may never do *action*."""
        source = self.source_of(request)
        if permission(action, source, seat=GHOST_SEAT) is Permission.NEVER:
            raise HTTPException(403, self.word("ghost_words_here" if action in _TABLE_ACTIONS else "host_only"))
        return source

    def seat_holder(self, request: Request) -> str:
        """Return the device in the ghost's seat, or raise 403 if another one sends *request*."""
        seat = self.seat()
        device = device_of(request, seat)
        if device is None or device != seat.holder or seat.unclaimed:
            raise HTTPException(403, self.word("not_your_seat"))
        return device

    def rate(self, limiter: RateLimiter, request: Request, word: str = "too_fast") -> None:
        """Raise 429 if *limiter* does not allow *request*."""
        if not limiter.allows(client_address(request)):
            raise HTTPException(429, self.word(word))

    async def body(self, request: Request) -> bytes:
        """Return the body of *request*, or raise 413 if it is too large and 408 if it is too slow."""
        body = b""
        with anyio.move_on_after(BODY_TIMEOUT_S):
            async for part in request.stream():
                body += part
                if len(body) > MAX_BODY_BYTES:
                    raise HTTPException(413, self.word("too_large"), headers={"connection": "close"})
            return body
        raise HTTPException(408, self.word("bad_request"), headers={"connection": "close"})


def client_address(request: Request) -> str:
    """Return the address of the device that sends *request*."""
    return request.client.host if request.client else ""
