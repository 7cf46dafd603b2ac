"""What every test has: an alarm for logged errors, and a room with real sound."""

import signal

from hypothesis import settings

from tests.alarm import no_error_is_logged, pytest_configure, pytest_sessionfinish
from tests.sound_rig import sound_rig

__all__ = ["no_error_is_logged", "pytest_configure", "pytest_sessionfinish", "sound_rig"]

# A run in the background is started deaf to interrupts, and so would be all that the tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes is for script/bench to say; on a busy machine it says nothing of the house.
settings.register_profile("seance", deadline=None)
settings.load_profile("seance")
