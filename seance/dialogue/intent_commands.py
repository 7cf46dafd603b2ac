"""What an intent asks of the rules in this phase, and what it still lacks; not whether they allow it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from seance.dialogue.answers import lacking, majority, player_of, playing
from seance.dialogue.conversation_state import Customs
from seance.dialogue.grammar.sentences import Intent, Slot
from seance.dialogue.replies import AskBack, Doubt, NoCardThere, NothingToUndo, Question, Reply
from seance.rules import Category, Command, Phase, Psychic, RoomView
from seance.rules import commands as c
from seance.rules.decide import ALLOWED

WHO: Mapping[str, str] = {
    "place_intuition": "psychic",
    "bet": "by",
    "withdraw_bet": "by",
    "vote": "by",
    "point_at": "by",
    "name_eldest": "psychic",
}
"""The slot that says who, by intent; without it somebody has said "I"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """What is asked of the rules, after *doubt* has been answered by yes."""

    commands: tuple[Command, ...]
    doubt: AskBack | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lacks:
    """What must be asked for before anything can be asked of the rules."""

    question: Question
    slot: str
    psychic: Psychic | None = None
    choices: tuple[str, ...] = ()
    because: Reply | None = None
    """What is said before it is asked for."""


Meaning = Meant | Lacks | Reply


def meaning(intent: Intent, room: RoomView, customs: Customs) -> Meaning | None:
    """Return what *intent* means at this table; None where it asks nothing of a night."""
    found = _MEANINGS.get(intent.name)
    if found is None:
        return None
    who = WHO.get(intent.name)
    if who is not None and who not in intent.slots and not _is_alone(intent.name, room):
        return Lacks(question=Question.WHO_SPEAKS, slot=who, choices=playing(room))
    return found(intent.slots, room, customs)


def _is_alone(name: str, room: RoomView) -> bool:
    """Return whether it makes no difference who votes: one player plays all psychics (L38)."""
    return name == "vote" and room.players == 2 and room.phase is Phase.VOTE


def _give_vision(slots: Mapping[str, Slot], _room: RoomView, _: Customs) -> Meaning:
    return Meant(commands=(c.GiveVision(psychic=_psychic(slots, "psychic"), count=_number(slots, "count", 1)),))


def _place_intuition(slots: Mapping[str, Slot], _room: RoomView, _: Customs) -> Meaning:
    psychic = _psychic(slots, "psychic")
    if "card" not in slots:
        gap = NoCardThere(Category(str(slots["kind"])), _number(slots, "place")) if "kind" in slots else None
        return Lacks(question=Question.WHICH_CARD, slot="card", psychic=psychic, because=gap)
    return Meant(commands=(c.PlaceIntuition(psychic=psychic, card=_number(slots, "card")),))


def _bet(slots: Mapping[str, Slot], _room: RoomView, _: Customs) -> Meaning:
    by, on = _psychic(slots, "by"), _psychic(slots, "on")
    return Meant(commands=(c.Bet(by=by, on=on, agrees=bool(slots["agrees"])),))


def _withdraw_bet(slots: Mapping[str, Slot], room: RoomView, _: Customs) -> Meaning:
    by = _psychic(slots, "by")
    laid = tuple(token.on for token in room.bets if token.by is by)
    if "on" in slots:
        laid = (_psychic(slots, "on"),)
    if not laid:
        return NothingToUndo()
    if len(laid) > 1:
        return Lacks(question=Question.ON_WHOM, slot="on", psychic=by, choices=laid)
    return Meant(commands=(c.WithdrawBet(by=by, on=laid[0]),))


def _vote(slots: Mapping[str, Slot], room: RoomView, _: Customs) -> Meaning:
    """A vote, or where there are accusations a ball: both are said in the same words."""
    by = _psychic(slots, "by") if "by" in slots else playing(room)[0]
    if "group" not in slots:
        return Lacks(question=Question.WHICH_GROUP, slot="group", psychic=by)
    group = _number(slots, "group")
    if room.phase is Phase.ACCUSATION:
        return Meant(commands=(c.PointAt(by=by, group=group),))
    return Meant(commands=(c.Vote(by=by, group=group),), doubt=_vote_doubt(room, by, group))


def _vote_doubt(room: RoomView, by: Psychic, group: int) -> AskBack | None:
    """Return what is asked back before a vote that nobody can change any more (L30, L38)."""
    if room.phase is not Phase.VOTE or by not in playing(room) or group not in {each.group for each in room.groups}:
        return None
    if room.votes is None:
        waiting = lacking(room)
        return AskBack(doubt=Doubt.VOTE, psychic=by, group=group) if waiting and by in waiting[1] else None
    votes = {player_of(room, psychic): its for psychic, its in room.votes.items()} | {player_of(room, by): group}
    if len(votes) == room.players - 1 and set(votes.values()) == {group}:
        return AskBack(doubt=Doubt.ACCUSE, group=group)
    return None


def _accuse(slots: Mapping[str, Slot], room: RoomView, customs: Customs) -> Meaning:
    if room.phase is Phase.VOTE and room.votes is not None and "group" in slots:
        return _accuse_together(room, _number(slots, "group"))
    cards = {kind: _number(slots, kind) for kind in ("character", "location", "object") if kind in slots}
    meant = (c.Accuse(**cards),)
    group = majority(room)
    if group is None or bool(cards) is not customs.played(room).names_all_three:
        return Meant(commands=meant)
    return Meant(commands=meant, doubt=AskBack(doubt=Doubt.ACCUSE, group=group))


def _accuse_together(room: RoomView, group: int) -> Meaning:
    """Everybody at a small table votes for the same group, who does not yet (L38)."""
    there = {player_of(room, psychic) for psychic, its in (room.votes or {}).items() if its == group}
    first = {player_of(room, psychic): psychic for psychic in reversed(playing(room))}
    votes = tuple(c.Vote(by=psychic, group=group) for player, psychic in sorted(first.items()) if player not in there)
    return Meant(commands=votes, doubt=AskBack(doubt=Doubt.ACCUSE, group=group))


def _name_eldest(slots: Mapping[str, Slot], room: RoomView, _: Customs) -> Meaning:
    psychic = _psychic(slots, "psychic")
    decides = psychic in (room.eldest_of or ())
    doubt = AskBack(doubt=Doubt.ELDEST, psychic=psychic) if decides else None
    return Meant(commands=(c.NameEldest(psychic=psychic),), doubt=doubt)


def _number_groups(slots: Mapping[str, Slot], _room: RoomView, _: Customs) -> Meaning:
    order = slots["order"]
    assert isinstance(order, tuple)  # noqa: S101 - the sentences gather it
    return Meant(commands=(c.NumberGroups(order=tuple(map(Psychic, order))),))


def _break_silence(_slots: Mapping[str, Slot], room: RoomView, customs: Customs) -> Meaning:
    fatal = customs.played(room).silence_is_fatal and c.BreakSilence in ALLOWED[room.phase]
    return Meant(commands=(c.BreakSilence(),), doubt=AskBack(doubt=Doubt.BREAK_SILENCE) if fatal else None)


def _always(command: Command, doubt: Doubt | None = None) -> "_Means":
    asked = None if doubt is None else AskBack(doubt=doubt)
    return lambda *_: Meant(commands=(command,), doubt=asked)


_Means = Callable[[Mapping[str, Slot], RoomView, Customs], Meaning]

_MEANINGS: Mapping[str, _Means] = {
    "give_vision": _give_vision,
    "turn_sand": _always(c.TurnSand()),
    "place_intuition": _place_intuition,
    "bet": _bet,
    "withdraw_bet": _withdraw_bet,
    "call_time": _always(c.CallTime(early=True)),
    "number_groups": _number_groups,
    "turn_shared_vision": _always(c.TurnSharedVision()),
    "vote": _vote,
    "point_at": _vote,
    "accuse": _accuse,
    "name_eldest": _name_eldest,
    "break_silence": _break_silence,
    "end": _always(c.Abandon(), Doubt.END),
    "begin": _always(c.Abandon(), Doubt.BEGIN_ANEW),
}


def _psychic(slots: Mapping[str, Slot], name: str) -> Psychic:
    return Psychic(str(slots[name]))


def _number(slots: Mapping[str, Slot], name: str, default: int = 0) -> int:
    value = slots.get(name, default)
    assert isinstance(value, int)  # noqa: S101 - the sentences' lists of numbers see to it
    return value
