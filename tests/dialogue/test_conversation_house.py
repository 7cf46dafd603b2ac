"""Questions about the night, and intents for the house itself."""

import pytest

from seance.dialogue import replies as r
from seance.dialogue import seat_replies as sr
from seance.dialogue.answers import automatic_manifest
from seance.dialogue.conversation import EnrolVoice
from seance.dialogue.expected_intents import expected_intents
from seance.dialogue.next_in_phase import next_in_phase
from seance.dialogue.next_step import NextAction
from seance.dialogue.questions import Doubt, Question
from seance.dialogue.replies import Lacking
from seance.rules import (
    EDITIONS,
    IGAMES,
    LIBELLUD,
    BallotKind,
    CallTime,
    Deal,
    Manifest,
    Phase,
    PlaceIntuition,
    PointAt,
    Table,
    TurnSand,
    Vote,
    room_view,
)
from seance.rules.editions import POSSIBLE_PLAYERS
from tests.guests import Guests
from tests.nights import BLUE, RED, WHITE, YELLOW, after, begun, laid, lined_up, marked, on_track, served

FOUR = (BLUE, WHITE, RED, YELLOW)
QUESTIONS = {
    "how much time is left": r.TimeLeft,
    "what hour is it": r.HourIs,
    "what can we do now": r.Options,
    "what now": r.WhatNext,
    "what's on the table": r.OnTable,
    "how many crows are left": r.CrowsLeft,
    "who has found what": r.Progress,
}


def interpreting(**choices):
    return after(served(begun(**choices)), TurnSand())


def voting(*spaces):
    return on_track(laid(begun()), *spaces) if spaces else laid(begun())


def eldest():
    return after(voting(), *(Vote(by=p, group=g) for p, g in zip(FOUR, (1, 1, 2, 2), strict=True)))


MOMENTS = {
    Phase.VISIONS: begun,
    Phase.INTERPRETATION: interpreting,
    Phase.MANIFESTATION: lambda: after(interpreting(), CallTime()),
    Phase.LINEUP: lambda: lined_up(begun()),
    Phase.SHARED_VISION: lambda: marked(begun()),
    Phase.VOTE: voting,
    Phase.ELDEST: eldest,
    Phase.ACCUSATION: lambda: laid(begun(IGAMES)),
}
EACH_PHASE = pytest.mark.parametrize("phase", MOMENTS)


@pytest.fixture
def guests() -> Guests:
    return Guests(interpreting())


# Questions


@EACH_PHASE
@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_is_answered_in_every_phase(phase, question):
    guests = Guests(MOMENTS[phase]())
    (answer,) = guests.say(question)
    assert type(answer) is QUESTIONS[question]


@EACH_PHASE
def test_what_can_be_done_is_never_nothing(phase):
    (options,) = Guests(MOMENTS[phase]()).say("what can we do now")
    assert options.phase is phase
    assert options.intents


@EACH_PHASE
def test_what_is_offered_may_be_said(phase):
    guests = Guests(MOMENTS[phase]())
    (options,) = guests.say("what can we do now")
    assert set(options.intents) <= expected_intents(guests.conversation, guests.room).intents


def test_what_can_be_done_follows_the_table():
    guests = Guests(begun())
    assert guests.say("what can we do now")[0].intents[0] == "give_vision"
    guests.state = served(guests.state)
    assert guests.say("what can we do now")[0].intents[0] == "turn_sand"
    guests.do(TurnSand())
    assert guests.say("what can we do now")[0].intents == ("place_intuition", "take_back", *EVER)


EVER = ("ask_progress", "pause", "end")


def test_without_a_night_a_night_can_be_begun():
    assert Guests().say("what can we do now") == (r.Options(None, ("begin",)),)


def test_the_time_left_is_the_sand_s(guests):
    assert guests.say("how much time is left", sand=61.6) == (r.TimeLeft(62),)
    assert guests.say("how much time is left") == (r.TimeLeft(None),)


def test_a_row_is_said_again_alone(guests):
    table = room_view(guests.state).table
    assert guests.say("repeat the characters") == (r.LayOut(Table(character=table.character)),)
    assert guests.say("the locations again") == (r.LayOut(Table(location=table.location)),)


def test_the_answers_are_the_table_s(guests):
    room = room_view(guests.state)
    assert guests.say("what hour is it") == (r.HourIs(1, Phase.INTERPRETATION),)
    assert guests.say("what's on the table") == (r.OnTable(room.table),)
    assert guests.say("how many crows are left") == (r.CrowsLeft(1),)
    assert guests.say("who has found what") == (r.Progress(room.psychics),)


@pytest.mark.parametrize("question", [*QUESTIONS, "who has not chosen"])
def test_before_the_night_there_is_nothing_to_tell(question):
    (answer,) = Guests().say(question)
    assert isinstance(answer, r.NoNightYet | r.Options | r.WhatNext)


MISSING = {
    Phase.VISIONS: r.Missing(Lacking.VISION, FOUR),
    Phase.INTERPRETATION: r.Missing(Lacking.CHOICE, FOUR),
    Phase.MANIFESTATION: r.Missing(Lacking.ANSWER, FOUR),
    Phase.LINEUP: r.WhatNext(next_in_phase(room_view(MOMENTS[Phase.LINEUP]()), LIBELLUD)),
    Phase.SHARED_VISION: r.WhatNext(next_in_phase(room_view(MOMENTS[Phase.SHARED_VISION]()), LIBELLUD)),
    Phase.VOTE: r.Missing(Lacking.SLEEVE, FOUR),
    Phase.ELDEST: r.Ask(question=Question.WHO_IS_ELDEST, choices=FOUR),
    Phase.ACCUSATION: r.Missing(Lacking.BALL, FOUR),
}


@EACH_PHASE
def test_who_is_missing_is_told_in_every_phase(phase):
    assert Guests(MOMENTS[phase]()).say("who are we waiting for") == (MISSING[phase],)


def test_who_has_done_it_is_not_missing(guests):
    guests.do(PlaceIntuition(psychic=RED, card=guests.state.table.character[0]))
    assert guests.say("who has not chosen") == (r.Missing(Lacking.CHOICE, (BLUE, WHITE, YELLOW)),)


def test_at_a_small_table_a_player_votes_for_both_psychics():
    guests = Guests(laid(begun(players=3)))
    guests.do(Vote(by=BLUE, group=2))
    assert guests.say("who are we waiting for") == (r.Missing(Lacking.VOTE, (RED, YELLOW)),)


def test_who_is_eldest_may_be_answered_after_it_was_asked_for_again():
    guests = Guests(eldest())
    guests.say("who are we waiting for")
    assert guests.say("red") == (r.AskBack(doubt=Doubt.ELDEST, psychic=RED),)


# The house itself


def test_in_a_pause_nothing_but_questions_and_the_end_is_heard(guests):
    card = guests.state.table.character[0]
    assert guests.say("pause") == (r.Paused(),)
    assert guests.say("pause") == (r.Paused(already=True),)
    assert guests.say(f"red chooses card {card}") == (r.Paused(already=True),)
    assert guests.say("how much time is left", sand=30) == (r.TimeLeft(30, paused=True),)
    assert guests.wait(10_000) == ()
    assert guests.mumble() == ()
    assert guests.commands == []
    assert guests.say("continue") == (r.Resumed(),)
    assert guests.say("continue") == (r.Resumed(already=True),)
    assert guests.say(f"red chooses card {card}") == (PlaceIntuition(psychic=RED, card=card),)


def test_a_question_that_was_open_waits_for_the_pause_to_end(guests):
    guests.say("I choose card seven")
    guests.say("pause")
    assert guests.say("red") == (r.Paused(already=True),)
    guests.say("continue")
    assert isinstance(guests.say("red")[0], PlaceIntuition)


def test_a_night_can_be_abandoned_in_a_pause(guests):
    guests.say("pause")
    guests.say("end the séance")
    guests.say("yes")
    assert guests.state.phase is Phase.OVER
    assert not guests.conversation.paused


def test_asleep_the_house_hears_only_that_it_should_wake(guests):
    assert guests.say("stop listening") == (r.Asleep(),)
    before = guests.conversation
    for said in ("red chooses card seven", "what hour is it", "end the séance", "yes", "pause"):
        assert guests.say(said) == ()
    assert guests.mumble() == guests.wait(10_000) == ()
    assert guests.conversation == before
    assert guests.say("wake up") == (r.Awake(),)
    assert guests.say("what hour is it") == (r.HourIs(1, Phase.INTERPRETATION),)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("louder", r.Volume(louder=True)),
        ("quieter", r.Volume(louder=False)),
        ("be quiet", r.Hush()),
        ("repeat that", r.SayAgain()),
        ("the ghost must change seats", sr.SeatFreed()),
        ("I am Madam Wang", EnrolVoice(RED)),
        ("yes", r.NotNeeded()),
        ("no", r.NotNeeded()),
        ("red", r.NotNeeded()),
        ("seven", r.NotNeeded()),
        ("we are five players", r.NotNeeded()),
        ("skip the story", r.SkipStory()),
        ("undo that", r.NothingToUndo()),
    ],
)
def test_what_is_said_to_the_house_is_answered(guests, said, answer):
    assert guests.say(said) == (answer,)
    assert guests.commands == []


def test_while_the_table_is_laid_the_cards_are_repeated():
    guests = Guests()
    guests.say("we are five, medium, the usual rules, all but black and purple, skip the story")
    guests.say("yes")
    table = guests.state.table
    assert guests.say("repeat that") == (
        r.LayOut(Table(character=table.character)),
        r.LayOut(Table(location=table.location)),
        r.LayOut(Table(object=table.object)),
        r.AskReady(),
    )
    guests.say("ready")
    assert guests.say("repeat that") == (r.SayAgain(),)


# Reminders


def reminded(guests, seconds):
    """Return what the house reminds of after *seconds* of silence, for whom, and how often it has."""
    (reminder,) = guests.wait(seconds)
    return reminder.step.action, reminder.step.psychics, reminder.nth


def test_a_phase_that_waits_is_reminded_of_ever_more_rarely():
    guests = Guests(begun())
    heard = [second for second in range(1, 2000) if guests.wait(1)]
    assert heard == [120, 360, 840, 1800]


def test_a_reminder_says_for_whom_and_how_often():
    guests = Guests(served(begun(), RED))
    assert reminded(guests, 120) == (NextAction.GIVE_VISIONS, (BLUE, WHITE, YELLOW), 1)
    assert reminded(guests, 240) == (NextAction.GIVE_VISIONS, (BLUE, WHITE, YELLOW), 2)


def test_when_all_visions_are_given_nobody_is_reminded_of_one():
    assert reminded(Guests(served(begun())), 120) == (NextAction.TURN_SAND, (), 1)


def test_what_happens_is_no_silence():
    guests = Guests(begun())
    guests.wait(119)
    guests.say("what hour is it")
    assert guests.wait(119) == ()
    guests.say("red has a vision")
    assert guests.wait(119) == ()
    assert reminded(guests, 1) == (NextAction.GIVE_VISIONS, (BLUE, WHITE, YELLOW), 1)


def test_a_new_phase_is_reminded_of_anew():
    guests = Guests(begun(IGAMES))
    guests.wait(120)
    for psychic in FOUR:
        guests.say(f"{psychic} has a vision")
    assert reminded(guests, 120) == (NextAction.CHOOSE, FOUR, 1)


def test_the_sand_needs_no_reminder(guests):
    assert guests.wait(10_000) == ()


def test_a_night_that_is_over_needs_none():
    guests = Guests(begun())
    guests.say("we give up")
    guests.say("yes")
    assert guests.wait(10_000) == ()


# What follows by itself


def test_the_manor_answers_each_psychic_by_itself():
    state = after(interpreting(), CallTime())
    answered = []
    while (command := automatic_manifest(room_view(state))) is not None:
        state = after(state, command)
        answered.append(command)
    assert answered == [Manifest(psychic=psychic) for psychic in FOUR]


def test_dealt_by_hand_the_ghost_answers():
    state = after(interpreting(deal=Deal.HAND), CallTime())
    assert automatic_manifest(room_view(state)) is None


# What may be said


def test_asleep_only_wake_may_be_said(guests):
    guests.say("stop listening")
    now = expected_intents(guests.conversation, guests.room)
    assert (now.intents, now.asleep) == (frozenset({"wake"}), True)


def test_yes_and_bare_words_may_be_said_only_where_something_is_asked(guests):
    assert not {"yes", "no", "answer"} & expected_intents(guests.conversation, guests.room).intents
    guests.say("I choose card seven")
    assert "answer" in expected_intents(guests.conversation, guests.room).intents
    guests.say("end the séance")
    assert {"yes", "no"} <= expected_intents(guests.conversation, guests.room).intents


def test_in_a_pause_only_the_end_is_answered(guests):
    guests.say("I choose card seven")
    guests.say("pause")
    assert "answer" not in expected_intents(guests.conversation, guests.room).intents
    guests.say("end the séance")
    assert "yes" in expected_intents(guests.conversation, guests.room).intents


def test_a_large_table_turns_cards_and_a_small_one_accuses():
    large, small = Guests(laid(begun(players=4))), Guests(laid(begun(players=3)))
    both = {"accuse", "turn_shared_vision"}
    assert both & expected_intents(large.conversation, large.room).intents == {"turn_shared_vision"}
    assert both & expected_intents(small.conversation, small.room).intents == {"accuse"}


def test_cards_psychics_and_groups_are_those_of_the_table(guests):
    now = expected_intents(guests.conversation, guests.room)
    table = guests.state.table
    assert now.cards == frozenset(table.character + table.location + table.object)
    assert now.psychics == frozenset(FOUR)
    assert (now.groups, now.numbers) == (frozenset(), frozenset())


def test_a_number_may_be_said_where_one_is_asked_for():
    guests = Guests()
    guests.say("begin the séance")
    assert expected_intents(guests.conversation, None).numbers == frozenset(POSSIBLE_PLAYERS)


def test_there_is_no_sand_to_turn_where_there_is_none():
    assert "turn_sand" not in expected_intents(Guests().conversation, room_view(begun(IGAMES))).intents
    assert "turn_sand" in expected_intents(Guests().conversation, room_view(begun(LIBELLUD))).intents


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_every_phase_can_be_asked_what_to_say(edition):
    state = laid(begun(edition))
    guests = Guests(state)
    name = "point_at" if edition.ballot_of(5) is BallotKind.ACCUSATION else "turn_shared_vision"
    assert name in guests.say("what can we do now")[0].intents


def test_pointing_is_open():
    guests = Guests(laid(begun(IGAMES)))
    guests.do(PointAt(by=RED, group=1))
    assert guests.say("who are we waiting for") == (r.Missing(Lacking.BALL, (BLUE, WHITE, YELLOW)),)
