"""All that a program wrote before it was killed with -9 is in the journal; `script/bench journal` kills a thousand."""

import pytest

from tests.journal.killing import kill_and_compare


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_was_said_to_be_written_is_there_after_a_kill(seed, tmp_path):
    assert kill_and_compare(tmp_path / "nights.sqlite", seed, kills=6).complaints == ()
