"""Computer players for simulations and tests."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from seance.rules import commands as c
from seance.rules.chance import shuffled
from seance.rules.clairvoyancy import cards_seen, next_shown
from seance.rules.decide import ALLOWED, apply
from seance.rules.events import Event
from seance.rules.legal import is_legal, moves
from seance.rules.state import Search, State
from seance.rules.terms import BallotKind, Category, Deal, Psychic, Trio, Visions


class Bot(Protocol):
    """A computer player of the ghost and all psychics."""

    def choose(self, state: State) -> c.Command:
        """Return a legal command."""


def play(begin: c.Begin, bot: Bot) -> Iterator[tuple[c.Command, State, tuple[Event, ...]]]:
    """Yield each command of a whole night with the state and the events after it."""
    state, events = apply(None, begin)
    yield begin, state, events
    while state.outcome is None:
        command = bot.choose(state)
        state, events = apply(state, command)
        yield command, state, events


@dataclass(frozen=True)
class Wanderer:
    """Plays legal commands at random, but never abandons a night."""

    chance: Random

    def choose(self, state: State) -> c.Command:
        """Return a random legal command; every kind is equally likely, except that silence is rarely broken."""
        kinds = [kind for kind in c.COMMANDS if kind in ALLOWED[state.phase] and kind is not c.Abandon]
        while True:
            kind = self.chance.choice(kinds)
            # A broken silence ends the night at once: it must happen, but rarely enough that nights go on.
            if kind is c.BreakSilence and self.chance.random() > 0.01:
                continue
            command = self._any_cards(state, kind) or self._any(list(moves(state, kind)))
            if command is not None:
                return command
            kinds.remove(kind)

    def _any(self, commands: list[c.Command]) -> c.Command | None:
        return self.chance.choice(commands) if commands else None

    def _any_cards(self, state: State, kind: type[c.Command]) -> c.Command | None:
        """Return a legal command of *kind* with random cards of the hand; None where it names no cards."""
        hand = state.deck.hand
        if not hand or state.setup.visions is not Visions.DEALT:
            return None
        cards = tuple(self.chance.sample(hand, self.chance.randint(1, len(hand))))
        command: c.Command
        if kind is c.GiveVision and (waiting := state.awaiting_vision()):
            command = c.GiveVision(psychic=self.chance.choice(waiting).psychic, cards=cards)
        elif kind is c.UseCrow and not state.setup.edition.crow_takes_whole_hand:
            command = c.UseCrow(cards=cards)
        elif kind is c.LaySharedVision and len(hand) >= (needed := state.setup.edition.shared_vision_cards):
            command = c.LaySharedVision(cards=tuple(self.chance.sample(hand, needed)))
        else:
            return None
        return command if is_legal(state, command) else None


@dataclass
class Company:
    """Plays like a plausible table: a ghost who gives what suits, psychics who rule out cards, bet with sense and vote.

    Each vision card of the hand suits what a psychic seeks with probability `aptness`. The ghost gives those that do,
    three at most; where none does, a crow is used, or without one a card is given that says nothing. A card that suits
    rules out each wrong card on the table with probability `skill`. A psychic tries one of the cards that are left,
    rather not one that another psychic has chosen. Shared cards rule out groups in the same way. So a night is as
    hard as its cards laid out, its crows, its hand and its time make it, in every edition and at every level.
    """

    chance: Random
    skill: float = 0.65
    """Probability that a vision that suits rules out a wrong card."""
    insight: float = 0.7
    """Probability that a psychic sees whether another one is right."""
    aptness: float = 0.15
    """Probability that a card of the ghost's hand suits what a psychic seeks."""
    accuracy: float | None = None
    """Probability that a psychic chooses right; None where it follows from the visions."""
    _dealt: dict[Psychic, Trio] = field(default_factory=dict)
    """The cards that the ghost dealt by hand."""
    _possible: dict[tuple[Psychic, Category], list[int]] = field(default_factory=dict)
    """Cards that a psychic has neither ruled out nor tried."""
    _standing: list[list[int]] = field(default_factory=list)
    """Groups that are still possible after no, one, two and more shared cards."""
    _cleared: set[int] = field(default_factory=set)
    """Groups accused in vain."""
    _suspected: int = 0

    def choose(self, state: State) -> c.Command:
        """Return what a sensible table would do next."""
        return getattr(self, f"_{state.phase}")(state)  # type: ignore[no-any-return]

    def _visions(self, state: State) -> c.Command:
        if state.hour == 1 and not any(search.served for search in state.searches):
            self._dealt, self._possible, self._standing, self._cleared, self._suspected = {}, {}, [], set(), 0
        waiting = state.awaiting_vision()
        if not waiting:
            return c.TurnSand()
        search = self.chance.choice(waiting)
        hand = state.deck.hand if state.setup.visions is Visions.DEALT else None
        suiting = self._suiting(state.setup.edition.hand if hand is None else len(hand))
        if not suiting and state.crows_left:
            return c.UseCrow(cards=hand)
        self._rule_out(state, search, suiting)
        if hand is None:
            return c.GiveVision(psychic=search.psychic, count=max(1, suiting))
        return c.GiveVision(psychic=search.psychic, cards=hand[: max(1, suiting)])

    def _suiting(self, hand: int) -> int:
        """Return how many cards of the hand the ghost finds worth giving."""
        return min(3, sum(self.chance.random() < self.aptness for _ in range(hand)))

    def _rule_out(self, state: State, search: Search, visions: int) -> None:
        """Let a psychic see *visions* that suit."""
        possible, right = self._left(state, search), self._sought(state, search)
        for _ in range(visions):
            possible[:] = [card for card in possible if card == right or self.chance.random() >= self.skill]

    def _left(self, state: State, search: Search) -> list[int]:
        """Return the cards on the table that a psychic thinks possible."""
        category = state.setup.edition.order[len(search.found)]
        row = state.table.of(category)
        possible = self._possible.setdefault((search.psychic, category), list(row))
        possible[:] = [card for card in possible if card in row]
        return possible

    def _interpretation(self, state: State) -> c.Command:
        for search in state.searching():
            if search.intuition is None:
                return c.PlaceIntuition(psychic=search.psychic, card=self._guess(state, search))
        return self._bet(state) or c.CallTime(early=True)

    def _guess(self, state: State, search: Search) -> int:
        if self.accuracy is not None:
            right = self._sought(state, search)
            row = state.table.of(state.setup.edition.order[len(search.found)])
            wrong = [card for card in row if card != right]
            return self.chance.choice(wrong) if wrong and self.chance.random() >= self.accuracy else right
        possible = self._left(state, search)
        chosen = {other.intuition for other in state.searches}
        card = self.chance.choice([card for card in possible if card not in chosen] or possible)
        if card != self._sought(state, search):
            possible.remove(card)
        return card

    def _sought(self, state: State, search: Search) -> int:
        """Return the card that a psychic has to find now."""
        return self._secret(state, search).of(state.setup.edition.order[len(search.found)])

    def _secret(self, state: State, search: Search) -> Trio:
        """Return the cards that a psychic has to find: as the manor dealt them, or as this ghost did by hand."""
        if search.secret is not None:
            return search.secret
        if not self._dealt:
            seed = self.chance.getrandbits(32)
            rows = [shuffled(seed, kind, state.table.of(kind)) for kind in Category]
            trios = (Trio(*cards) for cards in zip(*rows, strict=True))
            self._dealt = dict(zip(state.setup.psychics, trios, strict=False))
        return self._dealt[search.psychic]

    def _bet(self, state: State) -> c.Command | None:
        """Return a bet of a psychic who has tokens to spare until they come back, or None."""
        edition = state.setup.edition
        until = edition.tokens_return_at or 0
        turns = (until if state.hour < until else edition.turns + 1) - state.hour
        laid = {(token.by, token.on) for token in state.tokens}
        for by in state.searches:
            mine = sum(token.by is by.psychic for token in state.tokens)
            if not by.tokens_left or mine * turns >= by.tokens_left + mine:
                continue
            for on in state.searching():
                if on is not by and (by.psychic, on.psychic) not in laid:
                    right = on.intuition == self._sought(state, on)
                    sees = self.chance.random() < self.insight
                    return c.Bet(by=by.psychic, on=on.psychic, agrees=right is sees)
        return None

    def _manifestation(self, state: State) -> c.Command:
        search = next(search for search in state.searching() if not search.answered)
        if state.setup.deal is Deal.MANOR:
            return c.Manifest(psychic=search.psychic)
        return c.Manifest(psychic=search.psychic, correct=search.intuition == self._sought(state, search))

    def _lineup(self, state: State) -> c.Command:
        return c.ChooseCulprit(group=self.chance.choice(state.ending.groups).group)

    def _shared_vision(self, state: State) -> c.Command:
        cards = state.deck.hand[: state.setup.edition.shared_vision_cards]
        return c.LaySharedVision(cards=cards if state.setup.visions is Visions.DEALT else None)

    def _vote(self, state: State) -> c.Command:
        if state.setup.ballot is BallotKind.OPEN:
            return self._vote_openly(state)
        # On paper, as the books have it: the votes lie in the sleeves until the reader is named.
        if next_shown(state) > state.ending.shown:
            return c.TurnSharedVision()
        if not state.ending.readers:
            return c.ClosePoll()
        search = min(state.unvoted(), key=lambda search: cards_seen(state, search))
        return c.Vote(by=search.psychic, group=self._suspect(state, cards_seen(state, search)))

    def _vote_openly(self, state: State) -> c.Command:
        """Return the vote of somebody who has not voted for the group on which the table agrees."""
        group, voter_of = self._consensus(state), state.setup.voter_of
        agreeing = {voter_of(ballot.by) for ballot in state.ending.ballots if ballot.group == group}
        others = [psychic for psychic in state.setup.psychics if voter_of(psychic) not in agreeing]
        return c.Vote(by=others[-1] if state.ending.ballots else others[0], group=group)

    def _suspect(self, state: State, cards: int) -> int:
        """Return a group that is still possible after so many shared *cards*."""
        if not self._standing:
            self._standing = [[group.group for group in state.ending.groups]]
        while len(self._standing) <= cards:
            culprit, suits = state.ending.culprit, self._suiting(state.setup.edition.hand)
            doubted = [group for group in self._standing[-1] if suits and self.chance.random() < self.skill]
            self._standing.append([group for group in self._standing[-1] if group == culprit or group not in doubted])
        return self.chance.choice([group for group in self._standing[cards] if group not in self._cleared])

    def _consensus(self, state: State) -> int:
        """Return the group on which the table agrees, until it is cleared."""
        if not self._suspected or self._suspected in self._cleared:
            self._suspected = self._suspect(state, state.setup.edition.shared_vision_cards)
        return self._suspected

    def _eldest(self, state: State) -> c.Command:
        return c.NameEldest(psychic=self.chance.choice(state.ending.eldest_of))

    def _accusation(self, state: State) -> c.Command:
        group = self._consensus(state)
        setup = state.setup
        balls = {setup.voter_of(ball.by) for ball in state.ending.pointing}
        if 2 * len(balls) > setup.voters:
            self._cleared.add(group)
            if not setup.edition.names_all_three:
                return c.Accuse()
            cards = next(each.cards for each in state.ending.groups if each.group == group)
            return c.Accuse(**dict(zip(Category, cards, strict=True)))
        by = next(psychic for psychic in setup.psychics if setup.voter_of(psychic) not in balls)
        return c.PointAt(by=by, group=group)
