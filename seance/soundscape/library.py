"""The library of synthesized sounds: earcons, loops and moods by name, made once and kept in a folder."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np

from seance.audio.files import BadAudioFile, read_wave, write_flac
from seance.audio.formats import MIX_RATE_HZ, Samples
from seance.audio.mixer import Loop, SampleSource
from seance.audio.waves import Wave
from seance.soundscape.ambience import LOOPS, MOODS
from seance.soundscape.earcons import EARCONS

_VERSION = 1
"""Part of the file names; to be raised when a sound is made differently."""
_MUSIC_VOLUME = 0.5

log = logging.getLogger(__name__)

GENERATORS: Mapping[str, Callable[[], Samples]] = MappingProxyType({**EARCONS, **LOOPS})
"""The function that makes each sound, by name."""


class SoundLibrary:
    """Earcons, loops and moods, kept in *folder* from one evening to the next.

    Without *ambience* every mood is silent; *music* replaces the loops of every mood that is not.
    """

    def __init__(self, folder: Path, *, ambience: bool = True, music: SampleSource | None = None) -> None:
        self._folder, self._ambience, self._music = folder, ambience, music
        self._sounds: dict[str, Wave] = {}
        self._loops: dict[str, Loop] = {}
        self._lock = threading.Lock()

    def sound(self, name: str) -> Wave:
        """Return the earcon or loop called *name*, or raise KeyError."""
        if name not in self._sounds:
            self._sounds[name] = self._load_or_make(name)
        return self._sounds[name]

    def mood(self, name: str) -> list[tuple[SampleSource, float]]:
        """Return the sources of a mood and their volumes, or raise KeyError; moods share the sources of their loops."""
        layers = MOODS[name] if self._ambience else ()
        if layers and self._music is not None:
            return [(self._music, _MUSIC_VOLUME)]
        with self._lock:
            return [(self._loop(loop), volume) for loop, volume in layers]

    def make_all(self) -> None:
        """Make every sound that is not in the folder yet, which takes a few seconds."""
        for name in GENERATORS:
            self.sound(name)

    def _loop(self, name: str) -> Loop:
        if name not in self._loops:
            samples = self._load_or_make(name).samples
            self._loops[name] = Loop(np.clip(np.round(samples * 32768), -32768, 32767).astype(np.int16))
        return self._loops[name]

    def _load_or_make(self, name: str) -> Wave:
        path = self._folder / f"{name}-{_VERSION}.flac"
        if path.exists():
            try:
                return read_wave(path)
            except BadAudioFile as bad:
                log.info("made anew: %s", bad)
        wave = Wave(GENERATORS[name](), MIX_RATE_HZ)
        try:
            write_flac(path, wave)
        except (OSError, RuntimeError) as why:
            log.warning("%s: our sounds cannot be kept there (%s); they are made anew each time", self._folder, why)
        return wave
