"""A small Debian root file system, and overlays that keep it unchanged."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import build_cache
import host
from processes import ROOT, run
from report import Unsupported

PACKAGES = ("systemd-sysv", "udev", "dbus", "kmod", "python3", "ca-certificates", "iproute2", "procps", "sudo")
"""About what a fresh Raspberry Pi OS Lite has; script/install has to bring everything else."""


def base(suite: str = host.SUITE) -> Path:
    """Return the root of an unchanged Debian *suite*, to be used as the lower layer of an overlay."""

    def build(into: Path) -> None:
        host.mmdebstrap(into / "root", variant="minbase", packages=PACKAGES, suite=suite)

    return build_cache.cached_build(f"debian-{suite}", f"{suite} {PACKAGES}", build) / "root"


def overlay(lower: Path, folder: Path) -> Path:
    """Mount an overlay overlay *lower* whose changes go to *folder*, and return its root; it ends with our mount namespace."""
    for name in ("upper", "work", "root"):
        (folder / name).mkdir(parents=True)
    if "overlay" not in Path("/proc/filesystems").read_text():
        subprocess.run(["modprobe", "overlay"], check=False, capture_output=True)
    if "overlay" not in Path("/proc/filesystems").read_text():
        raise Unsupported("this kernel cannot lay one folder over another (overlayfs)")
    layers = f"lowerdir={lower},upperdir={folder / 'upper'},workdir={folder / 'work'}"
    run("mount", "-t", "overlay", "overlay", "-o", layers, folder / "root")
    return folder / "root"


@contextmanager
def bind_mounts(root: Path, folders: list[str]) -> Iterator[None]:
    """Bind-mount folders of this computer in *root* while entered."""
    for folder in folders:
        (root / folder.lstrip("/")).mkdir(parents=True, exist_ok=True)
        run("mount", "--bind", folder, root / folder.lstrip("/"))
    try:
        yield
    finally:
        for folder in folders:
            run("umount", root / folder.lstrip("/"))


def clone(into: Path) -> Path:
    """Copy the files of this working tree that git does not ignore to the new folder *into*."""
    into.mkdir(parents=True)
    listed = run(
        "git", "-c", "safe.directory=*", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"
    )
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, into / name)
    return into
