"""The editions and the names of psychics with the owner's settings applied."""

from collections.abc import Mapping
from dataclasses import replace

import msgspec

from seance import settings as s
from seance.rules import EDITIONS, Category, Edition, Track


def editions_with_settings(settings: s.Settings) -> Mapping[str, Edition]:
    """Return the editions with the owner's track limits and added cards."""
    return {name: _with_settings(edition, settings) for name, edition in EDITIONS.items()}


def psychic_names(settings: s.Settings) -> dict[str, str]:
    """Return the names of all psychics by colour, as the settings have them."""
    return msgspec.structs.asdict(settings.names)


def changed_names(settings: s.Settings) -> dict[str, str]:
    """Return only the names that the owner has changed, by colour."""
    box = psychic_names(s.Settings())
    return {colour: name for colour, name in psychic_names(settings).items() if name != box[colour]}


def _with_settings(edition: Edition, settings: s.Settings) -> Edition:
    more: s.AddedCards = getattr(settings.more_cards, edition.name)
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
        variants={name: _with_settings(variant, settings) for name, variant in edition.variants.items()},
    )
