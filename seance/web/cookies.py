"""Two signed cookies: the guest's, for devices that have opened the table's page, and the ghost's, for one seat."""

import secrets

from itsdangerous import BadSignature, Signer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from seance.web.page_state import SeatState

SEAT_COOKIE = "seat"
GUEST_COOKIE = "guest"
"""Name and signing salt of a cookie."""
_DEVICE_ID_CHARS = 32


class Cookies:
    """Signs and reads guests' cookies with a key that lives as long as the server."""

    def __init__(self) -> None:
        self._guest_signer = Signer(secrets.token_bytes(32), salt=GUEST_COOKIE)

    def guest_of(self, request: HTTPConnection) -> str | None:
        """Return the guest whose device sends *request*; None if it has not opened a page before."""
        return _read(request, GUEST_COOKIE, self._guest_signer)

    def set_guest_cookie(self, response: Response, guest: str) -> None:
        """Set the cookie on *response* by which the device of *guest* is known."""
        _set(response, GUEST_COOKIE, self._guest_signer.sign(guest).decode())


def device_of(request: HTTPConnection, seat: SeatState) -> str | None:
    """Return the requesting device if it has asked for *seat* before; None if not."""
    return _read(request, SEAT_COOKIE, _seat_signer(seat))


def set_seat_cookie(response: Response, seat: SeatState, device: str) -> None:
    """Set the cookie on *response* by which *device* is known for as long as *seat* has its key."""
    _set(response, SEAT_COOKIE, _seat_signer(seat).sign(device).decode())


def new_device_id() -> str:
    """Return a random id for a device."""
    return secrets.token_hex(_DEVICE_ID_CHARS // 2)


def _seat_signer(seat: SeatState) -> Signer:
    return Signer(seat.key, salt=SEAT_COOKIE)


def _read(request: HTTPConnection, name: str, signer: Signer) -> str | None:
    try:
        return signer.unsign(request.cookies.get(name, "")).decode("ascii")
    except (BadSignature, UnicodeError):
        return None


def _set(response: Response, name: str, value: str) -> None:
    # Not `secure`: the server has no certificate, and the cookie is worthless to other hosts.
    response.set_cookie(name, value, httponly=True, samesite="strict", path="/")
