"""`script/install --dry-run`: what it would do, and what it refuses; `script/rig` installs for real."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.board import board_names
from seance.languages import language_codes
from seance.settings import BodySection, Settings, parse

ROOT = Path(__file__).parents[1]
TARGETS = ("/opt/seance", "/etc/seance", "/usr/local/bin/seance", "/etc/systemd/system/seance.service")


def install(*arguments: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run `script/install` with *path* before the system's folders in PATH."""
    search = os.pathsep.join(filter(None, [str(path) if path else "", "/usr/sbin:/usr/bin:/sbin:/bin"]))
    return subprocess.run(
        [ROOT / "script/install", *arguments], capture_output=True, text=True, env={**os.environ, "PATH": search}
    )


def test_a_dry_run_tells_every_step_and_takes_none():
    there = [Path(target).exists() for target in TARGETS]
    result = install("--dry-run", "--board", "ring", "--lang", "fr")
    assert (result.returncode, result.stdout) == (0, "")
    for step in ("the user seance", "/opt/seance", "settings.toml", "speech models", "seance.service", "start"):
        assert step in result.stderr
    assert result.stderr.splitlines()[-1] == "install: nothing was changed"
    assert [Path(target).exists() for target in TARGETS] == there


@pytest.mark.parametrize("language", language_codes())
def test_the_models_of_the_language_are_fetched(language):
    assert f" models fetch speaker --lang {language} --folder " in install("--dry-run", "--lang", language).stderr


def test_undoing_it_can_be_tried_dry_too():
    result = install("--uninstall", "--dry-run")
    assert result.returncode == 0
    assert result.stderr.splitlines()[-1] == "install: nothing was changed"


def test_a_32_bit_system_is_refused_in_a_clear_sentence(tmp_path):
    getconf = tmp_path / "getconf"
    getconf.write_text("#!/bin/sh\necho 32\n")
    getconf.chmod(0o755)
    result = install("--dry-run", path=tmp_path)
    assert result.returncode == 1
    assert result.stderr.startswith("install: this system is 32-bit")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--board", "toaster"], f"there is no board 'toaster': one of {' '.join(board_names())}, or a file"),
        (["--board", "/nowhere/mine.toml"], "there is no board file /nowhere/mine.toml"),
        (["--lang", "xx"], f"there is no language 'xx': one of {' '.join(language_codes())}"),
        (["--loudly"], "there is no '--loudly'"),
    ],
)
def test_what_it_does_not_know_is_refused_before_anything_is_done(arguments, complaint):
    result = install("--dry-run", *arguments)
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1] == f"install: {complaint}"


def test_the_settings_that_it_makes_can_be_used_and_change_nothing_but_what_was_asked():
    text = (ROOT / "systemd/settings.toml").read_text(encoding="utf-8")
    assert parse(text) == Settings()
    other = re.sub(r'^board = "breadboard"', 'board = "ring"', text, flags=re.MULTILINE)
    assert parse(other) == Settings(body=BodySection(board="ring"))


def test_every_suggestion_in_those_settings_is_a_setting():
    text = (ROOT / "systemd/settings.toml").read_text(encoding="utf-8")
    parse(re.sub(r"^# (\w+ = )", r"\1", text, flags=re.MULTILINE))


SCRIPTS = ("bench", "install", "lint", "lock", "recording", "rig", "run", "setup", "test")


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_that_is_asked_for_help_tells_what_it_does_and_installs_nothing(script, tmp_path):
    shutil.copytree(ROOT / "script", tmp_path / "script", ignore=shutil.ignore_patterns("__pycache__"))
    nothing = {"PATH": "/nowhere:/usr/bin:/bin", "HOME": str(tmp_path)}
    result = subprocess.run([tmp_path / "script" / script, "--help"], capture_output=True, text=True, env=nothing)
    assert (result.returncode, result.stderr) == (0, "")
    assert f"script/{script}" in result.stdout
    assert [each.name for each in tmp_path.iterdir()] == ["script"]


@pytest.mark.parametrize(
    ("arguments", "settings", "language"),
    [
        ("", None, "en"),
        ("", "[game]\nplayers = 4\n", "en"),
        ("--typed", 'language = "fr"\n', "fr"),
        ("run --lang fr --typed", None, "fr"),
        ("run --lang=en", 'language = "fr"\n', "en"),
    ],
)
def test_the_models_of_the_language_that_will_be_spoken_are_set_up(arguments, settings, language, tmp_path):
    if settings is not None:
        (tmp_path / "seance").mkdir()
        (tmp_path / "seance/settings.toml").write_text(settings)
    program = f". script/parts.sh; asked_language {arguments}"
    environ = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path)}
    result = subprocess.run(["bash", "-euc", program], cwd=ROOT, capture_output=True, text=True, env=environ)
    assert (result.stdout, result.stderr) == (f"{language}\n", "")


@pytest.mark.parametrize("script", [*(f"script/{name}" for name in SCRIPTS), "script/parts.sh", "systemd/seance-name"])
def test_a_shell_understands_every_script(script):
    shell = "sh" if script.startswith("systemd") else "bash"
    result = subprocess.run([shell, "-n", ROOT / script], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")


def test_the_unit_of_the_name_is_understood_by_systemd(tmp_path):
    unit = tmp_path / "seance-name.service"
    text = (ROOT / "systemd/seance-name.service").read_text(encoding="utf-8")
    # Avahi need not be on the machine that tests.
    text = text.replace("/opt/seance/share/seance-name", sys.executable).replace("avahi-daemon", "systemd-journald")
    unit.write_text(text, encoding="utf-8")
    result = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")


def test_the_name_is_published_for_the_address_of_the_machine_and_let_go_at_the_end(tmp_path):
    ip, publish, sleep = tmp_path / "ip", tmp_path / "avahi-publish", tmp_path / "sleep"
    ip.write_text("#!/bin/sh\necho '192.0.2.1 via 10.0.0.1 dev eth0 src 10.0.0.7 uid 0'\n")
    publish.write_text('#!/bin/sh\necho "$*"\nexec /bin/sleep 300\n')
    sleep.write_text('#!/bin/sh\necho "waiting"\nexec /bin/sleep "$@"\n')
    for program in (ip, publish, sleep):
        program.chmod(0o755)
    path = f"{tmp_path}:/usr/bin:/bin"
    naming = subprocess.Popen(
        [ROOT / "systemd/seance-name"], stdout=subprocess.PIPE, text=True, env={**os.environ, "PATH": path}
    )
    assert naming.stdout is not None
    lines = {naming.stdout.readline(), naming.stdout.readline()}
    naming.terminate()  # while it waits: a shell that is just about to would hear of it 10 s later
    naming.communicate(timeout=60)  # it ends when nobody holds the pipe, so the publisher has gone, too
    assert lines == {"--address --no-reverse seance.local 10.0.0.7\n", "waiting\n"}
    assert naming.returncode == 0
