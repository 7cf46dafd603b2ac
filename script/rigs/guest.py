"""An emulated computer (qemu): boots, runs commands through an agent, saves and restores snapshots, loses power."""

import json
import shutil
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from processes import end, free_port, run, start, tail, wait_for
from report import CheckFailed, RigFailed


@dataclass(frozen=True)
class MachineImages:
    """Files that the machine boots from."""

    kernel: Path
    initrd: Path
    disk: Path
    """The root file system; never written."""


class Guest:
    """Runs while entered; *nights* is the disk of /var/lib/seance, *snapshot* is restored instead of booting."""

    def __init__(self, parts: MachineImages, room: Path, nights: Path, *, snapshot: Path | None = None) -> None:
        self._parts, self._room, self._nights, self._snapshot = parts, room, nights, snapshot
        self.port = free_port()
        """Port of this computer that is forwarded to the page."""
        self._agent_socket: socket.socket | None = None
        self._request_count = 0
        self.console = room / "console"

    def __enter__(self) -> Self:
        self._room.mkdir(parents=True, exist_ok=True)
        # no_timer_check: on a busy computer the kernel's test of its timer fails, and it hangs.
        sleeper = ["-incoming", f"exec:cat {self._snapshot}"] if self._snapshot else []
        command: list[str | Path] = [
            "qemu-system-x86_64", "-accel", "tcg,thread=multi", "-machine", "q35", "-cpu", "Nehalem",
            "-smp", "2", "-m", "1024", "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
            "-kernel", self._parts.kernel, "-initrd", self._parts.initrd,
            "-append", "console=ttyS0 quiet systemd.show_status=0 nokaslr mitigations=off no_timer_check panic=1",
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
        self._qmp_replies = self._monitor.makefile("r")
        self._qmp_replies.readline()
        self._qmp("qmp_capabilities")
        self._agent_socket = wait_for("the machine's line", lambda: self._connect("line"), 60)
        self._answers = self._agent_socket.makefile("rb")
        if self._snapshot:
            wait_for("a machine that has woken", lambda: self._qmp("query-status")["status"] != "inmigrate", 180)
            self._qmp("cont")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.unplug()

    def unplug(self) -> None:
        """Kill qemu: what was not flushed to the disk is lost."""
        self._process.kill()
        self._process.wait()
        for way in (self._monitor, self._agent_socket):
            if way is not None:
                way.close()

    def await_boot(self, seconds: float) -> None:
        """Return when the agent answers, or raise RigFailed."""
        try:
            self.run("true", seconds=seconds)
        except CheckFailed as why:
            raise RigFailed(
                f"the machine does not boot: {why}; {tail(self.console.read_text(errors='replace'))}"
            ) from why

    def run(self, command: str, *, seconds: float = 60) -> str:
        """Run *command* in the machine as root and return what it prints, or raise CheckFailed."""
        code, out = self.attempt(command, seconds=seconds)
        if code:
            raise CheckFailed(f"`{command}` ended with {code}: {tail(out)}")
        return out.strip()

    def attempt(self, command: str, *, seconds: float = 60) -> tuple[int, str]:
        """Run *command* in the machine as root and return its exit code and what it prints."""
        answer = self.ask({"run": command}, seconds=seconds)
        return int(answer["code"]), str(answer["out"])

    def ask(self, question: Mapping[str, Any], *, seconds: float = 60) -> dict[str, Any]:
        """Send *question* to the agent in the machine and return its answer."""
        if self._agent_socket is None or self._process.poll() is not None:
            raise RigFailed(f"the machine is off: {tail((self._room / 'qemu').read_text(errors='replace'))}")
        self._request_count += 1
        self._agent_socket.settimeout(seconds)
        self._agent_socket.sendall(json.dumps({**question, "n": self._request_count}).encode() + b"\n")
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                answer: dict[str, Any] = json.loads(self._answers.readline() or b"{}")
            except TimeoutError:
                break
            if answer.get("n") == self._request_count:
                return answer
        # A file object of a socket cannot be read again after a timeout.
        self._answers = self._agent_socket.makefile("rb")
        raise CheckFailed(f"no answer to {dict(question)} within {seconds:.0f} s")

    def save_snapshot(self, into: Path) -> None:
        """Stop the machine and write its memory to *into*; its disk keeps the state of that moment."""
        self._qmp("stop")
        self._qmp("migrate-set-parameters", {"max-bandwidth": 10**10})
        self._qmp("migrate", {"uri": f"exec:cat > {into}"})
        wait_for("a machine that sleeps", self._is_saved, 180)
        end(self._process)

    def _is_saved(self) -> bool:
        status = self._qmp("query-migrate").get("status")
        if status == "failed":
            raise RigFailed("the machine cannot be put to sleep")
        return bool(status == "completed")

    def _qmp(self, order: str, arguments: Mapping[str, Any] | None = None) -> Any:
        self._monitor.sendall(json.dumps({"execute": order, "arguments": arguments or {}}).encode() + b"\n")
        for line in self._qmp_replies:
            answer = json.loads(line)
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                raise RigFailed(f"qemu refuses {order}: {answer['error']}")
        raise RigFailed(f"qemu ended: {tail((self._room / 'qemu').read_text(errors='replace'))}")

    def _connect(self, name: str) -> socket.socket | None:
        if self._process.poll() is not None:
            raise RigFailed(f"qemu ended: {tail((self._room / 'qemu').read_text(errors='replace'))}")
        way = socket.socket(socket.AF_UNIX)
        try:
            way.connect(str(self._room / name))
        except OSError:
            way.close()
            return None
        return way


def make_nights_disk(raw: Path, megabytes: int = 64) -> None:
    """Make an empty ext4 image for the nights, journalled as the card of a Pi is."""
    with raw.open("wb") as file:
        file.truncate(megabytes << 20)
    run("mke2fs", "-q", "-F", "-t", "ext4", "-L", "nights", raw)


def make_overlay_image(raw: Path, into: Path) -> None:
    """Make a qcow2 overlay over *raw*, in which unflushed writes are lost when qemu is killed."""
    run("qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", raw, into)


def read_back(image: Path, folder: Path) -> None:
    """Recover the disk of a machine that lost power, as a Pi would at its next start, and copy its files to *folder*."""
    raw = folder / "disk"
    run("qemu-img", "convert", "-f", "qcow2", "-O", "raw", image, raw)
    try:
        run("e2fsck", "-f", "-p", raw)
    except RigFailed as why:
        if "ended with 1:" not in str(why):  # exit code 1: errors were corrected
            raise CheckFailed(f"the card is damaged: {why}") from why
    run("debugfs", "-R", f"rdump / {folder}", raw)
    shutil.rmtree(folder / "lost+found", ignore_errors=True)
    raw.unlink()
