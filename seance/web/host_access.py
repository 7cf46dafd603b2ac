"""The code that makes a phone the host's, and the signature by which that phone is known afterwards."""

import secrets
from collections.abc import Callable

from itsdangerous import TimestampSigner

CODE_DIGITS = 6
MAX_WRONG_TRIES = 5
"""Wrong tries, of all phones together, after which the code changes."""
HOST_MAX_AGE_S = 24 * 60 * 60
"""How long a phone stays the host's."""


def random_code() -> str:
    """Return CODE_DIGITS random digits."""
    return f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"


class HostAccess:
    """Lets phones in as the host's; code and signing key live as long as the program."""

    def __init__(self, make_code: Callable[[], str] = random_code) -> None:
        self._make_code = make_code
        self._signer = TimestampSigner(secrets.token_bytes(32), salt="host")
        self._wrong_tries = 0
        self.code = make_code()
        """To be shown, logged or spoken where this machine is, and sent to no page."""
        self.on_new_code: Callable[[str], None] = lambda _: None
        """Is given each new code."""

    def try_code(self, code: str) -> bool:
        """Tell whether *code* is the right one; it changes when it was used, and after MAX_WRONG_TRIES."""
        is_right = secrets.compare_digest(code.encode(), self.code.encode())
        self._wrong_tries += 1
        if is_right or self._wrong_tries >= MAX_WRONG_TRIES:
            self._wrong_tries = 0
            self.code = self._make_code()
            self.on_new_code(self.code)
        return is_right

    def sign(self, device: str) -> str:
        """Return *device* with a signature that makes it the host's for HOST_MAX_AGE_S."""
        return self._signer.sign(device).decode()

    def unsign(self, signed: str) -> bytes:
        """Return the device that was *signed*, or raise BadSignature."""
        return self._signer.unsign(signed, HOST_MAX_AGE_S)
