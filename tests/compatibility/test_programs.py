"""What people and scripts write on the command line is understood."""

import json
import re

import pytest

from seance.cli import main
from tests.compatibility.files import told

OPTIONS = json.loads(told("options.json"))


@pytest.mark.parametrize("words", OPTIONS)
def test_a_program_has_the_options_that_it_had(words, capsys):
    with pytest.raises(SystemExit, match="0"):
        main([*words.split(), "--help"])
    assert {*OPTIONS[words]} <= {*re.findall(r"(?<![\w-])--[a-z][a-z-]*", capsys.readouterr().out)}
