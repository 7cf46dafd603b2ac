"""The synthesized sounds: loops without a click, earcons that begin and end in silence, a mood for every cue."""

import numpy as np
import pytest

from seance.audio.formats import MIX_RATE_HZ
from seance.audio.mixer import Loop
from seance.narration import cues
from seance.soundscape.ambience import LOOPS, MOODS
from seance.soundscape.earcons import EARCONS
from seance.soundscape.library import GENERATORS, SoundLibrary


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return SoundLibrary(tmp_path_factory.mktemp("sounds"))


def jumps(samples, order):
    """Return the changes from sample to sample (order 1), or the changes of these (order 2)."""
    return np.abs(np.diff(samples.astype(float), order))


@pytest.mark.parametrize("name", LOOPS)
@pytest.mark.parametrize("order", [1, 2])
def test_a_loop_joins_without_a_click(library, name, order):
    samples = library.sound(name).samples
    join = Loop(samples)
    join.take(len(samples) - 2)
    around = join.take(4)
    usual = np.quantile(jumps(samples, order), 0.9999)
    assert jumps(around, order).max() <= max(usual, 2 / 32768)


def test_a_click_would_be_found():
    samples = LOOPS["wind"]()[: 10 * MIX_RATE_HZ]
    around = np.concatenate([samples[-2:], samples[:2]])
    assert jumps(around, 2).max() > np.quantile(jumps(samples, 2), 0.9999)


@pytest.mark.parametrize("name", GENERATORS)
def test_every_sound_can_be_heard_and_is_not_too_loud(library, name):
    samples = library.sound(name).samples
    assert 0.1 < np.abs(samples).max() < 0.9


@pytest.mark.parametrize("name", EARCONS)
def test_an_earcon_begins_and_ends_in_silence(name):
    samples = EARCONS[name]()
    assert abs(samples[0]) < 0.01
    assert abs(samples[-1]) < 0.01


@pytest.mark.parametrize("name", sorted(set(EARCONS) - {"knock"}))
def test_an_earcon_is_over_soon(name):
    assert len(EARCONS[name]()) / MIX_RATE_HZ < 2.5


def test_there_is_an_earcon_for_every_cue_and_a_knock():
    assert set(EARCONS) == {*cues.Sound, "knock"}


def test_there_is_a_mood_for_every_cue():
    assert set(MOODS) == set(cues.Mood)


def test_no_mood_is_silence():
    assert MOODS["none"] == ()


@pytest.mark.parametrize("mood", sorted(set(MOODS) - {"none"}))
def test_a_mood_is_made_of_loops(library, mood):
    assert {name for name, _ in MOODS[mood]} <= set(LOOPS)
    assert [source.take(MIX_RATE_HZ).any() or source.take(MIX_RATE_HZ * 20).any() for source, _ in library.mood(mood)]


def test_a_sound_is_made_once_and_then_kept(tmp_path):
    first = SoundLibrary(tmp_path).sound("knock")
    (kept,) = tmp_path.iterdir()
    made = kept.stat().st_mtime_ns
    again = SoundLibrary(tmp_path).sound("knock")
    assert kept.stat().st_mtime_ns == made
    np.testing.assert_allclose(again.samples, first.samples, atol=1e-4)


def test_a_damaged_sound_is_made_anew(tmp_path):
    SoundLibrary(tmp_path).sound("knock")
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(b"fLaC and nothing more")
    assert SoundLibrary(tmp_path).sound("knock").rms > 0.01


def test_where_nothing_can_be_kept_there_is_sound_all_the_same(tmp_path):
    (tmp_path / "sounds").write_text("a file, not a folder")
    assert SoundLibrary(tmp_path / "sounds").sound("knock").rms > 0.01


def test_the_ambience_is_off_with_one_setting(tmp_path):
    assert [SoundLibrary(tmp_path, ambience=False).mood(mood) for mood in MOODS] == [[]] * len(MOODS)


def test_the_owners_music_sounds_instead_of_ours_and_goes_on_from_mood_to_mood(tmp_path):
    music = Loop(np.ones(10, np.float32))
    library = SoundLibrary(tmp_path, music=music)
    assert [source for mood in set(MOODS) - {"none"} for source, _ in library.mood(mood)] == [music] * (len(MOODS) - 1)
    assert library.mood("none") == []


def test_what_two_moods_share_is_the_same_source(library):
    visions, sand = dict(library.mood("visions")), dict(library.mood("sand"))
    assert len(set(visions) & set(sand)) == 1
