"""Any log of ERROR or worse fails the test during which it was written."""

import logging
from collections.abc import Iterator

import pytest


class Alarm(logging.Handler):
    """Remembers what was logged as an error, in whatever thread."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.errors.append(f"{record.name}: {record.getMessage()}")


ALARM = Alarm()


def pytest_configure() -> None:
    logging.getLogger().addHandler(ALARM)


@pytest.fixture(autouse=True)
def no_error_is_logged() -> Iterator[None]:
    yield
    errors, ALARM.errors = ALARM.errors, []
    assert not errors, f"logged as errors: {errors}"


def pytest_sessionfinish(session: pytest.Session) -> None:
    if ALARM.errors:  # after the last test, or outside of all
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
