"""Who is holding a button to talk, and how long the house listens to it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from seance.narration.cues import Listen
from seance.rules import Psychic

TAP_S = 0.4
"""A press that is shorter is a tap: the house listens for one command."""
TAP_TIMEOUT_S = 6.0
"""Seconds for which it waits for that command, not counting those in which it speaks itself."""
STUCK_AFTER_S = 60.0
"""Seconds after which a held button counts as stuck, and the house lets go of it."""


@dataclass(frozen=True, slots=True)
class Hold:
    """Somebody holds a button to talk."""

    talker: str
    """Which button it is: that of the board, a key, or a phone by its device."""
    speaker: Psychic | None
    """Whose it is, if known."""
    since: float
    """When it was pressed (seconds of the evening's clock)."""


@dataclass(frozen=True, slots=True)
class TalkState:
    """All buttons to talk that are held, and the last tap while the house waits for its command."""

    holds: tuple[Hold, ...] = ()
    tap: Hold | None = None
    tap_left_s: float = 0.0

    @property
    def is_open(self) -> bool:
        """Whether the house listens because of a button."""
        return bool(self.holds) or self.tap is not None

    @property
    def listen(self) -> Listen:
        """Return the cue for it; nobody is named while several hold a button."""
        heard = {each.speaker for each in self.holds or ((self.tap,) if self.tap else ())}
        speaker = heard.pop() if len(heard) == 1 else None
        return Listen(is_open=self.is_open, speaker=speaker, one_command=self.is_open and not self.holds)

    def press(self, talker: str, speaker: Psychic | None, now: float) -> TalkState:
        """Return the state after *talker* has pressed a button; pressing it again while it is held changes nothing."""
        if any(each.talker == talker for each in self.holds):
            return self
        return replace(self, holds=(*self.holds, Hold(talker, speaker, now)), tap=None)

    def release(self, talker: str, now: float) -> TalkState:
        """Return the state after *talker* has let go; after a tap the house waits for one command."""
        hold = next((each for each in self.holds if each.talker == talker), None)
        if hold is None:
            return self
        others = tuple(each for each in self.holds if each is not hold)
        if now - hold.since > TAP_S:
            return replace(self, holds=others)
        return TalkState(others, hold, TAP_TIMEOUT_S)

    def hear_command(self) -> TalkState:
        """Return the state after a command was heard: a tap is over."""
        return replace(self, tap=None)

    def wait(self, seconds: float) -> TalkState:
        """Return the state after *seconds* in which the house was silent."""
        if self.tap is None:
            return self
        left_s = self.tap_left_s - seconds
        return replace(self, tap_left_s=left_s) if left_s > 0 else replace(self, tap=None)

    def let_go_of_stuck(self, now: float) -> TalkState:
        """Return the state without the buttons that have been held for STUCK_AFTER_S."""
        return replace(self, holds=tuple(each for each in self.holds if now - each.since < STUCK_AFTER_S))
