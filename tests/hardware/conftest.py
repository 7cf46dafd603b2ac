import subprocess
from pathlib import Path

import pytest

from hardware.timers import ManualTimers
from hardware.virtual import VirtualPinFactory


@pytest.fixture
def time():
    return ManualTimers()


@pytest.fixture
def pins():
    return VirtualPinFactory()


@pytest.fixture(scope="session")
def fake_chip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the fake GPIO chip that is preloaded for lgpio."""
    pytest.importorskip("lgpio", reason="lgpio has no wheel for this Python")
    library = tmp_path_factory.mktemp("chip") / "gpiochip.so"
    source = Path(__file__).with_name("gpiochip.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library
