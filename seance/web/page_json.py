"""The two states that pages receive, as JSON: the table's has no place for a secret, the ghost's is for one device."""

from collections.abc import Mapping
from typing import Any

import msgspec

from seance.codec import view_fields
from seance.rules import RoomView
from seance.web.page_state import Manners, SandShown, Shown


class Furniture(msgspec.Struct, frozen=True, kw_only=True):
    """What stays the same all evening."""

    words: msgspec.Raw
    """The words on the pages, as JSON."""
    names: Mapping[str, str]
    cards: Mapping[str, str]
    address: str


def table_state(shown: Shown, furniture: Furniture, *, now: float, level: float | None) -> bytes:
    """Return what everybody may see."""
    return msgspec.json.encode(
        _common(shown, shown.night, furniture, now)
        | {
            "pace": shown.pace,
            "lights": shown.lights,
            "said": shown.said,
            "heard": shown.heard,
            "address": furniture.address,
            "level": {"microphone": level},
            "chronicle": shown.chronicle,
        }
    )


def ghost_state(shown: Shown, furniture: Furniture, device: str, *, now: float) -> bytes:
    """Return what *device* may see: the ghost's secrets where it holds the seat, and else none."""
    mine = shown.chair.holder == device
    night = shown.present if mine else shown.night
    secrets = shown.ghost if mine else None
    return msgspec.json.encode(
        _common(shown, night, furniture, now)
        | {
            "mine": mine,
            "secret": secrets and secrets.secret,
            "hand": secrets and secrets.hand,
            "served": secrets.served if secrets else (),
            "culprit": secrets and secrets.culprit,
            "visions": "dealt" if shown.dealt else "table",
            "deal": "manor" if night is None else night.deal,
            "crow": "hand" if shown.manners.crow_takes_hand else "any",
            "may": shown.may if mine else (),
        }
    )


def _common(shown: Shown, night: RoomView | None, furniture: Furniture, now: float) -> dict[str, Any]:
    return {
        "n": shown.n,
        "language": shown.language,
        "night": None if night is None else view_fields(night),
        "sand": _sand(shown.sand, now),
        "paused": shown.paused,
        **manners_fields(shown.manners),
        "names": furniture.names,
        "cards": furniture.cards,
        "seat": shown.chair.standing,
        "words": furniture.words,
    }


def manners_fields(manners: Manners) -> dict[str, Any]:
    """Return what of an edition the pages must know, as it stands in a state."""
    track = manners.track and {"intermediate": manners.track[0], "high": manners.track[1]}
    return {"time": {"unit": manners.unit, "of": manners.of}, "order": manners.order, "track": track}


def _sand(sand: SandShown | None, now: float) -> dict[str, Any] | None:
    return None if sand is None else {"left": round(sand.left_at(now), 1), "of": sand.of, "running": sand.runs}
