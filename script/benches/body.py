"""Measure latency, jitter, CPU and memory of the body: on virtual pins, and on the real lgpio with a fake chip."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from hardware import NO, YES, open_body
from hardware.board import load_board
from hardware.virtual import VirtualPin, VirtualPinFactory

ROOT = Path(__file__).parents[2]
BOARD = "breadboard"
COIL_PIN = load_board(BOARD).knocker.pin


class Edges:
    """The times at which the coil's pin went high, in seconds of the monotonic clock."""

    def __init__(self, record: str | None) -> None:
        self.record = Path(record) if record else None
        self.seen: list[float] = []

    def take(self) -> list[float]:
        """Return the edges since the last call."""
        if self.record is not None:
            rows = [line.split() for line in self.record.read_text().splitlines()]
            self.seen = [int(when) / 1e9 for when, gpio, level in rows if int(gpio) == COIL_PIN and level == "1"]
            self.record.write_text("")
        seen, self.seen = self.seen, []
        return seen


def open_pins(kind: str, edges: Edges):
    """Return virtual pins that record the coil's edges, or lgpio's pins."""
    if kind == "lgpio":
        from tests.hardware.fake_pi import FakePiFactory

        return FakePiFactory(chip=0)

    class RecordingPin(VirtualPin):
        def _change_state(self, value: float) -> bool:
            if value and self._number == COIL_PIN:
                edges.seen.append(time.monotonic())
            return super()._change_state(value)

    factory = VirtualPinFactory()
    factory.pin_class = RecordingPin
    return factory


def knock(body, rhythm) -> float:
    """Play *rhythm*, wait for its end and the pause after it, and return the time at which it was asked for."""
    over = threading.Event()
    last = body.knocker.count + len(rhythm)
    body.knocker.when_knocked = lambda _: over.set() if body.knocker.count == last else None
    asked = time.monotonic()
    body.knocker.play(rhythm)
    over.wait()
    time.sleep(1.05)  # the pause between two rhythms
    return asked


def measure(kind: str, times: int, seconds: float) -> dict[str, object]:
    """Return all figures for one kind of pins, measured in this process."""
    edges = Edges(os.environ.get("GPIOCHIP_EDGES"))
    with open_body(BOARD, pin_factory=open_pins(kind, edges)) as body:
        held = memory()
        edges.take()
        calls = []
        for _ in range(times):
            asked = knock(body, YES)
            calls.append((edges.take()[0] - asked) * 1000)
        gaps = []
        for _ in range(times):
            knock(body, NO)
            first, second = edges.take()
            gaps.append((second - first - 0.4) * 1000)
        idle = cpu(seconds)
        body.bar.drain(120)
        draining = cpu(seconds)
        body.bar.drain(120, left=9.5)
        beating = cpu(min(seconds, 9))
    return {
        "call_to_edge_ms": {"median": statistics.median(calls), "worst": max(calls)},
        "two_knocks_off_ms": {"median": statistics.median(map(abs, gaps)), "worst": max(map(abs, gaps))},
        "cpu_percent": {
            "idle": idle,
            "draining": draining,
            "of that the bar": draining - idle,
            "last seconds": beating,
        },
        "memory_mb": {"bare Python": bare_memory(), "with body": held},
    }


def cpu(seconds: float) -> float:
    """Return the percentage of a core that this process takes over the next *seconds*."""
    began, spent = time.monotonic(), time.process_time()
    time.sleep(seconds)
    return (time.process_time() - spent) / (time.monotonic() - began) * 100


def memory(process: int | str = "self") -> float:
    """Return the resident memory of a process in megabytes."""
    # Not its peak: a child inherits that of its parent.
    rows = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(row.split()[1]) for row in rows if row.startswith("VmRSS")) / 1024


def bare_memory() -> float:
    """Return the resident memory of an idle Python in megabytes."""
    code = "import sys; sys.stdout.write('.'); sys.stdout.flush(); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bare:
        bare.stdout.read(1)
        held = memory(bare.pid)
        bare.stdin.close()
    return held


def measure_in_subprocess(kind: str, folder: Path, options: list[str]) -> dict[str, object]:
    """Return all figures for one kind of pins, measured in a new process."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "LG_WD": str(folder)}
    if kind == "lgpio":
        library = folder / "gpiochip.so"
        source = ROOT / "tests/hardware/gpiochip.c"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
        environment |= {"LD_PRELOAD": str(library), "GPIOCHIP_LEVELS": str(folder / "levels")}
        environment |= {"GPIOCHIP_EDGES": str(folder / "edges"), "GPIOCHIP_WATCHED": str(COIL_PIN)}
    command = [sys.executable, __file__, "--pins", kind, *options]
    return json.loads(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer knocks, a shorter look at the bar")
    parser.add_argument("--pins", choices=("virtual", "lgpio"), help="measure in this process and print JSON")
    options = parser.parse_args()
    if options.pins:
        times, seconds = (3, 4.0) if options.quick else (20, 20.0)
        print(json.dumps(measure(options.pins, times, seconds)))
        return
    with tempfile.TemporaryDirectory() as folder:
        quick = ["--quick"] if options.quick else []
        result = {kind: measure_in_subprocess(kind, Path(folder), quick) for kind in ("virtual", "lgpio")}
    show(result)
    Path("bench-results").mkdir(exist_ok=True)
    Path("bench-results/body.json").write_text(json.dumps(result, indent=1) + "\n")


def show(result: dict[str, dict[str, dict[str, float]]]) -> None:
    table = Table("breadboard", "", *result, title="body")
    for name, figures in result["virtual"].items():
        for figure in figures:
            table.add_row(name, figure, *(f"{result[kind][name][figure]:.2f}" for kind in result))
    Console().print(table)


if __name__ == "__main__":
    main()
