"""What a bigger recogniser on another machine adds: commands and talk with it and without, and what it costs.

whisper-base stands in for it, behind a real Wyoming server (script/benches/whisper.py). `--fit` looks for the weights of
its text in seance/hearing/transcripts.py instead.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from statistics import median
from tempfile import gettempdir
from typing import Any

import corpus
import moments
import numpy as np
import whisper
from rich.console import Console
from rich.table import Table
from studio import Sound, Studio, bench_voices

from seance.dialogue.grammar.sentences import Sentences
from seance.hearing import interpretation
from seance.hearing.recogniser import Recogniser
from seance.hearing.scoring import Candidate, decide
from seance.hearing.transcripts import SIMILARITY_WEIGHT, TRANSCRIPT_BIAS, fold, similarity, similarity_log_odds
from seance.models.language_models import find_rescoring_model, require_recogniser
from seance.programs.hear import build_grammar
from seance.wyoming.addresses import Address
from seance.wyoming.transcriber import WyomingTranscriber

PORT = 10_300
ROOMS = ("clean", "pink:15", "babble:15", "pink:10")
"""Noise and SNR in dB."""
BLOCK = 800
PATIENCE_S = 120.0
"""The deadline here, where other work may slow the server: what it takes is measured apart."""
BIASES, WEIGHTS = np.arange(-8, 0.6, 0.5), np.arange(0, 12.1, 1)


@dataclass(slots=True)
class Remembering:
    """Asks the server once for each sound, and remembers what is asked of the decision."""

    server: WyomingTranscriber
    is_on: bool = True
    answers: dict[bytes, str | None] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)

    @property
    def language(self) -> str:
        return self.server.language

    def transcribe(self, sound: Sound) -> str | None:
        if not self.is_on:
            return None
        key = sound.tobytes()
        if key not in self.answers:
            began = time.perf_counter()
            self.answers[key] = self.server.transcribe(sound)
            self.seconds.append(time.perf_counter() - began)
        return self.answers[key]


@contextmanager
def served() -> Iterator[Address]:
    """Yield the address of whisper-base."""
    command = [sys.executable, whisper.__file__, "--port", str(PORT), "--threads", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(1)  # it says so before it listens
            yield Address("127.0.0.1", PORT)
        finally:
            process.kill()


@dataclass(slots=True)
class Doubt:
    """What was in doubt, and what was said."""

    arguments: tuple[Any, ...]
    similarities: list[float]
    candidates: Sequence[Candidate]
    meant: Any


@dataclass(slots=True)
class Tally:
    sounds: int = 0
    right: int = 0
    wrong: int = 0


def room(text: str) -> tuple[str, float | None]:
    """Return the noise and the SNR in dB that *text* names."""
    noise, _, snr_db = text.partition(":")
    return noise, float(snr_db) if snr_db else None


def loss(doubts: Sequence[Doubt], bias: float, weight: float) -> float:
    """Return the mean negative log-likelihood of what was meant (nats)."""
    total = 0.0
    for doubt in doubts:
        added = [similarity_log_odds(each, bias=bias, weight=weight) for each in doubt.similarities]
        decision = decide(*doubt.arguments, added)
        is_right = decision.candidate is not None and decision.candidate.intent == doubt.meant
        probability = decision.posterior if is_right else 1 - decision.posterior
        total -= math.log(min(max(probability, 1e-3), 1.0))
    return total / len(doubts)


TRANSCRIPT_LOG_ODDS, DECIDE = interpretation.transcript_log_odds, interpretation.decide


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench second")
    parser.add_argument("--lang", default="fr")
    parser.add_argument("--voices", nargs="+", default=["kokoro siwis"], help="names in script/benches/test_speakers")
    parser.add_argument("--rooms", nargs="+", metavar="NOISE:SNR", type=room, default=[room(each) for each in ROOMS],
        help=f"in turn, such as the default: {' '.join(ROOMS)}")  # fmt: skip
    parser.add_argument("--commands", type=int, default=40)
    parser.add_argument("--talk", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=60, help="after which no more is heard (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="tell what was heard and written")
    parser.add_argument("--fit", action="store_true", help="look for the best weights")
    parser.add_argument("--quick", action="store_true", help="four commands and two sentences of talk")
    args = parser.parse_args()
    if args.quick:
        args.commands, args.talk = 4, 2
    chance, texts = random.Random(args.seed), corpus.texts(args.lang)
    said = [*chance.sample(texts.commands, min(args.commands, len(texts.commands)))]
    said += chance.sample(texts.talk, min(args.talk, len(texts.talk)))
    chance.shuffle(said)
    studio = Studio(Path(gettempdir(), "seance-bench"))
    known = bench_voices(args.lang).voices
    voices = [voice for voice in known if voice.name in args.voices]
    babblers = [voice for voice in known if voice.engine == "espeak-ng"]
    sentences = Sentences.load(args.lang)
    tallies: dict[tuple[str, str], Tally] = {}
    doubts: list[Doubt] = []
    last: list[tuple[Any, ...]] = []

    def noting_decide(*arguments: Any) -> Any:
        last[:] = [(*arguments, None)[:3]]
        return DECIDE(*arguments)

    interpretation.decide = noting_decide
    with served() as address:
        asked = Remembering(WyomingTranscriber(address, args.lang, deadline_s=PATIENCE_S))
        assert asked.server.wait_until_found()[0]
        recogniser = Recogniser(
            require_recogniser(args.lang),
            build_grammar(sentences),
            rescoring_model=find_rescoring_model(args.lang),
            transcriber=asked,
        )
        recogniser.wait_until_loaded()
        ends = time.monotonic() + 60 * args.minutes
        for number, (text, voice) in enumerate(product(said, voices)):
            if time.monotonic() > ends:
                break
            noise, snr = args.rooms[number % len(args.rooms)]
            scene = corpus.scene(text, voice, noise, snr, chance, studio, babblers, texts.talk)
            meant = sentences.match(text)
            kind = "talk" if meant is None else noise if snr is None else f"{noise} {snr:g} dB"
            moment = moments.expected_when_said(meant, chance)
            night = moment.narrow(sentences)
            recogniser.set_grammar(replace(build_grammar(night), prior=moment.prior), wait=True)

            def noting_odds(
                transcript: str | None,
                candidates: Any,
                language: str,
                meant: Any = meant,
                kind: str = kind,
                text: str = text,
            ) -> Any:
                written = fold(transcript or "", language)
                nearness = [similarity(written, fold(each.text, language)) for each in candidates]
                doubts.append(Doubt(last[0], nearness, candidates, meant))
                if args.verbose:
                    print(f"{kind}: {text!r} was written as {transcript!r}")
                return TRANSCRIPT_LOG_ODDS(transcript, candidates, language)

            for way in ("without", "with"):
                asked.is_on = way == "with"
                interpretation.transcript_log_odds = noting_odds if asked.is_on else TRANSCRIPT_LOG_ODDS
                recogniser.reset()
                heard = [
                    h for at in range(0, scene.sound.size, BLOCK) for h in recogniser.feed(scene.sound[at : at + BLOCK])
                ]
                heard += recogniser.finish()
                intents = [each.intent for each in heard if each.intent is not None]
                tally = tallies.setdefault((kind, way), Tally())
                if args.verbose:
                    print(
                        f"{kind} {way}: {text!r}, heard {[each.text for each in heard]}, {len(intents)} of them meant"
                    )
                tally.sounds += 1
                tally.right += intents == [meant] if meant is not None else not intents
                tally.wrong += any(intent != meant for intent in intents)
        recogniser.close()
        asked.server.close()
    show(tallies, asked.seconds)
    if args.fit and doubts:
        losses = {(b, w): loss(doubts, b, w) for b, w in product(BIASES, WEIGHTS)}
        (bias, weight), best = min(losses.items(), key=lambda each: each[1])
        now = loss(doubts, TRANSCRIPT_BIAS, SIMILARITY_WEIGHT)
        print(
            f"{len(doubts)} doubts: without {loss(doubts, 0, 0):.3f}, now {now:.3f}, "
            f"best {best:.3f} at {bias:g} and {weight:g} a likeness"
        )
    results = {" ".join(key): [tally.sounds, tally.right, tally.wrong] for key, tally in tallies.items()}
    path = Path("bench-results/second.json")
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def show(tallies: dict[tuple[str, str], Tally], seconds: Sequence[float]) -> None:
    table = Table(title="right (wrong) of so many sounds")
    for column in ("room", "sounds", "without", "with"):
        table.add_column(column, justify="right")
    for kind in dict.fromkeys(kind for kind, _ in tallies):
        cells = [tallies[kind, way] for way in ("without", "with")]
        table.add_row(kind, str(cells[0].sounds), *(f"{cell.right} ({cell.wrong})" for cell in cells))
    console = Console(highlight=False)
    console.print(table)
    if seconds:
        console.print(f"asked for {len(seconds)} sounds, median {median(seconds):.2f} s, longest {max(seconds):.2f} s")


if __name__ == "__main__":
    main()
