"""Plays many nights in one process through the real recogniser at full speed, to see whether it leaks.

One evening, one journal, one recogniser, a virtual body and published pages; the guests' speech goes straight to the recogniser.
After each night it notes memory, threads, open files, the size of the journal and bytes written, and at the end their slopes.
"""

import argparse
import gc
import json
import os
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

import numpy as np
from rich.console import Console
from rich.table import Table as Columns

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from script.benches.curves import Curve, draw_curves  # noqa: E402
from seance.audio.formats import SPEECH_RATE_HZ  # noqa: E402
from seance.audio.waves import Wave  # noqa: E402
from seance.daemon.context import EveningContext  # noqa: E402
from seance.daemon.evening import Evening  # noqa: E402
from seance.daemon.page_publisher import PagePublisher  # noqa: E402
from seance.demo import cast as casts  # noqa: E402
from seance.demo.acoustics import GuestVoices, NoisyRecogniser  # noqa: E402
from seance.demo.guests import Guests, HearingTally, NightStuck  # noqa: E402
from seance.demo.table import DemoTable, SpokenInput  # noqa: E402
from seance.demo.terminal_audience import TerminalAudience  # noqa: E402
from seance.dialogue.conversation import Defaults  # noqa: E402
from seance.dialogue.grammar.sentences import Sentences  # noqa: E402
from seance.ghost_words import GhostWords  # noqa: E402
from seance.hearing.recogniser import Recogniser  # noqa: E402
from seance.journal import Journal  # noqa: E402
from seance.models import store  # noqa: E402
from seance.models.language_models import require_recogniser  # noqa: E402
from seance.narration.help_card import HelpTexts  # noqa: E402
from seance.narration.script import Script  # noqa: E402
from seance.narration.staging import NarrationStyle  # noqa: E402
from seance.programs.hear import build_grammar  # noqa: E402
from seance.rules import EDITIONS, Begin, Psychic  # noqa: E402
from seance.rules.bots import Company  # noqa: E402
from seance.speech.cache import SpeechCache  # noqa: E402
from seance.texts import Texts  # noqa: E402


@dataclass(frozen=True)
class Usage:
    """Resources of the process after a night."""

    night: int
    memory_mb: float
    """Resident."""
    threads: int
    files: int
    journal_kb: float
    written_kb: float
    """By this process since its start, as the kernel counts writes to the disk."""
    cpu_seconds: float
    """For this night; the guests' voices run in processes of their own."""
    won: bool | None
    """None if the guests gave up."""


class CachedGuestVoices(GuestVoices):
    """Guest voices cached on disk, so that the bench measures the house and not its guests."""

    def __init__(self, voices, folder: Path) -> None:
        super().__init__(voices)
        self._cache = SpeechCache(folder)

    def say(self, guest: Psychic, words: str) -> Wave:
        key = f"{guest}/{words}"
        wave = self._cache.get(key)
        if wave is None or wave.rate != SPEECH_RATE_HZ:
            wave = super().say(guest, words)
            self._rendered.clear()
            self._cache.put(key, wave)
        return wave


class PublishingAudience(TerminalAudience):
    """Publishes every cue to the pages, as the daemon does."""

    pages: PagePublisher
    evening: Evening

    def perceive(self, cue) -> None:
        super().perceive(cue)
        self.pages.publish_cue(cue)
        self.pages.publish_evening(self.evening)


def measure(night: int, folder: Path, began: float, won: bool | None) -> Usage:
    """Return the resources after *night*, which began at *began* seconds of CPU time."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    io = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return Usage(
        night=night,
        memory_mb=pages * os.sysconf("SC_PAGE_SIZE") / 1e6,
        threads=threading.active_count(),
        files=sum(1 for _ in Path("/proc/self/fd").iterdir()),
        journal_kb=sum(file.stat().st_size for file in (folder / "nights").iterdir()) / 1e3,
        written_kb=int(io["write_bytes"]) / 1e3,
        cpu_seconds=time.process_time() - began,
        won=won,
    )


def night_of(seed: int, players: int) -> Begin:
    """Return the night of *seed*; editions and psychics vary with it."""
    edition = list(EDITIONS.values())[seed % len(EDITIONS)]
    players = min(max(players, edition.least_players), edition.most_players)
    playing = Random(seed).sample(tuple(Psychic), edition.psychics(players))
    psychics = tuple(psychic for psychic in Psychic if psychic in playing)
    return Begin(edition=edition, players=players, level=next(iter(edition.levels)), seed=seed, psychics=psychics)


def soak(
    nights: int, players: int, until: float, folder: Path, console: Console, *, typed: bool
) -> tuple[list[Usage], HearingTally]:
    """Play *nights*, none that begins after *until*, and return the resources after each and the hearing tally."""
    sentences, cast, chance = Sentences.load("en"), casts.load_cast("en"), Random(1894)
    defaults = Defaults(editions=EDITIONS)
    with ExitStack() as stack:
        journal = stack.enter_context(Journal.open(folder / "nights"))
        context = EveningContext(
            sentences=sentences,
            style=NarrationStyle(script=Script.load("en")),
            ghost_words=GhostWords.load("en"),
            help_texts=HelpTexts.load("en"),
            defaults=defaults,
            journal=journal,
            draw_seed=lambda: chance.getrandbits(63),
        )
        spoken_input = None
        if not typed:
            recogniser = Recogniser(
                require_recogniser("en"), build_grammar(sentences), speaker_model=store.find("speaker")
            )
            noisy_recogniser = NoisyRecogniser(recogniser, sentences, build_grammar, chance=chance)
            stack.callback(noisy_recogniser.close)
            spoken_input = SpokenInput(CachedGuestVoices(cast.voices, folder / "throats"), noisy_recogniser)
        texts = Texts.load("terminal", "en")
        nobody = Console(file=stack.enter_context(Path(os.devnull).open("w")))
        audience = stack.enter_context(PublishingAudience(nobody, texts, context.style.script.inflection.psychics))
        audience.evening = Evening(context)
        audience.pages = PagePublisher(language="en", pace="full", edition=EDITIONS["libellud"])
        table = DemoTable(audience.evening, audience, spoken_input)
        guests = Guests(table, cast, Company(chance), language="en", sentences=sentences, chance=chance)
        usage = []
        for number in range(1, nights + 1):
            if time.monotonic() > until:
                break
            began, won = time.process_time(), None
            begin = night_of(number, players)
            try:
                won = (guests.play if number == 1 else guests.play_another)(begin).won
            except NightStuck as stuck:
                console.print(f"night {number}: {stuck}", style="yellow")
            usage.append(measure(number, folder, began, won))
            console.print(str(usage[-1]), highlight=False, soft_wrap=True)
        return usage, guests.tally


def slope(field: str, usage: list[Usage]) -> float:
    """Return the growth of *field* per night, without the first quarter, in which caches warm up."""
    after = usage[len(usage) // 4 :]
    if len(after) < 2:
        return 0.0
    return float(np.polyfit([each.night for each in after], [getattr(each, field) for each in after], 1)[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nights", type=int, default=200)
    parser.add_argument("--players", type=int, default=2, help="the more, the longer it takes")
    parser.add_argument("--typed", action="store_true", help="the guests type: no ear, and far quicker")
    parser.add_argument("--minutes", type=float, default=600.0, help="begin no night after so many")
    parser.add_argument("--picture", type=Path, metavar="FILE.svg", help="draw the curves there, too")
    parser.add_argument("--quick", action="store_true", help="five nights")
    args = parser.parse_args()
    console = Console()
    with tempfile.TemporaryDirectory(prefix="seance-soak-") as folder:
        until = time.monotonic() + args.minutes * 60
        usage, tally = soak(
            5 if args.quick else args.nights, args.players, until, Path(folder), console, typed=args.typed
        )
    texts = Texts.load("terminal", "en")
    slopes = {field: slope(field, usage) for field in ("memory_mb", "threads", "files", "journal_kb", "written_kb")}
    columns = Columns("after the first quarter, a night adds", "", box=None, pad_edge=False)
    for field, growth in slopes.items():
        columns.add_row(field, f"{growth:+.4f}")
    console.print(columns)
    console.print(
        f"{len(usage)} nights of {args.players}, {sum(each.won is None for each in usage)} given up. {tally.describe(texts)}"
    )
    results = Path("bench-results")
    results.mkdir(exist_ok=True)
    kept = {"slopes": slopes, "tally": asdict(tally), "nights": [asdict(each) for each in usage]}
    (results / ("soak-typed.json" if args.typed else "soak.json")).write_text(json.dumps(kept, indent=1) + "\n")
    if args.picture:
        args.picture.write_text(
            picture(usage, args.players, "typed" if args.typed else "heard by the real ear"), encoding="utf-8"
        )


def picture(usage: list[Usage], players: int, how: str) -> str:
    nights = [each.night for each in usage]
    curves = (
        Curve("memory (MB)", [each.memory_mb for each in usage]),
        Curve("threads", [each.threads for each in usage]),
        Curve("open files", [each.files for each in usage]),
        Curve("journal (kB)", [each.journal_kb for each in usage]),
    )
    title = f"{len(usage)} nights in one process, {players} players, {how}"
    return draw_curves(title, "nights", nights, curves)


if __name__ == "__main__":
    main()
