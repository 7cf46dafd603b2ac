"""`seance demo`: an invented company plays a whole night."""

import argparse
import secrets

from rich.console import Console

from seance import settings
from seance.programs.command_line import Commands, add_config
from seance.programs.owner import owned_editions
from seance.rehearsal import demonstrate
from seance.rules import EDITIONS, Begin


def add_parser(commands: Commands) -> None:
    """Add `demo` to the command line."""
    parser = commands.add_parser("demo", description="An invented company plays a whole night.")
    add_config(parser)
    parser.add_argument("--edition", choices=tuple(EDITIONS))
    parser.add_argument("--players", type=int, help="2 to 7, the ghost included")
    parser.add_argument("--level", help="as the edition calls it; its easiest if the settings name another")
    parser.add_argument("--seed", type=int, help="the same seed plays the same night")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play the night that *args* and the settings ask for."""
    chosen = settings.load(args.config)
    edition = owned_editions(chosen)[args.edition or chosen.game.edition]
    level = args.level or (chosen.game.level if chosen.game.level in edition.levels else next(iter(edition.levels)))
    players = chosen.game.players if args.players is None else args.players
    seed = secrets.randbits(32) if args.seed is None else args.seed
    demonstrate(Begin(edition=edition, players=players, level=level, seed=seed), Console())
    return 0
