"""The edition of a night as journals and exports have it, of this version and earlier ones."""

from collections.abc import Mapping
from typing import Any

import msgspec

from seance.rules import BallotKind, Edition, Phase, Voter
from seance.rules.editions import POSSIBLE_PLAYERS


def edition_fields(edition: Edition) -> dict[str, Any]:
    """Return *edition* as it is stored; `verdict` is for versions that do not know `ballot`."""
    accuses = all(edition.ballot_of(players) is BallotKind.ACCUSATION for players in edition.players)
    verdict = Phase.ACCUSATION if accuses else Phase.VOTE
    variants = {name: edition_fields(variant) for name, variant in edition.variants.items()}
    fields: dict[str, Any] = msgspec.to_builtins(edition, str_keys=True)
    return fields | {"verdict": verdict.value, "variants": variants}


def decode_edition(record: bytes | msgspec.Raw) -> Edition:
    """Return the edition in the JSON *record*, or raise msgspec.MsgspecError."""
    return msgspec.convert(_upgrade(msgspec.json.decode(record)), type=Edition, str_keys=True)


def _upgrade(fields: Any) -> Any:
    """Return *fields* with what earlier versions have inferred: all else has its default."""
    if not isinstance(fields, dict):
        return fields
    variants = fields.get("variants")
    if isinstance(variants, dict):
        fields = fields | {"variants": {name: _upgrade(variant) for name, variant in variants.items()}}
    if "ballot" in fields:
        return fields
    return (_VOTING if fields.get("verdict") == Phase.VOTE else _ACCUSING) | _open_ballots(fields) | fields


_VOTING = {"ballot": BallotKind.SECRET_BY_LEVEL, "voter": Voter.PLAYER}
_ACCUSING = {"ballot": BallotKind.ACCUSATION, "voter": Voter.PSYCHIC}


def _open_ballots(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the ballots of tables without a track, which voted openly."""
    tracks = fields.get("tracks")
    if fields.get("verdict") != Phase.VOTE or not isinstance(tracks, dict):
        return {}
    return {"ballots": {str(each): BallotKind.OPEN for each in POSSIBLE_PLAYERS if str(each) not in tracks}}
