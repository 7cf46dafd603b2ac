"""The first that is seen of a house: its body, and a light that says that it wakes; little is imported before it."""

import logging
from dataclasses import dataclass

from hardware.body import Body, open_body
from hardware.failsafe import remember_coil
from hardware.pins import HardwareError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Woken:
    """A body that has shown a first light."""

    body: Body
    stands_in: bool
    """Whether it is the virtual one, because the pins of the one that was wanted cannot be used."""


def wake(board: str) -> Woken:
    """Return the body of *board*, with a light that runs over it, or raise BadBoard."""
    stands_in = False
    try:
        body = open_body(board)
    except HardwareError as trouble:
        log.warning("%s: the virtual board stands in", trouble)
        body, stands_in = open_body("virtual"), True
    else:
        remember_coil(body.board)
    body.sweep()
    return Woken(body, stands_in)
