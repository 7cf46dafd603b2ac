"""Attacks the house on loopback in seeded slices: nothing may be lost, nobody may get in, and nothing may raise.

The rows that are printed have the form of the table in docs/faults.md, whose totals are kept by hand.
"""

import argparse
import json
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))  # attackers use the houses and programs of the tests

from script.benches.attack_report import HEADER, MAX_SHOWN, Report  # noqa: E402

SLICES = {"engine": 50_000, "http": 5_000, "kills": 20, "pages": 1_000, "files": 500}
"""How many of each are tried without --count."""


def find_attack(part: str) -> Callable[[int, int], Report] | None:
    """Return the function that tries so many of *part* with a seed; None if this version has none."""
    if find_spec(f"script.benches.attack_{part}") is None:
        return None
    run: Callable[[int, int], Report] = import_module(f"script.benches.attack_{part}").run
    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"one of {', '.join(SLICES)}; all without one")
    parser.add_argument("--count", type=int, help="how many of each part are tried")
    parser.add_argument("--seed", type=int, default=1, help="of the slice; another for each run")
    args = parser.parse_args()
    if unknown := [part for part in args.parts if part not in SLICES]:
        parser.error(f"there is no attack called {unknown[0]}: one of {', '.join(SLICES)}")
    results = Path("bench-results")
    results.mkdir(exist_ok=True)
    reports = []
    for part in args.parts or SLICES:
        attack = find_attack(part)
        if attack is None:
            print(f"{part}: not tried, script/benches/attack_{part}.py is missing", file=sys.stderr)
            continue
        report = attack(args.seed, args.count or SLICES[part])
        reports.append(report)
        with (results / "attack.jsonl").open("a") as log:
            log.write(json.dumps({"seed": args.seed, **vars(report)}) + "\n")
        for finding in report.findings[:MAX_SHOWN]:
            print(f"{part}, seed {args.seed}: {finding}")
    print(HEADER, *(report.row() for report in reports), sep="\n")
    if not all(report.holds for report in reports):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
