"""What is next in each phase of a night that is under way."""

from collections import Counter
from collections.abc import Callable, Mapping

from seance.dialogue.ballots import is_open_vote, majority_group, voter_of, without_vote
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.next_step import GhostMove, NextAction, NextStep, WaitsFor, WhoActs
from seance.rules import BallotKind, Category, Deal, Edition, Phase, Psychic, RoomView
from seance.rules import commands as c
from seance.rules.view import PsychicView


def next_in_phase(room: RoomView, edition: Edition) -> NextStep:
    """Return what carries on the night that *room* shows, which is not over."""
    return _PHASES[room.phase](room, edition)


def card_to_choose(room: RoomView, psychic: Psychic | None) -> int:
    """Return a card of the kind that *psychic* searches for: another one for each psychic and each turn."""
    seats = [seat for seat, each in enumerate(room.psychics) if psychic in (None, each.colour)]
    seat = seats[0] if seats else 0
    kind = room.psychics[seat].searching
    cards = room.table.of(Category(kind)) if kind in set(Category) else ()
    cards = cards or room.table.character or (1,)
    return cards[(seat + room.hour - 1) % len(cards)]


def eldest_step(room: RoomView) -> NextStep:
    """Return that the eldest of those who tied must be named."""
    tied = room.eldest_of or tuple(each.colour for each in room.psychics)
    say = (Intent("name_eldest", {"psychic": str(tied[0])}),)
    return NextStep(action=NextAction.NAME_ELDEST, who=WhoActs.EVERYBODY, psychics=tied, say=say, is_example=True)


def _searching(room: RoomView) -> list[PsychicView]:
    return [psychic for psychic in room.psychics if psychic.searching != "done"]


def _visions(room: RoomView, _: Edition) -> NextStep:
    unserved = tuple(psychic.colour for psychic in _searching(room) if not psychic.served)
    if not unserved:
        move = GhostMove(command=c.TurnSand)
        return NextStep(action=NextAction.TURN_SAND, say=(Intent("turn_sand"),), ghost=move)
    are_dealt = room.shared_vision is not None
    say = () if are_dealt else (Intent("give_vision", {"psychic": str(unserved[0])}),)
    return NextStep(
        action=NextAction.GIVE_VISIONS,
        who=WhoActs.GHOST,
        psychics=unserved,
        say=say,
        is_example=True,
        ghost=GhostMove(command=c.GiveVision, psychic=unserved[0]),
        waits_for=WaitsFor.GHOST,
    )


def _interpretation(room: RoomView, edition: Edition) -> NextStep:
    undecided = tuple(psychic.colour for psychic in _searching(room) if psychic.intuition is None)
    waits_for = WaitsFor.SENTENCE if edition.sand_seconds is None else WaitsFor.SAND
    if not undecided:
        ready = Intent("call_time", {"early": True})
        return NextStep(action=NextAction.END_CHOOSING, say=(ready,), waits_for=waits_for)
    first = undecided[0]
    return NextStep(
        action=NextAction.CHOOSE,
        who=WhoActs.PSYCHICS,
        psychics=undecided,
        say=(Intent("place_intuition", {"psychic": str(first), "card": card_to_choose(room, first)}),),
        is_example=True,
        waits_for=waits_for,
    )


def _manifestation(room: RoomView, _: Edition) -> NextStep:
    waiting = tuple(psychic.colour for psychic in _searching(room) if not psychic.answered)
    by_hand = room.deal is Deal.HAND
    move = GhostMove(command=c.Manifest, psychic=waiting[0], has_answer=by_hand) if waiting else None
    return NextStep(
        action=NextAction.ANSWER_BY_HAND if by_hand else NextAction.ANSWER_PSYCHICS,
        who=WhoActs.GHOST,
        psychics=waiting,
        ghost=move,
        waits_for=WaitsFor.GHOST,
    )


def _lineup(room: RoomView, _: Edition) -> NextStep:
    move = GhostMove(command=c.ChooseCulprit, group=_some_group(room))
    return NextStep(action=NextAction.MARK_CULPRIT, who=WhoActs.GHOST, ghost=move, waits_for=WaitsFor.GHOST)


def _shared_vision(_room: RoomView, _: Edition) -> NextStep:
    move = GhostMove(command=c.LaySharedVision)
    return NextStep(action=NextAction.LAY_SHARED_VISION, who=WhoActs.GHOST, ghost=move, waits_for=WaitsFor.GHOST)


def _vote(room: RoomView, edition: Edition) -> NextStep:
    missing = without_vote(room, edition)
    if is_open_vote(room, edition):
        favourite = _favourite(room, edition, room.votes or {})
        say = (Intent("accuse", {"group": favourite}),)
        return NextStep(action=NextAction.VOTE_TOGETHER, psychics=missing, say=say, is_example=True)
    if room.readers is None:
        voting = tuple(psychic for psychic in missing if _votes_now(psychic, room, edition))
        say = (Intent("turn_shared_vision"),)
        return NextStep(action=NextAction.VOTE_SILENTLY, who=WhoActs.PSYCHICS, psychics=voting or missing, say=say)
    read = Intent("vote", {"by": str(missing[0]), "group": _some_group(room)}) if missing else Intent("repeat")
    return NextStep(action=NextAction.READ_VOTES, psychics=missing, say=(read,), is_example=True)


def _votes_now(psychic: Psychic, room: RoomView, edition: Edition) -> bool:
    """Return whether *psychic* votes at the cards of the shared vision that lie open now (L30)."""
    track = edition.tracks.get(room.players)
    if track is None or edition.ballot_of(room.players) is not BallotKind.SECRET_BY_LEVEL:
        return True
    spaces = next(each.clairvoyancy for each in room.psychics if each.colour is psychic)
    return track.cards_seen(spaces or 0) == room.shared_vision_shown


def _eldest(room: RoomView, _: Edition) -> NextStep:
    return eldest_step(room)


def _accusation(room: RoomView, edition: Edition) -> NextStep:
    if (accused := majority_group(room, edition)) is not None:
        return _accuse(room, edition, accused)
    balls = room.pointing or {}
    favourite = _favourite(room, edition, balls)
    missing = without_vote(room, edition)
    others = missing or tuple(psychic for psychic, group in balls.items() if group != favourite)
    say = tuple(Intent("point_at", {"by": str(psychic), "group": favourite}) for psychic in others[:1])
    return NextStep(
        action=NextAction.POINT if missing else NextAction.AGREE,
        who=WhoActs.PSYCHICS,
        psychics=others,
        say=say,
        is_example=True,
    )


def _accuse(room: RoomView, edition: Edition, accused: int) -> NextStep:
    missing = without_vote(room, edition)
    if not edition.names_all_three:
        say = (Intent("accuse", {"group": accused}),)
        return NextStep(action=NextAction.ACCUSE, psychics=missing, group=accused, say=say)
    cards = next(group.cards for group in room.groups if group.group == accused)
    named = dict(zip(map(str, Category), cards, strict=True))
    say = (Intent("accuse", named),)
    return NextStep(action=NextAction.ACCUSE_CARDS, psychics=missing, group=accused, say=say, is_example=True)


def _favourite(room: RoomView, edition: Edition, named: Mapping[Psychic, int]) -> int:
    """Return the group that most voters have *named* so far, or any group."""
    by_voter = {voter_of(psychic, room, edition): group for psychic, group in named.items()}
    counts = Counter(by_voter.values())
    return min(counts, key=lambda group: (-counts[group], group)) if counts else _some_group(room)


def _some_group(room: RoomView) -> int:
    return room.groups[0].group if room.groups else 1


_PHASES: Mapping[Phase, Callable[[RoomView, Edition], NextStep]] = {
    Phase.VISIONS: _visions,
    Phase.INTERPRETATION: _interpretation,
    Phase.MANIFESTATION: _manifestation,
    Phase.LINEUP: _lineup,
    Phase.SHARED_VISION: _shared_vision,
    Phase.VOTE: _vote,
    Phase.ELDEST: _eldest,
    Phase.ACCUSATION: _accusation,
}
