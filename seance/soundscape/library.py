"""Our own sounds by name, made at the first wish and kept in a folder; what they are for is not known here."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from seance.audio.files import BadAudioFile, read_wave, write_flac
from seance.audio.formats import MIX_RATE_HZ, Samples
from seance.audio.mixer import Loop, SampleSource
from seance.audio.waves import Wave
from seance.soundscape.ambience import LOOPS, MOODS
from seance.soundscape.earcons import EARCONS

_MAKING = 1
"""Raised when any of them is made otherwise."""
_MUSIC_VOLUME = 0.5

log = logging.getLogger(__name__)

MADE: Mapping[str, Callable[[], Samples]] = MappingProxyType({**EARCONS, **LOOPS})


class Repertoire:
    """Earcons, loops and moods; *folder* keeps them from one evening to the next.

    Without *ambience* every mood is silent; *music* sounds in every mood instead of ours.
    """

    def __init__(self, folder: Path, *, ambience: bool = True, music: SampleSource | None = None) -> None:
        self._folder, self._ambience, self._music = folder, ambience, music
        self._known: dict[str, Wave] = {}
        self._loops: dict[str, Loop] = {}
        self._making = threading.Lock()

    def sound(self, name: str) -> Wave:
        """Return an earcon, the knock or a loop, or raise KeyError."""
        if name not in self._known:
            self._known[name] = self._kept_or_made(name)
        return self._known[name]

    def mood(self, name: str) -> list[tuple[SampleSource, float]]:
        """Return the layers of a mood, or raise KeyError; what two moods share goes on from one to the other."""
        layers = MOODS[name] if self._ambience else ()
        if layers and self._music is not None:
            return [(self._music, _MUSIC_VOLUME)]
        with self._making:
            return [(self._loop(loop), volume) for loop, volume in layers]

    def furnish(self) -> None:
        """Make all that is not there yet: a few seconds, once."""
        for name in MADE:
            self.sound(name)

    def _loop(self, name: str) -> Loop:
        if name not in self._loops:
            self._loops[name] = Loop(self.sound(name).samples)
        return self._loops[name]

    def _kept_or_made(self, name: str) -> Wave:
        path = self._folder / f"{name}-{_MAKING}.flac"
        if path.exists():
            try:
                return read_wave(path)
            except BadAudioFile as bad:
                log.info("made anew: %s", bad)
        wave = Wave(MADE[name](), MIX_RATE_HZ)
        try:
            write_flac(path, wave)
        except (OSError, RuntimeError) as why:
            log.warning("%s: our sounds cannot be kept there (%s); they are made anew each time", self._folder, why)
        return wave
