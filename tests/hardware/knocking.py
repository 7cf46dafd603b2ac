"""A program that knocks and comes to an end in the middle of one: `python -m tests.hardware.knocking LEVELS PINS END`.

PINS are `lasting` or `lgpio` (on a made-up chip); END is a signal's name, `raise`, `exit` or `leave` (the main thread
just ends), with `:MILLISECONDS` after the knock has begun, or `safe`. `KILL:0` dies while the pin is driven.
"""

import os
import signal
import sys
import threading
import time
from pathlib import Path

from hardware.__main__ import main
from hardware.body import open_body
from hardware.rhythm import Beat
from tests.hardware.lasting_pins import LastingFactory, drop_dead

COIL = 21
"""On the breadboard."""


def pins(kind: str, levels: Path):
    if kind == "lasting":
        return LastingFactory(levels, coil=COIL)
    from tests.hardware.made_up_pi import MadeUpPi  # only where lgpio is

    return MadeUpPi(chip=0)


def run(levels: Path, kind: str, end: str) -> None:
    factory = pins(kind, levels)
    if end == "safe":
        sys.exit(main(["safe", "--board", "breadboard"], pin_factory=factory))
    how, _, milliseconds = end.partition(":")
    # Whoever runs tests under nohup has them ignore it.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    body = open_body("breadboard", pin_factory=factory)
    high = threading.Event()
    if kind == "lasting":
        factory.when_high = drop_dead if end == "KILL:0" else high.set
    else:
        threading.Thread(target=lambda: watch(levels, high), daemon=True).start()
    body.knocker.play((Beat(0.01), Beat(0.15), Beat(0.15), Beat(0.15)))
    high.wait()
    time.sleep(float(milliseconds or 0) / 1000)
    come_to_an_end(how)


def watch(levels: Path, high: threading.Event) -> None:
    while not levels.read_bytes().ljust(64, b"\0")[COIL]:
        time.sleep(0.001)
    high.set()


def come_to_an_end(how: str) -> None:
    if how == "raise":
        raise SystemError("thrown in the middle of a knock")
    if how == "exit":
        sys.exit(3)
    if how != "leave":
        os.kill(os.getpid(), getattr(signal, f"SIG{how}"))
        time.sleep(10)  # the signal ends this


if __name__ == "__main__":
    run(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
