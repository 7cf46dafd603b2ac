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
from hardware.clock import explain_missing_lamps
from hardware.pins import HardwareError, NoGPIOError, Remedy, require_pi
from seance.doctor.finding import Finding, bad, good, warn
from seance.journal import BadJournal, JournalReader, NoJournal, folder_of
from seance.texts import Texts

SERVICE = "seance.service"
GROUP_DEVICES = {"audio": "snd/pcm*", "gpio": "gpiochip*", "spi": "spidev*", "i2c": "i2c-*"}
"""Device files below /dev by the group that owns them on Raspberry Pi OS."""
AVAHI_SOCKET = Path("/run/avahi-daemon/socket")
NAME = "seance"
_COMMAND_TIMEOUT_S = 5.0


def board(texts: Texts, wanted: str, *, turns: int, in_use: bool = False) -> Finding:
    """Return whether the lights, the knocker and the buttons can be used, for a night of so many *turns*."""
    try:
        chosen = load_board(wanted)
    except BadBoard as trouble:
        return bad(texts, "board.wrong", "board.wrong_fix", reason=trouble)
    if chosen.name == "virtual":
        return good(texts, "board.virtual")
    try:
        model = require_pi()
        if in_use:
            return good(texts, "board.in_use", board=chosen.name, model=model)
        with open_body(chosen) as body:
            parts = {"hours": body.clock, "sand": body.bar, "lights": body.lights}
            counts = {name: texts.count(f"board.{name}", len(lamps)) for name, lamps in parts.items()}
    except NoGPIOError as missing:
        if missing.model is None:
            return good(texts, "board.no_pi", board=chosen.name)
        return warn(texts, "board.other_pi", "board.virtual_fix", board=chosen.name, model=missing.model)
    except HardwareError as trouble:
        fix = f"board.{trouble.remedy or Remedy.WIRING}_fix"
        return warn(texts, "board.trouble", fix, reason=trouble.problem)
    key = "board.good" if explain_missing_lamps(len(chosen.clock.outputs), turns) is None else "board.few_hours"
    return good(texts, key, board=chosen.name, model=model, turns=turns, **counts)


def words(texts: Texts, load: Callable[[], None]) -> Finding:
    """Return whether *load* finds the sentences, names and lines in order."""
    try:
        load()
    except ValueError as trouble:
        return bad(texts, "words.wrong", "words.wrong_fix", reason=trouble)
    return good(texts, "words.good")


def permissions(texts: Texts, dev: Path = Path("/dev"), may: Callable[[Path, int], bool] = os.access) -> Finding:
    """Return whether this user can open the devices in *dev*, as *may* answers."""
    closed = sorted(
        group
        for group, pattern in GROUP_DEVICES.items()
        if any(not may(device, os.R_OK | os.W_OK) for device in dev.glob(pattern))
    )
    user = getpass.getuser()
    if closed:
        values = {"user": user, "groups": ", ".join(closed), "list": ",".join(closed)}
        return warn(texts, "permissions.closed", "permissions.closed_fix", **values)
    there = [group for group, pattern in GROUP_DEVICES.items() if any(dev.glob(pattern))]
    return good(texts, "permissions.good" if there else "permissions.none", user=user, devices=", ".join(there))


def journal(texts: Texts, path: Path) -> Finding:
    """Return whether the journal at *path* can be written, and each of its nights be read."""
    folder = nights = folder_of(path)
    while not folder.exists():
        folder = folder.parent
    if not folder.is_dir():
        return bad(texts, "nights.no_folder", "nights.no_folder_fix", file=folder, folder=nights)
    user = getpass.getuser()
    closed = [each for each in (folder, *folder.glob("*.night")) if not os.access(each, os.W_OK)]
    if closed:
        return bad(texts, "nights.closed", "nights.closed_fix", file=closed[0], user=user, folder=folder)
    try:
        with JournalReader.open(path) as reader:
            summaries, complaints = reader.examine()
    except NoJournal:
        return good(texts, "nights.none", folder=nights)
    except BadJournal as trouble:
        return bad(texts, "nights.wrong", "nights.wrong_fix", reason=trouble)
    values = {"n": len(summaries), "folder": nights}
    if complaints:
        return warn(texts, "nights.damaged", "nights.damaged_fix", reasons="; ".join(complaints), **values)
    return good(texts, "nights.good", **values)


def service(texts: Texts) -> Finding:
    """Return whether the systemd service is installed and runs."""
    facts = _service_facts()
    if facts.get("LoadState") != "loaded":
        return good(texts, "service.none")
    state, status = facts.get("ActiveState", ""), facts.get("StatusText") or texts("service.no_status")
    if state == "failed":
        result = facts.get("Result") or texts("service.unknown")
        return bad(texts, "service.failed", "service.failed_fix", result=result)
    if state != "active":
        return warn(texts, "service.idle", "service.idle_fix", state=state)
    restarts = int(facts.get("NRestarts") or 0)
    if restarts:
        counted = texts.count("service.restarts", restarts)
        return warn(texts, "service.restarted", "service.restarted_fix", status=status, restarts=counted)
    return good(texts, "service.good", status=status)


def service_runs() -> bool:
    """Return whether the systemd service is running or about to start or stop."""
    return _service_facts().get("ActiveState") in ("active", "activating", "deactivating")


def network(texts: Texts, port: int, name: str | None = None) -> Finding:
    """Return the addresses of the page in the network."""
    own = own_address()
    if own is None:
        return warn(texts, "network.none", "network.none_fix")
    number = f"http://{own}:{port}/"
    if not AVAHI_SOCKET.exists():
        return warn(texts, "network.unnamed", "network.unnamed_fix", number=number)
    called = name or socket.gethostname().partition(".")[0]
    return good(texts, "network.good", name=f"http://{called}.local:{port}/", number=number)


def page(texts: Texts, port: int, *, in_use: bool = False) -> Finding:
    """Return whether the page answers, or its *port* is free."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=2.0):
        if in_use:
            return good(texts, "page.good", port=port)
        return warn(texts, "page.taken", "page.taken_fix", port=port)
    if in_use:
        return warn(texts, "page.silent", "page.silent_fix", port=port)
    return good(texts, "page.free", port=port)


def broker(texts: Texts, host: str, try_broker: Callable[[], str]) -> Finding:
    """Return whether the MQTT broker at *host* lets the house in."""
    try:
        answer = try_broker()
    except ValueError as reason:
        return warn(texts, "MQTT.unusable", "MQTT.unusable_fix", reason=reason)
    if answer == "good":
        return good(texts, "MQTT.good", host=host)
    return warn(texts, f"MQTT.{answer}", f"MQTT.{answer}_fix", host=host)


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
