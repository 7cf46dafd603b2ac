"""The one owner of PortAudio in this process: loads it, lists devices, starts it anew; it opens none.

PortAudio sees the devices of the moment when it was initialised. Initialising it again closes every stream of the
process, so whoever has one open says with `stand_aside` how to close it, and opens it only inside `steady`.
"""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

_turn = threading.RLock()
_owners: list[tuple[Callable[[], None], Callable[[], None]]] = []

_LOOK = "import json, sounddevice as s; print(json.dumps([s.query_devices(), s.query_hostapis()]))"
_LOOK_SECONDS = 5.0
_INVALID_RATE = -9997
_SOON = 20
"""Times that a device is looked for every second: somebody puts the plug in again."""

Facts = list[dict[str, Any]]
"""One entry for each device, or each host API, as sounddevice tells it."""


class SoundTrouble(RuntimeError):
    """Sound cannot be had; the message says what was tried and what to do."""


class NoPortAudio(SoundTrouble):
    """The PortAudio library is not on this machine."""


def library() -> Any:
    """Return sounddevice, which loads PortAudio on its first import, or raise NoPortAudio."""
    try:
        import sounddevice
    except OSError as error:
        message = f"the PortAudio library cannot be loaded ({error}): run `apt-get install libportaudio2`"
        raise NoPortAudio(message) from None
    _hush_alsa()
    return sounddevice


@cache
def _hush_alsa() -> None:
    """Keep ALSA from writing to the terminal of whoever plays: what goes wrong is told by PortAudio, too."""
    with suppress(OSError):
        # getpid() heeds no argument and does nothing. A function of Python's would be called by PortAudio's own thread,
        # also while the program ends.
        ctypes.CDLL("libasound.so.2").snd_lib_error_set_handler(ctypes.CDLL(None).getpid)


@contextmanager
def steady() -> Iterator[Any]:
    """Lend sounddevice while nobody may initialise it again; its errors leave as SoundTrouble."""
    sounddevice = library()
    with _turn:
        try:
            yield sounddevice
        except sounddevice.PortAudioError as error:
            raise SoundTrouble(f"PortAudio failed: {_plain(error)}") from error


def stand_aside(release: Callable[[], None], resume: Callable[[], None] = lambda: None) -> Callable[[], None]:
    """Have *release* close a stream before PortAudio starts anew and *resume* called after; return what ends that.

    Both are called by the thread that looks again, while it holds `steady`: they must not wait for another thread
    that wants it.
    """
    owner = (release, resume)
    with _turn:
        _owners.append(owner)

    def leave() -> None:
        with _turn:
            if owner in _owners:
                _owners.remove(owner)

    return leave


def look_again() -> None:
    """Initialise PortAudio again, so that it sees what was plugged in since."""
    with steady() as sounddevice:
        owners = tuple(_owners)
        for release, _ in owners:
            release()
        while sounddevice._initialized:
            sounddevice._terminate()
        sounddevice._initialize()
        for _, resume in owners:
            resume()


def open_at(rates: Iterable[int], make: Callable[[int], Any]) -> tuple[Any, int]:
    """Return the stream that *make* makes at the first of *rates* that its device accepts, and that rate."""
    tried = tuple(dict.fromkeys(rates))
    with steady() as sounddevice:
        for rate in tried:
            try:
                return make(rate), rate
            except sounddevice.PortAudioError as error:
                if error.args[1:2] != (_INVALID_RATE,):
                    raise
    raise SoundTrouble(f"the device refuses every sample rate that was tried: {', '.join(map(str, tried))} Hz")


def listed() -> tuple[Facts, Facts]:
    """Return the devices and host APIs that this process sees."""
    with steady() as sounddevice:
        return list(sounddevice.query_devices()), list(sounddevice.query_hostapis())


def patience(times: int) -> float:
    """Return how long to wait before looking for a device once more, when it was not there so many *times* (seconds).

    Each look is a program of its own: all evening, every second, it would be half of a small machine's work.
    """
    return 1.0 if times < _SOON else 10.0


def listed_afresh() -> tuple[Facts, Facts]:
    """Return the devices and host APIs that there are now, seen by another process: no stream of ours is disturbed."""
    # Looking opens every device for a moment: nobody here may try the same then.
    with _turn:
        command = [sys.executable, "-P", "-c", _LOOK]
        try:
            seen = subprocess.run(command, capture_output=True, timeout=_LOOK_SECONDS, check=True)  # noqa: S603
        except (OSError, subprocess.SubprocessError) as error:
            raise SoundTrouble(f"could not look for sound devices: {error}") from error
    devices, hosts = json.loads(seen.stdout)
    return devices, hosts


def _plain(error: Exception) -> str:
    """Return PortAudio's own words without codes."""
    return str(error).partition(" [PaErrorCode")[0]
