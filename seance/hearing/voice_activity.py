"""Voice activity detection by level: the noise floor, and when somebody near begins and stops to speak."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from seance.hearing.noise_reduction import FRAME_S

NOISE_FLOOR_PERCENTILE = 25
"""Even somebody who never stops to breathe is far below their own level a quarter of the time."""
NOISE_FLOOR_MARGIN_DB = 2.0
"""Decibels that are added to that percentile of the levels."""
NOISE_FLOOR_UPDATE_FRAMES = 4
"""Frames after which the noise floor is calculated again."""
NOISE_FLOOR_EVERY_FRAME = 50
"""Levels up to which it is calculated at every frame."""

ASSUMED_SILENCE_S = 0.3
"""Seconds of silence that are assumed before the first frame: somebody may speak at once."""
ASSUMED_NOISE_FLOOR_DB = -50.0
"""The level of that silence where the noise floor is not known."""
STARTUP_S = 0.7
"""Seconds after which that assumption is checked."""
STARTUP_NOISE_RANGE_DB = 14.0
"""Sound that varies by less during startup is a loud room: it never was silent."""
STARTUP_SPEECH_DB = 6.0
"""Sound that is louder than a known noise floor by more is speech, however little it varies."""
LOUD_STARTUP_S = 1.5
"""Seconds for which the noise floor of a room that was loud at startup is taken from a lower percentile."""
LOUD_STARTUP_PERCENTILE = 15
"""That percentile: speech may be a good part of what was heard so far."""

LONG_SPEECH_S = 2.5
"""Seconds of speech after which the noise floor may only fall: most of the levels are those of the voice."""
STEADY_NOISE_S = 2.0
"""Seconds of sound that are checked for being steady noise while somebody seems to speak."""
STEADY_NOISE_RANGE_DB = 8.0
"""Sound that varies by less is no speech: the room has become louder."""
STEADY_NOISE_CHECK_FRAMES = 16
"""Frames from one such check to the next."""

ONSET_WINDOW_S = 0.1
"""Seconds among which the loud frames of an onset are counted."""
ONSET_GAP_S = 0.12
"""Seconds of quiet within the beginning of a sentence."""
EARLY_ONSET_GAP_S = 0.35
"""The same before the noise floor is known: whoever speaks then has been taken for noise at first."""
NOISE_KNOWN_AFTER_S = 1.0
"""Seconds of levels from which on the noise floor is known."""

VOICE_WINDOW_S = 2.0
"""Seconds of loud frames from which the level of the voice is taken."""
VOICE_PERCENTILE = 75
"""The percentile of those that is the level of the voice."""
VOICE_UPDATE_FRAMES = 4
"""Loud frames after which it is calculated again."""
VOICE_MARGIN_DB = 4.0
"""The least distance of the threshold of speech below the voice."""
NOISE_MARGIN_DB = 2.0
"""The least distance of the threshold of speech above the noise floor."""


@dataclass(slots=True)
class VoiceActivity:
    """Detects speech that exceeds the noise floor, from one level a frame."""

    onset_snr_db: float = 5.0
    """Decibels above the noise floor from which on a frame may be speech."""
    onset_s: float = 0.06
    """Seconds of such frames within ONSET_WINDOW_S that begin a sentence."""
    noise_window_s: float = 3.0
    """Seconds of levels from which the noise floor is taken, beside those of the speech since."""
    speech_range_db: float = 30.0
    """Frames that are quieter than the voice by more are silence in any room."""
    new_voice_db: float = 11.0
    """Decibels above the voice at which somebody nearer has begun to speak."""
    known_noise_floor_db: float | None = None
    """The noise floor of a recording, where it has been measured beforehand."""

    noise_floor_db: float = 0.0
    voice_db: float = 0.0
    """The level of whoever is speaking, or spoke last."""
    is_speech: bool = False
    """Whether somebody near is speaking."""
    is_new_voice: bool = False
    """Whether somebody nearer has begun to speak with this frame: what was taken for speech was noise."""
    trailing_silence_s: float = 0.0
    """Seconds since the last frame of speech."""
    _levels: deque[float] = field(init=False)
    _recent_loud: deque[bool] = field(init=False)
    _voice_levels: deque[float] = field(init=False)
    _frame_count: int = 0
    _was_loud_at_startup: bool = False
    _speech_s: float = 0.0

    def __post_init__(self) -> None:
        assumed_db = ASSUMED_NOISE_FLOOR_DB if self.known_noise_floor_db is None else self.known_noise_floor_db
        self._levels = deque([assumed_db] * round(ASSUMED_SILENCE_S / FRAME_S))
        self._recent_loud = deque(maxlen=round(ONSET_WINDOW_S / FRAME_S))
        self._voice_levels = deque(maxlen=round(VOICE_WINDOW_S / FRAME_S))

    @property
    def snr_db(self) -> float:
        """The signal-to-noise ratio of the voice."""
        return self.voice_db - self.noise_floor_db

    def update(self, level_db: float) -> bool:
        """Take in the level of a frame; return whether the frame is speech of somebody near."""
        self._update_noise_floor(level_db)
        self.is_new_voice = False
        threshold_db = self.voice_db + self.new_voice_db if self.is_speech else self.noise_floor_db + self.onset_snr_db
        is_loud = level_db > threshold_db
        self._recent_loud.append(is_loud)
        if sum(self._recent_loud) * FRAME_S >= self.onset_s:
            self.is_new_voice = self.is_speech
            self.is_speech, self.trailing_silence_s, self.voice_db = True, 0.0, level_db
            self._voice_levels.clear()
            self._recent_loud.clear()
        return self._track_voice(level_db) if self.is_speech else is_loud

    def find_onset(self, levels_db: Sequence[float]) -> int:
        """Return the index of the first frame of the speech that has just been detected, among the latest levels."""
        gap_s = ONSET_GAP_S if len(self._levels) * FRAME_S > NOISE_KNOWN_AFTER_S else EARLY_ONSET_GAP_S
        onset = at = len(levels_db) - 1
        while at > 0 and (onset - at) * FRAME_S < gap_s:
            if levels_db[at] > self.noise_floor_db + self.onset_snr_db:
                onset = at
            at -= 1
        return onset

    def end_speech(self) -> None:
        """Wait for the next onset."""
        self.is_speech = False
        self._recent_loud.clear()

    def _update_noise_floor(self, level_db: float) -> None:
        self._levels.append(level_db)
        self._frame_count += 1
        self._speech_s = self._speech_s + FRAME_S if self.is_speech else 0.0
        is_check_due = self._frame_count % STEADY_NOISE_CHECK_FRAMES == 0
        is_steady = self.is_speech and is_check_due and self._is_steady_noise()
        if is_steady or not self.is_speech:
            while len(self._levels) * FRAME_S > (STEADY_NOISE_S if is_steady else self.noise_window_s):
                self._levels.popleft()
        if self._frame_count == round(STARTUP_S / FRAME_S):
            self._check_startup()
        if len(self._levels) < NOISE_FLOOR_EVERY_FRAME or self._frame_count % NOISE_FLOOR_UPDATE_FRAMES == 0:
            is_loud_startup = self._was_loud_at_startup and self._frame_count * FRAME_S < LOUD_STARTUP_S
            percentile = LOUD_STARTUP_PERCENTILE if is_loud_startup else NOISE_FLOOR_PERCENTILE
            floor_db = float(np.percentile(self._levels, percentile)) + NOISE_FLOOR_MARGIN_DB
            may_rise = is_steady or self._speech_s < LONG_SPEECH_S
            self.noise_floor_db = floor_db if may_rise else min(floor_db, self.noise_floor_db)

    def _is_steady_noise(self) -> bool:
        """Return whether the last seconds varied less than any speech does."""
        recent = list(self._levels)[-round(STEADY_NOISE_S / FRAME_S) :]
        low_db, high_db = np.percentile(recent, (5, 95))
        return bool(high_db - low_db < STEADY_NOISE_RANGE_DB)

    def _check_startup(self) -> None:
        """Drop the assumed silence if all that was heard so far is steady noise."""
        heard = list(self._levels)[-self._frame_count :]
        low_db, median_db, high_db = np.percentile(heard, (5, 50, 90))
        floor_db = self.known_noise_floor_db
        is_speech = floor_db is not None and median_db > floor_db + STARTUP_SPEECH_DB
        self._was_loud_at_startup = bool(high_db - low_db < STARTUP_NOISE_RANGE_DB and not is_speech)
        if self._was_loud_at_startup:
            self._levels = deque(heard)

    def _track_voice(self, level_db: float) -> bool:
        """Update the level of the voice and the trailing silence; return whether the frame is speech."""
        voice_threshold_db = min((self.noise_floor_db + self.voice_db) / 2, self.voice_db - VOICE_MARGIN_DB)
        is_loud = level_db > max(
            self.voice_db - self.speech_range_db, voice_threshold_db, self.noise_floor_db + NOISE_MARGIN_DB
        )
        self.trailing_silence_s = 0.0 if is_loud else self.trailing_silence_s + FRAME_S
        if is_loud:
            self._voice_levels.append(level_db)
            if len(self._voice_levels) % VOICE_UPDATE_FRAMES == 1:
                self.voice_db = float(np.percentile(self._voice_levels, VOICE_PERCENTILE))
        return is_loud
