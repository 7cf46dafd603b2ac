"""An emulated computer (qemu): switched on, asked through a line of its own, stopped, woken where it was, unplugged."""

import json
import shutil
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from chores import end, free_port, run, start, tail, wait_for
from report import Broken, CannotGoOn

SLOW = 10
"""How many times as long as a Pi it may take for anything: it is emulated, and this computer may be busy."""


@dataclass(frozen=True)
class Parts:
    """What a computer is made of."""

    kernel: Path
    initrd: Path
    disk: Path
    """The root file system; never written."""


class Guest:
    """Runs while it is entered; *nights* is the disk of /var/lib/seance, *asleep* a sleeper to wake instead of a boot."""

    def __init__(self, parts: Parts, room: Path, nights: Path, *, asleep: Path | None = None) -> None:
        self._parts, self._room, self._nights, self._asleep = parts, room, nights, asleep
        self.port = free_port()
        """Of this computer, that leads to the page."""
        self._line: socket.socket | None = None
        self._asked = 0
        self.console = room / "console"

    def __enter__(self) -> Self:
        self._room.mkdir(parents=True, exist_ok=True)
        sleeper = ["-incoming", f"exec:cat {self._asleep}"] if self._asleep else []
        command: list[str | Path] = [
            "qemu-system-x86_64", "-accel", "tcg,thread=multi", "-machine", "q35", "-cpu", "Nehalem",
            "-smp", "2", "-m", "1024", "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
            "-kernel", self._parts.kernel, "-initrd", self._parts.initrd,
            "-append", "console=ttyS0 quiet systemd.show_status=0 nokaslr mitigations=off",
            "-serial", f"file:{self.console}",
            "-drive", f"file={self._parts.disk},format=raw,if=virtio,readonly=on",
            "-drive", f"file={self._nights},format=qcow2,if=virtio,cache=writeback",
            "-netdev", f"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-:8013",
            "-device", "virtio-net-pci,netdev=net,romfile=", "-device", "virtio-rng-pci", "-device", "virtio-serial-pci",
            "-chardev", f"socket,id=line,path={self._room / 'line'},server=on,wait=off",
            "-device", "virtserialport,chardev=line,name=rig",
            "-qmp", f"unix:{self._room / 'qmp'},server=on,wait=off", *sleeper,
        ]  # fmt: skip
        self._process = start(command, self._room / "qemu")
        self._monitor = wait_for("qemu's monitor", lambda: self._connect("qmp"), 60)
        self._heard = self._monitor.makefile("r")
        self._heard.readline()
        self._tell_qemu("qmp_capabilities")
        self._line = wait_for("the machine's line", lambda: self._connect("line"), 60)
        self._answers = self._line.makefile("rb")
        if self._asleep:
            wait_for("a machine that has woken", lambda: self._tell_qemu("query-status")["status"] != "inmigrate", 180)
            self._tell_qemu("cont")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.unplug()

    def unplug(self) -> None:
        """Pull the plug: what the disk has not been given is gone."""
        self._process.kill()
        self._process.wait()
        for way in (self._monitor, self._line):
            if way is not None:
                way.close()

    def await_boot(self, seconds: float) -> None:
        """Return when it answers, or raise CannotGoOn."""
        try:
            self.run("true", seconds=seconds)
        except Broken as why:
            raise CannotGoOn(
                f"the machine does not boot: {why}; {tail(self.console.read_text(errors='replace'))}"
            ) from why

    def run(self, command: str, *, seconds: float = 60) -> str:
        """Run *command* in the machine as root and return what it prints, or raise Broken."""
        code, out = self.attempt(command, seconds=seconds)
        if code:
            raise Broken(f"`{command}` ended with {code}: {tail(out)}")
        return out.strip()

    def attempt(self, command: str, *, seconds: float = 60) -> tuple[int, str]:
        """Run *command* in the machine as root and return its exit code and what it prints."""
        answer = self.ask({"run": command}, seconds=seconds)
        return int(answer["code"]), str(answer["out"])

    def ask(self, question: Mapping[str, Any], *, seconds: float = 60) -> dict[str, Any]:
        """Return what the agent in the machine answers."""
        if self._line is None or self._process.poll() is not None:
            raise CannotGoOn(f"the machine is off: {tail((self._room / 'qemu').read_text(errors='replace'))}")
        self._asked += 1
        self._line.settimeout(seconds)
        self._line.sendall(json.dumps({**question, "n": self._asked}).encode() + b"\n")
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                answer: dict[str, Any] = json.loads(self._answers.readline() or b"{}")
            except TimeoutError:
                break
            if answer.get("n") == self._asked:
                return answer
        # A reader that has timed out cannot be read from again.
        self._answers = self._line.makefile("rb")
        raise Broken(f"no answer to {dict(question)} within {seconds:.0f} s")

    def send_to_sleep(self, into: Path) -> None:
        """Stop it and write all that it remembers to a file; its disk is then what it was at that moment."""
        self._tell_qemu("stop")
        self._tell_qemu("migrate-set-parameters", {"max-bandwidth": 10**10})
        self._tell_qemu("migrate", {"uri": f"exec:cat > {into}"})
        wait_for("a machine that sleeps", self._sleeps, 180)
        end(self._process)

    def _sleeps(self) -> bool:
        status = self._tell_qemu("query-migrate").get("status")
        if status == "failed":
            raise CannotGoOn("the machine cannot be put to sleep")
        return bool(status == "completed")

    def _tell_qemu(self, order: str, arguments: Mapping[str, Any] | None = None) -> Any:
        self._monitor.sendall(json.dumps({"execute": order, "arguments": arguments or {}}).encode() + b"\n")
        for line in self._heard:
            answer = json.loads(line)
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                raise CannotGoOn(f"qemu refuses {order}: {answer['error']}")
        raise CannotGoOn(f"qemu ended: {tail((self._room / 'qemu').read_text(errors='replace'))}")

    def _connect(self, name: str) -> socket.socket | None:
        if self._process.poll() is not None:
            raise CannotGoOn(f"qemu ended: {tail((self._room / 'qemu').read_text(errors='replace'))}")
        way = socket.socket(socket.AF_UNIX)
        try:
            way.connect(str(self._room / name))
        except OSError:
            way.close()
            return None
        return way


def blank_nights(raw: Path, megabytes: int = 64) -> None:
    """Make the disk of nights: empty, journalled as the card of a Pi is."""
    with raw.open("wb") as file:
        file.truncate(megabytes << 20)
    run("mke2fs", "-q", "-F", "-t", "ext4", "-L", "nights", raw)


def layer(raw: Path, into: Path) -> None:
    """Lay an image over a disk: what is written and not flushed is lost when the plug is pulled."""
    run("qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", raw, into)


def read_back(image: Path, folder: Path) -> None:
    """Copy the nights from the disk of a machine that was unplugged, recovered as a Pi would at its next start."""
    raw = folder / "disk"
    run("qemu-img", "convert", "-f", "qcow2", "-O", "raw", image, raw)
    try:
        run("e2fsck", "-f", "-p", raw)
    except CannotGoOn as why:
        if "ended with 1:" not in str(why):  # 1 is: mended
            raise Broken(f"the card is damaged: {why}") from why
    run("debugfs", "-R", f"rdump / {folder}", raw)
    shutil.rmtree(folder / "lost+found", ignore_errors=True)
    raw.unlink()
