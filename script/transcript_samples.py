"""A night, a reply, a step and a refusal's fields for every kind of line that script/transcripts.py writes down."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from seance.dialogue import replies as r
from seance.dialogue import seat_replies as sr
from seance.dialogue.answers import options_reply
from seance.dialogue.conversation_state import DEFAULTS, Conversation, PendingQuestion, SeatQuestion
from seance.dialogue.faults import Fault
from seance.dialogue.next_step import NextStep
from seance.dialogue.questions import Doubt, DrawnRow, Question
from seance.dialogue.replies import Lacking
from seance.dialogue.setup_talk import SETUP_QUESTIONS
from seance.dialogue.what_next import what_next
from seance.narration.script import Script
from seance.narration.staging import Opening
from seance.rules import (
    IGAMES,
    LIBELLUD,
    MANUAL,
    Begin,
    Category,
    Command,
    Deal,
    Event,
    Phase,
    Psychic,
    RoomView,
    State,
    Table,
    apply,
    room_view,
)
from seance.rules import (
    commands as do,
)
from seance.rules.bots import Company

BLUE, WHITE, RED, _, _, BLACK = Psychic

# Seeds of nights in which much happens.
NIGHT_SEED = 41
LOST_SEED = 46
SMALL_SEED = 2
WEEK_SEED = 5
FULL_SEED = 11

ROW = DrawnRow(kind=Category.CHARACTER, needed=4, edition="libellud")
ROWS = {Question.ROW: ROW}
SUMMARY = r.Summary(edition="libellud", players=7, level="medium", psychics=tuple(Psychic), story=Opening.LONG)
BEFORE = (
    r.Welcome(),
    r.Ask(question=Question.PLAYERS),
    r.Ask(question=Question.LEVEL, choices=("easy", "medium", "hard")),
    r.Ask(question=Question.STORY),
    SUMMARY,
    r.Enrolled(RED, more=2),
    r.Enrolled(RED),
)


def play_night(
    begin: Begin, skill: float | None = None, last: Command | None = None, after: int = 0
) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Yield a night played by bots who also give each rare command once; *last* is given *after* so many commands."""
    bot, state, done = Company(Random(begin.seed), accuracy=skill), None, 0
    command: Command | None = begin
    seldom: set[type[Command]] = set()
    while command is not None:
        state, events = apply(state, command)
        yield state, events
        done += 1
        if state.outcome is not None:
            return
        if last is not None and done > after:
            command, last = last, None
            continue
        command = _rare_command(state, command, seldom) or bot.choose(state)


def _rare_command(state: State, command: Command, done: set[type[Command]]) -> Command | None:
    """Return a rare command to give after *command*, each kind once in a night; else None."""
    rare: Command | None = None
    if isinstance(command, do.GiveVision | do.PlaceIntuition | do.Bet) and type(command) not in done:
        psychic = command.by if isinstance(command, do.Bet) else command.psychic
        rare = do.TakeBack(psychic=psychic)
        done.add(type(command))
    elif isinstance(command, do.Bet) and do.WithdrawBet not in done:
        rare = do.WithdrawBet(by=command.by, on=command.on)
        done.add(do.WithdrawBet)
    elif isinstance(command, do.PlaceIntuition) and state.hour == 2 and do.CallTime not in done:
        rare = do.CallTime() if state.setup.edition.sand_seconds else None
        done.add(do.CallTime)
    elif state.phase is Phase.LINEUP and do.NumberGroups not in done:
        rare = do.NumberGroups(order=tuple(reversed(state.setup.psychics)))
        done.add(do.NumberGroups)
    return rare


def replies(script: Script, room: RoomView) -> Iterator[r.Reply]:
    """Yield a reply for every line of the script."""
    yield from (r.Ask(question=question, needed=4, row=ROWS.get(question)) for question in Question)
    yield r.Ask(question=Question.ROW, row=replace(ROW, cards=(3, 6)))
    yield r.AskBack(doubt=Doubt.ROW, row=replace(ROW, cards=(3, 6, 7, 12)))
    yield from (
        r.Ask(question=question, psychic=RED, choices=("red", "blue"))
        for question in (Question.PSYCHICS, Question.WHICH_CARD, Question.WHO_IS_ELDEST)
    )
    yield from (r.Ask(question=question, again=True, needed=4, row=ROWS.get(question)) for question in Question)
    yield r.Summary(
        edition="igames",
        players=3,
        level="normal",
        psychics=(RED, BLACK),
        story=Opening.SHORT,
        by_hand=True,
        drawn=True,
    )
    yield r.Summary(edition="libellud", players=3, level="easy", psychics=tuple(Psychic)[:4], story=Opening.SHORT)
    yield r.Summary(
        edition="manual",
        players=3,
        level="normal",
        psychics=(RED, BLACK),
        story=Opening.SKIPPED,
        variant="full_investigation",
    )
    heard_as = script.fill("{psychic}, {card:card}", psychic=RED, card=7)
    yield from (
        r.AskBack(doubt=doubt, said=heard_as, psychic=RED, group=2, instead_of=3, mark="raven")
        for doubt in Doubt
        if doubt is not Doubt.ROW
    )
    seats = (Doubt.SEAT, Doubt.FREE_SEAT, Doubt.PSYCHIC_SEAT)
    yield from (r.AskBack(doubt=doubt, psychic=RED, mark="raven", digits="47") for doubt in seats)
    yield r.AskBack(doubt=Doubt.ACCUSE)
    yield r.AskBack(doubt=Doubt.ACCUSE, group=2, card=7)
    yield from (r.GuestLeft(RED, BLUE), r.GuestLeft(RED), r.GuestBack(RED), r.TellStory("libellud", "legend"))
    yield r.AskBack(doubt=Doubt.END, again=True)
    yield from (
        r.AskReady(again=True),
        r.TakeYourTime(),
        *(r.HandsAnswer(topic) for topic in ("token", "card", "visions", "bet", "look")),
        r.LeftAlone(),
        r.UsualOtherwise(),
        r.Dropped(),
        r.NotUnderstood(),
        r.NothingToUndo(),
        r.NotNeeded(),
        r.VoteIsSilent(),
        r.NoNightYet(),
    )
    yield r.NoCardThere(Category.CHARACTER, 9)
    yield from (r.TimeLeft(95), r.TimeLeft(95, paused=True), r.TimeLeft(None))
    yield from (r.SandLeft(60), r.SandLeft(30), r.SandLeft(10), r.SandOut((RED,)), r.SandStarted(120))
    yield from (r.HourIs(3, phase) for phase in Phase)
    yield from (r.Missing(lacking, psychics) for lacking in Lacking for psychics in ((RED,), (RED, BLUE, WHITE), ()))
    yield r.Options(None, ("begin",))
    yield from (options_reply(replace(room, phase=phase), DEFAULTS) for phase in Phase)
    yield from (r.WhatNext(step) for step in steps())
    yield from (r.OnTable(room.table), r.OnTable(Table()), r.CrowsLeft(2), r.CrowsLeft(0))
    searching = [replace(room.psychics[at], searching=kind, found=found) for at, (kind, found) in enumerate(FOUND)]
    yield r.Progress(tuple(searching))
    yield from (r.Tried(RED, Category.CHARACTER, (3, 7)), r.Tried(RED, Category.LOCATION, ()))
    yield from (r.Paused(), r.Paused(already=True), r.Resumed(), r.Resumed(already=True))
    yield from (r.Volume(louder, limit) for limit in (False, True) for louder in (True, False))
    yield from (r.Asleep(), r.Awake(), sr.SeatFreed())
    yield from (
        sr.SeatTaken(),
        sr.SeatRefused(),
        sr.SeatRefused(answered=False),
        sr.SeatKept(),
        sr.SeatTried(),
        sr.SayAloud(),
        sr.DigitsNeeded(),
        sr.AnotherPhone(),
        sr.GhostAway(),
        sr.PsychicSeated((RED,)),
        sr.PsychicLeft((RED,)),
        sr.PsychicSeatRefused(),
        sr.PsychicSeatRefused(answered=False),
        sr.ChairChanged(RED),
        sr.GhostHeard(),
    )
    yield from (r.PageAt("seance.local:8013"), r.PageAt("192.168.1.20:8013"), r.PageAt(None))
    yield from (r.HostCode("4183"), r.SpeakerTest())
    yield from (r.Interrupted(3, Phase.VISIONS), r.Interrupted(3, Phase.INTERPRETATION, 42, unfinished=True))
    yield from (r.Trouble(fault) for fault in Fault)


def steps() -> Iterator[NextStep]:
    """Yield all that can be next: in every phase, for every question, and before and between nights."""
    yield what_next(Conversation(), None)
    yield from (what_next(replace(Conversation(), **{state: True}), None) for state in ("asleep", "paused"))
    nights = [
        Begin(edition=LIBELLUD, players=5, level="medium", seed=NIGHT_SEED),
        Begin(edition=LIBELLUD, players=2, level="hard", seed=SMALL_SEED),
        Begin(edition=IGAMES, players=4, level="normal", seed=WEEK_SEED, deal=Deal.HAND),
        Begin(edition=MANUAL, players=4, level="easy", seed=FULL_SEED, variant="full_investigation"),
    ]
    for begin in nights:
        rooms = [room_view(state) for state, _ in play_night(begin, skill=0.9)]
        yield what_next(Conversation(laying_out=True), rooms[0])
        yield from (what_next(Conversation(), room) for room in rooms)
        for room in (room for room in rooms if room.phase is Phase.ACCUSATION):
            apart = dict(
                zip((each.colour for each in room.psychics), (each.group for each in room.groups), strict=False)
            )
            yield what_next(Conversation(), replace(room, pointing=apart))
    yield what_next(Conversation(), replace(rooms[0], phase=Phase.ELDEST, eldest_of=(RED, BLUE)))
    for question in Question:
        asks = r.Ask(question=question, psychic=RED, choices=CHOICES.get(question, ()), row=ROWS.get(question))
        asked = PendingQuestion(ask=asks)
        setting_up = question in SETUP_QUESTIONS or question in (Question.WHAT_TO_CHANGE, Question.ROW)
        yield what_next(Conversation(pending=asked, setting_up=setting_up), rooms[0])
    yield from (what_next(Conversation(pending=PendingQuestion(ask_back=r.AskBack(doubt=d))), rooms[0]) for d in Doubt)
    yield what_next(Conversation(pending=PendingQuestion(summary=SUMMARY), setting_up=True), None)
    for pages_only in (False, True):
        for sitting in (SeatQuestion(), SeatQuestion(freeing=True), SeatQuestion(psychic=RED)):
            yield what_next(Conversation(sitting=sitting), None, replace(DEFAULTS, pages_only=pages_only))


CHOICES = {Question.LEVEL: ("easy", "medium", "hard"), Question.EDITION: ("libellud", "igames")}
FOUND = ((Category.CHARACTER, ()), (Category.OBJECT, (3, 21)), ("done", (4, 22, 41)))
FIELDS = {
    "psychic": RED, "by": RED, "on": BLUE, "psychics": "red, blue", "candidates": "blue, white", "card": 7,
    "category": Category.OBJECT, "hour": 3, "phase": Phase.VOTE, "command": "bet", "players": 9, "edition": "igames",
    "level": "medium", "levels": "easy", "variant": "x", "given": "red", "needed": 3, "wanted": "x", "cards": "7",
    "count": 9, "least": 2, "most": 7, "order": "red", "group": 5, "groups": "1, 2, 3", "shown": 1, "sees": 2, "balls": 1,
    "tokens": 2, "readers": "red, blue",
}  # fmt: skip
"""A value for every field of a refusal."""
