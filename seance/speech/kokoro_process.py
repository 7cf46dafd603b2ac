"""A program that renders lines of text to WAV files with Kokoro-82M, one after another, and ends when it is idle.

It is run as a process and never imported: it loads espeak-ng, which is GPL, and its memory is given back when it ends.
A job is a line of JSON on standard input, and its answer a line on standard output: `{}`, `{"error": …}`, or after
SIGUSR1 `{"interrupted": …}`.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import wave
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seance.audio.waves import Wave
from seance.speech.espeak_phonemes import NoPhonemes, read_phonemes
from seance.speech.kokoro_symbols import MAX_SYMBOLS, model_symbols, symbol_numbers
from seance.speech.pauses import shorten_pauses, trim_silence
from seance.speech.sentence_split import split_sentences

RATE_HZ = 24_000
SENTENCE_GAP_S = 0.3
"""Silence between two sentences of a line."""
IDLE_TIMEOUT_S = 60.0
"""After which the process ends."""
NICENESS = 10
"""Lower priority than everything that hears and plays."""
OOM_SCORE_ADJ = "500"
"""Of -1000 to 1000: which process the kernel ends first when memory runs out."""
Samples = NDArray[np.float32]


class JobInterrupted(Exception):
    """The job was given up."""


class RenderingInterrupt:
    """Gives up the job that is being done, or is about to be."""

    def __init__(self) -> None:
        self.is_wanted = False
        self.run_options: Any = None
        """Those of the sentence that is being rendered."""

    def request(self) -> None:
        """Give up the job."""
        self.is_wanted = True
        if self.run_options is not None:
            self.run_options.terminate = True


class KokoroModel:
    """The model in *folder*, loaded on one core."""

    def __init__(self, folder: Path, interruption: RenderingInterrupt | None = None) -> None:
        import onnxruntime

        self._make_run_options, self._interruption = onnxruntime.RunOptions, interruption or RenderingInterrupt()

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        # Every line has another length, so a pattern of memory is never used again.
        options.enable_mem_pattern = False
        self._session: Any = onnxruntime.InferenceSession(
            folder / "onnx" / "model_quantized.onnx", options, providers=["CPUExecutionProvider"]
        )
        self._folder = folder

    def speak(self, job: dict[str, Any]) -> Samples:
        """Return the samples of the job's text, sentence by sentence, or raise JobInterrupted."""
        styles = np.fromfile(self._folder / "voices" / f"{job['voice']}.bin", np.float32).reshape(MAX_SYMBOLS, 1, -1)
        gap = np.zeros(round(SENTENCE_GAP_S * RATE_HZ), np.float32)
        parts: list[Samples] = []
        for sentence in split_sentences(job["text"]):
            symbols = model_symbols(sentence, job["language"], job["respelt"], read_phonemes=read_phonemes)
            if symbols:
                parts += [self._speak_sentence(symbols, styles, job["speed"]), gap]
        return np.concatenate(parts[:-1]) if parts else np.zeros(0, np.float32)

    def _speak_sentence(self, symbols: str, styles: Samples, speed: float) -> Samples:
        feed = {
            "input_ids": np.array([symbol_numbers(symbols)], np.int64),
            "style": styles[len(symbols) - 1],
            "speed": np.array([speed], np.float32),
        }
        self._interruption.run_options = options = self._make_run_options()
        # The arena stays on: without it malloc tears holes, and a sentence of 9 s took 1.9 GB instead of 430 MB.
        options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
        if self._interruption.is_wanted:
            raise JobInterrupted
        try:
            wave = Wave(self._session.run(None, feed, options)[0].reshape(-1), RATE_HZ)
        except Exception as error:
            raise JobInterrupted if self._interruption.is_wanted else RuntimeError(str(error)) from error
        return shorten_pauses(trim_silence(wave)).samples


def write_wav(path: Path, samples: Samples) -> None:
    """Write *samples* to *path* as 16 bits."""
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE_HZ, 0, "NONE", ""))
        file.writeframes((np.clip(samples, -1.0, 1.0) * 32767).astype("<i2").tobytes())


def _give_way() -> None:
    """Let everything else run first, and let the kernel end this process first when memory runs out."""
    with suppress(OSError):
        os.nice(NICENESS)
        Path("/proc/self/oom_score_adj").write_text(OOM_SCORE_ADJ)


def _answer(model: KokoroModel, job: dict[str, Any]) -> dict[str, str]:
    """Do *job* and return its answer."""
    try:
        write_wav(Path(job["wav"]), model.speak(job))
    except JobInterrupted:
        return {"interrupted": "by a signal"}
    except (NoPhonemes, OSError, ValueError, RuntimeError) as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {}


def main() -> int:
    """Do jobs with the model in the folder that the first argument names, until there are none for IDLE_TIMEOUT_S."""
    interruption = RenderingInterrupt()
    signal.signal(signal.SIGUSR1, lambda *_: interruption.request())
    _give_way()
    model = KokoroModel(Path(sys.argv[1]), interruption)
    # On a thread, since signals are only handled on this one.
    with ThreadPoolExecutor(1) as renderer:
        while select.select([sys.stdin], [], [], IDLE_TIMEOUT_S)[0]:
            line = sys.stdin.readline()
            if not line:
                break
            answer = renderer.submit(_answer, model, json.loads(line)).result()
            interruption.is_wanted = False
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
