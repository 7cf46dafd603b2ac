"""The form of a rule: a generator that yields events and is sent the state that each leads to."""

from collections.abc import Generator
from typing import TypeAlias

from seance.rules.events import Event
from seance.rules.state import State

Course: TypeAlias = Generator[Event, State, None]
"""A whole rule; it may raise Refusal, but only before its first event."""

Passage: TypeAlias = Generator[Event, State, State]
"""A part of a rule; it returns the state after its events."""
