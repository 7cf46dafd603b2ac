"""A test run in which anything is logged as an error fails."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).with_name("alarm.py")
DURING = """
import logging, threading

log = logging.getLogger("a.b")

def test_error(): log.error("no")

def test_in_a_thread():
    thread = threading.Thread(target=log.critical, args=("no",))
    thread.start()
    thread.join()

def test_warning(): log.warning("hm")
"""
OUTSIDE = """
import logging

def test_nothing(): pass

def teardown_module(): logging.getLogger("a").error("too late for a test")
"""


def run(folder: Path, source: str, *arguments: str) -> tuple[int, str]:
    """Return the exit code and what is printed by a run of pytest with our conftest and *source*."""
    (folder / "conftest.py").write_text(CONFTEST.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "test_it.py").write_text(source, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), str(folder)]
    environ = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, cwd=folder, env=environ, check=False)
    return done.returncode, done.stdout


EACH_WAY = pytest.mark.parametrize("arguments", [(), ("-p", "xdist", "-n", "2")], ids=["serially", "side by side"])


@EACH_WAY
def test_a_test_fails_that_logs_an_error_in_whatever_thread(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    code, printed = run(tmp_path, DURING, *arguments)
    assert code == 1
    assert printed.splitlines()[-1].startswith("3 passed, 2 errors")


@EACH_WAY
def test_a_run_fails_that_logs_an_error_outside_of_its_tests(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    code, printed = run(tmp_path, OUTSIDE, *arguments)
    assert code == 1
    assert "logged as an error outside of tests: a: too late for a test\n" in printed
    assert printed.splitlines()[-1].startswith("1 passed")
