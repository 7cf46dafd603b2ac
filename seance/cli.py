"""The program `seance`: reads the settings, hands values on, and never shows a traceback for bad input."""

import argparse
import os
import secrets
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from seance import settings as s
from seance.rules import EDITIONS, Begin, Category, Edition, Refusal, Track


def main(argv: list[str] | None = None) -> int:
    """Run one command of `seance` and return its exit code."""
    args = _parser().parse_args(argv)
    try:
        code: int = args.run(args)
        sys.stdout.flush()
    except (s.BadSettings, Refusal) as error:
        print(f"seance: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has gone; Python would complain once more when it closes standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="seance", description="An assistant for nights of Mysterium.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    run = commands.add_parser("run", help="hold a séance: today a rehearsal, typed at the terminal")
    run.add_argument("--config", type=Path, help="settings file instead of your own")
    run.set_defaults(run=_run)

    demo = commands.add_parser("demo", help="let an invented company play a whole night")
    demo.add_argument("--config", type=Path, help="settings file instead of your own")
    demo.add_argument("--edition", choices=tuple(EDITIONS))
    demo.add_argument("--players", type=int)
    demo.add_argument("--level")
    demo.add_argument("--seed", type=int)
    demo.set_defaults(run=_demo)

    engine = commands.add_parser("engine", help="the rules as a program: JSON lines in, JSON lines out")
    engine.add_argument("--config", type=Path, help="settings file instead of your own")
    engine.set_defaults(run=_engine)
    return parser


def _engine(args: argparse.Namespace) -> int:
    from seance.engine import Engine, serve

    serve(sys.stdin.buffer, sys.stdout.buffer, Engine(owned_editions(s.load(args.config))))
    return 0


def _run(args: argparse.Namespace) -> int:
    if not sys.stdin.isatty():
        return _demo(argparse.Namespace(config=args.config, edition=None, players=None, level=None, seed=None))
    from rich.console import Console

    from seance.engine import Engine
    from seance.rehearsal import Rehearsal, ask_setup

    settings = s.load(args.config)
    editions = owned_editions(settings)
    console = Console()
    names = {colour: getattr(settings.names, colour) for colour in settings.names.__struct_fields__}
    game = {name: getattr(settings.game, name) for name in settings.game.__struct_fields__}
    try:
        rehearsal = Rehearsal(Engine(editions), console, names=names, read=input)
        rehearsal.hold(ask_setup(input, editions, game))
    except EOFError:
        console.print("\nThe night is left unfinished.")
    return 0


def _demo(args: argparse.Namespace) -> int:
    from rich.console import Console

    from seance.rehearsal import demonstrate

    settings = s.load(args.config)
    edition = owned_editions(settings)[args.edition or settings.game.edition]
    level = args.level or (settings.game.level if settings.game.level in edition.levels else next(iter(edition.levels)))
    players = settings.game.players if args.players is None else args.players
    seed = secrets.randbits(32) if args.seed is None else args.seed
    demonstrate(Begin(edition=edition, players=players, level=level, seed=seed), Console())
    return 0


def owned_editions(settings: s.Settings) -> Mapping[str, Edition]:
    """Return the editions with the track's limits and the cards that the owner set."""
    editions = {name: _owned(edition, settings) for name, edition in EDITIONS.items()}
    levels = editions[settings.game.edition].levels
    if settings.game.level not in levels:
        raise s.BadSettings(
            f"settings: game.level: {settings.game.edition} has no level '{settings.game.level}': "
            f"one of {', '.join(levels)}"
        )
    return editions


def _owned(edition: Edition, settings: s.Settings) -> Edition:
    more: s.Deck = getattr(settings.more_cards, edition.name)
    decks = {kind: edition.decks[kind] + tuple(getattr(more, kind)) for kind in Category}
    numbers = [card for deck in decks.values() for card in deck]
    if doubled := sorted({card for card in numbers if numbers.count(card) > 1}):
        cards = ", ".join(map(str, doubled))
        raise s.BadSettings(f"settings: more_cards.{edition.name}: these numbers would be there twice: {cards}")
    small, large = settings.clairvoyancy.small_table, settings.clairvoyancy.large_table
    sides = {players: small if players <= 5 else large for players in edition.tracks}
    return replace(
        edition,
        decks=decks,
        tracks={players: Track(side.intermediate, side.high) for players, side in sides.items()},
        variants={name: _owned(variant, settings) for name, variant in edition.variants.items()},
    )
