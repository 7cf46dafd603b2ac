"""A beam and the filter behind it: who speaks elsewhere is attenuated, whenever they begin; and where a beam points."""

import numpy as np
import pytest

from seance.audio.array_geometry import load_geometry
from seance.hearing.beamforming import Analysis, Array, Synthesis, mean_covariance
from seance.hearing.directional_filter import Beam
from tests.array_sound import RATE, arriving, room_noise
from tests.hearing.spoken import voice

RING = load_geometry("ring4")
ARRAY = Array(RING)
WANTED, OTHER = 40.0, 160.0


def said(seconds, seed, angle_deg):
    """Return *seconds* of an invented voice as the ring hears it."""
    return arriving(voice(seconds, seed=seed) / 32768, RING, angle_deg)


def beam_after(noise):
    """Return a beam towards WANTED, with *noise* as it was heard before."""
    spectra = Analysis(4).feed(noise)
    direction = int(np.argmin(np.abs(ARRAY.directions_deg - WANTED)))
    return Beam(ARRAY, ARRAY.noise_inverse(mean_covariance(spectra), len(spectra)), direction)


def level_db(sound):
    return 10 * np.log10(np.mean(np.square(sound, dtype=np.float64)) + 1e-12)


def through(beam, sound, **options):
    """Return *sound* in *beam*, without its first 0.1 s."""
    return Synthesis().feed(beam.feed(Analysis(4).feed(sound), **options))[RATE // 10 :]


def test_whoever_is_in_the_beam_passes_it_as_they_are():
    sound = said(1.0, 1, WANTED) + room_noise(RATE, 4)
    assert level_db(through(beam_after(room_noise(RATE, 4)), sound)) == pytest.approx(level_db(sound[:, 0]), abs=1.5)


def test_somebody_who_begins_to_speak_elsewhere_later_is_attenuated_by_ten_decibels():
    sound = said(1.0, 2, OTHER) + room_noise(RATE, 4)
    beam = beam_after(room_noise(RATE, 4))
    assert level_db(through(beam, sound)) < level_db(sound[:, 0]) - 10


def test_a_pause_of_who_is_in_the_beam_lets_no_more_of_the_others_through():
    both = said(1.0, 1, WANTED) + said(1.0, 2, OTHER) + room_noise(RATE, 4)
    alone = said(1.0, 3, OTHER) + room_noise(RATE, 4)
    beam = beam_after(said(1.0, 4, OTHER) + room_noise(RATE, 4))
    during, pause = through(beam, both), through(beam, alone)[RATE // 2 :]
    assert level_db(pause) < level_db(during) - 25


def test_what_was_heard_before_somebody_began_to_speak_is_attenuated():
    sound = said(1.0, 1, WANTED) + room_noise(RATE, 4)
    frames = len(Analysis(4).feed(sound))
    beam = beam_after(room_noise(RATE, 4))
    heard = through(beam, sound, before_onset=frames // 2)
    middle = len(heard) // 2
    assert level_db(heard[: middle - 2000]) == pytest.approx(level_db(heard[middle:]) - 10, abs=2.5)


@pytest.mark.parametrize("angle_deg", [42.5, 178.0, 359.0])
def test_a_direction_is_told_more_finely_than_the_grid(angle_deg):
    spectra = Analysis(4).feed(said(1.0, 1, angle_deg) + room_noise(RATE, 4))
    inverse = ARRAY.noise_inverse(1e-4 * ARRAY.assumed_noise, 0)
    found = ARRAY.peak_deg(ARRAY.onset_map_db(inverse, spectra))
    assert abs((found - angle_deg + 180) % 360 - 180) < 1
