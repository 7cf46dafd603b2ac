"""A small Debian, and the folders that are laid over it so that it stays as it was."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import host
import store
from chores import ROOT, run
from report import Impossible

PACKAGES = ("systemd-sysv", "udev", "dbus", "kmod", "python3", "ca-certificates", "iproute2", "procps", "sudo")
"""About what a fresh Raspberry Pi OS Lite has; all else is for script/install to bring."""


def base() -> Path:
    """Return a Debian that nobody has touched, to lay something over."""

    def build(into: Path) -> None:
        host.mmdebstrap(into / "root", variant="minbase", packages=PACKAGES)

    return store.kept("debian", f"{host.SUITE} {PACKAGES}", build) / "root"


def over(lower: Path, room: Path) -> Path:
    """Return *lower* with a layer in *room* that takes all changes; it is gone with our own mount namespace."""
    for name in ("upper", "work", "root"):
        (room / name).mkdir(parents=True)
    if "overlay" not in Path("/proc/filesystems").read_text():
        subprocess.run(["modprobe", "overlay"], check=False, capture_output=True)
    if "overlay" not in Path("/proc/filesystems").read_text():
        raise Impossible("this kernel cannot lay one folder over another (overlayfs)")
    layers = f"lowerdir={lower},upperdir={room / 'upper'},workdir={room / 'work'}"
    run("mount", "-t", "overlay", "overlay", "-o", layers, room / "root")
    return room / "root"


@contextmanager
def lent(root: Path, folders: list[str]) -> Iterator[None]:
    """Let folders of this computer be seen in *root*."""
    for folder in folders:
        (root / folder.lstrip("/")).mkdir(parents=True, exist_ok=True)
        run("mount", "--bind", folder, root / folder.lstrip("/"))
    try:
        yield
    finally:
        for folder in folders:
            run("umount", root / folder.lstrip("/"))


def clone(into: Path) -> Path:
    """Copy what is in this working tree and in git, as a visitor would have cloned it."""
    into.mkdir(parents=True)
    listed = run(
        "git", "-c", "safe.directory=*", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"
    )
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, into / name)
    return into
