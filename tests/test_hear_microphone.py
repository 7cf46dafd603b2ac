"""`seance hear` at a real microphone."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable

from tests.test_hear_program import speech


def repeat(say: Callable[[], None], heard: threading.Event) -> None:
    """Say it again, as somebody at a table would, until it was heard; four times at the most."""
    for _ in range(4):
        if not heard.is_set():
            say()


def test_what_is_said_at_the_microphone_is_printed_as_it_is_heard(sound_rig, tmp_path):
    said = speech(tmp_path / "a.wav", "I choose card seven", pause=1.5)
    program = [sys.executable, "-m", "seance", "hear"]
    listening = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    giving_up = threading.Timer(60, listening.kill)
    giving_up.start()
    with listening:
        assert listening.stdout is not None
        assert listening.stderr is not None
        told = ""
        while "microphone: listening" not in told:
            told = listening.stderr.readline()
            assert told, "it ended before it listened"
        heard = threading.Event()
        speaking = threading.Thread(target=repeat, args=(lambda: sound_rig.speak_in_room(said), heard))
        speaking.start()
        line = listening.stdout.readline()
        heard.set()
        speaking.join()
        listening.send_signal(signal.SIGINT)
        listening.communicate()  # a pipe that is closed while it still speaks would be another end than Ctrl-C
    giving_up.cancel()
    fact = json.loads(line)
    assert listening.returncode == 0
    assert (fact["file"], fact["intent"], fact["slots"]) == (None, "place_intuition", {"card": 7})
