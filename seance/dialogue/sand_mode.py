"""How strictly the sand is kept."""

from enum import StrEnum


class SandMode(StrEnum):
    """What the house does with the sand of an hour, in editions that have one."""

    STRICT = "strict"
    """The sand runs, and time is called when it has run out."""
    SOFT = "soft"
    """The sand runs; whoever is still choosing then may finish."""
    ON_REQUEST = "on_request"
    """The sand runs only when somebody asks for it."""
    OFF = "off"
    """No sand is shown."""

    @property
    def is_turned_by_house(self) -> bool:
        """Whether choosing begins by itself once all visions are given."""
        return self in (SandMode.ON_REQUEST, SandMode.OFF)
