"""`seance doctor` on healthy and broken installations, with real sound."""

import json

import numpy as np
import pytest
import soundfile

from seance.cli import main
from tests.sound_rig import RATE

ROOM = ("settings", "Python", "speech model", "microphone", "loudspeaker", "voice", "words", "board", "permissions",
        "nights", "service", "disk", "memory card", "power", "temperature", "time", "network", "page")  # fmt: skip


@pytest.fixture
def asked(tmp_path, monkeypatch, capsys):
    """Ask the doctor, with settings of one's own, and return the exit code and the findings by name."""
    models = main(["models", "path", "en"]) == 0 and capsys.readouterr().out.strip()
    assert models
    monkeypatch.setenv("SEANCE_MODELS", models.rsplit("/", 1)[0])
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def ask(settings: str, *arguments: str):
        (tmp_path / "settings.toml").write_text(settings)
        code = main(["doctor", "--json", "--config", str(tmp_path / "settings.toml"), *arguments])
        return code, {row["name"]: row for row in json.loads(capsys.readouterr().out)}

    return ask


def test_a_healthy_house_can_hold_a_night_and_its_bell_is_heard(sound_rig, asked, tmp_path):
    noise = np.random.default_rng(1).normal(0, 0.02, 8 * RATE)
    soundfile.write(tmp_path / "room.wav", noise, RATE)
    with sound_rig.speaking_in_room(tmp_path / "room.wav"), sound_rig.recording_speaker() as heard:
        code, found = asked("")
    assert code == 0
    assert tuple(found) == ROOM
    for name in ("microphone", "loudspeaker", "voice", "speech model", "nights", "settings"):
        assert found[name]["state"] == "good", found[name]
    assert "dBFS" in found["microphone"]["told"]
    assert np.abs(heard[0].astype(int)).max() > 1000


def test_a_room_without_sound_is_a_warning_since_words_can_be_typed(asked):
    code, found = asked('[microphone]\ndevice = "nowhere"\n[speaker]\ndevice = "nowhere"\n[body]\nboard = "virtual"\n')
    assert code == 0
    assert {name: found[name]["state"] for name in ("microphone", "loudspeaker", "board")} == {
        "microphone": "warn",
        "loudspeaker": "warn",
        "board": "good",
    }
    assert "microphone.device" in found["microphone"]["fix"]


@pytest.mark.parametrize(
    ("settings", "broken"),
    [
        ("language = 'de'\n", "settings"),
        ("[body]\nboard = 'toaster'\n", "board"),
        ("[journal]\npath = '/dev/null/nights.sqlite'\n", "nights"),
    ],
)
def test_a_broken_house_holds_no_night_and_is_told_what_to_do(asked, settings, broken):
    code, found = asked(settings, "--quiet")
    assert code == 1
    assert [name for name, row in found.items() if row["state"] == "bad"] == [broken]
    assert found[broken]["fix"]


def test_every_finding_that_is_not_good_has_a_fix(asked):
    _, found = asked("", "--quiet")
    assert [name for name, row in found.items() if bool(row["fix"]) != (row["state"] != "good")] == []


def test_a_person_reads_plain_lines(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "settings.toml").write_text("[body]\nboard = 'toaster'\n")
    assert main(["doctor", "--quiet", "--config", str(tmp_path / "settings.toml")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("bad   board") for line in lines)
    assert lines[-1] == "no night can be held"
