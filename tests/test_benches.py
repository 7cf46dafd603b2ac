"""Benchmarks that play the nights of the tests: each can be started as `script/bench` does it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", ["attack", "night", "soak", "talk", "web"])
def test_a_benchmark_that_uses_the_tests_finds_them(name: str) -> None:
    program = [sys.executable, ROOT / "script" / "benches" / f"{name}.py", "--help"]
    started = subprocess.run(program, capture_output=True, text=True, cwd=ROOT)
    assert (started.returncode, started.stderr) == (0, "")
