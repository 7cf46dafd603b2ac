"""Measures the pages: latency from a tap to the knock and from an event to seven open pages, memory, page weight.

Then whole nights of every edition are played with a phone for the ghost and each player.

The readers run in a process of their own, as phones do; both read the same clock.
"""

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from queue import SimpleQueue

import httpx
import msgspec
from rich.console import Console
from rich.table import Table as Columns

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))  # the running evening is that of the tests

from paint import paints  # noqa: E402
from phone_nights import play_nights  # noqa: E402

from seance.daemon.world.body_driver import BodyDriver  # noqa: E402
from seance.narration.cue_builder import CueBuilder  # noqa: E402
from seance.rules import Phase  # noqa: E402
from tests.web.running_evening import Phone, RunningEvening, chosen, running_evening  # noqa: E402

PAGES = 7
"""Open at once: the ghost's, and one for everybody else at the largest table."""
NUMBER = re.compile(rb'^data: \{"n":(\d+),')


def percentiles(seconds: list[float]) -> dict[str, float]:
    """Return median, 95th percentile and maximum of *seconds*, in milliseconds."""
    ms = [each * 1000 for each in seconds]
    return {
        "median_ms": statistics.median(ms),
        "95th_ms": statistics.quantiles(ms, n=20, method="inclusive")[18],
        "worst_ms": max(ms),
    }


# The readers


def read(url: str, cookie: str) -> None:
    """Open seven pages and print for each state that arrives: page, version and time."""

    def open_page(page: int) -> None:
        path = "/ghost/events" if page == 0 else "/table/events"
        with httpx.stream("GET", f"{url}{path}", headers={"cookie": f"seat={cookie}"}, timeout=None) as response:
            for line in response.iter_lines():
                if found := NUMBER.match(line.encode()):
                    sys.stdout.write(f"{page} {int(found[1])} {time.monotonic()}\n")
                    sys.stdout.flush()

    for page in range(PAGES):
        threading.Thread(target=open_page, args=(page,), daemon=True).start()
    sys.stdin.read()


@contextmanager
def readers(house: RunningEvening, ghost: Phone):
    """Open seven pages in another process; yield a queue of page, version and time."""
    program = [sys.executable, __file__, "--read", house.url, ghost.http.cookies["seat"]]
    process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    arrivals: SimpleQueue[tuple[int, int, float]] = SimpleQueue()

    def read_lines() -> None:
        for line in process.stdout:
            page, version, at = line.split()
            arrivals.put((int(page), int(version), float(at)))

    threading.Thread(target=read_lines, daemon=True).start()
    try:
        for _ in range(PAGES):
            arrivals.get(timeout=30)
        yield arrivals
    finally:
        process.stdin.close()
        process.wait(10)


# From a tap to the knock, and to the pages


class Timestamps:
    """When the house knocked, and when it published each state."""

    def __init__(self) -> None:
        self.knocks: SimpleQueue[float] = SimpleQueue()
        self.published: dict[int, float] = {}

    def watch(self, house: RunningEvening) -> None:
        latest = house.parts.pages.latest
        update = latest.update

        def timed_update(change) -> None:
            began = time.monotonic()
            update(change)
            self.published.setdefault(latest.current.version, began)

        latest.update = timed_update


def measure_latency(folder: Path, nights: int) -> dict[str, dict[str, float]]:
    """Return the latency from a tap to the knock that answers it, and from a change to each of seven pages."""
    timestamps = Timestamps()
    BodyDriver.knock = lambda *_: (
        timestamps.knocks.put(time.monotonic()) or 0.0
    )  # the coil's own time is measured in `body`
    CueBuilder.pause = lambda *_: None
    to_knock: list[float] = []
    to_page: list[float] = []
    settings = chosen(folder)
    settings = msgspec.structs.replace(settings, telling=msgspec.structs.replace(settings.telling, pace="silent"))
    with running_evening(folder, settings) as house:
        timestamps.watch(house)
        for _ in range(nights):
            house.begin()
            with house.ghost() as ghost, readers(house, ghost) as arrivals:
                while (
                    house.evening.state.hour < house.evening.state.setup.edition.turns
                    and house.evening.state.phase is not Phase.LINEUP
                ):
                    to_knock += play_hour(house, ghost, timestamps)
                house.type("end the séance", "yes")
                house.until(lambda: house.evening.state.outcome is not None)
                house.told()
                time.sleep(0.5)
                while not arrivals.empty():
                    _, version, at = arrivals.get()
                    if version in timestamps.published and at > timestamps.published[version]:
                        to_page.append(at - timestamps.published[version])
    return {"tap to knock": percentiles(to_knock), "event to page": percentiles(to_page)}


def play_hour(house: RunningEvening, ghost: Phone, timestamps: Timestamps) -> list[float]:
    """Play an hour in which everybody chooses wrongly, and return the seconds from each tap to its knock."""
    for search in house.evening.state.searching():
        ghost.ask("give_vision", psychic=search.psychic, count=1)
    ghost.ask("turn_sand")
    house.until(lambda: house.evening.state.phase is Phase.INTERPRETATION)
    for search in house.evening.state.searching():
        kind = house.evening.state.sought(search)
        wrong = next(card for card in house.evening.state.table.of(kind) if card != search.secret.of(kind))
        house.type(f"{search.psychic} chooses card {wrong}")
    house.type("we are ready")
    house.told()
    while not timestamps.knocks.empty():
        timestamps.knocks.get()
    spent = []
    for search in house.evening.state.searching():
        began = time.monotonic()
        ghost.ask("manifest", psychic=search.psychic)
        spent.append(timestamps.knocks.get(timeout=30) - began)
        house.told()
        while not timestamps.knocks.empty():
            timestamps.knocks.get()
        time.sleep(0.15)  # like a thumb: within the rate limit
    return spent


# Memory and page weight


def measure_memory(folder: Path, *, pages: bool) -> float:
    """Return the program's resident memory in MB, with seven pages open or without pages."""
    port, journal = 18013, folder / f"memory-{pages}"
    config = folder / "settings.toml"
    listen = "loopback" if pages else "off"
    config.write_text(f'[web]\nlisten = "{listen}"\nport = {port}\n[journal]\npath = "{journal}"\n')
    program = [
        sys.executable,
        "-m",
        "seance",
        "run",
        "--config",
        str(config),
        "--typed",
        "--no-sound",
        "--board",
        "virtual",
    ]
    process = subprocess.Popen(
        program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        for line in process.stdout:
            if "séance" in line:
                break
        with subprocess.Popen(
            [sys.executable, __file__, "--read", f"http://127.0.0.1:{port}", ""],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as phones:
            if pages:
                for _ in range(PAGES - 1):
                    phones.stdout.readline()
            else:
                time.sleep(1)
            status = Path(f"/proc/{process.pid}/status").read_text()
            phones.stdin.close()
    finally:
        process.stdin.close()
        process.terminate()
        process.wait(20)
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


def page_weights(house: RunningEvening) -> dict[str, float]:
    """Return the weight of each page with everything that it loads, in kB as sent."""
    found = {}
    with house.phone() as phone:
        for path in ("/", "/table", "/ghost", "/replay", "/host"):
            seen: set[str] = set()
            waiting, size = [path], 0
            while waiting:
                name = waiting.pop()
                if name in seen:
                    continue
                seen.add(name)
                answer = phone.get(name)
                size += len(answer.content)
                loaded = re.findall(
                    r"""(?:src|href)="(/static/[^"]+)"|from "(?:\./|/static/)([^"]+)"|import "(?:\./|/static/)([^"]+)\"""",
                    answer.text,
                )
                waiting += [
                    each if each.startswith("/") else f"/static/{each}" for group in loaded for each in group if each
                ]
            found[path] = size / 1000
        found["a state of the table"] = len(json.dumps(phone.state())) / 1000
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one night instead of three, and one with phones")
    parser.add_argument("--nights", action="store_true", help="only play the nights with phones")
    parser.add_argument("--edition", help="play the nights of this edition alone")
    parser.add_argument("--read", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.read:
        read(*args.read)
        return
    results = Path("bench-results")
    results.mkdir(exist_ok=True)
    if args.nights:
        show_nights(args)
        return
    # Not /tmp, which may be in memory, where a sync costs nothing.
    with tempfile.TemporaryDirectory(dir=results) as name:
        folder = Path(name).resolve()
        result: dict[str, dict[str, object]] = {"latency": measure_latency(folder, 1 if args.quick else 3)}
        with running_evening(folder / "weights", chosen(folder)) as house:
            result["kilobytes"] = page_weights(house)
            result["first paint"] = paints(house.url)
            result["first paint, four times slower"] = paints(house.url, slower=4)
        result["megabytes"] = {
            "without pages": measure_memory(folder, pages=False),
            "with seven open": measure_memory(folder, pages=True),
        }
    show(result)
    result["nights with phones"] = show_nights(args)
    (results / "web.json").write_text(json.dumps(result, indent=1) + "\n")


def show_nights(args: argparse.Namespace) -> list[dict]:
    """Play the nights with phones, print each as it ends, and return them."""
    played = []
    for night in play_nights(quick=args.quick, only=args.edition):
        played.append(asdict(night))
        print(
            f"{night.edition:10} {night.players} players, {night.phones} phones, {night.language}: "
            f"{night.seconds:5.1f} s  {night.ended}",
            flush=True,
        )
    return played


def show(result: dict) -> None:
    console = Console()
    columns = Columns(f"with {PAGES} pages open", "median ms", "95th ms", "worst ms", title="web")
    for name, each in result["latency"].items():
        columns.add_row(name, *(f"{value:.2f}" for value in each.values()))
    console.print(columns)
    for part in ("first paint", "first paint, four times slower"):
        columns = Columns(part, "median ms", "worst ms", "kB sent")
        for name, each in result[part].items():
            columns.add_row(name, *(f"{value:.1f}" for value in each.values()))
        console.print(columns)
    for part in ("kilobytes", "megabytes"):
        console.print(f"{part}:", {name: round(value, 1) for name, value in result[part].items()})


if __name__ == "__main__":
    main()
