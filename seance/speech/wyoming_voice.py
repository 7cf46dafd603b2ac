"""A narrator on another machine, by the Wyoming protocol: wyoming-piper and the like."""

from __future__ import annotations

import wave
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.tts import Synthesize, SynthesizeVoice

from seance.speech.engines import CannotSpeak, NoSuchVoice, excerpt
from seance.speech.fallback import FallbackEngine
from seance.speech.voice_settings import SynthesisConfig
from seance.wyoming.addresses import Address
from seance.wyoming.connection import Connection, WyomingTrouble
from seance.wyoming.server_lookup import resolve

WORDS_PER_MINUTE = 165.0
"""The rate of most servers' voices, roughly; it cannot be asked for."""
MAX_FAILURES_IN_A_ROW = 2
"""After so many the server is taken for gone."""
_FIRST_TIMEOUT_S = 30.0
"""For the first line, with a model to be loaded first."""
_TIMEOUT_S = 8.0
"""For any other."""
_TIMEOUT_S_PER_LETTER = 0.05


class WyomingVoice:
    """The voice *name* of the server at *address*, or its usual one for *language*."""

    def __init__(
        self, address: Address, language: str, *, name: str | None = None, timeout_s: float = _FIRST_TIMEOUT_S
    ) -> None:
        """Look for a server with zeroconf where *address* has no host."""
        self._address, self._language, self._name, self._timeout_s = address, language, name, timeout_s
        self._connection: Connection | None = None
        self._found: Address | None = None
        """Where the server is, until it fails."""
        self._failures = 0

    @property
    def identity(self) -> str:
        """Server and voice."""
        return f"wyoming {self._address} {self._name or self._language}"

    @property
    def rate(self) -> float:
        """Words a minute."""
        return WORDS_PER_MINUTE

    def spoken_form(self, text: str) -> str:
        """Return *text* as it is."""
        return text

    def render(self, text: str, wav: Path) -> None:
        """Write *text* as speech to *wav*, or raise CannotSpeak; NoSuchVoice once the server is taken for gone."""
        try:
            self._render(text, wav)
        except WyomingTrouble as trouble:
            self._failures, self._found = self._failures + 1, None
            kind = NoSuchVoice if self._failures >= MAX_FAILURES_IN_A_ROW else CannotSpeak
            raise kind(f"{trouble} ({excerpt(text)})") from None
        self._failures, self._timeout_s = 0, min(self._timeout_s, _TIMEOUT_S)

    def close(self) -> None:
        """Hang up, also while a line is being rendered."""
        if self._connection is not None:
            self._connection.close()

    def _render(self, text: str, wav: Path) -> None:
        voice = SynthesizeVoice(name=self._name, language=None if self._name else self._language)
        timeout_s = self._timeout_s + _TIMEOUT_S_PER_LETTER * len(text)
        self._found = address = self._found or resolve(self._address, "tts", self._language)
        try:
            with Connection(address, timeout_s=timeout_s) as self._connection:
                self._connection.send([Synthesize(text=" ".join(text.split()), voice=voice)])
                _write_speech(self._connection, wav)
        except (wave.Error, KeyError, TypeError, ValueError) as error:
            raise WyomingTrouble(f"what the Wyoming server at {address} sent is no speech: {error!r}") from None


def _write_speech(connection: Connection, wav: Path) -> None:
    """Write the speech that is received to *wav*."""
    while not AudioStart.is_type((event := connection.receive()).type):
        pass
    start = AudioStart.from_event(event)
    with wave.open(str(wav), "wb") as file:
        file.setnchannels(start.channels)
        file.setsampwidth(start.width)
        file.setframerate(start.rate)
        while not AudioStop.is_type((event := connection.receive()).type):
            if AudioChunk.is_type(event.type):
                file.writeframes(event.payload or b"")


def speak_elsewhere(
    config: SynthesisConfig,
    voice: WyomingVoice,
    *,
    pitch: float = 0.0,
    on_fallback: Callable[[str], None] = lambda _: None,
) -> SynthesisConfig:
    """Return *config* with *voice* as narrator and whole cast, shifted by *pitch* semitones.

    Where its server is gone the engine of *config* speaks, and *on_fallback* is called with the reason.
    """
    engine = FallbackEngine(voice, config.engine, on_fallback, setting="voice.engine")
    return replace(config, engine=engine, pitch=pitch, by_sentence=True, cast={})
