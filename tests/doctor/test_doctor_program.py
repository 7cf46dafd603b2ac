"""`seance doctor` on healthy and broken installations, with real sound."""

import json
import re
import shutil

import numpy as np
import pytest
import soundfile

from seance.audio import echo_canceller
from seance.cli import main
from tests.sound_rig import RATE

ROOM = ("settings", "Python", "speech model", "microphone", "loudspeaker", "voice", "interrupting", "words", "board",
        "permissions", "nights", "service", "disk", "memory card", "power", "temperature", "time", "network",
        "page")  # fmt: skip


@pytest.fixture
def asked(tmp_path, monkeypatch, capsys):
    """Ask the doctor, with settings of one's own, and return the exit code and the findings by name."""
    models = main(["models", "path", "en"]) == 0 and capsys.readouterr().out.strip()
    assert models
    monkeypatch.setenv("SEANCE_MODELS", models.rsplit("/", 1)[0])
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def ask(settings: str, *arguments: str):
        quick = "" if "[voice]" in settings else '[voice]\nengine = "espeak"\n'
        (tmp_path / "settings.toml").write_text(settings + quick)
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


def test_a_house_that_shall_not_be_interrupted_is_no_warning(asked):
    _, found = asked('[hearing]\ninterrupt = "off"\n[body]\nboard = "virtual"\n')
    assert (found["interrupting"]["state"], found["interrupting"]["fix"]) == ("good", "")


def test_a_missing_library_is_told_with_its_package(asked, monkeypatch):
    monkeypatch.setattr(echo_canceller, "_LIBRARY", "libnone.so.1")
    _, found = asked('[body]\nboard = "virtual"\n')
    assert found["interrupting"]["state"] == "warn"
    assert "libspeexdsp1" in found["interrupting"]["fix"]


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


def test_at_a_terminal_every_line_fits_and_a_pipe_gets_a_finding_a_line(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    usage = shutil.disk_usage(tmp_path)  # other programs write meanwhile
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    (tmp_path / "settings.toml").write_text(
        "[body]\nboard = 'toaster'\n[voice]\nengine = 'espeak'\n[web]\nlisten = 'off'\n"
    )
    arguments = ["doctor", "--quiet", "--config", str(tmp_path / "settings.toml")]
    main(arguments)
    piped = capsys.readouterr().out
    monkeypatch.setenv("FORCE_COLOR", "1")
    main(arguments)
    shown = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out)
    assert max(map(len, piped.splitlines())) > 80
    assert [line for line in shown.splitlines() if len(line) > 80 and " " in line[20:].strip().removeprefix("→ ")] == []
    without_clock = [re.sub(r"\b\d\d:\d\d\b", "", told).split() for told in (shown, piped)]
    assert without_clock[0] == without_clock[1]
