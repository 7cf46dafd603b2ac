"""What a whole house costs: memory, CPU and start of `seance run` with ever more of its parts, in one run.

Each row has everything of the rows above it. A row is a process of its own on the rig's sound server.
"""

from __future__ import annotations

import os
import pty
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from math import inf
from pathlib import Path
from tempfile import mkdtemp

import httpx
import numpy as np
import soundfile
from bars import Panel, draw_bars
from rich.console import Console
from rich.table import Table

from seance.models import store
from tests.daemon.spoken import voiced
from tests.mqtt.brokers import mosquitto
from tests.sound_rig import Sink, SoundRig

RATE = 16_000
TALK = ("who has not chosen yet", "well I think it is the cook", "did you see the garden", "no that was the other one")
STARTS = 3
"""Of each house; the soonest counts."""
PATIENCE_S = 120.0
"""For a start, the welcome included."""
SETTLE_S = 20.0
"""For the welcome, before anything is counted."""
USUAL = "+ echo canceller: the usual house"
GOALS = (Panel("MB", "memory_mb", goal=300), Panel("idle, % of a core", "idle_percent", goal=5, digits=1),
         Panel("busy, % of a core", "busy_percent", goal=20, digits=1))  # fmt: skip
"""Of the usual house."""


@dataclass(frozen=True, slots=True)
class House:
    """The parts that are on."""

    interrupt: str = "off"
    ambience: bool = False
    phones: int = 0
    has_terminal: bool = False
    has_array: bool = False
    has_mqtt: bool = False
    engine: str = "espeak"

    def settings(self, broker_port: int | None) -> str:
        """Return the settings file of this house."""
        lines = [
            f'[hearing]\ninterrupt = "{self.interrupt}"',
            f"[ambience]\non = {str(self.ambience).lower()}",
            f'[voice]\nengine = "{self.engine}"',
            '[web]\nlisten = "loopback"\nport = 0',
        ]
        if self.has_array:
            lines.append('[microphone]\narray = "ring4"')
        if self.has_mqtt:
            lines.append(f'[mqtt]\nbroker = "127.0.0.1"\nport = {broker_port}')
        return "\n".join(lines) + "\n"


@dataclass(slots=True)
class Cost:
    """What one house costs."""

    light_s: float = 0.0
    """From the start of the program to the sweep of the lights."""
    ready_s: float = 0.0
    listening_s: float = 0.0
    memory_mb: float = 0.0
    """Resident, of the house's own process."""
    helpers_mb: float = 0.0
    """Resident, of the processes that it started and that still run."""
    idle_percent: float = 0.0
    """Of a core, in a silent room."""
    busy_percent: float = 0.0
    """Of a core, while somebody talks without a pause."""
    helpers_percent: float = 0.0
    """Of a core, in a silent room, by the processes that it started."""


def houses() -> dict[str, House]:
    """Return the houses by what each adds to the one before."""
    rows = {"the house alone: recogniser, espeak-ng, pages": House()}
    last = next(iter(rows.values()))
    added: dict[str, Mapping[str, object]] = {
        "ambience": {"ambience": True},
        "three phones": {"phones": 3},
        USUAL.removeprefix("+ "): {"interrupt": "auto"},
        "six phones": {"phones": 6},
        "terminal": {"has_terminal": True},
        "MQTT": {"has_mqtt": True},
        "array of four microphones": {"has_array": True},
    }
    if store.find("kokoro") is not None:
        added["natural voice (Kokoro)"] = {"engine": "kokoro"}
    for name, parts in added.items():
        last = replace(last, **parts)
        rows[f"+ {name}"] = last
    return rows


def house_costs(folder: Path, seconds: float) -> dict[str, dict[str, float]]:
    """Return the cost of each house by its name; *seconds* are counted in silence, and as many in talk."""
    folder = folder.resolve()
    talk = np.concatenate([voiced(text, "en-us") for text in TALK])
    talk = np.tile(talk, int(seconds * RATE / len(talk)) + 2)
    costs = {}
    with mosquitto(folder) as broker:
        for name, house in houses().items():
            Console(stderr=True).print(f"house: {name}")
            with _sound(Path(mkdtemp(dir=folder)), house) as (rig, place):
                wav = place / "talk.wav"
                soundfile.write(wav, np.tile(talk[:, None], (1, 4)) if house.has_array else talk, RATE)
                costs[name] = asdict(_cost_of(house, place, rig, wav, broker.port, seconds))
    return costs


@contextmanager
def _sound(place: Path, house: House) -> Iterator[tuple[SoundRig, Path]]:
    channels = 4 if house.has_array else 1
    rig = SoundRig(place / "rig", sinks=[Sink("speaker"), Sink("room", channels=channels)])
    rig.folder.mkdir()
    rig.start()
    try:
        yield rig, place
    finally:
        rig.stop()


def _start_often(house: House, place: Path, rig: SoundRig, config: Path, cost: Cost) -> None:
    """Start the house so often that one of the starts is hardly disturbed by what else the machine does."""
    for _ in range(STARTS - 1):
        with _started(house, place, rig, config, cost):
            pass


@contextmanager
def _started(house: House, place: Path, rig: SoundRig, config: Path, cost: Cost) -> Iterator[Run]:
    """Run a house that hears until the end of the body, and note in *cost* how soon it did if that was the soonest."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        (place / "notify").unlink(missing_ok=True)
        manager.bind(str(place / "notify"))
        manager.settimeout(PATIENCE_S)
        with _running(house, place, rig, config) as run:
            threading.Thread(target=_note_ready, args=(manager, run), daemon=True).start()
            run.wait_for("light", "ready", "listening")
            for moment in ("light", "ready", "listening"):
                setattr(cost, f"{moment}_s", min(run.at[moment], getattr(cost, f"{moment}_s") or inf))
            yield run


def _cost_of(house: House, place: Path, rig: SoundRig, wav: Path, broker_port: int, seconds: float) -> Cost:
    config = place / "settings.toml"
    config.write_text(house.settings(broker_port))
    cost = Cost()
    _start_often(house, place, rig, config, cost)
    with ExitStack() as stack:
        run = stack.enter_context(_started(house, place, rig, config, cost))
        for _ in range(house.phones):
            stack.enter_context(_phone(run.address))
        time.sleep(SETTLE_S)
        cost.idle_percent, cost.helpers_percent = _cpu(run.process.pid, seconds)
        with rig.speaking_in_room(wav):
            cost.busy_percent, _ = _cpu(run.process.pid, seconds)
        own, *others = _family(run.process.pid)
        cost.memory_mb, cost.helpers_mb = _resident_mb(own), sum(map(_resident_mb, others))
    return cost


# The process


@dataclass
class Run:
    """A running house, and when it came how far, in seconds from its start."""

    process: subprocess.Popen[str]
    begun: float
    at: dict[str, float] = field(default_factory=dict)
    address: str = ""
    came: threading.Condition = field(default_factory=threading.Condition)

    def note(self, moment: str) -> None:
        with self.came:
            self.at.setdefault(moment, time.perf_counter() - self.begun)
            self.came.notify_all()

    def wait_for(self, *moments: str) -> None:
        with self.came:
            if not self.came.wait_for(lambda: self.at.keys() >= set(moments), PATIENCE_S):
                raise SystemExit(f"the house never came so far: {sorted(set(moments) - self.at.keys())}")


@contextmanager
def _running(house: House, place: Path, rig: SoundRig, config: Path) -> Iterator[Run]:
    """Run a house with or without a terminal until the end of the body."""
    program = [sys.executable, "-m", "seance", "run", "--config", str(config), "--board", "virtual", "--log", "debug"]
    environ = os.environ | rig.environment | {
        "XDG_DATA_HOME": str(place / "data"),
        "XDG_CACHE_HOME": str(place / "cache"),
        "SEANCE_MODELS": str(store.find("en").parent),
        "NOTIFY_SOCKET": str(place / "notify"),
        "TERM": "xterm-256color",
    }  # fmt: skip
    environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed house is compiled
    screen, keyboard = pty.openpty()
    stdio = keyboard if house.has_terminal else subprocess.DEVNULL
    with subprocess.Popen(
        program if house.has_terminal else [*program, "--service"],
        stdin=stdio, stdout=stdio, stderr=subprocess.PIPE, text=True, env=environ,
    ) as process:  # fmt: skip
        os.close(keyboard)
        run = Run(process, time.perf_counter())
        readers = [threading.Thread(target=_read_log, args=(run,)), threading.Thread(target=_drain, args=(screen,))]
        for reader in readers:
            reader.start()
        try:
            yield run
        finally:
            process.terminate()
            process.wait(60)
            for reader in readers:
                reader.join()
            os.close(screen)


def _read_log(run: Run) -> None:
    assert run.process.stderr is not None
    for line in run.process.stderr:
        if "the lights are on" in line:
            run.note("light")
        elif "the ear is awake" in line:
            run.note("listening")
        elif "the pages are at " in line:
            run.address = line.rpartition(" ")[2].strip().rstrip("/")


def _drain(screen: int) -> None:
    """Read what the terminal is told, as a terminal does."""
    try:
        while os.read(screen, 65_536):
            pass
    except OSError:  # nobody has the other end any more
        return


def _note_ready(manager: socket.socket, run: Run) -> None:
    with manager:
        while b"READY=1" not in manager.recv(4096):
            pass
    run.note("ready")


@contextmanager
def _phone(address: str) -> Iterator[None]:
    """Keep the table's page open."""
    with httpx.Client(timeout=None) as client, client.stream("GET", f"{address}/table/events") as page:
        reader = threading.Thread(target=_read_page, args=(page,), daemon=True)
        reader.start()
        yield
        page.close()


def _read_page(page: httpx.Response) -> None:
    try:
        for _ in page.iter_lines():
            pass
    except httpx.HTTPError:
        return


# Its cost


def _family(pid: int) -> list[int]:
    """Return *pid* and all processes below it."""
    family = [pid]
    for each in family:
        for task in Path(f"/proc/{each}/task").glob("*/children"):
            family += map(int, task.read_text().split())
    return family


def _cpu(pid: int, seconds: float) -> tuple[float, float]:
    """Return how much of a core the process takes in *seconds*, and those that it started, in per cent."""
    before, began = _ticks(pid), time.perf_counter()
    time.sleep(seconds)
    after, took = _ticks(pid), time.perf_counter() - began
    own, others = (100 * (b - a) / os.sysconf("SC_CLK_TCK") / took for a, b in zip(before, after, strict=True))
    return own, others


def _ticks(pid: int) -> tuple[int, int]:
    """Return the ticks of *pid*, and those of its children, dead ones included."""
    fields = [_stat(each) for each in _family(pid)]
    own = sum(fields[0][:2])
    return own, sum(fields[0][2:4]) + sum(sum(each[:4]) for each in fields[1:])


def _stat(pid: int) -> list[int]:
    """Return user and system ticks of *pid*, then those of its children that have ended."""
    text = Path(f"/proc/{pid}/stat").read_text()
    return [int(each) for each in text.rsplit(")", 1)[1].split()[11:15]]


def _resident_mb(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def show_costs(costs: Mapping[str, Mapping[str, float]], console: Console) -> None:
    """Print the table."""
    table = Table(
        "house", "light s", "ready s", "listening s", "MB", "others MB", "idle %", "busy %", "others %", title="cost"
    )
    for name, cost in costs.items():
        table.add_row(name, *(f"{value:.1f}" for value in cost.values()))
    console.print(table)


def draw_costs(costs: Mapping[str, Mapping[str, float]]) -> str:
    """Return the picture of the table, as SVG."""
    return draw_bars("What a whole house costs, each row with everything above it", costs, GOALS, USUAL)


# What it writes


def written_a_night(folder: Path) -> float:
    """Return how many megabytes a typed night of four writes to the disk of *folder*, in whole pages."""
    place = Path(mkdtemp(dir=folder))
    program = [sys.executable, "-m", "seance", "demo", "--typed", "--players", "4", "--seed", "1894"]
    with subprocess.Popen([*program, "--out", place / "night"], stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit("the night that writes was not played to its end")
    return usage.ru_oublock * 512 / 1e6
