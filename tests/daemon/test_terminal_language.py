"""What an evening shows on its terminal is in the language of the settings."""

import io

import pytest
from rich.console import Console

from hardware.body import open_body
from hardware.terminal_view import render_body
from seance.daemon.notify import status_line
from seance.daemon.secret_text import secret_lines
from seance.daemon.terminal_ui import Screen
from seance.daemon.world.body_labels import body_labels
from seance.languages import DEFAULT_LANGUAGE
from seance.narration.cues import Knock, KnockMeaning, Whisper
from seance.narration.script import Script
from seance.rules import LIBELLUD, Begin, Deal, Seat, Visions, apply, room_view, view
from seance.texts import Texts
from tests.foreign_text import EACH_OTHER_LANGUAGE, untranslated

NIGHTS = [
    Begin(edition=LIBELLUD, players=4, level="easy", seed=1, deal=deal, visions=visions)
    for deal in Deal
    for visions in Visions
]


def screen_of(language: str) -> str:
    """Return the picture of an evening in which everything is shown."""
    texts = Texts.load("terminal", language)
    console = Console(file=io.StringIO(), force_terminal=True, width=100, height=60, color_system=None)
    with open_body("virtual") as body:
        labels = body_labels(texts)
        screen = Screen(console, texts, lambda: render_body(body.value, body.board, labels=labels, just_knocked=True))
        screen.page_address = lambda: ("http://192.0.2.1/", ())
        screen.host_code = lambda: "407152"
        screen.show(Knock(KnockMeaning.NO, 2))
        screen.show(Whisper("…"))
        console.print(screen.render())
    return str(console.file.getvalue())  # type: ignore[attr-defined]


@EACH_OTHER_LANGUAGE
def test_the_picture_of_an_evening_has_no_english_in_it(language):
    assert untranslated(screen_of(DEFAULT_LANGUAGE), "terminal", language)
    assert untranslated(screen_of(language), "terminal", language) == []


@EACH_OTHER_LANGUAGE
@pytest.mark.parametrize("begin", NIGHTS)
def test_the_ghost_reads_its_secrets_without_english(begin, language):
    state, _ = apply(None, begin)
    texts, colours = Texts.load("terminal", language), Script.load(language).inflection.psychics
    shown = "\n".join(secret_lines(view(state, Seat.GHOST), texts, colours) + secret_lines(None, texts, colours))
    assert untranslated(shown, "terminal", language) == []
    assert not [psychic for psychic in state.setup.psychics if f"{psychic} :" in shown]


@EACH_OTHER_LANGUAGE
def test_the_status_of_the_service_has_no_english_in_it(language):
    state, _ = apply(None, NIGHTS[0])
    texts = Texts.load("terminal", language)
    for room in (None, room_view(state)):
        assert untranslated(status_line(room, texts), "terminal", language) == []
