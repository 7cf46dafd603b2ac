"""Whole nights that are only spoken: espeak-ng says each sentence, the real ear hears it, and guests repeat themselves.

The sound goes straight from the voice to the ear, without a microphone; the ghost taps as ever.
"""

import subprocess
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np

from seance.daemon.evening import Evening
from seance.daemon.signals import Heard
from seance.dialogue.replies import Doubt
from seance.listening import models
from seance.listening.recogniser import Ear
from seance.listening.sound_files import read_sound
from seance.narration.cues import Cue, Expect
from seance.programs.hear import expected
from seance.rules import Begin, Command, GiveVision, Psychic, State, TurnSand
from seance.rules.bots import Company
from tests.daemon.evenings import (
    Table,
    Witness,
    check,
    check_whole,
    done,
    house,
    night,
    play,
    sentences,
    set_up,
    table,
)

VOICES = {"en": ("en-us", "en-gb+f2", "en-us+f4"), "fr": ("fr-fr", "fr-fr+f2", "fr-be+m3")}
YES, NO = {"en": "yes please", "fr": "oui"}, {"en": "no", "fr": "non"}
MOST_WORDINGS = 6
"""How often a guest says a thing in other words before giving up."""
MOST_REHEARSALS = 20
"""How many nights are tried to find one that ends as it should."""
BLOCK = 800


class NotHeard(Exception):
    """Nobody could make the house hear it."""


@dataclass
class SpokenTable(Table):
    """A table at which everything is said aloud, again where the house did not hear it."""

    ear: Ear = field(kw_only=True)
    repeats: int = 0

    def say(self, text: str) -> list[Cue]:
        """Say *text* until the house has understood it, or raise NotHeard."""
        assert self.expect is not None
        for voice in VOICES[self.language]:
            before, meant = self._heard_so_far(), self.expect.among(sentences(self.language)).match(text)
            cues = self._hear(voiced(text, voice))
            asked = self.evening.conversation.pending
            if asked is not None and asked.ask_back is not None and asked.intent not in (None, meant):
                self._hear(voiced(NO[self.language], voice))  # the house asks back what it heard
            elif asked is not None and asked.ask_back is not None and asked.ask_back.doubt is Doubt.MISHEARD:
                return self.say(YES[self.language])
            elif self._heard_so_far() != before:
                return cues
            self.repeats += 1
        raise NotHeard(text)

    def _heard_so_far(self) -> object:
        """Return what changes when a sentence is understood."""
        talk = self.evening.conversation
        return self.evening.state, talk.pending, talk.wishes, talk.setting_up

    def _hear(self, sound: np.ndarray) -> list[Cue]:
        heard = [h for at in range(0, len(sound), BLOCK) for h in self.ear.feed(sound[at : at + BLOCK])]
        cues = []
        for each in [*heard, *self.ear.finish()]:
            speaker = Psychic(each.speaker) if each.speaker else None
            cues += self.give(Heard(each.text, each.intent, each.confidence, speaker))
        return cues

    def _kept(self, cues: tuple[Cue, ...]) -> list[Cue]:
        kept = super()._kept(cues)
        if any(isinstance(cue, Expect) for cue in cues):
            assert self.expect is not None
            self.ear.expect(expected(self.expect.among(sentences(self.language))), wait=True)
        return kept


@cache
def voiced(text: str, voice: str) -> np.ndarray:
    """Return *text* as espeak-ng says it, with a pause on either side."""
    with TemporaryDirectory() as folder:
        wav = Path(folder) / "said.wav"
        subprocess.run(["espeak-ng", "-v", voice, "-s", "150", "-w", wav, text], check=True)
        still = np.zeros(9600, np.float32)
        return np.concatenate([still, read_sound(wav), still])


@dataclass(frozen=True)
class Plan:
    """A night that ends as it is wanted, found by playing it in typed words."""

    language: str
    begin: Begin
    seed: int
    accuracy: float
    ends: State


def planned(language: str, edition: str, players: int, *, won: bool, folder: Path) -> Plan:
    """Return a night that is *won* or lost, of those that were tried the one with the fewest steps."""
    plans = []
    for seed in range(1, MOST_REHEARSALS):
        accuracy, begin = ((1.0, 0.95) if won else (0.85, 0.1))[seed % 2], night(edition, players, seed)
        rehearsed = table(folder / f"{seed}", language=language, seed=seed)
        ends = play(rehearsed, begin, Company(Random(seed), accuracy=accuracy), Random(seed))
        rehearsed.journal.close()
        if ends.outcome is not None and ends.outcome.won is won:
            plans.append((len(rehearsed.journal.entries), Plan(language, begin, seed, accuracy, ends)))
        if len(plans) == 2:
            break
    assert plans, f"no night of {edition} for {players} was {'won' if won else 'lost'}"
    return min(plans, key=lambda each: each[0])[1]


@dataclass(frozen=True)
class Played:
    """What came of a night that was spoken."""

    said: int
    """Things that were wanted of the house, or tapped."""
    repeats: int
    misunderstood: int
    """Of them, those that it took for something else."""
    ends: State


def spoken_night(plan: Plan, path: Path) -> Played:
    """Play *plan* by voice from the welcome to its end; every step is checked, and the whole of it."""
    journal, language = Witness.open(path), plan.language
    ear = Ear(models.fetch(language), expected(sentences(language)))
    table = SpokenTable(Evening(house(journal, language=language, seed=plan.seed)), journal, language, ear=ear)
    bot, chance = Company(Random(plan.seed), accuracy=plan.accuracy), Random(plan.seed)
    said = misunderstood = 0
    try:
        table.open()
        set_up(table, plan.begin)
        while table.state.outcome is None:
            written, command = len(journal.entries), bot.choose(table.state)
            cues = by_voice(table, command, chance)
            entries = journal.entries[written:]
            assert entries, f"however often it was said, it was never heard: {command}"
            check(table, cues, [event for _, events in entries for event in events])
            said, misunderstood = said + 1, misunderstood + (entries[0][0] != command)
        check_whole(table)
        return Played(said, table.repeats, misunderstood, table.state)
    finally:
        ear.close()
        journal.close()


def by_voice(table: SpokenTable, command: Command, chance: Random) -> list[Cue]:
    """Do *command*: the ghost gives visions without a word, and all else is said, in other words if need be."""
    if isinstance(command, GiveVision | TurnSand):
        return table.ask(command)
    for _ in range(MOST_WORDINGS):
        with suppress(NotHeard):
            return done(table, command, chance)
    raise AssertionError(f"{command} was never heard")
