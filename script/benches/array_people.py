"""How well a microphone array hears people among people who talk, in the dining rooms of `script/bench array`.

The recordings are those of `script/bench people`: a folder with a file `clips.tsv`. Half of the sentences may be said to the house;
with the other half the people around the table talk.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from microphone_array import ROOMS, Tally, furnish, hear, make_scene, report
from people import Clip, all_sentences, read_clips, understandable
from studio import Sound, trim

from seance.audio.array_geometry import load_geometry
from seance.audio.files import read_for_recognition
from seance.hearing.array_recogniser import ArrayRecogniser
from seance.hearing.recogniser import Recogniser
from seance.languages import DEFAULT_LANGUAGE, language_codes
from seance.models.language_models import find_rescoring_model, require_recogniser
from seance.programs.hear import build_grammar

TALKING_CLIPS = 40
"""How many clips the people around the table talk with."""


def parse_arguments() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(prog="script/bench array_people", description=__doc__)
    parser.add_argument("--clips", type=Path, required=True, metavar="DIR", help="recordings and their clips.tsv")
    parser.add_argument("--many", type=int, default=5, metavar="N", help="clips in each room and kind of noise")
    parser.add_argument("--lang", choices=language_codes(), default=DEFAULT_LANGUAGE)
    parser.add_argument("--array", default="ring4", metavar="GEOMETRY")
    parser.add_argument("--noise", nargs="+", default=("babble:10", "babble:5"), help="kind:decibels")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print what was heard, too")
    return parser.parse_args()


def divide(clips: Sequence[Clip], chance: random.Random) -> tuple[list[Clip], list[Clip]]:
    """Return the clips that are commands, and those with which others talk: none says what a command says."""
    texts = sorted({clip.text for clip in clips})
    chosen = set(chance.sample(texts, len(texts) // 2))
    commands, talk = ([clip for clip in clips if (clip.text in chosen) is is_command] for is_command in (True, False))
    if len({clip.who for clip in talk}) < 2:
        raise SystemExit("bench: clips.tsv: one person says a sentence and others talk: name more people")
    return commands, talk


def choose_clip(clips: Sequence[Clip], chance: random.Random) -> Clip:
    """Return a clip of anybody, each person as often as another, however many clips there are of them."""
    who = chance.choice(sorted({clip.who for clip in clips}))
    return chance.choice([clip for clip in clips if clip.who == who])


def spoken(clip: Clip) -> Sound:
    """Return *clip* as others use it: without silence around it, as loud as any other."""
    return trim(read_for_recognition(clip.file))


def main() -> int:
    """Measure, and print a table and JSON."""
    wanted = parse_arguments()
    chance, geometry = random.Random(wanted.seed), load_geometry(wanted.array)
    clips = understandable(wanted.lang, read_clips(wanted.clips))
    commands, talk = divide(clips, chance)
    sentences = all_sentences(wanted.lang, commands)
    model, rescoring = require_recogniser(wanted.lang), find_rescoring_model(wanted.lang)
    single, inner = (Recogniser(model, build_grammar(sentences), rescoring_model=rescoring) for _ in range(2))
    single.wait_until_loaded()
    inner.wait_until_loaded()
    engines: dict[str, ArrayRecogniser | Recogniser] = {"one": single, "array": ArrayRecogniser(inner, geometry)}
    tallies: dict[str, dict[str, Tally]] = defaultdict(lambda: defaultdict(Tally))
    for room in (furnish(each, geometry, chance) for each in ROOMS):
        for kind in wanted.noise:
            noise, _, snr = kind.partition(":")
            for _ in range(wanted.many):
                said = choose_clip(commands, chance)
                others = [clip for clip in talk if clip.who != said.who]
                talkers = [spoken(choose_clip(others, chance)) for _ in range(TALKING_CLIPS)]
                snr_db = float(snr) if snr else None
                scene = make_scene(said.text, spoken(said), room, noise, snr_db, chance, talkers)
                for name, engine in engines.items():
                    heard = hear(engine, scene, sentences.match(said.text), tallies[kind][name])
                    if wanted.show:
                        print(f"{kind} {name} {scene.angle_deg:.0f}: {said.who}: {said.text} -> {heard}", flush=True)
    print(f"{len(commands)} sentences of {len({clip.who for clip in commands})} people may be said")
    report(tallies)
    single.close()
    inner.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
