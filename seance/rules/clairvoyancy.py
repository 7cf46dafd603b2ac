"""The clairvoyancy track: how far each psychic is, and how much of the shared vision it shows them (L29-L32)."""

from collections.abc import Iterable

from seance.rules.state import Search, State
from seance.rules.terms import BallotKind


def cards_seen(state: State, search: Search) -> int:
    """Return how many cards of the shared vision a psychic sees before voting; all but in a vote by level."""
    setup = state.setup
    if setup.ballot is BallotKind.SECRET_BY_LEVEL and setup.track is not None:
        return setup.track.cards_seen(search.clairvoyancy)
    return setup.edition.shared_vision_cards


def next_shown(state: State) -> int:
    """Return how many cards are shown at the next vote; levels without voters are skipped (L30)."""
    later = (cards_seen(state, search) for search in state.searches)
    shown = state.ending.shown
    return min((seen for seen in later if seen > shown), default=shown)


def furthest(searches: Iterable[Search]) -> list[Search]:
    """Return those who are furthest on the track."""
    searches = list(searches)
    lead = max(search.clairvoyancy for search in searches)
    return [search for search in searches if search.clairvoyancy == lead]
