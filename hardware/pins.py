"""Which pins this machine has, and what to do when they cannot be used; no device is made here."""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gpiozero import Device, GPIOPinInUse, SPISoftwareFallback
from gpiozero.pins.pi import PiBoardInfo

from hardware.lamps import Registers
from hardware.ring import RATE
from hardware.virtual import VirtualFactory

MODELS = ("3B", "3B+", "3A+", "CM3", "CM3+", "4B", "400", "CM4", "CM4S", "Zero2W", "5B", "500", "CM5", "CM5Lite")
"""The Raspberry Pis that lgpio and a 64-bit system serve, as gpiozero calls them."""


class BodyTrouble(RuntimeError):
    """The pins cannot be used; the message says what to do."""


class NoPins(BodyTrouble):
    """There are no pins on this machine at all, so the virtual board must do."""


def revision(root: Path = Path("/")) -> int | None:
    """Return the revision code of this Raspberry Pi; None on anything else."""
    tree = root / "proc/device-tree/system/linux,revision"
    if tree.is_file():
        return int.from_bytes(tree.read_bytes()[:4], "big")
    with contextlib.suppress(OSError):
        for line in (root / "proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("Revision"):
                return int(line.split(":")[1], base=16)
    return None


def require_pi(root: Path = Path("/")) -> str:
    """Return the model of this Raspberry Pi, or raise NoPins saying why there are no pins."""
    code = revision(root)
    if code is None:
        raise NoPins("this is not a Raspberry Pi")
    model = str(PiBoardInfo.from_revision(code).model)
    if model not in MODELS:
        raise NoPins(f"a Raspberry Pi {model} is not served: 3, 4, 5 and Zero 2 W are")
    return model


def open_pins(root: Path = Path("/")) -> Any:
    """Return lgpio's pins of this Raspberry Pi, or raise NoPins or BodyTrouble."""
    model = require_pi(root)
    with named_trouble(f"the pins of this Raspberry Pi {model}"):
        _give_lgpio_a_room()
        try:
            from gpiozero.pins.lgpio import LGPIOFactory
        except ImportError:
            raise BodyTrouble(
                "the library for the pins is missing: pip install 'seance[pi]', "
                "or on Python 3.13: sudo apt install python3-lgpio and a venv with --system-site-packages"
            ) from None
        return LGPIOFactory()


def is_lgpio(pin_factory: Any) -> bool:
    """Return whether pins, gpiozero's own choice without any, are lgpio's; only a Pi has it, so it is not imported."""
    if pin_factory is None:
        Device.ensure_pin_factory()
        pin_factory = Device.pin_factory
    return any(kind.__module__ == "gpiozero.pins.lgpio" for kind in type(pin_factory).__mro__)


@contextlib.contextmanager
def named_trouble(what: str) -> Iterator[None]:
    """Turn what the libraries say of *what* into BodyTrouble with the fix."""
    try:
        yield
    except GPIOPinInUse as error:
        raise BodyTrouble(f"{what}: {error}: something else in this program uses it") from error
    except SPISoftwareFallback as error:
        raise BodyTrouble(
            f"{what}: the SPI bus is off or not yours: sudo raspi-config nonint do_spi 0, "
            "sudo usermod -aG spi $USER, and start again"
        ) from error
    except Exception as error:
        if type(error).__module__ != "lgpio" and not isinstance(error, OSError):
            raise
        raise BodyTrouble(f"{what}: {error}: {_fix(str(error))}") from error


def open_ring(pin_factory: Any) -> Any:
    """Return the SPI bus of the header at the speed of a ring."""
    with named_trouble("ring"), warnings.catch_warnings():
        warnings.simplefilter("error", SPISoftwareFallback)  # bit by bit would be far too slow for pixels
        spi = pin_factory.spi(port=0, device=0)
        spi.rate = RATE
        return spi


def open_chip(pin_factory: Any, bus: int, address: int) -> Registers:
    """Return the chip at *address* of an I2C bus."""
    if isinstance(pin_factory, VirtualFactory):
        return pin_factory.i2c(bus, address)
    with named_trouble(f"the chip at {address:#04x} of I2C bus {bus}"):
        return _LgpioChip(bus, address)


def _give_lgpio_a_room() -> None:
    """Let lgpio keep its pipe in a folder of its own: it would take the current one, which a service may not write."""
    if "LG_WD" not in os.environ:
        os.environ["LG_WD"] = room = tempfile.mkdtemp(prefix="lgpio-")
        atexit.register(shutil.rmtree, room, ignore_errors=True)


class _LgpioChip:
    """A chip on an I2C bus, through lgpio."""

    def __init__(self, bus: int, address: int) -> None:
        import lgpio  # only a Pi has it

        self._lgpio: Any = lgpio
        self._handle = lgpio.i2c_open(bus, address)

    def write(self, register: int, value: int) -> None:
        self._lgpio.i2c_write_byte_data(self._handle, register, value)

    def close(self) -> None:
        self._lgpio.i2c_close(self._handle)


def _fix(problem: str) -> str:
    """Return what helps against a problem in lgpio's words."""
    words = problem.lower()
    if "busy" in words:
        return (
            "another program holds it (`gpioinfo` says which): sudo systemctl stop seance, if the service does; "
            "or a bus is on that needs it: sudo raspi-config, Interface Options, SPI, I2C or serial"
        )
    if "i2c" in words:
        return "is the bus on (sudo raspi-config nonint do_i2c 0) and the chip wired? `i2cdetect -y 1` lists them"
    if "can not open" in words or "permission" in words or "not permitted" in words:
        return "your user may not: sudo usermod -aG gpio,spi,i2c $USER, then log in again"
    return "see hardware/wiring/README.md"
