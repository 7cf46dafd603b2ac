"""Plays a night through the pages and yields its phases."""

from collections.abc import Iterator

from playwright.sync_api import expect

from tests.web.browser.seats import Ghost, Guest

PSYCHICS = ("blue", "white", "red")


def moments(ghost: Ghost, guest: Guest) -> Iterator[str]:
    """Play a night of four, and yield the name of each moment when both pages have come to it."""
    guest.begins("we are four, easy, the usual rules, blue, white and red play")
    yield from _hour(ghost, guest)
    for _ in range(2):
        for _ in _hour(ghost, guest):
            pass
    yield _both(ghost, guest, "The line-up")
    ghost.chooses("white")
    ghost.touches("culprit")
    ghost.means_it()
    yield _both(ghost, guest, "The shared vision")
    ghost.touches("lay")
    ghost.means_it()
    yield _both(ghost, guest, "The vote")


def _hour(ghost: Ghost, guest: Guest) -> Iterator[str]:
    yield _both(ghost, guest, "The visions")
    for psychic in PSYCHICS:
        ghost.gives(psychic)
    ghost.touches("turn")
    yield _both(ghost, guest, "The psychics choose")
    for psychic in PSYCHICS:
        guest.chooses(psychic, ghost.sought(psychic))
    guest.says("white disagrees with red")
    guest.says("we are ready")
    yield _both(ghost, guest, "The answers")
    for psychic in PSYCHICS:
        ghost.reveals(psychic)


def _both(ghost: Ghost, guest: Guest, phase: str) -> str:
    expect(ghost.phase).to_have_text(phase)
    expect(guest.phase).to_have_text(phase)
    return phase
