"""Corrections: "sorry, I meant ten" names another card or group for the last choice or vote."""

from seance.dialogue.ballots import psychics_playing
from seance.dialogue.conversation_state import Conversation
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.intent_commands import SPEAKER_SLOTS
from seance.rules import Phase, Psychic, RoomView

_VOTES = {Phase.VOTE: "vote", Phase.ACCUSATION: "point_at"}
"""The intent that names a group, by phase."""


def can_correct(conversation: Conversation, room: RoomView) -> bool:
    """Return whether a choice or a vote was made, or is being asked back, that may be corrected now."""
    return _last_by(conversation, _corrected_name(room)) is not None


def corrected_intent(
    conversation: Conversation, intent: Intent, speaker: Psychic | None, room: RoomView
) -> Intent | None:
    """Return the choice or vote that *intent* corrects, of the *speaker* if the voice is known, else the last one.

    Return None where groups are named and *intent* names none of them.
    """
    slots = dict(intent.slots)
    name = _corrected_name(room)
    if "group" in slots and name == "place_intuition":
        name = "vote"
    elif name != "place_intuition":
        number = slots.get("group", slots.get("card"))
        if number not in {group.group for group in room.groups}:
            return None
        slots = {"group": number}
    who = speaker if speaker in psychics_playing(room) else _last_by(conversation, name)
    return Intent(name, slots if who is None else {**slots, SPEAKER_SLOTS[name]: who.value})


def _corrected_name(room: RoomView) -> str:
    return _VOTES.get(room.phase, "place_intuition")


def _last_by(conversation: Conversation, name: str) -> Psychic | None:
    """Return whose choice or vote is being asked back, or was the last one; None if there was none this turn."""
    pending = conversation.pending
    if pending is not None and pending.intent is not None and pending.intent.name == name:
        return _speaker_of(pending.intent)
    if name == "place_intuition":
        chosen = (step.psychic for step in reversed(conversation.done) if step.what == "intuition")
        return next(chosen, None)
    return _speaker_of(conversation.said) if conversation.said and conversation.said.name in _VOTES.values() else None


def _speaker_of(intent: Intent) -> Psychic | None:
    who = intent.slots.get(SPEAKER_SLOTS[intent.name])
    return Psychic(str(who)) if who else None
