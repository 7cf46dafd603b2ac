"""Access checks before every request (address, Host, Origin), and the security headers of every response."""

import html
import re
from base64 import b64encode
from collections.abc import Callable, Collection, MutableMapping
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from seance.web.limits import is_local_network

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
"""Set on every response that does not set them itself."""


class AccessGuard:
    """Passes requests that come from the local network, name this host and, unless they only read, are same-origin."""

    def __init__(self, app: ASGIApp, *, names: Collection[str], word: Callable[[str], str]) -> None:
        """Accept *names* as this host; *word* returns a text of the pages by its key."""
        self._app, self._names, self._word = app, frozenset(names), word

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the app, or with 403."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        is_change = scope["method"] not in ("GET", "HEAD", "OPTIONS")
        passes = self._is_local(scope) and self._is_our_host(headers) and (not is_change or is_same_origin(headers))
        refusal = JSONResponse({"message": self._word("wrong_origin")}, status_code=403)
        app: ASGIApp = self._app if passes else refusal
        await app(scope, receive, _with_headers(send))

    def _is_local(self, scope: Scope) -> bool:
        return bool(scope.get("client")) and is_local_network(scope["client"][0])

    def _is_our_host(self, headers: Headers) -> bool:
        """Tell whether the Host header is one of ours, against DNS rebinding."""
        hosts = headers.getlist("host")
        host = _host_name(hosts[0]) if len(hosts) == 1 else None
        return host is not None and (host in self._names or host.endswith(".local") or is_local_network(host))


def is_same_origin(headers: Headers) -> bool:
    """Tell whether a page of this server sent the request; without Origin, Sec-Fetch-Site must say so."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is None:
        return site == "same-origin"
    return origin == f"http://{headers.get('host')}" and site in (None, "same-origin")


def _host_name(host: str) -> str | None:
    """Return the host name in a Host header, without its port; None if it is malformed."""
    try:
        name = urlsplit(f"//{host}").hostname
    except ValueError:
        return None
    return name if name and not set(host) & set("/@?#\\ ") else None


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=_with_header_list(message))
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return send_with_headers


def _with_header_list(message: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    message["headers"] = list(message.get("headers", ()))
    return message


def policy_with_styles(page: str) -> str:
    """Return the content security policy for *page*, with hashes of its inline styles."""
    sheets = re.findall(r"<style>(.*?)</style>", page, flags=re.DOTALL)
    elements = sorted({html.unescape(style) for style in re.findall(r' style="([^"]*)"', page)})
    hashes = " ".join(
        f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'" for style in (*sheets, *elements)
    )
    return CSP.replace("style-src 'self'", f"style-src 'self' 'unsafe-hashes' {hashes}".strip())
