"""Two cookies: a guest's, for whoever has opened the table's page, and the ghost's, for one night's seat."""

import secrets

from itsdangerous import BadSignature, Signer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from seance.web.page_state import Chair

SEAT, GUEST = "seat", "guest"
_DEVICE_LETTERS = 32


class Cookies:
    """Signs and reads cookies; the guests' key lives as long as the server, a seat's as long as its night."""

    def __init__(self) -> None:
        self._guests = Signer(secrets.token_bytes(32), salt=GUEST)

    def is_guest(self, request: HTTPConnection) -> bool:
        """Tell whether the table's page was opened by the device that asks."""
        return _read(request, GUEST, self._guests) is not None

    def welcome(self, request: HTTPConnection, response: Response) -> None:
        """Give the device a guest's cookie with *response*, unless it has one."""
        if not self.is_guest(request):
            _set(response, GUEST, self._guests.sign(new_device()).decode())


def device_of(request: HTTPConnection, chair: Chair) -> str | None:
    """Return which device asks, if it has asked for *chair* before."""
    return _read(request, SEAT, _seat_signer(chair))


def seat_cookie(response: Response, chair: Chair, device: str) -> None:
    """Let *response* make *device* known again, for this night."""
    _set(response, SEAT, _seat_signer(chair).sign(device).decode())


def new_device() -> str:
    """Return a name that nobody can guess."""
    return secrets.token_hex(_DEVICE_LETTERS // 2)


def _seat_signer(chair: Chair) -> Signer:
    return Signer(chair.key, salt=SEAT)


def _read(request: HTTPConnection, name: str, signer: Signer) -> str | None:
    try:
        return signer.unsign(request.cookies.get(name, "")).decode("ascii")
    except (BadSignature, UnicodeError):
        return None


def _set(response: Response, name: str, value: str) -> None:
    # No `secure`: the house has no certificate, and the cookie is worth nothing to another host.
    response.set_cookie(name, value, httponly=True, samesite="strict", path="/")
