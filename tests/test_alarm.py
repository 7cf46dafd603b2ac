"""A test run in which anything is logged as an error fails."""

import os
import subprocess
import sys
from pathlib import Path

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


def run(folder: Path, source: str) -> tuple[int, str]:
    """Return the exit code and the last line of a run of pytest with our conftest and *source*."""
    (folder / "conftest.py").write_text(CONFTEST.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "test_it.py").write_text(source, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), str(folder)]
    environ = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environ, check=False)
    return done.returncode, done.stdout.splitlines()[-1]


def test_a_test_fails_that_logs_an_error_in_whatever_thread(tmp_path: Path) -> None:
    code, summary = run(tmp_path, DURING)
    assert code == 1
    assert summary.startswith("3 passed, 2 errors")


def test_a_run_fails_that_logs_an_error_outside_of_its_tests(tmp_path: Path) -> None:
    code, summary = run(tmp_path, OUTSIDE)
    assert code == 1
    assert summary.startswith("1 passed")
