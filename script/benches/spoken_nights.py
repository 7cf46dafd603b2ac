"""Whole nights that are only spoken, through the ear in memory: how often the guests had to say it, and how it ended."""

import tempfile
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
from studio import VOICES, Studio, Voice

from tests.daemon.spoken import PACE, Played, Throat, planned, spoken_night, throats

TABLES = (2, 3, 5, 7)
"""How many play, the ghost included."""
TOLD = ("said", "repeated", "misunderstood", "typed")


def spoken_nights(
    folder: Path, languages: list[str], editions: list[str], players: tuple[int, ...], *, pico: bool
) -> dict[str, object]:
    """Return how nights went that were only spoken, won and lost, in the ear's memory; each ends as when it is typed."""
    rows, wrong = [], []
    for language, edition, many, won in product(languages, editions, players, (True, False)):
        name = f"{language} {edition} {many} {'won' if won else 'lost'}"
        with tempfile.TemporaryDirectory(dir=folder) as own:
            plan = planned(language, edition, many, won=won, folder=Path(own))
            try:
                guests = picos(language, folder) if pico else throats(language)
                played = spoken_night(plan, Path(own) / "nights.sqlite", guests)
            except AssertionError as error:
                wrong.append(f"{name}: {error}")
                continue
        rows.append({"night": name, **told(played), "as typed": played.ends == plan.ends})
        if played.ends != plan.ends:
            wrong.append(f"{name}: it ends otherwise than in writing")
        print(rows[-1], flush=True)
    totals = {what: sum(len(v) if isinstance(v := row[what], list) else v for row in rows) for what in TOLD}
    return {"nights": len(rows), **totals, "wrong": wrong, "each": rows}


def picos(language: str, folder: Path) -> list[Throat]:
    """Return guests with the voices of Pico, which speaks French far better than espeak-ng."""
    studio = Studio(folder / "said")
    voices = [voice for voice in VOICES[language] if voice.engine == "pico"]
    if not all(studio.can_speak(voice) for voice in voices):
        raise SystemExit("the pico voices are missing: script/setup bench compiles them")

    def throat(voice: Voice) -> Throat:
        still = np.zeros(9600, np.float32)
        return lambda text, pace: np.concatenate(
            [still, studio.say(text, replace(voice, speed=voice.speed * pace / PACE)), still]
        )

    return [throat(voice) for voice in voices]


def told(played: Played) -> dict[str, object]:
    """Return what of a spoken night is counted; sentences as they are."""
    return dict(zip(TOLD, (played.said, played.repeats, played.mistaken, played.typed), strict=True))
