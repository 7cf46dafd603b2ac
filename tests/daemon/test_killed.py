"""A program that is killed with -9 goes on where the room was; `script/bench night` kills a thousand."""

import pytest

from tests.daemon.killing import killed_night


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nothing_that_was_said_aloud_is_missing_after_a_kill(seed, tmp_path):
    assert killed_night(tmp_path / "nights.sqlite", seed, kills=4).wrong == ()
