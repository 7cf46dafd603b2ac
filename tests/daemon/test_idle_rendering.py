"""In idle hours a process renders all lines; it is a small program here."""

import sys
import time
from pathlib import Path

import pytest

from seance.daemon.world.idle_rendering import IdleRendering

WAITING = "import pathlib, sys, time; pathlib.Path(sys.argv[1]).touch(); time.sleep(600)"
IDLE_S = 600.0


@pytest.fixture
def begun(tmp_path) -> Path:
    """A file that is there once the process has begun."""
    return tmp_path / "begun"


@pytest.fixture
def rendering(begun):
    """Return what renders with a program that does not end by itself."""
    rendering = IdleRendering((sys.executable, "-c", WAITING, str(begun)))
    yield rendering
    rendering.close()


def wait_for(what):
    until = time.monotonic() + 20
    while not what():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_it_begins_when_nobody_has_done_anything_for_long(rendering, begun):
    rendering.follow(IDLE_S - 1)
    assert rendering._process is None
    rendering.follow(IDLE_S)
    wait_for(begun.exists)


def test_it_ends_as_soon_as_somebody_comes_and_goes_on_when_they_have_gone(rendering, begun):
    rendering.follow(IDLE_S)
    wait_for(begun.exists)
    process = rendering._process
    rendering.follow(0.0)
    process.wait(10)
    begun.unlink()
    rendering.follow(0.5)
    rendering.follow(IDLE_S)
    wait_for(begun.exists)


@pytest.mark.parametrize("status", [0, 1])
def test_what_has_ended_by_itself_is_not_begun_again(status):
    rendering = IdleRendering((sys.executable, "-c", f"import sys; sys.exit({status})"))
    rendering.follow(IDLE_S)
    rendering._process.wait(20)
    rendering.follow(IDLE_S)
    rendering.follow(IDLE_S)
    assert rendering._process is None


def test_what_it_has_started_ends_with_it(tmp_path):
    child = tmp_path / "child"
    source = (
        "import pathlib, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"pathlib.Path({str(child)!r} + '.draft').write_text(str(child.pid))\n"
        f"pathlib.Path({str(child)!r} + '.draft').rename({str(child)!r})\n"
        "time.sleep(600)"
    )
    rendering = IdleRendering((sys.executable, "-c", source))
    rendering.follow(IDLE_S)
    wait_for(child.exists)
    rendering.close()
    wait_for(lambda: not is_alive(child.read_text()))


def is_alive(pid):
    """Tell whether the process *pid* runs; one that has ended may wait for its parent to notice."""
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"
