"""Whole nights typed in a real terminal: the line to type on is always in sight, and no secret is anywhere."""

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from seance.audio import devices
from seance.audio.portaudio import SoundTrouble
from seance.daemon.terminal.plain_terminal import PlainTerminal
from seance.programs.run_terminal import note_missing_devices
from seance.rules import Category, Phase, State
from seance.settings import Settings
from seance.texts import Texts
from tests.daemon.terminal_session import TerminalSession

SET_UP = ("begin the séance", "we are four, easy, the usual rules, red, blue and white play, without the story", "yes")
CTRL_C, PAGE_UP, PAGE_DOWN, UP, TAB = "\x03", "\x1b[5~", "\x1b[6~", "\x1b[A", "\t"
F1, F2, ESC = "\x1bOP", "\x1bOQ", "\x1b"


@pytest.fixture
def sessions() -> Iterator[list[TerminalSession]]:
    opened: list[TerminalSession] = []
    yield opened
    for session in opened:
        session.close()


def open_session(sessions: list[TerminalSession], folder: Path, *arguments: str, **more) -> TerminalSession:
    session = TerminalSession(folder, *arguments, **more)
    sessions.append(session)
    return session


def ready(session: TerminalSession) -> TerminalSession:
    """Wait until the house listens."""
    session.until_shown("begin the séance")
    return session


def night_lines(session: TerminalSession) -> Iterator[str]:
    """Yield what is typed in a night that is won, up to the line-up: every psychic finds a card in each hour."""
    for hour, kind in enumerate(Category, start=1):
        state = session.until_state(lambda state, hour=hour: state.hour == hour and state.phase is Phase.VISIONS)
        for search in state.searches:
            yield f"ghost vision {search.psychic}"
        yield "ghost sand"
        for search in state.searches:
            assert search.secret is not None
            yield f"{search.psychic} chooses card {search.secret.of(kind)}"
        yield "red agrees with blue"
        yield "we are ready"


def verdict_lines(state: State) -> Iterator[str]:
    """Yield what is typed from the line-up on, with the third group as the culprit."""
    yield "ghost culprit 3"
    yield "ghost lay"
    for _ in range(3):
        yield "we have voted"
    for search in state.searches:
        yield f"{search.psychic} votes for group 3"
        yield "yes"


def play(session: TerminalSession, lines: Iterator[str]) -> None:
    """Type *lines*, and look for what the ghost has typed as soon as it was sent."""
    for line in lines:
        session.type(line)
        assert not (line.startswith("ghost") and line in session.text)


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40)])
def test_a_whole_night_is_typed_with_the_line_to_type_on_in_sight(sessions, tmp_path, columns, rows):
    session = open_session(sessions, tmp_path, columns=columns, rows=rows)
    ready(session).is_watched = True
    session.type(*SET_UP)
    session.until_shown("no vision yet")
    play(session, night_lines(session))
    state = session.until_state(lambda state: state.phase is Phase.LINEUP)
    session.until_shown("group psychic cards")
    if columns > 80:
        session.is_watched = False
        session.resize(80, 24)
        session.until(lambda: session.prompt == ">" and session.text.count("group psychic cards") == 1)
        session.is_watched = True
    play(session, verdict_lines(state))
    session.until_shown("Won.")
    assert session.frames_without_prompt == []
    assert session.screen.cursor.y == session.screen.lines - 2

    session.press(CTRL_C)
    session.process.wait(30)
    assert "kept" not in session.text  # the night is over
    everything = session.scrollback + session.text
    assert "culprit 3" not in everything
    logs = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and "nights" not in path.name]
    assert not [text for text in logs if b"culprit 3" in text]


def test_what_the_ghost_types_cannot_be_brought_back(sessions, tmp_path):
    session = ready(open_session(sessions, tmp_path))
    session.type(*SET_UP, "red has a vision", "ghost vision blue")
    session.press(UP)
    session.until(lambda: session.prompt == "> red has a vision")
    session.press("\x01\x0b")  # to the beginning, and cut the line
    session.press("ghost vi")
    session.until(lambda: session.prompt == "> ghost vi")
    session.press(TAB)
    session.press("\x01\x0b")
    session.press("ghost\r")
    session.until_shown("to the ghost alone:")
    session.press("\x19.")  # paste what was cut
    session.until(lambda: "to the ghost alone" not in session.text)
    assert session.prompt == "> ."


def test_tab_completes_what_may_be_said_now(sessions, tmp_path):
    session = ready(open_session(sessions, tmp_path))
    session.type(*SET_UP)
    session.until_shown("no vision yet")
    session.press("red cho" + TAB)
    session.until(lambda: session.prompt == "> red chooses")


def test_the_line_can_be_edited(sessions, tmp_path):
    session = ready(open_session(sessions, tmp_path))
    session.press("bgin the séance\x01\x1b[Ce")  # to the beginning, one to the right
    session.until(lambda: session.prompt == "> begin the séance")


def test_leaving_in_the_middle_of_a_night_says_how_to_go_on(sessions, tmp_path):
    session = ready(open_session(sessions, tmp_path))
    session.type(*SET_UP)
    session.until_shown("no vision yet")
    session.press(CTRL_C)
    session.process.wait(30)
    session.until_shown("The night is kept. Go on with: seance run")


def test_a_key_shows_the_code_for_phones(sessions, tmp_path):
    session = open_session(sessions, tmp_path, listen="network")
    ready(session).press(F2)
    session.until_shown("█▀")
    assert session.prompt == ">"
    session.press(F2)
    session.until(lambda: "█▀" not in session.text)


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40)])
def test_a_key_shows_the_help_card_which_can_be_scrolled(sessions, tmp_path, columns, rows):
    session = ready(open_session(sessions, tmp_path, columns=columns, rows=rows))
    session.press(F1)
    session.until_shown("You can say")
    assert session.prompt == ">"
    for _ in range(8):
        session.press(PAGE_DOWN)
    session.until_shown("he last hint, for all of you")
    session.press(F1)
    session.until(lambda: "You can say" not in session.text and "last hint" not in session.text)
    session.press("help\r")
    session.until_shown("You can say")
    session.press(ESC)
    session.until(lambda: "You can say" not in session.text)


def test_help_is_printed_on_a_plain_terminal(sessions, tmp_path):
    session = open_session(sessions, tmp_path, "--plain")
    session.until_shown("begin the séance")
    session.press("help\r")
    session.until_shown("he last hint, for all of you")
    assert b"You can say" in session.written


@pytest.mark.parametrize("environ", [{"NO_COLOR": "1"}, {"TERM": "vt100"}])
def test_no_colour_is_used_where_none_is_wanted(sessions, tmp_path, environ):
    session = ready(open_session(sessions, tmp_path, **environ))
    session.type("begin the séance")
    colours = re.findall(rb"\x1b\[[0-9;]*m", session.written)
    assert not [code for code in colours if re.search(rb"[\[;](3[0-7]|38|4[0-7]|48|9[0-7])[;m]", code)]


@pytest.mark.parametrize(("arguments", "environ"), [(["--plain"], {}), ([], {"TERM": "dumb"})])
def test_plain_is_lines_only_and_echoes_no_secret(sessions, tmp_path, arguments, environ):
    session = open_session(sessions, tmp_path, *arguments, **environ)
    session.until_shown("begin the séance")
    for line in (*SET_UP, "ghost vision red"):
        session.press(f"{line}\r")
    session.until_shown("Red, a vision")
    assert b"\x1b" not in session.written
    assert "ghost vision" not in session.text


def test_a_missing_microphone_and_loudspeaker_are_said_once(monkeypatch):
    def find_none(_name: str | None) -> None:
        raise SoundTrouble("there is none")

    monkeypatch.setattr(devices, "choose_input", find_none)
    monkeypatch.setattr(devices, "choose_output", find_none)
    shown = io.StringIO()
    terminal = PlainTerminal(Texts.load("terminal", "en"), shown)
    note_missing_devices(terminal, Settings(), with_hearing=True, with_sound=True)
    note_missing_devices(terminal, Settings(), with_hearing=False, with_sound=False)
    assert shown.getvalue().splitlines() == [
        "There is no microphone: type what you would say.",
        "There is no loudspeaker: lines are only shown.",
    ]
