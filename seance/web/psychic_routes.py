"""The routes of a psychic's page: taking a seat, giving it back, and touching what belongs to it."""

import time

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from seance.permissions import PSYCHIC_SEAT, Action, Permission, Source, intent_action, permission
from seance.rate_limiter import RateLimiter
from seance.rules import Psychic
from seance.web.callbacks import Callbacks
from seance.web.cookies import Cookies, device_of, new_device_id, psychic_device_of, set_psychic_cookie
from seance.web.latest import LatestState
from seance.web.page_state import PageState
from seance.web.request_checks import RequestChecks
from seance.web.requests import TakeSeatRequest, TalkRequest, decode_request
from seance.web.touch import ACTING_SLOTS, SEAT_TOUCHES, Touch, decode_touch

TAKE_TIMEOUT_S = 5.0
"""In which the evening must have given a free seat, or asked the room about a taken one."""


class PsychicRoutes:
    """Answers the requests of psychics' pages; a seat may ask only for its own psychics."""

    def __init__(self, latest: LatestState, callbacks: Callbacks, check: RequestChecks, cookies: Cookies) -> None:
        self._latest, self._callbacks, self._check, self._cookies = latest, callbacks, check, cookies
        self._take_limit = RateLimiter(burst=6, interval_s=10.0, total_burst=24, clock=time.monotonic)
        self._touch_limit = RateLimiter(burst=30, interval_s=0.1, clock=time.monotonic)

    def routes(self) -> list[Route]:
        """Return the routes that change something."""
        handlers = {
            "/seat/take": self._take,
            "/seat/leave": self._leave,
            "/seat/touch": self._touch,
            "/seat/talk": self._talk,
        }
        return [Route(path, handler, methods=["POST"]) for path, handler in handlers.items()]

    async def _take(self, request: Request) -> Response:
        guest = self._check.guest(request)
        psychic = decode_request(await self._check.body(request), TakeSeatRequest).psychic
        page, seats = self._latest.current, self._latest.current.psychic_seats
        self._check_not_ghost(request)
        source = self._check.permission(Action.SIT, request)
        self._check.rate(self._take_limit, request, "seat_too_often")
        mine = seats.psychics_of(psychic_device_of(request, seats))
        if psychic in mine:
            return JSONResponse({"seat": "taken"}, status_code=202)
        if mine:
            raise HTTPException(409, self._check.word("psychic_leave_first"))
        if not any(psychic in seat for seat in page.players_psychics):
            raise HTTPException(409, self._check.word("psychic_none"))
        if psychic in seats.holders and page.asks_about_seat:
            raise HTTPException(409, self._check.word("seat_asked_by_other"))
        # A new id for each request: a cookie that somebody else has put into this browser must not get the seat.
        device = new_device_id()
        self._callbacks.request_psychic_seat(psychic, device, guest, source)

        def is_answered(page: PageState) -> bool:
            return device in page.psychic_seats.holders.values() or page.psychic_seats.asked == device

        if not await self._latest.becomes(is_answered, TAKE_TIMEOUT_S):
            raise HTTPException(409, self._check.word("seat_asked_by_other"))
        now = self._latest.current.psychic_seats
        response = JSONResponse({"seat": "asked" if now.asked == device else "taken"}, status_code=202)
        set_psychic_cookie(response, now, device)
        return response

    async def _leave(self, request: Request) -> Response:
        await self._check.body(request)
        device, _ = self._holder(request)
        self._callbacks.leave_psychic_seat(device)
        return JSONResponse({}, status_code=202)

    async def _touch(self, request: Request) -> Response:
        device, mine = self._holder(request)
        touch = decode_touch(await self._check.body(request), self._callbacks.editions)
        cell = permission(intent_action(touch.name), Source.SEATED_PHONE, seat=PSYCHIC_SEAT)
        if touch.name not in SEAT_TOUCHES or cell is not Permission.ALLOWED or not _is_own(touch, mine):
            raise HTTPException(403, self._check.word("not_your_psychic"))
        self._check.rate(self._touch_limit, request)
        self._callbacks.touch_at_seat(touch, device)
        return JSONResponse({}, status_code=202)

    async def _talk(self, request: Request) -> Response:
        device, mine = self._holder(request)
        talk = decode_request(await self._check.body(request), TalkRequest)
        psychic = Psychic(mine[0]) if talk.psychic is None else talk.psychic
        cell = permission(Action.TALK, Source.SEATED_PHONE, seat=PSYCHIC_SEAT)
        if cell is not Permission.ALLOWED or psychic not in mine:
            raise HTTPException(403, self._check.word("not_your_psychic"))
        self._check.rate(self._touch_limit, request)
        self._callbacks.talk_at_seat(device, psychic, talk.held)
        return JSONResponse({}, status_code=202)

    def _holder(self, request: Request) -> tuple[str, tuple[str, ...]]:
        """Return the device that sends *request* and its psychics, or raise 403 if it holds no seat."""
        seats = self._latest.current.psychic_seats
        device = psychic_device_of(request, seats)
        mine = () if device is None else seats.psychics_of(device)
        if device is None or not mine:
            raise HTTPException(403, self._check.word("not_your_psychic"))
        return device, mine

    def _check_not_ghost(self, request: Request) -> None:
        seat = self._check.seat()
        if seat.holder is not None and device_of(request, seat) == seat.holder:
            raise HTTPException(403, self._check.word("ghost_words_here"))


def _is_own(touch: Touch, mine: tuple[str, ...]) -> bool:
    """Tell whether *touch* acts for nobody but the psychics of its seat."""
    slot = ACTING_SLOTS.get(touch.name)
    return slot is None or slot not in touch.slots or touch.slots[slot] in mine
