"""What is published of the house at one moment: an immutable value without a field for a secret."""

from dataclasses import dataclass

from seance.rules import Phase, RoomView
from seance.web.page_state import NumberedKnock, PageState, SandView


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseState:
    """Everything that other devices may know at one moment."""

    room: RoomView | None = None
    """The table as far as the narrator has told it."""
    edition: str = ""
    turns: int = 7
    """Hours or days of a night."""
    sand: SandView | None = None
    paused: bool = False
    what_next: str = ""
    """Who must do what, in words."""
    mood: str = ""
    """What the ambience sounds like."""
    faults: tuple[str, ...] = ()
    """What in the house does not work, by key."""
    culprit: int | None = None
    """The culprit's group, once the room has been told how the night ended."""
    knocks: tuple[NumberedKnock, ...] = ()
    """The last knocks."""

    @property
    def is_night_running(self) -> bool:
        """Whether a night has begun and is not over."""
        return self.room is not None and self.room.phase is not Phase.OVER


def house_state(page: PageState) -> HouseState:
    """Return what a table's page shows of *page*, as far as other devices have a use for it."""
    return HouseState(
        room=page.told_room,
        edition=page.edition_info.name,
        turns=page.edition_info.turns,
        sand=page.sand,
        paused=page.paused,
        what_next=page.what_next,
        mood=page.mood,
        faults=page.faults,
        culprit=page.culprit,
        knocks=page.knocks,
    )
