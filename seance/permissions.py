"""Who may do what: one table of actions and sources, which docs/access.md repeats for people."""

from collections.abc import Collection, Mapping
from enum import StrEnum


class Source(StrEnum):
    """Where a wish comes from; the values head the columns of docs/access.md."""

    VOICE = "voice in the room"
    KEYBOARD = "this machine's keyboard"
    """Typed at the terminal, or at a page that is open on this machine."""
    BUTTON = "button"
    SEATED_PHONE = "seated phone"
    """A phone that holds a seat."""
    OTHER_PHONE = "other phone"
    HOST_PHONE = "host's phone"
    """A phone on which the host's code was typed."""
    MQTT = "MQTT"
    """Another device of the house, by a broker."""


class Permission(StrEnum):
    """What becomes of a wish; the values are the cells of docs/access.md."""

    ALLOWED = "yes"
    ASKED_BACK = "asked back"
    """Done when the room has said yes."""
    WITH_DIGITS = "with digits"
    """Done for whoever types digits that are told in the room and nowhere else."""
    OWN_SEAT = "own seat"
    """Allowed if it belongs to the seat that the phone holds; see SEAT_ACTIONS."""
    IF_ALLOWED = "if allowed"
    """Done if the owner's settings allow it."""
    NEVER = "never"


class Action(StrEnum):
    """What somebody may wish; the values begin the rows of docs/access.md."""

    SIT = "sit"
    CONFIRM_SEAT = "confirm a seat"
    """Say yes to the question who sits, or whether a seat shall be free."""
    FREE_SEAT = "free a seat"
    ACT_AS_GHOST = "act as the ghost"
    SAY = "say"
    """Say anything that is not in another row, such as "begin the séance" or "what time is it"."""
    TALK = "hold the button to talk"
    """Let the house listen without a wake word, or at all; who speaks is known from a phone's seat."""
    CHOOSE = "choose"
    BET = "bet"
    VOTE = "vote"
    UNDO = "undo"
    PAUSE = "pause"
    VOLUME = "volume"
    END_NIGHT = "end the night"
    PACE = "pace"
    LANGUAGE = "language"
    MOVE_CHAIR = "move a chair"
    """Tell the house where a guest sits around its microphones."""
    TRY_DEVICES = "try sound and lights"
    DOCTOR = "doctor"
    PATHS = "paths"
    BECOME_HOST = "become host"
    NARRATE = "have a line said"
    """Let the narrator say any text."""
    CHANGE_SAND = "add or take sand"
    KNOCK = "knock"
    """Let the house knock while no answer is expected."""


GHOST_SEAT = "ghost"
PSYCHIC_SEAT = "psychic"
SEAT_ACTIONS: Mapping[str, frozenset[Action]] = {
    GHOST_SEAT: frozenset({Action.SIT, Action.ACT_AS_GHOST}),
    PSYCHIC_SEAT: frozenset({Action.SIT, Action.SAY, Action.TALK, Action.CHOOSE, Action.BET, Action.VOTE, Action.UNDO}),
}
"""What belongs to a seat, by its name."""

_Y, _ASK, _DIGITS, _OWN, _IF, _NO = Permission


def _row(*cells: Permission) -> Mapping[Source, Permission]:
    """Return a row of the table; *cells* are in the order of Source."""
    return dict(zip(Source, cells, strict=True))


PERMISSIONS: Mapping[Action, Mapping[Source, Permission]] = {
    #                          voice  keys  button seated other    host     MQTT
    Action.SIT:           _row(_NO,   _ASK, _NO,   _OWN,  _ASK,    _ASK,    _NO),
    Action.CONFIRM_SEAT:  _row(_Y,    _Y,   _Y,    _NO,   _DIGITS, _DIGITS, _NO),
    Action.FREE_SEAT:     _row(_Y,    _Y,   _NO,   _NO,   _ASK,    _Y,      _NO),
    Action.ACT_AS_GHOST:  _row(_NO,   _Y,   _Y,    _OWN,  _NO,     _NO,     _NO),
    Action.SAY:           _row(_Y,    _Y,   _NO,   _OWN,  _Y,      _Y,      _IF),
    Action.TALK:          _row(_NO,   _Y,   _Y,    _OWN,  _NO,     _NO,     _NO),
    Action.CHOOSE:        _row(_Y,    _Y,   _NO,   _OWN,  _Y,      _Y,      _IF),
    Action.BET:           _row(_Y,    _Y,   _NO,   _OWN,  _Y,      _Y,      _IF),
    Action.VOTE:          _row(_Y,    _Y,   _NO,   _OWN,  _Y,      _Y,      _IF),
    Action.UNDO:          _row(_Y,    _Y,   _NO,   _OWN,  _Y,      _Y,      _IF),
    Action.PAUSE:         _row(_Y,    _Y,   _NO,   _Y,    _Y,      _Y,      _IF),
    Action.VOLUME:        _row(_Y,    _Y,   _NO,   _Y,    _Y,      _Y,      _IF),
    Action.END_NIGHT:     _row(_ASK,  _ASK, _NO,   _NO,   _ASK,    _ASK,    _NO),
    Action.PACE:          _row(_NO,   _Y,   _NO,   _NO,   _NO,     _Y,      _NO),
    Action.LANGUAGE:      _row(_NO,   _Y,   _NO,   _NO,   _NO,     _Y,      _NO),
    Action.MOVE_CHAIR:    _row(_NO,   _Y,   _NO,   _NO,   _NO,     _Y,      _NO),
    Action.TRY_DEVICES:   _row(_NO,   _Y,   _NO,   _NO,   _NO,     _Y,      _NO),
    Action.DOCTOR:        _row(_NO,   _Y,   _NO,   _NO,   _NO,     _Y,      _NO),
    Action.PATHS:         _row(_NO,   _Y,   _NO,   _NO,   _NO,     _Y,      _NO),
    Action.BECOME_HOST:   _row(_NO,   _Y,   _NO,   _DIGITS, _DIGITS, _Y,    _NO),
    Action.NARRATE:       _row(_NO,   _NO,  _NO,   _NO,   _NO,     _NO,     _IF),
    Action.CHANGE_SAND:   _row(_NO,   _NO,  _NO,   _NO,   _NO,     _NO,     _IF),
    Action.KNOCK:         _row(_NO,   _NO,  _NO,   _NO,   _NO,     _NO,     _IF),
}  # fmt: skip

GAME_ACTIONS = frozenset({Action.SAY, Action.CHOOSE, Action.BET, Action.VOTE, Action.UNDO})
"""What a device may do that is allowed to play."""

_INTENT_ACTIONS: Mapping[str, Action] = {
    "free_seat": Action.FREE_SEAT,
    "place_intuition": Action.CHOOSE,
    "correct_choice": Action.CHOOSE,
    "bet": Action.BET,
    "withdraw_bet": Action.BET,
    "vote": Action.VOTE,
    "point_at": Action.VOTE,
    "accuse": Action.VOTE,
    "take_back": Action.UNDO,
    "pause": Action.PAUSE,
    "resume": Action.PAUSE,
    "louder": Action.VOLUME,
    "quieter": Action.VOLUME,
    "end": Action.END_NIGHT,
}
_COMMAND_ACTIONS: Mapping[str, Action] = {
    "place_intuition": Action.CHOOSE,
    "bet": Action.BET,
    "withdraw_bet": Action.BET,
    "vote": Action.VOTE,
    "point_at": Action.VOTE,
    "accuse": Action.VOTE,
    "take_back": Action.UNDO,
    "abandon": Action.END_NIGHT,
    "break_silence": Action.END_NIGHT,
}
CONTROL_ACTIONS: Mapping[str, Action] = {
    "louder": Action.VOLUME,
    "quieter": Action.VOLUME,
    "pace": Action.PACE,
    "language": Action.LANGUAGE,
    "speaker_test": Action.TRY_DEVICES,
    "lights_test": Action.TRY_DEVICES,
}
"""The action of each control on the host's page."""


def intent_action(intent: str) -> Action:
    """Return the action that somebody wishes who says a sentence of *intent*."""
    return _INTENT_ACTIONS.get(intent, Action.SAY)


def command_action(command: str, *, is_ghosts: bool) -> Action:
    """Return the action of a *command* of the wire; *is_ghosts* if the ghost alone may give it."""
    return Action.ACT_AS_GHOST if is_ghosts else _COMMAND_ACTIONS.get(command, Action.SAY)


def permission(
    action: Action, source: Source, *, seat: str | None = None, allowed: Collection[Action] = ()
) -> Permission:
    """Return what becomes of *action* from *source*.

    *seat* is the one that a seated phone holds, *allowed* what the owner's settings allow other devices.
    """
    cell = PERMISSIONS[action][source]
    if cell is Permission.IF_ALLOWED:
        return Permission.ALLOWED if action in allowed else Permission.NEVER
    if cell is not Permission.OWN_SEAT:
        return cell
    return Permission.ALLOWED if action in SEAT_ACTIONS.get(seat or "", ()) else Permission.NEVER
