"""Checks of the machine: Python, disk, memory card, power, temperature and clock.

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
OLDEST_PYTHON = (3, 11)
MIN_FREE_MB = 20
LOW_FREE_MB = 200
HOT_CELSIUS = 70.0
THROTTLING_CELSIUS = 80.0
"""At which a Raspberry Pi lowers its clock rate."""
EARLIEST_PLAUSIBLE_TIME = datetime(2026, 1, 1).astimezone()
"""A clock that shows an earlier time is wrong."""
_COMMAND_TIMEOUT_S = 5.0


def python(version: tuple[int, int] = sys.version_info[:2], is_64_bit: bool = sys.maxsize > 2**32) -> Finding:
    """Return whether Python is new enough, 64-bit, and has its libraries."""
    name = "Python"
    missing = [library for library in LIBRARIES if find_spec(library) is None]
    if not is_64_bit:
        return bad(name, "this is a 32-bit system", "install a 64-bit one: the libraries for speech are made for it")
    if version < OLDEST_PYTHON:
        return bad(name, f"Python {version[0]}.{version[1]} is too old", "Python 3.11 or newer is needed")
    if missing:
        return bad(name, f"libraries are missing: {', '.join(missing)}", "sudo script/install, or script/setup")
    return good(name, f"{platform.python_version()}, 64-bit, on {platform.machine()}; all libraries are there")


def disk(folder: Path) -> Finding:
    """Return whether there is room for nights in *folder*, which need not exist yet."""
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free // 1_000_000
    text = f"{free:,} MB are free for {folder}"
    if free < MIN_FREE_MB:
        return bad("disk", text, "make room: a night needs less than 1 MB, its voice up to 150 MB")
    if free < LOW_FREE_MB:
        return warn("disk", text, "make room, or set voice.cache_megabytes lower")
    return good("disk", text)


def card_wear(root: Path = ROOT) -> Finding:
    """Return how worn the memory card is, where it reports that."""
    name = "memory card"
    for device in sorted((root / "sys/block").glob("mmcblk[0-9]")):
        used = [int(word, base=16) for word in _read(device / "device/life_time").split()]
        if used and max(used) > 0:
            text = f"{device.name} has used about {min(max(used), 10) * 10} % of its life"
            if max(used) >= 9 or _read(device / "device/pre_eol_info") in ("0x02", "0x03"):
                return warn(name, text, "copy the nights (`seance nights export`) and take a new card soon")
            return good(name, text)
        written = _read(device / "stat").split()
        megabytes = int(written[6]) * 512 // 1_000_000 if len(written) > 6 else 0
        return good(name, f"{device.name} does not tell its wear; {megabytes:,} MB were written to it since the start")
    return good(name, "there is none")


def power(root: Path = ROOT) -> Finding:
    """Return whether a Raspberry Pi gets enough voltage."""
    name, fix = "power", "take the power supply that is made for this Pi, and a short cable"
    throttled = _throttled_flags(root)
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


def temperature(root: Path = ROOT) -> Finding:
    """Return whether the processor is too hot."""
    degrees = max(_temperatures(root), default=None)
    if degrees is None:
        return good("temperature", "this machine does not tell of it")
    text = f"{degrees:.0f} °C"
    if degrees >= THROTTLING_CELSIUS:
        return warn("temperature", f"{text}: it slows down", "give it air, or a heat sink")
    if degrees >= HOT_CELSIUS:
        return warn("temperature", f"{text} is rather hot", "give it air, or a heat sink")
    return good("temperature", text)


def clock(root: Path = ROOT, *, now: datetime | None = None) -> Finding:
    """Return whether the clock is plausible and synchronised: nights have a date."""
    name, now = "time", now or datetime.now().astimezone()
    fix = "connect to a network once, or: sudo timedatectl set-time 'YYYY-MM-DD HH:MM'"
    text = f"{now:%Y-%m-%d %H:%M}"
    if now < EARLIEST_PLAUSIBLE_TIME:
        return warn(name, f"the clock shows {text}, which cannot be: nights would bear that date", fix)
    if (root / "run/systemd/timesync/synchronized").exists() or _command_output(
        "timedatectl", "show", "-p", "NTPSynchronized", "--value"
    ) == "yes":
        return good(name, f"{text}, kept by the network")
    return warn(name, f"{text}, but no network keeps it: nights may bear a wrong date", fix)


def _throttled_flags(root: Path) -> int | None:
    """Return the is_64_bit that a Pi's firmware reports as `get_throttled`; None on other machines."""
    text = _read(root / "sys/devices/platform/soc/soc:firmware/get_throttled")
    if not text and root == ROOT:
        text = (_command_output("vcgencmd", "get_throttled") or "").removeprefix("throttled=0x")
    with suppress(ValueError):
        return int(text, base=16)
    return None


def _temperatures(root: Path) -> Iterator[float]:
    for zone in (root / "sys/class/thermal").glob("thermal_zone*/temp"):
        with suppress(ValueError):
            yield int(_read(zone)) / 1000


def _read(path: Path) -> str:
    """Return the text of a system file, stripped; empty where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _command_output(*command: str) -> str | None:
    """Return what a system command prints, stripped; None where it fails."""
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=_COMMAND_TIMEOUT_S, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return None
    return asked.stdout.strip()
