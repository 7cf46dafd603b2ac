"""A demonstration night on a terminal, and aloud with a loudspeaker: what is said and heard, and the board."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack
from functools import singledispatchmethod
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from hardware import LightState as Lamp
from hardware import open_body
from hardware.terminal_view import render_body
from hardware.timers import ManualTimers
from seance.audio.waves import Wave
from seance.daemon.world.body_driver import BodyDriver
from seance.daemon.world.body_labels import body_labels
from seance.narration import cues as c
from seance.narration.cues import Cue
from seance.plain_text import strip_controls
from seance.rules import Psychic
from seance.speech.synthesis import Synthesizer
from seance.texts import Texts

REFRESH_SECONDS = 0.1
"""The time between two drawings of the board."""
LIGHT_SIGNS = {Lamp.DARK: "·", Lamp.WAITING: "○", Lamp.SERVED: "◐", Lamp.CHOSEN: "●"}
COLOURS: Mapping[Psychic, str] = {
    Psychic.BLUE: "blue",
    Psychic.WHITE: "bright_white",
    Psychic.RED: "red",
    Psychic.YELLOW: "yellow",
    Psychic.PURPLE: "magenta",
    Psychic.BLACK: "bright_black",
}


class SoundOutput(Protocol):
    """Plays the narrator, the guests and the knocks."""

    synthesizer: Synthesizer
    """The narrator's."""

    def prepare(self, text: str, who: str) -> None:
        """Begin to render *text* in the voice of *who*, after what was prepared before."""

    def say(self, text: str, who: str) -> None:
        """Queue *text* in the voice of *who*: the narrator, or somebody of the cast."""

    def play(self, wave: Wave) -> None:
        """Queue the speech of a guest."""

    def knock(self) -> None:
        """Knock once."""

    def finish(self) -> None:
        """Return when all speech has been heard."""


class TerminalAudience:
    """Prints what is said and heard, and draws the board beneath it where the console is a terminal."""

    def __init__(
        self,
        console: Console,
        texts: Texts,
        colours: Mapping[Psychic, str],
        *,
        speed: float | None = None,
        sound_output: SoundOutput | None = None,
    ) -> None:
        """Use the *texts* of the file `terminal`, and call psychics by *colours*.

        Time passes *speed* times as fast as at a table; with None it is never waited for.
        """
        self._console, self._speed, self._sound_output = console, speed, sound_output
        self._texts, self._colours, self._labels = texts, colours, body_labels(texts)
        self._timers = ManualTimers()
        self._body = open_body("virtual", timers=self._timers)
        self._body_driver = BodyDriver(self._body)
        if sound_output is not None:
            self._body.knocker.when_knocked = lambda _: sound_output.knock()
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

    def prepare(self, cues: tuple[Cue, ...]) -> None:
        """Render the lines among *cues* while those before them are said."""
        if self._sound_output is not None:
            for cue in cues:
                if isinstance(cue, c.Say):
                    self._sound_output.prepare(cue.text, cue.voice)

    def perceive(self, cue: Cue) -> None:
        """Show *cue*, and play it where it is spoken or knocked."""
        self._show(cue)

    def hear_guest(self, guest: Psychic, words: str, wave: Wave | None, *, aside: bool) -> None:
        """Show what *guest* says or types, and play *wave*."""
        key = "demo.types" if wave is None else "demo.aside" if aside else "demo.says"
        self._line(self._colours[guest], self._texts(key, words=words), COLOURS[guest])
        if wave is not None and self._sound_output is not None:
            self._sound_output.play(wave)

    def show_recognition(self, text: str, *, meant: bool) -> None:
        """Show the *text* that was recognised, unless it was not *meant* for the house."""
        shown = self._texts("demo.heard", words=text) if meant else self._texts("demo.nothing")
        self._line(self._texts("demo.ear"), shown, "dim")

    def wait(self, seconds: float) -> None:
        """Advance the board by *seconds*, at the speed of the demonstration, and wait until all speech is heard."""
        if self._speed is None and not self._body.knocker.pending:
            # Nobody sees the lamps change, and drawing every step would take longer than the night.
            self._timers.skip(max(0.0, seconds - REFRESH_SECONDS))
            seconds = min(seconds, REFRESH_SECONDS)
        while seconds > 0:
            step = min(REFRESH_SECONDS, seconds)
            if self._speed is not None:
                time.sleep(step / self._speed)
            self._timers.advance(step)
            if self._live.is_started:
                self._live.refresh()
            seconds -= step
        if self._sound_output is not None:
            self._sound_output.finish()

    @singledispatchmethod
    def _show(self, cue: Cue) -> None:
        """Show *cue*; a cue without a handler below is not shown."""

    @_show.register
    def _show_line(self, cue: c.Say) -> None:
        self._line(self._texts("demo.house"), cue.shown, "bold")
        if self._sound_output is not None:
            self._sound_output.say(cue.text, cue.voice)

    @_show.register
    def _show_whisper(self, cue: c.Whisper) -> None:
        self._line(self._texts("demo.ghost"), self._texts("demo.whisper", text=cue.text), "cyan")

    @_show.register
    def _show_knock(self, cue: c.Knock) -> None:
        self._body_driver.knock(cue.says, cue.count)
        shown = self._texts(f"demo.knock_{cue.says}", knocks=" ".join("◉" * cue.count))
        self._line(self._texts("demo.knocks"), shown, "bold")

    @_show.register
    def _show_hour(self, cue: c.ShowHour) -> None:
        self._body_driver.show_hour(cue.hour, struck=cue.struck)
        if cue.hour:
            self._line(self._texts("demo.board"), self._summary(), "dim")

    @_show.register
    def _show_sand(self, cue: c.ShowSand) -> None:
        self._body_driver.show_sand(cue.left, cue.of, running=cue.running)
        if cue.left is not None:
            self._line(self._texts("demo.board"), self._summary(), "dim")

    @_show.register
    def _show_psychics(self, cue: c.ShowPsychics) -> None:
        self._body_driver.show_psychics(cue)

    def _summary(self) -> str:
        """Return the state of the board in one line."""
        state = self._body.value
        lights = " ".join(LIGHT_SIGNS[light] for light in state.lights)
        percent = f"{100 * state.sand:.0f}"
        return self._texts("demo.summary", hour=state.hour, percent=percent, lights=lights, knocks=state.knocks)

    def _portrait(self) -> RenderableType:
        return render_body(self._body.value, self._body.board, labels=self._labels)

    def _line(self, who: str, what: str, style: str) -> None:
        line = Text.assemble((f"{who:>7}", style), f"  {strip_controls(what)}")
        self._console.print(line, highlight=False, soft_wrap=True)
