"""What pip may install: locked by version and hash, and checked without a network."""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.models.makers_archive import make_wheel

ROOT = Path(__file__).parents[1]
STRICT = "--require-hashes\n--only-binary :all:\n"
SETUP = """
from pathlib import Path
from setuptools import setup
Path({ran!r}).touch()
setup(name="carrier", version="1.0", py_modules=[])
"""


@pytest.fixture
def sources(tmp_path):
    """A copy of what script/lock --check reads."""
    for name in ("script/lock", "script/lock.py", "script/parts.sh", "seance/models/npm.txt", "pyproject.toml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    return tmp_path


def check(folder: Path) -> tuple[int, list[str]]:
    done = subprocess.run([folder / "script/lock", "--check"], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr.splitlines()


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_the_lock_files_fit_pyproject(sources):
    assert check(sources) == (0, [])


def test_a_requirement_that_is_not_locked_is_noticed(sources):
    change(sources / "pyproject.toml", '"hassil>=3.12"', '"hassil>=3.13"')
    code, lines = check(sources)
    assert code == 1
    assert lines[0] == "lock: requirements/build.txt was made from other requirements than pyproject.toml has now"
    assert lines[-1] == "lock: script/lock makes the lock files anew"


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("hassil==", "hassil>=", "hassil>="),
        ("--require-hashes\n", "", "does not begin as"),
        ("--no-binary srt", "--no-binary :all:", "does not begin as"),
        ("anyio==", "--extra-index-url file:///elsewhere\nanyio==", "--extra-index-url"),
        ("anyio==", "carrier==1.0\nanyio==", "carrier==1.0"),
        ("anyio==", "carrier @ file:///carrier.whl\nanyio==", "carrier @"),
    ],
)
def test_a_lock_that_would_let_anything_else_in_is_noticed(sources, old, new, line):
    change(sources / "requirements/run.txt", old, new)
    code, lines = check(sources)
    assert code == 1
    assert lines[0].startswith("lock: requirements/run.txt ")
    assert line in lines[0]


def test_a_missing_lock_is_noticed(sources):
    (sources / "seance/models/npm.txt").unlink()
    assert check(sources)[1][0] == "lock: seance/models/npm.txt is missing"


def test_no_lock_names_a_registry(sources):
    for path in (*sources.glob("requirements/*.txt"), sources / "seance/models/npm.txt"):
        assert "://" not in path.read_text(encoding="utf-8")
        assert "index" not in path.read_text(encoding="utf-8")


@pytest.fixture
def offered(tmp_path):
    """A folder, the only place where pip looks for packages."""
    return tmp_path / "offered"


def install(folder: Path, offered: Path, requirements: str) -> subprocess.CompletedProcess[str]:
    """Run `install_locked` on *requirements*, installing into a folder of its own."""
    (folder / "requirements").mkdir()
    (folder / "requirements/build.txt").write_text(STRICT)
    (folder / "requirements/run.txt").write_text(requirements)
    pip = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(offered), "PIP_NO_CACHE_DIR": "1"}
    return subprocess.run(
        ["bash", "-euc", f". {ROOT}/script/parts.sh; install_locked {sys.executable} run"],
        cwd=folder,
        env={**os.environ, **pip, "PIP_TARGET": str(folder / "installed")},
        capture_output=True,
        text=True,
        check=False,
    )


def pin(digest: str) -> str:
    return f"carrier==1.0 \\\n    --hash=sha256:{digest}\n"


def test_a_package_with_its_hash_is_installed(tmp_path, offered):
    digest = make_wheel(offered, {"a": b"a"}).sha256
    done = install(tmp_path, offered, STRICT + pin(digest))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "installed/carrier/en/a").read_bytes() == b"a"


def test_a_package_that_was_tampered_with_is_refused(tmp_path, offered):
    digest = make_wheel(offered, {"a": b"a"}).sha256
    shutil.rmtree(offered)
    make_wheel(offered, {"a": b"b"})
    done = install(tmp_path, offered, STRICT + pin(digest))
    assert done.returncode == 1
    assert "DO NOT MATCH THE HASHES" in done.stderr
    assert not (tmp_path / "installed/carrier").exists()


def test_a_package_without_a_hash_is_refused(tmp_path, offered):
    make_wheel(offered, {"a": b"a"})
    done = install(tmp_path, offered, "carrier==1.0\n")
    assert done.returncode == 1
    assert "Hashes are required" in done.stderr
    assert not (tmp_path / "installed/carrier").exists()


@pytest.fixture
def source(tmp_path, offered):
    """A package that is offered as source only, and the file that its setup.py would make."""
    offered.mkdir()
    made = tmp_path / "carrier-1.0"
    made.mkdir()
    (made / "setup.py").write_text(SETUP.format(ran=str(tmp_path / "ran")))
    (made / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: carrier\nVersion: 1.0\n")
    archive = offered / "carrier-1.0.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(made, arcname=made.name)
    return archive, tmp_path / "ran"


def test_a_source_build_is_refused_before_its_setup_is_run(tmp_path, offered, source):
    archive, ran = source
    done = install(tmp_path, offered, STRICT + pin(hashlib.sha256(archive.read_bytes()).hexdigest()))
    assert done.returncode == 1
    assert "No matching distribution found for carrier==1.0" in done.stderr
    assert not ran.exists()


def test_a_source_that_may_be_built_and_was_tampered_with_is_refused_before_its_setup_is_run(tmp_path, offered, source):
    _, ran = source
    done = install(tmp_path, offered, f"{STRICT}--no-binary carrier\n{pin('0' * 64)}")
    assert done.returncode == 1
    assert "DO NOT MATCH THE HASHES" in done.stderr
    assert not ran.exists()
