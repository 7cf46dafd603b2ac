"""How well a microphone array hears in simulated dining rooms, beside one of its microphones on the same sound."""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import get_args

import corpus
import numpy as np
import pyroomacoustics as pra
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from scipy.signal import fftconvolve
from studio import RATE, Sound, Studio, Use

from seance.audio.array_geometry import ArrayGeometry, load_geometry
from seance.dialogue.grammar.sentences import Sentences
from seance.hearing.array_recogniser import ArrayRecogniser
from seance.hearing.noise_reduction import noise_floor_db
from seance.hearing.recogniser import Recogniser
from seance.languages import DEFAULT_LANGUAGE
from seance.models.language_models import find_rescoring_model, require_recogniser
from seance.programs.hear import build_grammar

BLOCK = RATE // 20
SEATS = 6
ABSORBED_ORDER = 17
"""Reflections beyond this order are left out: they are late and soft."""
BEFORE_S, AFTER_S = 3.5, 1.5
"""Seconds of the table's talk around a command."""
STANDING_M, STANDING_BEHIND = 1.5, 1.25
"""How high the mouth of somebody who stands is, and how much farther from the middle of the table."""
GAIN_ERROR_DB, PLACE_ERROR_M = 1.0, 0.005


KINDS = ("clean", "babble:10", "babble:5", "babble:0", "moving:5", "clatter:5", "music:5")
"""Kinds of noise, with the decibels by which the command is louder."""


@dataclass(frozen=True, slots=True)
class DiningRoom:
    """A room with a table, and an array on it."""

    size_m: tuple[float, float, float]
    reverberation_s: float
    table_m: tuple[float, float]
    """Where the middle of the table is."""
    radius_m: float
    """From the middle of the table to a guest."""
    array_offset_m: float = 0.0
    """From the middle of the table to the array, towards the first guest."""


ROOMS = (
    DiningRoom((4.0, 3.5, 2.5), 0.2, (2.1, 1.7), 0.75),
    DiningRoom((5.0, 4.0, 2.6), 0.3, (2.4, 2.1), 0.9),
    DiningRoom((4.5, 4.2, 2.4), 0.4, (2.0, 2.2), 0.8, array_offset_m=0.35),
    DiningRoom((6.0, 4.5, 2.7), 0.4, (3.2, 2.1), 1.0),
    DiningRoom((5.5, 5.0, 2.8), 0.5, (2.5, 2.6), 0.85),
    DiningRoom((7.0, 5.0, 3.0), 0.5, (3.3, 2.4), 1.0, array_offset_m=0.4),
    DiningRoom((6.5, 5.5, 2.9), 0.6, (3.4, 2.9), 0.9),
    DiningRoom((8.0, 6.0, 3.2), 0.7, (3.8, 3.2), 1.0),
)


@dataclass(frozen=True, slots=True)
class RoomSound:
    """The impulse responses of a room, from each seat and from the sideboard to each microphone."""

    seats: tuple[NDArray[np.float32], ...]
    sideboard: NDArray[np.float32]
    angles_deg: tuple[float, ...]
    between: tuple[NDArray[np.float32], ...] = ()
    """From somebody who stands behind the guests, between two seats each."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What an array records of one command."""

    sound: NDArray[np.float32]
    text: str
    angle_deg: float
    ended_s: float


@dataclass(slots=True)
class Tally:
    """What was made of one kind of sound."""

    sounds: int = 0
    right: int = 0
    wrong: int = 0
    direction_errors_deg: list[float] = field(default_factory=list)
    delays_s: list[float] = field(default_factory=list)
    compute_s: float = 0.0
    seconds: float = 0.0


def furnish(room: DiningRoom, geometry: ArrayGeometry, chance: random.Random) -> RoomSound:
    """Return how *room* sounds to an array whose microphones are not quite where they should be."""
    absorption, order = pra.inverse_sabine(room.reverberation_s, room.size_m)
    space = pra.ShoeBox(room.size_m, fs=RATE, materials=pra.Material(absorption), max_order=min(order, ABSORBED_ORDER))
    x, y = room.table_m
    table_height_m = 0.75
    facing = chance.uniform(0, 2 * np.pi)
    middle = np.array([x + room.array_offset_m * np.cos(facing), y + room.array_offset_m * np.sin(facing), 0.79])
    places = np.array(geometry.positions_mm) / 1000
    noise = np.array([[chance.uniform(-1, 1) for _ in range(3)] for _ in places]) * PLACE_ERROR_M / np.sqrt(3)
    space.add_microphone_array((middle + places + noise).T)
    angles = []
    for seat in range(SEATS):
        angle = facing + 2 * np.pi * (seat + chance.uniform(-0.12, 0.12)) / SEATS
        mouth = np.array(
            [
                x + room.radius_m * np.cos(angle),
                y + room.radius_m * np.sin(angle),
                table_height_m + chance.uniform(0.35, 0.5),
            ]
        )
        space.add_source(mouth)
        angles.append(float(np.degrees(np.arctan2(*(mouth - middle)[1::-1])) % 360))
    space.add_source([0.4, room.size_m[1] - 0.5, 1.0])
    for seat in range(SEATS):
        angle, away = facing + 2 * np.pi * (seat + 0.5) / SEATS, STANDING_BEHIND * room.radius_m
        space.add_source([x + away * np.cos(angle), y + away * np.sin(angle), STANDING_M])
    space.compute_rir()
    gains = [10 ** (chance.uniform(-GAIN_ERROR_DB, GAIN_ERROR_DB) / 20) for _ in places]

    def response(source: int) -> NDArray[np.float32]:
        longest = max(len(space.rir[m][source]) for m in range(len(places)))
        rows = [
            gains[m] * np.pad(space.rir[m][source], (0, longest - len(space.rir[m][source])))
            for m in range(len(places))
        ]
        return np.array(rows, np.float32)

    between = tuple(response(SEATS + 1 + number) for number in range(SEATS))
    return RoomSound(tuple(map(response, range(SEATS))), response(SEATS), tuple(angles), between)


def played(sound: Sound, response: NDArray[np.float32], size: int) -> NDArray[np.float32]:
    """Return *sound* as each microphone hears it, cut to *size*."""
    heard = np.zeros((size, len(response)), np.float32)
    for microphone, row in enumerate(response):
        arriving = fftconvolve(sound, row)[:size]
        heard[: arriving.size, microphone] = arriving
    return heard


def active_level(sound: NDArray[np.float32]) -> float:
    """Return the level of the first microphone where it is louder than a hundredth of its peak."""
    first = sound[:, 0]
    return corpus.level(first[np.abs(first) > 0.01 * np.abs(first).max()])


def talked(
    room: RoomSound, seats: Sequence[int], size: int, chance: random.Random, talkers: Sequence[Sound]
) -> NDArray[np.float32]:
    """Return what somebody says who starts and stops, and is at the next of *seats* for each sentence."""
    lines = {seat: np.zeros(size, np.float32) for seat in seats}
    at, number = 0, 0
    while at < size:
        each = chance.choice(talkers)
        kept = each[: size - at]
        loudness = 10 ** (chance.uniform(-3, 3) / 20)
        lines[seats[number % len(seats)]][at : at + kept.size] = kept / corpus.level(each) * loudness
        at += each.size + round(chance.uniform(0.1, 0.8) * RATE)
        number += 1
    return sum((played(line, room.seats[seat], size) for seat, line in lines.items()), np.zeros((size, 1), np.float32))


def make_scene(
    text: str,
    said: Sound,
    room: RoomSound,
    noise: str,
    snr_db: float | None,
    chance: random.Random,
    talkers: Sequence[Sound],
    *,
    seat: int | None = None,
    is_stranger: bool = False,
) -> Scene:
    """Return *text* from *seat* among others who talk, start and stop at the other seats.

    A stranger stands behind the guests. Where the noise is `moving`, one of the others walks from seat to seat.
    """
    size = round((BEFORE_S + AFTER_S) * RATE) + said.size
    seat = chance.randrange(SEATS) if seat is None else seat
    start = round(BEFORE_S * RATE)
    response = room.between[seat] if is_stranger else room.seats[seat]
    command = played(np.concatenate([np.zeros(start, np.float32), said]), response, size)
    background = np.zeros_like(command)
    if noise in ("babble", "moving"):
        others = chance.sample([other for other in range(SEATS) if other != seat], chance.randint(3, 5))
        for each in others:
            walks = noise == "moving" and each == others[0]
            background += talked(room, others if walks else [each], size, chance, talkers)
    elif noise != "clean":
        source = {"clatter": corpus.clatter, "music": corpus.music, "pink": corpus.pink}[noise](size / RATE, chance)
        background += played(source, room.sideboard, size)
    command *= 0.05 / active_level(command)
    if snr_db is not None:
        background *= 0.05 / corpus.level(background[:, 0]) / 10 ** (snr_db / 20)
    own_noise = np.random.default_rng(chance.getrandbits(32)).standard_normal(command.shape) * 0.0002
    sound = np.asarray(command + background + own_noise, np.float32)
    return Scene(sound, text, room.angles_deg[seat], (start + said.size) / RATE)


def hear(engine: ArrayRecogniser | Recogniser, scene: Scene, meant: object, tally: Tally) -> str:
    """Let *engine* hear *scene* and count what it makes of it; return what it heard."""
    began = time.process_time()
    is_array = isinstance(engine, ArrayRecogniser)
    sound = scene.sound if is_array else scene.sound[:, 0]
    engine.reset(noise_floor_db=noise_floor_db(scene.sound[:, 0]))
    heard = []
    for at in range(0, len(sound), BLOCK):
        heard += [(one, at / RATE) for one in engine.feed(sound[at : at + BLOCK])]
    heard += [(one, len(sound) / RATE) for one in engine.finish()]
    tally.compute_s += time.process_time() - began
    tally.seconds += len(sound) / RATE
    tally.sounds += 1
    commands = [(one, at) for one, at in heard if one.intent is not None]
    good = [(one, at) for one, at in commands if one.intent == meant]
    tally.right += bool(good)
    tally.wrong += any(one.intent != meant for one, _ in commands)
    for one, at in good[:1]:
        tally.delays_s.append(at - scene.ended_s)
        if one.direction_deg is not None:
            tally.direction_errors_deg.append(abs((one.direction_deg - scene.angle_deg + 180) % 360 - 180))
    return " | ".join(f"{one.text}@{one.direction_deg}" for one, _ in heard)


def parse_arguments() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(prog="script/bench array", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two commands a room")
    parser.add_argument("--many", type=int, default=12, metavar="N", help="commands in each room and kind of noise")
    parser.add_argument("--lang", default=DEFAULT_LANGUAGE)
    parser.add_argument("--voices", choices=get_args(Use), default="fresh", help="which voices speak")
    parser.add_argument("--array", default="ring4", metavar="GEOMETRY")
    parser.add_argument("--noise", nargs="+", default=KINDS, help="kind:decibels")
    parser.add_argument("--sounds", type=Path, default=Path("bench-results/sounds"), help="keep what is spoken there")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print what was heard instead")
    return parser.parse_args()


def main() -> None:
    """Measure, and print a table and JSON."""
    wanted = parse_arguments()
    chance = random.Random(wanted.seed)
    geometry, studio = load_geometry(wanted.array), Studio(wanted.sounds)
    voices, texts = studio.cast(wanted.lang, wanted.voices), corpus.texts(wanted.lang)
    sentences = Sentences.load(wanted.lang).spoken
    model, rescoring = require_recogniser(wanted.lang), find_rescoring_model(wanted.lang)
    single = Recogniser(model, build_grammar(sentences), rescoring_model=rescoring)
    inner = Recogniser(model, build_grammar(sentences), rescoring_model=rescoring)
    single.wait_until_loaded()
    inner.wait_until_loaded()
    names: dict[str, ArrayRecogniser | Recogniser] = {"one": single, "array": ArrayRecogniser(inner, geometry)}
    tallies: dict[str, dict[str, Tally]] = defaultdict(lambda: defaultdict(Tally))
    talk = [studio.say(text, chance.choice(voices)) for text in chance.sample(texts.talk, min(40, len(texts.talk)))]
    for room in (furnish(each, geometry, chance) for each in ROOMS):
        for kind in wanted.noise:
            noise, _, snr = kind.partition(":")
            for text in chance.sample(texts.commands, 2 if wanted.quick else min(wanted.many, len(texts.commands))):
                said = studio.say(text, chance.choice(voices))
                scene = make_scene(text, said, room, noise, float(snr) if snr else None, chance, talk)
                for name, engine in names.items():
                    heard = hear(engine, scene, sentences.match(text), tallies[kind][name])
                    if wanted.show:
                        print(f"{kind} {name} {scene.angle_deg:.0f}: {text} -> {heard}", flush=True)
    report(tallies)
    single.close()
    inner.close()


def report(tallies: dict[str, dict[str, Tally]]) -> None:
    """Print a table, and write JSON to bench-results/array.json."""
    table = Table(
        "sound", "heard by", "right", "wrong", "direction off by (median, 90 %)", "late (median, 95 %)", "core"
    )
    for kind, by_name in tallies.items():
        for name, tally in by_name.items():
            table.add_row(
                kind,
                name,
                f"{tally.right} of {tally.sounds}",
                str(tally.wrong),
                percentiles(tally.direction_errors_deg, 0.9, "°"),
                percentiles(tally.delays_s, 0.95, " s"),
                f"{tally.compute_s / max(tally.seconds, 1e-9):.2f}",
            )
    Console().print(table)
    out = Path("bench-results/array.json")
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps({kind: {name: asdict(t) for name, t in each.items()} for kind, each in tallies.items()}))


def percentiles(values: Sequence[float], share: float, unit: str) -> str:
    """Return the median of *values* and the value that so many do not exceed."""
    if not values:
        return "-"
    return f"{statistics.median(values):.2f}, {sorted(values)[int(share * (len(values) - 1))]:.2f}{unit}"


if __name__ == "__main__":
    main()
