"""An array whose device has too few channels: one microphone listens until there is another device."""

import numpy as np
import pytest

from seance.audio.array_geometry import load_geometry
from seance.hearing.array_fallback import FallbackArrayRecogniser
from tests.array_sound import arriving, room_noise

RING = load_geometry("ring4")


@pytest.fixture
def ear(recogniser):
    return FallbackArrayRecogniser(recogniser, RING)


def at_ring(sound):
    """Return *sound* as a ring of four hears it from 200 degrees."""
    return arriving(0.3 * sound / np.abs(sound).max(), RING, 200.0) + room_noise(len(sound), 4)


@pytest.fixture
def heard(ear):
    """Return the cards that are chosen in a sound, and whether a direction is told."""

    def heard(sound):
        found = [one for at in range(0, len(sound), 800) for one in ear.feed(sound[at : at + 800])]
        return [(one.intent.slots["card"], one.direction_deg is not None) for one in found if one.intent is not None]

    return heard


def test_one_microphone_is_heard_without_a_direction_and_the_array_again_with_one(heard, say):
    assert heard(at_ring(say("I choose card seven", pause=1.0))) == [(7, True)]
    assert heard(say("I choose card nine", pause=1.0)) == [(9, False)]
    assert heard(at_ring(say("I choose card four", pause=1.0))) == [(4, True)]


def test_what_was_being_said_is_heard_to_its_end_when_the_device_changes(heard, say):
    said = at_ring(say("I choose card seven", pause=0.0))
    assert heard(np.concatenate([room_noise(16_000, 4), said])) == []
    assert heard(np.zeros(800, np.float32)) == [(7, True)]


def test_the_clock_goes_on_when_the_device_changes(ear, heard, say):
    heard(at_ring(say("I choose card seven", pause=1.0)))
    before_s = ear.now_s
    heard(say("I choose card nine", pause=1.0))
    assert ear.now_s > before_s + 2
    before_s = ear.now_s
    heard(at_ring(say("I choose card four", pause=1.0)))
    assert ear.now_s > before_s + 2
