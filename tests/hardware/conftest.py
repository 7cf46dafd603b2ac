import pytest

from hardware.timers import HandTimers
from hardware.virtual import VirtualFactory


@pytest.fixture
def time():
    return HandTimers()


@pytest.fixture
def pins():
    return VirtualFactory()
