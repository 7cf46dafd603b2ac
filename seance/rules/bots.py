"""Players for rehearsals and simulations; they only ask, the rules decide."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from seance.rules import commands as c
from seance.rules.chance import shuffled
from seance.rules.clairvoyancy import cards_seen
from seance.rules.decide import ALLOWED, apply
from seance.rules.events import Event
from seance.rules.legal import is_legal, moves
from seance.rules.state import Search, State
from seance.rules.terms import LAST_HOUR, Category, Deal, Psychic, Trio, Visions


class Bot(Protocol):
    """Somebody who plays ghost and psychics alike."""

    def choose(self, state: State) -> c.Command:
        """Return a legal command."""


def play(begin: c.Begin, bot: Bot) -> Iterator[tuple[c.Command, State, tuple[Event, ...]]]:
    """Yield each command of a whole night with the state and the events that follow."""
    state, events = apply(None, begin)
    yield begin, state, events
    while state.outcome is None:
        command = bot.choose(state)
        state, events = apply(state, command)
        yield command, state, events


@dataclass(frozen=True)
class Wanderer:
    """Plays any legal command, however foolish; ends a night only by the rules."""

    chance: Random

    def choose(self, state: State) -> c.Command:
        """Return a legal command, every kind as likely as the others."""
        kinds = [kind for kind in c.COMMANDS if kind in ALLOWED[state.phase] and kind is not c.Abandon]
        while True:
            kind = self.chance.choice(kinds)
            # A broken silence ends the night at once: often enough to be seen, not so often that nothing else is.
            if kind is c.BreakSilence and self.chance.random() > 0.01:
                continue
            command = self._any_cards(state, kind) or self._any(list(moves(state, kind)))
            if command is not None:
                return command
            kinds.remove(kind)

    def _any(self, commands: list[c.Command]) -> c.Command | None:
        return self.chance.choice(commands) if commands else None

    def _any_cards(self, state: State, kind: type[c.Command]) -> c.Command | None:
        """Return a command with any cards of the hand, where it names cards; else None."""
        hand = state.deck.hand
        if not hand or state.setup.visions is not Visions.DEALT:
            return None
        cards = tuple(self.chance.sample(hand, self.chance.randint(1, len(hand))))
        command: c.Command
        if kind is c.GiveVision and (waiting := state.awaiting_vision()):
            command = c.GiveVision(psychic=self.chance.choice(waiting).psychic, cards=cards)
        elif kind is c.UseCrow and not state.setup.edition.crow_takes_whole_hand:
            command = c.UseCrow(cards=cards)
        elif kind is c.LaySharedVision and len(hand) >= 3:
            command = c.LaySharedVision(cards=tuple(self.chance.sample(hand, 3)))
        else:
            return None
        return command if is_legal(state, command) else None


@dataclass
class Company:
    """A plausible table: psychics who guess right with a given probability, bet with sense and vote."""

    chance: Random
    skill: float = 0.5
    """How likely one vision card is to lead a psychic to the right card."""
    insight: float = 0.7
    """How likely a psychic is to see whether another one is right."""
    _dealt: dict[Psychic, Trio] = field(default_factory=dict)
    """The cards that the ghost dealt by hand."""
    _wrong: dict[Psychic, set[int]] = field(default_factory=dict)
    """Cards that a psychic has tried in vain, or is about to."""
    _cleared: set[int] = field(default_factory=set)
    """Groups accused in vain."""
    _suspected: int = 0

    def choose(self, state: State) -> c.Command:
        """Return what a sensible table would do next."""
        return getattr(self, f"_{state.phase}")(state)  # type: ignore[no-any-return]

    def _visions(self, state: State) -> c.Command:
        if state.hour == 1 and not any(search.served for search in state.searches):
            self._dealt, self._wrong, self._cleared, self._suspected = {}, {}, set(), 0
        waiting = state.awaiting_vision()
        if not waiting:
            return c.TurnSand()
        psychic = self.chance.choice(waiting).psychic
        dealt = state.setup.visions is Visions.DEALT
        if state.crows_left and self.chance.random() < 0.05:
            return c.UseCrow(cards=state.deck.hand) if dealt else c.UseCrow()
        count = 1 + int(self.chance.random() * 2)
        if dealt:
            return c.GiveVision(psychic=psychic, cards=state.deck.hand[:count])
        return c.GiveVision(psychic=psychic, count=count)

    def _interpretation(self, state: State) -> c.Command:
        for search in state.searching():
            if search.intuition is None:
                return c.PlaceIntuition(psychic=search.psychic, card=self._guess(state, search))
        return self._bet(state) or c.CallTime(early=True)

    def _guess(self, state: State, search: Search) -> int:
        category = state.setup.edition.order[len(search.found)]
        right = self._secret(state, search).of(category)
        wrong = self._wrong.setdefault(search.psychic, set())
        rest = [card for card in state.table.of(category) if card != right and card not in wrong]
        if not rest or self.chance.random() >= (1 - self.skill) ** max(search.visions, 1):
            return right
        card = self.chance.choice(rest)
        wrong.add(card)
        return card

    def _secret(self, state: State, search: Search) -> Trio:
        """Return what a psychic has to find: as the manor dealt it, or as the ghost did by hand."""
        if search.secret is not None:
            return search.secret
        if not self._dealt:
            seed = self.chance.getrandbits(32)
            rows = [shuffled(seed, kind, state.table.of(kind)) for kind in Category]
            trios = (Trio(*cards) for cards in zip(*rows, strict=True))
            self._dealt = dict(zip(state.setup.psychics, trios, strict=False))
        return self._dealt[search.psychic]

    def _bet(self, state: State) -> c.Command | None:
        """Return a bet of somebody who still has tokens to spend until they come back, or None."""
        turns = 4 - state.hour if state.hour < 4 else LAST_HOUR + 1 - state.hour
        laid = {(token.by, token.on) for token in state.tokens}
        for by in state.searches:
            mine = sum(token.by is by.psychic for token in state.tokens)
            if not by.tokens_left or mine * turns >= by.tokens_left + mine:
                continue
            for on in state.searching():
                if on is not by and (by.psychic, on.psychic) not in laid:
                    right = on.intuition == self._secret(state, on).of(state.setup.edition.order[len(on.found)])
                    sees = self.chance.random() < self.insight
                    return c.Bet(by=by.psychic, on=on.psychic, agrees=right is sees)
        return None

    def _manifestation(self, state: State) -> c.Command:
        search = next(search for search in state.searching() if not search.answered)
        if state.setup.deal is Deal.MANOR:
            return c.Manifest(psychic=search.psychic)
        category = state.setup.edition.order[len(search.found)]
        return c.Manifest(psychic=search.psychic, correct=search.intuition == self._secret(state, search).of(category))

    def _lineup(self, state: State) -> c.Command:
        return c.ChooseCulprit(group=self.chance.choice(state.ending.groups).group)

    def _shared_vision(self, state: State) -> c.Command:
        return c.LaySharedVision(cards=state.deck.hand[:3] if state.setup.visions is Visions.DEALT else None)

    def _vote(self, state: State) -> c.Command:
        voted = {ballot.by for ballot in state.ending.ballots}
        if not state.setup.track:
            by = state.setup.psychics[-1] if voted else state.setup.psychics[0]
            return c.Vote(by=by, group=self._consensus(state))
        waiting = (search for search in state.searches if search.psychic not in voted)
        search = next(search for search in waiting if cards_seen(state, search) <= state.ending.shown)
        return c.Vote(by=search.psychic, group=self._suspect(state, cards_seen(state, search)))

    def _suspect(self, state: State, cards: int) -> int:
        """Return the group that somebody suspects after seeing so many shared cards."""
        groups = [group.group for group in state.ending.groups if group.group not in self._cleared]
        culprit = state.ending.culprit
        if culprit is not None and self.chance.random() >= (1 - self.skill) ** cards:
            return culprit
        return self.chance.choice(groups)

    def _consensus(self, state: State) -> int:
        """Return the group on which the table agrees, until it is cleared."""
        if not self._suspected or self._suspected in self._cleared:
            self._suspected = self._suspect(state, 3)
        return self._suspected

    def _eldest(self, state: State) -> c.Command:
        return c.NameEldest(psychic=self.chance.choice(state.ending.eldest_of))

    def _accusation(self, state: State) -> c.Command:
        group = self._consensus(state)
        balls = [ball.by for ball in state.ending.pointing]
        if 2 * len(balls) > len(state.setup.psychics):
            self._cleared.add(group)
            if not state.setup.edition.names_all_three:
                return c.Accuse()
            cards = next(each.cards for each in state.ending.groups if each.group == group)
            return c.Accuse(**dict(zip(Category, cards, strict=True)))
        by = next(psychic for psychic in state.setup.psychics if psychic not in balls)
        return c.PointAt(by=by, group=group)
