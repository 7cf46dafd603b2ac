"""The owner of PortAudio in this process: load it, lock it, list its devices, initialise it again.

PortAudio lists the devices that were there when it was initialised. Initialising it again closes every stream of the
process, so whoever has a stream open registers it with `register_stream`, and opens it under `portaudio_lock`.
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

_lock = threading.RLock()
_streams: list[tuple[Callable[[], None], Callable[[], None]]] = []
"""For each registered stream, what releases it and what resumes it."""

_RESCAN_PROGRAM = "import json, sounddevice as s; print(json.dumps([s.query_devices(), s.query_hostapis()]))"
_RESCAN_TIMEOUT_SECONDS = 5.0
_PA_INVALID_SAMPLE_RATE = -9997
_FAST_RETRIES = 20
"""How often a lost device is looked for every second: somebody is putting the plug in again."""
_FAST_RETRY_SECONDS = 1.0
_SLOW_RETRY_SECONDS = 10.0

Infos = list[dict[str, Any]]
"""PortAudio's information about each device, or each host API, as sounddevice returns it."""


class SoundTrouble(RuntimeError):
    """Sound input or output failed; the message says what was tried and what to do."""


class NoPortAudio(SoundTrouble):
    """The PortAudio library is not on this machine."""


def library() -> Any:
    """Return sounddevice, which loads PortAudio on its first import, or raise NoPortAudio."""
    try:
        import sounddevice
    except OSError as error:
        message = f"the PortAudio library cannot be loaded ({error}): run `apt-get install libportaudio2`"
        raise NoPortAudio(message) from None
    _silence_alsa()
    return sounddevice


@cache
def _silence_alsa() -> None:
    """Keep ALSA from writing its errors to the terminal: PortAudio reports them, too."""
    with suppress(OSError):
        # As a handler, getpid() ignores its arguments and does nothing. A Python function would be called by
        # PortAudio's own thread, also while the program ends.
        ctypes.CDLL("libasound.so.2").snd_lib_error_set_handler(ctypes.CDLL(None).getpid)


@contextmanager
def portaudio_lock() -> Iterator[Any]:
    """Yield sounddevice while no other thread can initialise PortAudio again; raise its errors as SoundTrouble."""
    sounddevice = library()
    with _lock:
        try:
            yield sounddevice
        except sounddevice.PortAudioError as error:
            raise SoundTrouble(f"PortAudio failed: {_error_text(error)}") from error


def register_stream(release: Callable[[], None], resume: Callable[[], None] = lambda: None) -> Callable[[], None]:
    """Have `reinitialise` call *release* before and *resume* after; return the function that ends this.

    Both are called by the thread that holds `portaudio_lock`: they must not wait for another thread that wants it.
    """
    stream = (release, resume)
    with _lock:
        _streams.append(stream)

    def unregister() -> None:
        with _lock:
            if stream in _streams:
                _streams.remove(stream)

    return unregister


def reinitialise() -> None:
    """Initialise PortAudio again, so that it lists what was plugged in since."""
    with portaudio_lock() as sounddevice:
        streams = tuple(_streams)
        for release, _ in streams:
            release()
        while sounddevice._initialized:
            sounddevice._terminate()
        sounddevice._initialize()
        for _, resume in streams:
            resume()


def open_at_supported_rate(rates: Iterable[int], open_stream: Callable[[int], Any]) -> tuple[Any, int]:
    """Return the stream from *open_stream* at the first of *rates* (hertz) that the device accepts, and that rate."""
    tried = tuple(dict.fromkeys(rates))
    with portaudio_lock() as sounddevice:
        for rate in tried:
            try:
                return open_stream(rate), rate
            except sounddevice.PortAudioError as error:
                if error.args[1:2] != (_PA_INVALID_SAMPLE_RATE,):
                    raise
    raise SoundTrouble(f"the device refuses every sample rate that was tried: {', '.join(map(str, tried))} Hz")


def query_devices() -> tuple[Infos, Infos]:
    """Return the devices and host APIs that were there when PortAudio was last initialised in this process."""
    with portaudio_lock() as sounddevice:
        return list(sounddevice.query_devices()), list(sounddevice.query_hostapis())


def rescan_devices() -> tuple[Infos, Infos]:
    """Return the devices and host APIs that are there now, listed by another process so that no stream is closed."""
    # PortAudio opens every device for a moment to list it: nothing here may open one at the same time.
    with _lock:
        command = [sys.executable, "-P", "-c", _RESCAN_PROGRAM]
        try:
            listed = subprocess.run(command, capture_output=True, timeout=_RESCAN_TIMEOUT_SECONDS, check=True)  # noqa: S603
        except (OSError, subprocess.SubprocessError) as error:
            raise SoundTrouble(f"could not look for sound devices: {error}") from error
    devices, hosts = json.loads(listed.stdout)
    return devices, hosts


def retry_delay_s(failed_attempts: int) -> float:
    """Return the seconds to wait before the next rescan for a lost device.

    Each rescan starts a process: every second, all evening, they would be half of a small machine's work.
    """
    return _FAST_RETRY_SECONDS if failed_attempts < _FAST_RETRIES else _SLOW_RETRY_SECONDS


def _error_text(error: Exception) -> str:
    """Return PortAudio's message without its error codes."""
    return str(error).partition(" [PaErrorCode")[0]
