"""How well the ear hears recordings of long sentences that are not ours, as `seance hear --sentences` does.

A recording begins and ends with the voice. The sentences are drawn from any hassil file; orders.yaml has orders of coffee.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import tempfile
from pathlib import Path
from typing import Any, get_args

import corpus
import engines
import hearing
from rich.console import Console
from rich.progress import track
from studio import Studio, Use, Voice, guests

from seance.dialogue.grammar.sentences import Sentences
from seance.dialogue.grammar.word_graph import word_graph
from seance.hearing.decoder_graph import WordGraph
from seance.models import store
from seance.models.language_models import find_rescoring_model, require_recogniser

NAMES = ("ours", "vosk phrases")
ROOMS = [("clean", None), *((noise, snr) for snr in (12, 6) for noise in ("pink", "clatter", "babble"))]
LEAST = 3
"""Words of a sentence that is worth an order."""


def draw(graph: WordGraph, chance: random.Random) -> str:
    """Return a sentence of *graph*: at each word, any that may follow is as likely as the next, and as the end."""
    state, words = len(graph) - 1, list[str]()
    while True:
        ends, arcs = graph[state]
        step = chance.choice([*arcs, *([None] if ends else [])])
        if step is None:
            return " ".join(words)
        word, state = step
        words.append(word)


_world: dict[str, Any] = {}


def furnish(sentences_file: Path, studio: Studio, voices: list[Voice]) -> None:
    """Build the engines in a worker."""
    model, sentences = require_recogniser("en"), Sentences.load("en", sentences_file=sentences_file)
    _world.update(sentences=sentences, studio=studio, guests=guests(voices))
    _world["engines"] = {
        "ours": engines.ours(model, sentences, find_rescoring_model("en"), recordings=True),
        "vosk phrases": engines.phrases(model),
    }


def listen(job: hearing.Job) -> list[tuple[str, str, hearing.Tally]]:
    """Return what each engine makes of one order."""
    studio, others, sentences = (_world[key] for key in ("studio", "guests", "sentences"))
    scene = corpus.scene(
        job.text,
        job.voice,
        job.noise,
        job.snr,
        random.Random(job.seed),
        studio,
        others,
        corpus.texts("en").talk,
        corpus.A_RECORDING,
    )
    room = hearing.room_name(job.noise, job.snr)
    return [
        (name, room, hearing.heard_by(engine, scene.sound, sentences, engines.uniform_prior, job.text, scene.ended))
        for name, engine in _world["engines"].items()
    ]


def main() -> int:
    """Hear everything, print the table, write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=Path, default=Path(__file__).with_name("orders.yaml"), metavar="FILE.yaml")
    parser.add_argument("--orders", type=int, default=40, metavar="N", help="so many in each room")
    parser.add_argument("--quick", action="store_true", help="ten in each room")
    parser.add_argument("--voices", choices=get_args(Use), default="seen")
    parser.add_argument("--out", type=Path, default=Path("bench-results/orders.json"))
    args, console, chance = parser.parse_args(), Console(), random.Random(7)
    graph, wanted = word_graph(Sentences.load("en", sentences_file=args.sentences)), 10 if args.quick else args.orders
    drawn = dict.fromkeys(draw(graph, chance) for _ in range(20 * wanted))
    orders = [order for order in drawn if len(order.split()) >= LEAST][:wanted]
    with tempfile.TemporaryDirectory(prefix="seance-bench-") as scratch:
        studio = Studio(Path(scratch), store.find("piper"))
        voices = studio.cast("en", args.voices)
        jobs = [
            hearing.Job(order, voices[n % len(voices)], noise, snr, chance.getrandbits(32), NAMES)
            for noise, snr in ROOMS
            for n, order in enumerate(orders)
        ]
        with multiprocessing.Pool(2, furnish, (args.sentences, studio, voices)) as pool:
            tallies = hearing.gather(track(pool.imap_unordered(listen, jobs), total=len(jobs), console=console))
    hearing.show_rooms(console, f"{len(orders)} orders, {args.voices} voices", tallies)
    hearing.write(args.out, tallies, orders=len(orders))
    return 0


if __name__ == "__main__":
    sys.exit(main())
