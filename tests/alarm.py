"""Fails a test during which anything is logged as ERROR or worse."""

import logging
from collections.abc import Iterator

import pytest


class ErrorLog(logging.Handler):
    """Collects what is logged as ERROR or worse, in any thread."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.errors.append(f"{record.name}: {record.getMessage()}")


ERROR_LOG = ErrorLog()


def pytest_configure() -> None:
    logging.getLogger().addHandler(ERROR_LOG)


@pytest.fixture(autouse=True)
def no_error_is_logged() -> Iterator[None]:
    yield
    errors, ERROR_LOG.errors = ERROR_LOG.errors, []
    assert not errors, f"logged as errors: {errors}"


def pytest_sessionfinish(session: pytest.Session) -> None:
    if ERROR_LOG.errors:  # logged after the last test, or outside of all
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
