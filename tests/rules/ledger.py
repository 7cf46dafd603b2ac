"""A ledger of one night: it follows every command, and checks that nothing is lost, doubled or turned back."""

from collections import Counter

from seance.rules import Begin, Command, Event, Phase, Psychic, State, Visions, apply, evolve
from seance.rules import events as e

ALL_VISIONS = list(range(1, 85))


class Ledger:
    """Follows a night from its beginning."""

    def __init__(self, begin: Begin) -> None:
        self.state, events = apply(None, begin)
        self.commands: list[Command] = [begin]
        self.events: list[Event] = list(events)
        self.retold = _retold(None, events)
        self.spent: Counter[Psychic] = Counter()
        table = self.state.table
        self.laid_out = sorted(table.character + table.location + table.object)
        self.check()

    def follow(self, command: Command) -> tuple[Event, ...]:
        """Return the events of *command*, which is granted, when all that must stay true is true after it."""
        hour, laid = self.state.hour, Counter(token.by for token in self.state.tokens)
        self.state, events = apply(self.state, command)
        self.commands.append(command)
        self.events += events
        self.retold = _retold(self.retold, events)
        if any(isinstance(event, e.TimeCalled) for event in events):
            self.spent += laid
        if any(isinstance(event, e.TokensReturned) for event in events):
            self.spent.clear()
        assert hour <= self.state.hour <= self.state.setup.edition.turns
        self.check()
        return events

    def check(self) -> None:
        """Check what must be true of every state."""
        assert self.retold == self.state, "the events alone do not tell the state"
        assert (self.state.phase is Phase.OVER) is (self.state.outcome is not None)
        self._vision_cards()
        self._psychic_cards()
        self._intuitions()
        self._tokens()

    def _vision_cards(self) -> None:
        """Vision cards are neither lost nor doubled (L4), and the hand is full while there is one to draw (L11)."""
        state, deck = self.state, self.state.deck
        before_psychics = [card for search in state.searches for card in search.vision_cards]
        if state.setup.visions is Visions.DEALT:
            assert all(search.visions == len(search.vision_cards) for search in state.searches)
        everywhere = sorted([*deck.hand, *deck.pile, *deck.discard, *before_psychics, *state.ending.shared])
        assert everywhere == (ALL_VISIONS if state.setup.visions is Visions.DEALT else [])
        assert len(deck.hand) <= state.setup.edition.hand
        if state.phase is Phase.VISIONS and (deck.pile or deck.discard):
            assert len(deck.hand) == state.setup.edition.hand

    def _psychic_cards(self) -> None:
        """Psychic cards are neither lost nor doubled, and no two psychics share one (L3)."""
        table, ending = self.state.table, self.state.ending
        found = [card for search in self.state.searches for card in search.found]
        grouped = [card for group in ending.groups for card in group.cards]
        secret = [card for search in self.state.searches if search.secret for card in search.secret.cards()]
        if not ending.groups:
            assert sorted([*table.character, *table.location, *table.object, *found]) == self.laid_out
        for cards in (found, grouped, secret):
            assert len(set(cards)) == len(cards)
            assert set(cards) <= set(self.laid_out)

    def _intuitions(self) -> None:
        """Until the answers an intuition lies on a card on the table, of the kind that is searched (L15)."""
        if self.state.phase in (Phase.VISIONS, Phase.INTERPRETATION):
            for search in self.state.searches:
                category = self.state.sought(search)
                choices = (None,) if category is None else (None, *self.state.table.of(category))
                assert search.intuition in choices

    def _tokens(self) -> None:
        """Clairvoyancy tokens are neither lost nor doubled, and one psychic lays one on another (L17, L18)."""
        state = self.state
        lying = Counter(token.by for token in state.tokens)
        assert len({(token.by, token.on) for token in state.tokens}) == len(state.tokens)
        for token in state.tokens:
            assert token.by is not token.on
            assert state.search(token.on).intuition is not None
        for search in state.searches:
            assert search.tokens_left >= 0
            unspent = 0 if state.phase is Phase.MANIFESTATION else lying[search.psychic]
            if state.phase is not Phase.OVER:
                assert search.tokens_left + unspent + self.spent[search.psychic] == state.setup.tokens


def _retold(state: State | None, events: tuple[Event, ...]) -> State:
    """Return the state that *events* alone lead to."""
    for event in events:
        state = evolve(state, event)
    assert state is not None
    return state
