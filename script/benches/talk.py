"""Counts what is taken of table talk with commands in it in talk mode, and of commands under the button.

The same sound goes through the real recogniser and the gate of the hearing thread, faster than real time: without a
press, under the button, and in open mode.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from random import Random

import numpy as np
from rich.console import Console
from rich.table import Table as Columns

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))  # the talk is that of the tests

import corpus  # noqa: E402
from studio import RATE, Sound, Studio, Voice  # noqa: E402

from seance.daemon.signals import Heard  # noqa: E402
from seance.daemon.world.hearing_thread import HearingThread  # noqa: E402
from seance.dialogue.grammar.sentences import Sentences  # noqa: E402
from seance.hearing.recogniser import Recogniser  # noqa: E402
from seance.models import store  # noqa: E402
from seance.models.language_models import find_rescoring_model  # noqa: E402
from seance.narration.cues import Listen  # noqa: E402
from seance.programs.hear import build_grammar  # noqa: E402

BLOCK_SAMPLES = 800
COMMAND_SHARE = 0.3
"""How many of the sentences at the table are commands."""
PRESS_LEAD_S = 0.2
"""Seconds from the press to the first word, and from the last to the release."""


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence at the table, with a pause before it."""

    sound: Sound
    pause_samples: int
    command: str | None
    """Its words if it is a command."""


def talk_at_table(studio: Studio, language: str, voices: Sequence[Voice], minutes: float, seed: int) -> list[Said]:
    """Return *minutes* of talk by all *voices* in turn, commands among it."""
    texts, chance, said, seconds = corpus.texts(language), Random(seed), list[Said](), 0.0
    talk = (*texts.talk, *(ROOT / f"tests/dialogue/talk.{language}.txt").read_text(encoding="utf-8").splitlines())
    while seconds < minutes * 60:
        is_command = chance.random() < COMMAND_SHARE
        words = chance.choice(texts.commands if is_command else talk)
        pause = np.zeros(round(chance.uniform(0.5, 2.0) * RATE), np.float32)
        sound = np.concatenate([pause, studio.say(words, chance.choice(voices))]).astype(np.float32)
        said.append(Said(sound, len(pause), words if is_command else None))
        seconds += len(sound) / RATE
    return said


def play(language: str, said: Sequence[Said], *, only_talk: bool, press: bool) -> list[Heard]:
    """Return what a house takes of *said* as commands; with *press* somebody holds the button for each command."""
    taken: list[Heard] = []
    sentences = Sentences.load(language)
    recogniser = Recogniser(
        store.fetch(language), build_grammar(sentences), rescoring_model=find_rescoring_model(language)
    )
    recogniser.wait_until_loaded()
    thread = HearingThread(lambda: recogniser, sentences, build_grammar, taken.append, only_talk=only_talk)

    def blocks() -> Iterator[Sound]:
        lead = round(PRESS_LEAD_S * RATE)
        for each in said:
            is_pressed = press and each.command is not None
            pressed_at = each.pause_samples - lead if is_pressed else 0
            yield from _cut(each.sound[:pressed_at])
            if is_pressed:
                thread.listen(Listen(is_open=True))
            yield from _cut(np.concatenate([each.sound[pressed_at:], np.zeros(lead, np.float32)]))
            if is_pressed:
                thread.listen(Listen(is_open=False))
        yield from _cut(np.zeros(2 * RATE, np.float32))

    thread.run(blocks())
    recogniser.close()
    return [each for each in taken if each.intent is not None]


def _cut(sound: Sound) -> Iterator[Sound]:
    yield from (sound[at : at + BLOCK_SAMPLES] for at in range(0, len(sound), BLOCK_SAMPLES))


def right(language: str, said: Sequence[Said], taken: Sequence[Heard]) -> int:
    """Return how many commands of *said* are among *taken*, in order."""
    sentences = Sentences.load(language)
    meant = [str(sentences.match(each.command)) for each in said if each.command is not None]
    both = SequenceMatcher(None, meant, [str(each.intent) for each in taken], autojunk=False)
    return sum(block.size for block in both.get_matching_blocks())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the minutes")
    parser.add_argument("--lang", choices=corpus.languages(), action="append", help="all without one")
    parser.add_argument("--minutes", type=float, default=30.0, help="of talk, in each language")
    parser.add_argument("--command-minutes", type=float, default=10.0, help="of it under the button, and in open mode")
    parser.add_argument("--workers", type=int, default=2, help="processes at once")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    results, rows, wrong = Path("bench-results"), list[dict[str, object]](), False
    results.mkdir(exist_ok=True)
    columns = Columns("language", "minutes", "commands", "talk mode, no press", "under the button", "open mode", "s")
    for language in args.lang or corpus.languages():
        with tempfile.TemporaryDirectory() as folder:
            studio = Studio(Path(folder))
            voices = studio.cast(language, "blind") or studio.cast(language, "tuning")
            said = talk_at_table(studio, language, voices, args.minutes / (10 if args.quick else 1), args.seed)
        began = time.perf_counter()
        some = said[: round(len(said) * min(1.0, args.command_minutes / args.minutes))]
        with ProcessPoolExecutor(args.workers) as pool:
            whole = pool.submit(play, language, said, only_talk=True, press=False)
            under = pool.submit(play, language, some, only_talk=True, press=True)
            opened = pool.submit(play, language, some, only_talk=False, press=False)
            unpressed, pressed, is_open = whole.result(), under.result(), opened.result()
        row = {
            "language": language,
            "minutes": round(sum(len(each.sound) for each in said) / RATE / 60, 1),
            "commands": sum(each.command is not None for each in said),
            "commands_under_the_button": sum(each.command is not None for each in some),
            "taken_without_a_press": len(unpressed),
            "right_under_the_button": right(language, said, pressed),
            "taken_under_the_button": len(pressed),
            "right_in_open_mode": right(language, said, is_open),
            "taken_in_open_mode": len(is_open),
            "seconds": round(time.perf_counter() - began),
        }
        rows.append(row)
        wrong = wrong or bool(unpressed)
        columns.add_row(
            language,
            f"{row['minutes']}",
            f"{row['commands']}",
            f"{row['taken_without_a_press']} taken",
            f"{row['right_under_the_button']} of {row['commands_under_the_button']} right, {len(pressed)} taken",
            f"{row['right_in_open_mode']} of {row['commands_under_the_button']} right, {len(is_open)} taken",
            f"{row['seconds']}",
        )
    Console().print(columns)
    (results / "talk.json").write_text(json.dumps(rows, indent=1) + "\n")
    if wrong:
        raise SystemExit("something was taken for a command in talk mode, though nobody pressed")


if __name__ == "__main__":
    main()
