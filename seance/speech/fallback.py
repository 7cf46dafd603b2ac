"""The usual voice in the place of one that the owner named and that does not exist; makes no sound itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from seance.speech.engines import Engine, NoSuchVoice


class StandIn:
    """Speaks with *wished*, and with *usual* from the moment on that *wished* turns out not to exist."""

    def __init__(self, wished: Engine, usual: Engine, told: Callable[[str], None] = lambda _: None) -> None:
        """Tell *told* why, once, when *usual* takes over."""
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
            self._speaks = self._usual
            self._usual.render(text, wav)
            self._told(f"{why}; {self._usual.identity} speaks instead: see voice.name in the settings")

    def close(self) -> None:
        """End every process."""
        self._speaks.close()
