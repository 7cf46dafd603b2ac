"""Kokoro speaks: the real model where it is there; processes that hang, die or rest are small programs."""

# ruff: noqa: RUF001  letters of the phonetic alphabet

import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from seance.audio.files import read_wave
from seance.models import store
from seance.speech.cache import SpeechCache
from seance.speech.engines import CannotSpeak, LineInterrupted, NoSuchVoice
from seance.speech.espeak_phonemes import NoPhonemes, read_phonemes
from seance.speech.kokoro import Kokoro, KokoroProcess
from seance.speech.kokoro_symbols import MAX_SYMBOLS, model_symbols, symbol_numbers
from seance.speech.sentence_split import split_sentences
from seance.speech.synthesis import Synthesizer

MODEL = store.find("kokoro")
NEEDS_MODEL = pytest.mark.skipif(MODEL is None, reason="needs the model: seance models fetch kokoro")

ANSWER = """
import json, pathlib, sys
for line in sys.stdin:
    pathlib.Path(json.loads(line)["wav"]).write_text(line)
    print({answer!r}, flush=True)
    {then}
"""


INTERRUPTIBLE = """
import json, pathlib, signal, sys, time
interrupted = []
signal.signal(signal.SIGUSR1, lambda *_: interrupted.append(1))
for line in sys.stdin:
    job = json.loads(line)
    wav = pathlib.Path(job["wav"])
    wav.touch()
    while job["text"] == "long" and not interrupted and not wav.with_name("go on").exists():
        time.sleep(0.01)
    print('{"interrupted": "so"}' if interrupted else "{}", flush=True)
    interrupted.clear()
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "voices").mkdir()
    (tmp_path / "voices" / "bm_george.bin").touch()
    return tmp_path


def engine(folder, source, **more):
    process = KokoroProcess(folder, program=(sys.executable, "-c", source), **more)
    return Kokoro(process, "bm_george", 150, language="en-gb")


def symbols(text, language="en-gb", **respelt):
    return model_symbols(text, language, respelt, read_phonemes=read_phonemes)


# What the model is given


def test_punctuation_stays_where_it_was():
    assert symbols("Well, who knows?") == "wˈɛl, hˌuː nˈQz?"


def test_french_quotation_marks_become_ones_that_the_model_knows():
    assert symbols("« Oui »", "fr-fr") == "“ wˈi”"


def test_a_word_is_respelt_in_letters():
    assert symbols("the knyght", knyght="night") == symbols("the night")


def test_a_word_is_respelt_in_phonemes():
    assert symbols("Madam Wang.", wang="/wˈaŋ/") == "mˈadəm wˈaŋ."


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("a séance at the manor", "en-gb", "ə sˈAɒns at ðə mˈanə"),
        ("the Alma and the séance", "en-gb", "ðɪ ˈalmə and ðə sˈAɒns"),
        ("derrière le paravent", "fr-fr", "dɛʁjˈɛʁ lə paʁavˈɑ̃"),
    ],
)
def test_words_before_one_that_is_respelt_are_read_as_in_any_sentence(text, language, said):
    respelt = {"séance": "/sˈe^ɪɒns/", "alma": "/ˈalmə/", "paravent": "/paʁavˈɑ̃/"}
    assert symbols(text, language, **respelt) == said


def test_a_text_without_a_letter_has_no_phonemes():
    assert symbols("… — …").strip("…— ") == ""


def test_a_long_text_is_cut_to_what_the_model_takes():
    assert len(symbols("the ghost walks " * 100)) <= MAX_SYMBOLS


def test_every_symbol_has_a_number_between_two_silences():
    numbers = symbol_numbers(symbols("Good evening."))
    assert numbers[0] == numbers[-1] == 0
    assert all(numbers[1:-1])


def test_a_line_is_spoken_sentence_by_sentence():
    assert split_sentences("Red. Card seven! Is it so? Yes") == ("Red.", "Card seven!", "Is it so?", "Yes")


def test_an_accent_that_espeak_does_not_know_is_named():
    with pytest.raises(NoPhonemes, match="no voice 'xx-yy'"):
        read_phonemes("hello", "xx-yy")


def test_a_word_that_is_respelt_otherwise_is_made_anew(tmp_path):
    def rendered(text, **respelt):
        kokoro = Kokoro(KokoroProcess(tmp_path), "bm_george", 150, language="en-gb", respelt=respelt)
        return Synthesizer(kokoro, SpeechCache(tmp_path)).cache_key(text)

    assert rendered("Madam Wang.") != rendered("Madam Wang.", wang="/wˈaŋ/")
    assert rendered("Madam.") == rendered("Madam.", wang="/wˈaŋ/")


# The process


def test_a_job_is_handed_to_the_process_and_its_answer_awaited(folder):
    kokoro = engine(folder, ANSWER.format(answer="{}", then="pass"))
    kokoro.render("hello", folder / "a.wav")
    assert '"text": "hello"' in (folder / "a.wav").read_text()
    kokoro.close()


def test_a_process_that_rests_is_started_again_for_the_next_line(folder):
    kokoro = engine(folder, ANSWER.format(answer="{}", then="sys.exit(0)"))
    for name in ("a", "b"):
        kokoro.render("hello", folder / name)
        assert (folder / name).exists()
    kokoro.close()


def test_a_line_is_given_up_for_a_more_urgent_one(folder):
    kokoro = engine(folder, INTERRUPTIBLE)
    with ThreadPoolExecutor(1) as other:
        given_up = other.submit(kokoro.render, "long", folder / "long")
        while not (folder / "long").exists():
            assert not given_up.done()
        kokoro._process.interrupt()
        with pytest.raises(LineInterrupted):
            given_up.result(10)
    kokoro.render("urgent", folder / "urgent")
    assert (folder / "urgent").exists()
    kokoro.close()


def test_a_process_that_is_interrupted_between_two_lines_makes_the_next_one_all_the_same(folder):
    kokoro = engine(folder, INTERRUPTIBLE)
    kokoro.render("first", folder / "first")
    kokoro._process._process.send_signal(signal.SIGUSR1)
    kokoro.render("second", folder / "second")
    assert (folder / "second").exists()
    kokoro.close()


def test_a_line_that_is_held_goes_on_where_it_was_and_is_not_late(folder):
    kokoro = engine(folder, INTERRUPTIBLE, timeout_s=1.0)
    with ThreadPoolExecutor(1) as other:
        held = other.submit(kokoro.render, "long", folder / "long")
        while not (folder / "long").exists():
            assert not held.done()
        kokoro._process.hold(True)
        with pytest.raises(TimeoutError):
            held.result(2.5)
        kokoro._process.hold(False)
        (folder / "go on").touch()
        held.result(10)
    kokoro.close()


def test_what_went_wrong_is_told_with_the_line(folder):
    kokoro = engine(folder, ANSWER.format(answer='{"error": "no room"}', then="pass"))
    with pytest.raises(CannotSpeak, match="no room \\('hello'\\)"):
        kokoro.render("hello", folder / "a.wav")
    kokoro.close()


def test_a_process_that_dies_is_told_with_its_last_words(folder):
    kokoro = engine(folder, "raise SystemExit('the model is damaged')")
    with pytest.raises(CannotSpeak, match="kokoro died: the model is damaged"):
        kokoro.render("hello", folder / "a.wav")


def test_a_line_of_a_process_that_was_closed_meanwhile_cannot_be_spoken(folder):
    kokoro = engine(folder, "import sys; sys.stdin.readline(); sys.exit(1)")
    kokoro._process._running().stderr.close()
    with pytest.raises(CannotSpeak, match="kokoro died"):
        kokoro.render("hello", folder / "a.wav")


def test_a_process_that_hangs_is_ended(folder):
    kokoro = engine(folder, "import time; time.sleep(600)", timeout_s=-2.4)
    with pytest.raises(CannotSpeak, match="kokoro was ended"):
        kokoro.render("hello", folder / "a.wav")


def test_a_voice_that_is_not_there_is_named_with_what_to_do(tmp_path):
    with pytest.raises(NoSuchVoice, match="'bm_george' is not on this machine: run `seance models fetch kokoro`"):
        engine(tmp_path, "").render("hello", tmp_path / "a.wav")


# The real model


@NEEDS_MODEL
@pytest.mark.parametrize(
    ("voice", "accent", "text"),
    [("bm_george", "en-gb", "The ghost has spoken."), ("ff_siwis", "fr-fr", "Le fantôme a parlé.")],
)
def test_kokoro_speaks(voice, accent, text, tmp_path):
    kokoro = Kokoro(KokoroProcess(MODEL), voice, 150, language=accent)
    kokoro.render(text, tmp_path / "a.wav")
    kokoro.close()
    wave = read_wave(tmp_path / "a.wav")
    assert wave.rms > 0.02
    assert 0.8 < wave.seconds < 3.0


@NEEDS_MODEL
def test_a_long_sentence_leaves_room_for_the_house_on_a_small_pi(tmp_path):
    kokoro = Kokoro(KokoroProcess(MODEL), "bm_george", 150, language="en-gb")
    kokoro.render(
        "The Count of the manor is leaving with the Countess and the children, and nobody in this house, from the "
        "cellar to the attic, knows why.",
        tmp_path / "a.wav",
    )
    status = Path(f"/proc/{kokoro._process._process.pid}/status").read_text()
    kokoro.close()
    (peak_kb,) = (int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    assert peak_kb < 600_000


@NEEDS_MODEL
def test_kokoro_speaks_slower_at_a_lower_rate(tmp_path):
    seconds = []
    for rate in (110, 200):
        kokoro = Kokoro(KokoroProcess(MODEL), "bm_george", rate, language="en-gb")
        kokoro.render("The clock has struck the seventh hour.", tmp_path / "a.wav")
        kokoro.close()
        seconds.append(read_wave(tmp_path / "a.wav").seconds)
    assert seconds[0] > 1.3 * seconds[1]
