"""Makes the disk image of the emulated machine: the installed product and the rig's agent."""

import shutil
from pathlib import Path

from processes import run

INSIDE = Path(__file__).parent / "inside"
REMOVED_FOLDERS = (
    "root/seance",
    "root/.local",
    "usr/local/share/seance",
    "var/lib/apt/lists",
    "var/cache/apt",
    "usr/share/doc",
)
"""Left out of the image; models too, since words are typed: recognition is too slow under emulation."""
UNITS = ("rig-agent.service", "rig-pins.service")


def make(root: Path, into: Path) -> None:
    """Write *root*, changed for the rig, to the image *into*, which will be mounted read-only."""
    for name in REMOVED_FOLDERS:
        shutil.rmtree(root / name, ignore_errors=True)
    rig = root / "etc/rig"
    rig.mkdir(exist_ok=True)
    for name in ("agent.py", "pins", "cpuinfo"):
        shutil.copy(INSIDE / name, rig / name)
    units = root / "etc/systemd/system"
    for name in UNITS:
        shutil.copy(INSIDE / name, units / name)
    (units / "seance.service.d").mkdir()
    own = next(line for line in (units / "seance.service").read_text().splitlines() if line.startswith("ExecStart="))
    # PortAudio aborts the program when it is starved for long, as under emulation: sound is checked by itself.
    silent = f"\nExecStart=\n{own} --no-sound\n"
    (units / "seance.service.d/rig.conf").write_text((INSIDE / "seance.conf").read_text() + silent)
    (units / "multi-user.target.wants").mkdir(exist_ok=True)
    for name in UNITS:
        (units / "multi-user.target.wants" / name).symlink_to(f"../{name}")
    for name in (
        "getty.target",
        "e2scrub_reap.service",
        "systemd-binfmt.service",
        "apt-daily.timer",
        "apt-daily-upgrade.timer",
        "dpkg-db-backup.timer",
    ):
        (units / name).unlink(missing_ok=True)
        (units / name).symlink_to("/dev/null")
    shutil.copy(INSIDE / "settings.toml", root / "etc/seance/settings.toml")
    (root / "etc/fstab").write_text("/dev/vdb /var/lib/seance ext4 noatime 0 0\n")
    shutil.rmtree(root / "var/lib/seance", ignore_errors=True)
    (root / "var/lib/seance").mkdir()
    with into.open("wb") as file:
        file.truncate(2 << 30)
    run("mke2fs", "-q", "-F", "-t", "ext4", "-O", "^has_journal", "-d", root, into, seconds=300)
