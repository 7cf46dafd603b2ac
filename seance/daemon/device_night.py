"""What other devices of the house may do in a night: have a line said, change the sand, knock, play."""

from dataclasses import replace
from functools import singledispatchmethod

from seance.daemon import device_requests as d
from seance.daemon.timed_night import TimedNight
from seance.dialogue import replies as r
from seance.dialogue.ballots import is_secret_vote
from seance.narration.cues import Knock, KnockMeaning, Say, ShowSand
from seance.rules import Begin, Phase, Vote

_KNOCKS_ANSWER = frozenset({Phase.MANIFESTATION, Phase.VOTE, Phase.ELDEST, Phase.ACCUSATION})
"""The phases in which the room waits for knocks that mean yes or no."""


class DeviceNight(TimedNight):
    """A night in which other devices take part."""

    @singledispatchmethod
    def _carry_out_request(self, request: d.DeviceRequest) -> None:
        raise TypeError(f"no handler for {type(request).__name__}")

    @_carry_out_request.register
    def _say_line(self, request: d.LineRequest) -> None:
        self._narrator.add(Say(request.text))

    @_carry_out_request.register
    def _change_sand(self, request: d.SandRequest) -> None:
        """Change the sand that was turned, and say how much is left."""
        sand = self.sand
        if sand is None:
            return
        self._time.change_sand(request.left_after(sand.left_at(self._now)), self._now)
        if (after := self.sand) is not None:
            self._narrator.add(ShowSand(after.left_s, after.turn_s, running=after.running))
            self._reply(r.TimeLeft(round(after.left_s), self.conversation.paused))

    @_carry_out_request.register
    def _knock(self, request: d.KnockRequest) -> None:
        """Knock, unless somebody could take it for an answer."""
        is_told = self.state is None or self._night_log.is_told
        if is_told and (self.state is None or self.state.phase not in _KNOCKS_ANSWER):
            self._narrator.add(Knock(KnockMeaning.CALL, request.count))

    @_carry_out_request.register
    def _play(self, request: d.GameRequest) -> None:
        """Carry out a command of the game as if it had been said at the table."""
        room, command = self.room, request.command
        if self.conversation.asleep:
            return
        if self.conversation.paused:
            self._reply(r.Paused(already=True))
        elif isinstance(command, Vote) and room is not None and is_secret_vote(room, self.edition_of(room)):
            self._reply(r.VoteIsSilent())
        else:
            if isinstance(command, Begin):
                command = replace(command, seed=None)  # whoever chose it would know every secret
            self.conversation = replace(self.conversation, said=None, quiet=0.0)
            self._carry_out((command,))
