"""Geometries of microphone arrays: which channel of a device is a microphone, and where it is."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec

GEOMETRIES = Path(__file__).with_name("arrays")
"""The folder of the geometries that come with the house."""
MAX_CHANNELS = 32
MAX_EXTENT_MM = 1000.0
"""The farthest that a microphone may be from the middle of its array."""
MIN_DISTANCE_MM = 5.0
"""The least distance between two microphones."""
_LINE_TOLERANCE_MM = 2.0


class BadGeometry(ValueError):
    """A geometry cannot be used; the message says where, why and what to do."""


@dataclass(frozen=True, slots=True)
class ArrayGeometry:
    """The microphones of one array."""

    title: str
    channel_count: int
    """How many channels the device or the file has."""
    channels: tuple[int, ...]
    """The channel of each microphone, counted from 0."""
    positions_mm: tuple[tuple[float, float, float], ...]
    """Where each microphone is: x to the front (0 degrees), y to the left (90 degrees), z up."""

    @property
    def is_line(self) -> bool:
        """Whether all microphones are in one line, so that both of its sides sound alike."""
        (x0, y0, _), *others = self.positions_mm
        far_x, far_y = max(((x - x0, y - y0) for x, y, _ in others), key=lambda each: math.hypot(*each))
        length = max(math.hypot(far_x, far_y), 1e-9)
        return all(
            abs((x - x0) * far_y - (y - y0) * far_x) / length < _LINE_TOLERANCE_MM for x, y, _ in self.positions_mm
        )

    @property
    def line_angle_deg(self) -> float:
        """The direction from the last microphone of a line to the first, 0 to 360 degrees."""
        (x0, y0, _), (x1, y1, _) = self.positions_mm[0], self.positions_mm[-1]
        return math.degrees(math.atan2(y0 - y1, x0 - x1)) % 360


class _Microphone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    channel: Annotated[int, msgspec.Meta(ge=1, le=MAX_CHANNELS)]
    x_mm: float | None = None
    y_mm: float | None = None
    z_mm: float = 0.0
    angle_deg: float | None = None
    radius_mm: float | None = None


class _GeometryFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    channels: Annotated[int, msgspec.Meta(ge=2, le=MAX_CHANNELS)]
    microphones: Annotated[tuple[_Microphone, ...], msgspec.Meta(min_length=2)]


def shipped_geometries() -> tuple[str, ...]:
    """Return the names of the geometries that come with the house."""
    return tuple(sorted(path.stem for path in GEOMETRIES.glob("*.toml")))


def load_geometry(name: str) -> ArrayGeometry:
    """Return the geometry that comes with the house as *name*, or that of the file *name*, or raise BadGeometry."""
    is_path = "/" in name or name.endswith(".toml")
    path = Path(name).expanduser() if is_path else GEOMETRIES / f"{name}.toml"
    if not is_path and name not in shipped_geometries():
        known = ", ".join(shipped_geometries())
        raise BadGeometry(f"no array is called {name!r}: name one of {known}, or a file of your own ending in .toml")
    try:
        read = msgspec.toml.decode(path.read_text(encoding="utf-8"), type=_GeometryFile)
    except OSError as error:
        raise BadGeometry(f"{path}: the geometry cannot be read ({error.strerror})") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadGeometry(f"{path}: {_reworded(str(error))}; see docs/arrays.md for an example") from error
    positions = tuple(_position_mm(path, microphone) for microphone in read.microphones)
    channels = tuple(microphone.channel - 1 for microphone in read.microphones)
    _check(path, read.channels, channels, positions)
    return ArrayGeometry(read.title, read.channels, channels, positions)


def _reworded(complaint: str) -> str:
    """Return msgspec's *complaint* with the place before it, and entries counted from 1 as in the file."""
    what, _, place = complaint.partition(" - at `$.")
    what = what[:1].lower() + what[1:]
    place = re.sub(r"\[(\d+)\]", lambda found: f" entry {int(found[1]) + 1}", place.rstrip("`")).replace(".", ", ")
    return f"{place}: {what}" if place else what


def _position_mm(path: Path, microphone: _Microphone) -> tuple[float, float, float]:
    """Return where *microphone* is, given by x and y or by angle and radius."""
    x, y, angle, radius = microphone.x_mm, microphone.y_mm, microphone.angle_deg, microphone.radius_mm
    if x is not None and y is not None and angle is None and radius is None:
        return x, y, microphone.z_mm
    if angle is not None and radius is not None and x is None and y is None:
        return (
            radius * math.cos(math.radians(angle)),
            radius * math.sin(math.radians(angle)),
            microphone.z_mm,
        )
    need = "give it `x_mm` and `y_mm`, or `angle_deg` and `radius_mm`"
    raise BadGeometry(f"{path}: the place of the microphone of channel {microphone.channel} is unclear: {need}")


def _check(
    path: Path, channel_count: int, channels: tuple[int, ...], positions: tuple[tuple[float, float, float], ...]
) -> None:
    """Raise BadGeometry where channels or places contradict each other."""
    for index, (channel, place) in enumerate(zip(channels, positions, strict=True)):
        if channel >= channel_count:
            raise BadGeometry(
                f"{path}: there is a microphone on channel {channel + 1}, but `channels` is {channel_count}"
            )
        if channel in channels[:index]:
            raise BadGeometry(f"{path}: two microphones are on channel {channel + 1}; correct one of them")
        if not max(map(abs, place)) <= MAX_EXTENT_MM:  # so that NaN is refused, too
            raise BadGeometry(
                f"{path}: the microphone of channel {channel + 1} is farther than {MAX_EXTENT_MM:.0f} mm from the "
                "middle; places are in millimetres"
            )
        for other, elsewhere in zip(channels[:index], positions, strict=False):
            if math.dist(place, elsewhere) < MIN_DISTANCE_MM:
                raise BadGeometry(
                    f"{path}: the microphones of channels {other + 1} and {channel + 1} are closer than "
                    f"{MIN_DISTANCE_MM:.0f} mm; places are in millimetres"
                )
