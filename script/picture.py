"""Write docs/night.svg: the terminal in the second hour of a night, as `seance run` shows it.

`.venv/bin/python script/picture.py` writes it; nothing is drawn by hand.
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
from seance.daemon.terminal import Screen
from seance.daemon.world.body_driver import BodyDriver
from seance.daemon.world.composition import build_context
from seance.journal import Journal
from seance.narration import cues as c
from seance.narration.cues import Cue
from seance.programs.owner_settings import editions_with_settings
from seance.rules import Psychic
from seance.settings import parse

PICTURE = Path(__file__).parents[1] / "docs" / "night.svg"
SETTINGS = """
[telling]
first_night = false
"""
SEED, WIDTH = 11, 80
BETWEEN = 11.0
"""Seconds from one signal to the next."""
BRIGHT = 0.95
FADES = 2.0
"""Seconds until no lamp changes any more."""


def evening_of(evening: Evening) -> Iterator[Signal]:
    """Yield what happens: the ghost presses, guests speak; red and white choose well, blue does not."""
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


def hold(evening: Evening, body: Body, screen: Screen) -> None:
    """Hold the evening on *body* and *screen*."""
    driver, now = BodyDriver(body), 0.0
    perform(evening.open(now), driver, screen)
    for signal in evening_of(evening):
        now += BETWEEN
        if isinstance(signal, Typed):
            screen.show_input(signal.text)
        perform(evening.receive(signal, now), driver, screen)
    if evening.sand is not None:
        driver.show_sand(evening.sand.left_at(now), evening.sand.turn_s, running=False)
    while body.knocker.pending:
        time.sleep(0.1)
    time.sleep(FADES)
    while max(body.value.clock) < BRIGHT:  # the hour breathes
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
        Journal.open(Path(folder) / "nights.sqlite") as journal,
        open_body("virtual") as body,
    ):
        context = build_context(chosen, journal, editions=editions_with_settings(chosen), names={})
        screen = Screen(console, lambda: render_body(body.value, body.board))
        hold(Evening(replace(context, draw_seed=lambda: chance.getrandbits(63))), body, screen)
        console.print(screen.render())
    PICTURE.write_text(console.export_svg(title="seance run", unique_id="night"), encoding="utf-8")
    print(PICTURE)


if __name__ == "__main__":
    main()
