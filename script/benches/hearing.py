"""How well the ear hears, beside plain engines on the same sound: a table for people, JSON for machines."""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar, get_args

import corpus
import engines
import moments
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table
from studio import RATE, Sound, Studio, Use, Voice, bench_voices, guests

from seance.dialogue.grammar.sentences import Sentences
from seance.languages import DEFAULT_LANGUAGE
from seance.models import store
from seance.models.language_models import find_rescoring_model, require_recogniser

ROOMS = [("clean", None), *((noise, snr) for snr in (20, 10, 5) for noise in ("white", "pink", "babble"))]
IN_A_NIGHT = " in a night"
"""Marks an engine that is told what may be said at the moment, and which cards and psychics are there."""
NAMES = ("ours", "ours in a night", "vosk phrases", "vosk phrases in a night", "vosk free", "pocketsphinx")
SURE = 0.95


CONTINUOUS = NAMES[:3]
"""Who hears the hours of talk."""
STRETCH = 150.0
"""Seconds of talk that are heard in one go."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much is heard."""

    commands: int = 1000
    """At most so many in each room, and so many sentences of talk."""
    talk: int = 1000
    hours: float = 2.0
    """Of continuous babble and talk."""


QUICK = Size(20, 30, 2 * STRETCH / 3600)


@dataclass(frozen=True, slots=True)
class Job:
    """One sound to be heard by all engines."""

    text: str
    """Empty for a long stretch of talk."""
    voice: Voice
    noise: str
    snr: float | None
    seed: int
    engines: tuple[str, ...]
    seconds: float = 0.0
    guests: int = 0


@dataclass(slots=True)
class Tally:
    """What one engine made of one kind of sound."""

    sounds: int = 0
    right: int = 0
    wrong: int = 0
    """Sounds in which something was heard that was not said."""
    false: int = 0
    """Commands that nobody gave."""
    seconds: float = 0.0
    compute: float = 0.0
    delays: list[float] = field(default_factory=list)
    """Seconds from the last sound of a command that could not go on to its being heard."""
    open_delays: list[float] = field(default_factory=list)
    """The same for those that could."""


Tallies = dict[str, dict[str, Tally]]
"""What each engine made of each kind of sound."""
T = TypeVar("T")

_world: dict[str, Any] = {}


def furnish(language: str, studio: Studio, voices: Sequence[Voice], wanted: Sequence[str]) -> None:
    """Build the engines in a worker."""
    model, sentences = require_recogniser(language), Sentences.load(language)
    build = {
        "ours": lambda: engines.ours(model, sentences, find_rescoring_model(language)),
        "vosk phrases": lambda: engines.phrases(model),
        "vosk free": lambda: engines.free(model),
        "pocketsphinx": lambda: engines.sphinx(sentences),
    }
    _world.update(studio=studio, voices=guests(voices), sentences=sentences, talk=corpus.texts(language).talk)
    _world["engines"] = {name: build[name.removesuffix(IN_A_NIGHT)]() for name in wanted}


def listen(job: Job) -> list[tuple[str, str, Tally]]:
    """Return what each engine makes of one sound."""
    chance = random.Random(job.seed)
    studio, voices, talk, everything = (_world[key] for key in ("studio", "voices", "talk", "sentences"))
    if job.text:
        scene = corpus.scene(job.text, job.voice, job.noise, job.snr, chance, studio, voices, talk)
        sound, ended = scene.sound, scene.ended
    else:
        cast = chance.sample(voices, len(voices))
        sound, ended = 0.08 * corpus.babble(job.seconds, chance, studio, cast, talk, guests=job.guests), 0.0
    said = everything.match(job.text) if job.text else None
    kind = "continuous" if not job.text else "talk " + job.noise if said is None else room_name(job.noise, job.snr)
    moment = moments.expected_when_said(said, chance)
    night = moment.narrow(everything)
    results = []
    for name in job.engines:
        if name in _world["engines"]:
            now, prior = (night, moment.prior) if name.endswith(IN_A_NIGHT) else (everything, engines.uniform_prior)
            results.append((name, kind, heard_by(_world["engines"][name], sound, now, prior, job.text, ended)))
    return results


def heard_by(
    engine: engines.Engine, sound: Sound, now: Sentences, prior: engines.Prior, text: str, ended: float
) -> Tally:
    """Return what *engine* makes of *text* (nothing when it is empty), whose last sound was at *ended*."""
    meant = now.match(text) if text else None
    began = time.process_time()
    heard = engine(sound, now, prior)
    tally = Tally(1, seconds=sound.size / RATE, compute=time.process_time() - began)
    good = [command for command in heard if meant is not None and command.intent == meant]
    tally.right = bool(good)
    tally.false = len([command for command in heard if command.intent != meant])
    tally.wrong = bool(tally.false)
    if good:
        delays = tally.open_delays if now.could_continue(text) else tally.delays
        delays.append(good[0].at - ended)
    return tally


def room_name(noise: str, snr: float | None) -> str:
    """Return what a room is called in the tables."""
    return noise if snr is None else f"{noise} {snr:.0f} dB"


def plan(texts: corpus.Texts, voices: Sequence[Voice], names: Sequence[str], size: Size) -> list[Job]:
    """Return all that is to be heard."""
    chance = random.Random(3)
    jobs = []
    every = tuple(names)
    commands = chance.sample(texts.commands, min(size.commands, len(texts.commands)))
    talk = chance.sample(texts.talk, min(size.talk, len(texts.talk)))
    for noise, snr in ROOMS:
        for number, text in enumerate(commands):
            voice = voices[(number + len(jobs)) % len(voices)]
            jobs.append(Job(text, voice, noise, snr, chance.getrandbits(32), every))
    for noise, snr in (("clean", None), ("babble", 10)):
        for number, text in enumerate(talk):
            jobs.append(Job(text, voices[number % len(voices)], noise, snr, chance.getrandbits(32), every))
    for number in range(round(size.hours * 3600 / STRETCH)):
        at_once = 1 + number % 6
        # the others are given a quarter of it, to be done within the hour
        some = CONTINUOUS if number % 4 == 0 else CONTINUOUS[:1]
        jobs.append(Job("", voices[0], "babble", None, chance.getrandbits(32), some, STRETCH, at_once))
    # a run that is cut short has heard some of everything
    chance.shuffle(jobs)
    return jobs


def within(seconds: float, results: Iterable[T]) -> Iterator[T]:
    """Yield *results* as long as there is time."""
    began = time.monotonic()
    for result in results:
        yield result
        if time.monotonic() - began > seconds:
            return


def gather(results: Iterable[list[tuple[str, str, Tally]]]) -> Tallies:
    """Return the tallies of each engine by kind of sound."""
    tallies: Tallies = defaultdict(lambda: defaultdict(Tally))
    for result in results:
        for name, kind, one in result:
            total = tallies[name][kind]
            for key in ("sounds", "right", "wrong", "false", "seconds", "compute"):
                setattr(total, key, getattr(total, key) + getattr(one, key))
            total.delays += one.delays
            total.open_delays += one.open_delays
    return tallies


def most(events: int) -> float:
    """Return how many events one must still expect, at most, after seeing so many (95 %)."""
    low, high = 0.0, 10.0 + 4 * events
    for _ in range(60):
        middle = (low + high) / 2
        term = total = math.exp(-middle)
        for k in range(1, events + 1):
            term *= middle / k
            total += term
        low, high = (middle, high) if total > 1 - SURE else (low, middle)
    return high


def start(language: str) -> dict[str, float]:
    """Return how long a fresh ear takes to listen, and how much memory it has after a while."""
    code = (
        "import time; began = time.monotonic()\n"
        "import numpy as np\n"
        "from seance.dialogue.grammar.sentences import Sentences\n"
        "from seance.programs.hear import build_grammar\n"
        "from seance.models.language_models import find_rescoring_model, require_recogniser\n"
        "from seance.hearing.recogniser import Recogniser\n"
        f"ear = Recogniser(require_recogniser({language!r}), build_grammar(Sentences.load({language!r})),"
        f" rescoring_model=find_rescoring_model({language!r}))\n"
        "list(ear.feed(np.zeros(800, np.float32)))\n"
        "ready = time.monotonic() - began\n"
        "ear.wait_until_loaded()\n"
        "noise = np.random.default_rng(1).standard_normal(16000 * 20).astype('f4') * 0.1\n"
        "noise *= np.repeat(np.arange(40) % 3 == 0, 8000)\n"
        "list(ear.feed(noise)); list(ear.finish())\n"
        "peak = next(int(l.split()[1]) for l in open('/proc/self/status') if l.startswith('VmHWM'))\n"
        "now = next(int(l.split()[1]) for l in open('/proc/self/status') if l.startswith('VmRSS'))\n"
        "print(ready, now / 1000, peak / 1000)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    ready, now, peak = map(float, done.stdout.split())
    return {"seconds_to_listening": ready, "resident_mb": now, "peak_mb": peak}


def facts(tally: Tally) -> dict[str, Any]:
    """Return a tally as plain numbers."""
    hours = tally.seconds / 3600
    return {
        "sounds": tally.sounds,
        "right": tally.right / tally.sounds,
        "wrong": tally.wrong / tally.sounds,
        "false_commands": tally.false,
        "false_per_hour": tally.false / hours,
        "false_per_hour_at_most": most(tally.false) / hours,
        "compute_per_second": tally.compute / tally.seconds,
        "delay": _percentiles(tally.delays),
        "delay_open": _percentiles(tally.open_delays),
    }


def _percentiles(delays: list[float]) -> dict[str, float] | None:
    if not delays:
        return None
    return {"median": float(np.median(delays)), "95th": float(np.percentile(delays, 95))}


def show_rooms(console: Console, title: str, tallies: Tallies) -> None:
    """Print a table of rooms, with a column for each engine."""
    table = Table(title=f"whole commands right / something else heard, {title}")
    table.add_column("room")
    for name in tallies:
        table.add_column(name, justify="right")
    for kind in dict.fromkeys(kind for kinds in tallies.values() for kind in kinds):
        table.add_row(kind, *(cell(kind, kinds.get(kind)) for kinds in tallies.values()))
    console.print(table)


def write(out: Path, tallies: Tallies, **about: Any) -> None:
    """Write all figures to a file, and what they are *about*."""
    report = {name: {kind: facts(tally) for kind, tally in kinds.items()} for name, kinds in tallies.items()}
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps({**about, "engines": report}, indent=1))


def show(console: Console, title: str, tallies: Tallies, fresh: dict[str, float]) -> None:
    """Print the tables."""
    show_rooms(console, title, tallies)
    for name, kinds in tallies.items():
        delays = [d for tally in kinds.values() for d in tally.delays]
        waits = [d for tally in kinds.values() for d in tally.open_delays]
        compute = sum(t.compute for t in kinds.values()) / sum(t.seconds for t in kinds.values())
        console.print(f"{name}: answers after {_delay(delays)} s (could go on: {_delay(waits)} s), {compute:.3f} core")
    console.print(
        f"ours: listening {fresh['seconds_to_listening']:.1f} s after start,"
        f" {fresh['resident_mb']:.0f} MB resident, {fresh['peak_mb']:.0f} MB at most"
    )


def cell(kind: str, tally: Tally | None) -> str:
    """Return what the table says of one kind of sound."""
    if tally is None:
        return "-"
    if kind == "continuous":
        hours = tally.seconds / 3600
        return f"{tally.false} in {hours:.2f} h (at most {most(tally.false) / hours:.1f}/h)"
    if kind.startswith("talk"):
        return f"{tally.wrong} of {tally.sounds} taken"
    return f"{100 * tally.right / tally.sounds:.1f} / {100 * tally.wrong / tally.sounds:.1f} %"


def _delay(delays: list[float]) -> str:
    found = _percentiles(delays)
    return f"{found['median']:.2f} median, {found['95th']:.2f} 95th" if found else "-"


def arguments() -> argparse.Namespace:
    """Return what was asked for on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lang", choices=corpus.languages(), default=DEFAULT_LANGUAGE)
    parser.add_argument("--quick", action="store_true", help="a few minutes instead of an hour")
    parser.add_argument("--commands", type=int, metavar="N", help="so many in each room")
    parser.add_argument("--talk", type=int, metavar="N", help="so many sentences of table talk")
    parser.add_argument("--hours", type=float, metavar="H", help="of continuous babble and talk")
    parser.add_argument("--minutes", type=float, default=180.0, metavar="M", help="after which what was heard is shown")
    parser.add_argument(
        "--slice", default="1/1", metavar="K/N", help="the Kth of N parts of it, to be done piece by piece"
    )
    parser.add_argument("--voices", choices=get_args(Use), default="blind", help="by what they were used for before")
    parser.add_argument("--only", nargs="+", choices=NAMES, metavar="ENGINE", help=", ".join(NAMES))
    parser.add_argument("--sounds", type=Path, metavar="DIR", help="keep what was spoken there, for the next run")
    parser.add_argument("--out", type=Path, default=Path("bench-results/hearing.json"))
    return parser.parse_args()


def main() -> int:
    """Hear everything, print the tables, write the figures."""
    args, console = arguments(), Console()
    there = NAMES if bench_voices(args.lang).pocketsphinx else NAMES[:-1]
    names = [name for name in there if args.only is None or name in args.only]
    asked = {key: value for key in ("commands", "talk", "hours") if (value := getattr(args, key)) is not None}
    size = replace(QUICK if args.quick else Size(), **asked)
    with tempfile.TemporaryDirectory(prefix="seance-bench-") as scratch:
        studio = Studio(args.sounds or Path(scratch), store.find("piper"))
        voices = studio.cast(args.lang, args.voices)
        console.print(f"{args.voices} voices: " + "; ".join(voice.name for voice in voices))
        fresh = start(args.lang)
        part, parts = map(int, args.slice.split("/"))
        jobs = plan(corpus.texts(args.lang), voices, names, size)[part - 1 :: parts]
        with multiprocessing.Pool(2, furnish, (args.lang, studio, voices, names)) as pool:
            heard = track(pool.imap_unordered(listen, jobs), total=len(jobs), console=console)
            results = list(within(60 * args.minutes, heard))
        console.print(f"{len(results)} of {len(jobs)} sounds heard")
    tallies = gather(results)
    ordered = {name: tallies[name] for name in names if name in tallies}
    show(console, f"{args.lang}, {args.voices} voices", ordered, fresh)
    write(args.out, ordered, voices=[voice.name for voice in voices], start=fresh)
    return 0


if __name__ == "__main__":
    sys.exit(main())
