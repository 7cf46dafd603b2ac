"""The usual voice in the place of one that the owner named and that does not exist; makes no sound itself."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from seance.narration.sound.engines import Engine, NoSuchVoice

log = logging.getLogger(__name__)


class StandIn:
    """Speaks with *wished*, and with *usual* from the moment on that *wished* turns out not to exist."""

    def __init__(self, wished: Engine, usual: Engine, told: Callable[[], None] = lambda: None) -> None:
        """Call *told* once when *usual* takes over."""
        self._speaks, self._usual, self._told = wished, usual, told

    @property
    def identity(self) -> str:
        """That of the voice that speaks."""
        return self._speaks.identity

    @property
    def rate(self) -> float:
        """Words a minute."""
        return self._speaks.rate

    def render(self, text: str, wav: Path) -> None:
        """Write *text* as speech to *wav*, or raise CannotSpeak."""
        try:
            self._speaks.render(text, wav)
        except NoSuchVoice as why:
            if self._speaks is self._usual:
                raise
            log.warning("%s; %s speaks instead: see voice.name in the settings", why, self._usual.identity)
            self._speaks = self._usual
            self._usual.render(text, wav)
            self._told()

    def close(self) -> None:
        """End every process."""
        self._speaks.close()
