"""The doctor at machines that are made up: their files say what a real one's would."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from seance.doctor import State, machine

THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"
SENSOR = "sys/class/hwmon/hwmon1"


@pytest.fixture
def made_up(tmp_path):
    def machine_of(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{text}\n")
        return tmp_path

    return machine_of


@pytest.mark.parametrize(
    ("files", "state", "told"),
    [
        ({THROTTLED: "0"}, State.GOOD, "never too low"),
        ({THROTTLED: "50000"}, State.WARN, "was too low at some time"),
        ({THROTTLED: "50005"}, State.WARN, "too low at this moment"),
        ({f"{SENSOR}/name": "rpi_volt", f"{SENSOR}/in0_lcrit_alarm": "1"}, State.WARN, "too low at this moment"),
        ({f"{SENSOR}/name": "rpi_volt", f"{SENSOR}/in0_lcrit_alarm": "0", THROTTLED: "0"}, State.GOOD, "never"),
        ({}, State.GOOD, "does not tell"),
    ],
)
def test_too_little_voltage_is_told_with_the_fix(made_up, files, state, told):
    found = machine.power(made_up(files))
    assert found.state is state
    assert told in found.told
    assert ("power supply" in found.fix) == (state is State.WARN)


@pytest.mark.parametrize(("temperature", "state"), [(48250, State.GOOD), (71000, State.WARN), (83500, State.WARN)])
def test_heat_is_told(made_up, temperature, state):
    found = machine.heat(made_up({"sys/class/thermal/thermal_zone0/temp": str(temperature)}))
    assert found.state is state
    assert f"{temperature / 1000:.0f} °C" in found.told


@pytest.mark.parametrize(
    ("files", "state", "told"),
    [
        ({"device/life_time": "0x01 0x03"}, State.GOOD, "30 % of its life"),
        ({"device/life_time": "0x0a 0x01"}, State.WARN, "100 % of its life"),
        ({"device/life_time": "0x02 0x02", "device/pre_eol_info": "0x02"}, State.WARN, "20 % of its life"),
        ({"stat": "100 0 0 0 300 0 2000000 0 0 0 0"}, State.GOOD, "1,024 MB were written"),
    ],
)
def test_a_worn_memory_card_is_told(made_up, files, state, told):
    found = machine.wear(made_up({f"sys/block/mmcblk0/{name}": text for name, text in files.items()}))
    assert found.state is state
    assert told in found.told


def test_a_clock_that_cannot_be_right_is_told(made_up):
    found = machine.time(made_up({}), now=datetime(1970, 1, 1, tzinfo=UTC))
    assert found.state is State.WARN
    assert "1970-01-01" in found.told
    assert "set-time" in found.fix


def test_a_clock_that_the_network_keeps_is_right(made_up):
    found = machine.time(made_up({"run/systemd/timesync/synchronized": ""}), now=datetime(2027, 5, 1, tzinfo=UTC))
    assert found.state is State.GOOD


def test_a_32_bit_or_old_python_holds_no_night():
    assert machine.python(bits=False).state is State.BAD
    assert machine.python(version=(3, 10)).state is State.BAD
    assert machine.python().state is State.GOOD


def test_a_disk_that_is_nearly_full_is_told(tmp_path, monkeypatch):
    assert machine.disk(tmp_path / "not" / "there" / "yet").state is State.GOOD
    monkeypatch.setattr(machine, "FEW_MEGABYTES", 10**9)
    assert machine.disk(tmp_path).state is State.WARN
    monkeypatch.setattr(machine, "LEAST_MEGABYTES", 10**9)
    assert machine.disk(tmp_path).state is State.BAD
