"""Replies to questions about the night, from what lies openly on the table."""

from collections import Counter
from collections.abc import Callable, Mapping

from seance.dialogue import replies as r
from seance.dialogue.conversation_state import Defaults
from seance.dialogue.questions import Question
from seance.dialogue.replies import Lacking, Reply
from seance.rules import Deal, Manifest, Phase, Psychic, RoomView

ALWAYS_OFFERED = ("ask_progress", "pause", "end")
"""Intents that are offered in every phase, after those of the phase."""


def find_missing(room: RoomView) -> tuple[Lacking, tuple[Psychic, ...]] | None:
    """Return what is missing in this phase and for which psychics; None where the night waits only for the ghost."""
    searching = [psychic for psychic in room.psychics if psychic.searching != "done"]
    unserved = tuple(psychic.colour for psychic in searching if not psychic.served)
    match room.phase:
        case Phase.VISIONS if unserved:
            return Lacking.VISION, unserved
        case Phase.VISIONS | Phase.INTERPRETATION:
            return Lacking.CHOICE, tuple(psychic.colour for psychic in searching if psychic.intuition is None)
        case Phase.MANIFESTATION:
            return Lacking.ANSWER, tuple(psychic.colour for psychic in searching if not psychic.answered)
        case Phase.VOTE:
            voted = {player_of(room, psychic) for psychic in room.voted}
            return Lacking.VOTE, tuple(p for p in psychics_playing(room) if player_of(room, p) not in voted)
        case Phase.ACCUSATION:
            return Lacking.BALL, tuple(p for p in psychics_playing(room) if p not in (room.pointing or {}))
    return None


def psychics_playing(room: RoomView) -> tuple[Psychic, ...]:
    """Return the psychics who play tonight, in seat order."""
    return tuple(psychic.colour for psychic in room.psychics)


def player_of(room: RoomView, psychic: Psychic) -> int:
    """Return the index (from 0) of the player of *psychic*: at a small table one player plays two (L35)."""
    each = len(room.psychics) // (room.players - 1)
    return psychics_playing(room).index(psychic) // each


def majority_group(room: RoomView) -> int | None:
    """Return the group with more than half of the balls on it, or None (I9)."""
    balls = Counter((room.pointing or {}).values())
    return next((group for group, count in balls.items() if 2 * count > len(room.psychics)), None)


def automatic_manifest(room: RoomView) -> Manifest | None:
    """Return the ghost's next answer where the manor dealt the cards and so knows it (S1); else None."""
    if room.phase is not Phase.MANIFESTATION or room.deal is not Deal.MANOR:
        return None
    waiting = find_missing(room)
    return Manifest(psychic=waiting[1][0]) if waiting and waiting[1] else None


def missing_reply(room: RoomView) -> Reply:
    """Return the reply that says for whom the night is waiting."""
    if room.phase is Phase.ELDEST:
        return r.Ask(question=Question.WHO_IS_ELDEST, choices=room.eldest_of or ())
    waiting = find_missing(room)
    return r.Reminder(room.phase, 1) if waiting is None else r.Missing(*waiting)


def options_reply(room: RoomView, defaults: Defaults) -> r.Options:
    """Return the reply that lists what the room may say now, what carries the game on first."""
    fatal = ("break_silence",) if defaults.edition_of(room).silence_is_fatal else ()
    return r.Options(room.phase, (*_offered(room, defaults), *fatal, *ALWAYS_OFFERED))


def _offered(room: RoomView, defaults: Defaults) -> tuple[str, ...]:
    """Return the intents that change the game in this phase."""
    offered: dict[str, object] = {}
    match room.phase:
        case Phase.VISIONS | Phase.INTERPRETATION:
            searching = [psychic for psychic in room.psychics if psychic.searching != "done"]
            seeing = [psychic for psychic in searching if psychic.served]
            timed = defaults.edition_of(room).sand_seconds is not None
            chosen = all(psychic.intuition is not None for psychic in searching)
            offered = {
                "give_vision": len(seeing) < len(searching) and room.phase is Phase.VISIONS,
                "turn_sand": len(seeing) == len(searching) and timed and room.phase is Phase.VISIONS,
                "place_intuition": seeing,
                "bet": any(p.intuition is not None for p in searching) and any(p.tokens_left for p in room.psychics),
                "withdraw_bet": room.bets,
                "call_time": chosen and room.phase is Phase.INTERPRETATION,
                "take_back": seeing,
            }
        case Phase.LINEUP:
            offered = {"number_groups": True}
        case Phase.VOTE:
            secret = room.votes is None
            offered = {"turn_shared_vision": secret and room.readers is None, "vote": True}
        case Phase.ELDEST:
            offered = {"name_eldest": True}
        case Phase.ACCUSATION:
            offered = {"point_at": True, "accuse": majority_group(room)}
    return tuple(name for name, possible in offered.items() if possible)


ANSWERS: Mapping[str, Callable[[RoomView], Reply]] = {
    "ask_hour": lambda room: r.HourIs(room.hour, room.phase),
    "ask_missing": missing_reply,
    "ask_table": lambda room: r.OnTable(room.table),
    "ask_crows": lambda room: r.CrowsLeft(room.crows_left),
    "ask_progress": lambda room: r.Progress(room.psychics),
}
"""The reply to each question about the night; `house_talk` answers `ask_time` and `ask_options`."""
