"""What a voice is told of an evening: what may be said next, when it is quiet, and when the house is idle."""

import threading

import pytest

from seance.daemon.signals import Tick
from seance.daemon.world.rendering_ahead import RenderingAhead


class Voice:
    """Notes what it is told."""

    def __init__(self, *, is_slow=True):
        self.is_slow = is_slow
        self.lines, self.quiet, self.told = (), [], threading.Semaphore(0)

    def foresee(self, lines):
        self.lines = tuple(lines)
        self.told.release()

    def set_quiet(self, quiet):
        self.quiet.append(quiet)


class Idle:
    """Notes for how long nobody has done anything."""

    def __init__(self):
        self.idle_s = []

    def follow(self, idle_s):
        self.idle_s.append(idle_s)

    def close(self):
        self.idle_s.append(None)


@pytest.fixture
def house(visions):
    """An evening in which red, blue and white wait for visions; a test sets the time and whether it is quiet."""
    visions.voice, visions.idle, visions.is_quiet, visions.clock = Voice(), Idle(), True, 1000.0
    with RenderingAhead(
        visions.evening._context,
        visions.voice,
        visions.idle,
        is_quiet=lambda: visions.is_quiet,
        clock=lambda: visions.clock,
    ) as visions.ahead:
        yield visions


def test_the_voice_is_told_what_may_be_said_next(house):
    house.ahead.follow(house.evening)
    assert house.voice.told.acquire(timeout=20)
    house.say("red has a vision")
    assert house.voice.lines


def test_a_fast_voice_is_told_nothing_ahead_and_renders_in_idle_hours_alone(visions):
    voice, idle = Voice(is_slow=False), Idle()
    before = set(threading.enumerate())
    with RenderingAhead(visions.evening._context, voice, idle, is_quiet=lambda: True, clock=lambda: 1000.0) as ahead:
        ahead.follow(visions.evening)
        assert set(threading.enumerate()) == before
    assert len(idle.idle_s) == 2


def test_the_voice_is_told_when_a_guest_speaks(house):
    for house.is_quiet in (True, False, True):
        house.ahead.follow(house.evening)
    assert house.voice.quiet == [True, False, True]


def test_the_house_is_idle_since_somebody_spoke_last(house):
    house.wait(900)
    house.is_quiet = False
    house.ahead.follow(house.evening)
    house.is_quiet, house.clock = True, 1030.0
    house.ahead.follow(house.evening)
    assert house.idle.idle_s == [0.0, 30.0]


def test_the_house_is_idle_since_somebody_did_something_last(house):
    house.clock += 5000
    house.say("what hour is it")
    house.give(Tick())
    house.ahead.follow(house.evening)
    assert house.idle.idle_s[-1] < 5


def test_what_renders_in_idle_hours_ends_with_the_evening(visions):
    idle = Idle()
    ahead = RenderingAhead(visions.evening._context, Voice(), idle, is_quiet=lambda: True, clock=lambda: 0.0)
    with ahead:
        pass
    assert idle.idle_s == [None]
