"""How well the ear hears people: recordings of your own, in noise and among talk, beside vosk with the same phrases.

A folder has the recordings and a file `clips.tsv`: in each line the name of a file, what is said in it, and who says it.
"""

from __future__ import annotations

import argparse
import functools
import json
import multiprocessing
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import corpus
import engines
import hearing
import numpy as np
from rich.console import Console
from rich.progress import track
from studio import RATE, Sound

from seance.audio.files import read_for_recognition
from seance.dialogue.grammar.sentences import Sentences
from seance.hearing.vocabulary import read_vocabulary
from seance.languages import DEFAULT_LANGUAGE, language_codes
from seance.models.language_models import find_rescoring_model, require_recogniser

VOICES_AT_ONCE = 4
"""How many people babble."""


@dataclass(frozen=True, slots=True)
class Clip:
    """Somebody saying something."""

    file: Path
    text: str
    who: str


@dataclass(frozen=True, slots=True)
class Job:
    """One clip in one room."""

    clip: Clip
    noise: str
    snr: float | None
    seed: int


def read_clips(folder: Path) -> list[Clip]:
    """Return what `clips.tsv` in *folder* lists."""
    try:
        lines = (folder / "clips.tsv").read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise SystemExit(f"bench: {error}: it names the recordings, what is said in each, and by whom") from None
    rows = [line.split("\t") for line in lines if line.strip()]
    if bad := next((row for row in rows if len(row) != 3), None):
        raise SystemExit(f"bench: {folder / 'clips.tsv'}: file, text and speaker are wanted in each line, not {bad}")
    return [Clip(folder / file, text, who) for file, text, who in rows]


def understandable(language: str, clips: Sequence[Clip]) -> list[Clip]:
    """Return those of *clips* whose every word the model knows, and say which words it does not."""
    words = {word for clip in clips for word in clip.text.split()}
    known = read_vocabulary(require_recogniser(language), words).word_ids.keys()
    if strange := sorted(words - known):
        print(f"bench: without the clips in which somebody says {', '.join(strange)}: the model does not know it")
    return [clip for clip in clips if known >= set(clip.text.split())]


def all_sentences(language: str, clips: Sequence[Clip]) -> Sentences:
    """Return sentences in which each text of *clips* means itself."""
    texts = sorted({clip.text for clip in clips})
    intents = {f"said_{number}": {"data": [{"sentences": [text]}]} for number, text in enumerate(texts)}
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", encoding="utf-8") as file:
        # JSON is YAML
        json.dump({"language": language, "intents": intents}, file, ensure_ascii=False)
        file.flush()
        return Sentences.load(language, sentences_file=Path(file.name))


def babble(seconds: float, chance: random.Random, talk: Sequence[Path]) -> Sound:
    """Return some of the recordings of *talk* at once, of level 1."""
    room = np.zeros(round(seconds * RATE), np.float32)
    for path in chance.sample(talk, min(VOICES_AT_ONCE, len(talk))):
        sound = np.resize(read_for_recognition(path), max(room.size, 1))
        room += np.roll(sound, chance.randrange(sound.size)) / (corpus.level(sound) + 1e-6)
    return (room / corpus.level(room)).astype(np.float32)


_world: dict[str, object] = {}


def furnish(language: str, clips: Sequence[Clip]) -> None:
    """Build the engines in a worker."""
    model, sentences = require_recogniser(language), all_sentences(language, clips)
    _world["sentences"] = sentences
    _world["engines"] = {
        "ours": engines.ours(model, sentences, find_rescoring_model(language)),
        "vosk phrases": engines.phrases(model),
    }


def listen(talk: Sequence[Path], job: Job) -> list[tuple[str, str, hearing.Tally]]:
    """Return what each engine makes of one clip."""
    chance = random.Random(job.seed)
    said = read_for_recognition(job.clip.file)
    before, after = (np.zeros(round(chance.uniform(*span) * RATE), np.float32) for span in ((0.8, 1.6), (1.2, 1.6)))
    sound = np.concatenate([before, said, after])
    if job.snr is not None:
        make = {"white": corpus.white, "pink": corpus.pink, "babble": functools.partial(babble, talk=talk)}[job.noise]
        room = make(sound.size / RATE, chance)[: sound.size]
        sound += room * np.float32(corpus.level(said) / 10 ** (job.snr / 20))
    sound *= np.float32(min(1.0, 0.9 / np.abs(sound).max()))
    ended = (before.size + said.size) / RATE
    sentences: Sentences = _world["sentences"]  # type: ignore[assignment]
    return [
        (name, hearing.room_name(job.noise, job.snr), heard)
        for name, engine in _world["engines"].items()  # type: ignore[attr-defined]
        for heard in [hearing.heard_by(engine, sound, sentences, engines.uniform_prior, job.clip.text, ended)]
    ]


def main() -> int:
    """Hear everything, print the table, write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clips", type=Path, required=True, metavar="DIR", help="recordings and their clips.tsv")
    parser.add_argument("--talk", type=Path, metavar="DIR", help="recordings of people who talk: the babble")
    parser.add_argument("--lang", choices=language_codes(), default=DEFAULT_LANGUAGE)
    parser.add_argument("--commands", type=int, metavar="N", help="so many clips, chosen by chance")
    parser.add_argument("--out", type=Path, default=Path("bench-results/people.json"))
    args, console = parser.parse_args(), Console()
    clips = understandable(args.lang, read_clips(args.clips))
    talk = sorted(args.talk.rglob("*.wav")) if args.talk else [clip.file for clip in clips]
    chance = random.Random(1)
    heard = chance.sample(clips, min(args.commands or len(clips), len(clips)))
    jobs = [Job(clip, noise, snr, chance.getrandbits(32)) for noise, snr in hearing.ROOMS for clip in heard]
    with multiprocessing.Pool(2, furnish, (args.lang, clips)) as pool:
        results = pool.imap_unordered(functools.partial(listen, talk), jobs, chunksize=4)
        tallies = hearing.gather(track(results, total=len(jobs), console=console))
    people = len({clip.who for clip in heard})
    hearing.show_rooms(console, f"{len(heard)} clips of {people} people", tallies)
    hearing.write(args.out, tallies, clips=len(heard), people=people)
    return 0


if __name__ == "__main__":
    sys.exit(main())
