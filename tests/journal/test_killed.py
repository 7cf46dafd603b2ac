"""A program that is killed with -9 leaves what it had written, and no less; `script/bench journal` kills a thousand."""

import pytest

from tests.journal.killing import killed_night


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_was_said_to_be_written_is_there_after_a_kill(seed, tmp_path):
    assert killed_night(tmp_path / "nights.sqlite", seed, kills=6).wrong == ()
