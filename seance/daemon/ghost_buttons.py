"""Maps presses of the ghost's four buttons to commands."""

from collections.abc import Callable, Mapping

from seance.daemon.signals import ButtonPress
from seance.dialogue.conversation import Conversation
from seance.rules import Command, Deal, Phase, RoomView
from seance.rules import commands as c


def command_for_press(press: ButtonPress, room: RoomView, count: int) -> tuple[Command | None, int]:
    """Return the command that *press* asks for, and the new *count* of presses.

    The culprit is named by counting: `yes` once for each group up to the chosen one, a long `yes` to confirm,
    `no` to start over.
    """
    if press.button == "crow" and room.phase is Phase.MANIFESTATION:
        return _correct_last_answer(room), 0
    if press.button == "crow":
        return (c.UseCrow() if room.phase is Phase.VISIONS else None), 0
    if room.phase is Phase.LINEUP:
        return _count_to_culprit(press, count)
    command = _COMMANDS.get(room.phase)
    return (command(press, room) if command else None), 0


def answers_seat_question(press: ButtonPress, conversation: Conversation, room: RoomView | None) -> bool:
    """Tell whether *press* answers the question who sits at the ghost's page.

    It does not while `yes` and `no` are the ghost's own answers.
    """
    sitting = conversation.sitting
    is_open = sitting is not None and sitting.foremost
    return is_open and press.button in ("yes", "no") and not are_yes_and_no_the_ghosts(room)


def skips_story(press: ButtonPress, conversation: Conversation) -> bool:
    """Tell whether *press* skips the story: `no` does, until the first turn has begun."""
    return press.button == "no" and conversation.laying_out


def says_ready(press: ButtonPress, conversation: Conversation) -> bool:
    """Tell whether *press* says that everything is laid: `yes` does, until the first turn has begun."""
    return press.button == "yes" and conversation.laying_out and not (conversation.pending or conversation.paused)


def are_yes_and_no_the_ghosts(room: RoomView | None) -> bool:
    """Tell whether the buttons `yes` and `no` are the ghost's own answers in this phase."""
    return room is not None and room.phase in (Phase.MANIFESTATION, Phase.LINEUP)


def _count_to_culprit(press: ButtonPress, count: int) -> tuple[Command | None, int]:
    if press.button != "yes":
        return None, 0
    if not press.long:
        return None, count + 1
    return (c.ChooseCulprit(group=count) if count else None), 0


def _give_vision_or_turn_sand(press: ButtonPress, room: RoomView) -> Command | None:
    """Give one card to the next psychic who has none; if all have one, or on a long press, turn the sand."""
    if press.button != "visions":
        return None
    waiting = [p.colour for p in room.psychics if p.searching != "done" and not p.served]
    return c.GiveVision(psychic=waiting[0], count=1) if waiting and not press.long else c.TurnSand()


def _answer_next_psychic(press: ButtonPress, room: RoomView) -> Command | None:
    """Answer the next psychic, if the cards were dealt by hand."""
    waiting = [p.colour for p in room.psychics if p.searching != "done" and not p.answered]
    if room.deal is not Deal.HAND or not waiting or press.button not in ("yes", "no"):
        return None
    return c.Manifest(psychic=waiting[0], correct=press.button == "yes")


def _correct_last_answer(room: RoomView) -> Command | None:
    """Turn the last answer that the buttons gave into its opposite, if the cards were dealt by hand."""
    answered = [p.colour for p in room.psychics if p.answered]
    return c.CorrectAnswer(psychic=answered[-1]) if answered and room.deal is Deal.HAND else None


def _lay_shared_vision(press: ButtonPress, _room: RoomView) -> Command | None:
    return c.LaySharedVision() if press.button == "visions" else None


_COMMANDS: Mapping[Phase, Callable[[ButtonPress, RoomView], Command | None]] = {
    Phase.VISIONS: _give_vision_or_turn_sand,
    Phase.MANIFESTATION: _answer_next_psychic,
    Phase.SHARED_VISION: _lay_shared_vision,
}
