"""How well the house hears while it speaks: commands over the narrator, and the narrator alone, in simulated rooms.

The loudspeaker clips softly, the room reverberates for 0.35 s, and the microphone's clock may drift. The echo goes through
the same reference, delay, filter and recogniser as in a house; before the filter has proved itself nothing is heard.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random

import corpus
import numpy as np
from echo_ear import BLOCK, Heard, HouseEar, load_recogniser
from echo_room import Chamber, HeldNarrator, lines, narration, narrator, told_in_room
from rich.console import Console
from rich.table import Table
from studio import RATE, Sound, Studio, Use

from seance.audio.echo_remover import power
from seance.dialogue.grammar.sentences import Sentences
from seance.dialogue.interruptions import STOPPING
from seance.languages import language_codes

FIRST_COMMAND_S = 12.0
COMMAND_EVERY_S = 6.0
SHORTEST_SENTENCE_WORDS = 2
"""Words of a command that is said over the narrator; others do not count there."""
LINES_A_ROOM = 60
STRETCHES_S = (0.4, 1.0, 2.0)
"""Lengths of a word and of sentences, for which the canceller is asked whether it was the house."""
QUIETEST_DB = -30.0
"""Of a stretch, against the loudest block: what is quieter is a pause."""
DOUBT_MARGIN_S = 8.0
"""Seconds that are recognised before and after a stretch that may be somebody else's."""
STOPPING_PHRASES = 4
"""The shortest of those that silence the house."""


@dataclass(frozen=True, slots=True)
class Said:
    """A command in a stream, from when to when (seconds)."""

    text: str
    began_s: float
    ended_s: float


@dataclass(frozen=True, slots=True)
class Result:
    """A row of the table."""

    part: str
    language: str
    ratio_db: float | None
    drift_ppm: float
    said: int
    right: int
    others: int
    """Sentences that nobody said."""
    erle_db: float
    cost_percent: float
    """Of one core, for the canceller and its reference."""
    minutes: float
    held_after_s: tuple[float, ...] = ()
    """From the last sound of each word that silences the house until the voice is held."""
    held_for_nothing: int = 0
    """How often the voice was held although nobody had said such a word."""


def interruptions(job: tuple[str, str, Use, int, float, float, int]) -> Result:
    """Hear commands over the narrator."""
    folder, language, use, many, ratio_db, drift_ppm, seed = job
    studio, chance, chamber = Studio(Path(folder)), Random(seed), Chamber(seed)
    voices = studio.cast(language, use)
    commands = [text for text in corpus.texts(language).commands if len(text.split()) >= SHORTEST_SENTENCE_WORDS]
    commands = chance.sample(commands, min(many, len(commands)))
    length = round((FIRST_COMMAND_S + COMMAND_EVERY_S * len(commands)) * RATE)
    played = told_in_room(studio, chance, language, length)
    near, said = chamber.echo(played, drift_ppm), list[Said]()
    for number, text in enumerate(commands):
        spoken = studio.say(text, voices[number % len(voices)])
        at = round((FIRST_COMMAND_S + COMMAND_EVERY_S * number + chance.uniform(0, 2)) * RATE)
        sound = chamber.speech(spoken, ratio_db)[: length - at]
        near[at : at + len(sound)] += sound
        said.append(Said(text, at / RATE, (at + len(spoken)) / RATE))
    ear = HouseEar(language, drift_ppm)
    heard = ear.hear(near, played)
    return result("interruptions", ear, said, heard, ratio_db, drift_ppm, length / RATE)


def stopping(job: tuple[str, str, Use, int, float, int]) -> Result:
    """Measure how soon the voice is held after the shortest sentences that silence the house, and pauses meanwhile."""
    folder, language, use, many, ratio_db, seed = job
    studio, chance, chamber = Studio(Path(folder)), Random(seed), Chamber(seed)
    voices = studio.cast(language, use)
    phrases = sorted(Sentences.load(language).narrow(STOPPING).every_phrase(), key=len)[:STOPPING_PHRASES]
    length = round((FIRST_COMMAND_S + COMMAND_EVERY_S * many) * RATE)
    played = told_in_room(studio, chance, language, length)
    near, said = chamber.noise(length), list[Said]()
    for number in range(many):
        text, voice = phrases[number % len(phrases)], voices[number // len(phrases) % len(voices)]
        spoken = studio.say(text, voice)
        at = round((FIRST_COMMAND_S + COMMAND_EVERY_S * number + chance.uniform(0, 2)) * RATE)
        sound = chamber.speech(spoken, ratio_db)[: length - at]
        near[at : at + len(sound)] += sound
        said.append(Said(text, at / RATE, (at + len(spoken)) / RATE))
    ear = HouseEar(language)
    heard = ear.hear(near, HeldNarrator(chamber, played))
    firsts = [next((at for at in ear.held_at_s if one.began_s < at < one.ended_s + 2), None) for one in said]
    after_s = tuple(at - one.ended_s for at, one in zip(firsts, said, strict=True) if at is not None)
    held_for_nothing = [at for at in ear.held_at_s if not any(one.began_s < at < one.ended_s + 2 for one in said)]
    stopped = result("stop", ear, said, heard, ratio_db, 0.0, length / RATE)
    return replace(stopped, held_after_s=after_s, held_for_nothing=len(held_for_nothing))


def own_voice(job: tuple[str, str, bool, int, int, float]) -> Result:
    """Hear lines of the script that nobody but the house says."""
    folder, language, is_natural, first, many, drift_ppm = job
    studio, chamber = Studio(Path(folder)), Chamber(first)
    told = lines(language)
    Random(0).shuffle(told)
    # The first lines are said twice: the filter learns the room by them, while the house is deaf.
    played = narration(
        studio, narrator(language, natural=is_natural), told[first : first + 2] * 2 + told[first : first + many]
    )
    ear = HouseEar(language, drift_ppm)
    heard = ear.hear(chamber.echo(played, drift_ppm), played)
    for each in heard:
        print(f"taken: {each.text!r} at {each.began_s:.1f} s of lines {first} to {first + many}", file=sys.stderr)
    held = result("own voice", ear, [], heard, None, drift_ppm, len(played) / RATE)
    return replace(held, held_for_nothing=len(ear.held_at_s))


def told_apart(job: tuple[str, str, bool, int, float]) -> Result:
    """Hear lines where the canceller does not know all for the house's own voice.

    What it knows can be no command, whatever the recogniser makes of it. Each STRETCHES_S is looked at from every block
    on: `said` is how many there are, `right` those that it knows. What lies around the others is recognised, and
    `others` is what is taken there.
    """
    folder, language, is_natural, many, drift_ppm = job
    studio, told = Studio(Path(folder)), lines(language)
    Random(0).shuffle(told)
    ear, listener = HouseEar(language, drift_ppm), HouseEar(language, drift_ppm)
    margin_blocks = round(DOUBT_MARGIN_S * RATE / BLOCK)
    stretches, known, seconds, taken = 0, 0, 0.0, list[Heard]()
    for first in range(0, many, LINES_A_ROOM):
        played = narration(
            studio,
            narrator(language, natural=is_natural),
            told[first : first + 2] * 2 + told[first : min(first + LINES_A_ROOM, many)],
        )
        near = Chamber(first).echo(played, drift_ppm)
        powers = [power(near[at : at + BLOCK]) for at in range(0, len(near) // BLOCK * BLOCK, BLOCK)]
        remover, doubtful = ear.new_remover(), set[int]()
        for number, _ in enumerate(ear.clean(near, played, remover)):
            for length in (round(each * RATE / BLOCK) for each in STRETCHES_S):
                mean = sum(powers[max(0, number + 1 - length) : number + 1]) / length
                if remover.is_trusted and number >= length and mean > 10 ** (QUIETEST_DB / 10) * max(powers):
                    stretches += 1
                    ended_s = remover.heard_s
                    is_own = remover.is_own_voice(ended_s - length * BLOCK / RATE, ended_s + 0.01)
                    known += is_own
                    if not is_own:
                        doubtful.update(range(number - margin_blocks, number + margin_blocks))
        seconds += len(played) / RATE
        if doubtful:
            heard = listener.hear(near, played, only=frozenset(doubtful))
            taken += heard
            about = f"lines {first} to {first + LINES_A_ROOM}"
            print(f"{about}: {len(doubtful) * BLOCK / RATE:.0f} s heard, taken: {heard}", file=sys.stderr)
    told_apart = result("told apart", ear, [], taken, None, drift_ppm, seconds)
    return replace(told_apart, said=stretches, right=known, held_for_nothing=len(listener.held_at_s))


def after_a_line(job: tuple[str, str, Use, int, bool]) -> Result:
    """Hear commands that begin 0.4 s after a line, with the canceller or without it."""
    folder, language, use, many, is_cancelled = job
    studio, chance, chamber = Studio(Path(folder)), Random(3), Chamber(3)
    voices = studio.cast(language, use)
    commands = chance.sample(corpus.texts(language).commands, many)
    told = chance.sample([text for text in lines(language) if len(text) > 60], many + 3)
    played, at, said = narration(studio, narrator(language), told[:3]), list[int](), list[Said]()
    for number in range(many):
        line = studio.say(told[3 + number], narrator(language))
        at.append(len(played) + len(line) + round(0.4 * RATE))
        played = np.concatenate((played, line, np.zeros(4 * RATE, np.float32)))
    near = chamber.echo(played, 0.0)
    deaf = np.ones(len(near), np.float32)
    for number, (start, text) in enumerate(zip(at, commands, strict=True)):
        spoken = studio.say(text, voices[number % len(voices)])
        sound = chamber.speech(spoken, 0.0)[: 3 * RATE]
        near[start : start + len(sound)] += sound
        deaf[start - RATE // 10 : start + 3 * RATE] = 0.0
        said.append(Said(text, start / RATE, (start + len(spoken)) / RATE))
    ear = HouseEar(language)
    heard = ear.hear(near, played, is_over_voice=False) if is_cancelled else _hear_plain(language, near * (1 - deaf))
    heard = [
        each for each in heard if any(one.began_s - 1 < each.ended_s and each.began_s < one.ended_s for one in said)
    ]
    return result(
        "after a line" + ("" if is_cancelled else ", deaf before"), ear, said, heard, 0.0, 0.0, len(near) / RATE
    )


def _hear_plain(language: str, near: Sound) -> list[Heard]:
    recogniser = load_recogniser(language)
    found = [heard for at in range(0, len(near), BLOCK) for heard in recogniser.feed(near[at : at + BLOCK])]
    recogniser.close()
    return [Heard(each.text, each.intent, each.began_s, each.ended_s) for each in found if each.intent is not None]


def result(
    part: str,
    ear: HouseEar,
    said: list[Said],
    heard: list[Heard],
    ratio_db: float | None,
    drift_ppm: float,
    seconds: float,
) -> Result:
    """Return what became of all that was *said*."""
    sentences, right, meant = Sentences.load(ear.language), 0, list[Heard]()
    for one in said:
        during = [each for each in heard if each.began_s < one.ended_s + 0.5 and each.ended_s > one.began_s]
        meant += during
        right += any(each.intent == sentences.match(one.text) for each in during)
    others = len([each for each in heard if each not in meant])
    cost = 100 * ear.spent_s / seconds
    return Result(part, ear.language, ratio_db, drift_ppm, len(said), right, others, ear.erle_db, cost, seconds / 60)


def main() -> int:
    parser = argparse.ArgumentParser(prog="script/bench echo")
    parser.add_argument("--quick", action="store_true", help="a tenth of it")
    parser.add_argument("--lang", choices=language_codes(), default="en")
    parser.add_argument("--only", choices=["interruptions", "stop", "own", "told", "after"], help="one part")
    parser.add_argument(
        "--drift", type=float, nargs="*", default=[0.0, 80.0], help="of the clocks (ppm) for the house's own voice"
    )
    parser.add_argument("--voices", dest="use", choices=["blind", "fresh", "natural"], default="blind")
    parser.add_argument("--many", type=int, default=40, help="commands in each room")
    parser.add_argument(
        "--natural", action="store_true", help="Kokoro as the narrator, where nobody but the house speaks"
    )
    parser.add_argument("--lines", type=int, help="so many lines of the script; all if not given")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--sounds", type=Path, help="where spoken sentences are kept for the next run")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder, many = str(args.sounds or scratch), 8 if args.quick else args.many
        count = args.lines or (60 if args.quick else len(lines(args.lang)))
        jobs = []
        if args.only in (None, "interruptions"):
            rooms = [(0.0, 0.0), (-6.0, 0.0), (0.0, 80.0)]
            jobs += [(interruptions, (folder, args.lang, args.use, many, *room, 7)) for room in rooms]
        if args.only in (None, "stop"):
            jobs += [(stopping, (folder, args.lang, args.use, many, ratio_db, 7)) for ratio_db in (0.0, -6.0)]
        if args.only in (None, "after"):
            jobs += [
                (after_a_line, (folder, args.lang, args.use, many, is_cancelled)) for is_cancelled in (True, False)
            ]
        if args.only in (None, "own"):
            size = LINES_A_ROOM
            jobs += [
                (own_voice, (folder, args.lang, args.natural, first, min(size, count - first), drift_ppm))
                for drift_ppm in args.drift
                for first in range(0, count, size)
            ]
        if args.only in (None, "told"):
            jobs += [(told_apart, (folder, args.lang, args.natural, count, drift_ppm)) for drift_ppm in args.drift]
        with ProcessPoolExecutor(args.workers) as pool:
            results = []
            for future in [pool.submit(work, job) for work, job in jobs]:
                results.append(future.result())
                print(json.dumps(asdict(results[-1])), file=sys.stderr, flush=True)
    show(results)
    Path("bench-results").mkdir(exist_ok=True)
    Path("bench-results/echo.json").write_text(json.dumps([asdict(each) for each in results], indent=1))
    return 0


def show(results: Sequence[Result]) -> None:
    """Print a table; the stretches of the script are added up."""
    table = Table(
        "part",
        "language",
        "talker to echo",
        "drift",
        "right",
        "others taken",
        "ERLE",
        "cost",
        "minutes",
        "held",
    )
    for key in dict.fromkeys((each.part, each.ratio_db, each.drift_ppm) for each in results):
        rows = [each for each in results if (each.part, each.ratio_db, each.drift_ppm) == key]
        minutes = sum(each.minutes for each in rows)
        table.add_row(
            key[0],
            rows[0].language,
            "" if key[1] is None else f"{key[1]:g} dB",
            f"{key[2]:g} ppm",
            f"{sum(each.right for each in rows)} of {sum(each.said for each in rows)}",
            str(sum(each.others for each in rows)),
            f"{np.mean([each.erle_db for each in rows]):.0f} dB",
            f"{sum(each.cost_percent * each.minutes for each in rows) / minutes:.1f} %",
            f"{minutes:.1f}",
            describe_holds(rows),
        )
    Console().print(table)


def describe_holds(rows: Sequence[Result]) -> str:
    """Return when the voice was held after a word (median, 95th), and how often for nothing."""
    after_s = [each for row in rows for each in row.held_after_s]
    times = "{:.2f} s, {:.2f} s; ".format(*np.percentile(after_s, (50, 95))) if after_s else ""
    return f"{times}{sum(row.held_for_nothing for row in rows)} for nothing"


if __name__ == "__main__":
    sys.exit(main())
