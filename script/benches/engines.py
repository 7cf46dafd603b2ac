"""The recognisers to be compared: ours, and the plain engines that it must beat; each is fed a sound in blocks."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import vosk
from corpus import pcm
from studio import RATE, Sound

from seance.dialogue.grammar.sentences import Ambiguous, Intent, Sentences
from seance.dialogue.grammar.word_graph import word_graph
from seance.hearing.noise_reduction import noise_floor_db
from seance.hearing.recogniser import Recogniser
from seance.programs.hear import build_grammar

BLOCK = RATE // 20

vosk.SetLogLevel(-1)


@dataclass(frozen=True, slots=True)
class Command:
    """A command that was recognised, and when."""

    intent: Intent
    at: float
    """Seconds of sound, and of computing after the last block."""


Prior = Callable[[Intent], float]
"""Returns how likely an intent is at the moment beside others; only our recogniser asks for it."""
Engine = Callable[[Sound, Sentences, Prior], list[Command]]
"""Returns the commands in a sound, among the sentences that may be said now."""


def uniform_prior(_: Intent) -> float:
    """Return the same for every intent."""
    return 1.0


def ours(model: Path, sentences: Sentences, rescoring_model: Path | None = None, *, recordings: bool = False) -> Engine:
    """Return our recogniser; a sound is a stream to it, or one of *recordings* of which all is known beforehand."""
    recogniser = Recogniser(model, build_grammar(sentences), rescoring_model=rescoring_model)
    recogniser.wait_until_loaded()
    before: tuple[Sentences, Prior] = (sentences, uniform_prior)

    def hear(sound: Sound, now: Sentences, prior: Prior) -> list[Command]:
        nonlocal before
        if (now, prior) != before:
            recogniser.set_grammar(replace(build_grammar(now), prior=prior), wait=True)
        before = now, prior
        recogniser.reset(noise_floor_db=noise_floor_db(sound) if recordings else None)
        heard = [h for at in range(0, sound.size, BLOCK) for h in recogniser.feed(sound[at : at + BLOCK])]
        heard += recogniser.finish()
        return [Command(h.intent, h.ended_s + h.latency_s) for h in heard if h.intent is not None]

    return hear


def phrases(model: Path) -> Engine:
    """Return vosk with its own phrase grammar; a command is a result that is a whole sentence."""
    loaded = vosk.Model(str(model))

    def listening(now: Sentences) -> vosk.KaldiRecognizer:
        # vosk reads no escapes: French letters must stay as they are
        return vosk.KaldiRecognizer(loaded, RATE, json.dumps([*now.phrases(), "[unk]"], ensure_ascii=False))

    return _plain(listening)


def free(model: Path) -> Engine:
    """Return vosk with all of its language."""
    loaded = vosk.Model(str(model))
    return _plain(lambda _: vosk.KaldiRecognizer(loaded, RATE))


def _plain(listening: Callable[[Sentences], vosk.KaldiRecognizer]) -> Engine:
    def hear(sound: Sound, now: Sentences, _: Prior) -> list[Command]:
        recogniser = listening(now)
        samples = pcm(sound)
        found = []
        for at in range(0, len(samples), 2 * BLOCK):
            began = time.perf_counter()
            if recogniser.AcceptWaveform(samples[at : at + 2 * BLOCK]):
                text = json.loads(recogniser.Result())["text"]
                heard = (at / 2 + BLOCK) / RATE + time.perf_counter() - began
                found += [Command(intent, heard) for intent in _meant(text, now)]
        text = json.loads(recogniser.FinalResult())["text"]
        return found + [Command(intent, sound.size / RATE) for intent in _meant(text, now)]

    return hear


def sphinx(sentences: Sentences) -> Engine:
    """Return pocketsphinx with a grammar of the same sentences, in the words it knows."""
    from pocketsphinx import Decoder, Endpointer

    decoder = Decoder(samprate=RATE, lm=None, loglevel="FATAL")
    graph = word_graph(sentences)
    steps = [
        (state, to, 1.0, word)
        for state, (_, arcs) in enumerate(graph)
        for word, to in arcs
        if decoder.lookup_word(word)
    ]
    steps += [(state, len(graph), 1.0) for state, (ends, _) in enumerate(graph) if ends]
    decoder.add_fsg("table", decoder.create_fsg("table", len(graph) - 1, len(graph), steps))
    decoder.activate_search("table")

    def hear(sound: Sound, now: Sentences, _: Prior) -> list[Command]:
        voices = Endpointer(sample_rate=RATE)
        samples = pcm(sound)
        step, found, speaking = voices.frame_bytes, [], False
        for at in range(0, len(samples) - step, step):
            speech = voices.process(samples[at : at + step])
            if speech is not None:
                if not speaking:
                    decoder.start_utt()
                speaking = True
                decoder.process_raw(speech)
                if not voices.in_speech:
                    decoder.end_utt()
                    speaking = False
                    found += _found(decoder, (at + step) / 2 / RATE, now)
        if speaking:
            decoder.end_utt()
            found += _found(decoder, sound.size / RATE, now)
        return found

    return hear


def _found(decoder: object, at: float, sentences: Sentences) -> Iterator[Command]:
    best = decoder.hyp()  # type: ignore[attr-defined]
    for intent in _meant(best.hypstr if best else "", sentences):
        yield Command(intent, at)


def _meant(text: str, sentences: Sentences) -> list[Intent]:
    """Return what *text* means as a whole, if anything."""
    try:
        intent = sentences.match(text) if text and "[unk]" not in text else None
    except Ambiguous:
        return []
    return [] if intent is None else [intent]
