"""`seance engine` answers every line of whole nights as an earlier version did, byte for byte."""

import pytest

from seance.rules import EDITIONS
from tests.compatibility.files import TRANSCRIPTS, called


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda path: path.stem)
def test_every_line_is_answered_as_before(transcript):
    """In a transcript, `> ` is before what is asked and `< ` before what is answered."""
    lines = transcript.read_bytes().splitlines(keepends=True)
    asked = [line[2:] for line in lines if line.startswith(b"> ")]
    answered = [line[2:] for line in lines if line.startswith(b"< ")]
    answers = called("engine", given=b"".join(asked)).splitlines(keepends=True)
    assert [without_new_names(line) for line in answers] == answered


def without_new_names(answer: bytes) -> bytes:
    """Return *answer* without the commands and editions that are new since the transcripts, where they are listed."""
    known = b"libellud, igames, portal, manual"
    answer = answer.replace(", ".join(EDITIONS).encode(), known)
    for name in (b"close_poll", b"correct_answer"):
        answer = answer.replace(b'"' + name + b'",', b"").replace(name + b", ", b"").replace(b", " + name, b"")
    return answer
