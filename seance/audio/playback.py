"""Playback of speech, earcons and ambience, with a definite end of each sound, also when the loudspeaker is unplugged.

PortAudio's thread mixes; a thread of our own calls back when a sound has been heard to its end. A missing device raises
nothing: a sound then ends at once, unheard.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from types import TracebackType
from typing import Self

from seance.audio.formats import MIX_RATE_HZ, Samples
from seance.audio.loudspeaker import Loudspeaker, LoudspeakerStatus
from seance.audio.mixer import Bus, Mixer, OneShot, SampleSource
from seance.audio.scheduler import Scheduler
from seance.audio.waves import Wave

__all__ = ["Bus", "LoudspeakerStatus", "Playback", "PlaybackHandle", "PlaybackOutcome"]


class PlaybackOutcome(StrEnum):
    """How the playback of a sound ended."""

    HEARD = "heard"
    """Played to its last sample."""
    STOPPED = "stopped"
    """Stopped by `stop_speech` or `close`."""
    UNHEARD = "unheard"
    """There was no loudspeaker, or it was lost."""


class PlaybackHandle:
    """A sound that is queued or playing."""

    def __init__(self, on_end: Callable[[PlaybackOutcome], None]) -> None:
        self.outcome: PlaybackOutcome | None = None
        """None until it has ended."""
        self._on_end = on_end
        self._ended = threading.Event()

    def wait(self, timeout: float | None = None) -> PlaybackOutcome | None:
        """Wait for the end and return how it ended; None after *timeout* seconds."""
        self._ended.wait(timeout)
        return self.outcome

    def end(self, outcome: PlaybackOutcome) -> None:
        """Set the outcome and call `on_end`; only the first call has an effect."""
        if self.outcome is None:
            self.outcome = outcome
            self._ended.set()
            self._on_end(outcome)


class Playback:
    """A mixer at the output whose name contains *device*; at the default output without a name.

    It is opened at *device_rate*, else at 48000 hertz, else at its own rate. *buffer_seconds* is the latency of every
    sound, and how late this machine may be before there is a gap. A sound ends *tail_seconds* after it has left the
    loudspeaker: so long a microphone hears its echo. *on_played* is given all samples at MIX_RATE_HZ,
    with the monotonic time at which the first is heard, on PortAudio's thread: it must not wait. *on_status* and every
    `on_end` are called on threads of ours, and must not wait for a sound.
    """

    def __init__(
        self,
        device: str | None = None,
        *,
        device_rate: int | None = None,
        buffer_seconds: float = 0.04,
        tail_seconds: float = 0.0,
        on_played: Callable[[Samples, float], None] = lambda _samples, _due: None,
        on_status: Callable[[LoudspeakerStatus], None] = lambda _: None,
    ) -> None:
        self._tail_seconds, self._on_played, self._on_status = tail_seconds, on_played, on_status
        self._mixer = Mixer()
        self._audible = False
        self._lock = threading.Lock()
        """Guards `_mixer` and `_audible`."""
        self._last_speech: tuple[Wave, float] | None = None
        self._scheduler = Scheduler("playback ends")
        self._loudspeaker = Loudspeaker(
            device, self._fill_block, rate=device_rate, buffer_seconds=buffer_seconds, on_status=self._handle_status
        )

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def open(self) -> None:
        """Begin to play; without a loudspeaker, begin to look for one."""
        self._loudspeaker.open()

    def close(self) -> None:
        """Release the device; sounds that are queued or playing end as stopped. Closing twice is harmless."""
        self._loudspeaker.close()
        self._drop_all(PlaybackOutcome.STOPPED)
        self._scheduler.close()

    def queue_speech(
        self, wave: Wave, *, volume: float = 1.0, on_end: Callable[[PlaybackOutcome], None] = lambda _: None
    ) -> PlaybackHandle:
        """Play *wave* after the speech that is queued."""
        self._last_speech = (wave, volume)
        return self._play(wave, on_end, lambda source, handle: self._mixer.queue_speech(source, handle, volume))

    def repeat_speech(self, on_end: Callable[[PlaybackOutcome], None] = lambda _: None) -> PlaybackHandle | None:
        """Queue the last speech once more, from its beginning; None where there was none."""
        if self._last_speech is None:
            return None
        wave, volume = self._last_speech
        return self.queue_speech(wave, volume=volume, on_end=on_end)

    def play_earcon(
        self, wave: Wave, *, volume: float = 1.0, on_end: Callable[[PlaybackOutcome], None] = lambda _: None
    ) -> PlaybackHandle:
        """Play *wave* now, over everything else."""
        return self._play(wave, on_end, lambda source, handle: self._mixer.play_earcon(source, handle, volume))

    def set_ambience(self, layers: Sequence[tuple[SampleSource, float]] = (), *, seconds: float = 3.0) -> None:
        """Crossfade the ambience in *seconds* to *layers*, each at its volume; a source that is in both plays on."""
        with self._lock:
            self._mixer.set_ambience(layers, seconds)

    def stop_speech(self) -> None:
        """Stop all speech at once; the ambience stays."""
        with self._lock:
            queued = self._mixer.stop_speech()
        self._schedule_end(queued, PlaybackOutcome.STOPPED)

    def pause_speech(self) -> None:
        """Hold speech where it is."""
        with self._lock:
            self._mixer.pause_speech()

    def resume_speech(self) -> None:
        """Continue speech where it was paused."""
        with self._lock:
            self._mixer.resume_speech()

    def set_volume(self, volume: float, bus: Bus | None = None) -> None:
        """Set the volume of *bus*, or of everything: 0 is silence, 1 leaves the samples as they are."""
        with self._lock:
            self._mixer.set_volume(volume, bus)

    @property
    def speaking(self) -> bool:
        """Whether speech is playing or queued."""
        with self._lock:
            return self._mixer.speaking

    @property
    def status(self) -> LoudspeakerStatus | None:
        """Whether the loudspeaker works; None until it was opened."""
        return self._loudspeaker.status

    @property
    def device_rate(self) -> int | None:
        """The sample rate at which the device is open now (hertz); None without one."""
        stream = self._loudspeaker.stream
        return stream.rate if stream else None

    @property
    def latency(self) -> float | None:
        """The seconds from playing a sound until it is heard, as PortAudio reports them; None without a device."""
        stream = self._loudspeaker.stream
        return stream.latency if stream else None

    @property
    def underflows(self) -> int:
        """How often there was a gap because this machine was too slow, since the device was opened."""
        stream = self._loudspeaker.stream
        return stream.underflows if stream else 0

    def _play(
        self,
        wave: Wave,
        on_end: Callable[[PlaybackOutcome], None],
        start: Callable[[SampleSource, PlaybackHandle], None],
    ) -> PlaybackHandle:
        handle = PlaybackHandle(on_end)
        source = OneShot(wave.resample(MIX_RATE_HZ).samples)
        with self._lock:
            audible = self._audible
            if audible:
                start(source, handle)
        if not audible:
            self._schedule_end([handle], PlaybackOutcome.UNHEARD)
        return handle

    def _fill_block(self, frames: int, due: float) -> Samples:
        """Return the next block for the loudspeaker, to be heard at *due*."""
        with self._lock:
            block = self._mixer.mix(frames)
        self._on_played(block.samples, due)
        for end in block.ended:
            outcome = PlaybackOutcome.HEARD if end.complete else PlaybackOutcome.STOPPED
            self._schedule_end([end.tag], outcome, due + end.frame / MIX_RATE_HZ + self._tail_seconds)
        return block.samples

    def _schedule_end(self, tags: Sequence[object], outcome: PlaybackOutcome, due: float | None = None) -> None:
        """End the handles in *tags* with *outcome* at the monotonic time *due*, else now."""
        now = time.monotonic()
        for tag in tags:
            if isinstance(tag, PlaybackHandle):
                self._scheduler.call_at(now if due is None else due, partial(tag.end, outcome))

    def _drop_all(self, outcome: PlaybackOutcome) -> None:
        """End all speech and earcons with *outcome*."""
        with self._lock:
            dropped = self._mixer.clear()
        self._schedule_end(dropped, outcome)

    def _handle_status(self, status: LoudspeakerStatus) -> None:
        """Take over the status of the loudspeaker and pass it on."""
        with self._lock:
            self._audible = status.audible
        if status is LoudspeakerStatus.LOST:
            self._drop_all(PlaybackOutcome.UNHEARD)
        self._on_status(status)
