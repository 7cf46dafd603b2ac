"""The night aloud: narrator, guests and knocks, one after the other; without it the night is only shown."""

from __future__ import annotations

import logging

from seance.audio.formats import MIX_RATE_HZ
from seance.audio.playback import Playback, PlaybackHandle
from seance.audio.waves import Wave
from seance.soundscape.earcons import EARCONS
from seance.speech.synthesis import CannotSpeak, Synthesizer

PATIENCE_SECONDS = 60.0
"""How long the end of a sound is waited for at most."""

log = logging.getLogger(__name__)


class Aloud:
    """A loudspeaker that is there."""

    def __init__(self, voice: Synthesizer, playback: Playback, *, volume: float) -> None:
        self._voice, self._playback, self._volume = voice, playback, volume
        self._knock = Wave(EARCONS["knock"](), MIX_RATE_HZ)
        self._last: PlaybackHandle | None = None

    def say(self, text: str) -> None:
        """Begin to say *text* as the narrator; what cannot be said is left out."""
        try:
            self.play(self._voice.render(text))
        except CannotSpeak as trouble:
            log.warning("a line is only shown: %s", trouble)

    def play(self, wave: Wave) -> None:
        """Begin to play *wave*, after all that is being said."""
        self._last = self._playback.queue_speech(wave, volume=self._volume)

    def knock(self) -> None:
        """Knock once."""
        self._playback.play_earcon(self._knock)

    def finish(self) -> None:
        """Return when all that is being said was heard."""
        if self._last is not None:
            self._last.wait(PATIENCE_SECONDS)
            self._last = None
