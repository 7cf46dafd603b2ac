"""Plays whole nights by synthetic speech through the recogniser, and counts repeats and misunderstandings."""

import tempfile
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
from studio import Studio, Voice, bench_voices

from tests.daemon.spoken import USUAL_WPM, GuestSpeech, PlayedNight, espeak_guests, find_plan, play_spoken_night

COLUMNS = ("said", "repeated", "misunderstood", "typed")


def spoken_nights(
    folder: Path, languages: list[str], tables: list[tuple[str, int]], *, pico: bool
) -> dict[str, object]:
    """Play a won and a lost night by voice for each edition and its players; each must end as when it is typed."""
    rows, wrong = [], []
    for language, (edition, many), won in product(languages, tables, (True, False)):
        name = f"{language} {edition} {many} {'won' if won else 'lost'}"
        with tempfile.TemporaryDirectory(dir=folder) as own:
            plan = find_plan(language, edition, many, won=won, folder=Path(own))
            try:
                guests = pico_guests(language, folder) if pico else espeak_guests(language)
                played = play_spoken_night(plan, Path(own) / "nights", guests)
            except AssertionError as error:
                wrong.append(f"{name}: {error}")
                continue
        rows.append({"night": name, **counts(played), "as typed": played.ends == plan.ends})
        if played.ends != plan.ends:
            wrong.append(f"{name}: it ends otherwise than in writing")
        print(rows[-1], flush=True)
    totals = {what: sum(len(v) if isinstance(v := row[what], list) else v for row in rows) for what in COLUMNS}
    return {"nights": len(rows), **totals, "wrong": wrong, "each": rows}


def pico_guests(language: str, folder: Path) -> list[GuestSpeech]:
    """Return guests who speak with Pico, whose French is far better than espeak-ng's."""
    studio = Studio(folder / "said")
    voices = [voice for voice in bench_voices(language).voices if voice.engine == "pico"]
    if not all(studio.can_speak(voice) for voice in voices):
        raise SystemExit("the pico voices are missing: script/setup bench compiles them")

    def guest(voice: Voice) -> GuestSpeech:
        silence = np.zeros(9600, np.float32)
        return lambda text, wpm: np.concatenate(
            [silence, studio.say(text, replace(voice, speed=voice.speed * wpm / USUAL_WPM)), silence]
        )

    return [guest(voice) for voice in voices]


def counts(played: PlayedNight) -> dict[str, object]:
    """Return the counts of a spoken night; misunderstood and typed sentences as they are."""
    return dict(zip(COLUMNS, (played.said, played.repeats, played.mistaken, played.typed), strict=True))
