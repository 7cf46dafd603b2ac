"""The recogniser: blocks of sound in, recognised sentences out.

Noise reduction → voice activity → decoding → endpointing → interpretation (scoring, rescoring, foreground).
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import soxr
import vosk
from numpy.typing import NDArray

from seance.audio.formats import SPEECH_RATE_HZ, Samples
from seance.hearing.active_grammar import Grammar
from seance.hearing.decoder_graph import build_model, graph_words
from seance.hearing.decoding import Utterance
from seance.hearing.endpointing import PartialState, partial_state, silence_timeout_s
from seance.hearing.interpretation import MAX_UTTERANCE_S, Interpretation, Interpreter, SpeechSegment
from seance.hearing.malloc_tuning import limit_malloc, trim_malloc
from seance.hearing.noise_reduction import FRAME_S, SILENT_FRAME, Frame, NoiseReducer
from seance.hearing.recognition import Recognition
from seance.hearing.speaker_recognition import Speakers
from seance.hearing.transcripts import Transcriber
from seance.hearing.vocabulary import UNKNOWN_WORD, Vocabulary, read_vocabulary
from seance.hearing.voice_activity import VoiceActivity

AudioBlock = bytes | NDArray[np.int16] | NDArray[np.float32]
"""Samples of 16 bits or between -1 and 1; an array may have a column for each channel."""

LEAD_S = 0.25
"""Seconds before the onset that belong to an utterance: it may begin softly."""
SPEECH_MARGIN_S = 0.1
"""Seconds on either side of speech that are not attenuated: consonants are there."""
ONSET_LOOKBACK_S = 1.2
"""Seconds among which the onset is looked for once speech is detected."""
INITIAL_SILENCE_S = 0.2
"""Seconds of silence before the first block: the model was trained on speech between silences."""
NOISE_AFTER_S = 0.5
"""Seconds after which an utterance below MIN_SPEECH_SNR_DB is taken for noise."""
MIN_SPEECH_SNR_DB = 5.0
"""The least signal-to-noise ratio of speech."""
EARLY_ENCODING_SILENCE_S = 0.15
"""Seconds of trailing silence after which a complete sentence is encoded for rescoring, to save time at the end."""
SHORT_UTTERANCE_S = 1.6
"""Seconds up to which an utterance has so few words that its partial result has none or others when they are over."""
SHORT_PAUSE_S = 0.08
"""Seconds of trailing silence in which such words are over, if no more follow."""
MIN_PAUSED_POSTERIOR = 0.6
"""The least posterior of such words."""
CLEAR_SNR_DB = 25.0
"""The least signal-to-noise ratio of such words: what is left of the house's own voice has hardly ever more."""
RECORDING_LEVEL_PERCENTILE = 75
"""Percentile of a whole recording's levels that is the level of the voice."""

_LOG_ERRORS_ONLY = -2
vosk.SetLogLevel(_LOG_ERRORS_ONLY)  # its warnings are about the inside of the models


class Recogniser:
    """Recognises the sentences of a grammar in a stream of blocks."""

    def __init__(
        self,
        model: Path,
        grammar: Grammar,
        *,
        speaker_model: Path | None = None,
        rescoring_model: Path | None = None,
        transcriber: Transcriber | None = None,
        speakers: Speakers | None = None,
        rate: int = SPEECH_RATE_HZ,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        limit_malloc()
        self.speakers = Speakers() if speakers is None else speakers
        self._folder, self._rate, self._clock = model, rate, clock
        self._vocabulary: Vocabulary | None = None
        self._grammar, self._model = self._load_grammar(grammar)
        # After the other model: vosk heeds its log level from the first one on.
        self._speaker_model = vosk.SpkModel(str(speaker_model)) if speaker_model else None
        self._next_grammar: Future[tuple[Grammar, vosk.Model]] | None = None
        self._workers = ThreadPoolExecutor(1, "grammar-loader")
        self._interpreter = Interpreter(rescoring_model, self._workers, transcriber)
        self._workers.submit(trim_malloc)
        self._recording: list[Frame] | None = None
        """All frames of a recording without a command so far, unless it is longer than any sentence."""
        self.reset()

    def set_grammar(self, grammar: Grammar, *, wait: bool = False) -> None:
        """Load *grammar* in the background, for the utterances that begin after it is loaded."""
        if self._next_grammar is not None:
            self._next_grammar.cancel()
        self._next_grammar = self._workers.submit(self._load_grammar, grammar)
        if wait:
            self._next_grammar.result()

    def wait_until_loaded(self) -> None:
        """Wait for the rescoring model."""
        self._interpreter.wait_until_loaded()

    def feed(self, block: AudioBlock) -> Iterator[Recognition]:
        """Yield what is recognised by the end of *block*."""
        for frame in self._noise_reducer.feed(self._to_mono(block)):
            self._now_s += FRAME_S
            is_speech = self._voice_activity.update(frame.level_db)
            self._keep(frame)
            self._discard_noise()
            if self._utterance is None:
                self._take_next_grammar()
            if self._utterance is not None:
                self._decode(self._utterance, is_speech=is_speech)
                yield from self._endpoint(self._utterance)
            elif self._voice_activity.is_speech:
                self._begin_utterance()
            elif len(self._undecoded) * FRAME_S >= ONSET_LOOKBACK_S:
                self._learn_noise(1)
        if self._utterance is not None:
            self._utterance.decode_pending()

    @property
    def now_s(self) -> float:
        """Seconds of sound since the recogniser was made or reset."""
        return self._now_s

    @property
    def utterance_began_s(self) -> float | None:
        """When the utterance that is being spoken began, on the same clock; None while nobody speaks."""
        return None if self._utterance is None else self._began_s

    @property
    def partial_intent(self) -> Any:
        """What the words that were said so far mean, if they could be a whole sentence; None if they could not."""
        utterance, activity = self._utterance, self._voice_activity
        if utterance is None:
            return None
        is_short = self._now_s - self._began_s <= SHORT_UTTERANCE_S
        if is_short and activity.trailing_silence_s >= SHORT_PAUSE_S and self._snr_db >= CLEAR_SNR_DB:
            likeliest = utterance.likeliest()
            return self._grammar.parse(likeliest.text) if likeliest.posterior >= MIN_PAUSED_POSTERIOR else None
        return self._grammar.parse(utterance.partial_text())

    def discard_talk(self) -> None:
        """Forget what is being said, unless it is a sentence or its beginning; the noise stays known."""
        if self._utterance is not None and self._partial_state(self._utterance) is PartialState.NO_MATCH:
            self._drop_utterance()
            self._undecoded.clear()
            self._latest.clear()

    def finish(self) -> Iterator[Recognition]:
        """Yield what was being said when the sound ended."""
        if self._utterance is not None:
            yield from self._end_utterance(self._utterance)
        self._interpreter.drop_unfinished()
        if self._recording and self._voice_activity.known_noise_floor_db is not None:
            yield from self._recognise_recording(self._recording, self._voice_activity.known_noise_floor_db)
            self._recording = None

    def reset(self, *, noise_floor_db: float | None = None) -> None:
        """Forget the noise and the current utterance: the next block is the first.

        *noise_floor_db* is the measured noise floor of a recording of which all is known beforehand.
        """
        self._begin_stream(noise_floor_db)
        self._resampler = (
            soxr.ResampleStream(self._rate, SPEECH_RATE_HZ, 1, "float32") if self._rate != SPEECH_RATE_HZ else None
        )
        self._now_s = self._began_s = 0.0
        self._recording = None if noise_floor_db is None else list(self._undecoded)
        self._interpreter.reset()

    def replay(
        self,
        sound: Samples,
        *,
        began_s: float,
        noise_floor_db: float | None = None,
        attenuation_db: float = 0.0,
    ) -> Iterator[Recognition]:
        """Put *sound*, which began at *began_s*, in the place of what was heard since, and yield what is recognised.

        Pauses in it, and in what follows, are attenuated by *attenuation_db*, which does not count for the
        signal-to-noise ratio.
        """
        self._begin_stream(noise_floor_db)
        self._attenuation_db = attenuation_db
        self._interpreter.discard_encoding()
        self._recording = None
        self._now_s = self._began_s = began_s
        yield from self.feed(sound)

    @property
    def _snr_db(self) -> float:
        """The signal-to-noise ratio of the voice, as it was before pauses were attenuated."""
        return self._voice_activity.snr_db - self._attenuation_db

    def _begin_stream(self, noise_floor_db: float | None) -> None:
        """Forget the noise and the current utterance."""
        self._attenuation_db = 0.0
        self._noise_reducer = NoiseReducer()
        self._voice_activity = VoiceActivity(known_noise_floor_db=noise_floor_db)
        self._utterance: Utterance | None = None
        self._undecoded = deque([SILENT_FRAME] * round(INITIAL_SILENCE_S / FRAME_S))
        """Frames that may belong to an utterance, and were not given to it yet."""
        self._latest = deque(self._undecoded, maxlen=round((LEAD_S + SPEECH_MARGIN_S) / FRAME_S))
        """The frames that belong to an utterance which begins now."""

    def close(self) -> None:
        """Stop the threads that load grammars and rescore."""
        self._workers.shutdown(cancel_futures=True)
        self._interpreter.close()

    def _take_next_grammar(self) -> None:
        """Change to the next grammar if it is loaded: kept until somebody speaks, its model would be a second one."""
        if self._next_grammar is not None and self._next_grammar.done():
            (self._grammar, self._model), self._next_grammar = self._next_grammar.result(), None
            self._workers.submit(trim_malloc)

    def _load_grammar(self, grammar: Grammar) -> tuple[Grammar, vosk.Model]:
        """Return *grammar* with a model that decodes it."""
        words = graph_words(grammar.graph, grammar.fillers) | {UNKNOWN_WORD}
        if self._vocabulary is None or not words <= self._vocabulary.word_ids.keys():
            self._vocabulary = read_vocabulary(self._folder, words)
        return grammar, build_model(self._folder, grammar.graph, self._vocabulary, grammar.fillers)

    def _to_mono(self, block: AudioBlock) -> Samples:
        """Return *block* as one channel of floats at SPEECH_RATE_HZ."""
        samples = np.frombuffer(block, "<i2") if isinstance(block, bytes) else block
        sound = samples.astype(np.float32)
        if samples.dtype == np.int16:
            sound /= 32768
        if sound.ndim > 1:
            sound = sound.mean(axis=1)
        if self._resampler is not None:
            sound = self._resampler.resample_chunk(sound)
        return sound

    def _keep(self, frame: Frame) -> None:
        self._undecoded.append(frame)
        self._latest.append(frame)
        if self._recording is not None:
            self._recording.append(frame)
            if len(self._recording) * FRAME_S > MAX_UTTERANCE_S:
                self._recording = None

    def _discard_noise(self) -> None:
        """Restart or drop an utterance that has turned out to be noise."""
        if self._utterance is not None and self._voice_activity.is_new_voice:
            self._restart_utterance()
        is_decided = self._now_s - self._began_s > NOISE_AFTER_S
        if self._utterance is not None and is_decided and self._voice_activity.snr_db < MIN_SPEECH_SNR_DB:
            self._drop_utterance()

    def _begin_utterance(self) -> None:
        """Begin an utterance with the frames around its onset."""
        lead, margin = round(LEAD_S / FRAME_S), round(SPEECH_MARGIN_S / FRAME_S)
        onset = self._voice_activity.find_onset([frame.level_db for frame in self._undecoded])
        self._learn_noise(max(0, onset - lead))
        self._utterance = self._new_utterance(self._undecoded)
        self._began_s = self._now_s - len(self._undecoded) * FRAME_S
        attenuated = max(0, min(lead, onset) - margin)
        for number, frame in enumerate(self._undecoded):
            self._utterance.add_frame(frame, attenuated=number < attenuated)
        self._undecoded.clear()

    def _restart_utterance(self) -> None:
        """Begin the utterance of a nearer voice, unless it has just begun."""
        if self._now_s - self._began_s <= len(self._latest) * FRAME_S:
            return
        self._utterance = self._new_utterance(self._latest)
        self._began_s = self._now_s - len(self._latest) * FRAME_S
        self._undecoded = deque(self._latest)

    def _drop_utterance(self) -> None:
        """Wait for the next onset: it was noise, as where a recording begins among talk."""
        self._utterance = None
        self._interpreter.discard_encoding()
        self._undecoded = deque(self._latest)
        self._voice_activity.end_speech()

    def _new_utterance(self, frames: Sequence[Frame]) -> Utterance:
        """Return an utterance with the gain for the loudest of *frames*."""
        return Utterance(self._model, loudness_db=max(frame.loudness_db for frame in frames))

    def _learn_noise(self, count: int) -> None:
        """Remove the oldest *count* frames, and learn the noise from those that are no louder than it."""
        threshold_db = self._voice_activity.noise_floor_db + self._voice_activity.onset_snr_db
        for _ in range(count):
            frame = self._undecoded.popleft()
            if frame is not SILENT_FRAME and frame.level_db < threshold_db:
                self._noise_reducer.learn_noise(frame)

    def _decode(self, utterance: Utterance, *, is_speech: bool) -> None:
        """Give frames to *utterance*: speech and its margin as they are, a pause attenuated once it is complete."""
        margin = round(SPEECH_MARGIN_S / FRAME_S)
        if is_speech:
            self._interpreter.discard_encoding()
        if is_speech or self._voice_activity.trailing_silence_s <= SPEECH_MARGIN_S:
            while self._undecoded:
                utterance.add_frame(self._undecoded.popleft())
        if len(self._undecoded) > margin:
            attenuated = not self._partial_state(utterance).could_go_on
            while len(self._undecoded) > margin:
                utterance.add_frame(self._undecoded.popleft(), attenuated=attenuated)

    def _endpoint(self, utterance: Utterance) -> Iterator[Recognition]:
        """Yield the recognition of *utterance* if it is over."""
        silence_s = self._voice_activity.trailing_silence_s
        if silence_s >= EARLY_ENCODING_SILENCE_S and self._partial_state(utterance).is_sentence:
            self._interpreter.encode_early(utterance)
        is_over = silence_s >= PartialState.COMPLETE.value and silence_s >= silence_timeout_s(
            self._partial_state(utterance), snr_db=self._voice_activity.snr_db
        )
        if is_over or self._now_s - self._began_s > MAX_UTTERANCE_S:
            yield from self._end_utterance(utterance)

    def _partial_state(self, utterance: Utterance) -> PartialState:
        return partial_state(utterance.partial_text(), self._grammar)

    def _end_utterance(self, utterance: Utterance) -> Iterator[Recognition]:
        """Yield the recognition of *utterance*, and wait for the next onset."""
        asked_s, silence_s = self._clock(), self._voice_activity.trailing_silence_s
        interpretation = self._interpreter.interpret(
            SpeechSegment(
                utterance=utterance,
                grammar=self._grammar,
                began_s=self._began_s,
                ended_s=self._now_s - silence_s,
                trailing_silence_s=silence_s,
                noise_floor_db=self._voice_activity.noise_floor_db,
                snr_db=self._snr_db,
            )
        )
        self._utterance = None
        self._undecoded.clear()
        yield self._recognition(interpretation, asked_s)
        self._voice_activity.end_speech()
        self._workers.submit(trim_malloc)

    def _recognition(self, interpretation: Interpretation, asked_s: float) -> Recognition:
        """Return the result of an *interpretation* that was begun at *asked_s* of the clock."""
        segment, text, decision = interpretation
        candidate, voiceprint = decision.candidate, None
        if decision.accepted:
            self._recording = None
            if self._speaker_model:
                voiceprint = segment.utterance.voiceprint(self._speaker_model)
        return Recognition(
            text=candidate.text if candidate else text,
            intent=candidate.intent if candidate and decision.accepted else None,
            confidence=decision.posterior,
            speaker=self.speakers.identify(voiceprint) if voiceprint else None,
            voiceprint=voiceprint,
            began_s=segment.began_s,
            ended_s=segment.ended_s,
            latency_s=segment.trailing_silence_s + self._clock() - asked_s,
            snr_db=segment.snr_db,
        )

    def _recognise_recording(self, frames: list[Frame], noise_floor_db: float) -> Iterator[Recognition]:
        """Yield the recognition of a whole recording as one utterance: in loud noise pauses are hard to find."""
        asked_s = self._clock()
        voice_db = float(np.percentile([frame.level_db for frame in frames], RECORDING_LEVEL_PERCENTILE))
        snr_db = voice_db - noise_floor_db
        if snr_db < MIN_SPEECH_SNR_DB:
            return
        utterance = self._new_utterance(frames)
        for frame in frames:
            utterance.add_frame(frame)
        recording = SpeechSegment(
            utterance=utterance,
            grammar=self._grammar,
            began_s=0.0,
            ended_s=self._now_s,
            trailing_silence_s=0.0,
            noise_floor_db=noise_floor_db,
            snr_db=snr_db,
        )
        yield self._recognition(self._interpreter.interpret_alone(recording), asked_s)
