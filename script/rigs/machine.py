"""A night on an emulated machine with kernel, GPIO lines and disk; words are typed, since recognition is too slow there."""

import shutil
import time
from pathlib import Path

import build_cache
import kernel
import power_cut
from guest import Guest, MachineImages, make_nights_disk, make_overlay_image
from page import Page
from pins import Pins
from processes import wait_for
from report import CheckFailed, Report, RigFailed, require

HOURS = (4, 5, 6, 7, 8, 9, 10)
"""GPIO lines of the hour lamps on the board `breadboard`."""
COIL = 21
VISIONS = 22
YES = 23
NO = 24
BEGIN = (
    "begin the séance",
    "we are four, easy, the usual rules, red blue and white play, skip the story, dealt by hand",
    "yes",
)
MIN_PULSE_S = 0.03
MAX_PULSE_S = 0.2
"""Length of a pulse of the coil."""
TIMEOUT_S = 240
"""Generous, since an emulated machine is slow and this computer may be busy."""


_MAKE_SAY_UNIT = (
    "sed -e 's|^ExecStart=.*|ExecStart=/opt/seance/bin/python -P -m seance say Good evening.|' -e 's/^Type=.*/Type=oneshot/'"
    " -e 's/^TimeoutStartSec=.*/TimeoutStartSec=240/' -e '/^ExecStopPost\\|^Restart\\|^WatchdogSec\\|^NotifyAccess/d'"
    " -e 's|/run/seance|/run/rig-say|g' -e 's/^RuntimeDirectory=.*/RuntimeDirectory=rig-say/'"
)
"""Makes a unit that speaks a line from the service's unit, with the same sandbox."""


class Table:
    """The machine, its pins, and the table's page."""

    def __init__(self, machine: Guest) -> None:
        self.machine, self.pins = machine, Pins(machine)
        self.page = Page(machine.port, timeout=TIMEOUT_S)
        self.pulses: list[float] = []
        """Lengths of all measured pulses of the coil (seconds)."""

    def new_page(self) -> None:
        """Open the page anew, as is needed after every start of the service."""
        self.page.close()
        self.page = Page(self.machine.port, timeout=TIMEOUT_S)

    def show(self, name: str) -> str:
        """Return the systemd property *name* of the service."""
        return self.machine.run(f"systemctl show --value -p {name} seance.service")

    @property
    def pid(self) -> int:
        """The PID of the service; 0 for none."""
        return int(self.show("MainPID"))

    def press_until(self, line: int, what: str, holds) -> None:
        """Press a button up to three times until *holds* is true of the night and the state."""
        for _ in range(3):
            self.pins.press(line)
            try:
                self.page.await_state(what, lambda state: holds(state["night"] or {}, state), 30)
            except CheckFailed as why:
                late = why
            else:
                return
        raise late


def check(report: Report, disk: Path, folder: Path, *, full: bool) -> None:
    """Play part of a night on a machine with *disk*, and check it through kills, hangs and power cuts."""
    kept = build_cache.cached_build("kernel", kernel.RECIPE, kernel.build)
    parts = MachineImages(kept / "vmlinuz", kept / "initrd", disk)
    nights = folder / "nights.raw"
    folder.mkdir()
    make_nights_disk(nights)
    make_overlay_image(nights, folder / "nights.qcow2")
    report.say("switching the machine on")
    with Guest(parts, folder / "machine", folder / "nights.qcow2") as machine:
        machine.await_boot(TIMEOUT_S)
        table = _check_start(report, machine)
        before = len(report.failed)
        _check_hour(report, table)
        if len(report.failed) > before:
            # On SIGABRT Python prints the stack of each thread.
            machine.attempt("systemctl kill -s ABRT seance; sleep 5")
            report.say(_journal(machine))
            raise RigFailed("a house that does not hold an hour is not worth breaking")
        _check_killed(report, table)
        _check_stopped(report, table)
        _check_starved(report, table)
        if len(report.failed) > before:
            report.say(_journal(machine))
        _begin_to_choose(table)
        table.page.close()
        machine.save_snapshot(folder / "asleep")
        shutil.copy(folder / "nights.qcow2", folder / "nights-asleep.qcow2")
    power_cut.check(report, parts, folder, times=20 if full else 3)


def _journal(machine: Guest) -> str:
    """Return the last lines that the service logged."""
    return machine.attempt("journalctl -q -o short-monotonic --no-pager -u seance | tail -n 150")[1]


def _check_start(report: Report, machine: Guest) -> Table:
    with report.check("the service starts at boot, on a read-only disk and before there is a network") as details:
        wait_for("an active service", lambda: machine.attempt("systemctl is-active seance")[0] == 0, TIMEOUT_S, every=1)
        machine.run("! touch /etc/nothing 2>/dev/null")
        require("10.0.2" not in machine.run("ip -4 -o address"), "there is a network already")
        details.append(machine.run("systemctl show --value -p StatusText seance"))
        details.append(f"{_startup_seconds(machine):.0f} s from its start to ready, emulated")
    with report.check("it holds the lines of the header, not those of a virtual board"):
        machine.run("! journalctl -q -o cat -u seance | grep -i 'virtual board'")
    with report.check("locked in as the service is, the voice speaks through a sound card of the kernel") as details:
        details.append(_speak(machine))
    machine.run("ip link set dev $(ls /sys/class/net | grep -v lo | head -n 1) up")
    machine.run("ip address add 10.0.2.15/24 dev $(ls /sys/class/net | grep -v lo | head -n 1)")
    with report.check("the page is reachable as soon as there is a network"):
        return Table(machine)
    raise RigFailed("without the page nobody can say anything")


def _speak(machine: Guest) -> str:
    """Speak a line in the service's sandbox, and return the sound card's status, or raise CheckFailed."""
    machine.run(f"{_MAKE_SAY_UNIT} /etc/systemd/system/seance.service >/run/systemd/system/rig-say.service")
    machine.run("systemctl daemon-reload")
    look = "for n in $(seq 600); do grep -H RUNNING /proc/asound/card*/pcm*p/sub*/status && break; sleep 0.1; done"
    for _ in range(3):
        out = machine.run(f"systemctl start --no-block rig-say; {look}", seconds=TIMEOUT_S)
        if "RUNNING" in out:
            machine.run("while systemctl is-active rig-say | grep -q activating; do sleep 0.5; done", seconds=TIMEOUT_S)
            require(machine.run("systemctl show --value -p Result rig-say") == "success", _say_log(machine))
            return out.splitlines()[0]
    raise CheckFailed(f"the card was silent: {_say_log(machine)}")


def _say_log(machine: Guest) -> str:
    return machine.attempt("journalctl -q -o cat -u rig-say | tail -n 10")[1]


def _startup_seconds(machine: Guest) -> float:
    began, ready = (
        int(machine.run(f"systemctl show --value -p {name} seance"))
        for name in ("InactiveExitTimestampMonotonic", "ActiveEnterTimestampMonotonic")
    )
    return (ready - began) / 1e6


def _check_hour(report: Report, table: Table) -> None:
    page, pins = table.page, table.pins
    pins.trace(COIL)
    with report.check("words at the page begin a night, and the lamp of the first hour is lit, no other") as details:
        for words in BEGIN:
            page.say(words)
        page.await_state("the first hour", lambda state: (state["night"] or {}).get("hour") == 1, TIMEOUT_S)
        details.append(_see_hour(pins, 1))
    with report.check("the first hour is knocked once"):
        _count_pulses(table, 1)
    with report.check("the ghost's button gives visions, and turns the sand"):
        _give_visions(table)
    with report.check("words at the page place intuitions and call the time"):
        _choose(table)
    with report.check("the ghost's yes is one pulse of the coil"):
        _answer(table, YES, 1)
    with report.check("the ghost's no is two"):
        _answer(table, NO, 2)
    with report.check("the kernel saw whole knocks, and the coil never on for more than 200 ms") as details:
        details.append(", ".join(f"{pulse * 1000:.0f} ms" for pulse in table.pulses))
        # One pulse may be stretched where this computer, and so the emulated one, stalled.
        longer = [pulse for pulse in table.pulses if pulse > MAX_PULSE_S]
        require(max(table.pulses, default=0) >= MIN_PULSE_S and len(longer) <= 1, details[0])


def _see_hour(pins: Pins, hour: int) -> str:
    """Check that the lamps up to *hour* are lit and the others dark, and return the share of time it is lit."""

    def is_so() -> list[float] | None:
        shares = pins.share_high(list(HOURS), 3.2)
        gone, ahead = shares[: hour - 1], shares[hour:]
        return shares if min((*gone, shares[hour - 1])) > 0.1 and not any(ahead) else None

    shares = wait_for(f"the lamp of hour {hour} alone", is_so, TIMEOUT_S)
    return f"GPIO {HOURS[hour - 1]} is high for {shares[hour - 1]:.0%} of a breath"


def _give_visions(table: Table) -> None:
    """Give everybody a vision and turn the sand with the ghost's button."""
    seekers = len([one for one in table.page.night["psychics"] if one["searching"] != "done"])
    for count in range(1, seekers + 1):
        table.press_until(VISIONS, f"vision {count}", lambda night, _, n=count: _served(night) >= n)
    table.press_until(VISIONS, "running sand", lambda _, state: (state["sand"] or {}).get("running"))


def _served(night: dict) -> int:
    return sum(1 for one in night["psychics"] if one["served"])


def _choose(table: Table) -> None:
    for place, one in zip(("first", "second", "third"), table.page.night["psychics"], strict=False):
        table.page.say(f"{one['colour']} chooses the {place} {one['searching']}")
    table.page.await_state(
        "three choices", lambda state: all(_chosen(one) for one in state["night"]["psychics"]), TIMEOUT_S
    )
    table.page.say("we are ready")
    table.page.await_state("answers", lambda state: state["night"]["phase"] == "manifestation", TIMEOUT_S)


def _chosen(psychic: dict) -> bool:
    return psychic["intuition"] is not None


def _answer(table: Table, button: int, knocks: int) -> None:
    """Answer with one of the ghost's buttons, and count the knocks."""
    table.pins.trace(COIL)
    answered = sum(1 for one in table.page.night["psychics"] if one["answered"])
    table.press_until(
        button, "an answer", lambda night, _: sum(1 for one in night["psychics"] if one["answered"]) > answered
    )
    _count_pulses(table, knocks)


def _count_pulses(table: Table, wanted: int) -> None:
    pulses = table.pins.await_pulses(wanted, TIMEOUT_S)
    table.pulses += pulses
    require(len(pulses) == wanted, f"{len(pulses)} pulses: {pulses}")
    require(table.pins.level(COIL) == 0, "the coil is still on")


def _check_killed(report: Report, table: Table) -> None:
    old = table.pid
    with report.check(
        "killed in the middle of a knock it comes back, and the coil was driven low behind it"
    ) as details:
        table.pins.trace(COIL)
        began = time.monotonic()
        killing = {"kill": old, "line": COIL, "button": NO, "seconds": 60}
        tries = (table.machine.ask(killing, seconds=TIMEOUT_S)["killed"] for _ in range(3))
        require(any(tries), "there was no knock to be killed in")
        _await_return(table, old)
        details.append(f"{time.monotonic() - began:.0f} s")
        _check_coil(table, old, may_knock=True)
    with report.check("what was answered before it was killed is answered, and the next hour has come"):
        table.new_page()
        table.page.await_state("the second hour", lambda state: (state["night"] or {}).get("hour") == 2, TIMEOUT_S)
        _see_hour(table.pins, 2)


def _check_stopped(report: Report, table: Table) -> None:
    _check_fault(report, table, "stopped with SIGSTOP", lambda pid: table.machine.run(f"kill -STOP {pid}"))


def _check_starved(report: Report, table: Table) -> None:
    def starve(pid: int) -> None:
        code = table.machine.ask({"hold": pid})["code"]
        require(code == 0, f"its loop cannot be held: error {code}")

    _check_fault(report, table, "with a loop that stands still while the rest lives", starve)


def _check_fault(report: Report, table: Table, how: str, fault) -> None:
    with report.check(f"{how} it comes back by itself, with the night as it was and the coil low") as details:
        before, old = table.page.night, table.pid
        table.page.close()
        table.pins.trace(COIL)
        began = time.monotonic()
        fault(old)
        _await_return(table, old)
        details.append(f"{time.monotonic() - began:.0f} s")
        details.append(table.machine.run("journalctl -q -o cat -u seance | grep -o 'Failed with result.*' | tail -n 1"))
        _check_coil(table, old)
        table.new_page()
        table.page.await_state("the night as it was", lambda state: state["night"] == before, TIMEOUT_S)


def _await_return(table: Table, old: int) -> None:
    wait_for(
        "a new process that is ready",
        lambda: table.pid not in (0, old) and table.show("ActiveState") == "active",
        TIMEOUT_S,
        every=1,
    )


def _check_coil(table: Table, old: int, *, may_knock: bool = False) -> None:
    """Raise CheckFailed unless the coil was driven low between two runs of the service, and is off.

    With *may_knock* the new run may already have knocked.
    """
    behind = [change for change in table.pins.changes() if change.pid != old]
    new = table.pid
    require(may_knock or not any(change.level for change in behind), f"it knocked: {behind}")
    require(bool(behind) and behind[0].pid != new, f"nobody drove the coil low between {old} and {new}: {behind}")
    require(not behind[0].level, f"the coil was driven high: {behind}")
    wait_for("a coil that is off", lambda: table.pins.level(COIL) == 0, 1)


def _begin_to_choose(table: Table) -> None:
    """Bring the night to the choice of cards, where each sentence is an entry of the journal."""
    try:
        _give_visions(table)
    except CheckFailed as why:
        raise RigFailed(f"there is no night to be cut: {why}") from None
