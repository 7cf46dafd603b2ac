"""Lines, short sounds and moods to the loudspeaker; what is said is decided elsewhere."""

import logging
import threading
from collections.abc import Callable, Iterable

from seance.audio.playback import Bus, Playback, PlaybackHandle, PlaybackOutcome
from seance.soundscape.library import SoundLibrary
from seance.speech.synthesis import CannotSpeak, Synthesizer

VOLUME_STEP = 1.25
"""How much louder a step is."""

log = logging.getLogger(__name__)


class LoudMouth:
    """A voice and a loudspeaker; where either is missing nothing is heard, and nothing fails."""

    def __init__(
        self,
        voice: Synthesizer | None,
        playback: Playback,
        repertoire: SoundLibrary,
        *,
        volume: float = 1.0,
        speech: float = 1.0,
        earcons: float = 1.0,
        ambience: float = 1.0,
        on_dumb: Callable[[], None] = lambda: None,
    ) -> None:
        """Call *on_dumb* once when lines cannot be made."""
        self._voice, self._playback, self._repertoire = voice, playback, repertoire
        self._volume, self._speech, self._earcons = volume, speech, earcons
        self._speaking: Callable[[bool], None] = lambda _: None
        self._on_dumb = on_dumb
        self._hushes = 0
        self._lock = threading.Lock()
        self._dumb = False
        self._mood = ""
        playback.set_volume(volume)
        playback.set_volume(ambience, Bus.AMBIENCE)

    def on_speaking(self, told: Callable[[bool], None]) -> None:
        """Let *told* know when the room hears a line, and when it has heard it."""
        self._speaking = told

    def prepare(self, texts: Iterable[str]) -> None:
        """Make lines that will be said soon."""
        if self._voice is not None:
            self._voice.prepare(texts)

    def say(self, text: str) -> None:
        """Say *text* and return when the room has heard it, or `hush` was asked for."""
        hushes = self._hushes
        if self._voice is None:
            return
        try:
            wave = self._voice.render(text)
        except CannotSpeak as why:
            self._fall_silent(str(why))
            return
        with self._lock:
            if hushes != self._hushes:
                return
            self._speaking(True)
            playing = self._playback.queue_speech(wave, volume=self._speech)
        self._hear_out(playing)

    def say_again(self) -> None:
        """Say the last line once more."""
        with self._lock:
            playing = self._playback.repeat_speech()
            if playing is not None:
                self._speaking(True)
        if playing is not None:
            self._hear_out(playing)

    def hush(self) -> None:
        """Be silent at once."""
        with self._lock:
            self._hushes += 1
            self._playback.stop_speech()

    def ring(self, sound: str) -> None:
        """Play a short sound, without waiting for it."""
        if self._earcons:
            self._playback.play_earcon(self._repertoire.sound(sound), volume=self._earcons)

    def knock(self) -> None:
        """Let a knock be heard where there is no wood."""
        self._playback.play_earcon(self._repertoire.sound("knock"))

    def surround(self, mood: str) -> None:
        """Let the room sound like *mood*, as soon as its sounds are there: the first time they are made."""
        self._mood = mood
        threading.Thread(target=self._surround, args=(mood,), name="ambience", daemon=True).start()

    def louder(self, steps: int) -> None:
        """Change the volume."""
        self._volume *= VOLUME_STEP**steps
        self._playback.set_volume(self._volume)

    def _surround(self, mood: str) -> None:
        layers = self._repertoire.mood(mood)
        with self._lock:
            if mood == self._mood:
                self._playback.set_ambience(layers)

    def _hear_out(self, playing: PlaybackHandle) -> None:
        outcome = playing.wait()
        self._speaking(False)
        if outcome is PlaybackOutcome.UNHEARD:
            log.debug("a line was not heard: there is no loudspeaker")

    def _fall_silent(self, why: str) -> None:
        log.warning("the voice fails, lines are only shown: %s", why)
        if not self._dumb:
            self._dumb = True
            self._on_dumb()
