"""The speech engine Kokoro-82M: natural voices, slower than real time on a Pi, so lines are made ahead of time."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from seance.speech.engines import CannotSpeak, LineInterrupted, NoSuchVoice, excerpt, start_process
from seance.speech.kokoro_symbols import respell

KOKORO_PROCESS = (sys.executable, "-P", "-m", "seance.speech.kokoro_process")
MIN_MEMORY_BYTES = 1_800_000_000
"""Of the machine, below which Kokoro is not used by itself: rendering takes up to 470 MB. A Pi of 2 GB has 1.9 GB."""
NATURAL_WORDS_PER_MINUTE = 165
"""The rate of Kokoro's voices at a speed of 1, roughly."""
_TIMEOUT_S = 90.0
"""For one line, with a model of 92 MB to be loaded first."""
_TIMEOUT_S_PER_LETTER = 0.5
"""On a Pi 4 Kokoro takes about three seconds for a second of speech, which is some 15 letters."""
_MALLOC = {"MALLOC_MMAP_THRESHOLD_": str(1 << 20)}
"""Lets glibc give freed tensors back: by default it raises this threshold, and kept 0.6 GB after a long line."""
_POLL_S = 0.5
"""How often the time that a line takes is looked at."""


class KokoroProcess:
    """The process that keeps the model in *folder* loaded for all voices; it ends when it is idle."""

    def __init__(self, folder: Path, *, timeout_s: float = _TIMEOUT_S, program: Sequence[str] = KOKORO_PROCESS) -> None:
        self.folder = folder
        self._timeout_s, self._program = timeout_s, tuple(program)
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._control = threading.Lock()
        """Guards the three below."""
        self._is_asking = False
        self._is_interrupted = False
        self._is_held = False

    def ask(self, job: str, text: str) -> dict[str, str]:
        """Return the answer to *job*, which says *text*, or raise CannotSpeak or LineInterrupted."""
        with self._lock:
            self._begin()
            try:
                return self._ask(job, text)
            except CannotSpeak:
                self.close()
                raise
            finally:
                self._is_asking = False

    def interrupt(self) -> None:
        """Give up the job that is being done, if there is one."""
        with self._control:
            if self._is_asking:
                self._is_interrupted = True
                self._send(signal.SIGUSR1)
                self._hold(False)

    def hold(self, on: bool) -> None:
        """Stop the job that is being done where it is, or go on with it."""
        with self._control:
            if self._is_asking:
                self._hold(on)

    def _begin(self) -> None:
        with self._control:
            self._is_asking, self._is_interrupted = True, False
            self._hold(False)

    def _hold(self, on: bool) -> None:
        if on != self._is_held:
            self._is_held = on
            self._send(signal.SIGSTOP if on else signal.SIGCONT)

    def _send(self, number: signal.Signals) -> None:
        process = self._process
        if process is not None:
            process.send_signal(number)

    def close(self) -> None:
        """End the process, also while a line is being rendered; the next job starts another."""
        process, self._process, self._is_held = self._process, None, False
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    with suppress(OSError, ValueError):
                        stream.close()

    def _ask(self, job: str, text: str) -> dict[str, str]:
        """Send *job*, and again if the process has just ended as idle, or was interrupted in what it did before."""
        for _attempt in range(2):
            process = self._running()
            assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018
            status = None
            with suppress(OSError, ValueError):
                process.stdin.write(job + "\n")
                process.stdin.flush()
                self._wait_for_answer(process.stdout, text)
                if line := process.stdout.readline():
                    status, answer = 0, dict(json.loads(line))
                    if "interrupted" not in answer:
                        return answer
            status = process.wait() if status is None else status
            if self._is_interrupted:
                raise LineInterrupted
            if status:
                raise CannotSpeak(f"kokoro died: {_last_error(process)} ({excerpt(text)})")
        raise CannotSpeak(f"kokoro ended before it spoke ({excerpt(text)})")

    def _wait_for_answer(self, stdout: IO[str], text: str) -> None:
        """Wait until there is something to read, or raise CannotSpeak; time in which it is held does not count."""
        timeout, waited = self._timeout_s + _TIMEOUT_S_PER_LETTER * len(text), 0.0
        while not select.select([stdout], [], [], min(_POLL_S, timeout - waited))[0]:
            waited += 0.0 if self._is_held else _POLL_S
            if waited >= timeout:
                raise CannotSpeak(f"kokoro was ended: it took {timeout:.0f} s for {excerpt(text)}")

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            try:
                command = (*self._program, str(self.folder))
                self._process = start_process(command, stdout=subprocess.PIPE, environ=_MALLOC)
            except OSError as error:
                raise CannotSpeak(f"kokoro cannot be run: {error}") from error
        return self._process


class Kokoro:
    """The voice *voice* of the model that *process* keeps loaded."""

    def __init__(
        self,
        process: KokoroProcess,
        voice: str,
        rate: float,
        *,
        language: str,
        respelt: Mapping[str, str] | None = None,
    ) -> None:
        """*language* is espeak-ng's code for the accent; *respelt* has other spellings by word in lower case."""
        self.rate = rate
        self._process, self._voice, self._language = process, voice, language
        self._respelt = dict(respelt or {})

    @property
    def identity(self) -> str:
        """Engine, voice, accent and rate."""
        return f"kokoro {self._voice} {self._language} {self.rate:.0f}"

    def spoken_form(self, text: str) -> str:
        """Return *text* with its words respelt."""
        return respell(text, self._respelt)

    def render(self, text: str, wav: Path) -> None:
        """Write *text* as speech to *wav*, or raise CannotSpeak."""
        if not has_voice(self._process.folder, self._voice):
            remedy = "run `seance models fetch kokoro`, or set voice.engine to espeak"
            raise NoSuchVoice(f"the Kokoro voice '{self._voice}' is not on this machine: {remedy}")
        job = json.dumps(
            {
                "text": text,
                "wav": str(wav),
                "voice": self._voice,
                "language": self._language,
                "respelt": {word: spelt for word, spelt in self._respelt.items() if word in text.lower()},
                "speed": self.rate / NATURAL_WORDS_PER_MINUTE,
            }
        )
        if (error := self._process.ask(job, text).get("error")) is not None:
            raise CannotSpeak(f"kokoro fails: {error} ({excerpt(text)})")

    def close(self) -> None:
        """End the process; the next line starts another."""
        self._process.close()


def has_voice(folder: Path, voice: str) -> bool:
    """Return whether the model in *folder* has the voice *voice*."""
    return (folder / "voices" / f"{voice}.bin").is_file()


def has_memory() -> bool:
    """Return whether this machine has as much memory as Kokoro wants."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >= MIN_MEMORY_BYTES


def _last_error(process: subprocess.Popen[str]) -> str:
    errors = ""
    if process.stderr is not None:
        with suppress(ValueError):  # closed by whoever ended the process
            errors = process.stderr.read()
    return errors.strip().rpartition("\n")[2] or "it said nothing"
