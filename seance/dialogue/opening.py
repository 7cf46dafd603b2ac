"""How much of the story the room hears before a night."""

from enum import StrEnum


class Opening(StrEnum):
    """How much of the story is told before a night."""

    LONG = "long"
    SHORT = "short"
    SKIPPED = "skipped"


def chosen_opening(story: Opening | bool | None) -> Opening | None:
    """Return the opening that *story* stands for, or None where the usual one is meant.

    Earlier versions stored whether there was a story at all.
    """
    if isinstance(story, Opening):
        return story
    return Opening.SKIPPED if story is False else None
