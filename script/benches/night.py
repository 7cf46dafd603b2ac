"""How long a house takes from a sentence to what the room perceives, what a night costs, and what kills and talk do to it.

From a cue to the loudspeaker is measured in `voice`.
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
sys.path.insert(0, str(ROOT))  # the tables and the programs that are killed are those of the tests

from in_the_room import Unpaused, from_the_last_sound, process_in_a_room  # noqa: E402
from spoken_nights import TABLES, spoken_nights  # noqa: E402

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


def spread(spent: list[float]) -> dict[str, float]:
    """Return *spent* (seconds) in milliseconds."""
    ms = [each * 1000 for each in spent]
    return {
        "median_ms": statistics.median(ms),
        "95th_ms": statistics.quantiles(ms, n=20, method="inclusive")[18],
        "worst_ms": max(ms),
    }


# From a sentence to what is perceived


class Ears:
    """Notes when the first sound and the first knock come; speaking takes no time."""

    def __init__(self) -> None:
        self.rung, self.knocked, self.told = threading.Event(), threading.Event(), threading.Event()
        self.at: dict[str, float] = {}

    def _note(self, what: str, event: threading.Event) -> None:
        self.at.setdefault(what, time.perf_counter())
        event.set()

    def ring(self, _: str) -> None:
        self._note("earcon", self.rung)

    def knock(self, *_: object) -> float:
        self._note("knock", self.knocked)
        return 0.0

    def __getattr__(self, _: str):
        return lambda *_, **__: None


@contextmanager
def held(folder: Path, ears: Ears):
    """Hold an evening in a thread of its own; yield the evening, its inbox and who performs it."""
    inbox, opened = Inbox(), SimpleQueue()
    with Unpaused(ears, ears) as performance:

        def at_work() -> None:
            # Here, not outside: a journal belongs to the thread that opened it.
            with Journal.open(folder / "held.sqlite") as journal:
                evening = Evening(evening_context(journal))
                opened.put(evening)
                run_evening(evening, inbox, performance, clock=time.monotonic)

        thread = threading.Thread(target=at_work)
        thread.start()
        try:
            yield opened.get(), inbox, performance
        finally:
            inbox.put(Stop())
            thread.join()


def said(words: str) -> Heard:
    return Heard(words, sentences("en").match(words), 1.0)


def to_the_earcon(folder: Path, times: int) -> dict[str, float]:
    """Return how long it takes from a sentence in the inbox to the earcon and to the first knock, through all threads."""
    spent: dict[str, list[float]] = {"earcon": [], "knock": []}
    ears = Ears()
    with held(folder, ears) as (evening, inbox, performance):
        inbox.put(GhostCommand(Begin(edition=LIBELLUD, players=7, level="easy", seed=1)))
        for hour in range(times):
            before = len(spent["earcon"])
            for psychic in Psychic:
                inbox.put(GhostCommand(GiveVision(psychic=psychic, count=1)))
            inbox.put(GhostCommand(TurnSand()))
            _settle(performance, lambda: evening.sand is not None)
            for psychic in Psychic:
                search = evening.state.search(psychic)
                kind = evening.state.sought(search)
                wrong = next(card for card in evening.state.table.of(kind) if card != search.secret.of(kind))
                spent["earcon"].append(
                    _until(inbox, ears, ears.rung, "earcon", f"{psychic.value} chooses card {wrong}")
                )
                _settle(performance, lambda psychic=psychic: evening.state.search(psychic).intuition)
            assert len(spent["earcon"]) == before + 6
            spent["knock"].append(_until(inbox, ears, ears.knocked, "knock", "we are ready"))
            _settle(performance, lambda: evening.state.phase != "interpretation")
            if evening.state.outcome is not None:
                inbox.put(GhostCommand(Begin(edition=LIBELLUD, players=7, level="easy", seed=hour)))
                _settle(performance, lambda: evening.state.outcome is None)
    return {name: spread(each) for name, each in spent.items()}


def _until(inbox: Inbox, ears: Ears, event: threading.Event, what: str, words: str) -> float:
    ears.at.clear()
    event.clear()
    heard = said(words)
    began = time.perf_counter()
    inbox.put(heard)
    if not event.wait(60):
        raise SystemExit(f"{words!r} led to no {what}")
    return ears.at[what] - began


def _settle(performance: CuePerformer, done) -> None:
    """Wait until *done*, and all of it was performed: what is measured next begins in silence."""
    until = time.monotonic() + 60
    while not done() and time.monotonic() < until:
        time.sleep(0.001)
    performance.wait(120)


def in_the_evening(folder: Path, nights: int) -> dict[str, object]:
    """Return how long `receive` takes until the cues are there: those with an earcon, those with a knock, all."""
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
        play(evening, night(list(EDITIONS)[seed % 4], 7, seed), Company(Random(seed)), Random(seed))
        evening.journal.close()
    return {name: spread(each) for name, each in spent.items()}


# What a night costs


def a_night(folder: Path) -> dict[str, float]:
    """Return memory and CPU of a process that plays one typed night, and does nothing else."""
    asked = [sys.executable, __file__, "--one-night", str(folder / "one.sqlite")]
    done = subprocess.run(asked, check=True, capture_output=True, text=True, cwd=ROOT)
    return json.loads(done.stdout)


def one_night(path: Path) -> None:
    began = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    evening = table(path.parent / "one")
    ready, loaded = resource.getrusage(resource.RUSAGE_SELF), _resident()
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
                "memory_after_mb": _resident(),
                "cpu_to_load_s": ready.ru_utime - began,
                "cpu_of_the_night_s": cpu,
                "commands": len(evening.journal.entries),
                "lines": len(of(evening.cues, Say)),
                "cpu_of_an_idle_hour_s": (time.process_time() - before) * 6,
            }
        )
    )


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def restoring(folder: Path, steps: int) -> dict[str, float]:
    """Return how long it takes until a long night that was cut off goes on."""
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


# What must never go wrong


def random_nights(folder: Path, nights: int, seed: int) -> dict[str, object]:
    """Return what went wrong in so many nights of players who do anything that is legal, in typed words."""
    wrong, began, commands = [], time.perf_counter(), 0
    for each in range(seed, seed + nights):
        chance = Random(each)
        evening = table(folder / f"random-{each}", language="fr" if each % 2 else "en", seed=each)
        try:
            bot = Sayer(chance, evening) if each % 3 else Company(chance)
            play(evening, night(chance.choice(list(EDITIONS)), chance.randint(2, 7), each), bot, chance)
            check_whole(evening)
        except AssertionError as error:
            wrong.append(f"seed {each}: {error}")
        commands += len(evening.journal.entries)
        evening.journal.close()
    return {"nights": nights, "commands": commands, "seconds": time.perf_counter() - began, "wrong": wrong}


def killing(folder: Path, kills: int, seed: int) -> dict[str, object]:
    """Return what was wrong after so many kills with -9 of programs that play nights; each seed is logged."""
    wrong, done, nights = [], 0, 0
    with Path("bench-results/night-kills.log").open("w") as log:
        while done < kills:
            at = seed + nights
            killed = killed_night(folder / f"killed-{at}.sqlite", at, min(10, kills - done))
            wrong += killed.wrong
            done, nights = done + killed.kills, nights + 1
            print(f"seed {at}: {killed.kills} kills, wrong: {killed.wrong}; {done} so far", file=log, flush=True)
    return {"kills": done, "first_seed": seed, "nights": nights, "wrong": wrong}


def talking(folder: Path, hours: int, seed: int) -> dict[str, object]:
    """Return what so many hours of table talk did to nights under way."""
    wrong, understood, utterances = [], 0, 0
    for hour in range(seed, seed + hours):
        chance = Random(f"talk/{hour}")
        evening = table(folder / f"talk-{hour}", language=chance.choice(("en", "fr")), seed=hour)
        play_on(evening, chance)
        came = talked(evening, chance, UTTERANCES_AN_HOUR)
        utterances, understood = utterances + came.utterances, understood + len(came.understood)
        wrong += [f"hour {hour}: {text!r} changed the night" for text in came.moved]
        if replayed(evening.journal.entries) != evening.state:
            wrong.append(f"hour {hour}: what was granted does not lead to where the night is")
        evening.journal.close()
    return {"hours": hours, "utterances": utterances, "sentences_by_chance": understood, "wrong": wrong}


PARTS = ("room", "latency", "cost", "nights", "spoken", "talk", "kills")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    parser.add_argument("--folder", type=Path, help="on the disk to measure; beside the results without one")
    parser.add_argument("--seed", type=int, default=1, help="of the first night that is played, and killed")
    parser.add_argument("--only", choices=PARTS, action="append", help="a part; all without one")
    parser.add_argument("--many", type=int, help="how many nights, hours of talk or kills, beginning with that seed")
    parser.add_argument("--lang", choices=("en", "fr"), action="append", help="of the nights that are spoken")
    parser.add_argument("--edition", choices=tuple(EDITIONS), action="append", help="of the nights that are spoken")
    parser.add_argument("--players", type=int, choices=TABLES, action="append", help="at the nights that are spoken")
    parser.add_argument("--pico", action="store_true", help="let the nights be spoken by Pico, not by espeak-ng")
    parser.add_argument("--one-night", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one_night:
        one_night(args.one_night)
        return
    results, few = Path("bench-results"), 10 if args.quick else 1
    results.mkdir(exist_ok=True)
    kept = results / "night.json"
    result: dict[str, object] = json.loads(kept.read_text()) if args.only and kept.exists() else {}
    parts = args.only or PARTS
    # Not the machine's folder for temporary files: that may be memory, on which a sync costs nothing.
    with tempfile.TemporaryDirectory(dir=args.folder or results) as name:
        folder = Path(name)
        if "room" in parts:
            spent, result["unheard"] = from_the_last_sound(folder, 20 // few)
            result["room"] = {name: spread(each) for name, each in spent.items()}
            show(result)
            result["process"] = process_in_a_room(folder, 60 / few)
        if "latency" in parts:
            result["evening"] = in_the_evening(folder, 20 // few)
            result["daemon"] = to_the_earcon(folder, 40 // few)
        if "cost" in parts:
            result["night"] = a_night(folder)
            result["restore"] = restoring(folder, 2000 // few)
        if "nights" in parts:
            result["random"] = random_nights(folder, args.many or 600 // few, args.seed)
        if "spoken" in parts:
            editions, players = args.edition or list(EDITIONS), args.players or ((2, 3) if few > 1 else TABLES)
            result["spoken"] = spoken_nights(folder, args.lang or ["en", "fr"], editions, players, pico=args.pico)
        if "talk" in parts:
            result["talk"] = talking(folder, args.many or 1000 // few, args.seed)
        if "kills" in parts:
            result["killed"] = killing(folder, args.many or 1000 // few, args.seed)
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
    for part in ("process", "night", "restore", "random", "spoken", "talk", "killed"):
        if part in result:
            told = {k: v for k, v in result[part].items() if k != "each"}
            rounded = {k: round(v, 3) if isinstance(v, float) else v for k, v in told.items()}
            console.print(f"{part}:", rounded)


if __name__ == "__main__":
    main()
