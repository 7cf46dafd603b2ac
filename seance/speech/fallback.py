"""A speech engine that falls back to another where its voice does not exist."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from seance.speech.engines import NoSuchVoice, SpeechEngine


class FallbackEngine:
    """Speaks with *preferred*, and with *fallback* from the first line for which *preferred* raises NoSuchVoice."""

    def __init__(
        self,
        preferred: SpeechEngine,
        fallback: SpeechEngine,
        on_fallback: Callable[[str], None] = lambda _: None,
        *,
        setting: str = "voice.name",
    ) -> None:
        """Call *on_fallback* once, with the reason and the *setting* to look at, when *fallback* takes over."""
        self._current, self._fallback, self._on_fallback, self._setting = preferred, fallback, on_fallback, setting

    @property
    def identity(self) -> str:
        """The identity of the engine that speaks now."""
        return self._current.identity

    @property
    def rate(self) -> float:
        """Words a minute."""
        return self._current.rate

    def spoken_form(self, text: str) -> str:
        """Return *text* as the engine that speaks now reads it."""
        return self._current.spoken_form(text)

    def render(self, text: str, wav: Path) -> None:
        """Write *text* as speech to *wav*, or raise CannotSpeak."""
        try:
            self._current.render(text, wav)
        except NoSuchVoice as why:
            if self._current is self._fallback:
                raise
            self._current = self._fallback
            self._fallback.render(text, wav)
            self._on_fallback(f"{why}; {self._fallback.identity} speaks instead: see {self._setting} in the settings")

    def close(self) -> None:
        """End every process."""
        self._current.close()
