"""A demonstration night as a recording: the mixer's output, made as fast as the machine can."""

from __future__ import annotations

import logging

import numpy as np

from seance.audio.formats import MIX_RATE_HZ, Samples
from seance.audio.mixer import Bus, Mixer, OneShot
from seance.audio.waves import Wave
from seance.demo.terminal_audience import REFRESH_SECONDS, TerminalAudience
from seance.narration import cues as c
from seance.narration.cues import Cue
from seance.soundscape.library import SoundLibrary
from seance.speech.effects import normalise_loudness
from seance.speech.synthesis import CannotSpeak, Synthesizer

MAX_SILENCE_SECONDS = 2.0
"""The longest wait in which nothing is said or knocked; the rest of it, such as the sand, is cut out."""
AMBIENCE_FADE_SECONDS = 3.0

log = logging.getLogger(__name__)


class RecordingDone(Exception):
    """The recording is as long as it was to be."""


class RecordedSound:
    """Mixes narrator, guests, knocks, earcons and ambience into a recording of *max_seconds*."""

    def __init__(
        self, synthesizer: Synthesizer, library: SoundLibrary, *, max_seconds: float, ambience_volume: float = 1.0
    ) -> None:
        self.synthesizer, self._library = synthesizer, library
        self._mixer = Mixer()
        self._mixer.set_volume(ambience_volume, Bus.AMBIENCE)
        self._blocks: list[Samples] = []
        self._frames, self._max_frames = 0, round(max_seconds * MIX_RATE_HZ)

    @property
    def wave(self) -> Wave:
        """What was recorded so far."""
        return Wave(np.concatenate([np.zeros(0, np.float32), *self._blocks])[: self._max_frames], MIX_RATE_HZ)

    @property
    def speaking(self) -> bool:
        """Whether somebody is speaking."""
        return self._mixer.speaking

    def prepare(self, text: str, who: str) -> None:
        """Begin to render *text* in the voice of *who*, after what was prepared before."""
        self.synthesizer.voice(who).prepare([text])

    def say(self, text: str, who: str) -> None:
        """Queue *text* in the voice of *who*; a line that cannot be rendered is left out."""
        try:
            self._queue(self.synthesizer.voice(who).render(text))
        except CannotSpeak as trouble:
            log.warning("a line is left out: %s", trouble)

    def play(self, wave: Wave) -> None:
        """Queue the speech of a guest, as loud as the narrator."""
        self._queue(normalise_loudness(wave))

    def knock(self) -> None:
        """Knock once, now."""
        self.play_earcon("knock")

    def play_earcon(self, name: str) -> None:
        """Play the sound called *name* now."""
        self._mixer.play_earcon(OneShot(self._library.sound(name).resample(MIX_RATE_HZ).samples))

    def set_ambience(self, mood: str) -> None:
        """Fade to the ambience of *mood*."""
        self._mixer.set_ambience(self._library.mood(mood), AMBIENCE_FADE_SECONDS)

    def advance(self, seconds: float) -> None:
        """Record *seconds*, or raise RecordingDone at the end of the recording."""
        block = self._mixer.mix(round(seconds * MIX_RATE_HZ)).samples
        self._blocks.append(block)
        self._frames += len(block)
        if self._frames >= self._max_frames:
            raise RecordingDone

    def finish(self) -> None:
        """Nothing waits for what is not heard."""

    def _queue(self, wave: Wave) -> None:
        self._mixer.queue_speech(OneShot(wave.resample(MIX_RATE_HZ).samples))


class RecordingAudience(TerminalAudience):
    """Prints what is said and heard, and lets the recording go on as time passes."""

    recording: RecordedSound
    """To be set before the night begins."""

    def perceive(self, cue: Cue) -> None:
        """Show *cue*, and record what sounds."""
        match cue:
            case c.SetAmbience():
                self.recording.set_ambience(cue.mood)
            case c.Earcon():
                self.recording.play_earcon(cue.sound)
        super().perceive(cue)

    def wait(self, seconds: float) -> None:
        """Record *seconds* without long silence, and what is then still being said."""
        silence = 0.0
        while seconds > 0:
            step = min(REFRESH_SECONDS, seconds)
            super().wait(step)
            silence = 0.0 if self.recording.speaking or self._body.knocker.pending else silence + step
            if silence < MAX_SILENCE_SECONDS:
                self.recording.advance(step)
            seconds -= step
        while self.recording.speaking:
            self.recording.advance(REFRESH_SECONDS)
