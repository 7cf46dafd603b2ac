"""Plays whole nights by voice: espeak-ng says each sentence and the real recogniser hears it.

The sound goes straight to the recogniser, without a microphone; the ghost taps. A guest who is not heard says it
again in another voice, in other words, by place or by name, more slowly, and types it in the end.
"""

import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np

from seance.audio.files import read_for_recognition
from seance.daemon.evening import Evening
from seance.daemon.signals import Heard
from seance.dialogue.card_places import place_of
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.grammar.spoken_names import Names
from seance.dialogue.phrasing import NotSpoken, phrase_command, phrase_word
from seance.dialogue.questions import Doubt
from seance.hearing.recogniser import Recogniser
from seance.languages import load_language
from seance.models import store
from seance.narration.cues import Cue, Expect
from seance.programs.hear import build_grammar
from seance.rules import Begin, Command, GiveVision, PlaceIntuition, Psychic, RoomView, State, TurnSand
from seance.rules.bots import Company
from tests.daemon.evenings import (
    Table,
    Witness,
    check,
    check_whole,
    done,
    evening_context,
    night,
    play,
    script,
    sentences,
    set_up,
    table,
)
from tests.languages import sample

TEST_VOICES = 3
"""How many of a language's voices speak; `script/bench night --pico` has better French ones."""
GuestSpeech = Callable[[str, int], np.ndarray]
"""Renders a text at so many words a minute."""
USUAL_WPM = 150
SLOW_WPM = 120
MAX_WORDINGS = 4
"""Different usual wordings that a guest tries."""
MAX_REHEARSALS = 20
"""Nights that are tried to find one that ends as it should."""
BLOCK_SAMPLES = 800


@dataclass
class SpokenTable(Table):
    """A table at which everything is said aloud, and repeated if it was not recognised."""

    recogniser: Recogniser = field(kw_only=True)
    guests: Sequence[GuestSpeech] = field(kw_only=True)
    repeats: int = 0
    typed: list[str] = field(default_factory=list)
    """What was never recognised, and typed in the end."""
    mistaken: list[str] = field(default_factory=list)
    """What was said, and what it was taken for without asking back."""

    def say(self, text: str) -> list[Cue]:
        """Say *text* until it is understood, and type it if it never is."""
        return self.said(text) or self.typed_in(text)

    def said(self, *wordings: str) -> list[Cue] | None:
        """Say each of *wordings* in every voice, at last slowly; None if it is never understood."""
        for wpm, text, guest in product((USUAL_WPM, SLOW_WPM), wordings, self.guests):
            if (cues := self._said_once(text, guest, wpm)) is not None:
                return cues
            self.repeats += 1
        return None

    def _said_once(self, text: str, guest: GuestSpeech, wpm: int) -> list[Cue] | None:
        """Say *text*; None if it was not understood, or was taken for something else without effect."""
        assert self.expect is not None
        open_before = self.evening.conversation.pending
        before, meant = self._heard_so_far(), self.expect.narrow(sentences(self.language)).match(text)
        cues, taken = self._hear(guest(text, wpm))
        asked = self.evening.conversation.pending
        back = asked.ask_back if asked is not None and asked != open_before else None
        if asked is not None and back is not None and asked.intent not in (None, meant):
            self._hear(guest(sample(self.language)["no"], wpm))
            return None
        if back is not None and back.doubt is Doubt.MISHEARD:
            cues = self.said(sample(self.language)["yes"]) or cues
        elif taken and meant not in taken and asked is None:
            self.mistaken += [f"{text!r} as {intent}" for intent in taken]
            return self._go_on(before[0])
        elif meant not in taken:
            return None
        return cues if self._heard_so_far() != before else None

    def _go_on(self, before: State | None) -> list[Cue] | None:
        """Undo what was done by mistake; None if all is as *before*."""
        talk = self.evening.conversation
        if talk.paused or talk.asleep:
            super().say(sample(self.language)["wake_up"])
            super().say(sample(self.language)["go_on"])
        if self.evening.state == before:
            return None
        cues = super().say(phrase_word("take_back", self.language))
        return None if self.evening.state == before else cues

    def _heard_so_far(self) -> tuple[State | None, object]:
        """Return a value that changes when a sentence is understood."""
        talk = self.evening.conversation
        return self.evening.state, (talk.pending, talk.wishes, talk.setting_up, talk.laying_out)

    def typed_in(self, text: str) -> list[Cue]:
        """Type what was never understood."""
        self.typed.append(text)
        return super().say(text)

    def _hear(self, sound: np.ndarray) -> tuple[list[Cue], list[Intent]]:
        """Return the cues that followed, and the recognised intents."""
        heard = [
            h
            for at in range(0, len(sound), BLOCK_SAMPLES)
            for h in self.recogniser.feed(sound[at : at + BLOCK_SAMPLES])
        ]
        cues, taken = [], []
        for each in [*heard, *self.recogniser.finish()]:
            speaker = Psychic(each.speaker) if each.speaker else None
            cues += self.give(Heard(each.text, each.intent, each.confidence, speaker))
            taken += [each.intent] if each.intent is not None else []
        return cues, taken

    def _kept(self, cues: tuple[Cue, ...]) -> list[Cue]:
        kept = super()._kept(cues)
        if any(isinstance(cue, Expect) for cue in cues):
            assert self.expect is not None
            now = build_grammar(self.expect.narrow(sentences(self.language)))
            self.recogniser.set_grammar(replace(now, prior=self.expect.prior), wait=True)
        return kept


@cache
def voiced(text: str, voice: str, wpm: int = USUAL_WPM) -> np.ndarray:
    """Return *text* as espeak-ng says it, with silence on either side."""
    with TemporaryDirectory() as folder:
        wav = Path(folder) / "said.wav"
        subprocess.run(["espeak-ng", "-v", voice, "-s", str(wpm), "-w", wav, text], check=True)
        silence = np.zeros(9600, np.float32)
        return np.concatenate([silence, read_for_recognition(wav), silence])


@dataclass(frozen=True)
class Plan:
    """A night with a known end, found by playing it in typed words."""

    language: str
    begin: Begin
    seed: int
    accuracy: float
    ends: State


def find_plan(language: str, edition: str, players: int, *, won: bool, folder: Path) -> Plan:
    """Return the shortest night found that is *won*, or lost."""
    plans = []
    for seed in range(1, MAX_REHEARSALS):
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
class PlayedNight:
    """The result of a spoken night."""

    said: int
    """Commands that were said or tapped."""
    repeats: int
    typed: list[str]
    """Sentences that were never understood, and typed."""
    mistaken: list[str]
    """Sentences that were taken for something else."""
    ends: State


def espeak_guests(language: str) -> tuple[GuestSpeech, ...]:
    """Return guests who speak with espeak-ng."""
    return tuple(partial(_voiced_by, voice) for voice in load_language(language).test_voices[:TEST_VOICES])


def _voiced_by(voice: str, text: str, wpm: int) -> np.ndarray:
    return voiced(text, voice, wpm)


def play_spoken_night(plan: Plan, path: Path, guests: Sequence[GuestSpeech]) -> PlayedNight:
    """Play *plan* by voice from the welcome to its end, and check every step and the whole night."""
    journal, language = Witness.open(path), plan.language
    recogniser = Recogniser(store.fetch(language), build_grammar(sentences(language)))
    evening = Evening(evening_context(journal, language=language, seed=plan.seed))
    table = SpokenTable(evening, journal, language, recogniser=recogniser, guests=guests)
    bot, chance = Company(Random(plan.seed), accuracy=plan.accuracy), Random(plan.seed)
    said = 0
    try:
        table.open()
        set_up(table, plan.begin)
        while table.state.outcome is None:
            written, mistakes, command = len(journal.entries), len(table.mistaken), bot.choose(table.state)
            cues = say_command(table, command, chance)
            entries = journal.entries[written:]
            assert entries, f"said and typed, {command} was not done"
            if len(table.mistaken) == mistakes:
                check(table, cues, [event for _, events in entries for event in events])
            said += 1
        check_whole(table)
        return PlayedNight(said, table.repeats, table.typed, table.mistaken, table.state)
    finally:
        recogniser.close()
        journal.close()


def say_command(table: SpokenTable, command: Command, chance: Random) -> list[Cue]:
    """Carry out *command*: the ghost taps, and everything else is said, in other words if need be."""
    room = table.evening.room
    assert room is not None
    try:
        ways = tuple(wordings(command, table.language, chance, room))
    except NotSpoken:
        return done(table, command, chance)
    if isinstance(command, GiveVision | TurnSand):
        return table.ask(command)
    cues = table.said(*ways) or table.typed_in(ways[0])
    pending = table.evening.conversation.pending
    if pending is not None and pending.ask_back is not None:
        return table.say(phrase_word("yes", table.language, chance.randrange(9)))
    return cues


def wordings(command: Command, language: str, chance: Random, room: RoomView) -> Iterator[str]:
    """Yield wordings of *command*: the usual ones, a card by its place in the row, a psychic by name."""
    first = chance.randrange(9)
    usual = list(dict.fromkeys(phrase_command(command, language, first + n, room=room) for n in range(MAX_WORDINGS)))
    yield from usual
    if isinstance(command, PlaceIntuition):
        kind, place = place_of(room, command.card)
        colour = Names.load(language).psychics[command.psychic][0]
        called = script(language).inflection
        named = {"psychic": colour, "place": called.places[place - 1]}
        yield sample(language)["by_place"].format(kind=called.edition_words(None).kinds[kind]["bare"], **named)
    for psychic, (colour, *others) in Names.load(language).psychics.items():
        if psychic in (getattr(command, "psychic", None), getattr(command, "by", None)):
            yield from (usual[0].replace(colour, other, 1) for other in others[1:])
