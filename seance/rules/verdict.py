"""Naming the culprit by one vote, or by accusations (L28-L38, I8-I11, P2-P4, M3-M6)."""

from collections import Counter

from seance.rules import commands as c
from seance.rules import events as e
from seance.rules import refusals as r
from seance.rules.chance import shuffled
from seance.rules.clairvoyancy import cards_seen, furthest, next_shown
from seance.rules.course import Course, Passage
from seance.rules.lineup import standing
from seance.rules.refusal_base import in_words
from seance.rules.state import State
from seance.rules.terms import Ballot, BallotKind, Category, Reason, Visions
from seance.rules.turn import in_hand, playing

# The shared vision


def lay_shared_vision(state: State, command: c.LaySharedVision) -> Course:
    """Lay the cards and turn those that may be seen at once (L28, L30, L36, I8, P2)."""
    dealt, needed = state.setup.visions is Visions.DEALT, state.setup.edition.shared_vision_cards
    if dealt is (command.cards is None):
        wanted = f"the numbers of {in_words(needed)} cards" if dealt else "no numbers of cards"
        raise r.CountOrCards("lay_shared_vision", wanted)
    if command.cards is not None:
        if len(command.cards) != needed:
            raise r.ThreeCards(", ".join(map(str, command.cards)) or "none", needed)
        in_hand(state, command.cards)
    state = yield e.SharedVisionLaid()
    if command.cards is not None:
        # Sorted first: the order in which the ghost named the cards must not show (L28).
        state = yield e.SharedVisionSet(shuffled(state.setup.seed, "shared", sorted(command.cards)))
    yield from _turn_up_to(state, next_shown(state))


def turn_shared_vision(state: State, _: c.TurnSharedVision) -> Course:
    """Turn the next card: those whose turn it was have voted on paper (L30)."""
    shown = next_shown(state)
    if shown <= state.ending.shown:
        raise r.NoCardToTurn(state.ending.shown)
    yield from _turn_up_to(state, shown)


def _turn_up_to(state: State, shown: int) -> Passage:
    while state.ending.shown < shown:
        turned = state.ending.shown
        card = state.ending.shared[turned] if state.ending.shared else None
        state = yield e.SharedVisionTurned(turned + 1, card)
    return state


# One vote


def vote(state: State, command: c.Vote) -> Course:
    """Vote for a group; the last vote is followed by the reading (L30-L33, L38)."""
    search = playing(state, command.by)
    standing(state, command.group)
    if state.setup.ballot is BallotKind.OPEN:
        yield from _vote_openly(state, command)
        return
    if search not in state.unvoted():
        raise r.AlreadyVoted(command.by)
    if cards_seen(state, search) > state.ending.shown:
        raise r.VotesLater(command.by, state.ending.shown, cards_seen(state, search))
    yield e.VoteCast(command.by)
    state = yield e.BallotSealed(command.by, command.group)
    missing = state.unvoted()
    if not missing:
        yield from _read_votes(state)
    elif all(cards_seen(state, search) != state.ending.shown for search in missing):
        yield from _turn_up_to(state, next_shown(state))


def close_poll(state: State, _: c.ClosePoll) -> Course:
    """Name the reader before any vote is read in (L31)."""
    if state.setup.ballot is BallotKind.OPEN:
        raise r.VotesAreOpen(state.setup.edition.name, state.setup.players)
    if state.ending.readers:
        raise r.PollIsClosed(", ".join(state.ending.readers))
    if next_shown(state) > state.ending.shown:
        raise r.LevelsStillToVote(state.ending.shown)
    yield _name_reader(state)


def _name_reader(state: State) -> e.ReaderNamed:
    return e.ReaderNamed(tuple(search.psychic for search in furthest(state.searches)))


def _vote_openly(state: State, command: c.Vote) -> Course:
    """Take one vote from each voter, until all name the same group (L38)."""
    yield e.VoteCast(command.by)
    state = yield e.BallotShown(command.by, command.group)
    ballots = state.ending.ballots
    if len(ballots) == state.setup.voters and len({ballot.group for ballot in ballots}) == 1:
        yield from _judge(state, command.group)


def _read_votes(state: State) -> Course:
    """Read the votes, and break a tie (L31, L32)."""
    ballots = state.ending.ballots
    if not state.ending.readers:
        yield _name_reader(state)
    state = yield e.VotesRead(ballots)
    deciding = _deciding(state, ballots)
    if len({ballot.group for ballot in deciding}) == 1:
        yield from _judge(state, deciding[0].group)
    else:
        yield e.EldestNeeded(tuple(ballot.by for ballot in deciding))


def _deciding(state: State, ballots: tuple[Ballot, ...]) -> list[Ballot]:
    """Return the ballots for the group with most votes, or on a tie those of the furthest of its voters (L32)."""
    votes = Counter(ballot.group for ballot in ballots)
    most = max(votes.values())
    tied = [ballot for ballot in ballots if votes[ballot.group] == most]
    if len({ballot.group for ballot in tied}) == 1:
        return tied
    leaders = furthest(state.search(ballot.by) for ballot in tied)
    return [ballot for ballot in tied if state.search(ballot.by) in leaders]


def name_eldest(state: State, command: c.NameEldest) -> Course:
    """Let the eldest of those who tied decide (L32)."""
    playing(state, command.psychic)
    if command.psychic not in state.ending.eldest_of:
        raise r.NotACandidate(command.psychic, ", ".join(state.ending.eldest_of))
    state = yield e.EldestNamed(command.psychic)
    chosen = next(ballot.group for ballot in state.ending.ballots if ballot.by is command.psychic)
    yield from _judge(state, chosen)


def _judge(state: State, group: int) -> Course:
    """Turn the culprit's token: if *group* is right all win, else all lose (L33)."""
    culprit = state.ending.culprit
    assert culprit is not None  # noqa: S101 - the phases see to it
    won = group == culprit
    yield e.Accused(group)
    yield e.CulpritRevealed(culprit)
    yield e.NightEnded(won=won, reason=Reason.CULPRIT_FOUND if won else Reason.WRONG_CULPRIT)


# Accusations


def point_at(state: State, command: c.PointAt) -> Course:
    """Put a psychic's ball on a group (I9)."""
    playing(state, command.by)
    standing(state, command.group)
    yield e.PointedAt(command.by, command.group)


def accuse(state: State, command: c.Accuse) -> Course:
    """Accuse the group with the majority; a wrong one costs a turn (I9-I11, M3-M6)."""
    number = _majority(state)
    cards = _named(state, command)
    group = standing(state, number)
    state = yield e.Accused(number, cards)
    if number == state.ending.culprit and cards in (None, group.cards):
        yield e.CulpritRevealed(number)
        yield e.NightEnded(won=True, reason=Reason.CULPRIT_FOUND)
        return
    if state.setup.edition.wrong_group_leaves:
        state = yield e.SetRemoved(number)
    if state.hour == state.setup.edition.turns:
        yield e.NightEnded(won=False, reason=Reason.TIME_OVER)
    else:
        yield e.HourStruck(state.hour + 1)


def _majority(state: State) -> int:
    """Return the group with more than half of the balls on it, or raise NoMajority (I9, M6)."""
    needed = state.setup.voters // 2 + 1
    balls = Counter(ball.group for ball in state.ending.pointing)
    for group, count in balls.items():
        if count >= needed:
            return group
    raise r.NoMajority(max(balls.values(), default=0), needed)


def _named(state: State, command: c.Accuse) -> tuple[int, int, int] | None:
    """Return the cards that a full investigation names, or None where none are named (M3, M5)."""
    character, location, thing = command.character, command.location, command.object
    if not state.setup.edition.names_all_three:
        if (character, location, thing) != (None, None, None):
            raise r.NameTheGroupOnly(state.setup.edition.name)
        return None
    if character is None or location is None or thing is None:
        raise r.NameAllThree
    named = (character, location, thing)
    for at, category in enumerate(Category):
        if all(group.cards[at] != named[at] for group in state.ending.groups):
            raise r.NotAmongSuspects(named[at], category)
    return named
