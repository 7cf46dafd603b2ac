"""The machine under the house: Python, disk, power, heat and time, as its system tells of them; nothing is asked twice.

A *root* stands in for the machine's own file system.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path

from seance.doctor.finding import Finding, bad, good, warn

ROOT = Path("/")
LIBRARIES = ("gpiozero", "hassil", "msgspec", "numpy", "pyttsx3", "rich", "sounddevice", "soundfile", "soxr", "vosk")
OLDEST = (3, 11)
LEAST_MEGABYTES, FEW_MEGABYTES = 20, 200
HOT, TOO_HOT = 70.0, 80.0
"""Degrees; a Raspberry Pi slows down at 80."""
WRITTEN_LATELY = datetime(2026, 1, 1).astimezone()
"""No clock that is right shows an earlier day."""
_ANSWER_SECONDS = 5.0


def python(version: tuple[int, int] = sys.version_info[:2], bits: bool = sys.maxsize > 2**32) -> Finding:
    """Return whether Python is new enough, 64-bit, and has its libraries."""
    name = "Python"
    missing = [library for library in LIBRARIES if find_spec(library) is None]
    if not bits:
        return bad(name, "this is a 32-bit system", "install a 64-bit one: the libraries for speech are made for it")
    if version < OLDEST:
        return bad(name, f"Python {version[0]}.{version[1]} is too old", "Python 3.11 or newer is needed")
    if missing:
        return bad(name, f"libraries are missing: {', '.join(missing)}", "sudo script/install, or script/setup")
    return good(name, f"{platform.python_version()}, 64-bit, on {platform.machine()}; all libraries are there")


def disk(folder: Path) -> Finding:
    """Return whether there is room for nights in *folder*, or where it will be."""
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free // 1_000_000
    told = f"{free:,} MB are free for {folder}"
    if free < LEAST_MEGABYTES:
        return bad("disk", told, "make room: a night needs less than 1 MB, its voice up to 150 MB")
    if free < FEW_MEGABYTES:
        return warn("disk", told, "make room, or set voice.cache_megabytes lower")
    return good("disk", told)


def wear(root: Path = ROOT) -> Finding:
    """Return how worn the memory card is, where it tells."""
    name = "memory card"
    for device in sorted((root / "sys/block").glob("mmcblk[0-9]")):
        used = [int(word, base=16) for word in _read(device / "device/life_time").split()]
        if used and max(used) > 0:
            told = f"{device.name} has used about {min(max(used), 10) * 10} % of its life"
            if max(used) >= 9 or _read(device / "device/pre_eol_info") in ("0x02", "0x03"):
                return warn(name, told, "copy the nights (`seance nights export`) and take a new card soon")
            return good(name, told)
        written = _read(device / "stat").split()
        megabytes = int(written[6]) * 512 // 1_000_000 if len(written) > 6 else 0
        return good(name, f"{device.name} does not tell its wear; {megabytes:,} MB were written to it since the start")
    return good(name, "there is none")


def power(root: Path = ROOT) -> Finding:
    """Return whether a Raspberry Pi gets enough voltage."""
    name, fix = "power", "take the power supply that is made for this Pi, and a short cable"
    throttled = _throttled(root)
    for sensor in (root / "sys/class/hwmon").glob("hwmon*"):
        if _read(sensor / "name") == "rpi_volt" and _read(sensor / "in0_lcrit_alarm") == "1":
            return warn(name, "the voltage is too low at this moment", fix)
    if throttled is None:
        return good(name, "this machine does not tell of its voltage")
    if throttled & 0x1:
        return warn(name, "the voltage is too low at this moment", fix)
    if throttled & 0x10000:
        return warn(name, "the voltage was too low at some time since the start", fix)
    return good(name, "the voltage was never too low since the start")


def heat(root: Path = ROOT) -> Finding:
    """Return how hot it is."""
    degrees = max(_temperatures(root), default=None)
    if degrees is None:
        return good("temperature", "this machine does not tell of it")
    told = f"{degrees:.0f} °C"
    if degrees >= TOO_HOT:
        return warn("temperature", f"{told}: it slows down", "give it air, or a heat sink")
    if degrees >= HOT:
        return warn("temperature", f"{told} is rather hot", "give it air, or a heat sink")
    return good("temperature", told)


def time(root: Path = ROOT, *, now: datetime | None = None) -> Finding:
    """Return whether the clock is right: nights bear a date."""
    name, now = "time", now or datetime.now().astimezone()
    fix = "connect to a network once, or: sudo timedatectl set-time 'YYYY-MM-DD HH:MM'"
    told = f"{now:%Y-%m-%d %H:%M}"
    if now < WRITTEN_LATELY:
        return warn(name, f"the clock shows {told}, which cannot be: nights would bear that date", fix)
    if (root / "run/systemd/timesync/synchronized").exists() or _answer(
        "timedatectl", "show", "-p", "NTPSynchronized", "--value"
    ) == "yes":
        return good(name, f"{told}, kept by the network")
    return warn(name, f"{told}, but no network keeps it: nights may bear a wrong date", fix)


def _throttled(root: Path) -> int | None:
    """Return what a Pi's firmware says of voltage and speed, in its own bits."""
    told = _read(root / "sys/devices/platform/soc/soc:firmware/get_throttled")
    if not told and root == ROOT:
        told = (_answer("vcgencmd", "get_throttled") or "").removeprefix("throttled=0x")
    with suppress(ValueError):
        return int(told, base=16)
    return None


def _temperatures(root: Path) -> Iterator[float]:
    for zone in (root / "sys/class/thermal").glob("thermal_zone*/temp"):
        with suppress(ValueError):
            yield int(_read(zone)) / 1000


def _read(path: Path) -> str:
    """Return what a file of the system says; nothing where it says nothing."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _answer(*command: str) -> str | None:
    """Return what a program of the system says, or None."""
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=_ANSWER_SECONDS, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return None
    return asked.stdout.strip()
