"""The log: text of others in it commands nothing, and no message comes more than a few times a minute."""

import io
import logging

import pytest

from seance.programs.logs import JournaldFormatter, PlainFormatter, RateLimitedHandler


class Log:
    """A logger on a handler whose clock is turned by hand."""

    def __init__(self, formatter: logging.Formatter) -> None:
        self.now = 0.0
        self.handler = RateLimitedHandler(lambda: self.now)
        self.handler.setStream(io.StringIO())
        self.handler.setFormatter(formatter)
        self.logger = logging.Logger("tests", logging.DEBUG)
        self.logger.addHandler(self.handler)

    def lines(self) -> list[str]:
        """Return what was written since the last call."""
        text = self.handler.stream.getvalue()
        self.handler.setStream(io.StringIO())
        return text.splitlines()


@pytest.fixture
def log() -> Log:
    return Log(PlainFormatter("%(message)s"))


def test_a_message_comes_five_times_and_then_as_a_number(log):
    for number in range(1000):
        log.logger.warning("no answer from %d", number)
    assert log.lines() == [f"no answer from {number}" for number in range(5)]
    log.now = 60
    log.logger.info("something else")
    assert log.lines() == ["995 more of these: no answer from 999", "something else"]


def test_a_flood_that_goes_on_is_told_of_once_a_minute(log):
    for second in range(600):
        log.now = second
        log.logger.error("again")
    assert len(log.lines()) == 10 * 5 + 9


def test_what_is_left_is_told_at_the_end(log):
    for _ in range(7):
        log.logger.error("again")
    log.lines()
    stream = log.handler.stream
    log.handler.close()
    assert stream.getvalue() == "2 more of these: again\n"


def test_other_messages_are_not_held_back(log):
    for _ in range(9):
        log.logger.error("again")
    log.logger.error("something else")
    assert log.lines()[-1] == "something else"


def test_who_asks_for_every_detail_gets_it(log):
    for _ in range(100):
        log.logger.debug("detail")
    assert len(log.lines()) == 100


@pytest.mark.parametrize(
    ("formatter", "before"), [(PlainFormatter("%(message)s"), ""), (JournaldFormatter(), "<4>MainThread tests: ")]
)
def test_a_message_is_one_line_without_controls(formatter, before):
    log = Log(formatter)
    log.logger.warning("%s: lost", "\x1b]0;owned\x07mic\r\n<2>forged\u202e")
    assert log.lines() == [f"{before}]0;ownedmic <2>forged: lost"]


def test_a_traceback_has_its_lines_and_no_controls(log):
    try:
        raise ValueError("\x1b[2Jgone")
    except ValueError:
        log.logger.exception("failed")
    lines = log.lines()
    assert lines[:2] == ["failed", "Traceback (most recent call last):"]
    assert lines[-1] == "ValueError: [2Jgone"
