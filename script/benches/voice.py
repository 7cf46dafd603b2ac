"""Latency, speed, reliability and cost of the narrator's speech, captured from a PulseAudio null sink."""

from __future__ import annotations

import argparse
import itertools
import json
import logging
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

import corpus
import engines
import numpy as np
import voice_ahead
from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[2]))
from seance.audio import portaudio
from seance.audio.files import read_wave
from seance.audio.playback import Playback
from seance.audio.waves import Wave
from seance.dialogue.grammar.sentences import Sentences
from seance.models import store
from seance.models.language_models import require_recogniser
from seance.soundscape.library import SoundLibrary
from seance.speech import voice_settings
from seance.speech.cache import SpeechCache
from seance.speech.effects import normalise_loudness
from seance.speech.engines import Espeak, Piper, piper_program
from seance.speech.pauses import trim_silence
from seance.speech.synthesis import CannotSpeak, Synthesizer
from tests.sound_rig import RATE, SoundRig

LINES = (
    "The clock strikes, and something in the wall answers.",
    "Somebody walked these halls before you, and has not left.",
    "Red has chosen already, and may not choose again before the hour is over.",
    "Half of the sand has run. The candles lean, though no window is open.",
    "Listen. One knock is no, and two are yes.",
    "Good evening. Sit down, please, and leave your coats on; it will be cold.",
)
ENGINES: tuple[Literal["espeak", "piper", "kokoro"], ...] = ("espeak", "piper", "kokoro")
MAX_DURATION_ERROR = 0.1
"""A render is wrong whose duration differs from that of its reference by more than this share."""
CUES = 20
RECOGNITIONS = 3
"""How often a render is recognised before it counts as misheard."""
COMMANDS = corpus.texts("en").commands


class LoudspeakerTap:
    """Records the loudspeaker continuously, with the time at which each chunk arrived."""

    def __init__(self, stream: Any) -> None:
        self._chunks: list[tuple[float, np.ndarray]] = []
        self._stream = stream
        threading.Thread(target=self._record, daemon=True).start()

    def first_sound(self, since: float, threshold: float = 300.0) -> float | None:
        """Return the monotonic time of the first sound after *since*, including the recorder's own delay."""
        for arrived, chunk in list(self._chunks):
            if arrived >= since and len(loud := np.flatnonzero(np.abs(chunk) > threshold)):
                return arrived - (len(chunk) - int(loud[0])) / RATE
        return None

    def _record(self) -> None:
        with suppress(ValueError):  # the rig was stopped during a read
            while chunk := self._stream.read(320):
                self._chunks.append((time.monotonic(), np.frombuffer(chunk, np.int16).astype(float)))


@contextmanager
def running_rig() -> Iterator[LoudspeakerTap]:
    """Run a sound server that this process plays to, and yield a tap of its loudspeaker."""
    with tempfile.TemporaryDirectory(prefix="rig-", ignore_cleanup_errors=True) as folder:
        rig = SoundRig(Path(folder))
        os.environ.update(rig.environment)
        rig.start()
        portaudio.reinitialise()
        try:
            with rig._recorder() as recorder:
                yield LoudspeakerTap(recorder.stdout)
        finally:
            rig.stop()


def synthesis_configs() -> dict[str, voice_settings.SynthesisConfig]:
    """Return the narrator of every engine on this machine."""
    piper, kokoro = store.find("piper"), store.find("kokoro")
    models = voice_settings.VoiceModels(piper=piper and piper / "en_US-joe-medium.onnx", kokoro=kokoro)
    here = {"espeak": True, "piper": piper is not None and piper_program() is not None, "kokoro": kokoro is not None}
    spoken = voice_settings.load_voice_settings("en")
    return {
        name: voice_settings.configure_synthesis(spoken, models, voice_settings.VoiceOverrides(engine=name))
        for name in ENGINES
        if here[name]
    }


def cue_to_sound(
    config: voice_settings.SynthesisConfig, tap: LoudspeakerTap, playback: Playback, scratch: Path, times: int
) -> dict[str, Any]:
    """Return the milliseconds from a cue until it is heard: cached, rendered, and rendered by an engine not yet started."""
    found: dict[str, list[float]] = {"warm": [], "cold": [], "first": []}
    lines = itertools.cycle(LINES)
    for number in range(times):
        text = next(lines)
        with Synthesizer(
            config.engine, SpeechCache(scratch / f"cue{number}"), pitch=config.pitch, reverb=config.reverb
        ) as voice:
            if number < 3:
                found["first"].append(_delay(voice, text, tap, playback))
            voice.render("Listen.")
            found["cold"].append(_delay(voice, f"{text} Listen.", tap, playback))
            found["warm"].append(_delay(voice, f"{text} Listen.", tap, playback))
    return {kind: spread(values) for kind, values in found.items()}


def _delay(voice: Synthesizer, text: str, tap: LoudspeakerTap, playback: Playback) -> float:
    """Return the milliseconds from rendering *text* until its first sound."""
    began = time.monotonic()
    handle = playback.queue_speech(voice.render(text))
    while (heard := tap.first_sound(began)) is None:
        time.sleep(0.005)
    playback.stop_speech()
    handle.wait(5)
    time.sleep(0.3)
    return (heard - began) * 1000


def ready_to_sound(
    config: voice_settings.SynthesisConfig, tap: LoudspeakerTap, playback: Playback, scratch: Path, count: int
) -> dict[str, float]:
    """Return the milliseconds from a cue until it is heard, for *count* lines that are ready."""
    reverb, by_sentence = config.reverb, config.by_sentence
    with Synthesizer(
        config.engine, SpeechCache(scratch), pitch=config.pitch, reverb=reverb, by_sentence=by_sentence
    ) as voice:
        for text in LINES:
            voice.render(text)
        values = [_delay(voice, text, tap, playback) for text in itertools.islice(itertools.cycle(LINES), count)]
    return {**spread(values), "95th": float(np.percentile(values, 95))}


def spread(values: list[float]) -> dict[str, float]:
    return {"median": statistics.median(values), "worst": max(values)}


def render_speed(config: voice_settings.SynthesisConfig, scratch: Path) -> dict[str, float]:
    """Return the rendering speed as a multiple of real time, and the size of a second of speech in the cache."""
    cache = SpeechCache(scratch / "speed")
    with Synthesizer(config.engine, cache, pitch=config.pitch, reverb=config.reverb) as voice:
        voice.render("Listen.")
        began = time.monotonic()
        seconds = sum(voice.render(line).seconds for line in LINES)
        spent = time.monotonic() - began
        running = getattr(config.engine, "_process", None)
        resident = _megabytes(running.pid) if running is not None and running.poll() is None else None
    return {
        "times_real_time": seconds / spent,
        "kilobytes_a_second": cache.size / seconds / 1000,
        "process_mb": resident,
    }


def renders(
    engine: Espeak | Piper, count: int, reference: Callable[[str, Path], None], scratch: Path
) -> dict[str, Any]:
    """Render *count* lines in a row and return those of a wrong duration, and those that are misheard."""
    sentences = Sentences.load("en")
    hear = engines.ours(require_recogniser("en"), sentences)
    retried = RetryCounter()
    logging.getLogger("seance.speech.synthesis").addHandler(retried)
    logging.getLogger("seance.speech.synthesis").setLevel(logging.INFO)
    texts = list(itertools.islice(itertools.cycle([*LINES, *COMMANDS[::5]]), count))
    wanted: dict[str, Wave] = {}
    empty, wrong, misheard, compared, same = [], [], [], 0, 0
    began = time.monotonic()
    for number, text in enumerate(track(texts, "renders in a row", transient=True)):
        if text not in wanted:
            wav = scratch / "reference.wav"
            reference(text, wav)
            wanted[text] = normalise_loudness(trim_silence(read_wave(wav)))
        try:
            with Synthesizer(engine, SpeechCache(scratch / f"row{number}")) as voice:
                wave = voice.render(text)
        except CannotSpeak as trouble:
            empty.append(str(trouble))
            continue
        if abs(wave.seconds - wanted[text].seconds) > MAX_DURATION_ERROR * wanted[text].seconds:
            wrong.append({"text": text, "seconds": wave.seconds, "wanted": wanted[text].seconds})
        same += np.array_equal(wave.samples, wanted[text].samples)
        if text in COMMANDS and number % 3 == 0:
            compared += 1
            # The recogniser may decode the very same samples differently the next time: so it gets several attempts.
            if not any(
                _recognise(hear, wave, sentences) == _recognise(hear, wanted[text], sentences)
                for _ in range(RECOGNITIONS)
            ):
                misheard.append(text)
    spent = time.monotonic() - began
    facts = {"renders": count, "empty": empty, "wrong_length": wrong, "compared_by_ear": compared, "misheard": misheard}
    return {**facts, "the_very_same_samples": same, "asked_twice": retried.count, "seconds": spent}


class RetryCounter(logging.Handler):
    """Counts the lines that were rendered a second time."""

    count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.count += record.getMessage().startswith("once more")


def _recognise(hear: engines.Engine, wave: Wave, sentences: Sentences) -> list[Any]:
    still = np.zeros(9600, np.float32)
    sound = np.concatenate([still, wave.resample(16_000).samples, still])
    return [command.intent for command in hear(sound, sentences, engines.all_alike)]


def understood(config: voice_settings.SynthesisConfig, scratch: Path) -> dict[str, Any]:
    """Return how many commands the recogniser understands in the narrator's voice, reverb included."""
    sentences = Sentences.load("en")
    hear = engines.ours(require_recogniser("en"), sentences)
    commands = COMMANDS[::2]
    with Synthesizer(config.engine, SpeechCache(scratch / "heard"), pitch=config.pitch, reverb=config.reverb) as voice:
        missed = [
            text for text in commands if _recognise(hear, voice.render(text), sentences) != [sentences.match(text)]
        ]
    return {"commands": len(commands), "missed": missed}


def bounded(scratch: Path) -> dict[str, float]:
    """Return the size of a cache limited to one megabyte after ten were put into it."""
    cache = SpeechCache(scratch / "bounded", max_bytes=1_000_000)
    noise = np.random.default_rng(1).uniform(-0.5, 0.5, 22_050).astype(np.float32)
    for number in range(250):
        cache.put(str(number), Wave(noise, 22_050))
    return {"limit_mb": 1.0, "given_mb": 250 * 0.0415, "kept_mb": cache.size / 1e6}


def idle_cost(playback: Playback, scratch: Path) -> dict[str, float]:
    """Return the cost of an ambience of three layers: the share of one core, and memory."""
    library = SoundLibrary(scratch / "sounds")
    began = time.monotonic()
    library.make_all()
    made = time.monotonic() - began
    playback.set_ambience(library.mood("arrival"), seconds=1)
    time.sleep(2)
    cpu, wall = time.process_time(), time.monotonic()
    time.sleep(5)
    share = (time.process_time() - cpu) / (time.monotonic() - wall)
    playback.set_ambience(seconds=0.1)
    time.sleep(0.5)
    disk = sum(path.stat().st_size for path in (scratch / "sounds").iterdir()) / 1e6
    return {
        "sounds_made_in_seconds": made,
        "sounds_mb": disk,
        "core_share": share,
        "resident_mb": _megabytes(os.getpid()),
    }


def process_size(engine: Espeak, scratch: Path) -> float:
    """Return the peak memory in megabytes of the process that renders a long line."""
    most = 0.0
    line = threading.Thread(target=engine.render, args=(" ".join(LINES * 2), scratch / "long.wav"))
    line.start()
    while line.is_alive():
        with suppress(AttributeError, OSError, StopIteration):
            most = max(most, _megabytes(engine._process.pid))
    return most


def _megabytes(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1000


def _by_espeak_itself(engine: Espeak) -> Callable[[str, Path], None]:
    """Return a function that renders in the same voice with the program espeak-ng, without pyttsx3."""

    def speak(text: str, wav: Path) -> None:
        voice = ["-v", engine._voice, "-s", str(round(engine.rate))]
        subprocess.run(["espeak-ng", *voice, "-w", wav, text], check=True, capture_output=True)

    return speak


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="forty renders in a row instead of two hundred")
    parser.add_argument("--ahead", action="store_true", help="only which lines are ready when they are wanted")
    parser.add_argument("--nights", type=int, default=50, help="how many, by a virtual clock (50; 4 with --quick)")
    parser.add_argument("--cues", type=int, help="only how soon so many lines are heard that are ready")
    args = parser.parse_args()
    quick, result = args.quick, dict[str, Any]()
    nights = 4 if quick else args.nights
    if args.ahead:
        return _write({"ahead": voice_ahead.measure(nights)})
    with (
        tempfile.TemporaryDirectory(prefix="seance-bench-") as folder,
        running_rig() as tap,
        Playback("speaker") as playback,
    ):
        scratch = Path(folder)
        if args.cues:
            for name, config in synthesis_configs().items():
                print(name, ready_to_sound(config, tap, playback, scratch / name, args.cues))
            print("load of this machine:", os.getloadavg())
            return 0
        result["playback"] = {**idle_cost(playback, scratch), "promised_latency_ms": (playback.latency or 0) * 1000}
        for name, config in synthesis_configs().items():
            own = scratch / name
            own.mkdir()
            result[name] = {
                "cue_to_sound_ms": cue_to_sound(config, tap, playback, own, 4 if quick else CUES),
                **render_speed(config, own),
                "understood": understood(config, own),
            }
            if isinstance(config.engine, Espeak):
                count, reference = 40 if quick else 200, _by_espeak_itself(config.engine)
                result[name]["in_a_row"] = renders(config.engine, count, reference, own)
                result[name]["process_mb"] = process_size(config.engine, own)
            result[name]["gaps"] = playback.underflows
        result["cache"] = bounded(scratch)
    result["ahead"] = voice_ahead.measure(nights)
    show(result)
    row = result["espeak"]["in_a_row"]
    return _write(result) or (1 if row["empty"] or row["wrong_length"] or row["misheard"] else 0)


def _write(result: dict[str, Any]) -> int:
    """Print how lines were ready, write *result*, and return whether any was waited for."""
    voice_ahead.show(result["ahead"], Console())
    Path("bench-results").mkdir(exist_ok=True)
    Path("bench-results/voice.json").write_text(json.dumps(result, indent=1) + "\n")
    return 1 if result["ahead"]["Pi 5"].get("waited") else 0


def show(result: dict[str, Any]) -> None:
    console = Console()
    table = Table(
        "engine", "cue to sound: kept", "made now", "first of all", "real time", "kB/s kept", "process", "understood"
    )
    for name in ENGINES:
        if (each := result.get(name)) is not None:
            cues = [f"{cue['median']:.0f} ms ({cue['worst']:.0f})" for cue in each["cue_to_sound_ms"].values()]
            warm, cold, first = cues
            heard, all_ = (
                each["understood"]["commands"] - len(each["understood"]["missed"]),
                each["understood"]["commands"],
            )
            rest = (
                f"{each['times_real_time']:.1f} x",
                f"{each['kilobytes_a_second']:.0f}",
                f"{each['process_mb'] or 0:.0f} MB",
            )
            table.add_row(name, warm, cold, first, *rest, f"{heard} of {all_}")
    console.print(table)
    row = result["espeak"]["in_a_row"]
    bad = f"{len(row['empty'])} empty, {len(row['wrong_length'])} of another length, {len(row['misheard'])} misheard"
    console.print(
        f"{row['renders']} renders in a row: {bad} of {row['compared_by_ear']} compared, {row['asked_twice']} asked twice"
    )
    console.print(f"{row['the_very_same_samples']} are sample for sample what the program espeak-ng itself makes")
    console.print("playback:", result["playback"])
    console.print("cache:", result["cache"])


if __name__ == "__main__":
    sys.exit(main())
