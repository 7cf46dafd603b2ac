"""The coil on the real lgpio with a fake chip: lgpio's own thread plays and ends the pulses."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OPEN = """
import ctypes, time
from tests.hardware.fake_pi import FakePiFactory
from hardware.coil import LgpioCoil, open_coil
from hardware.timers import ManualTimers
coil = open_coil(17, timers=ManualTimers(), pin_factory=FakePiFactory(chip=0))
assert isinstance(coil, LgpioCoil)
"""


@pytest.fixture
def edges(fake_chip: Path, tmp_path: Path):
    """Run a few lines of Python with a coil, and return the edges of its pin as (seconds, level)."""

    def run(lines: str) -> list[tuple[float, int]]:
        record = tmp_path / "edges"
        environment = os.environ | {
            "LD_PRELOAD": str(fake_chip),
            "GPIOCHIP_LEVELS": str(tmp_path / "levels"),
            "GPIOCHIP_EDGES": str(record),
            "LG_WD": str(tmp_path),
        }
        subprocess.run([sys.executable, "-c", OPEN + lines], cwd=ROOT, env=environment, check=True, timeout=60)
        rows = (line.split() for line in record.read_text().splitlines())
        return [(int(when) / 1e9, int(level)) for when, gpio, level in rows if gpio == "17"]

    return run


def test_a_pulse_begins_and_ends(edges) -> None:
    assert [level for _, level in edges("coil.pulse(0.03); time.sleep(0.3)")] == [1, 0]


def test_a_pulse_ends_while_python_is_stuck(edges) -> None:
    stuck = "coil.pulse(0.03); ctypes.PyDLL(None).usleep(900_000); print(time.monotonic())"
    (begin, _), (end, _) = edges(stuck)
    assert end - begin < 0.5  # Python was stuck for longer


def test_a_pulse_that_has_not_begun_does_not_begin_after_the_halt(edges) -> None:
    assert edges("coil.pulse(0.06); coil.halt(); time.sleep(0.3); coil.pulse(0.06); time.sleep(0.3)") == []


def test_a_halt_ends_a_pulse_at_once(edges) -> None:
    lines = "coil.pulse(0.2)\nwhile not coil.value: pass\ncoil.halt()\nassert not coil.value\ntime.sleep(0.4)"
    assert [level for _, level in edges(lines)] == [1, 0]


def test_pulses_that_are_asked_for_at_once_are_separate(edges) -> None:
    assert [level for _, level in edges("coil.pulse(0.03); coil.pulse(0.03); time.sleep(0.5)")] == [1, 0, 1, 0]


def test_a_pulse_is_never_above_the_limit(edges) -> None:
    lines = "try:\n    coil.pulse(0.3)\nexcept ValueError:\n    coil.pulse(0.03)\ntime.sleep(0.3)"
    assert len(edges(lines)) == 2


def test_a_button_is_seen_though_nothing_tells_of_edges(edges) -> None:
    seen = """
import os
from pathlib import Path
from hardware import Buttons
levels = os.open(os.environ["GPIOCHIP_LEVELS"], os.O_RDWR)
os.pwrite(levels, b"\\1", 22)  # pulled up
timers, heard = ManualTimers(), []
buttons = Buttons({"yes": 22}, timers=timers, pin_factory=FakePiFactory(chip=0))
buttons.when_pressed = heard.append
os.pwrite(levels, b"\\0", 22)
timers.advance(0.3)
os.pwrite(levels, b"\\1", 22)
timers.advance(0.3)
assert str(heard) == "[Press(name='yes', long=False)]", heard
"""
    edges(seen + "coil.pulse(0.03); time.sleep(0.2)")


def test_a_knocker_without_named_pins_is_as_safe(edges) -> None:
    lines = """
from gpiozero import Device
from hardware import YES, Knocker
coil.close()
Device.pin_factory = FakePiFactory(chip=0)
knocker = Knocker(17)
assert isinstance(knocker._coil, LgpioCoil)
knocker.play(YES)
time.sleep(0.4)
knocker.close()
"""
    assert [level for _, level in edges(lines)] == [1, 0]


def test_lamps_that_are_dimmed_never_silence_the_coil(edges) -> None:
    # lgpio's thread may get stuck where it drops a pin around a whole second of its clock: change lamps just then.
    lines = """
from hardware.lamps import PinLamps
lamps = PinLamps((4, 5), pin_factory=FakePiFactory(chip=0))
lamps.write((0.5, 0.0))
for _ in range(6):
    time.sleep(-(time.monotonic() + 0.1) % 1)
    for _ in range(12):
        lamps.write((0.5, 0.3))
        time.sleep(0.003)
        lamps.write((0.5, 1.0))
        time.sleep(0.007)
    coil.pulse(0.03)
time.sleep(0.2)
"""
    assert [level for _, level in edges(lines)] == [1, 0] * 6
