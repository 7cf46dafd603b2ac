"""What the house answers about the night, from what lies openly on the table; nothing is asked of the rules."""

from collections import Counter
from collections.abc import Callable, Mapping

from seance.dialogue import replies as r
from seance.dialogue.conversation_state import Customs
from seance.dialogue.replies import Lacking, Reply
from seance.rules import Deal, Manifest, Phase, Psychic, RoomView

EVER = ("ask_progress", "pause", "end")
"""What may be said in every phase, beside what the phase itself offers."""


def lacking(room: RoomView) -> tuple[Lacking, tuple[Psychic, ...]] | None:
    """Return what psychics have not got or done yet and who they are; None where only the ghost is awaited."""
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
            return Lacking.VOTE, tuple(p for p in playing(room) if player_of(room, p) not in voted)
        case Phase.ACCUSATION:
            return Lacking.BALL, tuple(p for p in playing(room) if p not in (room.pointing or {}))
    return None


def playing(room: RoomView) -> tuple[Psychic, ...]:
    """Return who plays tonight, in seat order."""
    return tuple(psychic.colour for psychic in room.psychics)


def player_of(room: RoomView, psychic: Psychic) -> int:
    """Return which player (0, 1, …) plays *psychic*: at a small table one plays two (L35)."""
    each = len(room.psychics) // (room.players - 1)
    return playing(room).index(psychic) // each


def majority(room: RoomView) -> int | None:
    """Return the group on which more than half of the balls lie (I9)."""
    balls = Counter((room.pointing or {}).values())
    return next((group for group, count in balls.items() if 2 * count > len(room.psychics)), None)


def next_automatic(room: RoomView) -> Manifest | None:
    """Return the answer that follows without anybody's word: the manor knows the cards it dealt (S1)."""
    if room.phase is not Phase.MANIFESTATION or room.deal is not Deal.MANOR:
        return None
    waiting = lacking(room)
    return Manifest(psychic=waiting[1][0]) if waiting and waiting[1] else None


def missing(room: RoomView) -> Reply:
    """Return for whom the night waits."""
    if room.phase is Phase.ELDEST:
        return r.Ask(question=r.Question.WHO_IS_ELDEST, choices=room.eldest_of or ())
    waiting = lacking(room)
    return r.Reminder(room.phase, 1) if waiting is None else r.Missing(*waiting)


def options(room: RoomView, customs: Customs) -> r.Options:
    """Return what the room may say now, what leads on first."""
    fatal = ("break_silence",) if customs.played(room).silence_is_fatal else ()
    return r.Options(room.phase, (*_offered(room, customs), *fatal, *EVER))


def _offered(room: RoomView, customs: Customs) -> tuple[str, ...]:
    """Return the intents that change the game in this phase."""
    offered: dict[str, object] = {}
    match room.phase:
        case Phase.VISIONS | Phase.INTERPRETATION:
            searching = [psychic for psychic in room.psychics if psychic.searching != "done"]
            seeing = [psychic for psychic in searching if psychic.served]
            timed = customs.played(room).sand_seconds is not None
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
            staged = room.votes is None
            offered = {"vote": True, "turn_shared_vision": staged and room.shared_vision_shown < 3}
        case Phase.ELDEST:
            offered = {"name_eldest": True}
        case Phase.ACCUSATION:
            offered = {"point_at": True, "accuse": majority(room)}
    return tuple(name for name, possible in offered.items() if possible)


ANSWERS: Mapping[str, Callable[[RoomView], Reply]] = {
    "ask_hour": lambda room: r.HourIs(room.hour, room.phase),
    "ask_missing": missing,
    "ask_table": lambda room: r.OnTable(room.table),
    "ask_crows": lambda room: r.CrowsLeft(room.crows_left),
    "ask_progress": lambda room: r.Progress(room.psychics),
}
"""What each question about the night is answered by; `ask_time` and `ask_options` need to know more than the table."""
