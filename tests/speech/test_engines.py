"""Engines that speak, the real espeak-ng first; those that hang, die or lie are small programs."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from seance.audio.files import read_wave
from seance.models import store
from seance.speech.engines import CannotSpeak, Espeak, Piper, piper_program

HANG = "import os, pathlib, time; pathlib.Path({pid!r}).write_text(str(os.getpid())); time.sleep(600)"
PIPER = """
import sys, pathlib, wave
folder = pathlib.Path(sys.argv[sys.argv.index("--output-dir") + 1])
for number, line in enumerate(sys.stdin):
    with wave.open(str(folder / f"{number}.wav"), "wb") as file:
        file.setparams((1, 2, 22050, 0, "NONE", ""))
        file.writeframes(line.encode("utf-16-le"))
    print("INFO:some other news", file=sys.stderr)
    print(f"INFO:__main__:Wrote {folder / f'{number}.wav'}", file=sys.stderr, flush=True)
    if "last words" in line:
        raise SystemExit(7)
"""


def program(source):
    return (sys.executable, "-c", source)


def is_running(pid_file):
    try:
        os.kill(int(pid_file.read_text()), 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "voice.onnx"
    path.touch()
    return path


def test_espeak_writes_speech(tmp_path):
    Espeak("en-gb-scotland+m3", 150).render("The ghost has spoken.", tmp_path / "a.wav")
    wave = read_wave(tmp_path / "a.wav")
    assert wave.rms > 0.02
    assert 1.0 < wave.seconds < 3.0


def test_espeak_speaks_slower_at_a_lower_rate(tmp_path):
    for name, rate in (("slow", 100), ("fast", 200)):
        Espeak("en", rate).render("The clock has struck the seventh hour.", tmp_path / name)
    assert read_wave(tmp_path / "slow").seconds > 1.5 * read_wave(tmp_path / "fast").seconds


def test_an_unknown_voice_is_refused_by_name(tmp_path):
    with pytest.raises(CannotSpeak, match=r"espeak-ng refuses: .*'gramophone'"):
        Espeak("gramophone", 150).render("hello", tmp_path / "a.wav")


def test_where_espeak_cannot_be_loaded_it_says_which_package(tmp_path):
    (tmp_path / "pyttsx3.py").write_text("raise OSError('libespeak-ng.so.1: cannot open shared object file')")
    without = (
        sys.executable,
        "-c",
        f"import sys, runpy; sys.path.insert(0, {str(tmp_path)!r}); {_RUN_PYTTSX3_PROCESS}",
    )
    with pytest.raises(CannotSpeak, match="apt-get install libespeak-ng1"):
        Espeak("en", 150, program=without).render("hello", tmp_path / "a.wav")


_RUN_PYTTSX3_PROCESS = (
    f"runpy.run_path({str(Path(__file__).parents[2] / 'seance/speech/pyttsx3_process.py')!r}, run_name='__main__')"
)


def test_a_hanging_espeak_is_ended(tmp_path):
    pid = tmp_path / "pid"
    engine = Espeak("en", 150, timeout_seconds=2.0, program=program(HANG.format(pid=str(pid))))
    with pytest.raises(CannotSpeak, match="was ended: it took 2 s for 'hello'"):
        engine.render("hello", tmp_path / "a.wav")
    assert not is_running(pid)


def test_an_espeak_that_dies_is_reported(tmp_path):
    engine = Espeak("en", 150, program=program("import os; os.kill(os.getpid(), 9)"))
    with pytest.raises(CannotSpeak, match="espeak-ng died"):
        engine.render("hello", tmp_path / "a.wav")


def test_a_program_that_is_not_there_is_reported(tmp_path):
    with pytest.raises(CannotSpeak, match="cannot be run"):
        Espeak("en", 150, program=("/nowhere/espeak",)).render("hello", tmp_path / "a.wav")


def test_piper_stays_for_the_next_line(tmp_path, model):
    engine = Piper(model, 150, program=program(PIPER))
    for number, text in enumerate(("one", "two"), start=1):
        engine.render(text, tmp_path / f"{number}.wav")
        assert read_wave(tmp_path / f"{number}.wav").seconds > 0
    assert engine._process.poll() is None
    running = engine._process
    engine.close()
    assert running.poll() is not None


def test_piper_gets_a_line_as_one_line(tmp_path, model):
    engine = Piper(model, 150, program=program(PIPER))
    engine.render("one\ntwo", tmp_path / "a.wav")
    engine.render("six", tmp_path / "b.wav")
    engine.close()
    assert len(read_wave(tmp_path / "a.wav").samples) == len("one two\n")
    assert len(read_wave(tmp_path / "b.wav").samples) == len("six\n")


def test_piper_is_started_again_after_it_died(tmp_path, model):
    engine = Piper(model, 150, program=program(PIPER))
    engine.render("last words", tmp_path / "a.wav")
    engine._process.wait(5)
    engine.render("again", tmp_path / "b.wav")
    engine.close()
    assert (tmp_path / "b.wav").exists()


def test_a_hanging_piper_is_ended(tmp_path, model):
    pid = tmp_path / "pid"
    engine = Piper(model, 150, timeout_seconds=2.0, program=program(HANG.format(pid=str(pid))))
    with pytest.raises(CannotSpeak, match="was ended"):
        engine.render("hello", tmp_path / "a.wav")
    assert not is_running(pid)


def test_a_hanging_piper_is_ended_by_closing_it(tmp_path, model):
    pid = tmp_path / "pid"
    engine = Piper(model, 150, program=program(HANG.format(pid=str(pid))))
    troubles = []

    def speak():
        try:
            engine.render("hello", tmp_path / "a.wav")
        except CannotSpeak as trouble:
            troubles.append(trouble)

    speaker = threading.Thread(target=speak)
    speaker.start()
    while not (pid.exists() and pid.read_text()):
        assert speaker.is_alive()
    engine.close()
    speaker.join(5)
    assert troubles
    assert not is_running(pid)


def test_a_piper_that_dies_says_its_last_words(tmp_path, model):
    engine = Piper(model, 150, program=program("raise SystemExit('no memory left')"))
    with pytest.raises(CannotSpeak, match="piper died"):
        engine.render("hello", tmp_path / "a.wav")


def test_a_piper_voice_that_is_not_there_says_how_to_fetch_it(tmp_path):
    with pytest.raises(CannotSpeak, match="seance models fetch piper"):
        Piper(tmp_path / "none.onnx", 150).render("hello", tmp_path / "a.wav")


@pytest.mark.skipif(piper_program() is None or store.find("piper") is None, reason="piper is an extra")
def test_the_real_piper_speaks(tmp_path):
    engine = Piper(store.require("piper") / "en_US-joe-medium.onnx", 150, timeout_seconds=120)
    engine.render("The ghost has spoken.", tmp_path / "a.wav")
    engine.close()
    wave = read_wave(tmp_path / "a.wav")
    assert wave.rms > 0.02
    assert 0.8 < wave.seconds < 4.0


def test_no_module_of_the_house_loads_piper_or_pyttsx3():
    imports = "import sys, seance.speech.synthesis, seance.speech.voice_settings"
    source = f"{imports}; print({{'piper', 'pyttsx3'}} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", source], capture_output=True, text=True).stdout == "set()\n"
