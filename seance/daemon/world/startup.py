"""The first step of a start: opens the body and sweeps its lights; imports little, so that this happens at once."""

import logging
from dataclasses import dataclass

from hardware.body import Body, open_body
from hardware.failsafe import remember_coil
from hardware.pins import HardwareError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StartedBody:
    """An open body."""

    body: Body
    is_substitute: bool
    """Whether it is the virtual board, because the pins of the chosen one cannot be used."""


def start_body(configured: str, *, asked: str | None = None) -> StartedBody:
    """Open the body of the board *asked* for, else of the *configured* one, and sweep its lights; or raise BadBoard.

    On a machine without pins the board asked for is shown on virtual ones, and the virtual board stands in for the
    configured one.
    """
    is_substitute = False
    try:
        body = open_body(configured, stand_in="virtual") if asked is None else open_body(asked)
    except HardwareError as trouble:
        log.warning("%s: the virtual board stands in", trouble)
        body, is_substitute = open_body("virtual"), True
    else:
        remember_coil(body.board)
    body.sweep()
    log.debug("the lights are on")
    return StartedBody(body, is_substitute)
