"""`seance run`: holds a séance with the body, voice and microphone that this machine has."""

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
from seance.plain_text import error_line
from seance.programs.command_line import Commands, add_config
from seance.programs.logs import log_to_stderr
from seance.texts import Texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from seance.daemon.evening import Evening
    from seance.daemon.notify import Notifier
    from seance.daemon.signals import Stop
    from seance.daemon.terminal_ui import Screen
    from seance.daemon.world.startup import StartedBody
    from seance.dialogue.grammar.sentences import Sentences
    from seance.hearing.active_grammar import Grammar
    from seance.web.host_access import HostAccess

POWER_OFF_STATUS = 77
"""The exit status on which systemd/seance.service switches the machine off."""


def add_parser(commands: Commands) -> None:
    """Add `run` to the command line."""
    tells = "Hold a séance; with neither terminal nor microphone, show a demonstration night."
    parser = commands.add_parser("run", description=tells)
    add_config(parser)
    parser.add_argument(
        "--board", metavar="NAME", help="the board for this evening: a name such as ring, or a .toml file"
    )
    parser.add_argument("--typed", action="store_true", help="no ear: only what is typed counts")
    parser.add_argument("--no-sound", action="store_true", help="no voice: lines are only shown")
    parser.add_argument("--service", action="store_true", help="no terminal, and never a demonstration")
    parser.add_argument("--log", choices=("debug", "info", "warning", "error"), help="how much is logged")
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    chosen = settings.load(args.config)
    if not (args.service or args.typed or sys.stdin.isatty() or _has_microphone(chosen)):
        return _run_demo(args)
    try:
        return _run_evenings(args, chosen)
    except ValueError as error:
        # Here, not above, as the lights come first.
        from seance.programs.configuration_errors import configuration_error

        problem = configuration_error(error, args.config, board=args.board)
        if problem is None:
            raise
        sys.stderr.write(f"seance run: {error_line(problem)}\n")
        return 2


def _run_demo(args: argparse.Namespace) -> int:
    from seance.programs import demo

    parser = argparse.ArgumentParser(prog="seance")
    demo.add_parser(parser.add_subparsers())
    arguments = ["demo", *(["--config", str(args.config)] if args.config else [])]
    return demo.run(parser.parse_args(arguments))


def _has_microphone(chosen: settings.Settings) -> bool:
    from seance.audio.devices import choose_input
    from seance.audio.portaudio import SoundTrouble

    try:
        choose_input(chosen.microphone.device)
    except SoundTrouble:
        return False
    return True


def _run_evenings(args: argparse.Namespace, chosen: settings.Settings) -> int:
    # Here, not above: the other commands must not wait for rich.
    from rich.console import Console

    from hardware.exit_hooks import on_stop
    from seance.daemon.job_control import JobControl
    from seance.daemon.notify import Notifier
    from seance.daemon.world.startup import start_body

    console = Console()
    # The log would tear the picture on a terminal.
    has_picture = console.is_terminal and not args.service
    log_to_stderr(getattr(logging, (args.log or ("error" if has_picture else "info")).upper()))
    notifier = Notifier.from_environment()
    texts = Texts.load("terminal", chosen.language)
    notifier.starting(texts("status.waking"))
    with ExitStack() as stack:
        # Before the body: what is registered last happens first, and the coil must go before anything can hang.
        job_control = stack.enter_context(JobControl())
        stack.callback(on_stop(job_control.stopped))
        # The lights first: the imports below take seconds on a small machine.
        started_body = start_body(chosen.body.board, asked=args.board)
        from seance.daemon.terminal_ui import Keyboard, Screen
        from seance.web.host_access import HostAccess

        terminal = _Terminal(Screen(console, texts), HostAccess())
        if not args.service:
            stack.enter_context(terminal.screen)
            keyboard = Keyboard(
                on_line=lambda text: terminal.on_line(text),
                on_typing=terminal.screen.show_typing,
                on_end=lambda: terminal.on_end(),
            )
            job_control.add(keyboard, terminal.screen)
            last = _evening(args, chosen, terminal, notifier, started_body, lambda: stack.enter_context(keyboard))
        else:
            last = _evening(args, chosen, terminal, notifier, started_body)
        while last.language is not None:
            chosen = msgspec.structs.replace(chosen, language=last.language)
            last = _evening(args, chosen, terminal, notifier, start_body(chosen.body.board, asked=args.board))
        notifier.stopping(terminal.screen.texts("status.stopping"))
    if last.power_off:
        if args.service:
            return POWER_OFF_STATUS
        subprocess.run(["systemctl", "poweroff"], check=False)  # noqa: S607 - systemd's own
    return 0


class _Terminal:
    """The screen, the keyboard's callbacks and the host's phones, which outlive a change of language."""

    def __init__(self, screen: Screen, host_access: HostAccess) -> None:
        self.screen = screen
        self.on_line: Callable[[str], None] = lambda _: None
        self.on_end: Callable[[], None] = lambda: None
        self.host_access = host_access


def _evening(
    args: argparse.Namespace,
    chosen: settings.Settings,
    terminal: _Terminal,
    notifier: Notifier,
    started_body: StartedBody,
    on_open: Callable[[], object] = lambda: None,
) -> Stop:
    """Run an evening and return how it ended; *on_open* is called before the first signal."""
    # Here, not above: the other commands must not wait for numpy and gpiozero.
    from hardware.terminal_view import render_body
    from seance.daemon.evening import Evening
    from seance.daemon.loop import run_evening
    from seance.daemon.notify import status_line
    from seance.daemon.secret_text import secret_lines
    from seance.daemon.signals import FaultReport, Heard, Signal, Stop, Typed, TypedOnPage
    from seance.daemon.world.body_labels import body_labels
    from seance.daemon.world.composition import compose_evening
    from seance.daemon.world.wall_clock import WallClock
    from seance.dialogue.faults import Fault
    from seance.ghost_words import ghost_order
    from seance.programs.owner_settings import changed_names, editions_with_settings
    from seance.programs.page_lookups import page_lookups
    from seance.programs.say import open_synthesizer

    screen, texts = terminal.screen, Texts.load("terminal", chosen.language)
    screen.texts = texts
    composed = compose_evening(
        chosen,
        editions=editions_with_settings(chosen, args.config),
        names=changed_names(chosen),
        make_synthesizer=partial(open_synthesizer, chosen),
        build_grammar=_build_grammar,
        # Whispers to the ghost are shown on a screen, and have no place in a service's log.
        show=(lambda _: None) if args.service else screen.show,
        started_body=started_body,
        with_hearing=not args.typed,
        with_sound=not args.no_sound,
        with_keyboard=not args.service and (sys.stdin.isatty() or args.typed),
        lookups=page_lookups(chosen),
        host_access=terminal.host_access,
    )
    with composed as parts:
        evening, wall_clock = Evening(parts.context), WallClock()
        colours, labels = parts.context.style.script.inflection.psychics, body_labels(texts)

        def on_line(text: str) -> None:
            if not evening.gives_vote_away(Typed(text)):
                screen.show_input(text)
            if ghost_order(text) == "":
                screen.whisper(secret_lines(evening.ghost, texts, colours))
            else:
                parts.inbox.put(Typed(text))

        def on_end() -> None:
            # The end of the input is not the end of an evening that listens.
            if sys.stdin.isatty() or not parts.has_microphone:
                parts.inbox.put(Stop(when_told=not sys.stdin.isatty()))

        def stop(*_: object) -> None:
            parts.inbox.put(Stop())

        def on_signal(signal_: Signal) -> None:
            parts.pages.publish_signal(signal_, evening)
            if args.service or evening.gives_vote_away(signal_):
                return
            if isinstance(signal_, Heard | TypedOnPage):
                screen.show_input(signal_.text)

        def on_round() -> None:
            notifier.ping_watchdog(status_line(evening.room, texts))
            if wall_clock.has_jumped():
                parts.inbox.put(FaultReport(Fault.CLOCK_JUMPED))

        def on_change() -> None:
            parts.pages.publish_evening(evening)

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        terminal.on_line, terminal.on_end = on_line, on_end
        screen.portrait = lambda: render_body(parts.body.value, parts.body.board, labels=labels)
        screen.page_address = page_address_and_code(None if args.service else parts.address, evening)
        is_in_network = parts.address is not None and chosen.web.listen == "network"
        screen.host_code = lambda: terminal.host_access.code if is_in_network else None
        on_open()
        notifier.ready(status_line(evening.room, texts))
        return run_evening(
            evening,
            parts.inbox,
            parts.performer,
            clock=time.monotonic,
            on_signal=on_signal,
            on_round=on_round,
            on_change=on_change,
        )


def _build_grammar(sentences: Sentences) -> Grammar:
    """Return the recogniser's grammar of *sentences*; imported here, as vosk takes long to load."""
    from seance.programs.hear import build_grammar

    return build_grammar(sentences)


def page_address_and_code(address: str | None, evening: Evening) -> Callable[[], tuple[str, tuple[str, ...]] | None]:
    """Return a function that returns *address* and its QR code until the seat is taken or the second hour begins."""
    if address is None:
        return lambda: None
    from seance.web.qr import qr_lines

    # No phone could open a loopback address.
    found = (address, () if "//127." in address else qr_lines(address))

    def wanted() -> bool:
        return evening.seat.state.holder is None and not (evening.state and evening.state.hour > 1)

    return lambda: found if wanted() else None
