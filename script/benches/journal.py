"""Measures appending an entry durably, the size of a night, and the journal after kills with -9 and after damages.

The baseline in the same run is a write of the same bytes to a plain file, with a sync.
"""

import argparse
import json
import os
import random
import resource
import statistics
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))  # for the programs of the tests that are killed

from seance.codec import command_fields, encode, event_fields  # noqa: E402
from seance.journal import Journal  # noqa: E402
from seance.journal.night_file import parse_file  # noqa: E402
from seance.rules import LIBELLUD, Begin, Bet, GiveVision, PlaceIntuition, Psychic, TurnSand, apply  # noqa: E402
from tests.journal.damaging import (  # noqa: E402
    DamagedJournals,
    Recovery,
    each_page,
    random_damage,
    write_nights,
)
from tests.journal.killing import kill_and_compare  # noqa: E402

LONG_NIGHT_STEPS = 10_000
"""More than any real night has."""
SNAPSHOT_NOTES = 1200
"""How often the evening's state is noted in a long night: at each step, and every five seconds of sand."""


def long_night(steps: int):
    """Return a night in which two psychics change their minds all the time."""
    commands = [Begin(edition=LIBELLUD, players=7, level="hard", seed=1)]
    commands += [GiveVision(psychic=psychic, count=1) for psychic in Psychic]
    commands.append(TurnSand())
    state, found = None, []
    for command in commands:
        state, events = apply(state, command)
        found.append((command, events))
    first, second = state.table.character[:2]
    while len(found) < steps:
        turn = len(found) // 2
        command = (
            PlaceIntuition(psychic=Psychic.RED, card=(first, second)[turn % 2])
            if len(found) % 2
            else Bet(by=Psychic.BLUE, on=Psychic.RED, agrees=bool(turn % 2))
        ) if len(found) > len(commands) else PlaceIntuition(psychic=Psychic.RED, card=second)  # fmt: skip
        state, events = apply(state, command)
        found.append((command, events))
    return found, state


def timed(work) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def spread(spent: list[float]) -> dict[str, float]:
    return {
        "median_ms": statistics.median(spent),
        "95th_ms": statistics.quantiles(spent, n=20)[18],
        "worst_ms": max(spent),
    }


def measure_append(folder: Path, steps: int) -> tuple[dict[str, dict[str, float]], Path]:
    """Return how long an entry takes, and a plain write and sync of the same bytes, in turn."""
    night, _ = long_night(steps)
    ours, with_notes, plain = [], [], []
    path = folder / "nights"
    with Journal.open(path) as journal, (folder / "plain").open("wb", buffering=0) as file:
        uid = journal.begin_night(LIBELLUD)
        for number, (command, events) in enumerate(night):
            line = encode({"command": command_fields(command), "events": [event_fields(event) for event in events]})

            def write(line: bytes = line) -> None:
                file.write(line)
                os.fdatasync(file.fileno())

            notes = {"sand": {"left": 83.5, "paused": False}, "conversation": ["who", "red"]} if number % 2 else None

            def append(command=command, events=events, notes=notes) -> None:
                journal.append(uid, command, events, seat=command.seats[0], notes=notes)

            (with_notes if notes else ours).append(timed(append))
            plain.append(timed(write))
        if journal.news():
            raise SystemExit("the disk failed: nothing is measured")
    return {
        "entry": spread(ours),
        "entry with notes": spread(with_notes),
        "plain file, write and sync": spread(plain),
    }, path


def measure_restore(path: Path, rounds: int) -> dict[str, float]:
    """Return how long it takes to open the journal of a long night, check it, read it and rebuild its state."""
    file = path / "0001.night"
    opening, unfinished, state = [], [], []
    for _ in range(rounds):
        found = []
        opening.append(timed(lambda found=found: found.append(Journal.open(path))))
        journal = found[0]
        unfinished.append(timed(lambda journal=journal, found=found: found.append(journal.unfinished())))
        night = found[1]
        state.append(timed(lambda night=night: night.state))
        steps = len(night.entries)
        journal.close()
    return {
        "steps": steps,
        "open_and_check_ms": min(opening),
        "read_ms": min(unfinished),
        "state_ms": min(state),
        "file_bytes": file.stat().st_size,
        "bytes_per_step": file.stat().st_size / steps,
    }


def measure_growth(folder: Path, *, quick: bool) -> dict[str, int]:
    """Return how large the file of a night grows with the snapshots of a real one, and what is left of it."""
    snapshot = json.loads((ROOT / "tests/compatibility/snapshots/ask.json").read_bytes())["evening"]
    night, _ = long_night(300)
    largest = written = 0
    with Journal.open(folder / "growth") as journal:
        uid = journal.begin_night(LIBELLUD)
        before = _bytes_written()
        for count in range(SNAPSHOT_NOTES // (4 if quick else 1)):
            notes = {"evening": snapshot | {"sand_left": count / 7}}
            if count < len(night):
                command, events = night[count]
                journal.append(uid, command, events, seat=command.seats[0], notes=notes)
            else:
                journal.note(uid, "evening", notes["evening"])
            largest = max(largest, (folder / "growth" / "0001.night").stat().st_size)
        written = _bytes_written() - before
    file = folder / "growth" / "0001.night"
    steps = len(parse_file(1, file.read_bytes()).night.entries)
    return {"steps": steps, "written_bytes": written, "largest_bytes": largest, "kept_bytes": file.stat().st_size}


def _bytes_written() -> int:
    """Return how many bytes this process has given to write calls."""
    io = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(io["wchar"])


def measure_recovery(folder: Path, *, nights: int, random_damages: int, seed: int) -> dict[str, object]:
    """Return how many nights are recovered after each page was destroyed in turn, and after random damages."""
    write_nights(folder / "sound", nights)
    journals = DamagedJournals(folder / "sound")
    pages, others, chance = Recovery(), Recovery(), random.Random(seed)
    for damage in each_page(folder / "sound"):
        pages.add(journals.check(damage))
    for _ in range(random_damages):
        others.add(journals.check(random_damage(folder / "sound", chance)))
    size = sum(file.stat().st_size for file in (folder / "sound").iterdir())
    return {"nights": nights, "bytes": size, "seed": seed, "each page": asdict(pages), "random": asdict(others)}


def measure_kills(folder: Path, kills: int, seed: int) -> dict[str, object]:
    """Kill programs that write nights with -9, *kills* times, and return what was wrong afterwards."""
    wrong, done, nights = [], 0, 0
    while done < kills:
        killed = kill_and_compare(folder / f"killed-{seed + nights}", seed + nights, min(10, kills - done))
        wrong += killed.complaints
        done, nights = done + killed.kills, nights + 1
    return {"kills": done, "first_seed": seed, "nights": nights, "wrong": wrong}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the steps, kills and damages")
    parser.add_argument("--folder", type=Path, help="on the disk to measure; beside the results without one")
    parser.add_argument("--kills", type=int, help="how many programs are killed (1000)")
    parser.add_argument("--damages", type=int, help="how many random damages are tried (1000)")
    parser.add_argument("--seed", type=int, default=1, help="of the first night that is killed, and of the damages")
    args = parser.parse_args()
    results = Path("bench-results")
    results.mkdir(exist_ok=True)
    # Not the system's temporary folder: that may be in memory, where a sync costs nothing.
    with tempfile.TemporaryDirectory(dir=args.folder or results) as name:
        folder = Path(name)
        entries, path = measure_append(folder, LONG_NIGHT_STEPS // 10 if args.quick else LONG_NIGHT_STEPS)
        result = {
            "append": entries,
            "restore": measure_restore(path, 3),
            "growth": measure_growth(folder, quick=args.quick),
            "recovery": measure_recovery(
                folder,
                nights=10 if args.quick else 50,
                random_damages=100 if args.damages is None and args.quick else args.damages or 1000,
                seed=args.seed,
            ),
            "killed": measure_kills(folder, args.kills or (100 if args.quick else 1000), args.seed),
            "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        }
    show(result)
    (results / "journal.json").write_text(json.dumps(result, indent=1) + "\n")
    recovery = result["recovery"]
    if result["killed"]["wrong"] or recovery["each page"]["wrong"] or recovery["random"]["wrong"]:
        raise SystemExit(1)


def show(result: dict) -> None:
    console = Console()
    table = Table("durably on the disk", "median ms", "95th ms", "worst ms", title="journal")
    for name, each in result["append"].items():
        table.add_row(name, *(f"{value:.2f}" for value in each.values()))
    console.print(table)
    console.print("restore:", {name: round(value, 1) for name, value in result["restore"].items()})
    console.print("a long night:", result["growth"])
    for how in ("each page", "random"):
        found = result["recovery"][how]
        console.print(
            f"damaged, {how}: {found['damages']} times; nights recovered: {found['recovered']} of"
            f" {found['recoverable']}, unfinished nights: {found['unfinished_recovered']} of"
            f" {found['unfinished_recoverable']}, wrong: {found['wrong'][:3]}"
        )
    killed = result["killed"]
    console.print(
        f"killed with -9: {killed['kills']} times in {killed['nights']} nights, wrong afterwards: {killed['wrong']}"
    )


if __name__ == "__main__":
    main()
