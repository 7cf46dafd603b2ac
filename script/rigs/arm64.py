"""The Pi's own architecture, each program emulated by itself (qemu-user): libraries, rules, and a sentence that is heard."""

import json
import shutil
import sys
import time
import tomllib
from pathlib import Path

import debian
import host
import store
from chores import ROOT, run
from report import Broken, CannotGoOn, Report, insist

PACKAGES = ("python3", "python3-pip-whl", "ca-certificates", "libportaudio2", "libespeak-ng1", "libatomic1", "libgomp1")
TOOLS = ("pytest", "pytest-timeout", "hypothesis")
EMULATOR = Path("/usr/bin/qemu-aarch64-static")
LIBRARIES, SOURCES = "/opt/libraries", "/root/seance"
SENTENCE, INTENT = "red chooses card seven", "place_intuition"
LEFT_OUT = ("test_bots", "test_properties", "test_properties_moments", "test_secrecy")
"""Tests of thousands of nights: an emulated Python is slow, so they are run only where all are asked for."""
BARRED = ("test_replay",)
"""Tests that start a Python of their own: a program that is emulated by itself cannot start another."""
IMPORTS = """
import importlib, pkgutil, platform, seance, hardware, voices
names = [m.name for p in (seance, hardware) for m in pkgutil.walk_packages(p.__path__, p.__name__ + '.')]
for name in names:
    if not name.endswith('__main__'):
        importlib.import_module(name)
import lgpio, vosk
print(platform.machine(), platform.python_version(), len(names), 'modules')
"""


def check(report: Report, room: Path, *, full: bool) -> None:
    """Hold the product to what it needs on a 64-bit Pi."""
    began = time.monotonic()
    with report.check("every library has a wheel for aarch64, or is pure Python") as told:
        try:
            kept = store.kept("arm64", _recipe(), lambda into: _build(into, room))
        except Broken as why:
            raise CannotGoOn(str(why)) from None
        wheels = (kept / "wheels").read_text().splitlines()
        told.append(" ".join(wheel.split("-")[0] for wheel in wheels if "aarch64" in wheel))
        told.append(
            f"and {sum('aarch64' not in wheel for wheel in wheels)} pure ones, {time.monotonic() - began:.0f} s"
        )
    root = debian.over(kept / "root", room / "arm64")
    _lend(root)
    debian.clone(root / SOURCES.lstrip("/"))
    with report.check("every module imports there") as told:
        told.append(_python(root, "-c", IMPORTS, seconds=600).strip())
    with report.check(
        f"the tests of the rules pass there{'' if full else ', but for those of thousands of nights'}"
    ) as told:
        names = BARRED if full else (*BARRED, *LEFT_OUT)
        left_out = [f"--ignore={SOURCES}/tests/rules/{name}.py" for name in names]
        pytest = ("-m", "pytest", "-p", "no:cacheprovider", "-o", "timeout=0", *left_out)
        out = _python(root, *pytest, f"{SOURCES}/tests/rules", seconds=3600)
        told.append(out.strip().splitlines()[-1])
    with report.check("a command is recognised there from a file of sound") as told:
        _say(root / "root/said.wav")
        heard = _python(root, "-m", "seance", "hear", "--lang", "en", "/root/said.wav", seconds=600)
        told.append(heard.strip()[:200])
        intents = [json.loads(line).get("intent") for line in heard.splitlines() if line.startswith("{")]
        insist(INTENT in intents, f"'{SENTENCE}' was heard as {heard.strip()[:300]}")


def _wanted() -> list[str]:
    """Return what the product needs on a Pi, and what its tests need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [*project["dependencies"], *project["optional-dependencies"]["pi"], *TOOLS]


def _recipe() -> str:
    return f"{host.SUITE} {PACKAGES} {_wanted()}"


def _build(into: Path, room: Path) -> None:
    """Make a Debian of that architecture, and let its own pip bring the libraries."""
    root = into / "root"
    host.mmdebstrap(root, variant="extract", packages=PACKAGES, arch="arm64")
    shutil.copy(EMULATOR, root / "usr/bin")
    with debian.lent(root, host.lend_network(root)):
        pure = _pure_wheels(room)
        shutil.copytree(pure, root / "opt/pure")
        [pip] = (root / "usr/share/python-wheels").glob("pip-*.whl")
        out = _python(
            root, f"/usr/share/python-wheels/{pip.name}/pip", "install", "--only-binary=:all:", "--find-links=/opt/pure",
            f"--target={LIBRARIES}", "--no-compile", "--no-warn-conflicts", "--root-user-action=ignore",
            *_wanted(), seconds=1500,
        )  # fmt: skip
    shutil.rmtree(root / "opt/pure")
    found = sorted(line.strip() for line in out.splitlines() if ".whl" in line)
    names = {word for line in found for word in line.replace("/", " ").split() if word.endswith(".whl")}
    (into / "wheels").write_text("".join(f"{name}\n" for name in sorted(names)))


def _pure_wheels(room: Path) -> Path:
    """Return wheels of those libraries that are published as sources alone and are pure Python, made here."""
    folder = room / "wheels"
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--wheel-dir", folder, ROOT, seconds=900)
    for wheel in folder.glob("*.whl"):
        if not wheel.name.endswith("-none-any.whl") or wheel.name.startswith("seance-"):
            wheel.unlink()
    return folder


def _lend(root: Path) -> None:
    """Give it this computer's processes, devices and models."""
    models = Path.home() / ".local/share/seance/models"
    if not models.is_dir():
        raise CannotGoOn("there is no speech model here: .venv/bin/seance models fetch en")
    (root / "root/models").mkdir(parents=True)
    run("mount", "--bind", models, root / "root/models")
    for name in ("proc", "dev", "tmp"):
        (root / name).mkdir(exist_ok=True)
    run("mount", "-t", "proc", "proc", root / "proc")
    run("mount", "--rbind", "/dev", root / "dev")


def _python(root: Path, *words: str, seconds: float) -> str:
    """Run the Python of *root* in it and return what it prints, or raise Broken."""
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
    except CannotGoOn as why:
        raise Broken(str(why)) from None


def _say(into: Path) -> None:
    """Speak the sentence into a file."""
    run("espeak-ng", "-v", "en-us", "-s", "140", "-w", into, SENTENCE)
