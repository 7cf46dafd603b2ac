import io

import pytest
from rich.console import Console

from seance.daemon.evening import Evening
from seance.daemon.signals import GhostCommand
from seance.demo.table import DemoTable
from seance.demo.terminal_audience import TerminalAudience
from seance.narration.cues import Knock, KnockMeaning, PsychicLight, Say, ShowHour, ShowPsychics, ShowSand
from seance.rules import Psychic
from seance.texts import Texts
from tests.daemon.evenings import evening_context, night

TEXTS = Texts.load("terminal", "en")
COLOURS = {psychic: str(psychic) for psychic in Psychic}


class Gramophone:
    """A sound output that remembers what it played."""

    def __init__(self):
        self.played = []

    def prepare(self, text, who):
        self.played.append(f"({who}: {text})")

    def say(self, text, who):
        self.played.append(f"{who}: {text}")

    def play(self, wave):
        self.played.append(wave)

    def knock(self):
        self.played.append("knock")

    def finish(self):
        self.played.append("end")


def console(**given):
    return Console(file=io.StringIO(), width=100, **given)


def test_lines_say_who_spoke_what_was_heard_and_how_it_knocked():
    page = console()
    with TerminalAudience(page, TEXTS, COLOURS) as terminal:
        terminal.hear_guest(Psychic.RED, "red chooses [card] 7", None, aside=False)
        terminal.show_recognition("red chooses card seven", meant=True)
        terminal.perceive(Say("Red, card seven."))
        terminal.perceive(Knock(KnockMeaning.NO, 2))
    assert [line.strip() for line in page.file.getvalue().splitlines()] == [
        "red  types “red chooses [card] 7”",
        "ear  “red chooses card seven”",
        "house  Red, card seven.",
        "knocks  ◉ ◉ (no)",
    ]


def test_the_board_is_one_line_where_nobody_watches():
    page = console()
    with TerminalAudience(page, TEXTS, COLOURS) as terminal:
        terminal.perceive(ShowPsychics({Psychic.BLUE: PsychicLight.WAITING, Psychic.RED: PsychicLight.CHOSEN}))
        terminal.perceive(Knock(KnockMeaning.HOUR, 3))
        terminal.wait(10.0)
        terminal.perceive(ShowHour(3, struck=True))
        terminal.perceive(ShowSand(60.0, 120.0))
    board = page.file.getvalue().splitlines()[-1]
    assert board.strip() == "board  hour 3 · sand 50% · lights ○ · ● · · · · knocks 3"


def test_the_board_is_drawn_where_somebody_watches():
    page = console(force_terminal=True)
    with TerminalAudience(page, TEXTS, COLOURS) as terminal:
        terminal.perceive(ShowHour(1))
        terminal.wait(1.0)
    assert "board 'virtual'" in page.file.getvalue()


@pytest.mark.parametrize("speed", [None, 1000.0])
def test_a_line_is_heard_to_its_end_before_the_next(speed):
    gramophone = Gramophone()
    with TerminalAudience(console(), TEXTS, COLOURS, speed=speed, sound_output=gramophone) as terminal:
        terminal.perceive(Say("One."))
        terminal.wait(0.5)
        terminal.perceive(Knock(KnockMeaning.NO, 2))
        terminal.wait(2.0)
    assert gramophone.played == ["narrator: One.", "end", "knock", "knock", "end"]


def test_each_line_is_said_by_its_own_voice():
    gramophone = Gramophone()
    with TerminalAudience(console(), TEXTS, COLOURS, sound_output=gramophone) as terminal:
        terminal.perceive(Say("I am innocent.", voice="conrad"))
    assert gramophone.played == ["conrad: I am innocent."]


def test_all_lines_of_a_step_are_rendered_while_the_first_is_said(tmp_path):
    gramophone = Gramophone()
    with TerminalAudience(console(), TEXTS, COLOURS, sound_output=gramophone) as terminal:
        table = DemoTable(Evening(evening_context(tmp_path / "nights")), terminal)
        table.open()
        gramophone.played.clear()
        table.give(GhostCommand(night()))
    lines = [played for played in gramophone.played if played not in ("end", "knock")]
    said = [line for line in lines if not line.startswith("(")]
    assert len(said) > 2
    assert lines[: len(said)] == [f"({line})" for line in said]
