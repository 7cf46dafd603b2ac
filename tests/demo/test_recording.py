"""`script/recording` makes a sound file of the beginning of a demonstration night."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from seance.audio.files import read_wave
from seance.audio.waves import Wave
from seance.demo.recording import RecordedSound, RecordingDone
from seance.models import store
from seance.programs import demo
from seance.soundscape.library import SoundLibrary
from seance.speech import kokoro

RECORDING = runpy.run_path(str(Path(__file__).parents[2] / "script" / "recording.py"))


@pytest.fixture
def recorded(tmp_path):
    return RecordedSound(None, SoundLibrary(tmp_path), max_seconds=3.0)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["night.mp3"], "night.mp3: end the name in .flac or .wav"),
        (["/nowhere/night.flac"], "/nowhere: there is no such folder"),
        (["night.flac", "--minutes", "0"], "--minutes is a number up to 60, not 0"),
    ],
)
def test_a_wrong_argument_is_told_before_anything_is_made(arguments, told, capsys):
    with pytest.raises(SystemExit, match="2"):
        RECORDING["parse"](arguments)
    assert told in capsys.readouterr().err


def test_a_guest_and_a_knock_are_recorded_when_they_sound(recorded):
    recorded.advance(1.0)
    recorded.knock()
    recorded.advance(1.0)
    loud = np.abs(recorded.wave.samples).reshape(2, -1).max(axis=1)
    assert loud[0] == 0.0
    assert loud[1] > 0.1


def test_a_recording_ends_when_it_is_as_long_as_it_was_to_be(recorded):
    recorded.play(Wave(np.ones(16_000, np.float32), 16_000))
    with pytest.raises(RecordingDone):
        recorded.advance(5.0)
    assert recorded.wave.seconds == 3.0


@pytest.mark.slow
def test_the_first_seconds_of_a_night_are_recorded(tmp_path, monkeypatch):
    monkeypatch.setattr("seance.speech.kokoro.has_memory", lambda: False)  # guests with natural voices take minutes
    settings = tmp_path / "seance.toml"
    settings.write_text('[voice]\nengine = "espeak"\n')
    file = tmp_path / "night.flac"
    assert RECORDING["main"]([str(file), "--minutes", "0.25", "--config", str(settings)]) == 0
    wave = read_wave(file)
    assert wave.seconds == pytest.approx(15.0, abs=0.1)
    assert wave.rms > 0.01
    assert np.abs(wave.samples).max() < 0.99


@pytest.mark.slow
@pytest.mark.skipif(store.find("kokoro") is None, reason="needs: seance models fetch kokoro")
def test_narrator_and_guests_speak_naturally_from_one_process(tmp_path, monkeypatch):
    started, said, start_process, render = [], [], kokoro.start_process, kokoro.Kokoro.render
    monkeypatch.setattr(kokoro, "start_process", lambda *a, **k: started.append(a) or start_process(*a, **k))
    monkeypatch.setattr(kokoro.Kokoro, "render", lambda *a: said.append(a[0].identity) or render(*a))
    monkeypatch.setattr(kokoro, "has_memory", lambda: True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # what the owner has rendered needs no process
    settings = tmp_path / "seance.toml"
    settings.write_text('[voice]\nengine = "kokoro"\n')
    args = RECORDING["parse"]([str(tmp_path / "night.flac"), "--lang", "en", "--config", str(settings)])
    args.story = "skipped"
    assert demo.record(args, 20.0, Console()).seconds == 20.0
    assert len(set(said)) > 1
    assert len(started) == 1
