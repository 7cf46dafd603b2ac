"""`seance run` as a host starts it: a real process, real speech in the room, the real ear, the real voice."""

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import soundfile

from tests.sound_rig import SoundRig

SETTINGS = """
[telling]
pace = "brisk"
[ambience]
on = false
"""
PATIENCE = 25.0
"""Seconds for an answer, on a busy machine."""
MOST_TIMES = 6
OPEN = "the ear is open"


class Séance:
    """The program, and what it prints."""

    def __init__(self, rig: SoundRig | None, folder: Path, *arguments: str) -> None:
        config = folder / "settings.toml"
        config.write_text(SETTINGS)
        home = {"XDG_DATA_HOME": str(folder / "data"), "XDG_CACHE_HOME": str(folder / "cache")}
        models = {"SEANCE_MODELS": str(Path.home() / ".local/share/seance/models")}
        self.rig, self.folder = rig, folder
        program = [sys.executable, "-m", "seance", "run", "--config", str(config), "--board", "virtual", *arguments]
        self.process = subprocess.Popen(
            program,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | home | models,
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

    def say(self, text: str, *answers: str) -> str:
        """Say *text* in the room, again as guests do, until the house answers."""
        assert self.rig is not None
        wav = self.folder / "said.wav"
        subprocess.run(["espeak-ng", "-v", "en-us", "-w", str(wav), text], check=True)
        sound, rate = soundfile.read(wav)
        soundfile.write(wav, [0.0] * (rate // 2) + [*sound] + [0.0] * rate, rate)
        for _ in range(MOST_TIMES):
            self.rig.speak_in_room(wav)
            if line := self.hears(*answers, within=6.0):
                assert self.hears(OPEN), "the house has not ended its line"
                return line
        pytest.fail(f"{text!r} was never answered:\n{''.join(self.log[-40:])}")


@contextmanager
def séance(rig: SoundRig | None, folder: Path, *arguments: str) -> Iterator[Séance]:
    held = Séance(rig, folder, *arguments)
    try:
        yield held
    finally:
        held.close()


def test_a_night_is_set_up_and_begun_by_voice_alone(sound_rig, tmp_path):
    with séance(sound_rig, tmp_path) as held:
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
