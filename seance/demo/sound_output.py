"""The sound of a demonstration night: narrator, guests and knocks on the loudspeaker."""

from __future__ import annotations

import logging

from seance.audio.formats import MIX_RATE_HZ
from seance.audio.playback import Playback, PlaybackHandle
from seance.audio.waves import Wave
from seance.soundscape.earcons import EARCONS
from seance.speech.effects import normalise_loudness
from seance.speech.synthesis import CannotSpeak, Synthesizer

PLAYBACK_TIMEOUT_SECONDS = 60.0
"""The longest wait for the end of a sound."""

log = logging.getLogger(__name__)


class PlaybackSoundOutput:
    """Plays what is said in a demonstration night, with *synthesizer* as the narrator."""

    def __init__(self, synthesizer: Synthesizer, playback: Playback, *, volume: float) -> None:
        self.synthesizer, self._playback, self._volume = synthesizer, playback, volume
        self._knock = Wave(EARCONS["knock"](), MIX_RATE_HZ)
        self._last: PlaybackHandle | None = None

    def prepare(self, text: str, who: str) -> None:
        """Begin to render *text* in the voice of *who*, after what was prepared before."""
        self.synthesizer.voice(who).prepare([text])

    def say(self, text: str, who: str) -> None:
        """Queue *text* in the voice of *who*; a line that cannot be rendered is left out."""
        try:
            self._queue(self.synthesizer.voice(who).render(text))
        except CannotSpeak as trouble:
            log.warning("a line is only shown: %s", trouble)

    def play(self, wave: Wave) -> None:
        """Play *wave*, as loud as the narrator, after the speech that is queued."""
        self._queue(normalise_loudness(wave))

    def knock(self) -> None:
        """Knock once, at once."""
        self._playback.play_earcon(self._knock)

    def _queue(self, wave: Wave) -> None:
        self._last = self._playback.queue_speech(wave, volume=self._volume)

    def finish(self) -> None:
        """Return when all speech has been heard."""
        if self._last is not None:
            self._last.wait(PLAYBACK_TIMEOUT_SECONDS)
            self._last = None
