"""`script/rig`: checks the product on containers and emulated machines, from a fresh Debian to a power cut."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import arm64
import build_cache
import debian
import disk
import host
import installed
import machine
import nspawn
import upgrade
from report import Report

PARTS = ("nspawn", "machine", "arm64")
HOME_ASSISTANT, UPGRADE = "homeassistant", "upgrade"
BY_NAME = (HOME_ASSISTANT, UPGRADE)
"""Parts that are run only when they are named: one fetches half a gigabyte, the other needs the project's history."""


def main() -> int:
    """Run the parts that were asked for, and return 0 when every check passed."""
    parser = argparse.ArgumentParser(prog="script/rig", description=__doc__)
    parser.add_argument(
        "parts",
        nargs="*",
        metavar="PART",
        help=f"{', '.join(PARTS)}; all of these without a name; or {', '.join(BY_NAME)}",
    )
    parser.add_argument(
        "--full", action="store_true", help="pull the plug 20 times instead of 3, run all tests on arm64"
    )
    parser.add_argument(
        "--picture", metavar="FILE", type=Path, help=f"of {HOME_ASSISTANT}: a .webp of the device's page"
    )
    parser.add_argument("--suite", default=host.SUITE, help="of nspawn, machine and upgrade: a Debian (%(default)s)")
    args = parser.parse_args()
    if strange := set(args.parts) - {*PARTS, *BY_NAME}:
        parser.error(f"there is no part {', '.join(sorted(strange))}: {', '.join((*PARTS, *BY_NAME))} are")
    wanted = args.parts or PARTS
    report = Report()
    if "nspawn" in wanted or "machine" in wanted:
        with report.part("install"), build_cache.scratch() as folder:
            check_installed(report, folder, wanted, suite=args.suite, full=args.full)
    if "arm64" in wanted:
        with report.part("arm64"), build_cache.scratch() as folder:
            arm64.check(report, folder, full=args.full)
    if HOME_ASSISTANT in wanted:
        # Here, not above: only this part needs HTTP and MQTT clients.
        import homeassistant

        with report.part(HOME_ASSISTANT), build_cache.scratch() as folder:
            homeassistant.check(report, folder, picture=args.picture)
    if UPGRADE in wanted:
        with report.part(UPGRADE), build_cache.scratch() as folder:
            upgrade.check(report, folder, args.suite)
    return report.close()


def check_installed(report: Report, folder: Path, wanted: Sequence[str], *, suite: str, full: bool) -> None:
    """Install the product once, and check the container and the machine that are made from product."""
    report.say(f"a fresh Debian is in {debian.base(suite)}")
    product = installed.prepare(folder, suite)
    with product.boot(network=True) as inside:
        before = nspawn.installed_files(inside)
        with report.check("script/install installs the product on a fresh Debian"):
            installed.install(inside)
    if "machine" in wanted:
        disk.make(debian.overlay(product.root, folder / "disk"), folder / "disk.raw")
        report.say("the disk of a machine is made of it")
    if "nspawn" in wanted:
        with report.part("nspawn"):
            nspawn.check(report, product, before)
    if "machine" in wanted:
        before_it = report.counts
        with report.part("machine"):
            machine.check(report, folder / "disk.raw", folder / "first", full=full)
        if len(report.failed) > before_it[1]:
            # A busy computer starves the emulated one: only what fails twice counts.
            report.retry_since(before_it)
            with report.part("machine, once more"):
                machine.check(report, folder / "disk.raw", folder / "second", full=full)


if __name__ == "__main__":
    sys.exit(main())
