from pathlib import Path

import pytest
from gpiozero import LED, SPISoftwareFallback

from hardware.pins import HardwareError, NoGPIOError, explain_errors, require_pi
from hardware.virtual import VirtualPinFactory


class LgpioError(Exception):
    """An error as lgpio raises it."""


LgpioError.__module__ = "lgpio"


def machine(tmp_path: Path, *, tree: int | None = None, cpuinfo: str = "") -> Path:
    """Return the root of a machine whose revision is in its device tree, in cpuinfo, or nowhere."""
    (tmp_path / "proc/device-tree/system").mkdir(parents=True)
    (tmp_path / "proc/cpuinfo").write_text(cpuinfo)
    if tree is not None:
        (tmp_path / "proc/device-tree/system/linux,revision").write_bytes(tree.to_bytes(4, "big"))
    return tmp_path


@pytest.mark.parametrize(
    ("revision", "model"), [(0xC04170, "5B"), (0xC03114, "4B"), (0xA02082, "3B"), (0x902120, "Zero2W")]
)
def test_a_pi_that_is_served_is_recognised(tmp_path: Path, revision: int, model: str) -> None:
    assert require_pi(machine(tmp_path, tree=revision)) == model


def test_a_pi_is_recognised_without_a_device_tree(tmp_path: Path) -> None:
    assert require_pi(machine(tmp_path, cpuinfo="processor : 0\nRevision : c03114\n")) == "4B"


def test_another_machine_is_no_pi(tmp_path: Path) -> None:
    with pytest.raises(NoGPIOError, match="not a Raspberry Pi"):
        require_pi(machine(tmp_path, cpuinfo="model name : Some Laptop\n"))


def test_an_old_pi_is_not_served(tmp_path: Path) -> None:
    with pytest.raises(NoGPIOError, match="Raspberry Pi Zero W is not served: 3, 4, 5 and Zero 2 W are"):
        require_pi(machine(tmp_path, tree=0x9000C1))


@pytest.mark.parametrize(
    ("error", "fix"),
    [
        (LgpioError("'can not open gpiochip'"), "usermod -aG gpio"),
        (LgpioError("'GPIO busy'"), "systemctl stop seance"),
        (LgpioError("'can not open I2C device'"), "do_i2c 0"),
        (PermissionError(13, "Permission denied"), "usermod -aG gpio"),
        (SPISoftwareFallback("failed"), "do_spi 0"),
    ],
)
def test_trouble_comes_with_its_fix(error: Exception, fix: str) -> None:
    with pytest.raises(HardwareError, match=fix) as told, explain_errors("knocker"):
        raise error
    assert str(told.value).startswith("knocker: ")


def test_a_pin_that_another_device_has_is_named() -> None:
    pins = VirtualPinFactory()
    led = LED(4, pin_factory=pins)
    with pytest.raises(HardwareError, match="bar: pin GPIO4 is already in use"), explain_errors("bar"):
        LED(4, pin_factory=pins)
    led.close()


def test_a_mistake_of_ours_is_not_dressed_up() -> None:
    with pytest.raises(ZeroDivisionError), explain_errors("knocker"):
        raise ZeroDivisionError
