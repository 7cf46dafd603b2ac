"""Runs in the emulated machine: carries out the rig's requests from a virtio port, and answers."""

import ctypes
import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path

PTRACE_SEIZE = 0x4206
PTRACE_INTERRUPT = 0x4207
LINE_FILE = "/run/rig-lines/sim_gpio{}/{}"


def answer(request):
    if "press" in request:
        return press(request["press"])
    if "watch" in request:
        return watch(request["watch"], request["seconds"])
    if "kill" in request:
        press(request["button"])
        return kill_when_high(request["kill"], request["line"], request["seconds"])
    if "hold" in request:
        return hold(request["hold"])
    done = subprocess.run(
        ["bash", "-c", request["run"]], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    return {"code": done.returncode, "out": done.stdout.decode(errors="replace")}


def press(line):
    """Pull a line to ground for 0.15 s, as a pressed button does."""
    pull = Path(LINE_FILE.format(line, "pull"))
    pull.write_text("pull-down")
    time.sleep(0.15)
    pull.write_text("pull-up")
    return {}


def watch(lines, seconds):
    """Return the share of time for which each line is high."""
    high, looks, until = [0] * len(lines), 0, time.monotonic() + seconds
    while time.monotonic() < until:
        looks += 1
        for place, line in enumerate(lines):
            high[place] += int(Path(LINE_FILE.format(line, "value")).read_text())
        time.sleep(0.02)
    return {"high": [count / looks for count in high]}


def kill_when_high(pid, line, seconds):
    """Kill a process as soon as it has driven a line high."""
    until = time.monotonic() + seconds
    with Path(LINE_FILE.format(line, "value")).open() as value:
        while time.monotonic() < until:
            value.seek(0)
            if value.read(1) == "1":
                os.kill(pid, signal.SIGKILL)
                return {"killed": True}
    return {"killed": False}


def hold(pid):
    """Stop the main thread of a process with ptrace: its loop hangs, its other threads go on."""
    begun = threading.Event()
    codes = []

    def tracer():
        libc = ctypes.CDLL(None, use_errno=True)
        libc.ptrace.argtypes = [ctypes.c_long] * 4
        held = not libc.ptrace(PTRACE_SEIZE, pid, 0, 0) and not libc.ptrace(PTRACE_INTERRUPT, pid, 0, 0)
        codes.append(0 if held else ctypes.get_errno())
        begun.set()
        while held:  # its parent is reply of its end only after the tracer
            _, status = os.waitpid(pid, 0x40000000)
            held = not (os.WIFEXITED(status) or os.WIFSIGNALED(status))

    threading.Thread(target=tracer, daemon=True).start()
    begun.wait()
    return {"code": codes[0]}


def main():
    line = os.open("/dev/virtio-ports/rig", os.O_RDWR)
    waiting = b""
    while True:
        received = os.read(line, 65536)
        if not received:  # nobody is at the other end: the machine was restored elsewhere
            time.sleep(0.1)
            continue
        waiting += received
        while b"\n" in waiting:
            text, waiting = waiting.split(b"\n", 1)
            try:
                request = json.loads(text)
            except ValueError:
                continue
            try:
                reply = answer(request)
            except OSError as why:
                reply = {"code": why.errno, "out": str(why)}
            reply = json.dumps({**reply, "n": request["n"]}).encode() + b"\n"
            while reply:
                reply = reply[os.write(line, reply) :]


if __name__ == "__main__":
    main()
