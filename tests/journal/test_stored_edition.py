"""An edition is stored with all that it says, and one of an earlier version is read as it was meant."""

import json
from dataclasses import replace

import msgspec
import pytest

from seance.journal.stored_edition import decode_edition, edition_fields
from seance.rules import IGAMES, LIBELLUD, BallotKind
from tests.nights import EACH_EDITION

NEW_FIELDS = (
    *("turns", "least_players", "most_players", "tokens_return_at", "token_faces", "shared_vision_cards"),
    *("ballot", "ballots", "voter"),
)


def earlier(edition):
    """Return what an earlier version has stored of *edition*."""
    fields = {name: value for name, value in edition_fields(edition).items() if name not in NEW_FIELDS}
    return fields | {"variants": {name: earlier(variant) for name, variant in edition.variants.items()}}


@EACH_EDITION
def test_an_edition_is_read_as_it_was_stored(edition):
    assert decode_edition(json.dumps(edition_fields(edition)).encode()) == edition


@EACH_EDITION
def test_an_edition_of_an_earlier_version_is_read_as_it_was_meant(edition):
    assert decode_edition(json.dumps(earlier(edition)).encode()) == edition


@pytest.mark.parametrize(("edition", "verdict"), [(LIBELLUD, "vote"), (IGAMES, "accusation")])
def test_earlier_versions_find_the_verdict_that_they_know(edition, verdict):
    assert edition_fields(edition)["verdict"] == verdict


def test_what_an_edition_says_goes_before_what_earlier_versions_infer():
    edition = replace(LIBELLUD, ballot=BallotKind.SECRET_BY_ALL, ballots={}, turns=6)
    assert decode_edition(json.dumps(edition_fields(edition)).encode()) == edition


@pytest.mark.parametrize("record", [b"[]", b"{}", b'{"variants": 3}', b'{"tracks": []}'])
def test_what_is_no_edition_is_refused(record):
    with pytest.raises(msgspec.ValidationError):
        decode_edition(record)
