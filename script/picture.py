"""Write docs/night.svg: the terminal in the second hour of a night, as `seance run` shows it.

`.venv/bin/python script/picture.py` writes it: do not edit it by hand.
"""

import io
import random
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from hardware.body import Body, open_body
from hardware.terminal_view import render_body
from seance.daemon.evening import Evening
from seance.daemon.signals import ButtonPress, Signal, Typed
from seance.daemon.terminal_ui import Screen
from seance.daemon.world.body_driver import BodyDriver
from seance.daemon.world.composition import build_context
from seance.journal import Journal
from seance.narration import cues as c
from seance.narration.cues import Cue
from seance.programs.owner_settings import editions_with_settings
from seance.rules import Psychic
from seance.settings import parse
from seance.texts import Texts

PICTURE = Path(__file__).parents[1] / "docs" / "night.svg"
SETTINGS = """
[telling]
first_night = false
"""
SEED = 11
WIDTH = 80
"""Columns of the terminal."""
SIGNAL_INTERVAL_S = 11.0
BRIGHT_LEVEL = 0.95
FADE_S = 2.0
"""Until no lamp changes any more."""


def evening_signals(evening: Evening) -> Iterator[Signal]:
    """Yield the signals of the evening: red and white choose right, blue chooses wrong."""
    yield Typed("begin the séance")
    yield Typed("we are four, easy, the usual rules, red, blue and white play, without the story")
    yield Typed("yes")
    yield from [ButtonPress("visions")] * 4
    ghost = evening.ghost
    assert ghost is not None
    assert ghost.secret is not None
    red, white = ghost.secret[Psychic.RED], ghost.secret[Psychic.WHITE]
    yield Typed(f"red chooses card {red.character}")
    yield Typed(f"blue chooses card {red.character}")
    yield Typed(f"white chooses card {white.character}")
    yield Typed("we are ready")
    yield from [ButtonPress("visions")] * 4
    yield Typed(f"red chooses card {red.location}")
    yield Typed("blue agrees with red")
    yield Typed("how much time is left")


def play_evening(evening: Evening, body: Body, screen: Screen) -> None:
    """Play the evening on *body* and *screen*, and wait until the lights are still."""
    driver, now = BodyDriver(body), 0.0
    perform(evening.open(now), driver, screen)
    for signal in evening_signals(evening):
        now += SIGNAL_INTERVAL_S
        if isinstance(signal, Typed):
            screen.show_input(signal.text)
        perform(evening.receive(signal, now), driver, screen)
    if evening.sand is not None:
        driver.show_sand(evening.sand.left_at(now), evening.sand.turn_s, running=False)
    while body.knocker.pending:
        time.sleep(0.1)
    time.sleep(FADE_S)
    while max(body.value.clock) < BRIGHT_LEVEL:  # the hour breathes
        time.sleep(0.02)


def perform(cues: Iterable[Cue], driver: BodyDriver, screen: Screen) -> None:
    for cue in cues:
        screen.show(cue)
        match cue:
            case c.ShowHour():
                driver.show_hour(cue.hour, struck=False)
            case c.ShowPsychics():
                driver.show_psychics(cue)
            case c.Knock():
                driver.knock(cue.says, cue.count)


def main() -> None:
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    chosen, chance = parse(SETTINGS), random.Random(SEED)
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal.open(Path(folder) / "nights") as journal,
        open_body("virtual") as body,
    ):
        context = build_context(chosen, journal, editions=editions_with_settings(chosen), names={})
        screen = Screen(console, Texts.load("terminal", chosen.language), lambda: render_body(body.value, body.board))
        play_evening(Evening(replace(context, draw_seed=lambda: chance.getrandbits(63))), body, screen)
        console.print(screen.render())
    PICTURE.write_text(console.export_svg(title="seance run", unique_id="night"), encoding="utf-8")
    print(PICTURE)


if __name__ == "__main__":
    main()
