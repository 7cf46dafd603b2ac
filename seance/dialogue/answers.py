"""Replies to questions about the night, from what lies openly on the table."""

from collections.abc import Callable, Mapping

from seance.dialogue import replies as r
from seance.dialogue.ballots import is_secret_vote, majority_group, votes_are_silent, voting_now, without_vote
from seance.dialogue.conversation_state import Defaults
from seance.dialogue.next_in_phase import next_in_phase
from seance.dialogue.questions import Question
from seance.dialogue.replies import Lacking, Reply
from seance.rules import Category, Deal, Edition, Manifest, Phase, Psychic, RoomView, Table

ALWAYS_OFFERED = ("ask_progress", "pause", "end")
"""Intents that are offered in every phase, after those of the phase."""


def find_missing(room: RoomView, edition: Edition) -> tuple[Lacking, tuple[Psychic, ...]] | None:
    """Return what is missing in this phase and for which psychics; None where the night waits only for the ghost."""
    searching = [psychic for psychic in room.psychics if psychic.searching != "done"]
    unserved = tuple(psychic.colour for psychic in searching if not psychic.served)
    match room.phase:
        case Phase.VISIONS if unserved:
            return Lacking.VISION, unserved
        case Phase.VISIONS | Phase.INTERPRETATION:
            return Lacking.CHOICE, tuple(psychic.colour for psychic in searching if psychic.intuition is None)
        case Phase.MANIFESTATION:
            return Lacking.ANSWER, _unanswered(room)
        case Phase.VOTE if votes_are_silent(room):
            return Lacking.SLEEVE, voting_now(room, edition)
        case Phase.VOTE:
            return Lacking.VOTE if room.readers is None else Lacking.READING, without_vote(room, edition)
        case Phase.ACCUSATION:
            return Lacking.BALL, without_vote(room, edition)
    return None


def automatic_manifest(room: RoomView) -> Manifest | None:
    """Return the ghost's next answer where the manor dealt the cards and so knows it (S1); else None."""
    if room.phase is not Phase.MANIFESTATION or room.deal is not Deal.MANOR:
        return None
    waiting = _unanswered(room)
    return Manifest(psychic=waiting[0]) if waiting else None


def _unanswered(room: RoomView) -> tuple[Psychic, ...]:
    return tuple(each.colour for each in room.psychics if each.searching != "done" and not each.answered)


def missing_reply(room: RoomView, edition: Edition) -> Reply:
    """Return the reply that says for whom the night is waiting."""
    if room.phase is Phase.ELDEST:
        return r.Ask(question=Question.WHO_IS_ELDEST, choices=room.eldest_of or ())
    waiting = find_missing(room, edition)
    return r.WhatNext(next_in_phase(room, edition)) if waiting is None else r.Missing(*waiting)


def options_reply(room: RoomView, defaults: Defaults) -> r.Options:
    """Return the reply that lists what the room may say now, what carries the game on first."""
    fatal = ("break_silence",) if defaults.edition_of(room).silence_is_fatal else ()
    return r.Options(room.phase, (*_offered(room, defaults.edition_of(room)), *fatal, *ALWAYS_OFFERED))


def _offered(room: RoomView, edition: Edition) -> tuple[str, ...]:
    """Return the intents that change the game in this phase."""
    offered: dict[str, object] = {}
    match room.phase:
        case Phase.VISIONS | Phase.INTERPRETATION:
            searching = [psychic for psychic in room.psychics if psychic.searching != "done"]
            seeing = [psychic for psychic in searching if psychic.served]
            timed = edition.sand_seconds is not None
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
        case Phase.MANIFESTATION:
            by_hand = room.deal is Deal.HAND and any(psychic.answered for psychic in room.psychics)
            offered = {"correct_answer": by_hand}
        case Phase.LINEUP:
            offered = {"number_groups": True}
        case Phase.VOTE:
            polled = is_secret_vote(room, edition) and room.readers is None
            offered = {"turn_shared_vision": polled, "vote": not polled}
        case Phase.ELDEST:
            offered = {"name_eldest": True}
        case Phase.ACCUSATION:
            offered = {"point_at": True, "accuse": majority_group(room, edition)}
    return tuple(name for name, possible in offered.items() if possible)


def _cards_shown(room: RoomView, edition: Edition) -> Table:
    """Return the cards that lie face up; in the line-up, those of the groups that the edition leaves on the table."""
    if not room.groups:
        return room.table
    rows = zip(Category, zip(*(group.cards for group in room.groups), strict=True), strict=True)
    return Table(**{str(kind): row for kind, row in rows if kind in edition.lineup_kinds})


ANSWERS: Mapping[str, Callable[[RoomView, Edition], Reply]] = {
    "ask_hour": lambda room, _: r.HourIs(room.hour, room.phase),
    "ask_missing": missing_reply,
    "ask_table": lambda room, edition: r.OnTable(_cards_shown(room, edition)),
    "ask_crows": lambda room, _: r.CrowsLeft(room.crows_left),
    "ask_progress": lambda room, _: r.Progress(room.psychics),
}
"""The reply to each question about the night; `house_talk` answers `ask_time`, `ask_next` and `ask_options`."""
