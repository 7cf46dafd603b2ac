"""The clairvoyancy track: how far each psychic is, and how much of the shared vision it shows them (L29-L32)."""

from collections.abc import Iterable

from seance.rules.state import Search, State


def cards_seen(state: State, search: Search) -> int:
    """Return how many cards of the shared vision a psychic sees before voting; all where there is no track."""
    track = state.setup.track
    return track.cards_seen(search.clairvoyancy) if track else 3


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
