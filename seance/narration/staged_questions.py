"""Cues for the replies to the room's questions about the night."""

from seance.dialogue import replies as r
from seance.narration.cue_builder import CueBuilder
from seance.narration.cues import Earcon, Mood, ShowSand, Sound
from seance.narration.examples import example_at_table
from seance.narration.next_text import next_lines
from seance.narration.staged_replies import tell_reply
from seance.rules import Category

LAST_SECONDS = 10
"""Seconds of sand at which the mood becomes LAST_SECONDS."""
MAX_EXAMPLES = 4


@tell_reply.register
def _tell_time_left(reply: r.TimeLeft, cues: CueBuilder) -> None:
    if reply.seconds is None:
        cues.say("time_left.none")
    else:
        cues.say(f"time_left.{'paused' if reply.paused else 'running'}", seconds=reply.seconds)


@tell_reply.register
def _tell_sand_left(reply: r.SandLeft, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.TIME))
    if reply.seconds <= LAST_SECONDS:
        cues.set_mood(Mood.LAST_SECONDS)
    own = f"sand_left.{reply.seconds}"
    cues.interrupt(own if cues.style.script.has(own) else "time_left.running", seconds=reply.seconds)


@tell_reply.register
def _tell_sand_out(reply: r.SandOut, cues: CueBuilder) -> None:
    cues.add(ShowSand(None), Earcon(Sound.TIME))
    cues.set_mood(Mood.VISIONS)
    cues.interrupt("sand_left.out", psychics=reply.psychics)


@tell_reply.register
def _tell_sand_started(reply: r.SandStarted, cues: CueBuilder) -> None:
    cues.add(ShowSand(reply.seconds, reply.seconds), Earcon(Sound.TIME))
    cues.set_mood(Mood.SAND)
    cues.say("event.sand_turned", seconds=reply.seconds)


@tell_reply.register
def _tell_hour_is(reply: r.HourIs, cues: CueBuilder) -> None:
    cues.say(f"hour_is.{reply.phase}", hour=reply.hour)


@tell_reply.register
def _tell_missing(reply: r.Missing, cues: CueBuilder) -> None:
    many = {0: "nobody", 1: "one"}.get(len(reply.psychics), "many")
    cues.say(f"missing.{reply.lacking}.{many}", psychics=reply.psychics)


@tell_reply.register
def _tell_options(reply: r.Options, cues: CueBuilder) -> None:
    cues.say(f"options.{reply.phase or 'before'}")
    # A bare "group three" means a ball where balls are placed: nobody votes there.
    intents = set(reply.intents) - ({"vote"} if "point_at" in reply.intents else set())
    examples = tuple(_example(cues, intent) for intent in cues.style.script.examples if intent in intents)
    if examples and not cues.is_silent:
        cues.say("options.say", examples=examples[:MAX_EXAMPLES])
    if reply.phase is not None:
        cues.say_if_full("options.always")


@tell_reply.register(r.WhatNext)
@tell_reply.register(r.Reminder)
def _tell_what_next(reply: r.WhatNext | r.Reminder, cues: CueBuilder) -> None:
    for key, values in next_lines(reply.step, cues.style.script, cues.edition):
        cues.say(key, **values)


def _example(cues: CueBuilder, intent: str) -> str:
    edition = None if cues.room is None else cues.style.edition_of(cues.room)
    return example_at_table(intent, cues.style.script, cues.room, edition)


@tell_reply.register
def _tell_on_table(reply: r.OnTable, cues: CueBuilder) -> None:
    some = any(reply.table.rows())
    for kind in Category:
        cards = reply.table.of(kind)
        if cards:
            cues.say("on_table.row", category=kind, cards=cards)
        elif not (some and cues.room and cues.room.groups):  # in the line-up, some kinds have left the table
            cues.say("on_table.empty", category=kind)


@tell_reply.register
def _tell_crows_left(reply: r.CrowsLeft, cues: CueBuilder) -> None:
    cues.say(f"crows_left.{'some' if reply.crows else 'none'}", crows=reply.crows)


@tell_reply.register
def _tell_tried(reply: r.Tried, cues: CueBuilder) -> None:
    if reply.kind is None:
        cues.say("progress.done", psychic=reply.psychic)
    elif not reply.cards:
        cues.say("tried.none", psychic=reply.psychic, category=reply.kind)
    else:
        cues.say("tried.some", psychic=reply.psychic, cards=reply.cards)


@tell_reply.register
def _tell_progress(reply: r.Progress, cues: CueBuilder) -> None:
    for psychic in reply.psychics:
        found = len(psychic.found)
        if psychic.searching == "done":
            cues.say("progress.done", psychic=psychic.colour)
            continue
        kind = Category(psychic.searching)
        cues.say(f"progress.{'some' if found else 'none'}", psychic=psychic.colour, found=found, category=kind)
