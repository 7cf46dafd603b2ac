"""Runs programs, waits for conditions, and leaves no process behind."""

import ctypes
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from report import CheckFailed, RigFailed

ROOT = Path(__file__).resolve().parents[2]
T = TypeVar("T")


def run(*command: str | Path, seconds: float = 300, env: Mapping[str, str] | None = None, **more: Any) -> str:
    """Run *command* and return what it prints, or raise RigFailed with its last lines."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
            env=env,
            stdin=subprocess.DEVNULL,
            **more,
        )
    except subprocess.TimeoutExpired as late:
        raise RigFailed(f"{' '.join(words[:6])} did not end in {seconds:.0f} s; {tail(late.stdout)}") from None
    if done.returncode:
        raise RigFailed(f"{' '.join(words[:6])} ended with {done.returncode}: {tail(done.stdout + done.stderr)}")
    return done.stdout


def start(command: Sequence[str | Path], log: Path) -> subprocess.Popen[bytes]:
    """Start *command* with its output in *log*; it dies with this program, however that ends."""
    with log.open("ab") as into:
        return subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=into,
            stderr=into,
            preexec_fn=_end_with_parent,
        )


def end(process: subprocess.Popen[bytes], seconds: float = 30) -> None:
    """Terminate *process*, and kill it after *seconds*."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_for(what: str, look: Callable[[], T | None], seconds: float, *, every: float = 0.2) -> T:
    """Return the first thing that *look* finds, or raise CheckFailed saying *what* did not come."""
    until = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > until:
            raise CheckFailed(f"{what}: not within {seconds:.0f} s")
        time.sleep(every)


def free_port() -> int:
    """Return a free TCP port of this computer."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        port: int = door.getsockname()[1]
        return port


def tail(text: str | bytes | None, lines: int = 12) -> str:
    """Return the last *lines* of *text* for a message."""
    if isinstance(text, bytes):
        text = text.decode(errors="replace")
    return "\n    ".join((text or "").strip().splitlines()[-lines:])


def _end_with_parent() -> None:
    set_death_signal = 1
    ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)
    os.setpgid(0, 0)
