"""The product on a Debian that had never seen it, put there by its own script/install."""

import os
from dataclasses import dataclass
from pathlib import Path

import debian
import host
from chores import tail
from container import Container
from report import CannotGoOn

SOURCES = "/root/seance"
"""Where the owner of the made-up machine has cloned the project to."""


@dataclass(frozen=True)
class Installed:
    """A root file system with the product, and what it must be lent to install anything."""

    root: Path
    lent: tuple[str, ...]
    room: Path

    def boot(self, *, network: bool) -> Container:
        """Return it as a container, to be entered."""
        return Container(self.root, self.room / "console", network=network, lent=self.lent)


def prepare(room: Path) -> Installed:
    """Return a Debian with a clone of this working tree in it, and nothing installed."""
    root = debian.over(debian.base(), room / "layers")
    lent = host.lend_network(root)
    debian.clone(root / SOURCES.lstrip("/"))
    models = Path(os.environ.get("SEANCE_MODELS") or Path.home() / ".local/share/seance/models")
    if models.is_dir():
        lent.append(f"{models}:/root/.local/share/seance/models")
        (root / "root/.local/share/seance/models").mkdir(parents=True)
    return Installed(root, tuple(lent), room)


def install(inside: Container, *options: str) -> str:
    """Run script/install in a container, as somebody who has fetched models before; archives get a second chance."""
    command = f"cd {SOURCES} && SUDO_USER=root script/install {' '.join(options)} 2>&1"
    code, out = inside.attempt(command, seconds=600)
    if code and "Is there a network?" in out:
        code, out = inside.attempt(command, seconds=600)
    if code:
        raise CannotGoOn(f"script/install {' '.join(options)} ended with {code}: {tail(out, 20)}")
    return out
