"""What the owner's settings make of the editions."""

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from seance import settings as s
from seance.rules import EDITIONS, Category, Edition, Track


def owned_editions(settings: s.Settings) -> Mapping[str, Edition]:
    """Return the editions with the track's limits and the cards that the owner set."""
    return {name: _owned(edition, settings) for name, edition in EDITIONS.items()}


def names_of(settings: s.Settings) -> dict[str, str]:
    """Return what the owner calls the psychics, by colour."""
    return msgspec.structs.asdict(settings.names)


def own_names(settings: s.Settings) -> dict[str, str]:
    """Return the names that the owner has changed, by colour; the others are those of the box, in any language."""
    box = names_of(s.Settings())
    return {colour: name for colour, name in names_of(settings).items() if name != box[colour]}


def _owned(edition: Edition, settings: s.Settings) -> Edition:
    more: s.Deck = getattr(settings.more_cards, edition.name)
    decks = {kind: edition.decks[kind] + tuple(getattr(more, kind)) for kind in Category}
    numbers = [card for deck in decks.values() for card in deck]
    if doubled := sorted({card for card in numbers if numbers.count(card) > 1}):
        cards = ", ".join(map(str, doubled))
        raise s.BadSettings(f"settings: more_cards.{edition.name}: these numbers would be there twice: {cards}")
    small, large = settings.clairvoyancy.small_table, settings.clairvoyancy.large_table
    sides = {players: small if players <= 5 else large for players in edition.tracks}
    return replace(
        edition,
        decks=decks,
        tracks={players: Track(side.intermediate, side.high) for players, side in sides.items()},
        variants={name: _owned(variant, settings) for name, variant in edition.variants.items()},
    )
