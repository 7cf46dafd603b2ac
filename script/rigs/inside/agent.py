"""Runs in the emulated machine: does what the rig asks through a line of its own, and answers."""

import ctypes
import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path

PTRACE_SEIZE, PTRACE_INTERRUPT = 0x4206, 0x4207
LINE = "/run/rig-lines/sim_gpio{}/{}"


def answer(asked):
    if "press" in asked:
        return press(asked["press"])
    if "watch" in asked:
        return watch(asked["watch"], asked["seconds"])
    if "kill" in asked:
        press(asked["button"])
        return kill_when_high(asked["kill"], asked["line"], asked["seconds"])
    if "hold" in asked:
        return hold(asked["hold"])
    done = subprocess.run(
        ["bash", "-c", asked["run"]], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    return {"code": done.returncode, "out": done.stdout.decode(errors="replace")}


def press(line):
    """Close the contact to ground for as long as a finger would."""
    pull = Path(LINE.format(line, "pull"))
    pull.write_text("pull-down")
    time.sleep(0.15)
    pull.write_text("pull-up")
    return {}


def watch(lines, seconds):
    """Say for which share of the time each line is high."""
    high, looks, until = [0] * len(lines), 0, time.monotonic() + seconds
    while time.monotonic() < until:
        looks += 1
        for place, line in enumerate(lines):
            high[place] += int(Path(LINE.format(line, "value")).read_text())
        time.sleep(0.02)
    return {"high": [count / looks for count in high]}


def kill_when_high(pid, line, seconds):
    """Kill a process at the very moment at which it has driven a line high."""
    until = time.monotonic() + seconds
    with Path(LINE.format(line, "value")).open() as value:
        while time.monotonic() < until:
            value.seek(0)
            if value.read(1) == "1":
                os.kill(pid, signal.SIGKILL)
                return {"killed": True}
    return {"killed": False}


def hold(pid):
    """Hold the first thread of a process where it is, and no other: its loop is dead, the rest of it lives."""
    begun = threading.Event()
    codes = []

    def tracer():
        libc = ctypes.CDLL(None, use_errno=True)
        libc.ptrace.argtypes = [ctypes.c_long] * 4
        held = not libc.ptrace(PTRACE_SEIZE, pid, 0, 0) and not libc.ptrace(PTRACE_INTERRUPT, pid, 0, 0)
        codes.append(0 if held else ctypes.get_errno())
        begun.set()
        while held:  # its parent hears of its end only after us
            _, status = os.waitpid(pid, 0x40000000)
            held = not (os.WIFEXITED(status) or os.WIFSIGNALED(status))

    threading.Thread(target=tracer, daemon=True).start()
    begun.wait()
    return {"code": codes[0]}


def main():
    line = os.open("/dev/virtio-ports/rig", os.O_RDWR)
    waiting = b""
    while True:
        came = os.read(line, 65536)
        if not came:  # nobody is at the other end: the machine was woken somewhere else
            time.sleep(0.1)
            continue
        waiting += came
        while b"\n" in waiting:
            text, waiting = waiting.split(b"\n", 1)
            try:
                asked = json.loads(text)
            except ValueError:
                continue
            try:
                told = answer(asked)
            except OSError as why:
                told = {"code": why.errno, "out": str(why)}
            told = json.dumps({**told, "n": asked["n"]}).encode() + b"\n"
            while told:
                told = told[os.write(line, told) :]


if __name__ == "__main__":
    main()
