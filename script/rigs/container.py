"""A systemd-nspawn container that boots a Debian on this computer's kernel."""

import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from processes import end, start, tail, wait_for
from report import CheckFailed, RigFailed

_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Container:
    """Boots *root* while entered, and runs commands in it as root."""

    def __init__(self, root: Path, log: Path, *, network: bool, binds: Sequence[str] = ()) -> None:
        self._root, self._log, self._network, self._binds = root, log, network, binds
        self._leader = 0

    def __enter__(self) -> Self:
        binds = [f"--bind-ro={folder}" for folder in self._binds]
        private = [] if self._network else ["--private-network"]
        self._process = start(
            ["systemd-nspawn", "-D", self._root, "--boot", "--register=no", "--keep-unit", "--resolv-conf=off",
             "--timezone=off", "--link-journal=no", "--console=pipe", *private, *binds],
            self._log,
        )  # fmt: skip
        self._leader = wait_for("a container that starts", self._find_leader, 60)
        wait_for("a container that has booted", self._has_booted, 120)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        end(self._process, seconds=60)

    def run(self, command: str, *, seconds: float = 60) -> str:
        """Run *command* in a shell and return what it prints, or raise CheckFailed."""
        code, out = self.attempt(command, seconds=seconds)
        if code:
            raise CheckFailed(f"`{command}` ended with {code}: {tail(out)}")
        return out.strip()

    def attempt(self, command: str, *, seconds: float = 60) -> tuple[int, str]:
        """Run *command* in a shell and return its exit code and what it prints."""
        inside = [
            "nsenter",
            f"--target={self._leader}",
            "--mount",
            "--uts",
            "--ipc",
            "--net",
            "--pid",
            "--root",
            "--wd",
        ]
        try:
            done = subprocess.run(
                [*inside, "env", "-i", f"PATH={_PATH}", "HOME=/root", "LANG=C.UTF-8", "sh", "-c", command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as late:
            raise CheckFailed(f"`{command}` did not end in {seconds:.0f} s: {tail(late.stdout)}") from None
        return done.returncode, done.stdout

    def is_off(self) -> bool:
        """Return whether the container has powered off."""
        return self._process.poll() is not None

    def timed(self, command: str) -> float:
        """Run *command* and return how many seconds it took."""
        began = time.monotonic()
        self.run(command)
        return time.monotonic() - began

    def _find_leader(self) -> int | None:
        if self._process.poll() is not None:
            raise RigFailed(f"the container ended: {tail(self._log.read_text(errors='replace'))}")
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        ours = Path("/proc/self/ns/pid").readlink()
        for child in children:
            space = Path(f"/proc/{child}/ns/pid")
            if space.is_symlink() and space.readlink() != ours:
                return int(child)
        return None

    def _has_booted(self) -> bool:
        _code, out = self.attempt("systemctl is-system-running")
        return out.strip() in ("running", "degraded")
