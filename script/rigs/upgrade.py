"""Checks the way from the first version to this one and back, with a night that is under way and the owner's settings."""

import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

from container import Container
from installed import Installed, install, prepare
from nspawn import await_active, show
from processes import ROOT
from report import Report, Unsupported, require

FIRST = "55d776c3469c490826ef475a3f4a2275343f826c"
"""The last commit of 0.1.0."""
FIRST_SOURCES = "/root/seance-0.1.0"
NIGHTS = "/var/lib/seance/nights"
PLAYED = (
    "begin the séance",
    "we are four, easy, the usual rules",
    "red, blue and white are playing",
    "skip the story",
    "yes",
)


def check(report: Report, folder: Path, suite: str) -> None:
    """Install 0.1.0 on a fresh Debian, begin a night, upgrade, and go back."""
    product = prepare(folder, suite)
    _unpack_first(product)
    with product.boot(network=True) as inside:
        with report.check("0.1.0 is installed, and a night is begun"):
            install(inside, sources=FIRST_SOURCES)
            await_active(inside)
            _write_settings(product)
            _play(inside)
            require("libellud" in _nights(inside), f"no night was begun: {inside.run('cat /tmp/said')}")
        with report.check("an upgrade keeps the owner's settings, and the night goes on") as details:
            settings = _settings(product).read_text()
            install(inside)
            await_active(inside)
            require(_settings(product).read_text() == settings, "the settings were changed")
            details.append(show(inside, "StatusText"))
            require("hour" in details[0].lower(), f"the night does not go on: {details[0]}")
        with report.check("going back as docs/upgrade.md says finds the night as 0.1.0 left it"):
            inside.run(f"systemctl stop seance && mv {NIGHTS}.taken-over.sqlite {NIGHTS}.sqlite")
            install(inside, sources=FIRST_SOURCES)
            await_active(inside)
            require(_settings(product).read_text() == settings, "the settings were changed")
            require("libellud" in _nights(inside), "the night is lost")
        with report.check("and the second upgrade has it again"):
            install(inside)
            await_active(inside)
            require("hour" in show(inside, "StatusText").lower(), "the night does not go on")


def _unpack_first(product: Installed) -> None:
    archive = subprocess.run(
        ["git", "-c", "safe.directory=*", "-C", ROOT, "archive", FIRST], capture_output=True, check=False
    )
    if archive.returncode:
        raise Unsupported("the history of the project is not here, and with it 0.1.0")
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
        files.extractall(product.root / FIRST_SOURCES.lstrip("/"), filter="data")


def _settings(product: Installed) -> Path:
    return product.root / "etc/seance/settings.toml"


def _write_settings(product: Installed) -> None:
    settings = _settings(product)
    settings.write_text(settings.read_text().replace('# level = "easy"', 'level = "medium"'))


def _play(inside: Container) -> None:
    """Begin a night with typed words while the service is stopped, and leave it open."""
    inside.run("systemctl stop seance.service")
    run = "seance run --typed --no-sound --board virtual"
    words = "; ".join(f"echo {word!r}" for word in PLAYED)
    until_laid = "until grep -qi objects /tmp/said; do sleep 0.2; done"  # the last row that is read
    inside.run(
        f"touch /tmp/said; ({words}; {until_laid}) | timeout 90 {run} >/tmp/said 2>&1 || cat /tmp/said", seconds=120
    )
    inside.run("systemctl start seance.service")
    await_active(inside)


def _nights(inside: Container) -> str:
    return inside.run("seance nights list")
