"""The languages that tests loop over, and what is said in each: tests/samples/<code>.toml."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from seance.languages import language_codes, load_language

LANGUAGES = language_codes()
SAMPLES = Path(__file__).parent / "samples"
SAMPLED = tuple(code for code in LANGUAGES if (SAMPLES / f"{code}.toml").exists())
"""Languages in which tests know what to say."""
SPOKEN = tuple(code for code in SAMPLED if load_language(code).models.recogniser and load_language(code).test_voices)
"""Languages that tests speak to the recogniser."""
EACH_LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)
EACH_SAMPLED = pytest.mark.parametrize("language", SAMPLED)
EACH_SPOKEN = pytest.mark.parametrize("language", SPOKEN)


@cache
def sample(language: str) -> dict[str, Any]:
    """Return what tests say in *language*."""
    return tomllib.loads((SAMPLES / f"{language}.toml").read_text(encoding="utf-8"))
