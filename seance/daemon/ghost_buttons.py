"""What the ghost's four buttons ask for; they are silent, and so is this."""

from collections.abc import Callable, Mapping

from seance.daemon.signals import Pressed
from seance.dialogue.conversation import Conversation
from seance.rules import Command, Deal, Phase, RoomView
from seance.rules import commands as c


def asked_by(press: Pressed, room: RoomView, counted: int) -> tuple[Command | None, int]:
    """Return what *press* asks for, and how many presses have been *counted* after it.

    The culprit is named by counting: `yes` once for each group up to the one that is meant, `yes` long to
    say so, `no` to begin anew.
    """
    if press.button == "crow":
        return (c.UseCrow() if room.phase is Phase.VISIONS else None), 0
    if room.phase is Phase.LINEUP:
        return _counting(press, counted)
    ask = _ASKS.get(room.phase)
    return (ask(press, room) if ask else None), 0


def says_who_sits(press: Pressed, conversation: Conversation, room: RoomView | None) -> bool:
    """Tell whether *press* answers who sits at the ghost's page; where it answers for the ghost, it does not."""
    for_the_ghost = room is not None and room.phase in (Phase.MANIFESTATION, Phase.LINEUP)
    sitting = conversation.sitting
    return sitting is not None and sitting.foremost and press.button in ("yes", "no") and not for_the_ghost


def _counting(press: Pressed, counted: int) -> tuple[Command | None, int]:
    if press.button != "yes":
        return None, 0
    if not press.long:
        return None, counted + 1
    return (c.ChooseCulprit(group=counted) if counted else None), 0


def _visions(press: Pressed, room: RoomView) -> Command | None:
    """Give one card to the next who has none; when all have, or by a long press, the sand is turned."""
    if press.button != "visions":
        return None
    waiting = [p.colour for p in room.psychics if p.searching != "done" and not p.served]
    return c.GiveVision(psychic=waiting[0], count=1) if waiting and not press.long else c.TurnSand()


def _answers(press: Pressed, room: RoomView) -> Command | None:
    """Answer the next psychic, where only the ghost knows."""
    waiting = [p.colour for p in room.psychics if p.searching != "done" and not p.answered]
    if room.deal is not Deal.HAND or not waiting or press.button not in ("yes", "no"):
        return None
    return c.Manifest(psychic=waiting[0], correct=press.button == "yes")


def _shared(press: Pressed, _room: RoomView) -> Command | None:
    return c.LaySharedVision() if press.button == "visions" else None


_ASKS: Mapping[Phase, Callable[[Pressed, RoomView], Command | None]] = {
    Phase.VISIONS: _visions,
    Phase.MANIFESTATION: _answers,
    Phase.SHARED_VISION: _shared,
}
