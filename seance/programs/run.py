"""`seance run`: holds a séance with the body, voice and microphone that this machine has."""

from __future__ import annotations

import argparse
import gc
import logging
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from seance import settings
from seance.plain_text import error_line
from seance.programs.command_line import Commands, add_config, add_language
from seance.programs.logs import log_to_stderr
from seance.texts import Texts

if TYPE_CHECKING:
    from seance.daemon.notify import Notifier
    from seance.daemon.signals import Stop
    from seance.daemon.terminal.evening_terminal import EveningTerminal
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
    add_language(parser, "the language of this evening (default: that of the settings)")
    parser.add_argument(
        "--board", metavar="NAME", help="the board of this evening: a name such as ring, or a .toml file"
    )
    parser.add_argument("--typed", action="store_true", help="no microphone: only typed words count")
    parser.add_argument("--no-sound", action="store_true", help="no loudspeaker: lines are only shown")
    parser.add_argument("--plain", action="store_true", help="print lines only, for screen readers and pipes")
    parser.add_argument("--service", action="store_true", help="use no terminal, and never show a demonstration")
    parser.add_argument(
        "--log",
        choices=("debug", "info", "warning", "error"),
        help="the least level that is logged (default: info, or error beside a drawn table)",
    )
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    chosen = settings.load(args.config)
    if args.lang is not None:
        chosen = msgspec.structs.replace(chosen, language=args.lang)
    try:
        if not (args.service or args.typed or sys.stdin.isatty() or _has_microphone(chosen)):
            return _run_demo(args)
        return _run_evenings(args, chosen)
    except ValueError as error:
        # Here, not above, as the lights come first.
        from seance.programs.configuration_errors import configuration_error

        problem = configuration_error(error, args.config, board=args.board)
        if problem is None:
            raise
        sys.stderr.write(f"seance: {error_line(problem)}\n")
        return 2


def _run_demo(args: argparse.Namespace) -> int:
    from hardware.board import load_board
    from seance.programs import demo

    if args.board is not None:
        load_board(args.board)  # or BadBoard: the demonstration shows its own, but a mistake is told
    parser = argparse.ArgumentParser(prog="seance")
    demo.add_parser(parser.add_subparsers())
    arguments = ["demo", *(["--config", str(args.config)] if args.config else [])]
    arguments += ["--lang", args.lang] if args.lang else []
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
    from hardware.exit_hooks import on_exit, on_stop
    from seance.daemon.job_control import JobControl
    from seance.daemon.notify import Notifier
    from seance.daemon.world.startup import start_body
    from seance.programs.run_terminal import has_screen, open_terminal, tell_how_to_go_on

    # The log would tear the picture on a terminal.
    has_picture = not args.service and not args.plain and has_screen()
    log_to_stderr(getattr(logging, (args.log or ("error" if has_picture else "info")).upper()))
    notifier = Notifier.from_environment()
    texts = Texts.load("terminal", chosen.language)
    notifier.starting(texts("status.waking"))
    with ExitStack() as stack:
        gc.disable()  # until the house is ready: nearly all that is made meanwhile stays
        stack.callback(gc.enable)
        # Before the body: what is registered last happens first, and the coil must go before anything can hang.
        job_control = stack.enter_context(JobControl())
        stack.callback(on_stop(job_control.stopped))
        # The lights first: the imports below take seconds on a small machine.
        started_body = start_body(chosen.body.board, asked=args.board)
        from seance.hearing.malloc_tuning import limit_malloc
        from seance.web.host_access import HostAccess

        limit_malloc()  # before there are threads, each of which would keep memory of its own
        terminal = open_terminal(texts, full_screen=has_picture)
        if not args.service:
            stack.enter_context(terminal)
            stack.callback(on_exit(terminal.suspend))
            job_control.add(terminal)
        hosting = _Hosting(terminal, notifier, HostAccess())
        last = _evening(args, chosen, hosting, started_body)
        while last.language is not None:
            chosen = msgspec.structs.replace(chosen, language=last.language)
            last = _evening(args, chosen, hosting, start_body(chosen.body.board, asked=args.board))
        notifier.stopping(terminal.texts("status.stopping"))
    if not args.service:
        tell_how_to_go_on(terminal, hosting.is_night_open)
    if last.power_off:
        if args.service:
            return POWER_OFF_STATUS
        subprocess.run(["systemctl", "poweroff"], check=False)  # noqa: S607 - systemd's own
    return 0


@dataclass(slots=True)
class _Hosting:
    """What outlives a change of language."""

    terminal: EveningTerminal
    notifier: Notifier
    host_access: HostAccess
    is_night_open: bool = False
    """Whether the last evening ended in the middle of a night."""


def _evening(args: argparse.Namespace, chosen: settings.Settings, hosting: _Hosting, started_body: StartedBody) -> Stop:
    """Run an evening and return how it ended."""
    # Here, not above: the other commands must not wait for numpy and gpiozero.
    from seance.daemon.evening import Evening
    from seance.daemon.loop import run_evening
    from seance.daemon.notify import status_line
    from seance.daemon.signals import FaultReport, Heard, Signal, Stop, TypedOnPage
    from seance.daemon.terminal_texts import TerminalTexts
    from seance.daemon.world.composition import compose_evening
    from seance.daemon.world.wall_clock import WallClock
    from seance.dialogue.faults import Fault
    from seance.programs.owner_settings import changed_names, editions_with_settings
    from seance.programs.page_lookups import page_lookups
    from seance.programs.run_terminal import connect_terminal, note_missing_devices
    from seance.programs.say import open_synthesizer

    editions = editions_with_settings(chosen, args.config)
    terminal, notifier, texts = hosting.terminal, hosting.notifier, TerminalTexts.load(chosen.language, editions)
    terminal.texts = texts.of(chosen.game.edition)
    composed = compose_evening(
        chosen,
        editions=editions,
        names=changed_names(chosen),
        make_synthesizer=partial(open_synthesizer, chosen),
        build_grammar=_build_grammar,
        # Whispers to the ghost are shown on a screen, and have no place in a service's log.
        show=(lambda _: None) if args.service else terminal.show,
        started_body=started_body,
        with_hearing=not args.typed,
        with_sound=not args.no_sound,
        with_keyboard=not args.service and (sys.stdin.isatty() or args.typed),
        lookups=page_lookups(chosen),
        host_access=hosting.host_access,
        idle_render_command=_idle_render_command(args, chosen),
        # Whoever sends lines through a pipe reads the answers later.
        is_watched=args.service or sys.stdin.isatty(),
    )
    with composed as parts:
        evening, wall_clock = Evening(parts.context), WallClock()
        if not args.service:
            connect_terminal(terminal, parts, evening, chosen, editions)
            note_missing_devices(terminal, chosen, with_hearing=not args.typed, with_sound=not args.no_sound)

        def stop(*_: object) -> None:
            parts.inbox.put(Stop())

        def on_signal(signal_: Signal) -> None:
            parts.pages.publish_signal(signal_, evening)
            if args.service or evening.gives_vote_away(signal_):
                return
            if isinstance(signal_, Heard | TypedOnPage):
                terminal.show_input(signal_.text)

        def on_round() -> None:
            notifier.ping_watchdog(status_line(evening.room, texts))
            if wall_clock.has_jumped():
                parts.inbox.put(FaultReport(Fault.CLOCK_JUMPED))

        def on_change() -> None:
            if parts.ahead is not None:
                parts.ahead.follow(evening)
            parts.pages.publish_evening(evening)
            if evening.room is not None:
                terminal.texts = texts.of(evening.room.edition)
            terminal.refresh()

        handlers = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
        gc.enable()
        notifier.ready(status_line(evening.room, texts))
        last = run_evening(
            evening,
            parts.inbox,
            parts.performer,
            clock=time.monotonic,
            on_signal=on_signal,
            on_round=on_round,
            on_change=on_change,
        )
        terminal.hold()
        for number, handler in handlers.items():
            signal.signal(number, handler)
        hosting.is_night_open = evening.room is not None and evening.room.outcome is None
        return last


def _idle_render_command(args: argparse.Namespace, chosen: settings.Settings) -> tuple[str, ...]:
    """Return the command that renders all lines in idle hours; a service has them, an evening at a terminal has not."""
    if not args.service:
        return ()
    config = ("--config", str(args.config)) if args.config else ()
    return (sys.executable, "-P", "-m", "seance", "voices", "render", "--all", *config, "--lang", chosen.language)


def _build_grammar(sentences: Sentences) -> Grammar:
    """Return the recogniser's grammar of *sentences*; imported here, as vosk takes long to load."""
    from seance.programs.hear import build_grammar

    return build_grammar(sentences)
