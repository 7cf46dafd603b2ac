"""Signed cookies: of guests who have opened a page, of the ghost's and the psychics' seats, and of the host's phone."""

import secrets
from collections.abc import Callable

from itsdangerous import BadSignature, Signer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from seance.web.host_access import HostAccess
from seance.web.page_state import PsychicSeatsState, SeatState

SEAT_COOKIE = "seat"
PSYCHIC_COOKIE = "psychic"
GUEST_COOKIE = "guest"
HOST_COOKIE = "host"
"""Name and signing salt of a cookie."""
_DEVICE_ID_CHARS = 32
_MAX_AGE_S = 24 * 60 * 60
"""For which a phone keeps a cookie, also if it closes its browser while it sleeps."""


class Cookies:
    """Signs and reads guests' cookies with a key that lives as long as the server."""

    def __init__(self) -> None:
        self._guest_signer = Signer(secrets.token_bytes(32), salt=GUEST_COOKIE)

    def guest_of(self, request: HTTPConnection) -> str | None:
        """Return the guest whose device sends *request*; None if it has not opened a page before."""
        return _read(request, GUEST_COOKIE, self._guest_signer.unsign)

    def set_guest_cookie(self, response: Response, guest: str) -> None:
        """Set the cookie on *response* by which the device of *guest* is known."""
        _set(response, GUEST_COOKIE, self._guest_signer.sign(guest).decode())


def device_of(request: HTTPConnection, seat: SeatState) -> str | None:
    """Return the requesting device if it has asked for *seat* before; None if not."""
    return _read(request, SEAT_COOKIE, _seat_signer(seat).unsign)


def set_seat_cookie(response: Response, seat: SeatState, device: str) -> None:
    """Set the cookie on *response* by which *device* is known for as long as *seat* has its key."""
    _set(response, SEAT_COOKIE, _seat_signer(seat).sign(device).decode())


def psychic_device_of(request: HTTPConnection, seats: PsychicSeatsState) -> str | None:
    """Return the requesting device if it has asked for one of *seats* before; None if not."""
    return _read(request, PSYCHIC_COOKIE, Signer(seats.key, salt=PSYCHIC_COOKIE).unsign) if seats.key else None


def set_psychic_cookie(response: Response, seats: PsychicSeatsState, device: str) -> None:
    """Set the cookie on *response* by which *device* is known for as long as *seats* have their key."""
    _set(response, PSYCHIC_COOKIE, Signer(seats.key, salt=PSYCHIC_COOKIE).sign(device).decode())


def is_host(request: HTTPConnection, access: HostAccess) -> bool:
    """Tell whether *request* comes from a phone that *access* has let in as the host's."""
    return _read(request, HOST_COOKIE, access.unsign) is not None


def set_host_cookie(response: Response, access: HostAccess) -> None:
    """Set the cookie on *response* by which a phone is known as the host's."""
    _set(response, HOST_COOKIE, access.sign(new_device_id()))


def new_device_id() -> str:
    """Return a random id for a device."""
    return secrets.token_hex(_DEVICE_ID_CHARS // 2)


def _seat_signer(seat: SeatState) -> Signer:
    return Signer(seat.key, salt=SEAT_COOKIE)


def _read(request: HTTPConnection, name: str, unsign: Callable[[str], bytes]) -> str | None:
    try:
        return unsign(request.cookies.get(name, "")).decode("ascii")
    except (BadSignature, UnicodeError):
        return None


def _set(response: Response, name: str, value: str) -> None:
    # Not `secure`: the server has no certificate, and the cookie is worthless to other hosts.
    response.set_cookie(name, value, max_age=_MAX_AGE_S, httponly=True, samesite="strict", path="/")
