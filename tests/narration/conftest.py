from collections.abc import Callable
from pathlib import Path

import pytest

from seance.narration.script import Script
from seance.narration.staging import NarrationStyle
from seance.rules import Refusal
from tests.languages import LANGUAGES

SCRIPTS = {language: Script.load(language) for language in LANGUAGES}
REFUSALS = [kind for kind in Refusal.__subclasses__() if kind.__module__.startswith("seance.rules.")]
"""Those of the rules; the wire has some of its own, which nobody hears."""


@pytest.fixture
def style() -> NarrationStyle:
    """A first night at full pace, in English."""
    return NarrationStyle(script=SCRIPTS["en"])


@pytest.fixture
def owners(tmp_path: Path) -> Callable[[str], Path]:
    """Write a script of the owner's."""

    def write(text: str) -> Path:
        file = tmp_path / "script.toml"
        file.write_text(text, encoding="utf-8")
        return file

    return write
