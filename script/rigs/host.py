"""Passes this computer's apt and pip configuration on to the machines of the rig."""

import configparser
import os
import re
import subprocess
import sys
from pathlib import Path

from processes import run

SUITE = "bookworm"
_BUNDLE = Path("/etc/ssl/certs/ca-certificates.crt")


def mmdebstrap(
    target: Path, *, variant: str, packages: tuple[str, ...], arch: str = "amd64", suite: str = SUITE
) -> None:
    """Make a Debian with *packages* in *target*, from this computer's package sources if it is the same *suite*."""
    options = [f"--aptopt={line}" for line in _apt_settings()]
    run(
        "mmdebstrap",
        f"--variant={variant}",
        f"--arch={arch}",
        f"--include={','.join(packages)}",
        "--quiet",
        *options,
        suite,
        target,
        *_sources(suite),
        seconds=900,
    )


def share_network(root: Path) -> list[str]:
    """Copy the DNS and pip configuration to *root*, and return the folders that must be mounted for it."""
    for name in ("resolv.conf", "hosts"):
        there = root / "etc" / name
        there.unlink(missing_ok=True)
        there.write_bytes(Path("/etc", name).read_bytes())
    settings = _pip_settings()
    bundle = Path(settings.get("cert") or os.environ.get("SSL_CERT_FILE") or _BUNDLE)
    if bundle.exists():
        (root / "etc/rig").mkdir(exist_ok=True)
        (root / "etc/rig/certificates.crt").write_bytes(bundle.read_bytes())
        settings["cert"] = "/etc/rig/certificates.crt"
    written = configparser.RawConfigParser()
    written["global"] = {key: value.replace("\n", "\n    ") for key, value in settings.items()}
    with (root / "etc/pip.conf").open("w") as file:
        written.write(file)
    return [folder for folder in _folders(settings) if Path(folder).is_dir()]


def _sources(suite: str) -> list[Path]:
    """Return this computer's apt source lists if it is the same Debian; otherwise mmdebstrap uses its own."""
    release = Path("/etc/os-release").read_text()
    if not re.search(r"^ID=debian$", release, re.M) or f"={suite}" not in release:
        return []
    lists = [Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("debian.*")]
    return [path for path in lists if path.suffix in (".list", ".sources") and path.is_file()]


def _apt_settings() -> list[str]:
    lines = subprocess.run(["apt-config", "dump", "--no-empty"], capture_output=True, text=True, check=False).stdout
    return re.findall(r"^Acquire::(?:https?|Check-Valid-Until|Retries)\b.*$", lines, re.M)


def _pip_settings() -> dict[str, str]:
    """Return pip's settings from files and environment, by their names in pip.conf."""
    listed = run(sys.executable, "-m", "pip", "config", "list")
    found: dict[str, str] = {}
    for kind, key, value in re.findall(r"^(global|install|:env:)\.([\w-]+)='(.*)'$", listed, re.M):
        if kind == ":env:" or key not in found:
            found[key] = value.replace("\\n", "\n").strip()
    return found


def _folders(settings: dict[str, str]) -> list[str]:
    """Return the folders of this computer that pip's settings name."""
    found = []
    for key in ("index-url", "extra-index-url", "find-links"):
        for word in settings.get(key, "").split():
            path = word.removeprefix("file://")
            if path.startswith("/"):
                found.append(path.removesuffix("/simple"))
    return sorted(set(found))
