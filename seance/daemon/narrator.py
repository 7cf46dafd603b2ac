"""The narrator of an evening: stages replies, refusals and events, and collects their cues."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from seance.daemon.catch_up import stage_untold_steps
from seance.daemon.night_log import LoggedStep
from seance.dialogue import replies as r
from seance.dialogue.opening import Opening, chosen_opening
from seance.narration import staging as st
from seance.narration.cues import Cue, Say, ShowTable, Whisper
from seance.narration.script import Memory
from seance.narration.staging import NarrationStyle, Pace
from seance.rules import Event, Refusal, RoomView, room_view


class Narrator:
    """Keeps the style, the memory of what was said, and the cues of the current step."""

    def __init__(self, style: NarrationStyle, *, seed: int) -> None:
        """Tell nights in *style*; *seed* chooses among lines."""
        self._style = self._night_style = style
        self.memory = Memory(seed=seed)
        """Which lines were said; restored after a restart."""
        self._cues: list[Cue] = []

    @property
    def pace(self) -> Pace:
        """How much is said."""
        return self._night_style.pace

    @property
    def night_style(self) -> NarrationStyle:
        """How this night is told."""
        return self._night_style

    def restore(self, style: NarrationStyle, memory: Memory) -> None:
        """Tell this night in *style* from *memory* on."""
        self._night_style, self.memory = style, memory

    def set_pace(self, pace: Pace) -> None:
        """Say more or less from now on, in later nights too."""
        self._style, self._night_style = replace(self._style, pace=pace), replace(self._night_style, pace=pace)

    def begin_night(self, story: Opening | bool | None, *, cards_drawn: bool = False) -> None:
        """Use the evening's style for a new night, with as much of the *story* as was chosen."""
        opening = chosen_opening(story) or self._style.opening
        self._night_style = replace(self._style, opening=opening, cards_drawn=cards_drawn)

    def skip_story(self) -> None:
        """Tell nothing more of this night's opening."""
        self._night_style = replace(self._night_style, opening=Opening.SKIPPED)

    def add(self, *cues: Cue) -> None:
        """Add *cues* as they are."""
        self._cues += cues

    def take_cues(self) -> list[Cue]:
        """Return the cues since the last call."""
        cues, self._cues = self._cues, []
        return cues

    def say_reply(self, reply: r.Reply, room: RoomView | None) -> None:
        """Add the cues of *reply*."""
        self._add_staged(st.stage_reply(self._night_style, self.memory, reply, room))

    def say_refusal(self, refusal: Refusal, room: RoomView | None) -> None:
        """Add the cues of *refusal*."""
        self._add_staged(st.stage_refusal(self._night_style, self.memory, refusal, room))

    def say_idle_line(self, room: RoomView) -> None:
        """Add the next piece of the story that fills a silence, if there is one."""
        self._add_staged(st.stage_wait(self._night_style, self.memory, room))

    def say_interrupted(
        self, room: RoomView, untold: Sequence[LoggedStep], *, seconds: int | None, laying_out: bool
    ) -> None:
        """Say where a night was interrupted, with *seconds* of sand left, and tell its *untold* steps."""
        seen = room_view(untold[0].before) if untold and untold[0].before else room
        left = seconds if seen.phase is room.phase else None
        self.say_reply(r.Interrupted(seen.hour, seen.phase, left, unfinished=bool(untold)), seen)
        self.add(ShowTable(seen))
        self._add_staged(stage_untold_steps(self._night_style, self.memory, untold, laying_out=laying_out))

    def stage_events(self, events: Iterable[Event], before: RoomView | None, room: RoomView) -> tuple[Cue, ...]:
        """Return the cues of *events*, to be added once the events are written; they count as said already."""
        staged = st.stage_events(self._night_style, self.memory, events, before, room)
        self.memory = staged.memory
        return st.with_table(staged.cues, room)

    def whisper_reply(self, reply: r.Reply, room: RoomView | None) -> None:
        """Show the ghost alone the lines of *reply*."""
        self._whisper(st.stage_reply(self._written_style, self.memory, reply, room))

    def whisper_refusal(self, refusal: Refusal, room: RoomView | None) -> None:
        """Show the ghost alone the lines of *refusal*."""
        self._whisper(st.stage_refusal(self._written_style, self.memory, refusal, room))

    def _add_staged(self, staged: st.StagedCues) -> None:
        self.memory = staged.memory
        self._cues += staged.cues

    @property
    def _written_style(self) -> NarrationStyle:
        """The style of what is only read: it has lines at a silent pace, too."""
        style = self._night_style
        return replace(style, pace=Pace.BRISK) if style.pace is Pace.SILENT else style

    def _whisper(self, staged: st.StagedCues) -> None:
        self._cues += [Whisper(cue.text) for cue in staged.cues if isinstance(cue, Say)]
