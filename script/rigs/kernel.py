"""Builds a Debian kernel and initrd with a simulated GPIO chip (gpio-sim).

Debian does not build gpio-sim, so it is built from Debian's source of the same kernel.
"""

import re
import shutil
import subprocess
from pathlib import Path

import host
from processes import run
from report import RigFailed

PACKAGES = (
    "linux-image-amd64", "linux-headers-amd64", "linux-source", "gcc", "make", "libc6-dev", "xz-utils", "kmod",
    "busybox-static", "mawk", "perl-base", "bash", "coreutils", "sed", "grep",
)  # fmt: skip
MODULES = (
    "crc32c_generic", "virtio_pci", "virtio_blk", "virtio_net", "virtio_console", "virtio-rng", "ext4", "overlay",
    "autofs4", "configfs", "snd-aloop", "gpio-sim-rig",
)  # fmt: skip
SOURCES = ("drivers/gpio/gpio-sim.c", "drivers/gpio/gpiolib.h", "kernel/irq/irq_sim.c")
INIT = Path(__file__).parent / "inside/init"
RECIPE = f"{PACKAGES} {MODULES} {Path(__file__).read_text()} {INIT.read_text()}"


def build(into: Path) -> None:
    """Put `vmlinuz` and `initrd` into a folder."""
    root = into / "root"
    host.mmdebstrap(root, variant="extract", packages=PACKAGES)
    # Links that maintainers' scripts would have made: the packages are extracted, not configured.
    for link, target in {"bin/sh": "bash", "usr/bin/awk": "mawk"}.items():
        if not (root / link).exists():
            (root / link).symlink_to(target)
    [version] = [path.name for path in (root / "lib/modules").iterdir()]
    _build_chip(root, version)
    run("depmod", "-b", root, version)
    shutil.copy(root / f"boot/vmlinuz-{version}", into / "vmlinuz")
    _pack(root, version, into)
    shutil.rmtree(root)


def _build_chip(root: Path, version: str) -> None:
    folder = root / "build"
    folder.mkdir()
    [archive] = (root / "usr/src").glob("linux-source-*.tar.xz")
    top = archive.name.removesuffix(".tar.xz")
    run(
        "tar", "-xJf", archive, "-C", folder, "--strip-components=3", "--occurrence=1", *[f"{top}/{s}" for s in SOURCES]
    )
    simulated = folder / "irq_sim.c"
    text = simulated.read_text()
    # irq_to_desc is not exported to modules; generic_handle_irq does the same by number.
    changed = re.sub(r"handle_simple_irq\(irq_to_desc\((\w+)\)\);", r"generic_handle_irq(\1);", text)
    if changed == text:
        raise RigFailed("irq_sim.c is not what it was: the simulated chip cannot be built from this kernel's source")
    simulated.write_text(changed)
    (folder / "Makefile").write_text("obj-m := gpio-sim-rig.o\ngpio-sim-rig-y := gpio-sim.o irq_sim.o\n")
    run("chroot", root, "make", "-s", "-C", f"/usr/src/linux-headers-{version}", "M=/build", "modules")
    extra = root / "lib/modules" / version / "extra"
    extra.mkdir()
    shutil.copy(folder / "gpio-sim-rig.ko", extra)


def _pack(root: Path, version: str, into: Path) -> None:
    """Pack busybox, the modules in order of dependency, and the init script into an initrd."""
    tree = into / "tree"
    (tree / "modules").mkdir(parents=True)
    listed: list[Path] = []
    for module in MODULES:
        needs = run("modprobe", "-d", root, "-S", version, "--show-depends", module)
        listed += [Path(line.split()[1]) for line in needs.splitlines() if line.startswith("insmod")]
    order = list(dict.fromkeys(listed))
    for path in order:
        shutil.copy(path, tree / "modules" / path.name)
    (tree / "modules/order").write_text("".join(f"{path.name}\n" for path in order))
    shutil.copy(root / "bin/busybox", tree / "busybox")
    shutil.copy(INIT, tree / "init")
    (tree / "init").chmod(0o755)
    with (into / "initrd").open("wb") as packed:
        names = "\n".join(str(path.relative_to(tree)) for path in sorted(tree.rglob("*"))).encode()
        subprocess.run(
            [root / "bin/busybox", "cpio", "-o", "-H", "newc"],
            cwd=tree,
            input=names,
            stdout=packed,
            stderr=subprocess.DEVNULL,
            check=True,
        )
    shutil.rmtree(tree)
