"""`script/rig`: the product on machines that are made up, from a fresh Debian to a pulled plug."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import arm64
import debian
import disk
import installed
import machine
import nspawn
import store
from report import Report

PARTS = ("nspawn", "machine", "arm64")


def main() -> int:
    """Hold the parts that were asked for and return 0 when all that was checked holds."""
    parser = argparse.ArgumentParser(prog="script/rig", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all without a name")
    parser.add_argument(
        "--full", action="store_true", help="pull the plug 20 times instead of 3, run all tests on arm64"
    )
    args = parser.parse_args()
    if strange := set(args.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(strange))}: {', '.join(PARTS)} are")
    wanted = args.parts or PARTS
    report = Report()
    if "nspawn" in wanted or "machine" in wanted:
        with report.part("install"), store.scratch() as room:
            hold(report, room, wanted, full=args.full)
    if "arm64" in wanted:
        with report.part("arm64"), store.scratch() as room:
            arm64.check(report, room, full=args.full)
    return report.close()


def hold(report: Report, room: Path, wanted: Sequence[str], *, full: bool) -> None:
    """Install the product once, and hold both machines that are made of it to what was promised."""
    report.say(f"a fresh Debian is in {debian.base()}")
    it = installed.prepare(room)
    with it.boot(network=True) as inside:
        before = nspawn.everything(inside)
        with report.check("script/install installs the product on a fresh Debian"):
            installed.install(inside)
    if "machine" in wanted:
        disk.make(debian.over(it.root, room / "disk"), room / "disk.raw")
        report.say("the disk of a machine is made of it")
    if "nspawn" in wanted:
        with report.part("nspawn"):
            nspawn.check(report, it, before)
    if "machine" in wanted:
        before_it = report.so_far
        with report.part("machine"):
            machine.check(report, room / "disk.raw", room / "first", full=full)
        if len(report.failed) > before_it[1]:
            # A computer that is very busy starves the emulated one: what is truly broken breaks twice.
            report.try_again(before_it)
            with report.part("machine, once more"):
                machine.check(report, room / "disk.raw", room / "second", full=full)


if __name__ == "__main__":
    sys.exit(main())
