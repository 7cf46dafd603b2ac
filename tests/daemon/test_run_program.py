"""`seance run` as a host starts it: a real process, real speech in the room, the real recogniser and voice."""

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest
import soundfile

import hardware
from hardware.body import Body
from hardware.pins import HardwareError
from seance.daemon.world import startup
from seance.journal import JournalReader, NoJournal
from seance.languages import load_language
from seance.rules import Phase, Psychic, State
from seance.rules.terms import Ballot
from tests.sound_rig import SoundRig

SETTINGS = """
[telling]
pace = "{pace}"
[ambience]
on = false
[web]
listen = "off"
"""
HURRIED = '[voice]\nengine = "espeak"\nrate = 2\n'
PATIENCE = 25.0
"""Seconds for an answer, on a busy machine."""
MOST_TIMES = 6
OPEN = "the ear is open"


class Séance:
    """The program, and what it prints."""

    def __init__(
        self,
        rig: SoundRig | None,
        folder: Path,
        *arguments: str,
        pace: str = "brisk",
        language: str = "en",
        settings: str = "",
        models: Path | None = None,
    ) -> None:
        config = folder / "settings.toml"
        config.write_text(f'language = "{language}"\n{SETTINGS.format(pace=pace)}{settings}')
        home = {"XDG_DATA_HOME": str(folder / "data"), "XDG_CACHE_HOME": str(folder / "cache")}
        learnt = {"SEANCE_MODELS": str(models or Path.home() / ".local/share/seance/models")}
        self.rig, self.folder, self.voice = rig, folder, load_language(language).test_voices[0]
        program = [
            sys.executable,
            "-m",
            "seance",
            "run",
            "--config",
            str(config),
            "--board",
            "virtual",
            "--log",
            "debug",
        ]
        self.process = subprocess.Popen(
            [*program, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | home | learnt,
        )
        self.log: list[str] = []
        self.lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def close(self) -> None:
        """End it as a service is ended, if it has not ended."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        giving_up = threading.Timer(20, self.process.kill)
        giving_up.start()
        self.process.wait()
        giving_up.cancel()
        self._reader.join()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with suppress(BrokenPipeError):
                pipe.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.log.append(line)
            self.lines.put(line.strip())

    def hears(self, *words: str, within: float = PATIENCE) -> str | None:
        """Return the next line that has any of *words*, or None."""
        try:
            while True:
                line = self.lines.get(timeout=within)
                if any(word in line for word in words) and not line.startswith(">"):
                    return line
        except queue.Empty:
            return None

    def type(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{text}\n")
        self.process.stdin.flush()

    def speak(self, text: str, *, pause: float = 0.0) -> None:
        """Say *text* in the room, and nothing for *pause* seconds."""
        assert self.rig is not None
        wav = self.folder / "said.wav"
        subprocess.run(["espeak-ng", "-v", self.voice, "-w", str(wav), text], check=True)
        sound, rate = soundfile.read(wav)
        soundfile.write(wav, [0.0] * (rate // 2) + [*sound] + [0.0] * round(pause * rate), rate)
        self.rig.speak_in_room(wav)

    @property
    def state(self) -> State | None:
        """The state of the night in the journal."""
        with (
            suppress(NoJournal),
            JournalReader.open(self.folder / "data" / "seance" / "nights.sqlite") as nights,
        ):
            number = nights.last_number()
            return None if number is None else nights.night(number).state
        return None

    def until(self, done: Callable[[State], bool], within: float = 5.0) -> bool:
        """Return whether the night comes to stand so, looking at the journal now and then."""
        giving_up = time.monotonic() + within
        while not ((state := self.state) is not None and done(state)):
            if time.monotonic() > giving_up:
                return False
            threading.Event().wait(0.1)
        return True

    def do(self, text: str, done: Callable[[State], bool], *others: str, aloud: bool = True) -> None:
        """Say or type *text*, again and in *others* words as guests do, until the night stands as they want."""
        for words in islice(cycle((text, *others)), MOST_TIMES):
            (self.speak if aloud else self.type)(words)
            if self.until(done):
                return
        pytest.fail(f"{text!r} led to nothing:\n{''.join(self.log[-40:])}")

    def mean(self, text: str, done: Callable[[State], bool]) -> None:
        """Say *text*, which is asked back, and yes to that; both again until the night stands as they want."""
        for _ in range(MOST_TIMES):
            self.speak(text, pause=1.0)
            self.speak("yes")
            if self.until(done):
                return
        pytest.fail(f"{text!r} led to nothing:\n{''.join(self.log[-40:])}")

    def say(self, text: str, *answers: str) -> str:
        """Say *text* in the room, again as guests do, until the house answers."""
        for _ in range(MOST_TIMES):
            self.speak(text)
            if line := self.hears(*answers, within=7.0):
                assert self.hears(OPEN), "the house has not ended its line"
                return line
        pytest.fail(f"{text!r} was never answered:\n{''.join(self.log[-40:])}")


@contextmanager
def séance(rig: SoundRig | None, folder: Path, *arguments: str, **choices: Any) -> Iterator[Séance]:
    held = Séance(rig, folder, *arguments, **choices)
    try:
        yield held
    finally:
        held.close()


def test_a_night_is_set_up_and_begun_by_voice_alone(sound_rig, tmp_path):
    with séance(sound_rig, tmp_path, settings=HURRIED) as held:
        assert held.hears("begin the séance")
        assert held.hears(OPEN)
        held.say("begin the seance", "How many")
        held.say("we are four players", "rules")
        held.say("the usual rules", "hard", "level")
        held.say("easy", "colours")
        held.say("red, blue and white are playing", "story")
        held.say("no", "Is that right")
        assert held.say("yes", "Characters")
    assert held.process.returncode == 0


def test_a_french_night_is_set_up_and_begun_by_voice_alone(sound_rig, tmp_path):
    with séance(sound_rig, tmp_path, language="fr", settings=HURRIED) as held:
        assert held.hears("séance")
        assert held.hears(OPEN)
        held.say("on commence la séance", "Combien")
        held.say("nous sommes trois joueurs", "règles")
        held.say("les règles originales", "niveau", "difficile")
        held.say("facile", "couleurs", "joue")
        held.say("rouge et bleu jouent", "histoire")
        held.say("non", "Est-ce bien")
        assert held.say("oui", "ersonnages")
    assert held.process.returncode == 0


@pytest.mark.slow
def test_a_whole_night_is_played_by_voice_in_the_room(sound_rig, tmp_path):
    with séance(sound_rig, tmp_path, pace="silent") as held:
        held.type("begin the séance")
        held.type("we are three, easy, the original rules, skip the story")
        held.type("red and blue play")
        held.do("yes", lambda state: state.hour == 1, aloud=False)
        for day in (1, 2, 3):
            play_day(held, day)
        held.do("ghost culprit 2", lambda state: state.phase is Phase.SHARED_VISION, aloud=False)
        held.do("ghost lay", lambda state: state.phase is Phase.ACCUSATION, aloud=False)
        for colour in (Psychic.RED, Psychic.BLUE):
            held.do(f"{colour} points at group two", lambda state, by=colour: Ballot(by, 2) in state.ending.pointing)
        held.mean("we accuse group two", lambda state: state.outcome is not None)
        night = held.state
    assert held.process.returncode == 0
    assert night is not None
    assert night.outcome is not None
    assert night.outcome.won


def play_day(held: Séance, day: int) -> None:
    """The ghost types, the psychics speak and are right."""
    state = held.state
    assert state is not None
    for search in state.searches:
        held.do(f"ghost vision {search.psychic}", partial(is_served, psychic=search.psychic), aloud=False)
    for search in state.searches:
        sought = state.sought(search)
        assert search.secret is not None
        assert sought is not None
        card = search.secret.of(sought)
        chosen = partial(has_chosen, psychic=search.psychic, card=card)
        # Fourteen may be heard as forty however often it is said: then guests say which one of the row it is.
        place = ORDINALS[state.setup.laid_out.of(sought).index(card)]
        held.do(f"{search.psychic} chooses card {card}", chosen, f"{search.psychic} chooses the {place} {sought}")
    held.do("we are ready", lambda state: state.hour > day or state.phase is Phase.LINEUP)


ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")


def is_served(state: State, psychic: Psychic) -> bool:
    return next(search.served for search in state.searches if search.psychic is psychic)


def has_chosen(state: State, psychic: Psychic, card: int) -> bool:
    return next(search.intuition for search in state.searches if search.psychic is psychic) == card


# What is missing is told in a sentence, and the evening is held without it


def test_a_board_whose_pins_cannot_be_used_is_told_of_and_the_virtual_one_stands_in(monkeypatch):
    def open_body(board: str, **more: Any) -> Body:
        if board == "ring":
            raise HardwareError("SPI is switched off")  # as on a Pi: elsewhere there are no pins to fail
        return hardware.open_body(board, **more)

    monkeypatch.setattr(startup, "open_body", open_body)
    woken = startup.start_body("ring")
    with woken.body as body:
        assert body.is_virtual
    assert woken.is_substitute


def test_off_a_pi_the_board_asked_for_is_shown_and_the_virtual_one_stands_in_for_the_settings():
    with startup.start_body("breadboard").body as body:
        assert (body.board.name, body.is_virtual) == ("virtual", True)
    with startup.start_body("breadboard", asked="respeaker").body as body:
        assert (body.board.name, body.is_virtual) == ("respeaker", True)


def test_without_a_speech_model_the_house_says_so_and_takes_typed_words(sound_rig, tmp_path):
    with séance(sound_rig, tmp_path, "--no-sound", models=tmp_path / "none") as held:
        assert held.hears("not learnt to listen")
        held.type("begin the séance")
        assert held.hears("How many")


def test_with_a_voice_that_does_not_speak_the_house_says_so_and_can_be_read(sound_rig, tmp_path):
    piper = '[voice]\nengine = "piper"\n'
    with séance(sound_rig, tmp_path, "--typed", settings=piper, models=tmp_path / "none") as held:
        assert held.hears("does not speak")
        held.type("begin the séance")
        assert held.hears("How many")


def test_with_a_voice_that_does_not_exist_the_house_says_so_in_its_usual_one(sound_rig, tmp_path):
    with (
        sound_rig.recording_speaker() as heard,
        séance(sound_rig, tmp_path, "--typed", settings=f'{HURRIED}name = "nobody"\n') as held,
    ):
        assert held.hears("not in this house")
        held.type("begin the séance")
        assert held.hears("How many")
    assert abs(heard[0]).max() > 1000


def test_where_nothing_can_be_written_the_house_says_so_and_goes_on(tmp_path):
    settings = '[journal]\npath = "/dev/full/nights.sqlite"\n'
    with séance(None, tmp_path, "--typed", "--no-sound", settings=settings) as held:
        assert held.hears("I can write nothing down", "I may forget")
        held.type("begin the séance")
        assert held.hears("How many")


def test_a_night_that_was_cut_off_goes_on(tmp_path):
    with séance(None, tmp_path, "--typed", "--no-sound") as held:
        for line in ("begin the séance", "we are four, easy, the usual rules, skip the story"):
            held.type(line)
        held.type("red, blue and white play")
        assert held.hears("Is that right")
        held.type("yes")
        assert held.hears("Characters")
        held.type("ghost vision red")
        assert held.hears("Red")
        held.process.kill()
        held.process.wait()
    with séance(None, tmp_path, "--typed", "--no-sound") as held:
        assert "first hour" in (held.hears("interrupted", "I was away") or "")
        held.type("ghost vision red")
        assert held.hears("to the ghost alone")
