"""Downloads one URL to one file, resuming where an earlier attempt was interrupted."""

from __future__ import annotations

import hashlib
import http.client
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from seance.models.catalogue import ModelError

ByteProgress = Callable[[int, int], None]
"""Called with the bytes done and the bytes in total."""

TIMEOUT_S = 6.0
"""Seconds without an answer or a byte after which a connection is given up."""
MAX_EMPTY_TRIES = 3
"""Consecutive connections without a new byte after which a download that had begun is given up."""
_BLOCK_BYTES = 1 << 18


class SourceFailed(ModelError):
    """One source could not deliver the model."""


def download(url: str, part: Path, *, size: int, sha256: str | None, on_progress: ByteProgress) -> None:
    """Download *url* to *part* and check its *size* (bytes) and hash; on failure raise SourceFailed and keep *part*."""
    resumed = part.exists()
    _download_all(url, part, size, on_progress)
    if sha256 is None or sha256_of(part) == sha256:
        return
    part.unlink()
    if not resumed:
        raise SourceFailed("what came is not the file of the catalogue: its sha256 differs")
    # The partial file that was resumed may have been of another file.
    download(url, part, size=size, sha256=sha256, on_progress=on_progress)


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _download_all(url: str, part: Path, size: int, on_progress: ByteProgress) -> None:
    empty_tries, begun = 0, False
    while (have := _length(part)) != size:
        if have > size:
            part.unlink()
            continue
        why = _download_once(url, part, size, on_progress)
        if _length(part) > have:
            empty_tries, begun = 0, True
            continue
        empty_tries += 1
        if not begun or empty_tries == MAX_EMPTY_TRIES:
            kept = f"; {_length(part)} of {size} bytes are kept for the next try" if _length(part) else ""
            raise SourceFailed(f"{why}{kept}")


def _download_once(url: str, part: Path, size: int, on_progress: ByteProgress) -> str:
    """Append to *part* what one connection delivers, and return why it ended."""
    have = _length(part)
    request = urllib.request.Request(url, headers={"User-Agent": "seance"})  # noqa: S310  the catalogue's address
    if have:
        request.add_header("Range", f"bytes={have}-")
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310  as above
            start, total = _content_range(answer)
            if total is not None and total != size:
                raise SourceFailed(f"what is there has {total} bytes, not the {size} of the catalogue")
            if start not in (0, have):
                raise SourceFailed(f"asked for the bytes from {have}, was given those from {start}")
            _append(answer, part, start, size, on_progress)
    except urllib.error.HTTPError as answer:
        answer.close()
        if answer.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            part.unlink()
        return f"the server answered {answer.code} {answer.reason}"
    except http.client.HTTPException as why:
        return f"the connection broke: {why!r}"
    except OSError as why:
        if why.filename is not None:  # an error of the disk, not of the network
            raise
        return _describe(why)
    return "the connection was closed too early"


def _append(answer: http.client.HTTPResponse, part: Path, start: int, size: int, on_progress: ByteProgress) -> None:
    done = start
    with part.open("ab" if start else "wb") as stream:
        while block := answer.read1(_BLOCK_BYTES):
            done += len(block)
            if done > size:
                part.unlink()
                raise SourceFailed(f"more came than the {size} bytes of the catalogue")
            try:
                stream.write(block)
                stream.flush()
            except OSError as why:
                raise OSError(why.errno, why.strerror, str(part)) from why
            on_progress(done, size)


def _content_range(answer: http.client.HTTPResponse) -> tuple[int, int | None]:
    """Return the offset of the answer's first byte, and the length of the whole file where the server states it."""
    if answer.status == http.HTTPStatus.PARTIAL_CONTENT:
        match = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", answer.headers.get("Content-Range", ""))
        if match is None:
            raise SourceFailed("the server answers with a piece and does not say which")
        return int(match[1]), None if match[2] == "*" else int(match[2])
    length = answer.headers.get("Content-Length")
    return 0, int(length) if length and length.isdigit() else None


def _length(part: Path) -> int:
    return part.stat().st_size if part.exists() else 0


def _describe(why: OSError) -> str:
    cause = why.reason if isinstance(why, urllib.error.URLError) else why
    text = (cause.strerror if isinstance(cause, OSError) and cause.strerror else str(cause)).lower()
    return f"{text}; is this machine's clock right?" if "certificate" in text else text
