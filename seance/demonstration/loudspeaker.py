"""The night aloud: narrator, guests and knocks, one after the other; without it the night is only shown."""

from __future__ import annotations

import logging

from seance.narration.playback import Playback
from seance.narration.sound.earcons import EARCONS
from seance.narration.sound.waves import RATE, Wave
from seance.narration.voice import CannotSpeak, Voice

FAREWELL_SECONDS = 30.0
"""How much longer than a sound its end is waited for."""

log = logging.getLogger(__name__)


class Aloud:
    """A loudspeaker that is there."""

    def __init__(self, voice: Voice, playback: Playback, *, volume: float) -> None:
        self._voice, self._playback, self._volume = voice, playback, volume
        self._knock = Wave(EARCONS["knock"](), RATE)

    def say(self, text: str) -> None:
        """Say *text* as the narrator, and return when it was heard; what cannot be said is left out."""
        try:
            self.play(self._voice.render(text))
        except CannotSpeak as trouble:
            log.warning("a line is only shown: %s", trouble)

    def play(self, wave: Wave) -> None:
        """Play *wave*, and return when it was heard."""
        self._playback.say(wave, volume=self._volume).wait(wave.seconds + FAREWELL_SECONDS)

    def knock(self) -> None:
        """Knock once, without waiting."""
        self._playback.ring(self._knock)
