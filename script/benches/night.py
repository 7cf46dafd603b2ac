"""Measures an evening: latency from a sentence to the cue, CPU and memory of a night, robustness to kills and table talk.

The latency from a cue to the loudspeaker is measured in `voice`.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from random import Random

from rich.console import Console
from rich.table import Table as Columns

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))  # tables and killed programs are those of the tests

from house_cost import draw_costs, house_costs, show_costs, written_a_night  # noqa: E402
from in_the_room import Unpaused, from_the_last_sound, process_in_a_room  # noqa: E402
from spoken_nights import spoken_nights  # noqa: E402

from seance.daemon.evening import Evening  # noqa: E402
from seance.daemon.loop import Inbox, run_evening  # noqa: E402
from seance.daemon.performers import CuePerformer  # noqa: E402
from seance.daemon.signals import GhostCommand, Heard, Stop  # noqa: E402
from seance.journal import Journal  # noqa: E402
from seance.narration.cues import Earcon, Knock, Say  # noqa: E402
from seance.rules import EDITIONS, LIBELLUD, Begin, GiveVision, PlaceIntuition, Psychic, TurnSand  # noqa: E402
from seance.rules.bots import Company  # noqa: E402
from tests.daemon.evenings import Sayer, check_whole, evening_context, night, of, play, sentences, set_up, table  # noqa: E402
from tests.daemon.killing import killed_night  # noqa: E402
from tests.daemon.table_talk import UTTERANCES_AN_HOUR, play_on, replayed, talked  # noqa: E402
from tests.languages import LANGUAGES, SPOKEN  # noqa: E402
from tests.tables import tables_of  # noqa: E402


def percentiles(seconds: list[float]) -> dict[str, float]:
    """Return median, 95th percentile and maximum of *seconds*, in milliseconds."""
    ms = [each * 1000 for each in seconds]
    return {
        "median_ms": statistics.median(ms),
        "95th_ms": statistics.quantiles(ms, n=20, method="inclusive")[18],
        "worst_ms": max(ms),
    }


# Latency from a sentence to its cues


class TimedOutput:
    """A voice and a body that note when the first earcon and the first knock come; speaking takes no time."""

    def __init__(self) -> None:
        self.rung, self.knocked = threading.Event(), threading.Event()
        self.at: dict[str, float] = {}

    def _note(self, what: str, event: threading.Event) -> None:
        self.at.setdefault(what, time.perf_counter())
        event.set()

    def play_earcon(self, _: str) -> None:
        self._note("earcon", self.rung)

    def knock(self, *_: object) -> float:
        self._note("knock", self.knocked)
        return 0.0

    def __getattr__(self, _: str):
        return lambda *_, **__: None


@contextmanager
def running_evening(folder: Path, output: TimedOutput):
    """Run an evening on a thread; yield the evening, its inbox and its performer."""
    inbox, opened = Inbox(), SimpleQueue()
    with Unpaused(output, output) as performer:

        def run() -> None:
            # Here, not outside: a journal belongs to the thread that opened it.
            with Journal.open(folder / "held") as journal:
                evening = Evening(evening_context(journal))
                opened.put(evening)
                run_evening(evening, inbox, performer, clock=time.monotonic)

        thread = threading.Thread(target=run)
        thread.start()
        try:
            yield opened.get(), inbox, performer
        finally:
            inbox.put(Stop())
            thread.join()


def heard_signal(words: str) -> Heard:
    return Heard(words, sentences("en").match(words), 1.0)


def daemon_latency(folder: Path, hours: int) -> dict[str, float]:
    """Return the latency from a sentence in the inbox to the earcon and to the first knock, through all threads."""
    spent: dict[str, list[float]] = {"earcon": [], "knock": []}
    output = TimedOutput()
    with running_evening(folder, output) as (evening, inbox, performer):
        inbox.put(GhostCommand(Begin(edition=LIBELLUD, players=7, level="easy", seed=1)))
        for hour in range(hours):
            before = len(spent["earcon"])
            for psychic in Psychic:
                inbox.put(GhostCommand(GiveVision(psychic=psychic, count=1)))
            inbox.put(GhostCommand(TurnSand()))
            _settle(performer, lambda: evening.sand is not None)
            for psychic in Psychic:
                search = evening.state.search(psychic)
                kind = evening.state.sought(search)
                wrong = next(card for card in evening.state.table.of(kind) if card != search.secret.of(kind))
                spent["earcon"].append(
                    _time_until(inbox, output, output.rung, "earcon", f"{psychic.value} chooses card {wrong}")
                )
                _settle(performer, lambda psychic=psychic: evening.state.search(psychic).intuition)
            assert len(spent["earcon"]) == before + 6
            spent["knock"].append(_time_until(inbox, output, output.knocked, "knock", "we are ready"))
            _settle(performer, lambda: evening.state.phase != "interpretation")
            if evening.state.outcome is not None:
                inbox.put(GhostCommand(Begin(edition=LIBELLUD, players=7, level="easy", seed=hour)))
                _settle(performer, lambda: evening.state.outcome is None)
    return {name: percentiles(each) for name, each in spent.items()}


def _time_until(inbox: Inbox, output: TimedOutput, event: threading.Event, what: str, words: str) -> float:
    output.at.clear()
    event.clear()
    signal = heard_signal(words)
    began = time.perf_counter()
    inbox.put(signal)
    if not event.wait(60):
        raise SystemExit(f"{words!r} led to no {what}")
    return output.at[what] - began


def _settle(performer: CuePerformer, done) -> None:
    """Wait until *done* and everything is performed, so that the next measurement begins in silence."""
    until = time.monotonic() + 60
    while not done() and time.monotonic() < until:
        time.sleep(0.001)
    performer.wait(120)


def receive_latency(folder: Path, nights: int) -> dict[str, object]:
    """Return how long `receive` takes: for cues with an earcon, with a knock, and for all."""
    spent: dict[str, list[float]] = {"to an earcon": [], "to a knock": [], "all": []}
    for seed in range(nights):
        evening = table(folder / f"timed-{seed}", seed=seed)
        receive = evening.evening.receive

        def timed(signal, now, receive=receive):
            began = time.perf_counter()
            cues = receive(signal, now)
            took = time.perf_counter() - began
            spent["all"].append(took)
            if of(cues, Knock):
                spent["to a knock"].append(took)
            elif of(cues, Earcon):
                spent["to an earcon"].append(took)
            return cues

        evening.evening.receive = timed
        edition = list(EDITIONS.values())[seed % len(EDITIONS)]
        play(evening, night(edition.name, edition.most_players, seed), Company(Random(seed)), Random(seed))
        evening.journal.close()
    return {name: percentiles(each) for name, each in spent.items()}


# CPU and memory


def night_cost(folder: Path) -> dict[str, float]:
    """Return memory and CPU of a process that only plays one typed night."""
    program = [sys.executable, __file__, "--one-night", str(folder / "one")]
    done = subprocess.run(program, check=True, capture_output=True, text=True, cwd=ROOT)
    return json.loads(done.stdout)


def play_one_night(path: Path) -> None:
    """Play one night and print its cost as JSON."""
    began = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    evening = table(path.parent / "one")
    ready, loaded = resource.getrusage(resource.RUSAGE_SELF), _resident_mb()
    play(evening, night("libellud", 7, 4), Company(Random(4)), Random(4))
    over = resource.getrusage(resource.RUSAGE_SELF)
    cpu = over.ru_utime + over.ru_stime - ready.ru_utime - ready.ru_stime
    before = time.process_time()
    evening.say("begin the séance")
    evening.wait(600)
    print(
        json.dumps(
            {
                "memory_loaded_mb": loaded,
                "memory_after_mb": _resident_mb(),
                "cpu_to_load_s": ready.ru_utime - began,
                "cpu_of_the_night_s": cpu,
                "commands": len(evening.journal.entries),
                "lines": len(of(evening.cues, Say)),
                "cpu_of_an_idle_hour_s": (time.process_time() - before) * 6,
            }
        )
    )


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def restore_time(folder: Path, steps: int) -> dict[str, float]:
    """Return how long it takes to resume a long night that was interrupted."""
    evening = table(folder / "long")
    set_up(evening, night("libellud", 7, 1))
    evening.ask(*(GiveVision(psychic=psychic, count=1) for psychic in evening.state.setup.psychics), TurnSand())
    first, second = evening.state.table.character[:2]
    while len(evening.journal.entries) < steps:
        turn = len(evening.journal.entries)
        evening.now -= 0.1  # no sand runs out meanwhile
        evening.ask(PlaceIntuition(psychic=Psychic.RED, card=(first, second)[turn % 2]))
    evening.journal.close()
    began = time.perf_counter()
    journal = Journal.open(evening.journal.path)
    opened = time.perf_counter()
    again = Evening(evening_context(journal))
    again.open(0.0)
    ended = time.perf_counter()
    if again.state != evening.state:
        raise SystemExit("the long night is not restored as it was")
    return {"steps": steps, "open_the_journal_s": opened - began, "go_on_s": ended - opened}


# Robustness


def play_random_nights(folder: Path, nights: int, seed: int) -> dict[str, object]:
    """Play *nights* with random legal commands in typed words, and return what went wrong."""
    wrong, began, commands = [], time.perf_counter(), 0
    for each in range(seed, seed + nights):
        chance = Random(each)
        evening = table(folder / f"random-{each}", language=LANGUAGES[each % len(LANGUAGES)], seed=each)
        try:
            bot = Sayer(chance, evening) if each % 3 else Company(chance)
            edition = chance.choice(list(EDITIONS.values()))
            play(evening, night(edition.name, chance.choice(edition.players), each), bot, chance)
            check_whole(evening)
        except AssertionError as error:
            wrong.append(f"seed {each}: {error}")
        commands += len(evening.journal.entries)
        evening.journal.close()
    return {"nights": nights, "commands": commands, "seconds": time.perf_counter() - began, "wrong": wrong}


def kill_nights(folder: Path, kills: int, seed: int) -> dict[str, object]:
    """Kill programs that play nights *kills* times with SIGKILL, and return what was wrong; each seed is logged."""
    wrong, done, nights = [], 0, 0
    with Path("bench-results/night-kills.log").open("w") as log:
        while done < kills:
            at = seed + nights
            killed = killed_night(folder / f"killed-{at}", at, min(10, kills - done))
            wrong += killed.wrong
            done, nights = done + killed.kills, nights + 1
            print(f"seed {at}: {killed.kills} kills, wrong: {killed.wrong}; {done} so far", file=log, flush=True)
    return {"kills": done, "first_seed": seed, "nights": nights, "wrong": wrong}


def talk_at_nights(folder: Path, hours: int, seed: int) -> dict[str, object]:
    """Talk at running nights for *hours*, and return what that changed."""
    wrong, understood, utterances = [], 0, 0
    for hour in range(seed, seed + hours):
        chance = Random(f"talk/{hour}")
        evening = table(folder / f"talk-{hour}", language=chance.choice(LANGUAGES), seed=hour)
        play_on(evening, chance)
        came = talked(evening, chance, UTTERANCES_AN_HOUR)
        utterances, understood = utterances + came.utterances, understood + len(came.understood)
        wrong += [f"hour {hour}: {text!r} changed the night" for text in came.moved]
        if replayed(evening.journal.entries) != evening.state:
            wrong.append(f"hour {hour}: what was granted does not lead to where the night is")
        evening.journal.close()
    return {"hours": hours, "utterances": utterances, "sentences_by_chance": understood, "wrong": wrong}


PARTS = ("room", "house", "latency", "cost", "nights", "spoken", "talk", "kills")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    parser.add_argument("--folder", type=Path, help="on the disk to measure; beside the results without one")
    parser.add_argument("--seed", type=int, default=1, help="of the first night that is played, and killed")
    parser.add_argument("--only", choices=PARTS, action="append", help="a part; all without one")
    parser.add_argument("--many", type=int, help="how many nights, hours of talk or kills, beginning with that seed")
    parser.add_argument("--seconds", type=float, help="of silence, and of talk, in each house")
    parser.add_argument("--lang", choices=SPOKEN, action="append", help="of the nights that are spoken")
    parser.add_argument("--edition", choices=tuple(EDITIONS), action="append", help="of the nights that are spoken")
    parser.add_argument("--players", type=int, action="append", help="at the nights that are spoken")
    parser.add_argument("--pico", action="store_true", help="let the nights be spoken by Pico, not by espeak-ng")
    parser.add_argument("--one-night", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one_night:
        play_one_night(args.one_night)
        return
    results, few = Path("bench-results"), 10 if args.quick else 1
    results.mkdir(exist_ok=True)
    kept = results / "night.json"
    result: dict[str, object] = json.loads(kept.read_text()) if args.only and kept.exists() else {}
    parts = args.only or PARTS
    # Not /tmp, which may be in memory, where a sync costs nothing.
    with tempfile.TemporaryDirectory(dir=args.folder or results) as name:
        folder = Path(name)
        if "room" in parts:
            spent, result["unheard"] = from_the_last_sound(folder, 20 // few)
            result["room"] = {name: percentiles(each) for name, each in spent.items()}
            show(result)
            result["process"] = process_in_a_room(folder, 60 / few)
        if "house" in parts:
            result["house"] = house_costs(folder, args.seconds or 60 / few)
            result["written_mb"] = written_a_night(folder)
            (results / "night-house.svg").write_text(draw_costs(result["house"]), encoding="utf-8")
        if "latency" in parts:
            result["evening"] = receive_latency(folder, 20 // few)
            result["daemon"] = daemon_latency(folder, 40 // few)
        if "cost" in parts:
            result["night"] = night_cost(folder)
            result["restore"] = restore_time(folder, 2000 // few)
        if "nights" in parts:
            result["random"] = play_random_nights(folder, args.many or 600 // few, args.seed)
        if "spoken" in parts:
            tables = [
                (edition, players)
                for edition in args.edition or list(EDITIONS)
                for players in args.players or tables_of(EDITIONS[edition])[: 2 if few > 1 else None]
            ]
            result["spoken"] = spoken_nights(folder, args.lang or list(SPOKEN), tables, pico=args.pico)
        if "talk" in parts:
            result["talk"] = talk_at_nights(folder, args.many or 1000 // few, args.seed)
        if "kills" in parts:
            result["killed"] = kill_nights(folder, args.many or 1000 // few, args.seed)
    show(result)
    kept.write_text(json.dumps(result, indent=1) + "\n")
    if any(isinstance(each, dict) and each.get("wrong") for each in result.values()):
        raise SystemExit(1)


def show(result: dict) -> None:
    console = Console()
    columns = Columns(
        "from the last sound (room), or a sentence in the inbox", "median ms", "95th ms", "worst ms", title="night"
    )
    rows = {
        f"{part}: {name}": each for part in ("room", "evening", "daemon") for name, each in result.get(part, {}).items()
    }
    for name, each in rows.items():
        columns.add_row(name, *(f"{value:.2f}" for value in each.values()))
    if rows:
        console.print(columns)
    if "house" in result:
        show_costs(result["house"], console)
        console.print(f"a night writes {result['written_mb']:.2f} MB")
    for part in ("process", "night", "restore", "random", "spoken", "talk", "killed"):
        if part in result:
            shown = {k: v for k, v in result[part].items() if k != "each"}
            rounded = {k: round(v, 3) if isinstance(v, float) else v for k, v in shown.items()}
            console.print(f"{part}:", rounded)


if __name__ == "__main__":
    main()
