"""`seance models`: the verbs list, fetch, verify and path."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from seance.languages import DEFAULT_LANGUAGE, language_codes, load_language
from seance.models import store
from seance.models.catalogue import CATALOGUE, Model, ModelError, UnknownModel, look_up
from seance.models.language_models import NoRecogniser, recogniser_key
from seance.models.search_paths import DamagedFile
from seance.programs.command_line import Commands, as_sentence


def add_parser(commands: Commands) -> None:
    """Add `models` and its four verbs to the command line."""
    parser = commands.add_parser("models", description="List, fetch or verify the speech models.")
    verbs = parser.add_subparsers(required=True, metavar="list | fetch | verify | path")
    known = ", ".join(CATALOGUE)
    listing = _verb(verbs, "list", _list, "list what there is, and what is on this machine")
    listing.add_argument("--json", action="store_true", help="print one JSON array")
    fetch = _verb(verbs, "fetch", _fetch, "fetch models that are missing or damaged")
    fetch.add_argument(
        "names", nargs="*", type=_model_key, metavar="NAME", help=f"{known}, or all (default: {DEFAULT_LANGUAGE})"
    )
    fetch.add_argument(
        "--lang", action="append", choices=language_codes(), help="also the models that recognise this language"
    )
    verify = _verb(verbs, "verify", _verify, "compare every file of the models that are here with its hash")
    verify.add_argument("names", nargs="*", type=_model_key, metavar="NAME", help="which (default: all that are here)")
    path = _verb(verbs, "path", _path, "print the folder of a model")
    path.add_argument("name", type=_model_key, metavar="NAME", help=known)


def _verb(
    verbs: Commands,
    name: str,
    run: Callable[[argparse.Namespace], int],
    tells: str,
) -> argparse.ArgumentParser:
    parser = verbs.add_parser(name, help=tells, description=as_sentence(tells))
    parser.add_argument("--folder", type=Path, metavar="DIR", help="your own folder of models")
    parser.set_defaults(run=run)
    return parser


def _list(args: argparse.Namespace) -> int:
    here = {model: store.find(model.key, args.folder) for model in CATALOGUE.values()}
    if args.json:
        _print(json.dumps([_facts(model, folder) for model, folder in here.items()], indent=1))
        return 0
    table = Table(
        "name", "model", "lang", "kind", "size", "licence", "here", box=None, pad_edge=False, padding=(0, 1, 0, 0)
    )
    for model, folder in here.items():
        size = f"{model.size / 1e6:.0f} MB"
        where = "no" if folder is None else "yes" if sys.stdout.isatty() else str(folder)
        table.add_row(model.key, model.name, model.language, model.kind, size, model.licence, where)
    # A terminal wraps a long row; whoever reads a pipe wants it on one line.
    Console(width=None if sys.stdout.isatty() else 400).print(table)
    for model in here:
        if model.attribution:
            _print(textwrap.fill(f"{model.key}: {model.attribution}", 80, subsequent_indent=" " * 8))
    return 0


def _fetch(args: argparse.Namespace) -> int:
    troubles = 0
    for name in _expand_names([*_models_of(args.lang or []), *args.names]) or _default_names(args.lang):
        try:
            with _show_progress() as progress:
                folder = store.fetch(name, into=args.folder, progress=progress)
            _print(f"{name}: {folder}")
        except ModelError as trouble:
            _print_error(trouble)
            troubles += 1
        except KeyboardInterrupt:
            _print_error(f"stopped: `seance models fetch {name}` goes on where it was cut")
            return 130
    return 1 if troubles else 0


def _verify(args: argparse.Namespace) -> int:
    asked = _expand_names(args.names)
    results = {name: _find_damage(name, args.folder) for name in asked or CATALOGUE}
    if not asked:
        results = {name: found for name, found in results.items() if found is not None}
    for name, found in results.items():
        if found == ():
            _print(f"{name}: sound")
            continue
        for flaw in found or ():
            _print_error(flaw)
        state, remedy = ("damaged", "repairs") if found else ("not on this machine", "brings")
        _print_error(f"{name} is {state}: `seance models fetch {name}` {remedy} it")
    if not results:
        _print_error("no model is on this machine: run `seance models fetch`")
    return 0 if results and all(found == () for found in results.values()) else 1


def _path(args: argparse.Namespace) -> int:
    try:
        _print(str(store.require(args.name, args.folder)))
    except ModelError as trouble:
        _print_error(trouble)
        return 1
    return 0


def _find_damage(name: str, folder: Path | None) -> tuple[DamagedFile, ...] | None:
    try:
        return store.verify(name, folder)
    except store.ModelAbsent:
        return None


def _model_key(name: str) -> str:
    if name == "all":
        return name
    try:
        return look_up(name).key
    except UnknownModel as unknown:
        raise argparse.ArgumentTypeError(str(unknown)) from None


def _expand_names(names: list[str]) -> tuple[str, ...]:
    return tuple(CATALOGUE) if "all" in names else tuple(dict.fromkeys(names))


def _models_of(languages: list[str]) -> Iterator[str]:
    """Yield the keys of the models that *languages* are heard with; say so where there are none."""
    for code in languages:
        try:
            recogniser_key(code)
        except NoRecogniser as none:
            _print_error(none)
        yield from load_language(code).models.hearing


def _default_names(languages: list[str] | None) -> tuple[str, ...]:
    return () if languages else (recogniser_key(DEFAULT_LANGUAGE),)


def _facts(model: Model, folder: Path | None) -> dict[str, object]:
    files = [{"path": file.path, "size": file.size, "sha256": file.sha256} for file in model.files]
    facts = {"name": model.key, "model": model.name, "language": model.language, "kind": model.kind}
    where = str(folder) if folder else None
    terms = {"licence": model.licence, "attribution": model.attribution}
    return {**facts, "size": model.size, **terms, "here": where, "files": files}


@contextmanager
def _show_progress() -> Iterator[store.ProgressCallback]:
    """Show the progress of a fetch: a bar at a terminal, elsewhere a line for each activity."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield _print_lines()
        return
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bars:
        yield _update_bars(bars)


def _print_lines() -> store.ProgressCallback:
    said: set[str] = set()

    def show(step: store.FetchProgress) -> None:
        if step.activity not in said:
            said.add(step.activity)
            _print_error(f"{step.model}: {step.activity}")

    return show


def _update_bars(bars: Progress) -> store.ProgressCallback:
    tasks: dict[str, TaskID] = {}

    def show(step: store.FetchProgress) -> None:
        if step.total == 0:
            bars.console.print(f"{step.model}: {step.activity}", markup=False, style="dim")
            return
        if step.activity not in tasks:
            tasks[step.activity] = bars.add_task(step.model, total=step.total)
        bars.update(tasks[step.activity], completed=step.done)

    return show


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _print_error(text: object) -> None:
    sys.stderr.write(f"seance: {text}\n")
