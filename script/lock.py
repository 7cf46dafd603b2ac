"""Writes and checks the lock files: what pip may install for each purpose, by version and hash.

uv resolves all purposes at once, for every Python and processor. Its own lock file names package registries, so only what
it exports for pip is kept.
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.12", "3.13")
PROCESSORS = ("x86_64", "aarch64")
GLIBC = "manylinux_2_36"
"""The C library of Debian 12, the oldest system that has Python 3.11."""
FROM_SOURCE = {
    "chess": "pure Python, for script/bench rules",
    "rlcard": "pure Python, for script/bench rules",
    "srt": "pure Python, imported by vosk",
    "ttspico": "optional voices of script/bench; compiled",
}
"""Packages that are published as source only, and what each is; pip builds no others."""
PIN = re.compile(r"^([a-z0-9-]+)==(\S+)(?: ; ([^\\]+?))? \\$", re.M)
ENTRY = re.compile(r"[a-z0-9-]+==[\w.]+( ; [^\\\n]+)?( \\\n    --hash=sha256:[0-9a-f]{64})+\n(    #.*\n)*")


@dataclass(frozen=True)
class LockFile:
    """One lock file, and the part of all requirements that it holds."""

    path: str
    export: tuple[str, ...]
    """The options of `uv export` that choose the part."""


LOCK_FILES = (
    LockFile("requirements/build.txt", ("--only-group", "build")),
    LockFile("requirements/run.txt", ("--extra", "pi")),
    LockFile("requirements/test.txt", ("--extra", "dev")),
    LockFile("requirements/bench.txt", ("--extra", "dev", "--extra", "bench")),
    LockFile("requirements/rig.txt", ("--extra", "pi", "--group", "rig")),
    LockFile("requirements/piper.txt", ("--only-group", "piper")),
    LockFile("requirements/pico.txt", ("--only-group", "pico")),
    LockFile("requirements/lock.txt", ("--only-group", "lock")),
    LockFile("seance/models/npm.txt", ("--only-group", "npm")),
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="script/lock")
    parser.add_argument("--check", action="store_true", help="only tell whether the lock files fit pyproject.toml")
    parser.add_argument("--upgrade", nargs="*", metavar="NAME", help="take the newest versions of all, or of these")
    args = parser.parse_args()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    if not args.check:
        write(project, args.upgrade)
    problems = [problem for file in LOCK_FILES for problem in find_problems(file, project)]
    for problem in problems:
        print(f"lock: {problem}", file=sys.stderr)
    if problems:
        print("lock: script/lock makes the lock files anew", file=sys.stderr)
    return 1 if problems else 0


def find_problems(file: LockFile, project: dict[str, Any], root: Path = ROOT) -> list[str]:
    """Return what is wrong with a lock file: that it is older than pyproject.toml, or lets anything in without a hash."""
    path = root / file.path
    if not path.is_file():
        return [f"{file.path} is missing"]
    text = path.read_text(encoding="utf-8")
    if f"# Requirements: sha256:{digest(project)}\n" not in text:
        return [f"{file.path} was made from other requirements than pyproject.toml has now"]
    header = header_of(project, text)
    if not text.startswith(header):
        return [f"{file.path} does not begin as script/lock begins it"]
    rest = ENTRY.sub("", text.removeprefix(header))
    return [f"{file.path} has a line that is no pinned, hashed package: {line}" for line in rest.splitlines()]


def write(project: dict[str, Any], upgrade: list[str] | None) -> None:
    """Resolve all requirements and write every lock file; names in *upgrade* may change, [] means that all may."""
    known = dict.fromkeys(pin for file in LOCK_FILES for pin in pins(file))
    kept = [pin for pin in known if upgrade != [] and pin[0] not in (upgrade or ())]
    constraints = [f"{name}=={version}" + (f" ; {marker}" if marker else "") for name, version, marker in kept]
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        (scratch / "pyproject.toml").write_text(uv_project(project, constraints), encoding="utf-8")
        try:
            uv("lock", "--quiet", cwd=scratch)
        except subprocess.CalledProcessError:
            sys.exit("lock: no versions fit; if those that were kept are the reason, try script/lock --upgrade")
        for file in LOCK_FILES:
            exported = uv(
                "export", "--quiet", "--frozen", "--no-emit-project", "--no-header", *file.export, cwd=scratch
            )
            text = exported.replace(" and sys_platform == 'linux'", "").replace(" ; sys_platform == 'linux'", "")
            (ROOT / file.path).parent.mkdir(exist_ok=True)
            (ROOT / file.path).write_text(header_of(project, text) + text, encoding="utf-8")
        check_wheels(project, scratch)


def check_wheels(project: dict[str, Any], scratch: Path) -> None:
    """End the program where a package has no wheel for a Python and processor that we support."""
    texts = [(ROOT / file.path).read_text(encoding="utf-8") for file in LOCK_FILES]
    entries = "".join(sorted({entry[0] for text in texts for entry in ENTRY.finditer(re.sub("    #.*\n", "", text))}))
    (scratch / "all.txt").write_text(header_of(project, entries) + entries, encoding="utf-8")
    for python in PYTHONS:
        for processor in PROCESSORS:
            target = ("--python-version", python, "--python-platform", f"{processor}-{GLIBC}")
            try:
                uv("pip", "compile", "--quiet", "--no-deps", *target, "all.txt", cwd=scratch)
            except subprocess.CalledProcessError:
                sys.exit(f"lock: not every package has a wheel for Python {python} on {processor}, see above")


def uv_project(project: dict[str, Any], constraints: list[str]) -> str:
    """Return a pyproject.toml for uv with nothing but requirements; every extra and the build are groups, too."""
    wanted = requirements(project)
    groups = {
        **wanted["groups"],
        "build": wanted["build"],
        "pico": wanted["extras"]["pico"],
        "piper": wanted["extras"]["piper"],
    }
    tables = {
        "project": {
            "name": project["project"]["name"],
            "version": "0",
            "requires-python": wanted["python"],
            "dependencies": wanted["run"],
        },
        "project.optional-dependencies": wanted["extras"],
        "dependency-groups": groups,
        "tool.uv": {
            "environments": ["sys_platform == 'linux'"],
            "constraint-dependencies": constraints,
            "default-groups": [],
            "package": False,
        },
    }
    # A string, a boolean or a list of strings is the same in JSON and TOML.
    return "".join(
        f"[{table}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in content.items())
        for table, content in tables.items()
    )


def requirements(project: dict[str, Any]) -> dict[str, Any]:
    """Return everything in pyproject.toml that the lock files depend on."""
    return {
        "python": project["project"]["requires-python"],
        "run": project["project"]["dependencies"],
        "extras": project["project"]["optional-dependencies"],
        "groups": project["dependency-groups"],
        "build": project["build-system"]["requires"],
    }


def digest(project: dict[str, Any]) -> str:
    """Return the sha256 of the requirements in pyproject.toml, in hexadecimal."""
    return hashlib.sha256(json.dumps(requirements(project), sort_keys=True).encode()).hexdigest()


def header_of(project: dict[str, Any], text: str) -> str:
    """Return the beginning of a lock file: where it comes from, and the options that make pip strict."""
    names = {name for name, _, _ in PIN.findall(text)}
    sources = [
        f"--no-binary {name}  # published as source only: {why}\n" for name, why in FROM_SOURCE.items() if name in names
    ]
    return (
        "# Made by script/lock from pyproject.toml: not to be edited.\n"
        f"# Requirements: sha256:{digest(project)}\n"
        "--require-hashes\n"
        "--only-binary :all:\n"
        f"{''.join(sources)}\n"
    )


def pins(file: LockFile) -> list[tuple[str, str, str]]:
    """Return name, version and marker of every package in a lock file."""
    path = ROOT / file.path
    return PIN.findall(path.read_text(encoding="utf-8")) if path.is_file() else []


def uv(*words: str, cwd: Path) -> str:
    """Return what uv prints, or raise CalledProcessError."""
    program = Path(sys.executable).with_name("uv")
    # It would take another environment that is active for the one to install to.
    environ = {key: value for key, value in os.environ.items() if key != "VIRTUAL_ENV"} | {"UV_PYTHON": sys.executable}
    command = [str(program), *words, "--no-config", "--no-python-downloads"]
    return subprocess.run(command, cwd=cwd, env=environ, check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
