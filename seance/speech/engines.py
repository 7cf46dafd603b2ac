"""Text-to-speech engines: each renders a line to a WAV file in a process of its own that can be ended."""

from __future__ import annotations

import importlib.util
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import textwrap
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Protocol

PYTTSX3_PROCESS = (sys.executable, "-P", str(Path(__file__).with_name("pyttsx3_process.py")))
NO_SUCH_VOICE = 2
"""The exit code of pyttsx3_process for a voice that espeak-ng does not know."""
_TIMEOUT_SECONDS = 20.0
"""For one line, on a slow machine that has other things to do."""
_PIPER_TIMEOUT_SECONDS = 60.0
"""The same, with a model of 60 MB to be loaded first."""
_TIMEOUT_SECONDS_PER_LETTER = 0.02

_PIPER_WORDS_PER_MINUTE = 175
"""The rate of a Piper voice at a length scale of 1, roughly."""
_SENTENCE_SILENCE_SECONDS = "0.35"


class CannotSpeak(RuntimeError):
    """A line could not be rendered; the message says why and what to do."""


class NoSuchVoice(CannotSpeak):
    """The voice does not exist: no other line can be rendered with it either."""


class LineInterrupted(Exception):
    """A line was given up while it was rendered, since another one is more urgent."""


class SpeechEngine(Protocol):
    """A text-to-speech engine with a voice."""

    @property
    def identity(self) -> str:
        """Everything that its sound depends on except the text; it is part of the cache key."""

    @property
    def rate(self) -> float:
        """Words a minute."""

    def spoken_form(self, text: str) -> str:
        """Return *text* as it is read aloud, with words respelt; it is part of the cache key."""

    def render(self, text: str, wav: Path) -> None:
        """Write *text* as speech to *wav*, or raise CannotSpeak."""

    def close(self) -> None:
        """End every process, also while a line is being rendered; the next `render` starts another."""


class Espeak:
    """The espeak-ng voice *voice*, such as `en-gb-scotland+m3`, through pyttsx3; a new process for each line."""

    def __init__(
        self,
        voice: str,
        rate: float,
        *,
        timeout_seconds: float = _TIMEOUT_SECONDS,
        program: Sequence[str] = PYTTSX3_PROCESS,
    ) -> None:
        self.rate = rate
        self._voice, self._timeout_seconds, self._program = voice, timeout_seconds, tuple(program)
        self._process: subprocess.Popen[str] | None = None

    @property
    def identity(self) -> str:
        """Engine, voice and rate."""
        return f"espeak-ng {self._voice} {self.rate:.0f}"

    def spoken_form(self, text: str) -> str:
        """Return *text* as it is."""
        return text

    def render(self, text: str, wav: Path) -> None:
        """Write *text* as speech to *wav*, or raise CannotSpeak."""
        job = {"text": text, "wav": str(wav), "voice": self._voice, "rate": round(self.rate)}
        try:
            self._process = process = start_process(self._program)
        except OSError as error:
            raise CannotSpeak(f"espeak-ng cannot be run: {error}") from error
        timeout = self._timeout_seconds + _TIMEOUT_SECONDS_PER_LETTER * len(text)
        with process:
            try:
                _, errors = process.communicate(json.dumps(job), timeout=timeout)
            except subprocess.TimeoutExpired:
                process.kill()
                raise CannotSpeak(f"espeak-ng was ended: it took {timeout:.0f} s for {excerpt(text)}") from None
        if process.returncode:
            kind = NoSuchVoice if process.returncode == NO_SUCH_VOICE else CannotSpeak
            raise kind(f"{_last_line(errors) or 'espeak-ng died'} (voice '{self._voice}', {excerpt(text)})")

    def close(self) -> None:
        """End the process of a line that is being rendered."""
        if self._process is not None:
            self._process.kill()


class Piper:
    """The Piper voice in *model*, an ONNX file; one process keeps it loaded and is ended when it hangs."""

    def __init__(
        self,
        model: Path,
        rate: float,
        *,
        timeout_seconds: float = _PIPER_TIMEOUT_SECONDS,
        program: Sequence[str] | None = None,
    ) -> None:
        self.rate = rate
        self._model, self._timeout_seconds, self._program = model, timeout_seconds, program
        self._process: subprocess.Popen[str] | None = None
        self._stderr_lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    @property
    def identity(self) -> str:
        """Engine, voice and rate."""
        return f"piper {self._model.stem} {self.rate:.0f}"

    def spoken_form(self, text: str) -> str:
        """Return *text* as it is."""
        return text

    def render(self, text: str, wav: Path) -> None:
        """Write *text* as speech to *wav*, or raise CannotSpeak."""
        process = self._process
        if process is None or process.poll() is not None:
            process = self._start()
        try:
            assert process.stdin is not None  # noqa: S101
            process.stdin.write(" ".join(text.split()) + "\n")
            process.stdin.flush()
            shutil.move(self._wait_for_file(text), wav)
        except OSError as error:
            self.close()
            raise CannotSpeak(f"piper died: {error} ({excerpt(text)})") from None
        except CannotSpeak:
            self.close()
            raise

    def close(self) -> None:
        """End the process; the next line starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            if process.stdin is not None:
                with suppress(BrokenPipeError):
                    process.stdin.close()
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
        options += ["--length-scale", f"{_PIPER_WORDS_PER_MINUTE / self.rate:.3f}"]
        options += ["--sentence-silence", _SENTENCE_SILENCE_SECONDS]
        try:
            process = start_process([*program, *options])
        except OSError as error:
            raise CannotSpeak(f"piper cannot be run: {error}") from error
        assert process.stderr is not None  # noqa: S101
        lines = self._stderr_lines = queue.SimpleQueue()
        threading.Thread(target=_forward_lines, args=(process.stderr, lines), name="piper", daemon=True).start()
        self._process = process
        return process

    def _wait_for_file(self, text: str) -> str:
        """Return the path of the file that piper reports to have written."""
        last, timeout = "it said nothing", self._timeout_seconds + _TIMEOUT_SECONDS_PER_LETTER * len(text)
        while True:
            try:
                line = self._stderr_lines.get(timeout=timeout)
            except queue.Empty:
                raise CannotSpeak(f"piper was ended: it took {timeout:.0f} s for {excerpt(text)}") from None
            if line is None:
                raise CannotSpeak(f"piper died: {last} ({excerpt(text)})")
            _, wrote, path = line.partition("Wrote ")
            if wrote:
                return path.strip()
            last = line.strip() or last


def piper_program() -> tuple[str, ...] | None:
    """Return the command that runs piper on this machine, or None; piper is not imported."""
    if importlib.util.find_spec("piper") is not None:
        return (sys.executable, "-P", "-m", "piper")
    found = shutil.which("piper")
    return None if found is None else (found,)


def excerpt(text: str) -> str:
    """Return the beginning of *text* in quotes, for a message."""
    return repr(textwrap.shorten(text, 60, placeholder=" …"))


def start_process(
    command: Sequence[str], *, stdout: int = subprocess.DEVNULL, environ: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    """Start *command* with pipes to write to it and to read its errors, with the variables of *environ* too."""
    return subprocess.Popen(  # noqa: S603
        command,
        stdin=subprocess.PIPE,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, **(environ or {})},
    )


def _forward_lines(stream: IO[str], lines: queue.SimpleQueue[str | None]) -> None:
    """Put each line of *stream* into *lines*, and None at its end."""
    with stream:
        for line in stream:
            lines.put(line)
    lines.put(None)


def _last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2]
