from pathlib import Path
from typing import Any

import pytest
import yaml

from seance.dialogue.sentences import Intent, Sentences

HERE = Path(__file__).parent
LANGUAGES = ("en", "fr")


@pytest.fixture(scope="session")
def spoken() -> dict[str, Sentences]:
    """The sentences of every language."""
    return {language: Sentences.load(language) for language in LANGUAGES}


@pytest.fixture(scope="session")
def english(spoken: dict[str, Sentences]) -> Sentences:
    return spoken["en"]


@pytest.fixture(scope="session")
def french(spoken: dict[str, Sentences]) -> Sentences:
    return spoken["fr"]


def said(language: str) -> dict[str, Intent]:
    """What each text of the table means."""
    table: dict[str, tuple[str, dict[str, Any]]] = yaml.safe_load((HERE / f"said.{language}.yaml").read_text("utf-8"))
    return {
        text: Intent(name, {slot: tuple(v) if isinstance(v, list) else v for slot, v in slots.items()})
        for text, (name, slots) in table.items()
    }


def talk(language: str) -> list[str]:
    """Sentences of people who are not speaking to us."""
    return (HERE / f"talk.{language}.txt").read_text("utf-8").splitlines()
