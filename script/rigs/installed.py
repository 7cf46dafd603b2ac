"""A Debian on which the product is installed by its own script/install."""

import os
from dataclasses import dataclass
from pathlib import Path

import debian
import host
from container import Container
from processes import tail
from report import RigFailed

SOURCES = "/root/seance"
"""Where the project is cloned to in the machine."""


@dataclass(frozen=True)
class Installed:
    """A root file system for the product, and the folders that are bind-mounted in it."""

    root: Path
    binds: tuple[str, ...]
    folder: Path

    def boot(self, *, network: bool) -> Container:
        """Return a container that boots this root when entered."""
        return Container(self.root, self.folder / "console", network=network, binds=self.binds)


def prepare(folder: Path, suite: str = host.SUITE) -> Installed:
    """Return a Debian *suite* with a clone of this working tree in it, and nothing installed."""
    root = debian.overlay(debian.base(suite), folder / "layers")
    binds = host.share_network(root)
    debian.clone(root / SOURCES.lstrip("/"))
    models = Path(os.environ.get("SEANCE_MODELS") or Path.home() / ".local/share/seance/models")
    if models.is_dir():
        binds.append(f"{models}:/root/.local/share/seance/models")
        (root / "root/.local/share/seance/models").mkdir(parents=True)
    return Installed(root, tuple(binds), folder)


def install(inside: Container, *options: str, sources: str = SOURCES) -> str:
    """Run script/install in a container whose user has models, once more if the network failed; return its output."""
    command = f"cd {sources} && SUDO_USER=root script/install {' '.join(options)} 2>&1"
    code, out = inside.attempt(command, seconds=600)
    if code and "Is there a network?" in out:
        code, out = inside.attempt(command, seconds=600)
    if code:
        raise RigFailed(f"script/install {' '.join(options)} ended with {code}: {tail(out, 20)}")
    return out
