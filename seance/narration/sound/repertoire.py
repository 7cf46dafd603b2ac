"""Our own sounds by name, made at the first wish and kept in a folder; what they are for is not known here."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from seance.narration.sound.ambience import LOOPS, MOODS
from seance.narration.sound.earcons import EARCONS
from seance.narration.sound.mixer import Loop, Source
from seance.narration.sound.waves import RATE, BadWave, Samples, Wave, read, write

_MAKING = 1
"""Raised when any of them is made otherwise."""

log = logging.getLogger(__name__)

MADE: Mapping[str, Callable[[], Samples]] = MappingProxyType({**EARCONS, **LOOPS})


class Repertoire:
    """Earcons, loops and moods; *folder* keeps them from one evening to the next."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, Wave] = {}

    def sound(self, name: str) -> Wave:
        """Return an earcon, the knock or a loop, or raise KeyError."""
        if name not in self._known:
            self._known[name] = self._kept_or_made(name)
        return self._known[name]

    def mood(self, name: str) -> list[tuple[Source, float]]:
        """Return the layers of a mood, from their beginning, or raise KeyError."""
        return [(Loop(self.sound(loop).samples), volume) for loop, volume in MOODS[name]]

    def furnish(self) -> None:
        """Make all that is not there yet: a few seconds, once."""
        for name in MADE:
            self.sound(name)

    def _kept_or_made(self, name: str) -> Wave:
        path = self._folder / f"{name}-{_MAKING}.flac"
        if path.exists():
            try:
                return read(path)
            except BadWave as bad:
                log.info("made anew: %s", bad)
        wave = Wave(MADE[name](), RATE)
        try:
            write(path, wave)
        except (OSError, RuntimeError) as why:
            log.warning("%s: our sounds cannot be kept there (%s); they are made anew each time", self._folder, why)
        return wave
