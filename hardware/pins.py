"""Opens the GPIO pins and the SPI and I2C buses of this machine, and turns the libraries' errors into advice."""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

from gpiozero import Device, GPIOPinInUse, SPISoftwareFallback
from gpiozero.pins.pi import PiBoardInfo

from hardware.lamps import I2CChip
from hardware.ring import SPI_RATE_HZ
from hardware.virtual import VirtualPinFactory

PI_MODELS = (
    "3B",
    "3B+",
    "3A+",
    "CM3",
    "CM3+",
    "4B",
    "400",
    "CM4",
    "CM4S",
    "Zero2W",
    "5B",
    "500",
    "CM5",
    "CM5Lite",
)
"""The Raspberry Pi models that run both lgpio and a 64-bit system, by gpiozero's names."""


class Remedy(StrEnum):
    """What helps where a pin or bus cannot be used."""

    LIBRARY = "library"
    OTHER_USE = "other_use"
    SPI = "spi"
    BUSY = "busy"
    I2C = "i2c"
    GROUPS = "groups"
    WIRING = "wiring"


_REMEDY_TEXTS = {
    Remedy.LIBRARY: "pip install 'seance[pi]', "
    "or on Python 3.13: sudo apt install python3-lgpio and a venv with --system-site-packages",
    Remedy.OTHER_USE: "something else in this program uses it",
    Remedy.SPI: "sudo raspi-config nonint do_spi 0, sudo usermod -aG spi $USER, and start again",
    Remedy.BUSY: "another program holds it (`gpioinfo` says which): sudo systemctl stop seance, if the service does; "
    "or a bus is on that needs it: sudo raspi-config, Interface Options, SPI, I2C or serial",
    Remedy.I2C: "is the bus on (sudo raspi-config nonint do_i2c 0) and the chip wired? `i2cdetect -y 1` lists them",
    Remedy.GROUPS: "your user may not: sudo usermod -aG gpio,spi,i2c $USER, then log in again",
    Remedy.WIRING: "see hardware/wiring/README.md",
}


class HardwareError(RuntimeError):
    """A pin or bus cannot be used; the message says what to do."""

    def __init__(self, problem: str, remedy: Remedy | None = None) -> None:
        super().__init__(f"{problem}: {_REMEDY_TEXTS[remedy]}" if remedy else problem)
        self.problem, self.remedy = problem, remedy


class NoGPIOError(HardwareError):
    """There is no supported GPIO on this machine, so the virtual board must stand in."""

    def __init__(self, message: str, model: str | None = None) -> None:
        super().__init__(message)
        self.model = model
        """The model of a Raspberry Pi that is not supported; None on another machine."""


def read_revision(root: Path = Path("/")) -> int | None:
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
    """Return the model of this Raspberry Pi; raise NoGPIOError on any machine that is not supported."""
    code = read_revision(root)
    if code is None:
        raise NoGPIOError("this is not a Raspberry Pi")
    model = str(PiBoardInfo.from_revision(code).model)
    if model not in PI_MODELS:
        raise NoGPIOError(f"a Raspberry Pi {model} is not served: 3, 4, 5 and Zero 2 W are", model)
    return model


def open_pins(root: Path = Path("/")) -> Any:
    """Return lgpio's pin factory for this Raspberry Pi; raise NoGPIOError or HardwareError."""
    model = require_pi(root)
    with explain_errors(f"the pins of this Raspberry Pi {model}"):
        _set_lgpio_work_dir()
        try:
            from gpiozero.pins.lgpio import LGPIOFactory
        except ImportError:
            raise HardwareError("the library for the pins is missing", Remedy.LIBRARY) from None
        return LGPIOFactory()


def is_lgpio(pin_factory: Any) -> bool:
    """Return whether *pin_factory*, or gpiozero's default factory if it is None, is lgpio's."""
    if pin_factory is None:
        Device.ensure_pin_factory()
        pin_factory = Device.pin_factory
    # By name: lgpio is installed on a Pi alone and cannot be imported elsewhere.
    return any(kind.__module__ == "gpiozero.pins.lgpio" for kind in type(pin_factory).__mro__)


@contextlib.contextmanager
def explain_errors(what: str) -> Iterator[None]:
    """Turn errors of gpiozero, lgpio and the system into HardwareError, naming *what* failed and how to fix it."""
    try:
        yield
    except GPIOPinInUse as error:
        raise HardwareError(f"{what}: {error}", Remedy.OTHER_USE) from error
    except SPISoftwareFallback as error:
        raise HardwareError(f"{what}: the SPI bus is off or not yours", Remedy.SPI) from error
    except Exception as error:
        if type(error).__module__ != "lgpio" and not isinstance(error, OSError):
            raise
        raise HardwareError(f"{what}: {error}", _choose_remedy(str(error))) from error


def open_ring_spi(pin_factory: Any) -> Any:
    """Return the header's SPI bus at the bit rate of WS2812 pixels."""
    with explain_errors("ring"), warnings.catch_warnings():
        warnings.simplefilter("error", SPISoftwareFallback)  # software SPI is far too slow for pixels
        spi = pin_factory.spi(port=0, device=0)
        spi.rate = SPI_RATE_HZ
        return spi


def open_i2c_chip(pin_factory: Any, bus: int, address: int) -> I2CChip:
    """Return the chip at *address* on I2C bus number *bus*."""
    if isinstance(pin_factory, VirtualPinFactory):
        return pin_factory.i2c(bus, address)
    with explain_errors(f"the chip at {address:#04x} of I2C bus {bus}"):
        return _LgpioI2CChip(bus, address)


def _set_lgpio_work_dir() -> None:
    """Let lgpio create its pipe in a temporary folder: by default it takes the current one, which may be read-only."""
    if "LG_WD" not in os.environ:
        os.environ["LG_WD"] = folder = tempfile.mkdtemp(prefix="lgpio-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)


class _LgpioI2CChip:
    """A chip on an I2C bus, through lgpio."""

    def __init__(self, bus: int, address: int) -> None:
        import lgpio  # installed on a Pi only

        self._lgpio: Any = lgpio
        self._handle = lgpio.i2c_open(bus, address)

    def write(self, register: int, value: int) -> None:
        self._lgpio.i2c_write_byte_data(self._handle, register, value)

    def close(self) -> None:
        self._lgpio.i2c_close(self._handle)


def _choose_remedy(problem: str) -> Remedy:
    """Return what helps against an error message of lgpio or the system."""
    words = problem.lower()
    if "busy" in words:
        return Remedy.BUSY
    if "i2c" in words:
        return Remedy.I2C
    if "can not open" in words or "permission" in words or "not permitted" in words:
        return Remedy.GROUPS
    return Remedy.WIRING
