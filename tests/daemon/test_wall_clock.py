"""A system clock that is set: the host is told once, and no sand is lost."""

import pytest

from seance.daemon.world.wall_clock import WallClock


class Hands:
    """A clock that is turned by hand."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("by", [-3600.0, 31.0, 1e9])
def test_a_clock_that_is_set_is_noticed_once(by):
    wall, steady = Hands(), Hands()
    clock = WallClock(wall, steady)
    wall.now += by
    assert clock.has_jumped()
    assert not clock.has_jumped()


def test_a_clock_that_runs_a_little_fast_is_not_taken_for_one_that_was_set():
    wall, steady = Hands(), Hands()
    clock = WallClock(wall, steady)
    for _ in range(100):
        wall.now, steady.now = wall.now + 0.6, steady.now + 0.5
        assert not clock.has_jumped()
