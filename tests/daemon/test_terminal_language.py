"""What an evening shows on its terminal is in the language of the settings."""

import pytest

from seance.daemon.notify import status_line
from seance.daemon.secret_text import secret_lines
from seance.daemon.terminal.evening_view import EveningView
from seance.daemon.terminal.screen_layout import ScreenPanel, TalkLine
from seance.daemon.terminal_texts import TerminalTexts
from seance.daemon.world.page_texts import load_page_words
from seance.languages import DEFAULT_LANGUAGE
from seance.narration.script import Script
from seance.rules import LIBELLUD, Begin, Deal, Seat, Visions, apply, room_view, view
from seance.texts import Texts
from tests.daemon.screens import screen_rows
from tests.foreign_text import EACH_OTHER_LANGUAGE, untranslated

NIGHTS = [
    Begin(edition=LIBELLUD, players=4, level="easy", seed=1, deal=deal, visions=visions)
    for deal in Deal
    for visions in Visions
]


def screen_of(language: str) -> str:
    """Return the screens of an evening in which everything is shown."""
    state, _ = apply(None, NIGHTS[0])
    words = load_page_words(language).of(LIBELLUD.name)
    view = EveningView(
        room=room_view(state), words=words, address="http://192.0.2.1/", qr_code=("█",), host_code="407152"
    )
    talk = [TalkLine(Texts.load("terminal", language)("screen.knock"))] * 60
    screens = [
        screen_rows(view, talk, language=language, whispers=["…"], scrolled=5),
        screen_rows(view, language=language, panel=ScreenPanel.PHONES, height=4),
        screen_rows(EveningView(words=words), language=language, panel=ScreenPanel.PHONES),
    ]
    return "\n".join(row for screen in screens for row in screen)


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
    texts = TerminalTexts.load(language)
    for room in (None, room_view(state)):
        assert untranslated(status_line(room, texts), "terminal", language) == []
