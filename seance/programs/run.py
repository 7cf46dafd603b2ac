"""`seance run`: a séance by voice, with whatever of a body, a voice and an ear this machine has."""

from __future__ import annotations

import argparse
import logging
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from seance import settings
from seance.programs.command_line import Commands, add_config
from seance.programs.logs import log_to_stderr
from seance.rules import GhostView

if TYPE_CHECKING:
    from collections.abc import Callable

    from seance.daemon.evening import Evening
    from seance.daemon.notify import Notifier
    from seance.daemon.signals import Stop
    from seance.daemon.terminal import Screen
    from seance.daemon.world.startup import Woken
    from seance.dialogue.grammar.sentences import Sentences
    from seance.hearing.grammar import Grammar

POWER_OFF = 77
"""The status by which a service asks systemd/seance.service to switch the machine off."""


def add_parser(commands: Commands) -> None:
    """Add `run` to the command line."""
    tells = "Hold a séance; with neither terminal nor microphone, show a demonstration night."
    parser = commands.add_parser("run", description=tells)
    add_config(parser)
    parser.add_argument("--board", metavar="NAME", help="the board for this evening, such as virtual")
    parser.add_argument("--typed", action="store_true", help="no ear: only what is typed counts")
    parser.add_argument("--no-sound", action="store_true", help="no voice: lines are only shown")
    parser.add_argument("--service", action="store_true", help="no terminal, and never a demonstration")
    parser.add_argument("--log", choices=("debug", "info", "warning", "error"), help="how much is logged")
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    chosen = settings.load(args.config)
    if not (args.service or args.typed or sys.stdin.isatty() or _has_microphone(chosen)):
        return _demonstrate(args)
    try:
        return _hold(args, chosen)
    except ValueError as error:
        if not isinstance(error, _mistakes()):
            raise
        sys.stderr.write(f"seance run: {error}\n")
        return 2


def _mistakes() -> tuple[type[ValueError], ...]:
    """Return what an owner can have written wrongly; imported when it happens, for the lights come first."""
    from hardware.board import BadBoard
    from seance.dialogue.grammar.sentences import BadNames, BadSentences
    from seance.journal import BadJournal
    from seance.narration.script import BadScript
    from seance.speech.voice_settings import BadVoiceSettings

    return BadBoard, BadJournal, BadVoiceSettings, BadNames, BadScript, BadSentences


def _demonstrate(args: argparse.Namespace) -> int:
    from seance.programs import demo

    parser = argparse.ArgumentParser(prog="seance")
    demo.add_parser(parser.add_subparsers())
    asked = ["demo", *(["--config", str(args.config)] if args.config else [])]
    return demo.run(parser.parse_args(asked))


def _has_microphone(chosen: settings.Settings) -> bool:
    from seance.audio.devices import choose_input
    from seance.audio.portaudio import SoundTrouble

    try:
        choose_input(chosen.microphone.device)
    except SoundTrouble:
        return False
    return True


def _hold(args: argparse.Namespace, chosen: settings.Settings) -> int:
    # Here, not above: the other commands must not wait for rich.
    from rich.console import Console

    from seance.daemon.notify import Notifier
    from seance.daemon.world.startup import wake

    console = Console()
    # A terminal that shows a picture would be torn by the log.
    shows = console.is_terminal and not args.service
    log_to_stderr(getattr(logging, (args.log or ("error" if shows else "info")).upper()))
    notifier = Notifier.of()
    notifier.waking("waking up")
    # A light first: all that is imported after it takes seconds on a small machine.
    woken = wake(args.board or chosen.body.board)
    from seance.daemon.terminal import Keyboard, Screen

    desk = _Desk(Screen(console))
    with ExitStack() as stack:
        if not args.service:
            stack.enter_context(desk.screen)
            typing = desk.screen.typing
            keyboard = Keyboard(line=lambda text: desk.line(text), typing=typing, end=lambda: desk.end())
            last = _evening(args, chosen, desk, notifier, woken, lambda: stack.enter_context(keyboard))
        else:
            last = _evening(args, chosen, desk, notifier, woken)
        while last.language is not None:
            chosen = msgspec.structs.replace(chosen, language=last.language)
            last = _evening(args, chosen, desk, notifier, wake(args.board or chosen.body.board))
        notifier.stopping("good night")
    if last.power_off:
        if args.service:
            return POWER_OFF
        subprocess.run(["systemctl", "poweroff"], check=False)  # noqa: S607 - systemd's own
    return 0


class _Desk:
    """The screen and the keyboard, which stay where they are when the house changes its language."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.line: Callable[[str], None] = lambda _: None
        self.end: Callable[[], None] = lambda: None


def _evening(
    args: argparse.Namespace,
    chosen: settings.Settings,
    desk: _Desk,
    notifier: Notifier,
    woken: Woken,
    begin: Callable[[], object] = lambda: None,
) -> Stop:
    """Hold an evening and return how it ended; *begin* is called when the house is open."""
    # Here, not above: the other commands must not wait for numpy and gpiozero.
    from hardware.terminal_view import render_body
    from seance.daemon.evening import Evening
    from seance.daemon.loop import hold
    from seance.daemon.notify import status_of
    from seance.daemon.signals import Failed, Heard, Signal, Stop, Typed, Written
    from seance.daemon.world.composition import open_world
    from seance.daemon.world.wall_clock import WallClock
    from seance.dialogue.replies import Fault
    from seance.programs.owner_settings import changed_names, editions_with_settings
    from seance.programs.page_lookups import lookups
    from seance.programs.say import open_synthesizer

    screen = desk.screen
    world = open_world(
        chosen,
        editions=editions_with_settings(chosen),
        names=changed_names(chosen),
        voice=partial(open_synthesizer, chosen),
        build_grammar=_build_grammar,
        # What is whispered to the ghost is shown at a table, and has no place in a log.
        show=(lambda _: None) if args.service else screen.show,
        woken=woken,
        ears=not args.typed,
        sound=not args.no_sound,
        keyboard=not args.service and (sys.stdin.isatty() or args.typed),
        lookups=lookups(chosen),
    )
    with world as here:
        evening, wall = Evening(here.house), WallClock()

        def typed(text: str) -> None:
            screen.heard(text)
            if text.strip().lower() == "ghost":
                screen.whisper(secrets_of(evening.ghost))
            else:
                here.inbox.put(Typed(text))

        def stop(*_: object) -> None:
            here.inbox.put(Stop())

        def saw(signal_: Signal) -> None:
            here.pages.hear(signal_)
            if isinstance(signal_, Heard | Written) and not args.service:
                screen.heard(signal_.text)

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)

        def left() -> None:
            # The end of the input is not the end of an evening that listens.
            if sys.stdin.isatty() or not here.has_microphone:
                here.inbox.put(Stop(when_told=not sys.stdin.isatty()))

        def alive() -> None:
            notifier.alive(status_of(evening.room))
            if wall.has_jumped():
                here.inbox.put(Failed(Fault.CLOCK_JUMPED))

        def show() -> None:
            here.pages.show(evening)

        desk.line, desk.end = typed, left
        screen.portrait = lambda: render_body(here.body.value, here.body.board)
        screen.address = directions(None if args.service else here.address, evening)
        begin()
        notifier.ready(status_of(evening.room))
        return hold(evening, here.inbox, here.performance, clock=time.monotonic, saw=saw, alive=alive, show=show)


def _build_grammar(sentences: Sentences) -> Grammar:
    """Return the grammar of *sentences*; imported late, for it needs vosk."""
    from seance.programs.hear import build_grammar

    return build_grammar(sentences)


def directions(address: str | None, evening: Evening) -> Callable[[], tuple[str, tuple[str, ...]] | None]:
    """Return what says where the ghost's page is, and its code, until somebody sits there or the cards are laid."""
    if address is None:
        return lambda: None
    from seance.web.qr import qr

    # A code for a page that no phone can open would lead nowhere.
    found = (address, () if "//127." in address else qr(address))

    def wanted() -> bool:
        return evening.seat.chair.holder is None and not (evening.state and evening.state.hour > 1)

    return lambda: found if wanted() else None


def secrets_of(ghost: GhostView | None) -> list[str]:
    """Return what the ghost asks to see, while everybody else looks away."""
    if ghost is None:
        return ["no night has begun"]
    if ghost.secret is None:
        told = ["the cards were dealt by hand: only you know"]
    else:
        told = [f"{psychic}: {', '.join(map(str, trio.cards()))}" for psychic, trio in ghost.secret.items()]
    if ghost.hand is not None:
        told.append(f"your hand: {', '.join(map(str, ghost.hand))}")
    return [*told, f"culprit: group {ghost.culprit}"] if ghost.culprit is not None else told
