"""What is rendered before it is wanted: in a night what a slow voice may say next, in idle hours all that is fixed."""

from collections.abc import Callable
from types import TracebackType
from typing import Self

from seance.daemon.context import EveningContext
from seance.daemon.evening import Evening
from seance.daemon.world.foresight_thread import ForesightThread
from seance.daemon.world.idle_rendering import IdleRendering
from seance.daemon.world.voice_driver import VoiceDriver


class RenderingAhead:
    """Tells *voice* what an evening may say next, and when it is quiet; and when it is idle, *idle_rendering*."""

    def __init__(
        self,
        context: EveningContext,
        voice: VoiceDriver,
        idle_rendering: IdleRendering | None,
        *,
        is_quiet: Callable[[], bool],
        clock: Callable[[], float],
    ) -> None:
        """*is_quiet* returns whether no guest is speaking, and *clock* the time in seconds."""
        self._voice, self._idle_rendering = voice, idle_rendering
        self._is_quiet, self._clock = is_quiet, clock
        # A fast voice renders a line sooner than all that might be said instead.
        self._foresight = ForesightThread(context, voice.foresee) if voice.is_slow else None
        self._last_sound_at = clock()

    def __enter__(self) -> Self:
        if self._foresight is not None:
            self._foresight.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._foresight is not None:
            self._foresight.__exit__(kind, error, trace)
        if self._idle_rendering is not None:
            self._idle_rendering.close()

    def follow(self, evening: Evening) -> None:
        """Follow *evening*; to be called in every round of its loop."""
        is_quiet, now = self._is_quiet(), self._clock()
        if not is_quiet:
            self._last_sound_at = now
        self._voice.set_quiet(is_quiet)
        if self._foresight is not None:
            self._foresight.follow(evening.moment)
        if self._idle_rendering is not None:
            self._idle_rendering.follow(min(evening.silence_s, now - self._last_sound_at))
