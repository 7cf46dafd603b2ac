"""How guests put right what was misheard, at a table whose ear makes mistakes on purpose."""

from random import Random

import numpy as np
import pytest

from seance.audio.waves import Wave
from seance.daemon.evening import Evening
from seance.demo import cast
from seance.demo.guests import Guests
from seance.demo.table import DemoTable, SpokenInput
from seance.dialogue.grammar.sentences import Intent
from seance.hearing.recognition import Recognition
from seance.rules import LIBELLUD, Begin, Psychic
from seance.rules.bots import Company
from tests.daemon.evenings import evening_context, sentences

NIGHT = Begin(edition=LIBELLUD, players=3, level="easy", psychics=tuple(Psychic)[:4])


class Nobody:
    """An audience that has gone home."""

    def prepare(self, cues):
        """Do nothing."""

    def perceive(self, cue):
        """Do nothing."""

    def hear_guest(self, guest, words, wave, *, aside):
        """Do nothing."""

    def show_recognition(self, text, *, meant):
        """Do nothing."""

    def wait(self, seconds):
        """Do nothing."""


class Scribe:
    """Guest voices that write down what is said."""

    words = ""

    def say(self, _guest, words):
        self.words = words
        return Wave(np.zeros(8000, np.float32), 16_000)


class PerfectEar:
    """Hears what the scribe wrote down."""

    def __init__(self, scribe):
        self._scribe = scribe

    def expect(self, cue):
        """Be as it is."""

    def hear(self, _wave, *, aside):
        if not aside and (intent := self.makes_of(sentences("en").match(self._scribe.words))):
            yield Recognition(self._scribe.words, intent, self.sure_of(intent), None, None, 0.0, 1.0, 0.1, 20.0)

    def makes_of(self, intent):
        return intent

    def sure_of(self, _intent):
        return 1.0


class DeafEar(PerfectEar):
    def makes_of(self, _intent):
        return None


class DoubtfulEar(PerfectEar):
    def sure_of(self, intent):
        return 1.0 if intent.name == "yes" else 0.6


class ConfusedEar(PerfectEar):
    """Takes the first choice of each hour for another psychic's."""

    confused = 0

    def makes_of(self, intent):
        if intent.name != "place_intuition" or self.confused % 5:
            self.confused += intent.name == "place_intuition"
            return intent
        self.confused += 1
        other = next(psychic for psychic in NIGHT.psychics if psychic != intent.slots["psychic"])
        return Intent(intent.name, {**intent.slots, "psychic": other.value})


def played(tmp_path, kind):
    """Return how the guests were heard in a night with an ear of *kind*, and how the night ended."""
    scribe, evening = Scribe(), Evening(evening_context(tmp_path / "nights"))
    table = DemoTable(evening, Nobody(), SpokenInput(scribe, kind(scribe)))
    bot, company = Company(Random(5)), cast.load_cast("en")
    guests = Guests(table, company, bot, language="en", sentences=sentences("en"), chance=Random(5))
    guests.play(NIGHT)
    return guests.tally, evening.state


def test_what_is_heard_is_said_once(tmp_path):
    tally, _ = played(tmp_path, PerfectEar)
    assert (tally.at_once, tally.repeated, tally.undone, tally.typed) == (tally.sentences, 0, 0, 0)


def test_a_guest_who_is_not_heard_says_it_again_and_types_at_last(tmp_path):
    tally, state = played(tmp_path, DeafEar)
    assert tally.at_once == 0
    assert tally.typed == tally.sentences
    assert tally.repeated == 2 * tally.sentences
    assert state.outcome is not None


def test_a_guest_answers_yes_to_what_was_heard_right(tmp_path):
    tally, _ = played(tmp_path, DoubtfulEar)
    assert tally.answered > tally.sentences / 2
    assert tally.typed == 0


def test_what_was_taken_for_another_psychics_choice_is_taken_back_and_said_again(tmp_path):
    tally, _ = played(tmp_path, ConfusedEar)
    assert tally.undone >= 1
    assert tally.repeated >= tally.undone
    assert tally.typed == 0


@pytest.mark.parametrize("kind", [DoubtfulEar, DeafEar, ConfusedEar])
def test_what_the_guests_decide_is_played_however_it_is_heard(kind, tmp_path):
    _, wanted = played(tmp_path / "perfect", PerfectEar)
    _, state = played(tmp_path / "other", kind)
    assert state.outcome == wanted.outcome
    assert [search.found for search in state.searches] == [search.found for search in wanted.searches]
