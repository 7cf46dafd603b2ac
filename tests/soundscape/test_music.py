"""The owner's own music instead of ours."""

import logging

import numpy as np
import pytest
import soundfile

from seance.audio.formats import MIX_RATE_HZ
from seance.soundscape.music import Music, NoMusic
from tests.audio.tones import seconds_of, tone


def put(path, pitch, *, rate=MIX_RATE_HZ, channels=1, seconds=1.0):
    wave = tone(seconds, pitch).resample(rate)
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, np.stack([wave.samples] * channels, axis=1), rate)


@pytest.fixture
def played():
    """Return what is played from a folder, read as fast as it comes."""
    opened = []

    def played(folder, seconds):
        opened.append(Music(folder))
        pieces = []
        while sum(map(len, pieces)) < seconds * MIX_RATE_HZ:
            if len(piece := opened[-1]._ahead.get(timeout=10)):
                pieces.append(piece)
        return np.concatenate(pieces)[: round(seconds * MIX_RATE_HZ)]

    yield played
    for music in opened:
        music.close()


def test_the_files_follow_each_other_and_begin_again(tmp_path, played):
    put(tmp_path / "1.wav", 500.0)
    put(tmp_path / "later" / "2.flac", 2000.0)
    heard = played(tmp_path, 4.0)
    assert seconds_of(heard, 500.0, MIX_RATE_HZ, 0.2) == pytest.approx(2.0, abs=0.15)
    assert seconds_of(heard, 2000.0, MIX_RATE_HZ, 0.2) == pytest.approx(2.0, abs=0.15)


def test_stereo_of_another_rate_is_played_at_its_pitch(tmp_path, played):
    put(tmp_path / "1.ogg", 1000.0, rate=44_100, channels=2, seconds=2.0)
    assert seconds_of(played(tmp_path, 2.0), 1000.0, MIX_RATE_HZ, 0.2) == pytest.approx(2.0, abs=0.15)


def test_a_file_that_cannot_be_read_is_left_out(tmp_path, played, caplog):
    (tmp_path / "1.wav").write_bytes(b"noise")
    put(tmp_path / "2.wav", 500.0)
    with caplog.at_level(logging.WARNING):
        assert seconds_of(played(tmp_path, 3.0), 500.0, MIX_RATE_HZ, 0.2) > 2.5
    assert [record.getMessage().count("1.wav") > 0 for record in caplog.records] == [True]


def test_blocks_come_in_the_length_that_is_asked_for(tmp_path):
    put(tmp_path / "1.wav", 500.0)
    music = Music(tmp_path)
    assert [len(music.take(frames)) for frames in (1, 480, 100_000)] == [1, 480, 100_000]
    music.close()


def test_a_folder_without_music_is_named(tmp_path):
    (tmp_path / "notes.txt").touch()
    with pytest.raises(NoMusic, match=f"{tmp_path}: there is no music in it"):
        Music(tmp_path)
