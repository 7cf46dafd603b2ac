"""How wyoming-piper, a real Wyoming server, speaks for the narrator: seconds a line, and what the cache saves."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console

from seance.models import store
from seance.speech.cache import SpeechCache
from seance.speech.synthesis import Synthesizer
from seance.speech.wyoming_voice import WyomingVoice
from seance.wyoming.addresses import Address
from seance.wyoming.connection import WyomingTrouble, describe

ADDRESS = Address("127.0.0.1", 10_200)
VOICE = "en_US-joe-medium"
LINES = (
    "Good evening. Is somebody there?",
    "The clock has struck the seventh hour.",
    "Blue, the ghost has sent you two visions.",
    "Madam Wang has chosen card seventeen.",
    "The sand has run out. Hands off the cards.",
)
STARTUP_S = 120


def wait_for_server() -> None:
    ends = time.monotonic() + STARTUP_S
    while True:
        try:
            describe(ADDRESS, timeout_s=2)
        except WyomingTrouble:
            if time.monotonic() > ends:
                raise
            time.sleep(0.5)
        else:
            return


def main() -> None:
    console = Console(highlight=False)
    folder = store.require("piper")
    command = [sys.executable, "-m", "wyoming_piper", "--voice", VOICE, "--uri", f"tcp://{ADDRESS}"]
    with (
        subprocess.Popen(
            [*command, "--data-dir", str(folder), "--local-files-only"], stderr=subprocess.DEVNULL
        ) as server,
        tempfile.TemporaryDirectory() as kept,
        Synthesizer(WyomingVoice(ADDRESS, "en"), SpeechCache(Path(kept)), by_sentence=True) as narrator,
    ):
        try:
            wait_for_server()
            WyomingVoice(ADDRESS, "en", timeout_s=STARTUP_S).render(
                "Hello.", Path(kept, "hello.wav")
            )  # loads the model
            results = []
            for line in LINES:
                began = time.perf_counter()
                spoken_s, made_s = narrator.render(line).seconds, time.perf_counter() - began
                began = time.perf_counter()
                narrator.render(line)
                results.append(
                    {"line": line, "speech_s": spoken_s, "made_s": made_s, "again_s": time.perf_counter() - began}
                )
                console.print(
                    f"{spoken_s:.1f} s of speech in {made_s:.2f} s, again in {results[-1]['again_s']:.3f} s: {line}"
                )
        finally:
            server.kill()
    path = Path("bench-results/elsewhere.json")
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
