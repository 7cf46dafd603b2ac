"""What is got with the package: built from its own source archive, and used with neither beside it."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("seance", "hardware", "voices")
NOT_PACKED = "hardware/wiring/"
"""Drawings and how to solder: for whoever reads the repository."""


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """A copy of what a package is built from: a build leaves files behind."""
    folder = tmp_path_factory.mktemp("sources")
    for name in ("LICENSE", "MANIFEST.in", "README.md", "pyproject.toml"):
        (folder / name).write_bytes((ROOT / name).read_bytes())
    for name in (*PACKAGES, "tests"):
        copytree(ROOT / name, folder / name, ignore=ignore_patterns("__pycache__", "browser", "compatibility"))
    return folder


@pytest.fixture(scope="module")
def archive(sources):
    return tarfile.open(build(sources, "sdist"))


@pytest.fixture(scope="module")
def wheel(archive, tmp_path_factory):
    """The wheel that the source archive builds."""
    folder = tmp_path_factory.mktemp("unpacked")
    archive.extractall(folder, filter="data")
    (unpacked,) = folder.iterdir()
    return zipfile.ZipFile(build(unpacked, "wheel"))


def build(folder: Path, what: str) -> Path:
    program = f"from setuptools import build_meta; build_meta.build_{what}('dist')"
    subprocess.run([sys.executable, "-c", program], cwd=folder, check=True, capture_output=True)
    (built,) = (folder / "dist").iterdir()
    return built


def packed_files(folder: Path) -> set[str]:
    """Return the files of the packages that belong into a package, data included."""
    files = (file.relative_to(folder).as_posix() for name in PACKAGES for file in (folder / name).rglob("*.*"))
    return {file for file in files if file.endswith(".py") or not file.startswith(NOT_PACKED)}


def test_the_source_archive_builds_a_wheel_with_every_file(sources, wheel):
    assert packed_files(sources) - set(wheel.namelist()) == set()


def test_the_source_archive_has_no_half_of_the_tests(archive):
    assert [name for name in archive.getnames() if "/tests" in name] == []


def test_the_wheel_alone_plays_a_night_and_writes_its_chronicle(wheel, tmp_path):
    wheel.extractall(tmp_path / "site")
    (tmp_path / "settings.toml").write_text(f'[journal]\npath = "{tmp_path}/night/nights"\n')
    assert run(tmp_path, "-c", "import seance; print(seance.__file__)").startswith(str(tmp_path))
    night = run(tmp_path, "-m", "seance", "demo", "--typed", "--players", "2", "--seed", "1894", "--out", "night")
    assert "The night is over: won" in night
    run(tmp_path, "-m", "seance", "chronicle", "last", "--config", "settings.toml", "--out", "story.md")
    assert (tmp_path / "story.md").read_text(encoding="utf-8").startswith("# ")


def run(folder: Path, *arguments: str) -> str:
    """Run Python in *folder*, with the package that is unpacked there, and return what it prints."""
    environ = {**os.environ, "PYTHONPATH": str(folder / "site"), "XDG_CONFIG_HOME": str(folder)}
    program = [sys.executable, "-P", *arguments]
    return subprocess.run(program, cwd=folder, env=environ, check=True, stdout=subprocess.PIPE, text=True).stdout
