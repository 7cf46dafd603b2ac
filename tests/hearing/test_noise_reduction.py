"""What a frame of sound is worth beside the room around it, and the room taken out of it."""

import numpy as np
import pytest

from seance.hearing.noise_reduction import NoiseReducer

SECOND = 16_000


@pytest.fixture
def hiss():
    return 0.05 * np.random.default_rng(5).standard_normal(SECOND).astype(np.float32)


@pytest.fixture
def voice(hiss):
    """As loud as the hiss, but deep, as voices are."""
    spectrum = np.fft.rfft(hiss[::-1])
    spectrum[800:] = 0
    deep = np.fft.irfft(spectrum, hiss.size)
    return (deep * np.linalg.norm(hiss) / np.linalg.norm(deep)).astype(np.float32)


def reducer_in(room):
    reducer = NoiseReducer()
    for frame in reducer.feed(room):
        reducer.learn_noise(frame)
    return reducer


def louder(frames, room, *, by):
    """Return by how many decibels the middle of *frames* is over that of *room*."""
    middle = slice(30, -30)
    return np.mean([getattr(f, by) for f in frames[middle]]) - np.mean([getattr(f, by) for f in room[middle]])


def test_a_voice_stands_out_of_a_hiss_by_more_than_its_loudness(hiss, voice):
    reducer = reducer_in(hiss)
    room, both = reducer.feed(hiss), reducer.feed(hiss + voice)
    assert louder(both, room, by="level_db") > louder(both, room, by="loudness_db") + 4


def test_a_room_is_as_loud_by_what_voices_have_as_without(hiss):
    room = reducer_in(hiss).feed(hiss)
    assert np.mean([f.level_db - f.loudness_db for f in room[30:]]) == pytest.approx(0, abs=1)


def test_among_voices_all_sounds_count_alike(voice):
    room = reducer_in(voice).feed(voice)
    assert max(abs(f.level_db - f.loudness_db) for f in room[30:]) < 0.1


def test_in_a_still_room_all_sounds_count_alike(hiss, voice):
    reducer = reducer_in(hiss * np.float32(1e-4))
    assert max(abs(f.level_db - f.loudness_db) for f in reducer.feed(voice)[30:]) < 0.1


def test_the_room_is_taken_out(hiss):
    reducer = reducer_in(hiss)
    denoised = np.concatenate([frame.denoised for frame in reducer.feed(hiss)[60:]])
    assert np.linalg.norm(denoised) < 0.2 * np.linalg.norm(hiss)
