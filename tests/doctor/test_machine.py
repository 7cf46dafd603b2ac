"""Checks of simulated machines, whose system files are in a temporary folder."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from seance.doctor import CheckStatus, machine
from seance.texts import Texts

THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"
SENSOR = "sys/class/hwmon/hwmon1"

TEXTS = Texts.load("doctor", "en")


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
    ("files", "status", "text"),
    [
        ({THROTTLED: "0"}, CheckStatus.GOOD, "never too low"),
        ({THROTTLED: "50000"}, CheckStatus.WARN, "was too low at some time"),
        ({THROTTLED: "50005"}, CheckStatus.WARN, "too low at this moment"),
        ({f"{SENSOR}/name": "rpi_volt", f"{SENSOR}/in0_lcrit_alarm": "1"}, CheckStatus.WARN, "too low at this moment"),
        ({f"{SENSOR}/name": "rpi_volt", f"{SENSOR}/in0_lcrit_alarm": "0", THROTTLED: "0"}, CheckStatus.GOOD, "never"),
        ({}, CheckStatus.GOOD, "does not tell"),
    ],
)
def test_too_little_voltage_is_told_with_the_fix(made_up, files, status, text):
    found = machine.power(TEXTS, made_up(files))
    assert found.status is status
    assert text in found.text
    assert ("power supply" in found.fix) == (status is CheckStatus.WARN)


@pytest.mark.parametrize(
    ("temperature", "status"), [(48250, CheckStatus.GOOD), (71000, CheckStatus.WARN), (83500, CheckStatus.WARN)]
)
def test_heat_is_told(made_up, temperature, status):
    found = machine.temperature(TEXTS, made_up({"sys/class/thermal/thermal_zone0/temp": str(temperature)}))
    assert found.status is status
    assert f"{temperature / 1000:.0f} °C" in found.text


@pytest.mark.parametrize(
    ("files", "status", "text"),
    [
        ({"device/life_time": "0x01 0x03"}, CheckStatus.GOOD, "30 % of its life"),
        ({"device/life_time": "0x0a 0x01"}, CheckStatus.WARN, "100 % of its life"),
        ({"device/life_time": "0x02 0x02", "device/pre_eol_info": "0x02"}, CheckStatus.WARN, "20 % of its life"),
        ({"stat": "100 0 0 0 300 0 2000000 0 0 0 0"}, CheckStatus.GOOD, "1,024 MB were written"),
    ],
)
def test_a_worn_memory_card_is_told(made_up, files, status, text):
    found = machine.card_wear(TEXTS, made_up({f"sys/block/mmcblk0/{name}": text for name, text in files.items()}))
    assert found.status is status
    assert text in found.text


def test_a_clock_that_cannot_be_right_is_told(made_up):
    found = machine.clock(TEXTS, made_up({}), now=datetime(1970, 1, 1, tzinfo=UTC))
    assert found.status is CheckStatus.WARN
    assert "1970-01-01" in found.text
    assert "set-time" in found.fix


def test_a_clock_that_the_network_keeps_is_right(made_up):
    found = machine.clock(
        TEXTS, made_up({"run/systemd/timesync/synchronized": ""}), now=datetime(2027, 5, 1, tzinfo=UTC)
    )
    assert found.status is CheckStatus.GOOD


def test_a_32_bit_or_old_python_holds_no_night():
    assert machine.python(TEXTS, is_64_bit=False).status is CheckStatus.BAD
    assert machine.python(TEXTS, version=(3, 10)).status is CheckStatus.BAD
    assert machine.python(TEXTS).status is CheckStatus.GOOD


def test_a_disk_that_is_nearly_full_is_told(tmp_path, monkeypatch):
    assert machine.disk(TEXTS, tmp_path / "not" / "there" / "yet").status is CheckStatus.GOOD
    monkeypatch.setattr(machine, "LOW_FREE_MB", 10**9)
    assert machine.disk(TEXTS, tmp_path).status is CheckStatus.WARN
    monkeypatch.setattr(machine, "MIN_FREE_MB", 10**9)
    assert machine.disk(TEXTS, tmp_path).status is CheckStatus.BAD
