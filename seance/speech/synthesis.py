"""Speech synthesis: text rendered by an engine, checked, given effects, and cached."""

from __future__ import annotations

import itertools
import logging
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from seance.audio.files import BadAudioFile, read_wave
from seance.audio.loudness import limit_peaks
from seance.audio.waves import Wave
from seance.speech.cache import SpeechCache
from seance.speech.effects import (
    MAX_TRUE_PEAK,
    Reverb,
    add_reverb,
    join_waves,
    normalise_loudness,
    shift_pitch,
    small_loudspeaker,
)
from seance.speech.engines import CannotSpeak, SpeechEngine, excerpt
from seance.speech.pauses import shorten_pauses, trim_silence
from seance.speech.render_queue import Priority, RenderQueue
from seance.speech.sentence_split import split_clauses, split_sentences

__all__ = ["CannotSpeak", "Synthesizer", "is_pronounceable"]

_CACHE_VERSION = 2
"""Part of the cache key; to be raised when the same text sounds different, so that old files are not used."""
SENTENCE_GAP_S = 0.3
"""Silence between two sentences that are rendered one by one."""
CLAUSE_GAP_S = 0.12
"""Silence between two clauses that are rendered one by one."""
_MAX_ATTEMPTS = 2
_MIN_RMS = 0.002
_MIN_DURATION_RATIO = 0.3
"""Of the duration that the number of letters suggests."""
_MAX_DURATION_RATIO = 3.5
_DURATION_SLACK_SECONDS = 1.0
"""Added to the longest duration: "58" takes longer to say than its two letters suggest."""
_LETTERS_PER_WORD = 6.0
_SILENCE_RATE_HZ = 22_050
"""The sample rate of the empty sound for a text without a word."""

log = logging.getLogger(__name__)


class Synthesizer:
    """Render text with *engine* on a thread of its own, shift it by *pitch* semitones, add *reverb*, and cache it."""

    def __init__(
        self,
        engine: SpeechEngine,
        cache: SpeechCache,
        *,
        pitch: float = 0.0,
        reverb: Reverb | None = None,
        by_sentence: bool = False,
        from_small_loudspeaker: bool = False,
        cast: Mapping[str, Synthesizer] | None = None,
        queue: RenderQueue | None = None,
    ) -> None:
        """With *by_sentence* a line is joined from sentences, or clauses, that are rendered and cached one by one.

        *cast* are others who speak parts of a story; they are closed with it. A *queue* is theirs too.
        """
        self._cast, self._from_small_loudspeaker = dict(cast or {}), from_small_loudspeaker
        self._engine, self._cache, self._by_sentence = engine, cache, by_sentence
        self._pitch, self._reverb = pitch, reverb or Reverb()
        self._tail_s = self._reverb.rt60_seconds if self._reverb.active else 0.0
        self._queue = queue or RenderQueue()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def queue(self) -> RenderQueue:
        """The queue in which it renders."""
        return self._queue

    @property
    def is_slow(self) -> bool:
        """Whether the engine may take longer for a line than the line lasts."""
        return self._by_sentence

    def voice(self, who: str) -> Synthesizer:
        """Return the synthesizer of *who* in the cast, or itself where there is none."""
        return self._cast.get(who, self)

    def render(self, text: str) -> Wave:
        """Return *text* as speech, from the cache or rendered before all prepared lines; or raise CannotSpeak."""
        pieces = [(piece, gap_s) for pieces in self._pieces_of(text) for piece, gap_s in pieces]
        futures = {piece: self._submit(piece, Priority.NOW) for piece, _ in pieces if not self._is_cached(piece)}
        waves = [futures[piece].result() if piece in futures else self._read(piece) for piece, _ in pieces]
        return join_waves(waves, gaps_s=[gap_s for _, gap_s in pieces], tail_s=self._tail_s)

    def prepare(self, texts: Iterable[str]) -> Future[None]:
        """Render *texts* in the background, in their order; the future ends when all have succeeded or failed.

        Sentences that could be joined from clauses are rendered whole after that.
        """
        texts = tuple(texts)
        missing = dict.fromkeys(piece for text in texts for piece in self._missing(text))
        futures = [self._submit(piece, Priority.SOON) for piece in missing]
        for sentence in (each for text in texts for each in self._sentences_of(text)):
            if sentence not in missing and not self._is_cached(sentence):
                self._submit(sentence, Priority.SOON)
        done: Future[None] = Future()
        finished = itertools.count(1)

        def count(_: Future[Wave]) -> None:
            if next(finished) == len(futures):
                done.set_result(None)

        for future in futures:
            future.add_done_callback(count)
        if not futures:
            done.set_result(None)
        return done

    def is_ready(self, text: str) -> bool:
        """Return whether *text* is in the cache or needs no rendering."""
        return not self._missing(text)

    def foresee(self, lines: Iterable[tuple[str, str]]) -> None:
        """Render *lines*, each after the one who says it, in the background while it is quiet, and none of before.

        They are rendered in their order, but sentences that could be joined from clauses come last.
        """
        missing, joined = dict[str, Callable[[], Wave]](), dict[str, Callable[[], Wave]]()
        for who, text in lines:
            voice = self.voice(who)
            for sentence in voice._sentences_of(text):
                if not voice._is_cached(sentence):
                    kind = joined if voice.is_ready(sentence) else missing
                    kind[voice.cache_key(sentence)] = partial(voice._render_piece, sentence, is_foreseen=True)
        self._queue.set_likely((missing | joined).items())

    def _sentences_of(self, text: str) -> tuple[str, ...]:
        return split_sentences(text) if self._by_sentence else (text,)

    def _missing(self, text: str) -> tuple[str, ...]:
        """Return the pieces of *text* that are still to be rendered."""
        pieces = (piece for pieces in self._pieces_of(text) for piece, _ in pieces)
        return tuple(piece for piece in pieces if not self._is_cached(piece))

    def _pieces_of(self, text: str) -> Iterator[tuple[tuple[str, float], ...]]:
        """Yield what is rendered and cached by itself of each sentence, with the silence after it in seconds.

        That is the whole sentence, unless it is not there and all of its clauses are.
        """
        for sentence in self._sentences_of(text):
            clauses = split_clauses(sentence) if self._by_sentence and not self._is_cached(sentence) else ()
            if len(clauses) > 1 and all(map(self._is_cached, clauses)):
                *first, last = clauses
                yield (*((clause, CLAUSE_GAP_S) for clause in first), (last, SENTENCE_GAP_S))
            else:
                yield ((sentence, SENTENCE_GAP_S),)

    def _is_cached(self, piece: str) -> bool:
        return not is_pronounceable(piece) or self.cache_key(piece) in self._cache

    def _read(self, piece: str) -> Wave:
        """Return *piece* from the cache, or rendered if it has just been evicted."""
        cached = self._cached(piece)
        return self._submit(piece, Priority.NOW).result() if cached is None else cached

    @property
    def cache_bytes(self) -> int:
        """The size on disk of all cached speech, in bytes."""
        return self._cache.size

    def cancel_prepared(self) -> None:
        """Cancel the lines that are still to be prepared."""
        self._queue.cancel_prepared()

    def set_quiet(self, quiet: bool) -> None:
        """Render what was foreseen only while it is *quiet*; it is at first."""
        self._queue.set_quiet(quiet)

    def close(self) -> None:
        """End the engine at once; closing twice is harmless."""
        self._queue.close(self._end_engines)

    def _end_engines(self) -> None:
        for each in (self, *self._cast.values()):
            each._engine.close()

    def _submit(self, text: str, priority: Priority) -> Future[Wave]:
        return self._queue.submit(priority, self.cache_key(text), partial(self._render_piece, text))

    def _render_piece(self, text: str, *, is_foreseen: bool = False) -> Wave:
        return self._cached(text) or self._synthesize(text, is_foreseen=is_foreseen)

    def _cached(self, text: str) -> Wave | None:
        if not is_pronounceable(text):
            return Wave(np.zeros(0, np.float32), _SILENCE_RATE_HZ)
        return self._cache.get(self.cache_key(text))

    def _synthesize(self, text: str, *, is_foreseen: bool) -> Wave:
        """Return *text* as speech with its effects, rendered once more where the first attempt was faulty.

        What *is_foreseen* may be secret until it is said, so the log has no word of it.
        """
        for attempt in range(1, _MAX_ATTEMPTS + 1):
            try:
                wave = self._apply_effects(self._run_engine(text))
            except CannotSpeak as trouble:
                if attempt == _MAX_ATTEMPTS or self._queue.is_closed:
                    raise
                log.info("once more: %s", "a line that may come" if is_foreseen else trouble)
            else:
                self._cache.put(self.cache_key(text), wave, compact=self._by_sentence)  # there may be hours of it
                return wave
        raise AssertionError("an attempt ends in speech or in trouble")

    def _run_engine(self, text: str) -> Wave:
        """Return what the engine renders for *text*, or raise CannotSpeak where it is silent, too short or too long."""
        try:
            with tempfile.TemporaryDirectory(prefix="seance-voice-") as folder:
                wav = Path(folder, "said.wav")
                self._engine.render(text, wav)
                wave = read_wave(wav)
        except BadAudioFile as bad:
            raise CannotSpeak(f"{self._engine.identity} wrote nothing for {excerpt(text)}: {bad}") from None
        except OSError as error:
            raise CannotSpeak(f"there is no room to make speech in ({error}): {excerpt(text)}") from error
        expected = len(text) / _LETTERS_PER_WORD * 60 / self._engine.rate
        if wave.rms < _MIN_RMS:
            raise CannotSpeak(f"{self._engine.identity} is silent for {excerpt(text)}")
        shortest, longest = _MIN_DURATION_RATIO * expected, _MAX_DURATION_RATIO * expected + _DURATION_SLACK_SECONDS
        if not shortest <= wave.seconds <= longest:
            raise CannotSpeak(
                f"{self._engine.identity} speaks {wave.seconds:.1f} s, not about {expected:.1f} s, for {excerpt(text)}"
            )
        return wave

    def _apply_effects(self, wave: Wave) -> Wave:
        wave = shift_pitch(shorten_pauses(trim_silence(wave)), self._pitch)
        if self._from_small_loudspeaker:
            wave = small_loudspeaker(wave)
        # Measured before the reverb, whose tail would make a short piece seem softer than a long one.
        return limit_peaks(add_reverb(normalise_loudness(wave), self._reverb), MAX_TRUE_PEAK)

    def cache_key(self, text: str) -> str:
        """Return what the cache calls *text*: everything that its sound depends on."""
        # Written out because it names files on the owners' disks: `Effects`, `reverb` and `room` are what the class and
        # its fields were once called, and any other text would render every cached line again.
        if self._by_sentence:
            text = text[:1].lower() + text[1:]  # a clause sounds the same at the beginning of a sentence
        text = self._engine.spoken_form(text)
        effects = f"Effects(reverb={self._reverb.wet_level!r}, room={self._reverb.rt60_seconds!r})"
        if self._from_small_loudspeaker:
            effects = f"small loudspeaker, {effects}"
        return f"({_CACHE_VERSION!r}, {self._engine.identity!r}, {self._pitch!r}, {effects}, {text!r})"


def is_pronounceable(text: str) -> bool:
    """Return whether *text* has anything to pronounce."""
    return any(character.isalnum() for character in text)
