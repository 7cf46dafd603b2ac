"""The HTTP routes: pages, static files, event streams and requests."""

import html
import re
import time
from collections.abc import AsyncIterator, Mapping
from importlib.resources import files
from mimetypes import guess_type

import msgspec
from anyio.to_thread import run_sync
from sse_starlette.event import ServerSentEvent
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from seance.permissions import CONTROL_ACTIONS, Action, Permission, Source, intent_action, permission
from seance.rate_limiter import RateLimiter
from seance.web.access import policy_with_styles
from seance.web.callbacks import Callbacks
from seance.web.cookies import Cookies, device_of, new_device_id, psychic_device_of, set_host_cookie, set_seat_cookie
from seance.web.event_streams import EventStream, PageEvents
from seance.web.host_access import HostAccess
from seance.web.latest import LatestState
from seance.web.limits import MAX_CONNECTIONS, RESERVED_CONNECTIONS
from seance.web.page_json import StaticPageData
from seance.web.page_state import SeatState
from seance.web.page_words import PageWords
from seance.web.psychic_routes import PsychicRoutes
from seance.web.request_checks import RequestChecks
from seance.web.requests import (
    BadRequest,
    HostCodeEntry,
    HostControlRequest,
    MoveChairRequest,
    PauseControlRequest,
    SayRequest,
    TypingRequest,
    decode_ghost_command,
    decode_request,
)
from seance.web.touch import decode_touch

CLAIM_TIMEOUT_S = 5.0
"""In which the evening must have taken a claim of the ghost's seat."""
STATIC_CACHE_CONTROL = "max-age=3600"
"""For files that are the same for everybody and hold nothing of the night."""

_PRINTED_TEXT = re.compile(r"(<(?!title\b)[a-z0-9]+\b[^<>]*)>\{\{(\w+)\}\}<")
_PRINTED_ATTRIBUTE = re.compile(r'\b(aria-label|placeholder)="\{\{(\w+)\}\}"')


class Site:
    """Answers all routes from the latest page state, and hands requests to the callbacks."""

    def __init__(
        self,
        latest: LatestState,
        callbacks: Callbacks,
        static: StaticPageData,
        words: PageWords,
        host_access: HostAccess,
    ) -> None:
        self._latest, self._callbacks, self._words, self._host_access = latest, callbacks, words, host_access
        self._events = PageEvents(latest, static, callbacks.microphone_level)
        self._cookies = Cookies()
        self.check = RequestChecks(latest, words, host_access, self._cookies)
        self._anonymous_streams = 0
        self._language_buttons = _language_buttons(static.languages)
        self._pages = files("seance.web").joinpath("pages")
        # By name, so that a name from the network never becomes a path.
        self._static_files = {file.name: file for file in self._pages.iterdir() if not file.name.endswith(".html")}
        clock = time.monotonic
        self._seat_limit = RateLimiter(burst=4, interval_s=15.0, total_burst=12, clock=clock)
        self._say_limit = RateLimiter(burst=12, interval_s=0.5, total_burst=40, clock=clock)
        self._typing_limit = RateLimiter(burst=12, interval_s=1.0, total_burst=40, clock=clock)
        self._ghost_limit = RateLimiter(burst=30, interval_s=0.1, clock=clock)
        self._host_limit = RateLimiter(burst=8, interval_s=1.0, total_burst=20, clock=clock)
        self._code_limit = RateLimiter(burst=5, interval_s=15.0, total_burst=10, clock=clock)
        self._tell_code_limit = RateLimiter(burst=1, interval_s=60.0, total_burst=1, clock=clock)
        self._lookup_limit = RateLimiter(burst=10, interval_s=1.0, total_burst=30, clock=clock)

    def app(self) -> Starlette:
        """Return the ASGI application."""
        get, post = ["GET"], ["POST"]
        routes = [
            Route("/", self._door, methods=get),
            Route("/table", self._table, methods=get),
            Route("/table/events", self._table_events, methods=get),
            Route("/table/say", self._say, methods=post),
            Route("/table/typing", self._typing, methods=post),
            Route("/table/touch", self._touch, methods=post),
            Route("/table/chair", self._move_chair, methods=post),
            Route("/ghost", self._ghost, methods=get),
            Route("/ghost/events", self._ghost_events, methods=get),
            Route("/ghost/sit", self._sit, methods=post),
            Route("/ghost/command", self._command, methods=post),
            Route("/ghost/control", self._control, methods=post),
            Route("/seat", self._psychic, methods=get),
            Route("/seat/events", self._psychic_events, methods=get),
            *PsychicRoutes(self._latest, self._callbacks, self.check, self._cookies).routes(),
            Route("/chronicle", self._chronicle, methods=get),
            Route("/replay", self._replay, methods=get),
            Route("/replay/steps", self._replay_steps, methods=get),
            Route("/host", self._host, methods=get),
            Route("/host/checks", self._checks, methods=get),
            Route("/host/do", self._do, methods=post),
            Route("/host/enter", self._enter, methods=post),
            Route("/host/code", self._tell_code, methods=post),
            Route("/static/{name}", self._static, methods=get),
            Route("/favicon.ico", self._favicon, methods=get),
        ]
        handlers = {HTTPException: _http_error, BadRequest: self._bad_request, ClientDisconnect: _disconnected}
        return Starlette(routes=routes, exception_handlers=handlers)

    # Pages

    async def _door(self, request: Request) -> Response:
        seat = self._latest.current.seat
        if seat.holder is not None and device_of(request, seat) == seat.holder:
            return RedirectResponse("/ghost", status_code=303)
        seats = self._latest.current.psychic_seats
        if seats.psychics_of(psychic_device_of(request, seats)):
            return RedirectResponse("/seat", status_code=303)
        return self._page("door")

    async def _table(self, request: Request) -> Response:
        moves_chairs = permission(Action.MOVE_CHAIR, self.check.source_of(request)) is Permission.ALLOWED
        return self._with_guest_cookie(request, self._page("table", role="host" if moves_chairs else "guest"))

    async def _ghost(self, request: Request) -> Response:
        return self._with_guest_cookie(request, self._page("ghost"))

    async def _psychic(self, request: Request) -> Response:
        return self._with_guest_cookie(request, self._page("psychic"))

    async def _replay(self, _request: Request) -> Response:
        return self._page("replay")

    async def _host(self, request: Request) -> Response:
        sees_checks = permission(Action.DOCTOR, self.check.source_of(request)) is Permission.ALLOWED
        return self._with_guest_cookie(request, self._page("host", role="host" if sees_checks else "guest"))

    def _page(self, name: str, **more: str) -> Response:
        """Return a page with its texts filled in, so that it reads well before the first event arrives."""
        page = self._latest.current
        edition = page.edition_info.name
        words = {**self._words.of(edition), "language": page.language, "edition": edition, **more}
        text = self._pages.joinpath(f"{name}.html").read_text(encoding="utf-8")
        # With its key beside it a text can be written anew when another edition is played.
        text = _PRINTED_TEXT.sub(r'\1 data-say="\2">{{\2}}<', text)
        text = _PRINTED_ATTRIBUTE.sub(r'\1="{{\2}}" data-say-\1="\2"', text)
        filled = re.sub(r"\{\{(\w+)\}\}", lambda hole: html.escape(words.get(hole[1], "")), text)
        return HTMLResponse(filled.replace("<!-- languages -->", self._language_buttons))

    def _with_guest_cookie(self, request: Request, response: Response) -> Response:
        if self._cookies.guest_of(request) is None:
            self._cookies.set_guest_cookie(response, new_device_id())
        return response

    async def _static(self, request: Request) -> Response:
        name = request.path_params["name"]
        file = self._static_files.get(name)
        if file is None:
            raise HTTPException(404)
        kind = "text/javascript" if name.endswith(".js") else guess_type(name)[0] or "application/octet-stream"
        return Response(file.read_bytes(), media_type=kind, headers={"cache-control": STATIC_CACHE_CONTROL})

    async def _favicon(self, _request: Request) -> Response:
        return Response(status_code=204, headers={"cache-control": STATIC_CACHE_CONTROL})

    # The table

    async def _table_events(self, request: Request) -> Response:
        source = self.check.source_of(request)
        here = permission(Action.CONFIRM_SEAT, source) is Permission.ALLOWED
        events = self._events.table_events(here=here)
        if source is not Source.OTHER_PHONE:
            return self._with_guest_cookie(request, EventStream(events))
        return self._anonymous_stream(request, events)

    async def _psychic_events(self, request: Request) -> Response:
        seats = self._latest.current.psychic_seats
        device = psychic_device_of(request, seats)
        events = self._events.psychic_events(device)
        if seats.psychics_of(device):
            return self._with_guest_cookie(request, EventStream(events))
        return self._anonymous_stream(request, events)

    def _anonymous_stream(self, request: Request, events: AsyncIterator[ServerSentEvent]) -> Response:
        """Return *events* as one of the streams of which only so many may be open."""
        if self._anonymous_streams >= MAX_CONNECTIONS - RESERVED_CONNECTIONS:
            raise HTTPException(503, self.check.word("too_many_pages"), headers={"retry-after": "10"})
        return self._with_guest_cookie(request, EventStream(self._counted(events)))

    async def _counted(self, events: AsyncIterator[ServerSentEvent]) -> AsyncIterator[ServerSentEvent]:
        """Yield *events*, counted as an anonymous stream while they last."""
        self._anonymous_streams += 1
        try:
            async for event in events:
                yield event
        finally:
            self._anonymous_streams -= 1

    async def _say(self, request: Request) -> Response:
        guest, source = self.check.guest(request), self.check.permission(Action.SAY, request)
        self.check.rate(self._say_limit, request)
        said = decode_request(await self.check.body(request), SayRequest)
        if said.is_ghost_command:
            raise BadRequest(self.check.word("ghost_words_here"))
        self._callbacks.say(said.text, source, guest)
        return JSONResponse({}, status_code=202)

    async def _typing(self, request: Request) -> Response:
        self.check.guest(request)
        self.check.permission(Action.SAY, request)
        self.check.rate(self._typing_limit, request)
        self._callbacks.typing(decode_request(await self.check.body(request), TypingRequest).begun)
        return JSONResponse({}, status_code=202)

    async def _touch(self, request: Request) -> Response:
        guest = self.check.guest(request)
        intent = decode_touch(await self.check.body(request), self._callbacks.editions)
        source = self.check.permission(intent_action(intent.name), request)
        self.check.rate(self._say_limit, request)
        self._callbacks.touch(intent, source, guest)
        return JSONResponse({}, status_code=202)

    async def _move_chair(self, request: Request) -> Response:
        self.check.guest(request)
        move = decode_request(await self.check.body(request), MoveChairRequest)
        source = self.check.permission(Action.MOVE_CHAIR, request)
        self.check.rate(self._say_limit, request)
        self._callbacks.move_chair(move.psychic, move.direction_deg, source)
        return JSONResponse({}, status_code=202)

    # The ghost

    async def _sit(self, request: Request) -> Response:
        await self.check.body(request)
        seat = self.check.seat()
        source = self.check.permission(Action.SIT, request)
        device = device_of(request, seat)
        if device is not None and device == seat.holder:
            return await self._claim(seat, device)
        self.check.rate(self._seat_limit, request, "seat_too_often")
        if device is not None and device == seat.asked:
            return JSONResponse({"seat": seat.status}, status_code=202)
        if seat.status == "taken":
            self._callbacks.seat_attempted()
        if seat.status != "free":
            message = self.check.word("seat_taken" if seat.status == "taken" else "seat_asked_by_other")
            return JSONResponse({"seat": seat.status, "message": message}, status_code=409)
        # A new id for each request: a cookie that somebody else has put into this browser must not become the ghost's.
        device, guest = new_device_id(), self._cookies.guest_of(request) or new_device_id()
        self._callbacks.request_seat(device, guest, source)
        response = JSONResponse({"seat": "asked"}, status_code=202)
        set_seat_cookie(response, seat, device)
        self._cookies.set_guest_cookie(response, guest)
        return response

    async def _claim(self, seat: SeatState, device: str) -> Response:
        """Give the holder of *seat* a new cookie, once; the cookie of its request is worthless afterwards."""
        response = JSONResponse({"seat": seat.status}, status_code=202)
        if seat.unclaimed:
            new_device = new_device_id()
            self._callbacks.claim_seat(device, new_device)
            if not await self._latest.becomes(lambda page: page.seat.holder == new_device, CLAIM_TIMEOUT_S):
                raise HTTPException(403, self.check.word("not_your_seat"))
            set_seat_cookie(response, seat, new_device)
        return response

    async def _ghost_events(self, request: Request) -> Response:
        device = device_of(request, self.check.seat())
        if device is None:
            raise HTTPException(403, self.check.word("not_your_seat"))
        return EventStream(self._watched_events(device))

    async def _watched_events(self, device: str) -> AsyncIterator[ServerSentEvent]:
        """Yield the events of *device*, and report that its page is open meanwhile."""
        self._callbacks.ghost_page_open(device, True)
        try:
            async for frame in self._events.ghost_events(device):
                yield frame
        finally:
            self._callbacks.ghost_page_open(device, False)

    async def _command(self, request: Request) -> Response:
        device = self.check.seat_holder(request)
        self.check.rate(self._ghost_limit, request)
        command = decode_ghost_command(await self.check.body(request), self._callbacks.editions)
        self._callbacks.ghost_command(device, command)
        return JSONResponse({}, status_code=202)

    async def _control(self, request: Request) -> Response:
        device = self.check.seat_holder(request)
        self.check.rate(self._ghost_limit, request)
        wanted = decode_request(await self.check.body(request), PauseControlRequest)
        self._callbacks.pause_or_resume(device, wanted.control)
        return JSONResponse({}, status_code=202)

    # The chronicle, the replay and the host

    async def _chronicle(self, request: Request) -> Response:
        self.check.rate(self._lookup_limit, request)
        page = await run_sync(self._callbacks.lookups.chronicle)
        if page is None:
            raise HTTPException(404, self.check.word("no_night_over"))
        back = f'<nav><a href="/table">{html.escape(self.check.word("link_table"))}</a></nav>\n'
        page = page.replace("<body>\n", f"<body>\n{back}", 1)
        page = f"{back}</body>".join(page.rsplit("</body>", 1))
        return HTMLResponse(page, headers={"content-security-policy": policy_with_styles(page)})

    async def _replay_steps(self, request: Request) -> Response:
        self.check.rate(self._lookup_limit, request)
        steps = await run_sync(self._callbacks.lookups.replay)
        if steps is None:
            raise HTTPException(404, self.check.word("no_night_over"))
        told = {**self._events.static_fields(steps["edition"]), **steps}
        return Response(msgspec.json.encode(told), media_type="application/json")

    async def _checks(self, request: Request) -> Response:
        for action in (Action.DOCTOR, Action.PATHS):
            self.check.permission(action, request)
        self.check.rate(self._lookup_limit, request)
        return JSONResponse(await run_sync(self._callbacks.lookups.checks))

    async def _do(self, request: Request) -> Response:
        self.check.guest(request)
        control = decode_request(await self.check.body(request), HostControlRequest)
        source = self.check.permission(CONTROL_ACTIONS[control.do], request)
        self.check.rate(self._host_limit, request)
        why_not = self._callbacks.host_control(control, source)
        if why_not is not None:
            raise HTTPException(409, why_not)
        return JSONResponse({}, status_code=202)

    async def _enter(self, request: Request) -> Response:
        """Make the requesting phone the host's, if it sends the code."""
        self.check.guest(request)
        self.check.permission(Action.BECOME_HOST, request)
        self.check.rate(self._code_limit, request, "code_too_often")
        if not self._host_access.try_code(decode_request(await self.check.body(request), HostCodeEntry).code):
            raise HTTPException(403, self.check.word("wrong_code"))
        response = JSONResponse({})
        set_host_cookie(response, self._host_access)
        return response

    async def _tell_code(self, request: Request) -> Response:
        """Let the room be told the host's code."""
        self.check.guest(request)
        self.check.permission(Action.BECOME_HOST, request)
        self.check.rate(self._tell_code_limit, request, "code_told_already")
        self._callbacks.tell_host_code(self._host_access.code)
        return JSONResponse({}, status_code=202)

    async def _bad_request(self, _request: Request, error: Exception) -> Response:
        return JSONResponse({"message": str(error) or self.check.word("bad_request")}, status_code=400)


async def _disconnected(_request: Request, _error: Exception) -> Response:
    """Return a response that nobody reads: the client hung up in the middle of its request."""
    return Response(status_code=400)


async def _http_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for nothing else
    return JSONResponse({"message": error.detail}, status_code=error.status_code, headers=error.headers)


def _language_buttons(languages: Mapping[str, str]) -> str:
    """Return a button for each of *languages*, which are names by code, as HTML."""
    shown = ((html.escape(code), html.escape(name)) for code, name in languages.items())
    return "\n".join(
        f'<button type="button" data-do="language" data-value="{code}" lang="{code}">{name}</button>'
        for code, name in shown
    )
