"""The devices in the room by which somebody can answer the house without a page."""

from dataclasses import dataclass

from seance.daemon.ghost_buttons import are_yes_and_no_the_ghosts
from seance.rules import RoomView


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomDevices:
    """Which of them work now."""

    keyboard: bool = True
    """This machine's own."""
    yes_button: bool = False
    """A `yes` button on a board that is really there."""
    hearing: bool = False
    """A microphone that is neither lost nor muted, and a recogniser."""

    array: bool = False
    """Microphones that tell from where somebody speaks."""
    ghost_deg: float | None = None
    """Where the ghost sits around them, in degrees, if the owner has told it."""

    def can_say_yes(self, room: RoomView | None) -> bool:
        """Tell whether a yes can come from one of them at this moment of the night."""
        return self.keyboard or self.hearing or (self.yes_button and not are_yes_and_no_the_ghosts(room))
