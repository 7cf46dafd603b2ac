"""Drives voice and loudspeaker: lines, earcons and ambience."""

import logging
import threading
from collections.abc import Callable, Iterable

from seance.audio.playback import Bus, Playback, PlaybackHandle, PlaybackOutcome
from seance.narration.lore import NARRATOR
from seance.soundscape.library import SoundLibrary
from seance.speech.synthesis import CannotSpeak, Synthesizer

VOLUME_STEP_FACTOR = 1.25
"""Gain of one step of volume."""

log = logging.getLogger(__name__)


class VoiceDriver:
    """Speaks lines and plays sounds; without a voice or a loudspeaker it is silent, and nothing fails."""

    def __init__(
        self,
        synthesizer: Synthesizer | None,
        playback: Playback,
        sound_library: SoundLibrary,
        *,
        volume: float = 1.0,
        speech: float = 1.0,
        earcons: float = 1.0,
        ambience: float = 1.0,
        on_voice_failed: Callable[[], None] = lambda: None,
    ) -> None:
        """Call *on_voice_failed* once, the first time that a line cannot be synthesized."""
        self._synthesizer, self._playback, self._sound_library = synthesizer, playback, sound_library
        self._volume, self._speech, self._earcons = volume, speech, earcons
        self._on_speaking: Callable[[bool], None] = lambda _: None
        self._on_voice_failed = on_voice_failed
        self._hushes = 0
        self._lock = threading.Lock()
        self._has_failed = False
        self._mood = ""
        playback.set_volume(volume)
        playback.set_volume(ambience, Bus.AMBIENCE)

    def on_speaking(self, callback: Callable[[bool], None]) -> None:
        """Call *callback* with True when a line begins to play, and with False when it has ended."""
        self._on_speaking = callback

    def prepare(self, texts: Iterable[str], who: str = NARRATOR) -> None:
        """Synthesize *texts* of *who* ahead of time."""
        if self._synthesizer is not None:
            self._synthesizer.voice(who).prepare(texts)

    @property
    def is_slow(self) -> bool:
        """Whether what may be said must be synthesized long before."""
        return self._synthesizer is not None and self._synthesizer.is_slow

    def foresee(self, lines: Iterable[tuple[str, str]]) -> None:
        """Synthesize *lines*, each after the one who says it, in their order while it is quiet, and none of before."""
        if self._synthesizer is not None:
            self._synthesizer.foresee(lines)

    def set_quiet(self, quiet: bool) -> None:
        """Go on with what was foreseen, or hold it while somebody speaks."""
        if self._synthesizer is not None:
            self._synthesizer.set_quiet(quiet)

    def say(self, text: str, who: str = NARRATOR) -> bool:
        """Say *text* in the voice of *who* and return when it has been played, or when `hush` is called.

        Return False if nobody could hear it.
        """
        hushes = self._hushes
        if self._synthesizer is None:
            return False
        try:
            wave = self._synthesizer.voice(who).render(text)
        except CannotSpeak as why:
            self._report_failure(str(why))
            return False
        with self._lock:
            if hushes != self._hushes:
                return True
            self._on_speaking(True)
            playing = self._playback.queue_speech(wave, volume=self._speech)
        return self._wait_for(playing)

    def say_again(self) -> None:
        """Play the last line again."""
        with self._lock:
            playing = self._playback.repeat_speech()
            if playing is not None:
                self._on_speaking(True)
        if playing is not None:
            self._wait_for(playing)

    def hush(self) -> None:
        """Stop speaking at once."""
        with self._lock:
            self._hushes += 1
            self._playback.stop_speech()

    def hold(self, is_held: bool) -> None:
        """Hold the line that is being said where it is, or go on with it."""
        (self._playback.pause_speech if is_held else self._playback.resume_speech)()

    def play_earcon(self, name: str) -> None:
        """Play a short sound, without waiting for it."""
        if self._earcons:
            self._playback.play_earcon(self._sound_library.sound(name), volume=self._earcons)

    def play_knock(self) -> None:
        """Play the sound of a knock, for a board without a knocker."""
        self._playback.play_earcon(self._sound_library.sound("knock"))

    def set_ambience(self, mood: str) -> None:
        """Play the background sounds of *mood* as soon as they are ready: the first time they are rendered."""
        self._mood = mood
        threading.Thread(target=self._load_ambience, args=(mood,), name="ambience", daemon=True).start()

    def change_volume(self, steps: int) -> None:
        """Raise the volume by *steps*, which may be negative."""
        self._volume *= VOLUME_STEP_FACTOR**steps
        self._playback.set_volume(self._volume)

    def _load_ambience(self, mood: str) -> None:
        layers = self._sound_library.mood(mood)
        with self._lock:
            if mood == self._mood:
                self._playback.set_ambience(layers)

    def _wait_for(self, playing: PlaybackHandle) -> bool:
        """Wait until *playing* has ended, and return whether there was a loudspeaker for it."""
        outcome = playing.wait()
        self._on_speaking(False)
        if outcome is PlaybackOutcome.UNHEARD:
            log.debug("a line was not heard: there is no loudspeaker")
        return outcome is not PlaybackOutcome.UNHEARD

    def _report_failure(self, why: str) -> None:
        log.warning("the voice fails, lines are only shown: %s", why)
        if not self._has_failed:
            self._has_failed = True
            self._on_voice_failed()
