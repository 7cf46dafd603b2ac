"""Fails a test during which anything is logged as ERROR or worse."""

import logging
from collections.abc import Iterator
from typing import Any

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
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output["errors"] = ERROR_LOG.errors  # a worker's own exit status is not heeded


@pytest.hookimpl(optionalhook=True)  # unknown where xdist is not installed
def pytest_testnodedown(node: Any) -> None:
    ERROR_LOG.errors += getattr(node, "workeroutput", {}).get("errors", [])  # one that has crashed has no output


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for error in ERROR_LOG.errors:
        terminalreporter.write_line(f"logged as an error outside of tests: {error}", red=True)
