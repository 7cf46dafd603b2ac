"""How Kokoro pronounces the script: a sample of it that has every word, through a recogniser that expects nothing."""

# ruff: noqa: RUF001  letters of the phonetic alphabet
from __future__ import annotations

import argparse
import functools
import hashlib
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from pathlib import Path

import vosk
from corpus import pcm
from rich.console import Console
from rich.progress import track

from seance.audio.files import read_wave
from seance.audio.formats import SPEECH_RATE_HZ
from seance.hearing.vocabulary import read_vocabulary
from seance.languages import language_codes
from seance.models import store
from seance.models.language_models import require_recogniser
from seance.narration.script import Script
from seance.narration.spoken_pieces import cast_sentences, spoken_pieces
from seance.rules import EDITIONS
from seance.speech.engines import SpeechEngine
from seance.speech.espeak_phonemes import read_phonemes
from seance.speech.kokoro_symbols import model_symbols
from seance.speech.sentence_split import split_clauses, split_sentences
from seance.speech.voice_settings import (
    KokoroVoice,
    VoiceModels,
    VoiceOverrides,
    configure_synthesis,
    load_voice_settings,
)

LETTERS_PER_SECOND = 14.0
RARE_WORD_WEIGHT = 4.0
"""Of a word that is not among the recogniser's common ones, when lines are chosen: those are mispronounced first."""
LETTERS_PER_LINE = 15
"""What a line costs beside its letters, when lines are chosen."""
SILENCE = bytes(2 * SPEECH_RATE_HZ // 2)
_WORD = re.compile(r"\w+(?:['’]\w+)?")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was said, what was heard, and the words that differ."""

    said: str
    heard: str
    errors: tuple[tuple[str, str], ...]
    """The words of a difference that were said, and those that were heard."""
    word_errors: int
    words: int


def all_sentences(language: str) -> list[str]:
    """Return every sentence and clause that a voice makes ahead of time, of all editions and the cast."""
    script = Script.load(language)
    splits = {"split_sentences": split_sentences, "split_clauses": split_clauses}
    pieces = dict.fromkeys(piece for edition in EDITIONS for piece in spoken_pieces(script, edition, **splits))
    pieces |= dict.fromkeys(
        said for edition in EDITIONS for _, said in cast_sentences(script, edition, split_sentences)
    )
    return list(pieces)


def words_of(text: str) -> list[str]:
    """Return the words of *text* in lower case."""
    return [word.replace("’", "'") for word in _WORD.findall(text.lower())]


def choose_lines(lines: Iterable[str], common: Mapping[str, object], max_letters: float) -> list[str]:
    """Return lines that have each word of all *lines* at least once, rare words first, of *max_letters* at most."""
    words = {line: frozenset(words_of(line)) for line in lines}
    missing = {word: 1.0 if word in common else RARE_WORD_WEIGHT for word in frozenset().union(*words.values())}
    chosen: list[str] = []
    while missing and max_letters > 0:
        best = max(words, key=lambda line: _worth(line, words[line], missing))
        if not words[best] & missing.keys():
            break
        for word in words.pop(best):
            missing.pop(word, None)
        chosen.append(best)
        max_letters -= len(best)
    return chosen


def _worth(line: str, words: frozenset[str], missing: Mapping[str, float]) -> float:
    return sum(missing.get(word, 0.0) for word in words) / (len(line) + LETTERS_PER_LINE)


class Ear:
    """A recogniser with all of its language."""

    def __init__(self, language: str) -> None:
        vosk.SetLogLevel(-1)
        self._model = vosk.Model(str(require_recogniser(language)))

    def hear(self, wav: Path) -> str:
        """Return what is understood of *wav*."""
        recogniser = vosk.KaldiRecognizer(self._model, SPEECH_RATE_HZ)
        parts = []
        if recogniser.AcceptWaveform(SILENCE + pcm(read_wave(wav).resample(SPEECH_RATE_HZ).samples) + SILENCE):
            parts.append(json.loads(recogniser.Result())["text"])
        return " ".join([*parts, json.loads(recogniser.FinalResult())["text"]]).strip()


def compare(said: str, heard: str, accent: str) -> Verdict:
    """Return where *heard* differs from *said* in its sound: words that are pronounced alike count as the same."""
    wanted, got = words_of(said), words_of(heard)
    matcher = SequenceMatcher(
        None, [_sound(w, accent) for w in wanted], [_sound(w, accent) for w in got], autojunk=False
    )
    errors, count = [], 0
    for kind, start, end, got_start, got_end in matcher.get_opcodes():
        before, after = " ".join(wanted[start:end]), " ".join(got[got_start:got_end])
        if kind != "equal" and _sound(before, accent) != _sound(after, accent):
            errors.append((before, after))
            count += max(end - start, got_end - got_start)
    return Verdict(said, heard, tuple(errors), count, len(wanted))


@functools.cache
def _sound(words: str, accent: str) -> str:
    return re.sub(r"[\sˈˌː^']", "", read_phonemes(words, accent)) if words else ""


def speak(engine: SpeechEngine, voice: KokoroVoice, text: str, folder: Path) -> Path:
    """Return the file in *folder* with *text* as *engine* says it, made if it is not there or is respelt since."""
    symbols = model_symbols(text, voice.accent, voice.respell, read_phonemes=read_phonemes)
    key = hashlib.sha256(f"{engine.identity} {symbols}".encode()).hexdigest()[:24]
    wav = folder / f"{key}.wav"
    if not wav.exists():
        engine.render(text, wav)
    return wav


def suspicious_words(verdicts: Sequence[Verdict]) -> list[tuple[str, int, int, str]]:
    """Return each word that is heard wrongly in half of its lines or more: how often, of how many, and as what."""
    lines: dict[str, int] = defaultdict(int)
    wrong: dict[str, list[str]] = defaultdict(list)
    for verdict in verdicts:
        for word in set(words_of(verdict.said)):
            lines[word] += 1
        for before, after in verdict.errors:
            for word in set(words_of(before)):
                wrong[word].append(after)
    found = [(word, len(heard), lines[word], ", ".join(heard)) for word, heard in wrong.items()]
    return sorted(each for each in found if 2 * each[1] >= each[2])


def measure(language: str, minutes: float, folder: Path, only: Sequence[str], console: Console) -> dict[str, object]:
    """Return the word error rate and the verdicts of a sample, or of lines that have the words of *only*."""
    settings, model = load_voice_settings(language), require_recogniser(language)
    if settings.kokoro is None:
        raise SystemExit(f"bench: Kokoro does not speak {language}")
    models = VoiceModels(kokoro=store.require("kokoro"))
    engine = configure_synthesis(settings, models, VoiceOverrides(engine="kokoro")).engine
    sentences = all_sentences(language)
    all_words = {word for line in sentences for word in words_of(line)}
    if only:
        sentences = [min((line for line in sentences if word in words_of(line)), key=len) for word in only]
    letters = 60 * minutes * LETTERS_PER_SECOND
    lines = choose_lines(sentences, read_vocabulary(model, ()).word_ids, letters)
    ear, verdicts, seconds = Ear(language), [], 0.0
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for line in track(lines, f"{language}: {len(lines)} lines", console=console, transient=True):
            wav = speak(engine, settings.kokoro, line, folder)
            seconds += read_wave(wav).seconds
            verdicts.append(compare(line, ear.hear(wav), settings.kokoro.accent))
    except KeyboardInterrupt:
        console.print("stopped: this is what was heard so far")
    finally:
        engine.close()
    said = sum(verdict.words for verdict in verdicts)
    covered = {word for verdict in verdicts for word in words_of(verdict.said)}
    return {
        "lines": len(verdicts),
        "minutes": seconds / 60,
        "words_covered": len(covered),
        "words_of_script": len(all_words),
        "word_error_rate": sum(verdict.word_errors for verdict in verdicts) / max(1, said),
        "verdicts": [asdict(verdict) for verdict in verdicts if verdict.errors],
        "suspicious": suspicious_words(verdicts),
    }


def show(result: Mapping[str, object], language: str, console: Console) -> None:
    for verdict in result["verdicts"]:  # type: ignore[attr-defined]
        console.print(f"[b]said [/b] {verdict['said']}\n[b]heard[/b] {verdict['heard']}", highlight=False)
    for word, wrong, lines, heard in result["suspicious"]:  # type: ignore[attr-defined]
        console.print(f"{word}: {wrong} of {lines}, as {heard}", highlight=False)
    covered = f"{result['words_covered']} of {result['words_of_script']} words"
    console.print(
        f"{language}: {result['word_error_rate']:.1%} of words in {result['lines']} lines "
        f"({result['minutes']:.1f} minutes, {covered})"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lang", choices=language_codes(), action="append", help="all of them if not given")
    parser.add_argument("--minutes", type=float, default=25.0, help="of speech in each language at most")
    parser.add_argument("--quick", action="store_const", dest="minutes", const=1.0, help="a minute of it")
    parser.add_argument("--words", nargs="*", default=[], help="only the shortest line with each of these")
    parser.add_argument("--sounds", type=Path, default=Path("bench-results/pronounce"), help="where speech is kept")
    args = parser.parse_args()
    console, results = Console(), {}
    for language in args.lang or language_codes():
        results[language] = measure(language, args.minutes, args.sounds, args.words, console)
        show(results[language], language, console)
    Path("bench-results").mkdir(exist_ok=True)
    Path("bench-results/pronounce.json").write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
