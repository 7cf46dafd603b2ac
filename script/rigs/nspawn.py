"""Checks of install, boot, stop, crash, upgrade and uninstall in a container, without GPIO."""

import time
from pathlib import Path

from container import Container
from installed import SOURCES, Installed, install
from processes import tail, wait_for
from report import CheckFailed, Report, require

SERVICE = "seance.service"
DOCTOR = "/opt/seance/bin/python -P -m seance doctor"
PAGE = "import urllib.request as r; print(r.urlopen('http://127.0.0.1:8013/', timeout=20).status)"
VOLATILE_PATHS = (
    "proc", "sys", "dev", "run", "tmp", "var/tmp", "var/log", "var/cache", "var/lib/apt", "var/lib/dpkg",
    "var/lib/systemd", "etc/ld.so.cache", "etc/mtab", "root",
)  # fmt: skip
"""Paths that Debian or its packages change by themselves."""


def installed_files(inside: Container) -> set[str]:
    """Return all files of a container, without VOLATILE_PATHS, and its user accounts and groups."""
    pruned = " -o ".join(f"-path /{name}" for name in VOLATILE_PATHS)
    files = inside.run(f"find / -xdev \\( {pruned} -o -name __pycache__ \\) -prune -o -print").splitlines()
    accounts = inside.run("cat /etc/passwd /etc/group").splitlines()
    # passwd- and the like are backups of the account tools.
    return {*(file for file in files if not file.endswith("-")), *accounts}


def check(report: Report, product: Installed, before: set[str]) -> None:
    """Check the installed product in containers without and with a network."""
    with product.boot(network=False) as inside:
        _check_boot(report, inside)
        _check_rights(report, inside)
        _check_faults(report, inside)
        _check_settings(report, inside)
        _check_limits(report, inside)
    with product.boot(network=True) as inside:
        _check_upgrade(report, inside, product.root)
        _check_uninstall(report, inside, before)


def _check_boot(report: Report, inside: Container) -> None:
    with report.check("the service is active at boot, without any network") as details:
        await_active(inside)
        details.append(show(inside, "StatusText"))
        require(inside.run("ip -o link | grep -vc LOOPBACK || true") == "0", "there is a network after all")
    with report.check("it has said that it is ready, not only started"):
        require(show(inside, "Type") == "notify", "the unit does not wait for the house to be ready")
    with report.check("the page is reachable on port 8013"):
        require(inside.run(f'python3 -c "{PAGE}"') == "200", "the page does not answer")
    with report.check("no service of the machine has failed"):
        failed = inside.run("systemctl --failed --plain --no-legend | grep -i seance || true")
        require(not failed, failed)


def _check_rights(report: Report, inside: Container) -> None:
    with report.check("it runs as the user seance, with no capability and no way to gain one"):
        status = inside.run(f"cat /proc/{main_pid(inside)}/status")
        number = inside.run("id -u seance")
        for line in (f"Uid:\t{number}", "CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1"):
            require(line in status, f"{line!r} is not so")
    with report.check("nights are its own, program and settings are not"):
        require(owner(inside, "/var/lib/seance") == "750 seance", owner(inside, "/var/lib/seance"))
        require(owner(inside, "/var/lib/seance/nights") == "700 seance", "others may read the nights")
        writable = inside.run(
            "find /opt/seance /etc/seance /usr/local/share/seance ! -user root -o -perm -o+w ! -type l"
        )
        require(not writable, f"not root's alone: {writable[:200]}")
    with report.check("sound, pins and buses are open to it by group"):
        groups = inside.run("id -nG seance").split()
        require({"audio", "gpio", "spi"} <= set(groups), f"it is in {groups}")
    with report.check("systemd-analyze security gives at most 1.5") as details:
        details.append(inside.run(f"systemd-analyze security --threshold=15 --no-pager {SERVICE} | tail -n 1"))


def _check_faults(report: Report, inside: Container) -> None:
    with report.check("systemctl stop takes at most 3 seconds") as details:
        took = []
        for _ in range(3):  # the best of three, since this computer may be busy
            took.append(inside.timed(f"systemctl stop {SERVICE}"))
            require(show(inside, "Result") == "success", f"it ended with {show(inside, 'Result')}")
            inside.run(f"systemctl start {SERVICE}", seconds=120)
            if took[-1] <= 3:
                break
        details.append(f"{min(took):.1f} s")
        require(min(took) <= 3, f"it took {took}")
    with report.check("killed with -9 it comes back by itself") as details:
        old, began = main_pid(inside), time.monotonic()
        inside.run(f"kill -9 {old}")
        wait_for("a new process", lambda: main_pid(inside) not in (old, "0") and is_active(inside), 90)
        details.append(f"{time.monotonic() - began:.1f} s")
    with report.check("nothing is logged as an error"):
        # systemd logs the kill itself, as a warning.
        errors = inside.run(f"journalctl -q -o cat -p err _SYSTEMD_UNIT={SERVICE} || true")
        require(not errors, errors[:400])


def _check_settings(report: Report, inside: Container) -> None:
    with report.check(
        "settings that cannot be used end it, named with their line, and it is not tried again and again"
    ):
        inside.run("cp -p /etc/seance/settings.toml /run/ && echo 'knokcer = 1' >>/etc/seance/settings.toml")
        line = inside.run("wc -l </etc/seance/settings.toml")
        inside.attempt(f"systemctl restart {SERVICE}")
        wait_for("a service that has failed", lambda: show(inside, "ActiveState") == "failed", 60)
        require(show(inside, "ExecMainStatus") == "2", f"it ended with {show(inside, 'ExecMainStatus')}")
        require(show(inside, "NRestarts") == "0", f"it was started again {show(inside, 'NRestarts')} times")
        logged = inside.run(f"journalctl -q -o cat -n 20 -u {SERVICE}")
        require("knokcer" in logged and f"line {line}" in logged, tail(logged))
    with report.check("doctor names the wrong line too, and says that no night can be held"):
        code, details = inside.attempt(f"{DOCTOR} --config /etc/seance/settings.toml", seconds=120)
        require(code != 0 and "knokcer" in details, f"it ended with {code}: {tail(details)}")
    inside.run(f"cp -p /run/settings.toml /etc/seance/ && systemctl reset-failed {SERVICE}")
    inside.run(f"systemctl start {SERVICE}", seconds=120)


def _check_limits(report: Report, inside: Container) -> None:
    with report.check("what falls again and again is let be after the fifth time"):
        for _ in range(6):
            if show(inside, "ActiveState") == "failed":
                break
            old = main_pid(inside)
            inside.run(f"kill -9 {old}")
            wait_for("what comes after it", lambda old=old: _has_fallen_or_risen(inside, old), 90)
        require(show(inside, "ActiveState") == "failed", f"it is {show(inside, 'ActiveState')}")
        inside.run(f"journalctl -q -o cat -n 5 -u {SERVICE} | grep 'repeated too quickly'")
    with report.check("the buttons' wish to switch the machine off is carried out by the unit"):
        unit = "/run/systemd/system/seance.service.d/wish.conf"
        wish = '[Service]\nType=exec\nExecStart=\nExecStart=/bin/sh -c "exit 77"\n'
        inside.run(f"mkdir -p $(dirname {unit}) && printf '{wish}' >{unit} && systemctl daemon-reload")
        inside.run(f"systemctl reset-failed {SERVICE}")
        inside.attempt(f"systemctl start {SERVICE}")
        wait_for("a machine that goes down", inside.is_off, 60)


def _has_fallen_or_risen(inside: Container, old: str) -> bool:
    return show(inside, "ActiveState") == "failed" or (main_pid(inside) not in (old, "0") and is_active(inside))


def _check_upgrade(report: Report, inside: Container, root: Path) -> None:
    await_active(inside)
    settings = root / "etc/seance/settings.toml"
    settings.write_text(settings.read_text() + "\n# the owner's own words\n")
    mine = settings.read_text()
    nights = inside.run("stat -c %i /var/lib/seance/nights")
    with report.check("installing what is installed changes nothing, and the house stays awake"):
        old = main_pid(inside)
        install(inside)
        require(main_pid(inside) == old, "it was started anew")
    with report.check("an upgrade brings the new program and leaves settings and nights alone"):
        changed = root / SOURCES.lstrip("/") / "seance/__init__.py"
        changed.write_text(changed.read_text() + "\nUPGRADED = True\n")
        old = main_pid(inside)
        install(inside)
        await_active(inside)
        inside.run("/opt/seance/bin/python -P -c 'import seance; seance.UPGRADED'")
        require(main_pid(inside) != old, "the old program still runs")
        require(settings.read_text() == mine, "the settings were changed")
        require(inside.run("stat -c %i /var/lib/seance/nights") == nights, "the nights are other ones")


def _check_uninstall(report: Report, inside: Container, before: set[str]) -> None:
    with report.check("an uninstall keeps nights and settings"):
        install(inside, "--uninstall")
        inside.run("test -d /var/lib/seance/nights && test -s /etc/seance/settings.toml")
        require(inside.attempt("id seance")[0] != 0, "the user seance is still there")
    with report.check("an uninstall with --purge leaves nothing"):
        install(inside, "--uninstall", "--purge")
        # Also remove packages that older ones only recommend or suggest.
        apt = "apt-get -y -qq -o APT::AutoRemove::RecommendsImportant=0 -o APT::AutoRemove::SuggestsImportant=0"
        inside.run(f"{apt} autoremove --purge", seconds=300)
        after = installed_files(inside)
        left, gone = _topmost(after - before), _topmost(before - after)
        require(not left, f"left behind: {left[:20]}")
        require(not gone, f"taken along: {gone[:20]}")


def _topmost(files: set[str]) -> list[str]:
    """Return *files* without those whose parent is among them."""
    return sorted(file for file in files if str(Path(file).parent) not in files)


def await_active(inside: Container) -> None:
    """Return when the service is active, or raise CheckFailed with its log."""
    try:
        wait_for("an active service", lambda: is_active(inside), 90)
    except CheckFailed as late:
        raise CheckFailed(f"{late}: {inside.attempt(f'journalctl -q -o cat -n 15 -u {SERVICE}')[1]}") from None


def is_active(inside: Container) -> bool:
    """Return whether the service is active just now."""
    return show(inside, "ActiveState") == "active"


def main_pid(inside: Container) -> str:
    """Return the PID of the service; 0 for none."""
    return show(inside, "MainPID")


def show(inside: Container, name: str) -> str:
    """Return the systemd property *name* of the service."""
    return inside.run(f"systemctl show --value -p {name} {SERVICE}")


def owner(inside: Container, path: str) -> str:
    """Return mode and owner of a file."""
    return inside.run(f"stat -c '%a %U' {path}")
