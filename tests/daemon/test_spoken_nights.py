"""A whole night that is only spoken: espeak-ng says each sentence, the real ear hears it, and guests repeat themselves.

The sound goes straight from the voice to the ear, without a microphone; the ghost taps as ever.
"""

import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import numpy as np
import pytest

from seance.daemon.evening import Evening
from seance.daemon.signals import Heard
from seance.dialogue.replies import Doubt
from seance.listening import models
from seance.listening.recogniser import Ear
from seance.listening.sound_files import read_sound
from seance.narration.cues import Cue, Expect
from seance.programs.hear import expected
from seance.rules import Command, GiveVision, Psychic, TurnSand
from seance.rules.bots import Company
from tests.daemon.evenings import Table, Witness, check, check_whole, done, house, night, sentences, set_up

VOICES = {"en": ("en-us", "en-gb+f2", "en-us+f4"), "fr": ("fr-fr", "fr-fr+f2", "fr-be+m3")}
MOST_WORDINGS = 6
"""How often a guest says a thing in other words before giving up."""
BLOCK = 800


class NotHeard(Exception):
    """Nobody could make the house hear it."""


class SpokenTable(Table):
    """A table at which everything is said aloud, again where the house did not hear it."""

    ear: Ear
    speak: Callable[[str, str], np.ndarray]
    repeats = 0

    def say(self, text: str) -> list[Cue]:
        """Say *text* until the house has understood it, or raise NotHeard."""
        assert self.expect is not None
        for voice in VOICES[self.language]:
            before, meant = self._heard_so_far(), self.expect.among(sentences(self.language)).match(text)
            cues = self._hear(self.speak(text, voice))
            asked = self.evening.conversation.pending
            if asked is not None and asked.ask_back is not None and asked.intent not in (None, meant):
                self._hear(self.speak(NO[self.language], voice))  # the house asks back what it heard
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
            self.ear.expect(expected(self.expect.among(sentences(self.language))), wait=True)
        return kept


YES, NO = {"en": "yes please", "fr": "oui"}, {"en": "no", "fr": "non"}


@pytest.fixture(scope="session")
def speak(tmp_path_factory):
    """Return a sentence as espeak-ng says it, with a pause on either side."""
    folder = tmp_path_factory.mktemp("said")

    def speak(text: str, voice: str) -> np.ndarray:
        wav = folder / "said.wav"
        subprocess.run(["espeak-ng", "-v", voice, "-s", "150", "-w", wav, text], check=True)
        still = np.zeros(9600, np.float32)
        return np.concatenate([still, read_sound(wav), still])

    return speak


def by_voice(table: SpokenTable, command: Command, chance: Random) -> list[Cue]:
    """Do *command*: the ghost gives visions without a word, and all else is said, in other words if need be."""
    if isinstance(command, GiveVision | TurnSand):
        return table.ask(command)
    for _ in range(MOST_WORDINGS):
        with suppress(NotHeard):
            return done(table, command, chance)
    raise AssertionError(f"{command} was never heard")


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("language", "edition", "repeated"), [("en", "libellud", 0.1), ("fr", "igames", 0.6)])
def test_a_whole_night_is_played_by_voice(language, edition, repeated, speak, tmp_path: Path):
    journal = Witness.open(tmp_path / "nights.sqlite")
    table = SpokenTable(Evening(house(journal, language=language)), journal, language)
    table.ear, table.speak = Ear(models.fetch(language), expected(sentences(language))), speak
    bot, chance, said = Company(Random(3), accuracy=1.0), Random(3), 0
    try:
        table.open()
        set_up(table, night(edition, 4, 3))
        while table.state.outcome is None:
            written = len(journal.entries)
            cues = by_voice(table, bot.choose(table.state), chance)
            check(table, cues, [event for _, events in journal.entries[written:] for event in events])
            said += 1
        check_whole(table)
        assert table.repeats < said * repeated, f"{table.repeats} of {said} things had to be repeated"
    finally:
        table.ear.close()
