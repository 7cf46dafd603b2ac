"""Three buses become one; every fact is seen in the samples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seance.audio.mixer import DUCKING_GAIN, Bus, Loop, Mixer, OneShot
from tests.audio.tones import ones

RATE = 1000


@pytest.fixture
def mixer():
    return Mixer(RATE)


def blocks(mixer, count, frames=10):
    """Return the next *count* blocks as one, and the tags that ended with the frame of each."""
    mixed = [mixer.mix(frames) for _ in range(count)]
    ended = {over.tag: number * frames + over.frame for number, block in enumerate(mixed) for over in block.ended}
    return np.concatenate([block.samples for block in mixed]), ended


def test_nothing_sounds_like_nothing(mixer):
    assert not mixer.mix(100).samples.any()


def test_one_line_follows_the_other_without_a_gap(mixer):
    mixer.queue_speech(OneShot(ones(25, 0.25)), "first")
    mixer.queue_speech(OneShot(ones(25, 0.5)), "second")
    heard, ended = blocks(mixer, 6)
    assert heard.tolist() == [0.25] * 25 + [0.5] * 25 + [0.0] * 10
    assert ended == {"first": 25, "second": 50}


@given(st.lists(st.integers(1, 70), min_size=1, max_size=12), st.lists(st.integers(0, 90), max_size=5))
def test_what_is_said_does_not_depend_on_the_size_of_the_blocks(sizes, lengths):
    mixer, said = Mixer(RATE), [np.linspace(0.1, 0.9, length, dtype=np.float32) for length in lengths]
    for samples in said:
        mixer.queue_speech(OneShot(samples))
    heard = np.concatenate([mixer.mix(size).samples for size in sizes])
    wanted = np.concatenate([*said, np.zeros(sum(sizes), np.float32)])[: sum(sizes)]
    np.testing.assert_allclose(heard, wanted)


def test_an_earcon_does_not_wait_for_speech(mixer):
    mixer.queue_speech(OneShot(ones(100, 0.25)))
    mixer.mix(10)
    mixer.play_earcon(OneShot(ones(10, 0.25)), "chime")
    heard, ended = blocks(mixer, 2)
    assert heard.tolist() == [0.5] * 10 + [0.25] * 10
    assert ended == {"chime": 10}


def test_the_ambience_is_softer_under_speech_and_rises_after_it(mixer):
    mixer.set_ambience([(Loop(ones(7, 0.5)), 1.0)], 0)
    before, _ = blocks(mixer, 5)
    mixer.queue_speech(OneShot(np.zeros(1000, np.float32)))
    under, _ = blocks(mixer, 100)
    after, _ = blocks(mixer, 200)
    assert before[-1] == 0.5
    assert under[-1] == pytest.approx(0.5 * DUCKING_GAIN)
    assert after[-1] == 0.5


def test_ducking_is_a_slope_and_no_step(mixer):
    mixer.set_ambience([(Loop(ones(7, 0.5)), 1.0)], 0)
    blocks(mixer, 5)
    mixer.queue_speech(OneShot(np.zeros(500, np.float32)))
    heard, _ = blocks(mixer, 200)
    assert np.abs(np.diff(heard)).max() < 0.005


def test_hush_ends_speech_within_a_fiftieth_of_a_second_and_leaves_the_ambience(mixer):
    mixer.set_ambience([(Loop(ones(7, 0.1)), 1.0)], 0)
    mixer.queue_speech(OneShot(ones(500, 0.5)), "spoken")
    mixer.queue_speech(OneShot(ones(500, 0.5)), "waiting")
    blocks(mixer, 5)
    assert mixer.stop_speech() == ("waiting",)
    heard, ended = blocks(mixer, 10)
    assert heard[20:].max() <= 0.1
    assert heard[20:].min() > 0
    assert ended == {"spoken": 20}
    assert not mixer.speaking


def test_what_was_hushed_did_not_end_whole_and_what_was_heard_out_did(mixer):
    mixer.queue_speech(OneShot(ones(500)), "cut")
    blocks(mixer, 1)
    mixer.stop_speech()
    mixer.queue_speech(OneShot(ones(5)), "heard")
    over = [each for _ in range(5) for each in mixer.mix(10).ended]
    assert {each.tag: each.complete for each in over} == {"cut": False, "heard": True}


def test_hush_is_a_slope_and_no_step(mixer):
    mixer.queue_speech(OneShot(ones(500, 0.5)))
    blocks(mixer, 5)
    mixer.stop_speech()
    heard, _ = blocks(mixer, 5)
    assert np.abs(np.diff(heard, prepend=0.5)).max() < 0.06


def test_after_a_hush_something_else_can_be_said_at_once(mixer):
    mixer.queue_speech(OneShot(ones(500, 0.5)))
    blocks(mixer, 1)
    mixer.stop_speech()
    mixer.queue_speech(OneShot(ones(50, 0.25)), "urgent")
    _, ended = blocks(mixer, 10)
    assert ended["urgent"] == 50


def test_speech_that_was_paused_goes_on_where_it_stopped(mixer):
    mixer.queue_speech(OneShot(np.arange(100, dtype=np.float32) / 100), "told")
    blocks(mixer, 2)
    mixer.pause_speech()
    held, _ = blocks(mixer, 50)
    mixer.resume_speech()
    rest, ended = blocks(mixer, 10)
    assert not held[20:].any()
    # twenty samples faded out and twenty faded in: the story goes on at the fortieth
    np.testing.assert_allclose(rest[20:60], np.arange(60, 100) / 100, atol=1e-6)
    assert ended == {"told": 60}


def test_the_ambience_rises_while_speech_is_paused(mixer):
    mixer.set_ambience([(Loop(ones(7, 0.5)), 1.0)], 0)
    mixer.queue_speech(OneShot(np.zeros(500, np.float32)))
    blocks(mixer, 30)
    mixer.pause_speech()
    heard, _ = blocks(mixer, 200)
    assert heard[-1] == 0.5


def test_what_was_paused_can_be_hushed(mixer):
    mixer.queue_speech(OneShot(ones(500)), "held")
    blocks(mixer, 1)
    mixer.pause_speech()
    blocks(mixer, 5)
    mixer.stop_speech()
    heard, ended = blocks(mixer, 2)
    assert not heard.any()
    assert "held" in ended


def test_each_bus_has_its_volume(mixer):
    for bus, volume in ((Bus.SPEECH, 0.5), (Bus.EARCONS, 0.25), (Bus.AMBIENCE, 0.0)):
        mixer.set_volume(volume, bus)
    blocks(mixer, 20)
    mixer.set_ambience([(Loop(ones(7, 0.4)), 1.0)], 0)
    mixer.play_earcon(OneShot(ones(1000, 0.4)))
    assert mixer.mix(10).samples[-1] == pytest.approx(0.1)
    mixer.queue_speech(OneShot(ones(1000, 0.4)))
    assert mixer.mix(10).samples[-1] == pytest.approx(0.1 + 0.2)


def test_the_volume_of_everything_changes_everything(mixer):
    mixer.set_volume(0.5)
    blocks(mixer, 20)
    mixer.queue_speech(OneShot(ones(10, 0.4)))
    assert mixer.mix(10).samples.tolist() == pytest.approx([0.2] * 10)


def test_a_sound_can_have_a_volume_of_its_own(mixer):
    mixer.queue_speech(OneShot(ones(10, 0.4)), volume=0.5)
    assert mixer.mix(10).samples.tolist() == pytest.approx([0.2] * 10)


def test_too_much_at_once_is_cut_at_full_scale(mixer):
    for _ in range(5):
        mixer.play_earcon(OneShot(ones(10, 0.9)))
    assert mixer.mix(10).samples.max() == 1.0


def test_a_loop_goes_round_whatever_the_blocks(mixer):
    mixer.set_ambience([(Loop(np.arange(7, dtype=np.float32) / 10), 1.0)], 0)
    heard = np.concatenate([mixer.mix(size).samples for size in (3, 11, 1, 20)])
    np.testing.assert_allclose(heard[1:], (np.arange(1, 35) % 7) / 10, atol=1e-6)


def test_a_loop_of_16_bits_sounds_as_loud_as_one_of_floats(mixer):
    mixer.set_ambience([(Loop(np.full(7, 1 << 14, np.int16)), 1.0)], 0)
    assert mixer.mix(20).samples == pytest.approx(0.5)


def test_one_mood_fades_into_the_other(mixer):
    mixer.set_ambience([(Loop(ones(7, 0.5)), 1.0)], 0)
    blocks(mixer, 1)
    mixer.set_ambience([(Loop(ones(7, 0.3)), 1.0)], 0.5)
    heard, _ = blocks(mixer, 60)
    assert heard[-1] == pytest.approx(0.3)
    assert np.abs(np.diff(heard)).max() < 0.005


def test_without_a_mood_the_ambience_fades_to_silence(mixer):
    mixer.set_ambience([(Loop(ones(7, 0.5)), 1.0)], 0)
    blocks(mixer, 1)
    mixer.set_ambience([], 0.2)
    heard, _ = blocks(mixer, 30)
    assert heard[0] > 0.4
    assert heard[-1] == 0.0


def test_when_nobody_hears_speech_and_earcons_are_given_back_and_the_ambience_stays(mixer):
    mixer.set_ambience([(Loop(ones(7, 0.5)), 1.0)], 0)
    mixer.queue_speech(OneShot(ones(100)), "spoken")
    mixer.queue_speech(OneShot(ones(100)), "waiting")
    mixer.play_earcon(OneShot(ones(100)), "chime")
    mixer.mix(10)
    assert set(mixer.clear()) == {"spoken", "waiting", "chime"}
    assert 0 < blocks(mixer, 200)[0][-1] <= 0.5


def test_what_two_moods_share_goes_on_without_a_seam(mixer):
    wind = Loop(np.arange(100, dtype=np.float32) / 200)
    mixer.set_ambience([(wind, 1.0)], 0)
    blocks(mixer, 5)
    mixer.set_ambience([(wind, 1.0), (Loop(ones(7, 0.0)), 1.0)], 0.5)
    np.testing.assert_allclose(mixer.mix(30).samples, np.arange(50, 80) / 200, atol=1e-6)


def test_a_mood_that_comes_back_before_it_has_gone_is_heard_again(mixer):
    wind = Loop(ones(7, 0.5))
    mixer.set_ambience([(wind, 1.0)], 0)
    blocks(mixer, 1)
    mixer.set_ambience([], 0.5)
    blocks(mixer, 20)
    mixer.set_ambience([(wind, 1.0)], 0.5)
    assert blocks(mixer, 60)[0][-1] == 0.5
