"""The command `seance`: runs the requested program, and reports bad input without a traceback."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from seance.plain_text import error_line
from seance.programs.command_line import CommandParser
from seance.programs.logs import limit_warnings
from seance.rules.refusals import Refusal
from seance.text_files import BadTextFile

PROGRAMS = {
    "run": "hold a séance",
    "demo": "watch an invented company play a whole night",
    "engine": "apply the rules to commands: JSON lines in, JSON lines out",
    "simulate": "let bots play many nights, and count how they end",
    "nights": "list, export, import, back up or recover nights",
    "replay": "tell a night again, step by step",
    "chronicle": "write the story of a night, to keep",
    "hear": "recognise commands in sound files or at the microphone",
    "say": "speak a line as the narrator does, aloud or into a file",
    "voices": "make the narrator's lines ahead of time",
    "calibrate": "measure the room, a voice and the loudspeaker, and suggest settings",
    "doctor": "check every part, and say how to mend what fails",
    "safe": "switch the knocker's coil off, and leave it so",
    "models": "list, fetch or verify the speech models",
}
"""Help texts by name; each program is a module of `seance.programs`, imported only when it is requested."""


def main(argv: list[str] | None = None) -> int:
    """Run one program of `seance` and return its exit code."""
    argv = sys.argv[1:] if argv is None else argv
    try:
        args = _parser(argv[0] if argv else None).parse_args(argv)
        limit_warnings()
        code: int = args.run(args)
        sys.stdout.flush()
    except (BadTextFile, Refusal) as error:
        print(f"seance: {error_line(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has gone; without this Python would complain again when it closes standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


class _PrintVersion(argparse.Action):
    """Prints the version that is installed, which is looked for only when it is asked for."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="print the version")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"seance {version('seance')}")
        parser.exit()


def _parser(asked: str | None) -> argparse.ArgumentParser:
    parser = CommandParser(
        prog="seance",
        description="Hold nights of the board game Mysterium. `seance COMMAND --help` tells more of each.",
    )
    parser.add_argument("--version", action=_PrintVersion)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, description in PROGRAMS.items():
        if name == asked:
            import_module(f"seance.programs.{name}").add_parser(commands)
        else:
            commands.add_parser(name, help=description)
    return parser
