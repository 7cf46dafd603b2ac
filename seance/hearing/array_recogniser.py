"""A recogniser with a microphone array: each stretch of speech is heard in a beam that is locked towards it.

Spectra are kept in a ring. When somebody begins to speak, the direction is found, and a beam is locked that suppresses
the noise of before. The last seconds are heard again in it, and what follows as it comes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seance.audio.array_geometry import ArrayGeometry
from seance.audio.formats import SPEECH_RATE_HZ, Samples
from seance.hearing.active_grammar import Grammar
from seance.hearing.beamforming import (
    SPECTRUM_FRAME_S,
    Analysis,
    Array,
    BeamSpectra,
    Covariance,
    Spectra,
    Synthesis,
    level_db,
    mean_covariance,
)
from seance.hearing.directional_filter import Beam
from seance.hearing.noise_reduction import noise_floor_db
from seance.hearing.recogniser import AudioBlock, Recogniser
from seance.hearing.recognition import Recognition
from seance.hearing.speaker_recognition import Speakers

ONSET_DB = 2.0
"""Decibels by which a direction exceeds the noise once somebody speaks there."""
RETAKE_DB = 2.0
"""Decibels by which another talker is louder than the one in the beam before they take it over."""
MIN_BEAM_SNR_DB = 2.5
"""The least signal-to-noise ratio of a command in a beam: others at the table talk as near, but not to the house."""
SAME_DIRECTION_DEG = 25.0
"""Directions that differ by less are one talker's."""
ASSUMED_NOISE_POWER = 1e-4
"""The power of each bin in a quiet room, until its noise is known."""
ONSET_CHECKS = 4
"""How many maps in a row must show the same onset."""
MAP_FRAMES = 20
"""Frames of sound of which a map is made."""
NOISE_DELAY_FRAMES = 25
"""Frames after which sound counts as noise: whoever begins to speak is not known at once."""
NOISE_MEMORY_FRAMES = 120
"""The time constant of the noise against which an onset stands out."""
LOCK_NOISE_FRAMES = 190
"""Frames before an onset from which the noise of a locked beam is learned."""
ONSET_MARGIN_FRAMES = 19
"""Frames before an onset that belong to what is said: it may begin softly."""
REPLAY_S = 2.5
"""Seconds that are heard again when a beam is locked."""
IDLE_UNLOCK_S = 0.7
"""Seconds after which a beam is free again in which nobody was heard."""
IDLE_REFERENCE_S = 4.0
"""Seconds without speech after which one microphone listens again, so that no direction is missed."""
PEAK_DELAY_BLOCKS = 10
"""Blocks after which the level in the beam counts: another talker who takes over leaks into it at first."""
RING_FRAMES = 400
"""Frames of spectra that are kept."""
DIRECTION_WINDOW_FRAMES = 60
"""Frames from the onset on, at most, from which the direction of a sentence is measured."""


class _Onset(NamedTuple):
    direction: int
    frame: int
    """The number of the frame in which it was first seen."""
    checks: int


@dataclass(frozen=True, slots=True)
class _Lock:
    """A beam that is locked towards somebody."""

    direction: int
    onset_frame: int
    locked_frame: int
    noise_inverse: Covariance
    peak_db: float
    """The level of the talker at the loudest."""


class ArrayRecogniser:
    """Recognises the sentences of a grammar in blocks with a column for each channel of the device."""

    def __init__(self, recogniser: Recogniser, geometry: ArrayGeometry) -> None:
        self.recogniser = recogniser
        self._channels, self._channel_count = list(geometry.channels), geometry.channel_count
        self._array = Array(geometry)
        self._beam: Beam | None = None
        """None while one microphone listens and no beam."""
        self._free_since = 0
        """The number of the frame from which on no beam is locked."""
        self._reset_array()

    @property
    def speakers(self) -> Speakers:
        """Everybody who has introduced themselves, with their seats."""
        return self.recogniser.speakers

    @property
    def now_s(self) -> float:
        """Seconds of sound since the recogniser was made or reset."""
        return self.recogniser.now_s

    @property
    def utterance_began_s(self) -> float | None:
        """When the utterance that is being spoken began, on the same clock; None while nobody speaks."""
        return self.recogniser.utterance_began_s

    @property
    def partial_intent(self) -> Any:
        """What the words that were said so far mean, if they could be a whole sentence; None if they could not."""
        return self.recogniser.partial_intent

    def set_grammar(self, grammar: Grammar, *, wait: bool = False) -> None:
        """Load *grammar* in the background, for the utterances that begin after it is loaded."""
        self.recogniser.set_grammar(grammar, wait=wait)

    def wait_until_loaded(self) -> None:
        """Wait for the rescoring model."""
        self.recogniser.wait_until_loaded()

    def discard_talk(self) -> None:
        """Forget what is being said, unless it is a sentence or its beginning."""
        self.recogniser.discard_talk()

    def close(self) -> None:
        """Stop the threads of the recogniser."""
        self.recogniser.close()

    def reset(self, *, noise_floor_db: float | None = None) -> None:
        """Forget the noise and all talkers: the next block is the first."""
        self.recogniser.reset(noise_floor_db=noise_floor_db)
        self._reset_array()

    def feed(self, block: AudioBlock) -> Iterator[Recognition]:
        """Yield what is recognised by the end of *block*, with its direction."""
        if isinstance(block, bytes):
            block = np.frombuffer(block, "<i2").reshape(-1, self._channel_count)
        sound = block[:, self._channels].astype(np.float32)
        if block.dtype == np.int16:
            sound /= 32768
        spectra = self._analysis.feed(sound)
        if not len(spectra):
            return
        self._keep(spectra)
        yield from self._with_direction(self.recogniser.feed(self._synthesis.feed(self._in_beam(spectra))))
        onset_map = self._array.onset_map_db(self._detection_inverse, self._latest(MAP_FRAMES))
        if (onset := self._find_onset(onset_map)) is not None:
            yield from self._lock_beam(onset)
        elif self._lock is not None and self._beam is not None:
            self._follow_lock(self._lock, self._beam)
        elif self._frame - self._free_since > IDLE_REFERENCE_S / SPECTRUM_FRAME_S and self._beam is not None:
            self._beam = None
            yield from self._replay(REPLAY_S)

    def finish(self) -> Iterator[Recognition]:
        """Yield what was being said when the sound ended."""
        yield from self._with_direction(self.recogniser.finish())

    def _reset_array(self) -> None:
        self._analysis, self._synthesis = Analysis(self._array.microphone_count), Synthesis()
        self._ring: deque[Spectra] = deque(maxlen=RING_FRAMES)
        self._ring_direction: deque[int | None] = deque(maxlen=RING_FRAMES)
        """For each frame of the ring, the direction to which the beam was locked."""
        self._frame = 0
        self._noise: Covariance = ASSUMED_NOISE_POWER * self._array.assumed_noise
        self._noise_frames = 0.0
        self._detection_inverse = self._array.noise_inverse(self._noise, 0)
        self._beam = None
        self._lock: _Lock | None = None
        self._beam_levels_db: deque[float] = deque(maxlen=PEAK_DELAY_BLOCKS)
        self._onset: _Onset | None = None
        self._free_since = 0
        self._heard_until_s = 0.0

    def _in_beam(self, spectra: Spectra, *, before_onset: int = 0) -> BeamSpectra:
        """Return *spectra* in the beam, or those of the first microphone where there is none."""
        return spectra[:, :, 0] if self._beam is None else self._beam.feed(spectra, before_onset=before_onset)

    def _keep(self, spectra: Spectra) -> None:
        """Add *spectra* to the ring, and learn the noise from what is old enough."""
        for spectrum in spectra:
            self._ring.append(spectrum)
            self._ring_direction.append(None if self._lock is None else self._lock.direction)
            self._frame += 1
        last = len(self._ring) - NOISE_DELAY_FRAMES
        first = max(0, last - len(spectra))
        if last > 0:
            old = np.stack([self._ring[at] for at in range(first, last)])
            self._noise_frames = min(self._noise_frames + len(old), NOISE_MEMORY_FRAMES)
            share = len(old) / self._noise_frames
            self._noise = (1 - share) * self._noise + share * mean_covariance(old)
        self._detection_inverse = self._array.noise_inverse(self._noise, self._noise_frames)

    def _latest(self, count: int) -> Spectra:
        return np.stack([self._ring[at] for at in range(max(0, len(self._ring) - count), len(self._ring))])

    def _find_onset(self, onset_map: NDArray[np.float64]) -> _Onset | None:
        """Return the onset that has been seen often enough to lock the beam towards it."""
        best = int(onset_map.argmax())
        if onset_map[best] < ONSET_DB or (self._lock is not None and not self._takes_over(self._lock, best)):
            self._onset = None
        elif self._onset is None or self._distance_deg(best, self._onset.direction) > SAME_DIRECTION_DEG:
            self._onset = _Onset(best, self._frame - MAP_FRAMES // 2, 1)
        else:
            self._onset = _Onset(best, self._onset.frame, self._onset.checks + 1)
        if self._onset is not None and self._onset.checks >= ONSET_CHECKS:
            onset, self._onset = self._onset, None
            return onset
        return None

    def _takes_over(self, lock: _Lock, direction: int) -> bool:
        """Tell whether another talker than that of *lock* has begun to speak in *direction*, and is louder."""
        if self._distance_deg(direction, lock.direction) < SAME_DIRECTION_DEG:
            return False
        weights = self._array.mvdr(self._detection_inverse, direction)
        return level_db(self._latest(MAP_FRAMES), weights) > lock.peak_db + RETAKE_DB

    def _lock_beam(self, onset: _Onset) -> Iterator[Recognition]:
        """Lock the beam towards *onset*, and hear the last seconds again in it."""
        inverse = self._noise_before(onset)
        since = self._latest(min(self._frame - onset.frame, len(self._ring)))
        direction = int(self._array.onset_map_db(inverse, since).argmax())
        self._beam = Beam(self._array, inverse, direction)
        self._lock = _Lock(direction, onset.frame, self._frame, inverse, level_db(since, self._beam.weights))
        self._beam_levels_db.clear()
        for number in range(1, min(self._frame - onset.frame, len(self._ring)) + 1):
            self._ring_direction[-number] = direction
        yield from self._replay(REPLAY_S, onset_frame=onset.frame)

    def _noise_before(self, onset: _Onset) -> Covariance:
        """Return the inverse covariance of what was heard before *onset* from elsewhere."""
        last = len(self._ring) - (self._frame - onset.frame)
        frames = [
            self._ring[at]
            for at in range(max(0, last - LOCK_NOISE_FRAMES), max(0, last))
            if not self._is_same(self._ring_direction[at], onset.direction)
        ]
        if not frames:
            return self._array.noise_inverse(ASSUMED_NOISE_POWER * self._array.assumed_noise, 0)
        return self._array.noise_inverse(mean_covariance(np.stack(frames)), len(frames))

    def _follow_lock(self, lock: _Lock, beam: Beam) -> None:
        """Free the beam once nobody is heard in it any more."""
        if len(self._beam_levels_db) == self._beam_levels_db.maxlen:
            self._lock = replace(lock, peak_db=max(lock.peak_db, self._beam_levels_db[0]))
        self._beam_levels_db.append(level_db(self._latest(MAP_FRAMES), beam.weights))
        is_idle = self.recogniser.utterance_began_s is None
        if is_idle and (self._frame - lock.locked_frame) * SPECTRUM_FRAME_S > IDLE_UNLOCK_S:
            self._lock, self._free_since = None, self._frame

    def _replay(self, seconds: float, *, onset_frame: int | None = None) -> Iterator[Recognition]:
        """Hear the last *seconds* again in the present beam, but nothing that was recognised already."""
        now_s = self._frame * SPECTRUM_FRAME_S
        count = round(min(seconds, now_s - self._heard_until_s) / SPECTRUM_FRAME_S)
        count = min(max(count, 1), len(self._ring))
        self._synthesis = Synthesis()
        since_onset = count if onset_frame is None else self._frame - onset_frame + ONSET_MARGIN_FRAMES
        sound = self._synthesis.feed(self._in_beam(self._latest(count), before_onset=max(0, count - since_onset)))
        began_s = now_s - count * SPECTRUM_FRAME_S
        yield from self._with_direction(
            self.recogniser.replay(
                sound,
                began_s=began_s,
                noise_floor_db=_floor_db(sound),
                attenuation_db=0.0 if self._beam is None else self._beam.pause_attenuation_db,
            )
        )

    def _with_direction(self, recognitions: Iterator[Recognition]) -> Iterator[Recognition]:
        for heard in recognitions:
            self._heard_until_s = max(self._heard_until_s, heard.ended_s)
            if self._beam is None or self._lock is None:
                yield heard
                continue
            if heard.snr_db < MIN_BEAM_SNR_DB:
                heard = replace(heard, intent=None)
            direction_deg = self._measure_direction(self._lock)
            speaker, moved = heard.speaker, None
            if heard.intent is not None:
                if heard.voiceprint is not None:
                    moved = self.speakers.notice_move(heard.voiceprint, direction_deg)
                speaker = self.speakers.identify(heard.voiceprint, direction_deg)
            yield replace(heard, direction_deg=direction_deg, speaker=speaker, moved=moved)

    def _measure_direction(self, lock: _Lock) -> float:
        """Return the direction of the sentence in degrees, from all of it so far."""
        began = max(0, len(self._ring) - (self._frame - lock.onset_frame))
        ended = min(len(self._ring), began + DIRECTION_WINDOW_FRAMES)
        spectra = np.stack([self._ring[at] for at in range(began, ended)])
        return self._array.peak_deg(self._array.onset_map_db(lock.noise_inverse, spectra))

    def _is_same(self, direction: int | None, other: int) -> bool:
        return direction is not None and self._distance_deg(direction, other) < SAME_DIRECTION_DEG

    def _distance_deg(self, one: int, other: int) -> float:
        degrees = self._array.directions_deg
        return abs(float((degrees[one] - degrees[other] + 180) % 360 - 180))


def _floor_db(sound: Samples) -> float | None:
    """Return the noise floor of *sound*, or None where it is too short to have one."""
    return noise_floor_db(sound) if len(sound) > SPEECH_RATE_HZ else None
