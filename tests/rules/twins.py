"""Another night with the same face: what the room has seen is kept, what is secret is changed."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random

from seance.rules import Event, Psychic, State, Trio, Visions
from seance.rules import events as e
from seance.rules.state import Deck, Ending, Search
from seance.rules.terms import Category


def twin(state: State, told: Sequence[Event], chance: Random) -> State:
    """Return *state* with other secrets, but for those that the answers among *told* leave no choice of."""
    deck, shared = _other_cards(state, chance)
    return other_chance(state, chance)._replace(
        searches=_other_columns(state, told, chance),
        deck=deck,
        ending=_other_ending(state, told, chance)._replace(shared=shared),
    )


def playable(twin: State, state: State) -> State:
    """Return *twin* with the ghost's cards of *state*, so that the same commands can follow."""
    # What the seed decides openly later on (the order of dealt cards, groups from cards left over) is no secret.
    openly = state.setup.visions is Visions.DEALT or state.setup.players in state.setup.edition.extra_groups
    return twin._replace(
        setup=state.setup if openly else twin.setup,
        deck=state.deck,
        ending=twin.ending._replace(shared=state.ending.shared),
    )


def other_chance(state: State, chance: Random) -> State:
    """Return *state* with another seed."""
    return state._replace(setup=replace(state.setup, seed=chance.getrandbits(63)))


def other_ballots(state: State, chance: Random) -> Ending:
    """Return the ending with other votes in the sleeves."""
    ending = state.ending
    if ending.ballots_open:
        return ending
    groups = [group.group for group in ending.groups]
    return ending._replace(ballots=tuple(replace(vote, group=chance.choice(groups)) for vote in ending.ballots))


def _other_columns(state: State, told: Iterable[Event], chance: Random) -> tuple[Search, ...]:
    wrong: dict[Psychic, set[int | None]] = {search.psychic: set() for search in state.searches}
    for event in told:
        if isinstance(event, e.IntuitionAnswered) and not event.correct:
            wrong[event.psychic].add(event.card)
    for category in Category:
        at = state.setup.edition.order.index(category)
        hidden = [search for search in state.searches if search.secret and len(search.found) <= at]
        for _ in range(20):
            cards = dict(zip(hidden, chance.sample(state.table.of(category), len(hidden)), strict=True))
            if all(card not in wrong[search.psychic] for search, card in cards.items()):
                other = {search.psychic: _with_card(search, category, card) for search, card in cards.items()}
                searches = tuple(other.get(search.psychic, search) for search in state.searches)
                state = state._replace(searches=searches)
                break
    return state.searches


def _with_card(search: Search, category: Category, card: int) -> Search:
    assert search.secret is not None
    return search._replace(secret=Trio(**{kind: search.secret.of(kind) for kind in Category} | {category: card}))


def _other_cards(state: State, chance: Random) -> tuple[Deck, tuple[int, ...]]:
    """Return the deck and the shared vision with all cards exchanged that lie face down."""
    deck, up, down = state.deck, state.ending.shared[: state.ending.shown], state.ending.shared[state.ending.shown :]
    cards = [*deck.hand, *deck.pile, *deck.discard, *down]
    chance.shuffle(cards)
    piles = [tuple(cards.pop() for _ in pile) for pile in (deck.hand, deck.pile, deck.discard, down)]
    return deck._replace(hand=piles[0], pile=piles[1], discard=piles[2]), up + piles[3]


def _other_ending(state: State, told: Iterable[Event], chance: Random) -> Ending:
    ending = other_ballots(state, chance)
    if ending.culprit is None or any(isinstance(event, e.CulpritRevealed) for event in told):
        return ending
    cards = {group.group: group.cards for group in ending.groups}
    cleared = {event.group for event in told if isinstance(event, e.Accused) and _clears(event, cards)}
    return ending._replace(culprit=chance.choice([group for group in cards if group not in cleared]))


def _clears(accused: e.Accused, cards: dict[int, tuple[int, int, int]]) -> bool:
    """Return whether a wrong accusation shows that the group is innocent, not only that other cards are its own."""
    return accused.cards is None or accused.cards == cards.get(accused.group)
