"""Checks of the board, device permissions, journal, systemd service, network name and page."""

from __future__ import annotations

import getpass
import os
import socket
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from hardware.board import BadBoard, load_board
from hardware.body import open_body
from hardware.pins import HardwareError, NoGPIOError, require_pi
from seance.doctor.finding import Finding, bad, good, warn
from seance.journal import BadJournal, JournalReader, NoJournal, folder_of

SERVICE = "seance.service"
GROUP_DEVICES = {"audio": "snd/pcm*", "gpio": "gpiochip*", "spi": "spidev*", "i2c": "i2c-*"}
"""Device files below /dev by the group that owns them on Raspberry Pi OS."""
AVAHI_SOCKET = Path("/run/avahi-daemon/socket")
NAME = "seance"
_COMMAND_TIMEOUT_S = 5.0


def board(wanted: str, *, in_use: bool = False) -> Finding:
    """Return whether the lights, the knocker and the buttons can be used."""
    try:
        chosen = load_board(wanted)
    except BadBoard as trouble:
        return bad("board", str(trouble), "correct body.board in the settings, or that file")
    if chosen.name == "virtual":
        return good("board", "virtual: no copper, all is shown")
    try:
        model = require_pi()
        if in_use:
            return good("board", f"'{chosen.name}' on this Raspberry Pi {model} is in use by the house")
        with open_body(chosen) as body:
            parts = f"{len(body.clock)} hours, {len(body.bar)} lamps of sand, {len(body.lights)} lights"
    except NoGPIOError as reason:
        return warn(
            "board", f"{reason}: the virtual board stands in for '{chosen.name}'", 'body.board = "virtual" says so'
        )
    except HardwareError as trouble:
        what, _, fix = str(trouble).rpartition(": ")
        return warn("board", f"{what}; the virtual board stands in", fix)
    return good("board", f"'{chosen.name}' on this Raspberry Pi {model}: {parts}")


def words(load: Callable[[], None]) -> Finding:
    """Return whether *load* finds the sentences, names and lines in order."""
    try:
        load()
    except ValueError as trouble:
        return bad("words", str(trouble), "correct that file, or that line of the settings")
    return good("words", "sentences, names and lines are in order")


def permissions(dev: Path = Path("/dev"), may: Callable[[Path, int], bool] = os.access) -> Finding:
    """Return whether this user can open the devices in *dev*, as *may* answers."""
    closed = sorted(
        group
        for group, pattern in GROUP_DEVICES.items()
        if any(not may(device, os.R_OK | os.W_OK) for device in dev.glob(pattern))
    )
    user = getpass.getuser()
    if closed:
        fix = f"sudo usermod -aG {','.join(closed)} {user}, then log in again"
        return warn("permissions", f"{user} may not use the devices of {', '.join(closed)}", fix)
    there = [group for group, pattern in GROUP_DEVICES.items() if any(dev.glob(pattern))]
    return good("permissions", f"{user} may use {', '.join(there) or 'all there is, which is no device'}")


def journal(path: Path) -> Finding:
    """Return whether the journal at *path* can be written, and each of its nights be read."""
    name, nights = "nights", folder_of(path)
    folder = nights
    while not folder.exists():
        folder = folder.parent
    if not folder.is_dir():
        return bad(name, f"{folder} is no folder: nights cannot be written to {nights}", "journal.path names another")
    user = getpass.getuser()
    closed = [each for each in (folder, *folder.glob("*.night")) if not os.access(each, os.W_OK)]
    if closed:
        return bad(name, f"{closed[0]} cannot be written by {user}", f"sudo chown -R {user} {folder}")
    try:
        with JournalReader.open(path) as reader:
            summaries, complaints = reader.examine()
    except NoJournal:
        return good(name, f"none yet; they go to {nights}")
    except BadJournal as trouble:
        return bad(name, str(trouble), "move that file away; journal.path names another")
    count = f"{len(summaries)} in {nights}"
    if complaints:
        fix = "bring them back from a backup: seance nights recover FOLDER"
        return warn(name, f"{count}; {'; '.join(complaints)}", fix)
    return good(name, count)


def service() -> Finding:
    """Return whether the systemd service is installed and runs."""
    facts = _service_facts()
    if facts.get("LoadState") != "loaded":
        return good("service", "not installed: script/run holds a night, sudo script/install makes a service")
    state, status = facts.get("ActiveState", ""), facts.get("StatusText", "")
    if state == "failed":
        fix = "journalctl -u seance -n 30 says why; then: sudo systemctl start seance"
        return bad("service", f"it has failed ({facts.get('Result', 'unknown')})", fix)
    if state != "active":
        return warn("service", f"it is {state}", "sudo systemctl start seance")
    restarts = facts.get("NRestarts", "0")
    if restarts != "0":
        return warn("service", f"it runs ({status}), after {restarts} restarts", "journalctl -u seance says why")
    return good("service", f"it runs: {status or 'no status'}")


def service_runs() -> bool:
    """Return whether the systemd service is running or about to start or stop."""
    return _service_facts().get("ActiveState") in ("active", "activating", "deactivating")


def network(port: int, name: str | None = None) -> Finding:
    """Return the addresses of the page in the network."""
    own = own_address()
    if own is None:
        fix = "join a network, or let the Pi be one: see `hotspot` in README.md"
        return warn("network", "this machine is in no network: the page is for itself alone", fix)
    number = f"http://{own}:{port}/"
    if not AVAHI_SOCKET.exists():
        fix = "sudo apt install avahi-daemon avahi-utils, then sudo script/install"
        return warn("network", f"the page is at {number}; names are not published", fix)
    called = name or socket.gethostname().partition(".")[0]
    return good("network", f"the page is at http://{called}.local:{port}/ and {number}")


def page(port: int, *, in_use: bool = False) -> Finding:
    """Return whether the page answers, or its *port* is free."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=2.0):
        if in_use:
            return good("page", f"it answers at port {port}")
        fix = f"`ss -ltnp 'sport = :{port}'` says whose it is; web.port takes another"
        return warn("page", f"another program answers at port {port}", fix)
    if in_use:
        return warn("page", f"the house is awake, but nothing answers at port {port}", "journalctl -u seance says why")
    return good("page", f"port {port} is free for it")


def own_address() -> str | None:
    """Return this machine's IPv4 address in its network; None without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a UDP connect sends nothing: it only looks up the route
        except OSError:
            return None
        return str(probe.getsockname()[0])


def _service_facts() -> dict[str, str]:
    wanted = "LoadState,ActiveState,StatusText,NRestarts,Result"
    command = ["systemctl", "show", SERVICE, "--property", wanted]
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=_COMMAND_TIMEOUT_S, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return {}
    return dict(line.split("=", 1) for line in asked.stdout.splitlines() if "=" in line)
