"""The editions and the names of psychics with the owner's settings applied."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import msgspec

from seance import settings as s
from seance.rules import EDITIONS, Category, Edition, Track
from seance.rules.editions import LARGE_TRACK, SMALL_TRACK, TokenFaces
from seance.text_files import shorten


def editions_with_settings(settings: s.Settings, config: Path | None = None) -> Mapping[str, Edition]:
    """Return the editions with the owner's track, tokens and added cards, or raise BadSettings naming *config*."""
    for edition in EDITIONS.values():
        for each in (edition, *edition.variants.values()):
            _check_added_cards(each, settings, config)
    return {name: _with_settings(edition, settings) for name, edition in EDITIONS.items()}


def psychic_names(settings: s.Settings) -> dict[str, str]:
    """Return the names of all psychics by colour, as the settings have them."""
    return msgspec.structs.asdict(settings.names)


def changed_names(settings: s.Settings) -> dict[str, str]:
    """Return only the names that the owner has changed, by colour."""
    box = psychic_names(s.Settings())
    return {colour: name for colour, name in psychic_names(settings).items() if name != box[colour]}


def _check_added_cards(edition: Edition, settings: s.Settings, config: Path | None) -> None:
    """Raise BadSettings where a card that the owner adds is in the box already, or is added twice."""
    more = settings.more_cards.of(edition.name)
    times = Counter(card for kind in Category for card in edition.decks[kind] + tuple(getattr(more, kind)))
    if doubled := sorted(card for card, number in times.items() if number > 1):
        key = f"more_cards.{edition.name}"
        cards = shorten(", ".join(map(str, doubled)))
        raise s.BadSettings(
            f"{s.locate(key, config) or f'settings: {key}'}: these numbers would be there twice: {cards}: "
            "give only numbers that the box does not have, each once"
        )


def _with_settings(edition: Edition, settings: s.Settings) -> Edition:
    more = settings.more_cards.of(edition.name)
    decks = {kind: edition.decks[kind] + tuple(getattr(more, kind)) for kind in Category}
    printed = {SMALL_TRACK: settings.clairvoyancy.small_table, LARGE_TRACK: settings.clairvoyancy.large_table}
    corrected = {side: Track(limits.intermediate, limits.high) for side, limits in printed.items()}
    owned = {SMALL_TRACK: settings.clairvoyancy.small_tokens, LARGE_TRACK: settings.clairvoyancy.large_tokens}
    faces = {side: TokenFaces(tokens.agree, tokens.disagree) for side, tokens in owned.items()}
    printed_seconds = edition.sand_seconds
    return replace(
        edition,
        decks=decks,
        sand_seconds=printed_seconds and (settings.game.sand_seconds or printed_seconds),
        token_faces={players: faces[side] for players, side in edition.tracks.items() if side in faces},
        tracks={players: corrected.get(side, side) for players, side in edition.tracks.items()},
        variants={name: _with_settings(variant, settings) for name, variant in edition.variants.items()},
    )
