"""A program that ends in the middle of a knock: `python -m tests.hardware.knocking_program LEVELS PINS END`.

PINS are `persistent` or `lgpio` (on a fake chip); END is a signal's name, `raise`, `exit` or `leave` (the main thread
just ends), with `:MILLISECONDS` after the knock has begun, or `safe`. `KILL:0` dies while the pin is driven. After a
signal that stops it, and SIGCONT, it plays its knocks to the end and exits with the number of them.
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
from tests.hardware.persistent_pins import PersistentPinFactory, kill_self

COIL = 21
"""On the breadboard."""


def pins(kind: str, levels: Path):
    if kind == "persistent":
        return PersistentPinFactory(levels, coil=COIL)
    from tests.hardware.fake_pi import FakePiFactory  # only where lgpio is

    return FakePiFactory(chip=0)


def run(levels: Path, kind: str, end: str) -> None:
    factory = pins(kind, levels)
    if end == "safe":
        sys.exit(main(["safe", "--board", "breadboard"], pin_factory=factory))
    how, _, milliseconds = end.partition(":")
    # nohup makes its children ignore SIGHUP.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    body = open_body("breadboard", pin_factory=factory)
    high = threading.Event()
    if kind == "persistent":
        factory.when_high = kill_self if end == "KILL:0" else high.set
    else:
        threading.Thread(target=lambda: watch(levels, high), daemon=True).start()
    body.knocker.play((Beat(0.01), Beat(0.15), Beat(0.15), Beat(0.15)))
    high.wait()
    time.sleep(float(milliseconds or 0) / 1000)
    if how in ("STOP", "TSTP", "TTIN", "TTOU"):
        os.kill(os.getpid(), getattr(signal, f"SIG{how}"))
        while body.knocker.pending or body.knocker.value:
            time.sleep(0.01)
        sys.exit(body.knocker.count)
    end_program(how)


def watch(levels: Path, high: threading.Event) -> None:
    while not levels.read_bytes().ljust(64, b"\0")[COIL]:
        time.sleep(0.001)
    high.set()


def end_program(how: str) -> None:
    if how == "raise":
        raise SystemError("thrown in the middle of a knock")
    if how == "exit":
        sys.exit(3)
    if how != "leave":
        os.kill(os.getpid(), getattr(signal, f"SIG{how}"))
        time.sleep(10)  # the signal ends this


if __name__ == "__main__":
    run(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
