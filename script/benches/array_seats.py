"""Who spoke, of six guests around an array in simulated dining rooms; and what is taken of their table talk."""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

import corpus
import numpy as np
from microphone_array import BLOCK, ROOMS, SEATS, RoomSound, furnish, make_scene, played
from moments import MOMENTS
from rich.console import Console
from rich.table import Table
from studio import RATE, Sound, Studio, Use, Voice

from seance.audio.array_geometry import load_geometry
from seance.dialogue.grammar.sentences import Intent, Sentences
from seance.hearing.array_recogniser import ArrayRecogniser
from seance.hearing.noise_reduction import noise_floor_db
from seance.hearing.recogniser import Recogniser
from seance.hearing.recognition import Recognition
from seance.hearing.speaker_recognition import Speakers
from seance.languages import DEFAULT_LANGUAGE
from seance.models import store
from seance.models.language_models import find_rescoring_model, require_recogniser
from seance.programs.hear import build_grammar
from seance.rules import Psychic

MAX_INTRODUCTIONS = 3
"""How often a guest says who they are until they are recognised."""
TALK_PAUSE_S = (0.2, 4.0)
"""How long a guest at a table is silent between two sentences."""
BLOCK_S = 30
"""Seconds of table talk that are made at once."""


def parse_arguments() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(prog="script/bench seats", description=__doc__)
    parser.add_argument("--only", choices=("who", "talk"), help="a part of it")
    parser.add_argument("--quick", action="store_true", help="two rooms, one minute of talk")
    parser.add_argument(
        "--many", type=int, default=12, metavar="N", help="commands in each room, and half as many strangers"
    )
    parser.add_argument("--strangers", type=int, metavar="N", help="strangers in each room, if not half as many")
    parser.add_argument("--rooms", type=int, default=len(ROOMS), metavar="N")
    parser.add_argument("--minutes", type=float, default=360.0, help="of table talk, in all rooms together")
    parser.add_argument("--snr", type=float, default=10.0, help="of a command in the babble (decibels)")
    parser.add_argument("--lang", default=DEFAULT_LANGUAGE)
    parser.add_argument("--voices", choices=get_args(Use), nargs="+", default=["natural"], help="which voices speak")
    parser.add_argument("--array", default="ring4", metavar="GEOMETRY")
    parser.add_argument("--sounds", type=Path, default=Path("bench-results/sounds"), help="keep what is spoken there")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    """Measure, and print a table and JSON."""
    wanted = parse_arguments()
    chance = random.Random(wanted.seed)
    geometry, studio = load_geometry(wanted.array), Studio(wanted.sounds)
    voices = [voice for use in wanted.voices for voice in studio.cast(wanted.lang, use)]
    chance.shuffle(voices)
    sentences = Sentences.load(wanted.lang).spoken
    recogniser = Recogniser(
        require_recogniser(wanted.lang),
        build_grammar(sentences),
        speaker_model=store.find("speaker"),
        rescoring_model=find_rescoring_model(wanted.lang),
    )
    recogniser.wait_until_loaded()
    ear = ArrayRecogniser(recogniser, geometry)
    rooms = [furnish(each, geometry, chance) for each in ROOMS[: 2 if wanted.quick else wanted.rooms]]
    results: dict[str, object] = {}
    if wanted.only != "talk":
        count = Counter[str]()
        for number, room in enumerate(rooms):
            cast = [voices[(number * 3 + seat) % len(voices)] for seat in range(len(voices))]
            count += who_spoke(ear, sentences, room, cast, studio, wanted, chance)
        results["who"] = dict(count)
        report_who(count)
    if wanted.only != "who":
        minutes = 1.0 if wanted.quick else wanted.minutes
        ear.set_grammar(build_grammar(MOMENTS[0].narrow(sentences)), wait=True)
        taken = [
            one.text
            for room in rooms
            for one in table_talk(ear, room, voices, studio, wanted.lang, 60 * minutes / len(rooms), chance)
        ]
        results["talk"] = {"minutes": minutes, "taken": taken}
        Console().print(f"{minutes:.0f} minutes of table talk, in a night: {len(taken)} commands taken", *taken)
    out = Path("bench-results/seats.json")
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(results))
    recogniser.close()


def who_spoke(
    ear: ArrayRecogniser,
    sentences: Sentences,
    room: RoomSound,
    cast: Sequence[Voice],
    studio: Studio,
    wanted: argparse.Namespace,
    chance: random.Random,
) -> Counter[str]:
    """Return how often a guest was told, told wrongly or not told, and the same of strangers, after introductions."""
    guests, strangers = cast[:SEATS], cast[SEATS:]
    texts, count = corpus.texts(wanted.lang), Counter[str]()
    talk = [studio.say(text, chance.choice(guests)) for text in chance.sample(texts.talk, 12)]
    recogniser = ear.recogniser
    for name in recogniser.speakers.names:
        recogniser.speakers.forget(name)
    psychics = list(Psychic)
    for seat, voice in enumerate(guests):
        words = introduction(sentences, psychics[seat])
        for _ in range(MAX_INTRODUCTIONS):
            scene = make_scene(words, studio.say(words, voice), room, "clean", None, chance, talk, seat=seat)
            if enrol(recogniser.speakers, hear(ear, scene.sound), psychics[seat]):
                break
            count["introductions said again"] += 1
    strangers_count = wanted.many // 2 if wanted.strangers is None else wanted.strangers
    for number in range(wanted.many + strangers_count):
        is_stranger = number >= wanted.many
        seat, text = chance.randrange(SEATS), chance.choice(texts.commands)
        said = studio.say(text, chance.choice(strangers) if is_stranger else guests[seat])
        scene = make_scene(text, said, room, "babble", wanted.snr, chance, talk, seat=seat, is_stranger=is_stranger)
        meant = sentences.match(text)
        right = [one for one in hear(ear, scene.sound) if one.intent == meant]
        if not right:
            count["strangers not heard" if is_stranger else "guests not heard"] += 1
        elif is_stranger:
            count["strangers taken for a guest" if right[0].speaker else "strangers taken for nobody"] += 1
        elif right[0].speaker is None:
            count["guests not told"] += 1
        else:
            count["guests told" if right[0].speaker == psychics[seat].value else "guests told wrongly"] += 1
    return count


def introduction(sentences: Sentences, psychic: Psychic) -> str:
    """Return the shortest sentence by which somebody says that they play *psychic*."""
    meant = Intent("enrol", {"psychic": psychic.value})
    return min(
        (phrase for phrase in sentences.narrow({"enrol"}).phrases() if sentences.match(phrase) == meant), key=len
    )


def enrol(speakers: Speakers, heard: Sequence[Recognition], psychic: Psychic) -> bool:
    """Enrol who said in *heard* that they play *psychic*, and tell whether anybody did."""
    for one in heard:
        if one.intent is not None and one.intent.name == "enrol" and one.intent.slots["psychic"] == psychic.value:
            speakers.enrol(psychic.value, one.voiceprint, one.direction_deg)
            return True
    return False


def hear(ear: ArrayRecogniser, sound: np.ndarray) -> list[Recognition]:
    """Return what *ear* recognises in *sound*."""
    ear.reset(noise_floor_db=noise_floor_db(sound[:, 0]))
    heard = [one for at in range(0, len(sound), BLOCK) for one in ear.feed(sound[at : at + BLOCK])]
    return [*heard, *ear.finish()]


def table_talk(
    ear: ArrayRecogniser,
    room: RoomSound,
    voices: Sequence[Voice],
    studio: Studio,
    language: str,
    seconds: float,
    chance: random.Random,
) -> Iterator[Recognition]:
    """Yield what is taken for a command while six guests talk to each other for *seconds*."""
    texts = corpus.texts(language).talk
    cast = [chance.choice(voices) for _ in range(SEATS)]
    ear.reset()
    for _ in range(max(1, round(seconds / BLOCK_S))):
        sound = np.random.default_rng(chance.getrandbits(32)).standard_normal((BLOCK_S * RATE, 4)) * 0.0002
        sound = sound[:, : len(room.sideboard)].astype(np.float32)
        for seat, voice in enumerate(cast):
            line = guest_line(studio, voice, texts, chance)
            sound += played(line, room.seats[seat], len(sound))
        for at in range(0, len(sound), BLOCK):
            yield from (one for one in ear.feed(sound[at : at + BLOCK]) if one.intent is not None)
    yield from (one for one in ear.finish() if one.intent is not None)


def guest_line(studio: Studio, voice: Voice, texts: Sequence[str], chance: random.Random) -> Sound:
    """Return what one guest says in BLOCK_S seconds, who mostly listens."""
    line, at = np.zeros(BLOCK_S * RATE, np.float32), round(chance.uniform(0, 6) * RATE)
    while at < line.size:
        said = studio.say(chance.choice(texts), voice)
        kept = said[: line.size - at]
        line[at : at + kept.size] += kept * np.float32(0.05 / corpus.level(said) * 10 ** (chance.uniform(-4, 4) / 20))
        at += said.size + round(SEATS * chance.uniform(*TALK_PAUSE_S) * RATE)
    return line


def report_who(count: Counter[str]) -> None:
    """Print how often guests and strangers were told."""
    table = Table("who", "times")
    for what in sorted(count):
        table.add_row(what, str(count[what]))
    Console().print(table)


if __name__ == "__main__":
    main()
