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
from seance.texts import Texts

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


def python(
    texts: Texts, *, version: tuple[int, int] = sys.version_info[:2], is_64_bit: bool = sys.maxsize > 2**32
) -> Finding:
    """Return whether Python is new enough, 64-bit, and has its libraries."""
    missing = [library for library in LIBRARIES if find_spec(library) is None]
    if not is_64_bit:
        return bad(texts, "Python.short", "Python.short_fix")
    if version < OLDEST_PYTHON:
        found, oldest = (".".join(map(str, each)) for each in (version, OLDEST_PYTHON))
        return bad(texts, "Python.old", "Python.old_fix", version=found, oldest=oldest)
    if missing:
        return bad(texts, "Python.missing", "Python.missing_fix", libraries=", ".join(missing))
    return good(texts, "Python.good", version=platform.python_version(), machine=platform.machine())


def disk(texts: Texts, folder: Path) -> Finding:
    """Return whether there is room for nights in *folder*, which need not exist yet."""
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free // 1_000_000
    values = {"megabytes": _with_thousands(texts, free), "folder": folder}
    if free < MIN_FREE_MB:
        return bad(texts, "disk.free", "disk.full_fix", **values)
    if free < LOW_FREE_MB:
        return warn(texts, "disk.free", "disk.low_fix", **values)
    return good(texts, "disk.free", **values)


def card_wear(texts: Texts, root: Path = ROOT) -> Finding:
    """Return how worn the memory card is, where it reports that."""
    for device in sorted((root / "sys/block").glob("mmcblk[0-9]")):
        used = [int(word, base=16) for word in _read(device / "device/life_time").split()]
        if used and max(used) > 0:
            values = {"card": device.name, "percent": min(max(used), 10) * 10}
            if max(used) >= 9 or _read(device / "device/pre_eol_info") in ("0x02", "0x03"):
                return warn(texts, "memory card.used", "memory card.worn_fix", **values)
            return good(texts, "memory card.used", **values)
        written = _read(device / "stat").split()
        megabytes = int(written[6]) * 512 // 1_000_000 if len(written) > 6 else 0
        return good(texts, "memory card.written", card=device.name, megabytes=_with_thousands(texts, megabytes))
    return good(texts, "memory card.none")


def power(texts: Texts, root: Path = ROOT) -> Finding:
    """Return whether a Raspberry Pi gets enough voltage."""
    throttled = _throttled_flags(root)
    for sensor in (root / "sys/class/hwmon").glob("hwmon*"):
        if _read(sensor / "name") == "rpi_volt" and _read(sensor / "in0_lcrit_alarm") == "1":
            return warn(texts, "power.low", "power.low_fix")
    if throttled is None:
        return good(texts, "power.unknown")
    if throttled & 0x1:
        return warn(texts, "power.low", "power.low_fix")
    if throttled & 0x10000:
        return warn(texts, "power.was_low", "power.low_fix")
    return good(texts, "power.good")


def temperature(texts: Texts, root: Path = ROOT) -> Finding:
    """Return whether the processor is too hot."""
    degrees = max(_temperatures(root), default=None)
    if degrees is None:
        return good(texts, "temperature.unknown")
    shown = f"{degrees:.0f}"
    if degrees >= THROTTLING_CELSIUS:
        return warn(texts, "temperature.slow", "temperature.hot_fix", degrees=shown)
    if degrees >= HOT_CELSIUS:
        return warn(texts, "temperature.hot", "temperature.hot_fix", degrees=shown)
    return good(texts, "temperature.good", degrees=shown)


def clock(texts: Texts, root: Path = ROOT, *, now: datetime | None = None) -> Finding:
    """Return whether the clock is plausible and synchronised: nights have a date."""
    now = now or datetime.now().astimezone()
    if now < EARLIEST_PLAUSIBLE_TIME:
        return warn(texts, "time.wrong", "time.set_fix", now=now)
    if (root / "run/systemd/timesync/synchronized").exists() or _command_output(
        "timedatectl", "show", "-p", "NTPSynchronized", "--value"
    ) == "yes":
        return good(texts, "time.good", now=now)
    return warn(texts, "time.unkept", "time.set_fix", now=now)


def _with_thousands(texts: Texts, number: int) -> str:
    return f"{number:,}".replace(",", texts("thousands"))


def _throttled_flags(root: Path) -> int | None:
    """Return the bits that a Pi's firmware reports as `get_throttled`; None on other machines."""
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
