"""The form of a rule: a generator that yields events and is sent the state that each leads to."""

from collections.abc import Generator
from typing import TypeAlias

from seance.rules.events import Event
from seance.rules.state import State

Course: TypeAlias = Generator[Event, State, None]
"""A rule that takes its course; it may refuse, before its first event."""

Passage: TypeAlias = Generator[Event, State, State]
"""A part of a rule; it returns the state it leads to."""
