"""The nights in the docs are what the house says now."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from tests.narration.conftest import SCRIPTS

ROOT = Path(__file__).parents[2]
EACH_TRANSCRIPT = pytest.mark.parametrize(
    "language", sorted(path.stem for path in (ROOT / "script" / "transcripts").glob("*.toml"))
)


@pytest.fixture(scope="module")
def transcripts() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "script" / "transcripts.py"))


BEFORE_THE_SAND = ("event.bet_placed.agrees", "event.bet_placed.disagrees", "event.bet_withdrawn")
"""Bets are told in words only before the sand is turned, which bots do not wait for."""

OF_NO_PRINTED_EDITION = {
    "event.shared_vision_laid_some",
    "hands.turn",
    "lesson.vote_secret",
}
"""Lines for editions that nobody has printed: another vote, another number of shared cards, another calendar."""

DEALT_BY_HAND = {*(f"event.answer_corrected.{way}" for way in ("card", "yes", "no")), "event.clairvoyancy_taken_back"}
"""Lines for a ghost who deals by hand and corrects an answer, which no bot does."""


@EACH_TRANSCRIPT
def test_the_night_in_the_docs_is_up_to_date(transcripts: dict[str, Any], language: str):
    written = (ROOT / "docs" / f"night-{language}.md").read_text(encoding="utf-8")
    assert written == transcripts["write_transcript"](language), "run .venv/bin/python -m script.transcripts"


@EACH_TRANSCRIPT
def test_the_night_in_the_docs_has_a_line_of_every_kind(transcripts: dict[str, Any], language: str):
    night = transcripts["Transcript"](language)
    transcripts["add_nights"](night)
    lines = {key for key in SCRIPTS[language].lines if not key.startswith(("brisk.", "example.", "lore.", "phrase."))}
    assert lines - night.keys_told <= {
        *BEFORE_THE_SAND,
        "week.event.time_called.over",
        *OF_NO_PRINTED_EDITION,
        *DEALT_BY_HAND,
    }
