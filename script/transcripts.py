"""Write docs/night-en.md and docs/night-fr.md: nights as the house tells them, every kind of line once.

`.venv/bin/python -m script.transcripts` writes them: do not edit them by hand.
"""

import tomllib
from collections.abc import Iterable
from dataclasses import replace
from inspect import get_annotations
from itertools import groupby
from pathlib import Path
from typing import TypeGuard

from script.transcript_samples import (
    BEFORE,
    FIELDS,
    FULL_SEED,
    LOST_SEED,
    NIGHT_SEED,
    SMALL_SEED,
    WEEK_SEED,
    play_night,
    replies,
)
from seance.dialogue import replies as r
from seance.narration import cues as c
from seance.narration.script import Script
from seance.narration.staging import (
    Memory,
    NarrationStyle,
    Opening,
    StagedCues,
    stage_events,
    stage_refusal,
    stage_reply,
    stage_wait,
)
from seance.rules import (
    IGAMES,
    LIBELLUD,
    MANUAL,
    PORTAL,
    Begin,
    Deal,
    Event,
    Phase,
    Psychic,
    Refusal,
    RoomView,
    Seat,
    State,
    Table,
    apply,
    heard,
    room_view,
    wire_name,
)
from seance.rules import (
    commands as do,
)
from seance.rules.clairvoyancy import cards_seen

DOCS = Path(__file__).parents[1] / "docs"
BLUE, WHITE, RED, _, _, BLACK = Psychic

WORDS = {
    path.stem: tomllib.loads(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parent / "transcripts").glob("*.toml"))
}
"""Captions by language; a language without them has no document."""


class Transcript:
    """Collects a document of what the house tells; only what brings a new line is added."""

    def __init__(self, language: str) -> None:
        self.words = WORDS[language]
        self.style = NarrationStyle(script=Script.load(language), opening=Opening.LONG)
        self.memory = Memory(1894)
        self.keys_told = set[str]()
        self.text = [f"# {self.words['title']}", str(self.words["note"])]

    def chapter(self, name: str) -> None:
        self.text.append(f"## {self.words[name]}")

    def add(self, label: str, staged: StagedCues) -> None:
        """Add *staged* if it has a line that was not added before."""
        self.memory = staged.memory
        keys = {cue.key for cue in staged.cues if isinstance(cue, c.Say)}
        if keys - self.keys_told or any(isinstance(cue, c.Say) and cue.idle for cue in staged.cues):
            self.keys_told |= keys
            self.text.append(f"`{label}`")
            told = (cue for cue in staged.cues if not (isinstance(cue, c.Pause) and cue.story))
            for part, cues in groupby(told, lambda cue: (cue.key, cue.voice) if is_story(cue) else None):
                if part is None:
                    self.text += [shown for cue in cues if (shown := self.format_cue(cue))]
                else:
                    self.text.append(f"> *{part[1]}:* " + " ".join(cue.text for cue in cues if isinstance(cue, c.Say)))

    def format_cue(self, cue: c.Cue) -> str:
        """Return *cue* as Markdown; an empty text for cues that are neither said, knocked nor heard."""
        if isinstance(cue, c.Say):
            return f"> {cue.text}"
        if isinstance(cue, c.Knock):
            return f"*{str(self.words[cue.says]).format(cue.count)}*"
        if isinstance(cue, c.SetAmbience):
            return f"*{self.words['moods'][cue.mood]}*"  # type: ignore[index]
        return f"*{self.words['sand']}*" if isinstance(cue, c.ShowSand) and cue.left else ""

    def add_night(self, steps: Iterable[tuple[State, tuple[Event, ...]]]) -> RoomView:
        """Add a night, and return its last view."""
        before: RoomView | None = None
        for state, events in steps:
            room = room_view(state)
            label = ", ".join(dict.fromkeys(wire_name(type(event)) for event in heard(events, Seat.ROOM)))
            self.add(label, stage_events(self.style, self.memory, events, before, room))
            if before is None:
                for reply in (r.LayOut(Table(room.table.character)), r.AskReady(), r.FirstTurn()):
                    self.add(wire_name(type(reply)), stage_reply(self.style, self.memory, reply, room))
            before = room
        assert before is not None
        return before


def is_story(cue: c.Cue) -> TypeGuard[c.Say]:
    """Tell whether *cue* is a sentence of the long opening."""
    return isinstance(cue, c.Say) and cue.story


def write_transcript(language: str) -> str:
    """Return the document of *language*."""
    transcript = Transcript(language)
    add_nights(transcript)
    return "\n\n".join(transcript.text) + "\n"


def add_nights(transcript: Transcript) -> None:
    """Add all chapters to *transcript*."""
    transcript.chapter("before")
    for reply in BEFORE:
        transcript.add(wire_name(type(reply)), stage_reply(transcript.style, transcript.memory, reply, None))
    transcript.chapter("night")
    begin = Begin(edition=LIBELLUD, players=7, level="medium", seed=NIGHT_SEED)
    room = transcript.add_night(play_night(begin))
    transcript.add_night(play_night(Begin(edition=LIBELLUD, players=5, level="medium", seed=LOST_SEED)))
    add_sealed_vote(transcript, next(state for state, _ in play_night(begin) if state.phase is Phase.VOTE))
    transcript.chapter("small")
    transcript.style = replace(transcript.style, opening=Opening.SHORT)
    transcript.add_night(play_night(Begin(edition=LIBELLUD, players=2, level="hard", seed=SMALL_SEED, deal=Deal.HAND)))
    transcript.style = replace(transcript.style, opening=Opening.LONG)
    transcript.chapter("week")
    week = transcript.add_night(play_night(Begin(edition=IGAMES, players=4, level="normal", seed=WEEK_SEED), skill=0.8))
    transcript.chapter("weeks")
    transcript.add_night(
        play_night(
            Begin(edition=MANUAL, players=4, level="easy", seed=FULL_SEED, variant="full_investigation"), skill=0.9
        )
    )
    transcript.add_night(play_night(Begin(edition=MANUAL, players=4, level="easy", seed=FULL_SEED), skill=0.9))
    transcript.add_night(play_night(Begin(edition=PORTAL, players=4, level="easy", seed=2), skill=0.9))
    transcript.add_night(play_night(Begin(edition=IGAMES, players=2, level="easy", seed=2), skill=1.0))
    transcript.add_night(play_night(Begin(edition=PORTAL, players=6, level="very_difficult", seed=2), skill=0.0))
    transcript.style = replace(transcript.style, opening=Opening.SHORT)
    transcript.add_night(
        play_night(
            Begin(edition=IGAMES, players=3, level="difficult", seed=4, deal=Deal.HAND), last=do.BreakSilence(), after=9
        )
    )
    transcript.style = replace(transcript.style, opening=Opening.SKIPPED, first_night=False)
    transcript.add_night(
        play_night(Begin(edition=LIBELLUD, players=3, level="easy", seed=5), last=do.Abandon(), after=9)
    )
    transcript.chapter("story")
    transcript.style = replace(transcript.style, opening=Opening.LONG)
    script = transcript.style.script
    for edition, lore in script.lores.items():
        ghostly = replace(room, edition=edition, phase=Phase.VISIONS, hour=1)
        transcript.text.append(f"### {lore.title}")
        pieces = len(room.psychics) + len(script.tale("waiting", edition)) + (edition == room.edition)
        for _ in range(pieces):
            transcript.add("waiting", stage_wait(transcript.style, transcript.memory, ghostly))
    transcript.chapter("replies")
    first_hour = next(room_view(state) for state, _ in play_night(begin) if state.phase is Phase.INTERPRETATION)
    for reply in replies(transcript.style.script, first_hour):
        transcript.add(wire_name(type(reply)), stage_reply(transcript.style, transcript.memory, reply, first_hour))
    transcript.chapter("refusals")
    # The wire has refusals of its own, which nobody hears.
    for kind in (kind for kind in Refusal.__subclasses__() if kind.__module__.startswith("seance.rules.")):
        refusal = kind(*(FIELDS[name] for name in get_annotations(kind)))
        transcript.add(kind.__name__, stage_refusal(transcript.style, transcript.memory, refusal, week))


def add_sealed_vote(transcript: Transcript, state: State) -> None:
    """Add a vote that is sealed while the others vote on paper."""
    search = next(search for search in state.unvoted() if cards_seen(state, search) == state.ending.shown)
    after, events = apply(state, do.Vote(by=search.psychic, group=1))
    cues = stage_events(transcript.style, transcript.memory, events, room_view(state), room_view(after))
    transcript.add("vote_cast", cues)


def main() -> None:
    for language in WORDS:
        path = DOCS / f"night-{language}.md"
        path.write_text(write_transcript(language), encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
