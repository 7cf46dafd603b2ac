"""The parsers of the programs, for tests of what they take."""

import argparse
from collections.abc import Iterator
from importlib import import_module


def parsers_of(program: str) -> Iterator[argparse.ArgumentParser]:
    """Yield the parser of *program*, then those of its verbs."""
    commands = argparse.ArgumentParser().add_subparsers()
    import_module(f"seance.programs.{program}").add_parser(commands)
    parser = commands.choices[program]
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.values()
