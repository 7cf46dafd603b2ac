"""A whole house that hears: from the last sound of a sentence to what the room perceives, and what a process of it costs.

The sound is fed block by block, as fast as people speak; only PortAudio's own delay is left out, which `voice` measures.
"""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import soundfile

from hardware.body import open_body
from seance.daemon.evening import Evening
from seance.daemon.loop import Inbox, run_evening
from seance.daemon.performers import CuePerformer
from seance.daemon.signals import GhostCommand, Heard, Stop
from seance.daemon.world.body_driver import BodyDriver
from seance.daemon.world.hearing_thread import HearingThread
from seance.hearing.recogniser import Recogniser
from seance.journal import Journal
from seance.models import store
from seance.narration.cues import Pause
from seance.programs.hear import build_grammar
from seance.rules import LIBELLUD, Begin, GiveVision, Phase, Psychic, TurnSand
from tests.daemon.evenings import evening_context, sentences
from tests.daemon.spoken import voiced
from tests.sound_rig import SoundRig

RATE, BLOCK = 16_000, 800
PLAYING = (Psychic.RED, Psychic.BLUE, Psychic.WHITE)
VOICES = ("en-us", "en-gb+f2", "en-us+f4")
PATIENCE = 6.0
"""Seconds after which a sentence was not heard."""


class Room:
    """Sound as a microphone delivers it: a quiet room, and what is said in it."""

    def __init__(self) -> None:
        self._said: queue.SimpleQueue[np.ndarray] = queue.SimpleQueue()
        self._noise = np.random.default_rng(1).standard_normal(10 * RATE).astype(np.float32) * 1e-3
        self._over = threading.Event()
        self.last_sound = 0.0
        """When the last loud block of what was said had been delivered."""

    def say(self, text: str, voice: str) -> None:
        self._said.put(voiced(text, voice)[9600:])

    def close(self) -> None:
        self._over.set()

    def blocks(self) -> Iterator[np.ndarray]:
        """Yield a block whenever one would be full."""
        due, at, saying = time.perf_counter(), 0, np.zeros(0, np.float32)
        while not self._over.is_set():
            if not len(saying) and not self._said.empty():
                saying = self._said.get()
            block = self._noise[at : at + BLOCK].copy()
            block[: len(saying[:BLOCK])] += saying[:BLOCK]
            loud, saying = bool(np.abs(saying[:BLOCK]).max(initial=0.0) > 0.02), saying[BLOCK:]
            at = (at + BLOCK) % (len(self._noise) - BLOCK)
            due += BLOCK / RATE
            time.sleep(max(0.0, due - time.perf_counter()))
            if loud:
                self.last_sound = time.perf_counter()
            yield block


class Moments:
    """Notes when the first sound and the first knock come; speaking takes no time."""

    def __init__(self) -> None:
        self.at: dict[str, float] = {}
        self.came = threading.Condition()

    def note(self, what: str) -> None:
        with self.came:
            self.at.setdefault(what, time.perf_counter())
            self.came.notify_all()

    def play_earcon(self, _: str) -> None:
        self.note("earcon")

    def __getattr__(self, _: str):
        return lambda *_, **__: None


class Unpaused(CuePerformer):
    """Performs without the silence between cues: only the house's own time is measured."""

    def perform(self, cues) -> None:
        super().perform([cue for cue in cues if not isinstance(cue, Pause)])


@contextmanager
def listening_house(folder: Path, room: Room, moments: Moments):
    """Hold an evening that hears *room* and knocks on a virtual board; yield the evening, its inbox and performers."""
    inbox, opened, known = Inbox(), queue.SimpleQueue(), sentences("en")

    def heard(signal: Heard) -> None:
        if signal.intent is not None:
            moments.note("heard")
        inbox.put(signal)

    ear = Recogniser(store.fetch("en"), build_grammar(known))
    listener = HearingThread(lambda: ear, known, build_grammar, heard)
    with open_body("virtual") as body, Unpaused(moments, BodyDriver(body), expect=listener.expect) as performance:
        body.knocker.when_knocked = lambda _: moments.note("knock")

        def at_work() -> None:
            with Journal.open(folder / "room") as journal:
                evening = Evening(evening_context(journal))
                opened.put(evening)
                run_evening(evening, inbox, performance, clock=time.monotonic)

        thread = threading.Thread(target=at_work)
        thread.start()
        listener.start(room.blocks())
        try:
            yield opened.get(), inbox, performance
        finally:
            inbox.put(Stop())
            thread.join()
            room.close()
            listener.close()


def from_the_last_sound(folder: Path, hours: int) -> tuple[dict[str, list[float]], int]:
    """Return seconds from the last sound to the sentence, the earcon and the first knock, and what was said in vain."""
    room, moments = Room(), Moments()
    spent: dict[str, list[float]] = {"heard": [], "earcon": [], "heard, we are ready": [], "knock": []}
    unheard = 0

    def say(words: str, what: str, heard: str) -> None:
        nonlocal unheard
        for voice in VOICES * 3:
            performance.wait(60)
            time.sleep(0.3)
            moments.at.clear()
            room.say(words, voice)
            with moments.came:
                if moments.came.wait_for(lambda: what in moments.at, PATIENCE):
                    spent[heard].append(moments.at["heard"] - room.last_sound)
                    spent[what].append(moments.at[what] - room.last_sound)
                    return
            unheard += 1
        raise SystemExit(f"{words!r} was never heard")

    with listening_house(folder, room, moments) as (evening, inbox, performance):
        for hour in range(hours):
            if evening.state is None or evening.state.outcome is not None:
                inbox.put(GhostCommand(Begin(edition=LIBELLUD, players=4, level="easy", psychics=PLAYING, seed=hour)))
            for psychic in PLAYING:
                inbox.put(GhostCommand(GiveVision(psychic=psychic, count=1)))
            inbox.put(GhostCommand(TurnSand()))
            _until(lambda: evening.sand is not None)
            for psychic in PLAYING:
                search = evening.state.search(psychic)
                row = evening.state.table.of(evening.state.sought(search))
                wrong = next(card for card in row if card != search.secret.of(evening.state.sought(search)))
                say(f"{psychic.value} chooses card {wrong}", "earcon", "heard")
            say("we are ready", "knock", "heard, we are ready")
            _until(lambda: evening.state.phase is not Phase.INTERPRETATION)
    return spent, unheard


def _until(done) -> None:
    giving_up = time.monotonic() + 30
    while not done():
        if time.monotonic() > giving_up:
            raise SystemExit("the house does not come to it")
        time.sleep(0.005)


# A process of it


def process_in_a_room(folder: Path, seconds: float) -> dict[str, float]:
    """Return how long `seance run` takes to listen, and its memory and CPU in a silent and in a talkative room."""
    folder = folder.resolve()
    rig = SoundRig(folder / "rig")
    rig.folder.mkdir()
    rig.start()
    config = folder / "settings.toml"
    config.write_text('[ambience]\non = false\n[web]\nlisten = "loopback"\nport = 0\n')
    wav = folder / "talk.wav"
    talk = np.concatenate([voiced(text, "en-us") for text in ("who has not chosen yet", "well I think it is the cook")])
    soundfile.write(wav, np.tile(talk, 10), RATE)
    home = {"XDG_DATA_HOME": str(folder / "data"), "XDG_CACHE_HOME": str(folder / "cache"), **rig.environment}
    program = [sys.executable, "-m", "seance", "run", "--config", str(config), "--board", "virtual", "--log", "debug"]
    begun = time.perf_counter()
    try:
        with subprocess.Popen(
            program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=os.environ | home | {"SEANCE_MODELS": str(store.find("en").parent)},
        ) as run:  # fmt: skip
            at = dict[str, float]()
            reader = threading.Thread(target=_watch, args=(run, at, begun), daemon=True)
            reader.start()
            _until(lambda: {"awake", "open"} <= at.keys())
            time.sleep(3)
            idle = _cpu(run.pid, seconds)
            with rig.speaking_in_room(wav):
                busy = _cpu(run.pid, seconds)
            memory = int(Path(f"/proc/{run.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
            run.terminate()
            run.wait(20)
            reader.join()
    finally:
        rig.stop()
    return {
        "start_to_speaking_s": at["speaks"],
        "start_to_listening_s": at["awake"],
        "start_to_the_end_of_the_welcome_s": at["open"],
        "memory_mb": memory,
        "cpu_idle_percent": idle,
        "cpu_busy_percent": busy,
    }


def _watch(run: subprocess.Popen[str], at: dict[str, float], begun: float) -> None:
    """Note when the ear is awake, and when it is open after the welcome."""
    assert run.stdout is not None
    for line in run.stdout:
        for what, words in {
            "awake": "the ear is awake",
            "speaks": "the ear is shut",
            "open": "the ear is open",
        }.items():
            if words in line and (what != "open" or "speaks" in at):
                at.setdefault(what, time.perf_counter() - begun)


def _cpu(pid: int, seconds: float) -> float:
    """Return how much of a core the process takes (percent)."""

    def ticks() -> float:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    before, began = ticks(), time.perf_counter()
    time.sleep(seconds)
    return 100 * (ticks() - before) / (time.perf_counter() - began)
