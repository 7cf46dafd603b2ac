"""Requests of an attacker as bytes: by the schema of the pages, mutated, forged, malformed, oversized or unfinished."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from script.benches.attack_engine import ODD_VALUES, mutate_bytes
from seance.languages import language_codes
from seance.rules import Psychic
from seance.web.requests import GHOST_COMMANDS, MAX_BODY_BYTES
from seance.web.touch import SEAT_TOUCHES, TOUCH_SLOTS

GETS = (
    "/",
    "/table",
    "/ghost",
    "/seat",
    "/replay",
    "/host",
    "/host/checks",
    "/chronicle",
    "/replay/steps",
    "/favicon.ico",
)
STATIC = ("night.css", "page.js", "table.html", "%2e%2e%2fsite.py", "x" * 256 + ".js", "night.css%00", "..", "%ff", "%")
STREAMS = ("/table/events", "/ghost/events", "/seat/events")
SEAT_POSTS = ("/seat/touch", "/seat/talk", "/seat/leave", "/seat/take")
"""The requests of a psychic's page."""
POSTS = (
    *("/table/say", "/table/typing", "/table/touch", "/table/chair"),
    *(*SEAT_POSTS, "/ghost/sit", "/ghost/command", "/ghost/control"),
    *("/host/do", "/host/enter", "/host/code"),
)
HOST_CONTROLS = (
    ("louder", None),
    ("quieter", None),
    ("pace", "silent"),
    *(("language", code) for code in language_codes()),
    ("speaker_test", None),
    ("lights_test", None),
)
GUEST_CONTROLS = (b"louder", b"quieter")
"""The controls that a guest's phone may use."""
METHODS = ("GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "X", "get", "G ET", "\x00")
ENDING_TOUCHES = ("end", "yes", "begin")
"""Touches that together may end the night, which a guest may do."""
SENTENCES = (
    "yes",
    "no",
    "red chooses card 7",
    "we are ready",
    "what time is it",
    "the ghost must change seats",
    "ghost culprit 2",
    "blue agrees with red",
    "say that again",
    "\x1b]0;title\x07",
    "\u202eyes",
    "42",
    "07",
    "é" * 400,
)
"""What guests may type that does not end the night."""
HOSTS = (
    "{host}",
    "localhost",
    "127.0.0.1",
    "seance.local",
    "evil.example",
    "8.8.8.8",
    "",
    "a@localhost",
    "[::1",
    "x\x00y",
)
ORIGINS = ("http://{host}", "https://{host}", "http://evil.example", "null", "", "http://{host}.evil.example", "\xff")


@dataclass(frozen=True, slots=True)
class AttackRequest:
    """The bytes of one request."""

    data: bytes
    is_stream: bool = False
    """Whether the answer may be endless."""
    is_unfinished: bool = False
    """Whether the server may wait for more."""
    is_pipelined: bool = False
    """Whether more requests follow before the first is answered; the last one closes the connection."""
    must_be_refused: bool = False
    """Whether any answer but a refusal is a break-in."""


@dataclass(frozen=True, slots=True)
class KnownCookies:
    """The cookies that the attackers know, or have stolen and may use only from elsewhere."""

    guest: str
    former_seat: str
    """Of a ghost who has left the seat."""
    seat: str
    """Of the ghost; sent only where the origin or the host is wrong."""
    former_psychic: str
    """Of a phone that has given red's seat back."""
    psychic: str
    """Of the phone that plays for red; sent only where the origin or the host is wrong."""
    host: str
    """Of the host's phone; sent only where the origin or the host is wrong."""


def make_request(chance: Random, host: str, cookies: KnownCookies) -> AttackRequest:
    """Return the next request of an attacker on the house at *host*."""
    kinds: tuple[tuple[Callable[..., AttackRequest], int], ...] = (
        (_by_schema, 50),
        (_cross_site, 8),
        (_as_host, 6),
        (_as_psychic, 6),
        (_odd_path, 10),
        (_odd_method, 6),
        (_odd_headers, 8),
        (_mutated, 12),
        (_stream, 6),
        (_pipelined, 3),
        (_oversized, 2),
        (_unfinished, 1),
    )
    make = chance.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])[0]
    return make(chance, host, cookies)


def _head(method: str, path: str, headers: Mapping[str, str]) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", errors="replace")


def _headers(host: str, cookie: str = "", **more: str) -> dict[str, str]:
    its = {"Host": host, "Origin": f"http://{host}", "Connection": "close", "Content-Type": "application/json"}
    return its | ({"Cookie": cookie} if cookie else {}) | more


def _post(path: str, body: bytes, headers: Mapping[str, str]) -> bytes:
    return _head("POST", path, {**headers, "Content-Length": str(len(body))}) + body


def _cookie(chance: Random, cookies: KnownCookies) -> str:
    """Return a Cookie header of somebody who is neither the ghost nor the host."""
    parts = [f"guest={cookies.guest}"] if chance.random() < 0.8 else [f"guest={_forge(chance, cookies.guest)}"]
    if chance.random() < 0.7:
        parts.append(f"seat={_forged(chance, cookies.seat, cookies.guest, cookies.former_seat)}")
    if chance.random() < 0.6:
        parts.append(f"psychic={_forged(chance, cookies.psychic, cookies.guest, cookies.former_psychic)}")
    if chance.random() < 0.4:
        parts.append(f"host={_forged(chance, cookies.host, cookies.guest, cookies.former_seat)}")
    return "; ".join(parts)


def _forged(chance: Random, cookie: str, *others: str) -> str:
    """Return what a forger puts in place of *cookie*, who has the cookies *others*."""
    signature = cookie.rpartition(".")
    forged = (
        "",
        "x",
        *others,
        _forge(chance, cookie),
        cookie.partition(".")[0],
        f"{signature[0]}.{others[0].rpartition('.')[2]}",
        f"{others[0].partition('.')[0]}.{cookie.partition('.')[2]}",
        "a" * 5000,
        "\xe9",
    )
    return chance.choice(forged)


def _forge(chance: Random, cookie: str) -> str:
    """Return *cookie* with one letter changed."""
    # Not the last one: its lowest bits are padding in base64, and not part of the signature.
    at = chance.randrange(max(1, len(cookie) - 1))
    return cookie[:at] + ("A" if cookie[at : at + 1] != "A" else "B") + cookie[at + 1 :]


def _body(chance: Random, path: str) -> bytes:
    """Return a body that fits *path*, or nearly."""
    fields: dict[str, Any] = {
        "/table/say": {"text": chance.choice(SENTENCES)},
        "/table/typing": {"begun": chance.random() < 0.5},
        "/table/touch": _touch(chance, tuple(name for name in TOUCH_SLOTS if name not in ENDING_TOUCHES)),
        "/table/chair": {"psychic": chance.choice(("red", "grey")), "direction_deg": chance.choice((0, 359.5, 720))},
        "/seat/touch": _touch(chance, SEAT_TOUCHES),
        "/seat/talk": {"held": chance.random() < 0.5, "psychic": chance.choice(("red", "green", "blue"))},
        "/seat/take": {"psychic": chance.choice(("red", "green", "grey"))},
        "/ghost/command": {"command": chance.choice(GHOST_COMMANDS), "psychic": "red", "count": 1},
        "/ghost/control": {"control": chance.choice(("pause", "resume"))},
        "/host/do": dict(zip(("do", "value"), chance.choice(HOST_CONTROLS), strict=True)),
        "/host/enter": {"code": f"{chance.randrange(10**6):06}"},
    }.get(path, {})
    if chance.random() < 0.5:
        key = chance.choice([*fields, "x"])
        fields[key] = chance.choice(ODD_VALUES)
    body = json.dumps(fields).encode()
    return mutate_bytes(chance, body, body) if chance.random() < 0.3 else body


def _touch(chance: Random, intents: tuple[str, ...]) -> dict[str, Any]:
    """Return the body of a touch of one of *intents*, with some of its slots filled."""
    intent = chance.choice(intents)
    values: dict[str, tuple[Any, ...]] = {
        "card": (1, 7, 0, "7"),
        "group": (1, 2, 99),
        "agrees": (True, False, 1),
        "row": ([1, 2, 3], [], [10**30]),
        "order": (["red", "blue"], [["red"]], "red"),
    }
    names = [name for name in TOUCH_SLOTS[intent] if chance.random() < 0.8]
    slots = {name: chance.choice(values.get(name, (*Psychic, 3, None))) for name in names}
    return {"intent": intent, "slots": slots}


def _by_schema(chance: Random, host: str, cookies: KnownCookies) -> AttackRequest:
    """A request as a page would send it, with the cookies of an attacker."""
    headers = _headers(host, _cookie(chance, cookies))
    if chance.random() < 0.25:
        path = chance.choice(GETS)
        return AttackRequest(_head("GET", path, headers), must_be_refused=path == "/host/checks")
    path = chance.choice(POSTS)
    body = _body(chance, path)
    for_host = path == "/host/enter" or (path == "/host/do" and not any(each in body for each in GUEST_CONTROLS))
    for_psychic = path in ("/seat/touch", "/seat/leave")
    return AttackRequest(_post(path, body, headers), must_be_refused=for_host or for_psychic)


def _cross_site(chance: Random, host: str, cookies: KnownCookies) -> AttackRequest:
    """A request from another site in the ghost's own browser."""
    path = chance.choice(POSTS)
    wrong_host = chance.random() < 0.4
    wrong: dict[str, str] = (
        {"Host": chance.choice(("evil.example", "8.8.8.8", "", "a@localhost"))}
        if wrong_host
        else {"Origin": chance.choice(ORIGINS[1:]).format(host=host)}
    )
    if chance.random() < 0.2:
        wrong["Sec-Fetch-Site"] = "cross-site"
    headers = (
        _headers(host, f"guest={cookies.guest}; seat={cookies.seat}; psychic={cookies.psychic}; host={cookies.host}")
        | wrong
    )
    if wrong_host and chance.random() < 0.5:
        return AttackRequest(_head("GET", chance.choice(STREAMS), headers), is_stream=True, must_be_refused=True)
    return AttackRequest(_post(path, _body(chance, path), headers), must_be_refused=True)


def _as_host(chance: Random, host: str, cookies: KnownCookies) -> AttackRequest:
    """A wish that is the host's alone, with a forged cookie of the host's."""
    forged = _forged(chance, cookies.host, cookies.guest, cookies.seat)
    headers = _headers(host, f"guest={cookies.guest}; host={forged}")
    if chance.random() < 0.2:
        return AttackRequest(_head("GET", "/host/checks", headers), must_be_refused=True)
    control, value = chance.choice(HOST_CONTROLS[2:])
    body = json.dumps({"do": control, "value": value}).encode()
    return AttackRequest(_post("/host/do", body, headers), must_be_refused=True)


def _as_psychic(chance: Random, host: str, cookies: KnownCookies) -> AttackRequest:
    """A touch at red's seat, with a forged cookie of the phone that holds it."""
    forged = _forged(chance, cookies.psychic, cookies.guest, cookies.former_psychic, cookies.seat)
    headers = _headers(host, f"guest={cookies.guest}; psychic={forged}")
    path = chance.choice(("/seat/touch", "/seat/leave"))
    return AttackRequest(_post(path, _body(chance, path), headers), must_be_refused=True)


def _odd_path(chance: Random, host: str, cookies: KnownCookies) -> AttackRequest:
    base = chance.choice((*GETS, *POSTS, *(f"/static/{name}" for name in STATIC)))
    odd = ("", "/", "//", "/..", "?x=1", "?" + "y" * 3000, "%00", "%2e", ";a", "#", "\\", "/%c3%28", "*", " x", "é")
    path = base + chance.choice(odd)
    if chance.random() < 0.2:
        path = chance.choice(("*", "http://evil.example/", "http://" + host + "/table", "//evil.example", "x", ""))
    return AttackRequest(_head("GET", path, _headers(host, _cookie(chance, cookies))))


def _odd_method(chance: Random, host: str, cookies: KnownCookies) -> AttackRequest:
    path = chance.choice((*GETS, *POSTS))
    return AttackRequest(_head(chance.choice(METHODS), path, _headers(host, _cookie(chance, cookies))))


def _odd_headers(chance: Random, host: str, cookies: KnownCookies) -> AttackRequest:
    path = chance.choice(POSTS)
    odd: tuple[dict[str, str], ...] = (
        {"Host": chance.choice(HOSTS).format(host=host)},
        {"Origin": chance.choice(ORIGINS).format(host=host)},
        {"host ": host},
        {"X-Forwarded-For": "127.0.0.1", "X-Real-IP": "127.0.0.1", "Forwarded": "for=127.0.0.1"},
        {"X-HTTP-Method-Override": "DELETE", "X-Original-URL": "/ghost/events"},
        {"Transfer-Encoding": "identity"},
        {"Expect": "100-continue"},
        {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "eA==", "Sec-WebSocket-Version": "13"},
        {"Content-Type": chance.choice(("text/plain", "multipart/form-data", "", "application/json; charset=utf-7"))},
        {"Content-Encoding": "gzip"},
        {"Range": "bytes=0-0,5-9"},
        {"Last-Event-ID": "9" * 400},
        {"Accept-Encoding": "br;q=nan", "If-None-Match": "*", "If-Modified-Since": "x"},
        {"Cookie": "; ".join(f"seat={n}" for n in range(300))},
        {"X-" + "y" * 900: "z" * 900},
        {"Connection": "Upgrade, close", "Upgrade": "h2c", "HTTP2-Settings": "AAMAAABk"},
    )
    headers = _headers(host, _cookie(chance, cookies)) | chance.choice(odd)
    return AttackRequest(_post(path, _body(chance, path), headers), is_unfinished=True)


def _mutated(chance: Random, host: str, cookies: KnownCookies) -> AttackRequest:
    """Bytes that were a request."""
    one, other = _by_schema(chance, host, cookies).data, _by_schema(chance, host, cookies).data
    return AttackRequest(mutate_bytes(chance, one, other), is_stream=True, is_unfinished=True)


def _stream(chance: Random, host: str, cookies: KnownCookies) -> AttackRequest:
    headers = _headers(host, _cookie(chance, cookies))
    return AttackRequest(_head("GET", chance.choice(STREAMS), headers), is_stream=True)


def _pipelined(chance: Random, host: str, cookies: KnownCookies) -> AttackRequest:
    """Several requests on one connection, sent at once."""
    requests = [_by_schema(chance, host, cookies).data for _ in range(chance.randint(2, 5))]
    kept_open = [each.replace(b"Connection: close", b"Connection: keep-alive", 1) for each in requests[:-1]]
    return AttackRequest(b"".join([*kept_open, requests[-1]]), is_unfinished=True, is_pipelined=True)


def _oversized(chance: Random, host: str, cookies: KnownCookies) -> AttackRequest:
    headers, path = _headers(host, _cookie(chance, cookies)), chance.choice(POSTS)
    kind = chance.randrange(3)
    if kind == 0:
        return AttackRequest(_post(path, b"x" * chance.choice((MAX_BODY_BYTES, MAX_BODY_BYTES + 1, 300_000)), headers))
    if kind == 1:
        return AttackRequest(_head("GET", "/" + "x" * 40_000, headers))
    chunks = b"fff\r\n" + b"[" * 0xFFF + b"\r\n"
    head = _head("POST", path, headers | {"Transfer-Encoding": "chunked"})
    return AttackRequest(head + chunks * chance.randint(1, 4) + b"0\r\n\r\n")


def _unfinished(chance: Random, host: str, cookies: KnownCookies) -> AttackRequest:
    """A request whose rest never comes."""
    headers = _headers(host, _cookie(chance, cookies))
    kinds = (
        _head("POST", "/table/say", headers | {"Content-Length": "400"}) + b'{"text": "y',
        _head("POST", "/ghost/sit", headers | {"Transfer-Encoding": "chunked"}) + b"5\r\n{",
        b"GET /table HTTP/1.1\r\nHost: ",
        b"",
    )
    return AttackRequest(chance.choice(kinds), is_unfinished=True)
