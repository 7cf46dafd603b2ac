"""The pages and what they may ask for; who holds the seat is decided by the house, and only read here."""

import html
import re
import time
from base64 import b64encode
from collections.abc import AsyncIterator, Mapping
from hashlib import sha256
from importlib.resources import files
from mimetypes import guess_type

import anyio
import msgspec
from anyio.to_thread import run_sync
from sse_starlette.event import ServerSentEvent
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from seance.web.access import CSP
from seance.web.callbacks import Calls
from seance.web.cookies import Cookies, device_of, new_device, seat_cookie
from seance.web.event_streams import Stream, Telling
from seance.web.latest import Board
from seance.web.limits import Patience, is_here
from seance.web.page_json import Furniture
from seance.web.page_state import Chair
from seance.web.requests import MOST_BYTES, BadRequest, Control, Do, Say, asked, command_asked

BODY_WITHIN = 10.0
"""Seconds in which all of a request must have come."""
CACHED = "max-age=3600"
"""Of what is the same for everybody and holds nothing of the night."""


class Site:
    """All routes of the house."""

    def __init__(self, board: Board, calls: Calls, furniture: Furniture, words: Mapping[str, str]) -> None:
        self._board, self._calls, self._words = board, calls, words
        self._telling = Telling(board, furniture, calls.level)
        self._cookies = Cookies()
        self._pages = files("seance.web").joinpath("pages")
        clock = time.monotonic
        self._sits = Patience(at_once=4, every=15.0, of_all=12, clock=clock)
        self._words_said = Patience(at_once=12, every=0.5, of_all=40, clock=clock)
        self._taps = Patience(at_once=30, every=0.1, clock=clock)
        self._deeds = Patience(at_once=8, every=1.0, of_all=20, clock=clock)
        self._looks = Patience(at_once=10, every=1.0, of_all=30, clock=clock)

    def app(self) -> Starlette:
        """Return the application."""
        get, post = ["GET"], ["POST"]
        routes = [
            Route("/", self._door, methods=get),
            Route("/table", self._table, methods=get),
            Route("/table/events", self._table_events, methods=get),
            Route("/table/say", self._say, methods=post),
            Route("/ghost", self._ghost, methods=get),
            Route("/ghost/events", self._ghost_events, methods=get),
            Route("/ghost/sit", self._sit, methods=post),
            Route("/ghost/command", self._command, methods=post),
            Route("/ghost/control", self._control, methods=post),
            Route("/chronicle", self._chronicle, methods=get),
            Route("/replay", self._replay, methods=get),
            Route("/replay/steps", self._replay_steps, methods=get),
            Route("/host", self._host, methods=get),
            Route("/host/checks", self._checks, methods=get),
            Route("/host/do", self._do, methods=post),
            Route("/static/{name}", self._static, methods=get),
            Route("/favicon.ico", self._favicon, methods=get),
        ]
        return Starlette(routes=routes, exception_handlers={HTTPException: _refused, BadRequest: self._bad})

    # Pages

    async def _door(self, request: Request) -> Response:
        chair = self._board.shown.chair
        if chair.holder is not None and device_of(request, chair) == chair.holder:
            return RedirectResponse("/ghost", status_code=303)
        return self._page("door")

    async def _table(self, request: Request) -> Response:
        return self._welcomed(request, self._page("table"))

    async def _ghost(self, _request: Request) -> Response:
        return self._page("ghost")

    async def _replay(self, _request: Request) -> Response:
        return self._page("replay")

    async def _host(self, request: Request) -> Response:
        return self._welcomed(request, self._page("host"))

    def _page(self, name: str) -> Response:
        """Return a page with the house's words in it, so that it says something before anything else has come."""
        words = {**self._words, "language": self._board.shown.language}
        text = self._pages.joinpath(f"{name}.html").read_text(encoding="utf-8")
        return HTMLResponse(re.sub(r"\{\{(\w+)\}\}", lambda hole: html.escape(words.get(hole[1], "")), text))

    def _welcomed(self, request: Request, response: Response) -> Response:
        self._cookies.welcome(request, response)
        return response

    async def _static(self, request: Request) -> Response:
        name = request.path_params["name"]
        file = self._pages.joinpath(name)
        if not re.fullmatch(r"[a-z0-9_-]+(\.[a-z0-9]+)+", name) or name.endswith(".html") or not file.is_file():
            raise HTTPException(404)
        kind = "text/javascript" if name.endswith(".js") else guess_type(name)[0] or "application/octet-stream"
        return Response(file.read_bytes(), media_type=kind, headers={"cache-control": CACHED})

    async def _favicon(self, _request: Request) -> Response:
        return Response(status_code=204, headers={"cache-control": CACHED})

    # The table

    async def _table_events(self, request: Request) -> Response:
        return self._welcomed(request, Stream(self._telling.table()))

    async def _say(self, request: Request) -> Response:
        self._must_be_guest(request)
        self._must_be_patient(self._words_said, request)
        said = asked(await self._body(request), Say)
        if said.is_the_ghosts:
            raise BadRequest(self._word("ghost_words_here"))
        self._calls.say(said.text, is_here(_address(request)))
        return JSONResponse({}, status_code=202)

    # The ghost

    async def _sit(self, request: Request) -> Response:
        if not self._sits.allows(_address(request)):
            raise HTTPException(429, self._word("seat_too_often"))
        await self._body(request)
        chair = self._chair()
        device = device_of(request, chair)
        if device is not None and device in (chair.holder, chair.asked):
            return JSONResponse({"seat": chair.standing}, status_code=202)
        if chair.standing != "free":
            self._calls.tried()
            return JSONResponse({"seat": chair.standing, "message": self._word("seat_taken")}, status_code=409)
        device = device or new_device()
        self._calls.sit(device)
        response = JSONResponse({"seat": "asked"}, status_code=202)
        seat_cookie(response, chair, device)
        return response

    async def _ghost_events(self, request: Request) -> Response:
        device = device_of(request, self._chair())
        if device is None:
            raise HTTPException(403, self._word("not_your_seat"))
        return Stream(self._watched(device))

    async def _watched(self, device: str) -> AsyncIterator[ServerSentEvent]:
        """Yield what *device* may see, and let the house know while its page is open."""
        self._calls.present(device, True)
        try:
            async for frame in self._telling.ghost(device):
                yield frame
        finally:
            self._calls.present(device, False)

    async def _command(self, request: Request) -> Response:
        device = self._must_hold_the_seat(request)
        self._must_be_patient(self._taps, request)
        self._calls.ask(device, command_asked(await self._body(request), self._calls.editions))
        return JSONResponse({}, status_code=202)

    async def _control(self, request: Request) -> Response:
        device = self._must_hold_the_seat(request)
        self._must_be_patient(self._taps, request)
        self._calls.control(device, asked(await self._body(request), Control).control)
        return JSONResponse({}, status_code=202)

    # After the night, and the host's corner

    async def _chronicle(self, request: Request) -> Response:
        self._must_be_patient(self._looks, request)
        page = await run_sync(self._calls.lookups.chronicle)
        if page is None:
            raise HTTPException(404, self._word("no_night_over"))
        return HTMLResponse(page, headers={"content-security-policy": _with_styles(page)})

    async def _replay_steps(self, request: Request) -> Response:
        self._must_be_patient(self._looks, request)
        steps = await run_sync(self._calls.lookups.replay)
        if steps is None:
            raise HTTPException(404, self._word("no_night_over"))
        told = {**self._telling.furnishings, **steps}
        return Response(msgspec.json.encode(told), media_type="application/json")

    async def _checks(self, request: Request) -> Response:
        self._must_be_patient(self._looks, request)
        return JSONResponse(await run_sync(self._calls.lookups.checks))

    async def _do(self, request: Request) -> Response:
        self._must_be_guest(request)
        self._must_be_patient(self._deeds, request)
        why_not = self._calls.do(asked(await self._body(request), Do))
        if why_not is not None:
            raise HTTPException(409, why_not)
        return JSONResponse({}, status_code=202)

    # What must be so

    def _chair(self) -> Chair:
        """Return the ghost's chair, once the house knows whose it is: a house that has just been opened does not."""
        chair = self._board.shown.chair
        if not chair.key:
            raise HTTPException(503, self._word("not_ready"))
        return chair

    def _must_be_guest(self, request: Request) -> None:
        if not self._cookies.is_guest(request):
            raise HTTPException(403, self._word("wrong_origin"))

    def _must_hold_the_seat(self, request: Request) -> str:
        chair = self._chair()
        device = device_of(request, chair)
        if device is None or device != chair.holder:
            raise HTTPException(403, self._word("not_your_seat"))
        return device

    def _must_be_patient(self, patience: Patience, request: Request) -> None:
        if not patience.allows(_address(request)):
            raise HTTPException(429, self._word("too_fast"))

    async def _body(self, request: Request) -> bytes:
        """Return what was sent, if it is not too much of it and not too slow."""
        body = b""
        with anyio.move_on_after(BODY_WITHIN):
            async for part in request.stream():
                body += part
                if len(body) > MOST_BYTES:
                    raise HTTPException(413, self._word("too_large"), headers={"connection": "close"})
            return body
        raise HTTPException(408, self._word("bad_request"), headers={"connection": "close"})

    async def _bad(self, _request: Request, error: Exception) -> Response:
        return JSONResponse({"message": str(error) or self._word("bad_request")}, status_code=400)

    def _word(self, key: str) -> str:
        return self._words.get(key, key)


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - it is called for nothing else
    return JSONResponse({"message": error.detail}, status_code=error.status_code, headers=error.headers)


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _with_styles(page: str) -> str:
    """Return the policy for *page*, which has its own style in it, in sheets and at single elements."""
    sheets = re.findall(r"<style>(.*?)</style>", page, flags=re.DOTALL)
    elements = sorted({html.unescape(style) for style in re.findall(r' style="([^"]*)"', page)})
    hashes = " ".join(
        f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'" for style in (*sheets, *elements)
    )
    return CSP.replace("style-src 'self'", f"style-src 'self' 'unsafe-hashes' {hashes}".strip())
