"""What was said is kept, within bounds."""

import os

import numpy as np
import pytest

from seance.audio.files import write_flac
from seance.audio.waves import Wave
from seance.speech.cache import SpeechCache, cache_folder


def noise(seed, seconds=0.5):
    samples = np.random.default_rng(seed).uniform(-0.5, 0.5, round(seconds * 22_050))
    return Wave(samples.astype(np.float32), 22_050)


@pytest.fixture
def cache(tmp_path):
    return SpeechCache(tmp_path / "voice", max_bytes=100_000)


def age(cache, key, seconds):
    """Let a sound have been used so long ago."""
    _, path = cache._paths(key)
    then = path.stat().st_mtime - seconds
    os.utime(path, (then, then))


def test_what_was_put_is_there(cache):
    cache.put("a line", noise(1))
    found = cache.get("a line")
    assert found.rate == 22_050
    np.testing.assert_allclose(found.samples, noise(1).samples, atol=1e-4)


def test_a_sound_of_a_natural_voice_is_kept_small_and_sounds_the_same(cache):
    at = np.arange(24_000) / 24_000
    tone = Wave((0.3 * np.sin(2 * np.pi * 220 * at) * np.hanning(len(at))).astype(np.float32), 24_000)
    cache.put("a line", tone, compact=True)
    found = cache.get("a line")
    assert cache.size < 12_000
    assert found.rate == 24_000
    assert len(found.samples) == len(tone.samples)
    assert found.rms == pytest.approx(tone.rms, rel=0.02)
    assert np.corrcoef(found.samples, tone.samples)[0, 1] > 0.99


def test_what_an_earlier_version_has_kept_is_found(cache):
    _, flac = cache._paths("a line")
    write_flac(flac, Wave(np.zeros(2400, np.float32), 24_000))
    assert "a line" in cache
    assert cache.get("a line").seconds == pytest.approx(0.1)


def test_what_was_not_put_is_not_there(cache):
    assert "a line" not in cache
    assert cache.get("a line") is None


def test_it_stays_within_its_limit(cache):
    for number in range(20):
        cache.put(f"line {number}", noise(number))
        assert cache.size <= cache.max_bytes
    assert "line 19" in cache


def test_what_was_not_used_the_longest_goes_first(cache):
    for seconds, key in ((300, "oldest"), (200, "old"), (100, "new")):
        cache.put(key, noise(seconds))
        age(cache, key, seconds)
    cache.get("oldest")
    for number in range(2):
        cache.put(f"more {number}", noise(number))
    assert "old" not in cache
    assert "oldest" in cache


def test_a_line_longer_than_the_limit_is_kept_until_the_next(cache):
    cache.put("a whole chapter", noise(1, seconds=5))
    assert "a whole chapter" in cache
    cache.put("a word", noise(2))
    assert "a whole chapter" not in cache


def test_a_damaged_sound_is_as_if_it_were_not_there(cache):
    cache.put("a line", noise(1))
    cache._paths("a line")[1].write_bytes(b"fLaC and nothing more")
    assert cache.get("a line") is None
    assert "a line" not in cache


def test_where_nothing_can_be_written_it_is_said_once_and_nothing_is_kept(tmp_path, caplog):
    (tmp_path / "voice").write_text("a file, not a folder")
    cache = SpeechCache(tmp_path / "voice")
    for number in range(3):
        cache.put(f"line {number}", noise(number))
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert cache.get("line 0") is None


def test_nothing_half_written_is_left(cache):
    cache.put("a line", noise(1))
    assert len(list(cache.folder.iterdir())) == 1


def test_the_folder_honours_xdg_cache_home(tmp_path):
    assert cache_folder({"XDG_CACHE_HOME": str(tmp_path)}) == tmp_path / "seance"
