"""What the documents show is true."""

import doctest
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def test_the_examples_of_the_readme_are_true():
    results = doctest.testfile(str(README), module_relative=False)
    assert (results.failed, results.attempted > 5) == (0, True)
