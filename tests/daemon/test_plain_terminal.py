"""The plain terminal between two evenings: what is typed meanwhile reaches the next one."""

import os
from queue import Empty, SimpleQueue

import pytest

from seance.daemon.terminal.plain_terminal import PlainTerminal
from seance.texts import Texts

PATIENCE = 20.0
END = "(end of input)"


@pytest.fixture
def keyboard(monkeypatch):
    """Return the end of a pipe to write to; the other is the standard input."""
    reading, writing = os.pipe()
    with os.fdopen(reading) as stdin, os.fdopen(writing, "w", buffering=1) as keyboard:
        monkeypatch.setattr("sys.stdin", stdin)
        yield keyboard


def connect(terminal: PlainTerminal) -> "SimpleQueue[str]":
    """Let *terminal* pass on what is typed, as an evening does, and return where it arrives."""
    inbox: SimpleQueue[str] = SimpleQueue()
    terminal.on_line, terminal.on_end = inbox.put, lambda: inbox.put(END)
    terminal.listen()
    return inbox


def test_what_is_typed_between_two_evenings_reaches_the_second(keyboard):
    terminal = PlainTerminal(Texts.load("terminal", "en"))
    first = connect(terminal)
    terminal.hold()
    keyboard.write("we are four\n")
    keyboard.close()
    with pytest.raises(Empty):
        first.get(timeout=0.2)  # what should not arrive gives no event to wait for
    second = connect(terminal)
    assert [second.get(timeout=PATIENCE), second.get(timeout=PATIENCE)] == ["we are four", END]


def test_an_input_that_ended_with_the_first_evening_ends_the_second(keyboard):
    terminal = PlainTerminal(Texts.load("terminal", "en"))
    first = connect(terminal)
    keyboard.close()
    assert first.get(timeout=PATIENCE) == END
    assert connect(terminal).get(timeout=PATIENCE) == END
