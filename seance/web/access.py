"""What stands before every page: who may connect, by which name, from which page; and what every answer carries."""

from collections.abc import Callable, Collection, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from seance.web.limits import is_near

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; media-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": CSP,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
"""On every answer that does not say otherwise."""


class Guard:
    """Lets a request pass that comes from near, names the house, and changes things only from a page of the house."""

    def __init__(self, app: ASGIApp, *, names: Collection[str], word: Callable[[str], str]) -> None:
        """Let the house be called by *names*; *word* says in its language why something is refused."""
        self._app, self._names, self._word = app, frozenset(names), word

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        changes = scope["method"] not in ("GET", "HEAD", "OPTIONS")
        passes = self._comes_from_near(scope) and self._names_us(headers) and (not changes or is_same_origin(headers))
        refusal = JSONResponse({"message": self._word("wrong_origin")}, status_code=403)
        app: ASGIApp = self._app if passes else refusal
        await app(scope, receive, _with_headers(send))

    def _comes_from_near(self, scope: Scope) -> bool:
        return bool(scope.get("client")) and is_near(scope["client"][0])

    def _names_us(self, headers: Headers) -> bool:
        """Tell whether the request was meant for us: a name of somebody else's that leads here is a trap."""
        hosts = headers.getlist("host")
        host = _name(hosts[0]) if len(hosts) == 1 else None
        return host is not None and (host in self._names or host.endswith(".local") or is_near(host))


def is_same_origin(headers: Headers) -> bool:
    """Tell whether a page of ours sent this; what says nothing of where it is from did not come from a page."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is None:
        return site == "same-origin"
    return origin == f"http://{headers.get('host')}" and site in (None, "same-origin")


def _name(host: str) -> str | None:
    """Return the name in a Host header, without its port."""
    try:
        name = urlsplit(f"//{host}").hostname
    except ValueError:
        return None
    return name if name and not set(host) & set("/@?#\\ ") else None


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=_raw(message))
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


def _raw(message: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    message["headers"] = list(message.get("headers", ()))
    return message
