from pathlib import Path
from typing import Any

import pytest
import yaml

from seance.dialogue.grammar.sentences import Intent, Sentences
from seance.rules import PlaceIntuition, TurnSand
from tests.guests import Guests, sentences
from tests.languages import LANGUAGES
from tests.nights import BLUE, WHITE, YELLOW, after, begun, served

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def spoken() -> dict[str, Sentences]:
    """The sentences of every language."""
    return {language: sentences(language) for language in LANGUAGES}


@pytest.fixture(scope="session")
def english(spoken: dict[str, Sentences]) -> Sentences:
    return spoken["en"]


@pytest.fixture(scope="session")
def french(spoken: dict[str, Sentences]) -> Sentences:
    return spoken["fr"]


@pytest.fixture
def guests() -> Guests:
    """Five players in the first hour, all visions given and the sand turned."""
    return Guests(after(served(begun()), TurnSand()))


@pytest.fixture
def card(guests: Guests) -> int:
    """A card that anybody may choose."""
    return guests.state.table.character[0]


@pytest.fixture
def betting(guests, card) -> Guests:
    """The table when three have chosen."""
    for psychic in (BLUE, WHITE, YELLOW):
        guests.do(PlaceIntuition(psychic=psychic, card=card))
    return guests


def said(language: str) -> dict[str, Intent]:
    """What each text of the table means."""
    path = HERE / f"said.{language}.yaml"
    table: dict[str, tuple[str, dict[str, Any]]] = yaml.safe_load(path.read_text("utf-8")) if path.exists() else {}
    return {
        text: Intent(name, {slot: tuple(v) if isinstance(v, list) else v for slot, v in slots.items()})
        for text, (name, slots) in table.items()
    }


def talk(language: str) -> list[str]:
    """Sentences of people who are not speaking to us."""
    path = HERE / f"talk.{language}.txt"
    return path.read_text("utf-8").splitlines() if path.exists() else []
