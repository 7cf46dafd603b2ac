"""What systemd is told, on a real socket."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from seance.daemon.evening import Evening
from seance.daemon.loop import TICK_S, Inbox, run_evening
from seance.daemon.notify import Notifier, status_line
from seance.daemon.signals import Stop
from seance.daemon.terminal_texts import TerminalTexts
from seance.rules import LIBELLUD, PORTAL, Begin, apply, room_view
from tests.daemon.evenings import evening_context

PATIENCE = 60.0
"""Seconds for a program to start, on a busy machine."""


class Manager:
    """The socket on which systemd listens."""

    def __init__(self, path) -> None:
        self.address = str(path)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.address)

    def hears(self, within: float = PATIENCE) -> list[str]:
        """Return the lines of the next datagram."""
        self._socket.settimeout(within)
        return self._socket.recv(4096).decode().splitlines()

    def hears_nothing(self, within: float) -> bool:
        try:
            self.hears(within)
        except TimeoutError:
            return True
        return False

    def hears_until(self, word: str) -> list[str]:
        """Return all lines up to and with the datagram that has *word*."""
        lines = self.hears()
        while word not in lines:
            lines += self.hears()
        return lines

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def manager(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the path of a socket is short
    manager = Manager("notify")
    yield manager
    manager.close()


def test_ready_status_and_watchdog_are_told_in_systemds_words(manager):
    notifier = Notifier.from_environment({"NOTIFY_SOCKET": manager.address})
    notifier.starting("waking up")
    notifier.ready("ready")
    notifier.ping_watchdog("ready")
    notifier.stopping("good\nnight")
    assert [manager.hears() for _ in range(4)] == [
        ["STATUS=waking up"],
        ["READY=1", "STATUS=ready"],
        ["WATCHDOG=1"],
        ["STOPPING=1", "STATUS=good night"],
    ]


def test_a_socket_without_a_file_is_found():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        name = f"seance-test-{os.getpid()}"
        listening.bind(f"\0{name}")
        Notifier(f"@{name}").ping_watchdog("")
        assert listening.recv(100) == b"WATCHDOG=1"


def test_nobody_is_told_where_nobody_asks():
    Notifier.from_environment({}).ready("ready")


def test_a_manager_that_is_gone_does_not_end_the_house(tmp_path):
    Notifier(str(tmp_path / "nobody")).ping_watchdog("")


def test_a_loop_that_is_stuck_feeds_no_watchdog(manager, tmp_path):
    notifier, inbox = Notifier(manager.address), Inbox()
    stuck, go_on = threading.Event(), threading.Event()

    class FakePerformer:
        is_busy = False

        def perform(self, _) -> None:
            if manager_has_heard.is_set() and not go_on.is_set():
                stuck.set()
                go_on.wait()

    manager_has_heard = threading.Event()

    def held() -> None:
        evening = Evening(evening_context(tmp_path / "nights.sqlite"))  # here: a journal belongs to its thread
        run_evening(evening, inbox, FakePerformer(), clock=time.monotonic, on_round=lambda: notifier.ping_watchdog(""))

    loop = threading.Thread(target=held, daemon=True)
    loop.start()
    assert manager.hears() == ["WATCHDOG=1"]
    manager_has_heard.set()
    assert stuck.wait(PATIENCE)
    assert manager.hears_nothing(within=3 * TICK_S)
    go_on.set()
    assert manager.hears() == ["WATCHDOG=1"]
    inbox.put(Stop())
    loop.join(PATIENCE)


def test_the_status_says_how_the_night_stands_and_no_secret():
    night, _ = apply(None, Begin(edition=LIBELLUD, players=5, level="medium", seed=1894))
    texts = TerminalTexts.load("en")
    assert status_line(room_view(night), texts).endswith(" rules, 5 players: hour I, visions")
    assert status_line(None, texts) == "ready: no night has begun"


def test_the_status_is_in_the_words_of_the_edition():
    night, _ = apply(None, Begin(edition=PORTAL, players=5, level="normal", seed=1894))
    assert (
        status_line(room_view(night), TerminalTexts.load("en")) == "the rules of the manor, 5 players: Monday, dreams"
    )


def test_a_service_without_terminal_and_microphone_holds_the_house_until_it_is_stopped(manager, tmp_path):
    (tmp_path / "settings.toml").write_text("")
    program = [sys.executable, "-m", "seance", "run", "--service", "--config", str(tmp_path / "settings.toml")]
    home = {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    started = subprocess.Popen(
        [*program, "--board", "virtual", "--no-sound"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **home, "NOTIFY_SOCKET": str(tmp_path / manager.address), "ALSA_CONFIG_PATH": "/dev/null"},
        text=True,
    )
    try:
        assert "STATUS=ready: no night has begun" in manager.hears_until("READY=1")
        manager.hears_until("WATCHDOG=1")
        started.send_signal(signal.SIGTERM)
        manager.hears_until("STOPPING=1")
        said, _ = started.communicate(timeout=PATIENCE)
    finally:
        started.kill()
    assert started.returncode == 0
    assert said == ""
