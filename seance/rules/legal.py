"""The commands that are legal now, found by trying them on the rules."""

from collections.abc import Callable, Iterator, Mapping
from itertools import permutations

from seance.rules import commands as c
from seance.rules.decide import ALLOWED, decide
from seance.rules.names import wire_name
from seance.rules.refusals import Refusal
from seance.rules.state import State
from seance.rules.terms import Category, Deal, Phase, Seat, Visions


def legal(state: State | None, seat: Seat) -> tuple[str, ...]:
    """Return the names of the commands that *seat* may give now."""
    if state is None or state.phase is Phase.OVER:
        return (wire_name(c.Begin),)
    kinds = (kind for kind in c.COMMANDS if seat in kind.seats and kind in ALLOWED[state.phase])
    return tuple(wire_name(kind) for kind in kinds if next(moves(state, kind), None) is not None)


def moves(state: State, kind: type[c.Command]) -> Iterator[c.Command]:
    """Yield the commands of *kind* that would be accepted.

    Of the many ways to choose cards from the hand, or an order of the groups, only a few are named.
    """
    if kind in ALLOWED[state.phase]:
        yield from (command for command in _THINKABLE[kind](state) if is_legal(state, command))


def is_legal(state: State | None, command: c.Command) -> bool:
    """Return whether *command* would be accepted."""
    try:
        next(decide(state, command))
    except Refusal:
        return False
    return True


def _give_vision(state: State) -> Iterator[c.Command]:
    for search in state.awaiting_vision():
        if state.setup.visions is Visions.DEALT:
            for most in range(1, len(state.deck.hand) + 1):
                yield c.GiveVision(psychic=search.psychic, cards=state.deck.hand[:most])
        else:
            for count in range(1, state.setup.edition.hand + 1):
                yield c.GiveVision(psychic=search.psychic, count=count)


def _use_crow(state: State) -> Iterator[c.Command]:
    yield c.UseCrow()
    if state.setup.visions is Visions.DEALT:
        for most in range(1, len(state.deck.hand) + 1):
            yield c.UseCrow(cards=state.deck.hand[:most])
    else:
        for count in range(1, state.setup.edition.hand + 1):
            yield c.UseCrow(count=count)


def _place_intuition(state: State) -> Iterator[c.Command]:
    for search in state.searching():
        for card in state.table.of(state.setup.edition.order[len(search.found)]):
            yield c.PlaceIntuition(psychic=search.psychic, card=card)


def _bet(state: State) -> Iterator[c.Command]:
    for by, on in permutations(state.setup.psychics, 2):
        for agrees in (True, False):
            yield c.Bet(by=by, on=on, agrees=agrees)


def _withdraw_bet(state: State) -> Iterator[c.Command]:
    return (c.WithdrawBet(by=token.by, on=token.on) for token in state.tokens)


def _take_back(state: State) -> Iterator[c.Command]:
    return (c.TakeBack(psychic=psychic) for psychic in state.setup.psychics)


def _call_time(_: State) -> Iterator[c.Command]:
    return (c.CallTime(early=early) for early in (False, True))


def _manifest(state: State) -> Iterator[c.Command]:
    answers = (None,) if state.setup.deal is Deal.MANOR else (False, True)
    for search in state.searching():
        for correct in answers:
            yield c.Manifest(psychic=search.psychic, correct=correct)


def _correct_answer(state: State) -> Iterator[c.Command]:
    return (c.CorrectAnswer(psychic=psychic) for psychic in state.setup.psychics)


def _number_groups(state: State) -> Iterator[c.Command]:
    psychics = state.setup.psychics
    for at in range(len(psychics)):
        yield c.NumberGroups(order=psychics[at:] + psychics[:at])


def _choose_culprit(state: State) -> Iterator[c.Command]:
    return (c.ChooseCulprit(group=group.group) for group in state.ending.groups)


def _lay_shared_vision(state: State) -> Iterator[c.Command]:
    cards = state.deck.hand[: state.setup.edition.shared_vision_cards]
    yield c.LaySharedVision(cards=cards if state.setup.visions is Visions.DEALT else None)


def _vote(state: State) -> Iterator[c.Command]:
    for by in state.setup.psychics:
        for group in state.ending.groups:
            yield c.Vote(by=by, group=group.group)


def _name_eldest(state: State) -> Iterator[c.Command]:
    return (c.NameEldest(psychic=psychic) for psychic in state.ending.eldest_of)


def _point_at(state: State) -> Iterator[c.Command]:
    for by in state.setup.psychics:
        for group in state.ending.groups:
            yield c.PointAt(by=by, group=group.group)


def _accuse(state: State) -> Iterator[c.Command]:
    if not state.setup.edition.names_all_three:
        yield c.Accuse()
        return
    for group in state.ending.groups:
        yield c.Accuse(**dict(zip(Category, group.cards, strict=True)))


def _bare(kind: type[c.Command]) -> Callable[[State], Iterator[c.Command]]:
    return lambda _: iter((kind(),))


_THINKABLE: Mapping[type[c.Command], Callable[[State], Iterator[c.Command]]] = {
    c.GiveVision: _give_vision,
    c.UseCrow: _use_crow,
    c.TurnSand: _bare(c.TurnSand),
    c.PlaceIntuition: _place_intuition,
    c.Bet: _bet,
    c.WithdrawBet: _withdraw_bet,
    c.CallTime: _call_time,
    c.Manifest: _manifest,
    c.CorrectAnswer: _correct_answer,
    c.NumberGroups: _number_groups,
    c.ChooseCulprit: _choose_culprit,
    c.LaySharedVision: _lay_shared_vision,
    c.TurnSharedVision: _bare(c.TurnSharedVision),
    c.ClosePoll: _bare(c.ClosePoll),
    c.Vote: _vote,
    c.NameEldest: _name_eldest,
    c.PointAt: _point_at,
    c.Accuse: _accuse,
    c.BreakSilence: _bare(c.BreakSilence),
    c.TakeBack: _take_back,
    c.Abandon: _bare(c.Abandon),
}
