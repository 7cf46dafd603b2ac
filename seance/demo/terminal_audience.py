"""The night on a terminal, and aloud where there is a loudspeaker: what is said and heard, and the board."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack
from functools import singledispatchmethod
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console, RenderableType
from rich.live import Live
from rich.markup import escape

from hardware import LightState as Lamp
from hardware import open_body
from hardware.terminal_view import render_body
from hardware.timers import ManualTimers
from seance.audio.waves import Wave
from seance.daemon.world.body_driver import Limbs
from seance.narration import cues as c
from seance.narration.cues import Cue
from seance.rules import Psychic

STEP = 0.1
"""Seconds between two looks at the board where time passes."""
SIGNS = {Lamp.DARK: "·", Lamp.WAITING: "○", Lamp.SERVED: "◐", Lamp.CHOSEN: "●"}
COLOURS: Mapping[Psychic, str] = {
    Psychic.BLUE: "blue",
    Psychic.WHITE: "bright_white",
    Psychic.RED: "red",
    Psychic.YELLOW: "yellow",
    Psychic.PURPLE: "magenta",
    Psychic.BLACK: "bright_black",
}


class Loudspeaker(Protocol):
    """What the night is heard with."""

    def say(self, text: str) -> None:
        """Begin to say *text* as the narrator."""

    def play(self, wave: Wave) -> None:
        """Begin to play a guest."""

    def knock(self) -> None:
        """Knock once."""

    def finish(self) -> None:
        """Return when all that is being said was heard."""


class Terminal:
    """Lines of what is said and heard; beneath them the board, where somebody watches."""

    def __init__(self, console: Console, *, speed: float | None = None, loudspeaker: Loudspeaker | None = None) -> None:
        """Let time pass *speed* times as fast as at a table; None does not wait at all."""
        self._console, self._speed, self._loudspeaker = console, speed, loudspeaker
        self._timers = ManualTimers()
        self._body = open_body("virtual", timers=self._timers)
        self._limbs = Limbs(self._body)
        if loudspeaker is not None:
            self._body.knocker.when_knocked = lambda _: loudspeaker.knock()
        self._live = Live(get_renderable=self._portrait, console=console, auto_refresh=False, transient=True)
        self._closing = ExitStack()

    def __enter__(self) -> Self:
        self._closing.enter_context(self._body)
        if self._console.is_terminal:
            self._closing.enter_context(self._live)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.close()

    # What there is to take in

    def perceive(self, cue: Cue) -> None:
        """Show what the room perceives."""
        self._show(cue)

    def listen(self, guest: Psychic, words: str, wave: Wave | None, *, aside: bool) -> None:
        """Show what a guest says or types."""
        how = "types" if wave is None else "aside" if aside else "says"
        self._line(guest, f"{how} “{escape(words)}”", COLOURS[guest])
        if wave is not None and self._loudspeaker is not None:
            self._loudspeaker.play(wave)

    def overhear(self, text: str, *, meant: bool) -> None:
        """Show what the ear made of it."""
        self._line("ear", f"“{escape(text)}”" if meant else "nothing for the house", "dim")

    def wait(self, seconds: float) -> None:
        """Let time pass on the board and in the room, until all is heard; where nobody waits, at once."""
        if self._speed is None and not self._body.knocker.pending:
            # Nobody sees how the lamps get there, and drawing them would take longer than the night.
            self._timers.skip(max(0.0, seconds - STEP))
            seconds = min(seconds, STEP)
        while seconds > 0:
            step = min(STEP, seconds)
            if self._speed is not None:
                time.sleep(step / self._speed)
            self._timers.advance(step)
            if self._live.is_started:
                self._live.refresh()
            seconds -= step
        if self._loudspeaker is not None:
            self._loudspeaker.finish()

    # What each cue looks like

    @singledispatchmethod
    def _show(self, cue: Cue) -> None:
        """Show nothing of what is only a sound."""

    @_show.register
    def _(self, cue: c.Say) -> None:
        self._line("house", escape(cue.text), "bold")
        if self._loudspeaker is not None:
            self._loudspeaker.say(cue.text)

    @_show.register
    def _(self, cue: c.Whisper) -> None:
        self._line("ghost", f"is told: {escape(cue.text)}", "cyan")

    @_show.register
    def _(self, cue: c.Knock) -> None:
        self._limbs.knock(cue.says, cue.count)
        self._line("knocks", f"{' '.join('◉' * cue.count)} ({cue.says})", "bold")

    @_show.register
    def _(self, cue: c.ShowHour) -> None:
        self._limbs.show_hour(cue.hour, struck=cue.struck)
        if cue.hour:
            self._line("board", self._summary(), "dim")

    @_show.register
    def _(self, cue: c.ShowSand) -> None:
        self._limbs.show_sand(cue.left, cue.of, running=cue.running)
        if cue.left is not None:
            self._line("board", self._summary(), "dim")

    @_show.register
    def _(self, cue: c.ShowPsychics) -> None:
        self._limbs.show_psychics(cue)

    def _summary(self) -> str:
        """Return the board in one line."""
        state = self._body.value
        lights = " ".join(SIGNS[light] for light in state.lights)
        return f"hour {state.hour} · sand {state.sand:.0%} · lights {lights} · knocks {state.knocks}"

    def _portrait(self) -> RenderableType:
        return render_body(self._body.value, self._body.board)

    def _line(self, who: str, what: str, style: str) -> None:
        self._console.print(f"[{style}]{who:>7}[/]  {what}", highlight=False, soft_wrap=True)
