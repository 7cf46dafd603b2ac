"""Engines that speak: each turns a line into a WAV file in a process that can be ended; none keeps or judges it."""

from __future__ import annotations

import importlib.util
import json
import queue
import shutil
import subprocess
import sys
import tempfile
import textwrap
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Protocol

PYTTSX3_PROCESS = (sys.executable, "-P", str(Path(__file__).with_name("pyttsx3_process.py")))
NO_SUCH_VOICE = 2
"""What pyttsx3_process returns for a voice that espeak-ng does not know."""
_PATIENCE_SECONDS = 20.0
"""For one line, on a slow machine that has other things to do; a letter more takes a little longer."""
_PIPER_PATIENCE_SECONDS = 60.0
"""The same, with a model of 60 MB to be loaded first."""
_PATIENCE_A_LETTER = 0.02

_PIPER_RATE = 175
"""Words a minute of a Piper voice that is left as it is, roughly."""
_SENTENCE_SILENCE_SECONDS = "0.35"


class CannotSpeak(RuntimeError):
    """A line could not be made into speech; the message says why and what to do."""


class NoSuchVoice(CannotSpeak):
    """The voice itself is not there: no other line can be spoken with it either."""


class Engine(Protocol):
    """What makes speech of text."""

    @property
    def identity(self) -> str:
        """All that its sound depends on, beside the text."""

    @property
    def rate(self) -> float:
        """Words a minute."""

    def render(self, text: str, wav: Path) -> None:
        """Write *text* as speech to *wav*, or raise CannotSpeak."""

    def close(self) -> None:
        """End every process, also that of a line being made; the engine may be used again and starts anew."""


class Espeak:
    """The espeak-ng voice *voice*, such as `en-gb-scotland+m3`, through pyttsx3; a new process for each line."""

    def __init__(
        self, voice: str, rate: float, *, patience: float = _PATIENCE_SECONDS, program: Sequence[str] = PYTTSX3_PROCESS
    ) -> None:
        self.rate = rate
        self._voice, self._patience, self._program = voice, patience, tuple(program)
        self._running: subprocess.Popen[str] | None = None

    @property
    def identity(self) -> str:
        """Engine, voice and rate."""
        return f"espeak-ng {self._voice} {self.rate:.0f}"

    def render(self, text: str, wav: Path) -> None:
        """Write *text* as speech to *wav*, or raise CannotSpeak."""
        job = {"text": text, "wav": str(wav), "voice": self._voice, "rate": round(self.rate)}
        try:
            self._running = running = _started(self._program)
        except OSError as error:
            raise CannotSpeak(f"espeak-ng cannot be run: {error}") from error
        patience = self._patience + _PATIENCE_A_LETTER * len(text)
        with running:
            try:
                _, complaint = running.communicate(json.dumps(job), timeout=patience)
            except subprocess.TimeoutExpired:
                running.kill()
                raise CannotSpeak(f"espeak-ng was ended: it took {patience:.0f} s for {quoted(text)}") from None
        if running.returncode:
            trouble = NoSuchVoice if running.returncode == NO_SUCH_VOICE else CannotSpeak
            raise trouble(f"{_last_line(complaint) or 'espeak-ng died'} (voice '{self._voice}', {quoted(text)})")

    def close(self) -> None:
        """End the process of a line that is being made."""
        if self._running is not None:
            self._running.kill()


class Piper:
    """The Piper voice in *model*, an ONNX file; one process that has it loaded and is ended when it hangs."""

    def __init__(
        self,
        model: Path,
        rate: float,
        *,
        patience: float = _PIPER_PATIENCE_SECONDS,
        program: Sequence[str] | None = None,
    ) -> None:
        self.rate = rate
        self._model, self._patience, self._program = model, patience, program
        self._running: subprocess.Popen[str] | None = None
        self._told: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    @property
    def identity(self) -> str:
        """Engine, voice and rate."""
        return f"piper {self._model.stem} {self.rate:.0f}"

    def render(self, text: str, wav: Path) -> None:
        """Write *text* as speech to *wav*, or raise CannotSpeak."""
        running = self._running
        if running is None or running.poll() is not None:
            running = self._start()
        try:
            assert running.stdin is not None  # noqa: S101
            running.stdin.write(" ".join(text.split()) + "\n")
            running.stdin.flush()
            shutil.move(self._written(text), wav)
        except OSError as error:
            self.close()
            raise CannotSpeak(f"piper died: {error} ({quoted(text)})") from None
        except CannotSpeak:
            self.close()
            raise

    def close(self) -> None:
        """End the process; the next line starts another."""
        running, self._running = self._running, None
        if running is not None:
            running.kill()
            running.wait()
            if running.stdin is not None:
                with suppress(BrokenPipeError):
                    running.stdin.close()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _start(self) -> subprocess.Popen[str]:
        self.close()
        program = self._program or piper_program()
        if not self._model.is_file():
            remedy = "run `seance models fetch piper`, or set voice.engine to espeak"
            raise NoSuchVoice(f"the Piper voice '{self._model}' is not on this machine: {remedy}")
        if program is None:
            raise NoSuchVoice(
                "piper is not installed: run `pip install 'seance[piper]'`, or set voice.engine to espeak"
            )
        self._folder = tempfile.TemporaryDirectory(prefix="seance-piper-", ignore_cleanup_errors=True)
        options = ["--model", str(self._model), "--output-dir", self._folder.name]
        options += ["--length-scale", f"{_PIPER_RATE / self.rate:.3f}", "--sentence-silence", _SENTENCE_SILENCE_SECONDS]
        try:
            running = _started([*program, *options])
        except OSError as error:
            raise CannotSpeak(f"piper cannot be run: {error}") from error
        assert running.stderr is not None  # noqa: S101
        self._told = queue.SimpleQueue()
        threading.Thread(target=_pass_on, args=(running.stderr, self._told), name="piper", daemon=True).start()
        self._running = running
        return running

    def _written(self, text: str) -> str:
        """Return the file that piper says it wrote."""
        last, patience = "it said nothing", self._patience + _PATIENCE_A_LETTER * len(text)
        while True:
            try:
                line = self._told.get(timeout=patience)
            except queue.Empty:
                raise CannotSpeak(f"piper was ended: it took {patience:.0f} s for {quoted(text)}") from None
            if line is None:
                raise CannotSpeak(f"piper died: {last} ({quoted(text)})")
            _, wrote, path = line.partition("Wrote ")
            if wrote:
                return path.strip()
            last = line.strip() or last


def piper_program() -> tuple[str, ...] | None:
    """Return how piper is run on this machine, or None; it is looked for and not imported."""
    if importlib.util.find_spec("piper") is not None:
        return (sys.executable, "-P", "-m", "piper")
    found = shutil.which("piper")
    return None if found is None else (found,)


def quoted(text: str) -> str:
    """Return the beginning of *text*, as a message names it."""
    return repr(textwrap.shorten(text, 60, placeholder=" …"))


def _started(command: Sequence[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def _pass_on(stream: IO[str], told: queue.SimpleQueue[str | None]) -> None:
    with stream:
        for line in stream:
            told.put(line)
    told.put(None)


def _last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2]
