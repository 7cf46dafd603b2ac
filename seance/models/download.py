"""One address to one file, going on where an earlier try was cut; it does not know what the file means."""

from __future__ import annotations

import hashlib
import http.client
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from seance.models.catalogue import ModelTrouble

Told = Callable[[int, int], None]
"""Called with the bytes done and the bytes in all."""

PATIENCE = 6.0
"""Seconds without an answer or a byte until a connection counts as dead."""
BARREN_TRIES = 3
"""Tries in a row that bring nothing until a download that had begun is given up."""
_BLOCK = 1 << 18


class SourceFailed(ModelTrouble):
    """A source did not bring the model; another may."""


def download(url: str, part: Path, *, size: int, sha256: str | None, told: Told) -> None:
    """Bring *url* into *part*, *size* bytes of that hash, or raise SourceFailed and keep what has come."""
    begun_before = part.exists()
    _bring_all(url, part, size, told)
    if sha256 is None or hash_of(part) == sha256:
        return
    part.unlink()
    if not begun_before:
        raise SourceFailed("what came is not the file of the catalogue: its sha256 differs")
    # The piece kept from before may have been of another file.
    download(url, part, size=size, sha256=sha256, told=told)


def hash_of(path: Path) -> str:
    """Return the sha256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _bring_all(url: str, part: Path, size: int, told: Told) -> None:
    barren, begun = 0, False
    while (have := _length(part)) != size:
        if have > size:
            part.unlink()
            continue
        why = _bring_more(url, part, size, told)
        if _length(part) > have:
            barren, begun = 0, True
            continue
        barren += 1
        if not begun or barren == BARREN_TRIES:
            kept = f"; {_length(part)} of {size} bytes are kept for the next try" if _length(part) else ""
            raise SourceFailed(f"{why}{kept}")


def _bring_more(url: str, part: Path, size: int, told: Told) -> str:
    """Add to *part* what one connection brings; return why it ended."""
    have = _length(part)
    request = urllib.request.Request(url, headers={"User-Agent": "seance"})  # noqa: S310  the catalogue's address
    if have:
        request.add_header("Range", f"bytes={have}-")
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310  as above
            start, total = _extent(answer)
            if total is not None and total != size:
                raise SourceFailed(f"what is there has {total} bytes, not the {size} of the catalogue")
            if start not in (0, have):
                raise SourceFailed(f"asked for the bytes from {have}, was given those from {start}")
            _append(answer, part, start, size, told)
    except urllib.error.HTTPError as answer:
        answer.close()
        if answer.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            part.unlink()
        return f"the server answered {answer.code} {answer.reason}"
    except http.client.HTTPException as why:
        return f"the connection broke: {why!r}"
    except OSError as why:
        if why.filename is not None:  # of the disk, not of the network
            raise
        return _reason(why)
    return "the connection was closed too early"


def _append(answer: http.client.HTTPResponse, part: Path, start: int, size: int, told: Told) -> None:
    done = start
    with part.open("ab" if start else "wb") as stream:
        while block := answer.read1(_BLOCK):
            done += len(block)
            if done > size:
                part.unlink()
                raise SourceFailed(f"more came than the {size} bytes of the catalogue")
            try:
                stream.write(block)
                stream.flush()
            except OSError as why:
                raise OSError(why.errno, why.strerror, str(part)) from why
            told(done, size)


def _extent(answer: http.client.HTTPResponse) -> tuple[int, int | None]:
    """Return where the answer's bytes begin, and the length of the whole where it is said."""
    if answer.status == http.HTTPStatus.PARTIAL_CONTENT:
        said = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", answer.headers.get("Content-Range", ""))
        if said is None:
            raise SourceFailed("the server answers with a piece and does not say which")
        return int(said[1]), None if said[2] == "*" else int(said[2])
    length = answer.headers.get("Content-Length")
    return 0, int(length) if length and length.isdigit() else None


def _length(part: Path) -> int:
    return part.stat().st_size if part.exists() else 0


def _reason(why: OSError) -> str:
    cause = why.reason if isinstance(why, urllib.error.URLError) else why
    text = (cause.strerror if isinstance(cause, OSError) and cause.strerror else str(cause)).lower()
    return f"{text}; is this machine's clock right?" if "certificate" in text else text
