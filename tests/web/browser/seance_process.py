"""`seance run` as a host starts it, for pages: a real process, only typed words, no sound."""

import socket
import subprocess
import sys
import threading
from pathlib import Path
from urllib.request import urlopen

SETTINGS = """
language = "{language}"
[game]
visions = "{visions}"
[telling]
pace = "brisk"
opening = "skipped"
first_night = false
[ambience]
on = false
[voice]
engine = "espeak"
[web]
listen = "loopback"
port = {port}
[journal]
path = "{journal}"
"""
PATIENCE = 60.0
"""Seconds in which it starts or ends on a busy machine."""


class SeanceProcess:
    """The program; it may be ended and started again."""

    def __init__(self, folder: Path, *, language: str = "en", visions: str = "table") -> None:
        # Bound, but not listened at: nobody else is given the port, and the house can still listen there.
        self._reserved = socket.socket()
        self._reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._reserved.bind(("127.0.0.1", 0))
        port = self._reserved.getsockname()[1]
        self.language, self.address = language, f"http://127.0.0.1:{port}"
        self._config = folder / "settings.toml"
        self._config.write_text(
            SETTINGS.format(language=language, visions=visions, port=port, journal=folder / "nights.sqlite")
        )
        self.log: list[str] = []
        self.start()

    def start(self) -> None:
        """Start it, and wait until its pages are served."""
        program = [
            sys.executable,
            "-m",
            "tests.web.browser.hurried",
            "run",
            "--config",
            str(self._config),
            "--board",
            "virtual",
        ]
        self.process = subprocess.Popen(
            [*program, "--typed", "--no-sound"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        _until_served(self.address)

    def _read(self) -> None:
        assert self.process.stdout is not None
        self.log += self.process.stdout

    def end(self) -> None:
        """End it as a service is ended."""
        self.process.terminate()
        self._ended()
        self._reserved.close()

    def pull_the_plug(self) -> None:
        """Kill it."""
        self.process.kill()
        self._ended()

    def _ended(self) -> None:
        self.process.wait(PATIENCE)
        self._reader.join()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


def _until_served(address: str) -> None:
    served = threading.Event()
    giving_up = threading.Timer(PATIENCE, served.set)
    giving_up.start()
    while not served.wait(0.05):
        try:
            urlopen(address, timeout=PATIENCE).close()
        except OSError:
            continue
        break
    giving_up.cancel()
    assert not served.is_set(), f"nothing is served at {address}"
