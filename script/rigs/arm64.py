"""Checks on the Pi's architecture by user-mode emulation (qemu-user): libraries, imports, rules and recognition."""

import json
import re
import shutil
import sys
import time
from pathlib import Path

import build_cache
import debian
import host
from processes import ROOT, run
from report import CheckFailed, Report, RigFailed, require

PACKAGES = (
    "python3",
    "python3-pip-whl",
    "ca-certificates",
    "libportaudio2",
    "libespeak-ng1",
    "libspeexdsp1",
    "libatomic1",
    "libgomp1",
)
LOCK = ROOT / "requirements/rig.txt"
"""What the product needs on a Pi, and its tests, by version and hash."""
EMULATOR = Path("/usr/bin/qemu-aarch64-static")
LIBRARIES = "/opt/libraries"
SOURCES = "/root/seance"
SENTENCE = "red chooses card seven"
INTENT = "place_intuition"
SLOW_TESTS = ("test_bots", "test_properties", "test_properties_moments", "test_secrecy")
"""Tests of thousands of nights, run only with --full: an emulated Python is slow."""
UNEMULATED_TESTS = ("test_replay",)
"""Tests that start another Python, which user-mode emulation cannot do."""
IMPORTS = """
import importlib, pkgutil, platform, seance, hardware, voices
names = [m.name for p in (seance, hardware) for m in pkgutil.walk_packages(p.__path__, p.__name__ + '.')]
for name in names:
    if not name.endswith(('__main__', 'seance.simulation.cluster')):  # the latter is of the extra `cluster`
        importlib.import_module(name)
import lgpio, vosk
print(platform.machine(), platform.python_version(), len(names), 'modules')
"""


def check(report: Report, folder: Path, *, full: bool) -> None:
    """Check that the product installs, imports and works on aarch64."""
    began = time.monotonic()
    with report.check("every library has a wheel for aarch64, or is pure Python") as details:
        try:
            kept = build_cache.cached_build("arm64", _recipe(), _build)
        except CheckFailed as why:
            raise RigFailed(str(why)) from None
        wheels = (kept / "wheels").read_text().splitlines()
        details.append(" ".join(wheel.split("-")[0] for wheel in wheels if "aarch64" in wheel))
        details.append(
            f"and {sum('aarch64' not in wheel for wheel in wheels)} pure ones, {time.monotonic() - began:.0f} s"
        )
    root = debian.overlay(kept / "root", folder / "arm64")
    _mount_host_folders(root)
    debian.clone(root / SOURCES.lstrip("/"))
    with report.check("every module imports there") as details:
        details.append(_python(root, "-c", IMPORTS, seconds=600).strip())
    with report.check(
        f"the tests of the rules pass there{'' if full else ', but for those of thousands of nights'}"
    ) as details:
        names = UNEMULATED_TESTS if full else (*UNEMULATED_TESTS, *SLOW_TESTS)
        left_out = [f"--ignore={SOURCES}/tests/rules/{name}.py" for name in names]
        pytest = ("-m", "pytest", "-p", "no:cacheprovider", "-o", "timeout=0", *left_out)
        out = _python(root, *pytest, f"{SOURCES}/tests/rules", seconds=3600)
        details.append(out.strip().splitlines()[-1])
    with report.check("a command is recognised there from a file of sound") as details:
        _say(root / "root/said.wav")
        heard = _python(root, "-m", "seance", "hear", "--lang", "en", "/root/said.wav", seconds=600)
        details.append(heard.strip()[:200])
        intents = [json.loads(line).get("intent") for line in heard.splitlines() if line.startswith("{")]
        require(INTENT in intents, f"'{SENTENCE}' was heard as {heard.strip()[:300]}")


def _recipe() -> str:
    return f"{host.SUITE} {PACKAGES} {LOCK.read_text()}"


def _build(into: Path) -> None:
    """Make an arm64 Debian, and install the locked libraries with its own pip."""
    root = into / "root"
    host.mmdebstrap(root, variant="extract", packages=PACKAGES, arch="arm64")
    shutil.copy(EMULATOR, root / "usr/bin")
    with debian.bind_mounts(root, host.share_network(root)):
        wheels, sources = _split_lock(LOCK.read_text())
        (root / "opt/wheels.txt").write_text(wheels)
        (into / "sources.txt").write_text(sources)
        [pip] = (root / "usr/share/python-wheels").glob("pip-*.whl")
        out = _python(
            root, f"/usr/share/python-wheels/{pip.name}/pip", "install", "--no-deps", "--requirement=/opt/wheels.txt",
            f"--target={LIBRARIES}", "--no-compile", "--no-warn-conflicts", "--root-user-action=ignore", seconds=1500,
        )  # fmt: skip
        # Pure Python: it is built here, since an emulated Python cannot start another one.
        run(
            sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation",
            f"--requirement={into / 'sources.txt'}", f"--target={root}{LIBRARIES}", "--no-compile", seconds=300,
        )  # fmt: skip
    found = sorted(line.strip() for line in out.splitlines() if ".whl" in line)
    names = {word for line in found for word in line.replace("/", " ").split() if word.endswith(".whl")}
    (into / "wheels").write_text("".join(f"{name}\n" for name in sorted(names)))


def _split_lock(text: str) -> tuple[str, str]:
    """Return the part of a lock file that comes as wheels, and the part that is published as source only."""
    options = "".join(re.findall("^--.*\n", text, re.M))
    entries = re.findall(r"^([\w-]+)(==(?:.*\\\n)+.*\n)", text, re.M)
    from_source = re.findall("^--no-binary (\\S+)", text, re.M)
    wheels = "".join(name + rest for name, rest in entries if name not in from_source)
    return options + wheels, options + "".join(name + rest for name, rest in entries if name in from_source)


def _mount_host_folders(root: Path) -> None:
    """Mount this computer's /proc, /dev and models in *root*."""
    models = Path.home() / ".local/share/seance/models"
    if not models.is_dir():
        raise RigFailed("there is no speech model here: .venv/bin/seance models fetch en")
    (root / "root/models").mkdir(parents=True)
    run("mount", "--bind", models, root / "root/models")
    for name in ("proc", "dev", "tmp"):
        (root / name).mkdir(exist_ok=True)
    run("mount", "-t", "proc", "proc", root / "proc")
    run("mount", "--rbind", "/dev", root / "dev")


def _python(root: Path, *words: str, seconds: float) -> str:
    """Run the Python of *root* in a chroot and return what it prints, or raise CheckFailed."""
    inside = {
        "HOME": "/root",
        "LANG": "C.UTF-8",
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": f"{LIBRARIES}:{SOURCES}",
        "SEANCE_MODELS": "/root/models",
    }
    try:
        return run("chroot", root, EMULATOR, "/usr/bin/python3", *words, seconds=seconds, env=inside)
    except RigFailed as why:
        raise CheckFailed(str(why)) from None


def _say(into: Path) -> None:
    """Speak the sentence into a file."""
    run("espeak-ng", "-v", "en-us", "-s", "140", "-w", into, SENTENCE)
