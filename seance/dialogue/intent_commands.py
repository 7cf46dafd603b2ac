"""Resolving an intent to commands in this phase, or to the slot that it lacks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from seance.dialogue.ballots import (
    all_agree,
    is_open_vote,
    is_secret_vote,
    majority_group,
    psychics_playing,
    somebody_votes_later,
    voices_against,
    vote_of,
    votes_are_silent,
    without_vote,
)
from seance.dialogue.conversation_state import Defaults
from seance.dialogue.grammar.sentences import Intent, Slot
from seance.dialogue.questions import Doubt, Question
from seance.dialogue.replies import AskBack, NoCardThere, NotASuspect, NothingToUndo, Reply, VoteIsSilent
from seance.rules import Category, Command, Deal, Edition, Phase, Psychic, RoomView
from seance.rules import commands as c
from seance.rules.decide import ALLOWED

SPEAKER_SLOTS: Mapping[str, str] = {
    "place_intuition": "psychic",
    "bet": "by",
    "withdraw_bet": "by",
    "vote": "by",
    "point_at": "by",
    "name_eldest": "psychic",
}
"""The slot that names the speaker, by intent; where it is empty, somebody has said "I"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandPlan:
    """The commands that an intent stands for, to be given once *doubt*, if any, is answered with yes."""

    commands: tuple[Command, ...]
    doubt: AskBack | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingSlot:
    """A slot that must be asked for before the intent can become commands."""

    question: Question
    slot: str
    psychic: Psychic | None = None
    choices: tuple[str, ...] = ()
    because: Reply | None = None
    """What is said before the question."""


Resolution = CommandPlan | MissingSlot | Reply


def resolve_intent(intent: Intent, room: RoomView, defaults: Defaults) -> Resolution | None:
    """Return the commands for *intent*, the slot that it lacks, or a reply; None if it is no command of a night."""
    found = _RESOLVERS.get(intent.name)
    if found is None:
        return None
    if intent.name in ("vote", "point_at") and votes_are_silent(room):
        return VoteIsSilent()
    who = SPEAKER_SLOTS.get(intent.name)
    if who is not None and who not in intent.slots and not _is_alone(intent.name, room, defaults):
        return MissingSlot(question=Question.WHO_SPEAKS, slot=who, choices=psychics_playing(room))
    return found(intent.slots, room, defaults)


def _is_alone(name: str, room: RoomView, defaults: Defaults) -> bool:
    """Return whether it makes no difference who votes, as there is only one vote (L38)."""
    return name == "vote" and room.phase is Phase.VOTE and defaults.edition_of(room).voters(room.players) == 1


def _give_vision(slots: Mapping[str, Slot], _room: RoomView, _: Defaults) -> Resolution:
    named = slots.get("psychics")
    several = tuple(Psychic(str(each)) for each in named) if isinstance(named, tuple) else ()
    psychics = several or (_psychic(slots, "psychic"),)
    count = _number(slots, "count", 1)
    return CommandPlan(commands=tuple(c.GiveVision(psychic=each, count=count) for each in dict.fromkeys(psychics)))


def _place_intuition(slots: Mapping[str, Slot], _room: RoomView, _: Defaults) -> Resolution:
    psychic = _psychic(slots, "psychic")
    if "card" not in slots:
        gap = NoCardThere(Category(str(slots["kind"])), _number(slots, "place")) if "kind" in slots else None
        return MissingSlot(question=Question.WHICH_CARD, slot="card", psychic=psychic, because=gap)
    return CommandPlan(commands=(c.PlaceIntuition(psychic=psychic, card=_number(slots, "card")),))


def _bet(slots: Mapping[str, Slot], _room: RoomView, _: Defaults) -> Resolution:
    by, on = _psychic(slots, "by"), _psychic(slots, "on")
    return CommandPlan(commands=(c.Bet(by=by, on=on, agrees=bool(slots["agrees"])),))


def _withdraw_bet(slots: Mapping[str, Slot], room: RoomView, _: Defaults) -> Resolution:
    by = _psychic(slots, "by")
    laid = tuple(token.on for token in room.bets if token.by is by)
    if "on" in slots:
        laid = (_psychic(slots, "on"),)
    if not laid:
        return NothingToUndo()
    if len(laid) > 1:
        return MissingSlot(question=Question.ON_WHOM, slot="on", psychic=by, choices=laid)
    return CommandPlan(commands=(c.WithdrawBet(by=by, on=laid[0]),))


def _vote(slots: Mapping[str, Slot], room: RoomView, defaults: Defaults) -> Resolution:
    """Resolve to a vote, or to a ball where there are accusations: both are said in the same words."""
    by = _psychic(slots, "by") if "by" in slots else psychics_playing(room)[0]
    if slots.keys() & {"card", "place"}:
        if (named := _group_of(slots, room)) is None:
            return _no_suspect(slots)
        slots = {**slots, "group": named}
    if "group" not in slots:
        return MissingSlot(question=Question.WHICH_GROUP, slot="group", psychic=by)
    group = _number(slots, "group")
    if room.phase is Phase.ACCUSATION:
        return CommandPlan(commands=(c.PointAt(by=by, group=group),))
    return CommandPlan(
        commands=(c.Vote(by=by, group=group),), doubt=_vote_doubt(room, defaults.edition_of(room), by, group)
    )


def _have_voted(_slots: Mapping[str, Slot], room: RoomView, defaults: Defaults) -> Resolution:
    """Resolve to the next card for those who vote later, or after the last level to the end of the poll (L30, L31)."""
    edition = defaults.edition_of(room)
    is_last = is_secret_vote(room, edition) and not somebody_votes_later(room, edition)
    return CommandPlan(commands=(c.ClosePoll() if is_last else c.TurnSharedVision(),))


def _vote_doubt(room: RoomView, edition: Edition, by: Psychic, group: int) -> AskBack | None:
    """Return the doubt before a vote that cannot be changed afterwards, or that changes another; or None (L30, L38)."""
    if (
        room.phase is not Phase.VOTE
        or by not in psychics_playing(room)
        or group not in {each.group for each in room.groups}
    ):
        return None
    if not is_open_vote(room, edition):
        waiting = without_vote(room, edition)
        return AskBack(doubt=Doubt.VOTE, psychic=by, group=group) if by in waiting else None
    if all_agree(room, edition, by, group):
        return AskBack(doubt=Doubt.ACCUSE, group=group)
    earlier = vote_of(by, room, edition)
    if earlier in (None, group):
        return None
    return AskBack(doubt=Doubt.CHANGE_VOTE, psychic=by, group=group, instead_of=earlier)


def _group_of(slots: Mapping[str, Slot], room: RoomView) -> int | None:
    """Return the group whose character is named by its number, or by its place among the characters of the line-up."""
    if "place" in slots:
        place = _number(slots, "place")
        return next((group.group for group in room.groups if group.group == place), None)
    return next((group.group for group in room.groups if _number(slots, "card") in group.cards), None)


def _no_suspect(slots: Mapping[str, Slot]) -> Reply:
    """Return the reply that nobody in the line-up is called so."""
    if "place" in slots:
        return NoCardThere(Category.CHARACTER, _number(slots, "place"))
    return NotASuspect(_number(slots, "card"))


def _accuse(slots: Mapping[str, Slot], room: RoomView, defaults: Defaults) -> Resolution:
    edition = defaults.edition_of(room)
    if slots.keys() & {"card", "place"}:
        named = _group_of(slots, room)
        if named is None:
            return _no_suspect(slots)
        slots = {"group": named}
    if is_open_vote(room, edition) and "group" in slots:
        return _accuse_together(room, edition, _number(slots, "group"))
    cards = {kind: _number(slots, kind) for kind in ("character", "location", "object") if kind in slots}
    meant = (c.Accuse(**cards),)
    group = majority_group(room, edition)
    if group is None or bool(cards) is not edition.names_all_three:
        return CommandPlan(commands=meant)
    suspect = next((each.cards[0] for each in room.groups if each.group == group), None)
    names_character = edition.lineup_kinds == (Category.CHARACTER,)
    card = suspect if names_character else None
    return CommandPlan(commands=meant, doubt=AskBack(doubt=Doubt.ACCUSE, group=group, card=card))


def _accuse_together(room: RoomView, edition: Edition, group: int) -> Resolution:
    """Resolve to the votes of all who do not vote for *group* yet in an open vote (L38)."""
    votes = tuple(c.Vote(by=psychic, group=group) for psychic in voices_against(room, edition, group))
    return CommandPlan(commands=votes, doubt=AskBack(doubt=Doubt.ACCUSE, group=group))


def _name_eldest(slots: Mapping[str, Slot], room: RoomView, _: Defaults) -> Resolution:
    psychic = _psychic(slots, "psychic")
    decides = psychic in (room.eldest_of or ())
    doubt = AskBack(doubt=Doubt.ELDEST, psychic=psychic) if decides else None
    return CommandPlan(commands=(c.NameEldest(psychic=psychic),), doubt=doubt)


def _correct_answer(slots: Mapping[str, Slot], room: RoomView, _: Defaults) -> Resolution:
    psychic = _psychic(slots, "psychic")
    given = room.deal is Deal.HAND and any(each.colour is psychic and each.answered for each in room.psychics)
    doubt = AskBack(doubt=Doubt.CORRECT_ANSWER, psychic=psychic) if given else None
    return CommandPlan(commands=(c.CorrectAnswer(psychic=psychic),), doubt=doubt)


def _number_groups(slots: Mapping[str, Slot], _room: RoomView, _: Defaults) -> Resolution:
    order = slots["order"]
    assert isinstance(order, tuple)  # noqa: S101 - the sentences gather it
    return CommandPlan(commands=(c.NumberGroups(order=tuple(Psychic(str(each)) for each in order)),))


def _break_silence(_slots: Mapping[str, Slot], room: RoomView, defaults: Defaults) -> Resolution:
    fatal = defaults.edition_of(room).silence_is_fatal and c.BreakSilence in ALLOWED[room.phase]
    return CommandPlan(commands=(c.BreakSilence(),), doubt=AskBack(doubt=Doubt.BREAK_SILENCE) if fatal else None)


def _always(command: Command, doubt: Doubt | None = None) -> "_Resolver":
    asked = None if doubt is None else AskBack(doubt=doubt)
    return lambda *_: CommandPlan(commands=(command,), doubt=asked)


_Resolver = Callable[[Mapping[str, Slot], RoomView, Defaults], Resolution]

_RESOLVERS: Mapping[str, _Resolver] = {
    "give_vision": _give_vision,
    "turn_sand": _always(c.TurnSand()),
    "place_intuition": _place_intuition,
    "bet": _bet,
    "withdraw_bet": _withdraw_bet,
    "call_time": _always(c.CallTime(early=True)),
    "correct_answer": _correct_answer,
    "number_groups": _number_groups,
    "turn_shared_vision": _have_voted,
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
