"""How well the ear hears, beside plain engines, on the same sound in the same run; `--quick` for a few minutes of it."""

import argparse
import json
import math
import random
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import vosk
from corpus import COMMANDS, RATE, TALK, VOICES, Scene, Sound, Studio, babble, pcm, scene
from rich.console import Console
from rich.progress import track
from rich.table import Table

from seance.dialogue.sentences import Ambiguous, Intent, Sentences
from seance.listening import models
from seance.listening.recogniser import Ear
from seance.programs.hear import expected

BLOCK = RATE // 20
ROOMS = [("clean", None), *((noise, snr) for snr in (20.0, 10.0, 5.0) for noise in ("white", "pink", "babble"))]
SAID_WHILE_CHOOSING = ("place_intuition", "bet", "withdraw_bet", "call_time", "take_back", "ask_time", "ask_missing")


@dataclass
class Engine:
    """Something that hears: returns each command with the second of the sound at which it was told."""

    name: str
    hear: Callable[[Sound], list[tuple[Intent, float]]]
    seconds: float = 0.0
    spent: float = 0.0

    def __call__(self, sound: Sound) -> list[tuple[Intent, float]]:
        began = time.process_time()
        heard = self.hear(sound)
        self.spent += time.process_time() - began
        self.seconds += sound.size / RATE
        return heard


def blocks(sound: Sound) -> Iterator[Sound]:
    return (sound[at : at + BLOCK] for at in range(0, sound.size, BLOCK))


def our_ear(name: str, sentences: Sentences) -> Engine:
    ear = Ear(models.fetch("en"), expected(sentences))

    def hear(sound: Sound) -> list[tuple[Intent, float]]:
        ear.reset()
        heard = [one for block in blocks(sound) for one in ear.feed(block)]
        heard += ear.finish()
        return [(one.intent, one.ended + one.endpoint) for one in heard if one.intent is not None]

    return Engine(name, hear)


def plain_vosk(name: str, sentences: Sentences, *, grammar: bool) -> Engine:
    model = vosk.Model(str(models.fetch("en")))
    phrases = json.dumps([*sentences.phrases(), "[unk]"], ensure_ascii=False)

    def hear(sound: Sound) -> list[tuple[Intent, float]]:
        recogniser = vosk.KaldiRecognizer(model, RATE, *([phrases] if grammar else []))
        told, at = [], 0.0
        for block in blocks(sound):
            at += block.size / RATE
            if recogniser.AcceptWaveform(pcm(block)):
                told.append((json.loads(recogniser.Result())["text"], at))
        told.append((json.loads(recogniser.FinalResult())["text"], at))
        return [(intent, when) for text, when in told if (intent := meant(sentences, text)) is not None]

    return Engine(name, hear)


def meant(sentences: Sentences, text: str) -> Intent | None:
    try:
        return sentences.match(text) if text else None
    except Ambiguous:
        return None


def scenes(studio: Studio, *, commands: int, talk: int, seed: int) -> list[Scene]:
    """Return commands and talk in every kind of room, by voices that were not used for tuning."""
    chance = random.Random(seed)
    cast = [voice for voice in VOICES if voice.held_out and studio.can_speak(voice)]
    others = [voice for voice in VOICES if studio.can_speak(voice)]
    made = []
    for noise, snr in track(ROOMS, "speaking"):
        for text in (
            *chance.sample(COMMANDS, min(commands, len(COMMANDS))),
            *chance.sample(TALK, min(talk, len(TALK))),
        ):
            made.append(scene(text, chance.choice(cast), noise, snr, chance, studio, others))  # noqa: PERF401 - in order
    return made


def judged(engine: Engine, all_scenes: list[Scene], sentences: Sentences) -> dict[str, dict[str, float]]:
    """Return what was right, wrong and taken for a command, by room, and how long it took to tell."""
    counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    delays = []
    for each in track(all_scenes, engine.name):
        room = each.noise if each.snr is None else f"{each.noise} {each.snr:.0f} dB"
        wanted = meant(sentences, each.text) if each.text in COMMANDS else None
        heard = engine(each.sound)
        if wanted is None:
            counts[room]["talk"] += 1
            counts[room]["talk taken"] += bool(heard)
            continue
        counts[room]["commands"] += 1
        right = [when for intent, when in heard if intent == wanted]
        counts[room]["right"] += bool(right)
        counts[room]["wrong"] += any(intent != wanted for intent, _ in heard)
        if right and each.snr is None:
            delays.append(right[0] - each.ended)
    result = {room: dict(count) for room, count in counts.items()}
    if len(delays) > 1:
        result["delay"] = {"median": statistics.median(delays), "95th": statistics.quantiles(delays, n=20)[18]}
    return result


def false_alarms(engine: Engine, studio: Studio, minutes: int, seed: int) -> dict[str, float]:
    """Return how often continuous talk was taken for a command, an hour, with the upper bound of 95 %."""
    chance = random.Random(seed)
    cast = [voice for voice in VOICES if studio.can_speak(voice)]
    alarms = 0
    for _ in track(range(minutes), f"{engine.name}, babble"):
        guests = chance.choice((1, 2, 3, 5))
        chance.shuffle(cast)
        alarms += len(engine(babble(60, chance, studio, cast, guests=guests) * 0.05))
    hours = minutes / 60
    return {"hours": hours, "alarms": alarms, "an_hour": alarms / hours, "at_most_an_hour": _upper(alarms) / hours}


def _upper(seen: int) -> float:
    """Return the largest mean that makes so few events as likely as one in twenty."""
    low, high = 0.0, 10.0 * (seen + 3)
    for _ in range(60):
        mean = (low + high) / 2
        likely = sum(math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(seen + 1))
        low, high = (mean, high) if likely > 0.05 else (low, mean)
    return high


def cost() -> dict[str, float]:
    """Return seconds from the start of a process until it listens, and the megabytes it then has."""
    code = (
        "import time; began = time.perf_counter()\n"
        "from seance.dialogue.sentences import Sentences\n"
        "from seance.listening import models\nfrom seance.listening.recogniser import Ear\n"
        "from seance.programs.hear import expected\nimport resource\n"
        "ear = Ear(models.fetch('en'), expected(Sentences.load('en')))\n"
        "print(time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)\n"
    )
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(3)]
    figures = [list(map(float, run.stdout.split())) for run in runs]
    return {"start_seconds": min(start for start, _ in figures), "memory_mb": max(memory for _, memory in figures)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer sentences, minutes instead of hours of babble")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    studio = Studio(Path.home() / ".cache" / "seance" / "studio", models.find("piper"))
    sentences = Sentences.load("en")
    choosing = sentences.narrowed(SAID_WHILE_CHOOSING)
    commands, talk, minutes = (12, 12, 4) if args.quick else (60, 100, 120)
    all_scenes = scenes(studio, commands=commands, talk=talk, seed=args.seed)
    engines = [
        our_ear("ear, all sentences", sentences),
        our_ear("ear, while choosing", choosing),
        plain_vosk("vosk, phrases", sentences, grammar=True),
        plain_vosk("vosk, free", sentences, grammar=False),
    ]
    result: dict[str, object] = {"cost": cost(), "engines": {}}
    for engine in engines:
        fitting = [each for each in all_scenes if engine.name != "ear, while choosing" or fits(choosing, each)]
        rooms = judged(engine, fitting, sentences)
        rooms["alarms"] = false_alarms(engine, studio, minutes, args.seed)
        rooms["compute"] = {"per_second": engine.spent / engine.seconds}
        result["engines"][engine.name] = rooms  # type: ignore[index]
    show(result)
    folder = Path("bench-results")
    folder.mkdir(exist_ok=True)
    (folder / "hearing.json").write_text(json.dumps(result, indent=1) + "\n")


def fits(sentences: Sentences, each: Scene) -> bool:
    return each.text not in COMMANDS or meant(sentences, each.text) is not None


def show(result: dict) -> None:
    engines = result["engines"]
    table = Table("room", *engines, title="commands right / wrong, and talk taken for a command (%)")
    for noise, snr in ROOMS:
        room = noise if snr is None else f"{noise} {snr:.0f} dB"
        table.add_row(room, *(_cell(rooms[room]) for rooms in engines.values()))
    for name, row in (
        (
            "false alarms an hour (at most)",
            lambda r: f"{r['alarms']['an_hour']:.1f} ({r['alarms']['at_most_an_hour']:.1f})",
        ),
        (
            "told after (median, 95th)",
            lambda r: "{median:.2f} s, {95th:.2f} s".format(**r["delay"]) if "delay" in r else "-",
        ),
        ("compute per second", lambda r: f"{r['compute']['per_second']:.3f}"),
    ):
        table.add_row(name, *(row(rooms) for rooms in engines.values()))
    console = Console()
    console.print(table)
    console.print(f"listening after {result['cost']['start_seconds']:.1f} s with {result['cost']['memory_mb']:.0f} MB")


def _cell(count: dict[str, float]) -> str:
    commands, talk = count.get("commands", 0), count.get("talk", 0)
    said = f"{100 * count['right'] / commands:.0f} / {100 * count['wrong'] / commands:.0f}" if commands else "-"
    return f"{said}, {100 * count['talk taken'] / talk:.0f}" if talk else said


if __name__ == "__main__":
    main()
