"""Channels of an array that are silent, clipped or swapped."""

import numpy as np
import pytest

from seance.audio.array_check import ChannelCheck, check_channels
from seance.audio.array_geometry import load_geometry
from seance.audio.calibration import Remark, suggest_settings
from seance.audio.levels import NoiseMeasurement
from tests.array_sound import RATE, arriving, room_noise
from tests.hearing.spoken import voice

RING = load_geometry("ring4")


def spoken(angle_deg=100.0):
    """Return what a ring of four hears of a voice."""
    said = voice(2.0).astype(np.float32) / 32768
    return to_block(arriving(said, RING, angle_deg) + room_noise(len(said), 4))


def to_block(sound):
    return (sound * 32767).clip(-32768, 32767).astype(np.int16)


QUIET = to_block(room_noise(RATE, 4, level=0.002))


def test_an_array_whose_channels_are_all_right_gives_no_finding():
    assert check_channels(QUIET, RING, spoken=spoken(), rate=RATE) == ChannelCheck()


def test_a_silent_channel_is_named_as_on_the_device():
    dead = QUIET.copy()
    dead[:, 2] = 0
    assert check_channels(dead, RING, rate=RATE).silent == (3,)


def test_a_clipped_channel_is_named():
    loud = QUIET.copy()
    loud[:, 1] = np.sign(np.random.default_rng(1).standard_normal(len(loud))) * 32767
    assert check_channels(loud, RING, rate=RATE).clipped == (2,)


def test_the_sound_of_one_microphone_on_several_channels_is_noticed():
    assert check_channels(QUIET[:, [0, 1, 0, 2]], RING, rate=RATE).copied == (1, 3)
    stereo = QUIET[:, [0, 1, 0, 1]]
    assert check_channels(stereo, RING, spoken=stereo, rate=RATE) == ChannelCheck(copied=(1, 2, 3, 4))


@pytest.mark.parametrize("pair", [(1, 2), (1, 4)])
def test_two_neighbours_that_are_swapped_are_noticed_while_somebody_speaks(pair):
    one, other = pair[0] - 1, pair[1] - 1
    swapped = spoken(30.0)
    swapped[:, [one, other]] = swapped[:, [other, one]]
    # To exchange the other two instead mirrors the ring, and fits as well.
    found = check_channels(QUIET, RING, spoken=swapped, rate=RATE).swapped
    assert set(found) in (set(pair), {1, 2, 3, 4} - set(pair))


def test_calibration_points_out_each_thing_that_is_wrong_with_the_channels():
    found = ChannelCheck(silent=(3,), copied=(2, 4), clipped=(1,), swapped=(2, 4))
    remarks = suggest_settings(
        NoiseMeasurement(noise_dbfs=-60.0, peak_dbfs=-50.0, clipped=0.0), None, None, found
    ).remarks
    wrong = {Remark.CHANNEL_SILENT, Remark.CHANNELS_COPIED, Remark.CHANNEL_CLIPPED, Remark.CHANNELS_SWAPPED}
    assert wrong <= set(remarks)
