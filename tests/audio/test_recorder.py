import logging
import wave
from pathlib import Path

import numpy as np
import soundfile

from seance.audio.recorder import Recorder
from tests.hearing.spoken import voice

MAX_BYTES = 500_000_000


def length(path):
    with wave.open(str(path)) as file:
        return file.getnframes()


def test_a_file_holds_a_minute(tmp_path):
    recorder = Recorder(tmp_path, rate=10, max_bytes=MAX_BYTES)
    for _ in range(7):
        recorder.write(voice()[:100])
    recorder.close()
    assert [(path.name, length(path)) for path in sorted(tmp_path.iterdir())] == [
        ("000001.wav", 600),
        ("000002.wav", 100),
    ]


def test_a_file_ends_where_the_number_of_channels_changes(tmp_path):
    recorder = Recorder(tmp_path, rate=16000, max_bytes=MAX_BYTES)
    for block in (voice(), np.stack([voice()] * 4, axis=1), voice()):
        recorder.write(block)
    recorder.close()
    kept = [soundfile.info(path) for path in sorted(tmp_path.iterdir())]
    assert [(file.channels, file.frames) for file in kept] == [(1, len(voice())), (4, len(voice())), (1, len(voice()))]


def test_what_was_kept_before_stays(tmp_path):
    (tmp_path / "000041.wav").touch()
    recorder = Recorder(tmp_path, rate=16000, max_bytes=MAX_BYTES)
    recorder.write(voice())
    recorder.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["000041.wav", "000042.wav"]


def test_a_disk_that_refuses_is_told_once_and_nothing_more_is_kept(tmp_path, caplog):
    caplog.set_level(logging.WARNING)
    recorder = Recorder(tmp_path / "kept", rate=16000, max_bytes=MAX_BYTES)
    (tmp_path / "kept").rmdir()
    recorder.write(voice())
    recorder.write(voice())
    recorder.close()
    assert [record.getMessage().split(":")[0] for record in caplog.records] == [
        f"sound is no longer kept in {tmp_path / 'kept'}"
    ]


def test_a_folder_that_cannot_be_made_is_told_once_and_nothing_is_kept(caplog):
    caplog.set_level(logging.WARNING)
    recorder = Recorder(Path("/dev/null/kept"), rate=16000, max_bytes=MAX_BYTES)
    recorder.write(voice())
    recorder.close()
    assert [record.getMessage().split(":")[0] for record in caplog.records] == [
        "sound is no longer kept in /dev/null/kept"
    ]


def test_the_oldest_sound_makes_room_for_the_newest(tmp_path):
    recorder = Recorder(tmp_path, rate=10, max_bytes=3_000)
    for _ in range(4 * 6):
        recorder.write(voice()[:100])
    recorder.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["000003.wav", "000004.wav"]


def test_what_others_left_in_the_folder_is_never_removed(tmp_path):
    (tmp_path / "birthday.wav").write_bytes(bytes(9_000))
    recorder = Recorder(tmp_path, rate=10, max_bytes=3_000)
    recorder.write(voice()[:100])
    recorder.close()
    assert (tmp_path / "birthday.wav").exists()
