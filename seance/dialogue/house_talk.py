"""What is asked of the house itself, and what it is asked about the night; the game does not change by it."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from seance.dialogue import replies as r
from seance.dialogue.answers import ANSWERS, lacking, options
from seance.dialogue.conversation_state import Conversation, Moment, Step
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.pending import asked
from seance.rules import Category, RoomView, Table


def answered(conversation: Conversation, name: str, at: Moment) -> Step | None:
    """Return what follows from an intent called *name*; None where it is not for the house."""
    if name in _ACTS:
        return _ACTS[name](conversation, at)
    if name == "ask_options":
        return conversation, (_options(conversation, at),)
    if name in ANSWERS:
        return _asked_about(conversation, name, at)
    return None


def _asked_about(conversation: Conversation, name: str, at: Moment) -> Step:
    """Return the answer to a question about the night."""
    if at.night is None or conversation.setting_up:
        return conversation, (r.NoNightYet(),)
    answer = ANSWERS[name](at.night)
    if isinstance(answer, r.Ask):
        return asked(replace(conversation, pending=None), answer, intent=Intent("name_eldest"), slot="psychic")
    return conversation, (answer,)


def _options(conversation: Conversation, at: Moment) -> r.Options:
    if at.night is not None and not conversation.setting_up:
        return options(at.night, at.customs)
    return r.Options(None, ("setup", "begin", "end") if conversation.setting_up else ("begin",))


def _time(conversation: Conversation, at: Moment) -> Step:
    if at.night is None:
        return conversation, (r.NoNightYet(),)
    seconds = None if at.sand is None else max(0, round(at.sand))
    return conversation, (r.TimeLeft(seconds, conversation.paused),)


def _pause(conversation: Conversation, at: Moment) -> Step:
    if at.night is None:
        return conversation, (r.NoNightYet(),)
    return replace(conversation, paused=True), (r.Paused(already=conversation.paused),)


def _resume(conversation: Conversation, at: Moment) -> Step:
    if at.night is None:
        return conversation, (r.NoNightYet(),)
    return replace(conversation, paused=False), (r.Resumed(already=not conversation.paused),)


def _repeat(conversation: Conversation, at: Moment) -> Step:
    """Say again what was said last; while the table is being laid, all that is to be laid."""
    if at.night is None or not conversation.laying_out or conversation.pending is not None:
        return conversation, (r.SayAgain(),)
    return conversation, layouts(at.night)


def layouts(room: RoomView) -> tuple[r.LayOut, ...]:
    """Return which cards to lay out, one reply a kind of card."""
    return tuple(r.LayOut(Table(**{kind: room.table.of(kind)})) for kind in Category)


def still_laying_out(conversation: Conversation, room: RoomView) -> Step:
    """Return what follows when the room has laid the table and says that it is ready."""
    waiting = lacking(room)
    missing = (r.Missing(*waiting),) if waiting else ()
    return replace(conversation, laying_out=False), missing


def _asleep(conversation: Conversation, _: Moment) -> Step:
    return replace(conversation, asleep=True), (r.Asleep(),)


def _awake(conversation: Conversation, _: Moment) -> Step:
    return replace(conversation, asleep=False), (r.Awake(),)


def _just(reply: r.Reply) -> "_Act":
    return lambda conversation, _: (conversation, (reply,))


_Act = Callable[[Conversation, Moment], Step]

_ACTS: Mapping[str, _Act] = {
    "ask_time": _time,
    "pause": _pause,
    "resume": _resume,
    "repeat": _repeat,
    "louder": _just(r.Volume(louder=True)),
    "quieter": _just(r.Volume(louder=False)),
    "hush": _just(r.Hush()),
    "sleep": _asleep,
    "wake": _awake,
    "free_seat": lambda conversation, _: (replace(conversation, sitting=None), (r.SeatFreed(),)),
}
