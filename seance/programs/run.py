"""`seance run`: a séance; today a rehearsal, typed at the terminal."""

import argparse
import sys

from rich.console import Console

from seance import settings
from seance.engine import Engine
from seance.programs import demo
from seance.programs.command_line import Commands, add_config
from seance.programs.owner import owned_editions
from seance.rehearsal import Rehearsal, ask_setup


def add_parser(commands: Commands) -> None:
    """Add `run` to the command line."""
    parser = commands.add_parser("run", description="Hold a séance; without a terminal, a demonstration night.")
    add_config(parser)
    parser.set_defaults(run=_run, **demo.DEFAULTS)


def _run(args: argparse.Namespace) -> int:
    if not sys.stdin.isatty():
        return demo.run(args)
    chosen = settings.load(args.config)
    editions = owned_editions(chosen)
    console = Console()
    names = {colour: getattr(chosen.names, colour) for colour in chosen.names.__struct_fields__}
    game = {name: getattr(chosen.game, name) for name in chosen.game.__struct_fields__}
    try:
        rehearsal = Rehearsal(Engine(editions), console, names=names, read=input)
        rehearsal.hold(ask_setup(input, editions, game))
    except EOFError:
        console.print("\nThe night is left unfinished.")
    return 0
