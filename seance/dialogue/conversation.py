"""What follows from something said, heard, refused or waited for; it asks, and changes nothing of the night itself."""

from collections.abc import Iterable
from dataclasses import replace

from seance.dialogue import house_talk, night_talk, seat_talk, setup_talk
from seance.dialogue import pending as p
from seance.dialogue import replies as r
from seance.dialogue.answers import lacking
from seance.dialogue.conversation_state import CUSTOMS, Answer, Conversation, Customs, EnrolVoice, Moment, Pending, Step
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.intent_commands import WHO
from seance.dialogue.replies import Ask, Doubt, Lacking, Question
from seance.dialogue.undo import remembered
from seance.rules import Event, Phase, Psychic, Refusal, RoomView, refusals
from seance.rules import events as e

__all__ = [
    "CUSTOMS",
    "Answer",
    "Conversation",
    "Customs",
    "EnrolVoice",
    "after",
    "interpret",
    "refused",
    "unheard",
    "waited",
]

_OUTLAST_A_PHASE = (Doubt.END, Doubt.BEGIN_ANEW, Doubt.BREAK_SILENCE)
_PSYCHICS_ACT = (Phase.INTERPRETATION, Phase.VOTE, Phase.ACCUSATION)


def interpret(
    conversation: Conversation,
    intent: Intent,
    room: RoomView | None,
    *,
    speaker: Psychic | None = None,
    sand: float | None = None,
    sure: bool = True,
    text: str = "",
    far: bool = False,
    customs: Customs = CUSTOMS,
) -> Step:
    """Return what follows from *intent*: commands in their order, replies, and what is asked of the ear."""
    if conversation.asleep and intent.name != "wake":
        return conversation, ()
    at = Moment(room=room, customs=customs, speaker=speaker, sand=sand, sure=sure, text=text, far=far)
    conversation = replace(conversation, quiet=0.0, unheard=0)
    if seat_talk.is_answered_by(conversation, intent):
        return seat_talk.answered(conversation, intent, at)
    return seat_talk.beside(conversation, _meant(conversation, intent, at))


def _meant(conversation: Conversation, intent: Intent, at: Moment) -> Step:
    """Return what follows from *intent* for the house, before a night or in it."""
    if (step := house_talk.answered(conversation, intent.name, at)) is not None:
        return step
    if conversation.paused and not _ends_the_night(conversation, intent):
        return conversation, (r.Paused(already=True),)
    if intent.name == "enrol":
        return _enrolled(conversation, Psychic(str(intent.slots["psychic"])), at)
    if at.night is None or conversation.setting_up:
        return setup_talk.said(conversation, intent, at)
    return night_talk.said(conversation, intent, at, at.night)


def after(conversation: Conversation, events: Iterable[Event], room: RoomView) -> Conversation:
    """Return the conversation when the room has heard *events*, which left the table as *room* shows it."""
    events = tuple(events)
    if not events:
        return conversation
    kinds = {type(event) for event in events}
    conversation = replace(conversation, quiet=0.0, asked=None, done=remembered(conversation.done, events))
    if e.NightBegun in kinds:
        conversation = replace(conversation, setting_up=False, pending=None)
    if kinds & {e.NightBegun, e.NightEnded}:
        conversation = replace(conversation, paused=False, said=None)
    if room.phase is not conversation.phase or e.HourStruck in kinds:
        conversation = replace(conversation, reminded=0, tries=0, pending=_still_open(conversation, room))
    if e.EldestNeeded in kinds:
        asks = Ask(question=Question.WHO_IS_ELDEST, choices=room.eldest_of or ())
        conversation, _ = p.asked(conversation, asks, intent=Intent("name_eldest"), slot="psychic")
    return replace(conversation, phase=room.phase, laying_out=e.NightBegun in kinds)


def refused(conversation: Conversation, refusal: Refusal) -> Step:
    """Return what follows when the rules have refused: what only needs another number or name is asked for."""
    said, tries = conversation.said, conversation.tries + 1
    conversation = replace(conversation, quiet=0.0, tries=tries)
    if isinstance(refusal, refusals.NightUnderWay):
        return replace(conversation, setting_up=False, pending=None), ()
    found = next((wrong for kind, wrong in _ANOTHER.items() if isinstance(refusal, kind)), None)
    if found is None or said is None or found[1] not in said.slots:
        return conversation, ()
    if tries > p.MOST_TIMES:
        return replace(conversation, pending=None), (r.LeftAlone(),)
    question, slot = found
    rest = Intent(said.name, {name: value for name, value in said.slots.items() if name != slot})
    who = rest.slots.get(WHO.get(said.name, ""))
    asks = Ask(question=question, psychic=Psychic(str(who)) if who else None, again=tries > 1)
    return p.asked(conversation, asks, intent=rest, slot=slot)


def unheard(conversation: Conversation) -> Step:
    """Return what follows when something was said to the house that it could not make out."""
    if conversation.asleep or conversation.paused:
        return conversation, ()
    conversation = replace(conversation, quiet=0.0)
    if conversation.pending is not None:
        return setup_talk.not_answered(conversation)
    times = conversation.unheard + 1
    conversation = replace(conversation, unheard=times)
    if times > p.MOST_TIMES:
        return conversation, (r.LeftAlone(),) if times == p.MOST_TIMES + 1 else ()
    return conversation, (r.NotUnderstood(),)


def waited(conversation: Conversation, seconds: float, room: RoomView | None, *, customs: Customs = CUSTOMS) -> Step:
    """Return what follows when *seconds* more have passed in which neither the room nor the house said anything."""
    at = Moment(room=room, customs=customs)
    if conversation.asleep or conversation.paused:
        return seat_talk.waited(conversation, seconds, customs)
    conversation = replace(conversation, quiet=conversation.quiet + seconds)
    if conversation.sitting is not None and conversation.sitting.foremost:
        return seat_talk.waited(conversation, seconds, customs)
    return seat_talk.beside(conversation, _waited(conversation, at))


def _waited(conversation: Conversation, at: Moment) -> Step:
    customs = at.customs
    if conversation.pending is not None:
        if conversation.quiet < customs.answer_within:
            return conversation, ()
        return setup_talk.by_default(replace(conversation, quiet=0.0), at)
    if at.night is None or conversation.setting_up or _sand_runs(at.night, customs):
        return conversation, ()
    if conversation.quiet < customs.remind_after * 2**conversation.reminded:
        return conversation, ()
    return _reminded(conversation, at.night)


def _reminded(conversation: Conversation, room: RoomView) -> Step:
    waiting = lacking(room)
    psychics = waiting[1] if waiting else room.eldest_of or ()
    if room.phase is Phase.VISIONS and waiting and waiting[0] is not Lacking.VISION:
        psychics = ()  # all visions are given: the sand is awaited, not a choice
    asked = psychics[0] if len(psychics) == 1 and room.phase in _PSYCHICS_ACT else None
    nth = conversation.reminded + 1
    return replace(conversation, quiet=0.0, reminded=nth, asked=asked), (r.Reminder(room.phase, nth, psychics),)


def _sand_runs(room: RoomView, customs: Customs) -> bool:
    return room.phase is Phase.INTERPRETATION and customs.played(room).sand_seconds is not None


def _ends_the_night(conversation: Conversation, intent: Intent) -> bool:
    """Return whether *intent* is about ending the night, which can be done in a pause too."""
    asked = conversation.pending.ask_back if conversation.pending else None
    is_asked = asked is not None and asked.doubt is Doubt.END
    return intent.name == "end" or (is_asked and intent.name in ("yes", "no"))


def _enrolled(conversation: Conversation, psychic: Psychic, at: Moment) -> Step:
    """Know a voice from now on; it may be the answer to who speaks."""
    follows: tuple[Answer, ...] = (EnrolVoice(psychic),)
    pending = conversation.pending
    if at.night is not None and pending is not None and pending.question is Question.WHO_SPEAKS:
        named = Intent("answer", {"psychic": psychic.value})
        conversation, more = night_talk.answered(conversation, named, at, at.night)
    else:
        conversation, more = setup_talk.enrolled(conversation, psychic, at)
    return conversation, follows + more


def _still_open(conversation: Conversation, room: RoomView) -> Pending | None:
    """Return the open question, unless the phase that it was about is over."""
    pending = conversation.pending
    if pending is None or conversation.setting_up:
        return pending
    outlasts = pending.ask_back is not None and pending.ask_back.doubt in _OUTLAST_A_PHASE
    return pending if outlasts and room.outcome is None else None


_ANOTHER = {
    refusals.CardNotOnTable: (Question.WHICH_CARD, "card"),
    refusals.WrongCategory: (Question.WHICH_CARD, "card"),
    refusals.NoSuchGroup: (Question.WHICH_GROUP, "group"),
    refusals.NotACandidate: (Question.WHO_IS_ELDEST, "psychic"),
}
"""What is asked for when only a part of what was said is refused, and the slot that it fills."""
