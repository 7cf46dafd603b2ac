"""The functions that the web server calls for requests of the pages; none of them waits for the game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from seance.permissions import Source
from seance.rules import EDITIONS, Command, Edition, Psychic
from seance.web.requests import HostControlRequest
from seance.web.touch import Touch


def _do_nothing(*_: object) -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookups:
    """Lookups that take a moment; each is called on a worker thread."""

    chronicle: Callable[[], str | None] = _do_nothing
    """Returns the last finished night as an HTML page."""
    replay: Callable[[], Mapping[str, Any] | None] = _do_nothing
    """Returns the last finished night step by step, as the room saw it."""
    checks: Callable[[], list[dict[str, str]]] = list
    """Returns the doctor's findings: name, state, told, fix."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Callbacks:
    """What to do with requests of the pages; each is called on the server's thread."""

    say: Callable[[str, Source, str], None] = _do_nothing
    """Takes words typed on a table's page, what kind of device that is, and whose."""
    typing: Callable[[bool], None] = _do_nothing
    """Takes whether a line was begun on a table's page and not sent."""
    touch: Callable[[Touch, Source, str], None] = _do_nothing
    """Takes what was touched on a table's page, what kind of device that is, and whose."""
    request_seat: Callable[[str, str, Source], None] = _do_nothing
    """Takes the device that asks for the ghost's seat, its guest, and what kind of device it is."""
    request_psychic_seat: Callable[[Psychic, str, str, Source], None] = _do_nothing
    """Takes the psychic whose seat is asked for, the device, its guest, and what kind of device it is."""
    leave_psychic_seat: Callable[[str], None] = _do_nothing
    """Takes the device that gives its seat back."""
    touch_at_seat: Callable[[Touch, str], None] = _do_nothing
    """Takes what was touched on a psychic's page, and the device that holds the seat."""
    talk_at_seat: Callable[[str, Psychic, bool], None] = _do_nothing
    """Takes the device that holds the seat, who speaks, and whether the button to talk is held."""
    claim_seat: Callable[[str, str], None] = _do_nothing
    """Takes the device that was given the seat, and the id by which it is known from now on."""
    seat_attempted: Callable[[], None] = _do_nothing
    """Called when a device has asked for a seat that is taken."""
    ghost_command: Callable[[str, Command], None] = _do_nothing
    """Takes the device in the ghost's seat, and its command."""
    pause_or_resume: Callable[[str, str], None] = _do_nothing
    """Takes the device in the ghost's seat, and `pause` or `resume`."""
    ghost_page_open: Callable[[str, bool], None] = _do_nothing
    """Takes a device, and whether its ghost's page was opened or closed."""
    host_control: Callable[[HostControlRequest, Source], str | None] = _do_nothing
    """Takes a request of the host's page, and what kind of device that is; returns the reason if it is refused."""
    move_chair: Callable[[Psychic, float, Source], None] = _do_nothing
    """Takes whose chair is put where around the microphone array, in degrees, and what kind of device wants that."""
    tell_host_code: Callable[[str], None] = _do_nothing
    """Takes the host's code, to be told in the room."""
    microphone_level: Callable[[], float | None] = _do_nothing
    """Returns the level at the microphone (0 to 1); None without one."""
    lookups: Lookups = Lookups()
    editions: Mapping[str, Edition] = field(default_factory=lambda: EDITIONS)
