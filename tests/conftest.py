"""Fixtures of all tests: a failure for logged errors, and virtual sound devices."""

import signal

from hypothesis import settings

from tests.alarm import (
    no_error_is_logged,
    pytest_configure,
    pytest_sessionfinish,
    pytest_terminal_summary,
    pytest_testnodedown,
)
from tests.sound_rig import sound_rig
from tests.third_language import thirdish
from tests.workers import pytest_collection_modifyitems, pytest_runtest_setup, pytest_xdist_make_scheduler
from tests.written_voices import write_voice

__all__ = [
    "no_error_is_logged",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_runtest_setup",
    "pytest_sessionfinish",
    "pytest_terminal_summary",
    "pytest_testnodedown",
    "pytest_xdist_make_scheduler",
    "sound_rig",
    "thirdish",
    "write_voice",
]

# A background job is started with interrupts ignored, and the processes that the tests interrupt would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# No deadline: on a busy machine the time of an example means nothing; script/bench measures.
settings.register_profile("seance", deadline=None)
settings.load_profile("seance")
