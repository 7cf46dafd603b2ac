"""What the room perceives when the house replies, and when the rules refuse."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from seance.dialogue import replies as r
from seance.dialogue import seat_replies as sr
from seance.dialogue.faults import Fault
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.next_step import SUMMARY, NextAction, NextStep
from seance.dialogue.opening import Opening
from seance.dialogue.questions import Doubt, DrawnRow, Question
from seance.dialogue.replies import REPLIES, Lacking
from seance.narration import cues as c
from seance.narration.cues import Cue, Earcon, Say
from seance.narration.staged_refusals import refusal_key
from seance.narration.staging import Memory, NarrationStyle, Pace, stage_refusal, stage_reply
from seance.rules import IGAMES, LIBELLUD, Category, Phase, Psychic, Refusal, RoomView, Table, room_view
from seance.rules import refusals as refused
from tests.languages import EACH_LANGUAGE
from tests.narration.conftest import REFUSALS, SCRIPTS
from tests.nights import BLACK, BLUE, RED, WHITE, begun, chosen, interpreted, laid


def said(cues: Iterable[Cue]) -> list[str]:
    return [cue.text for cue in cues if isinstance(cue, Say)]


def keys(cues: Iterable[Cue]) -> list[str]:
    return [cue.key for cue in cues if isinstance(cue, Say)]


ROOM = room_view(chosen(begun()))
QUESTIONS_AND_DOUBTS: dict[NextAction, Iterable[str]] = {
    NextAction.ANSWER: Question,
    NextAction.CONFIRM: [*Doubt, SUMMARY],
    NextAction.TYPE_DIGITS: [Doubt.SEAT, Doubt.FREE_SEAT, Doubt.PSYCHIC_SEAT],
}
EVERY_STEP = [
    NextStep(action=action, about=about, psychics=(RED, BLUE), say=(Intent("yes"), Intent("no")), group=2)
    for action in NextAction
    for about in QUESTIONS_AND_DOUBTS.get(action, [None])
]
SETUP = r.Summary(edition="igames", players=4, level="easy", psychics=(RED, BLUE, WHITE), story=Opening.LONG)
ROW = DrawnRow(kind=Category.CHARACTER, needed=2, edition="libellud")
SIMPLE_QUESTIONS = [question for question in Question if question is not Question.ROW]
SIMPLE_DOUBTS = [doubt for doubt in Doubt if doubt not in (Doubt.ROW, Doubt.PSYCHIC_SEAT)]
EVERY_REPLY: list[r.Reply] = [
    r.Welcome(), SETUP, replace(SETUP, story=Opening.SKIPPED, by_hand=True), replace(SETUP, story=Opening.SHORT),
    r.LeftAlone(), r.SkipStory(), r.AskReady(), r.AskReady(again=True), r.TakeYourTime(), r.FirstTurn(),
    *(r.HandsAnswer(topic) for topic in ("token", "card", "visions", "bet", "look")),
    r.WrongPlayers(edition="igames", players=9, least=2, most=7), r.UsualOtherwise(), r.Dropped(),
    r.NotUnderstood(), r.NothingToUndo(), r.NotNeeded(), r.VoteIsSilent(), r.NoCardThere(Category.OBJECT, 9),
    r.LayOut(ROOM.table),
    r.LayOut(Table(character=(1, 2))), r.Enrolled(RED), r.Enrolled(RED, more=2), r.TimeLeft(None), r.TimeLeft(61),
    r.TimeLeft(61, paused=True), r.SandLeft(45),
    r.OnTable(ROOM.table), r.OnTable(Table()), r.CrowsLeft(0), r.CrowsLeft(1), r.CrowsLeft(3),
    r.Progress(ROOM.psychics), r.Tried(RED, None, ()), r.Tried(RED, Category.OBJECT, ()),
    r.Tried(RED, Category.CHARACTER, (3, 7)), r.PageAt(None),
    r.NoNightYet(), r.Paused(), r.Paused(already=True), r.Resumed(), r.Resumed(already=True, seconds=3), r.Hush(),
    r.SayAgain(), r.Asleep(), r.Awake(), sr.SeatFreed(), sr.SeatTaken(), sr.SeatRefused(),
    sr.SeatRefused(answered=False), sr.SeatKept(), sr.DigitsNeeded(), sr.AnotherPhone(),
    *(r.AskBack(doubt=doubt, mark="raven", digits="07") for doubt in (Doubt.SEAT, Doubt.FREE_SEAT)),
    *(r.AskBack(doubt=Doubt.PSYCHIC_SEAT, psychic=RED, mark="raven", digits=digits) for digits in ("07", None)),
    *(sr.PsychicSeated(who) for who in ((RED,), (RED, BLUE))), sr.PsychicLeft((RED,)),
    sr.PsychicSeatRefused(), sr.PsychicSeatRefused(answered=False),
    sr.ChairChanged(RED), sr.GhostHeard(),
    sr.SeatTried(), sr.SayAloud(), sr.GhostAway(), r.HostCode("407152"), r.PageAt("seance.local:8013"),
    r.PageAt("192.168.1.20:8013"), r.SpeakerTest(), r.LightsTest(), r.Options(None, ("begin", "setup", "enrol")),
    *(r.SandLeft(seconds) for seconds in (60, 30, 10)), r.SandOut((RED,)), r.SandOut((RED, BLUE)), r.SandStarted(120),
    *(r.Ask(question=q, again=a, psychic=p) for q in SIMPLE_QUESTIONS for a in (True, False) for p in (RED, None)),
    *(r.Ask(question=Question.ROW, again=a, row=row) for row in (ROW, replace(ROW, cards=(7,))) for a in (True, False)),
    *(r.AskBack(doubt=Doubt.ROW, again=a, row=replace(ROW, cards=(7, 12))) for a in (True, False)),
    r.WrongRow(refused.CardDrawnTwice(7, Category.CHARACTER)), replace(SETUP, drawn=True),
    r.Ask(question=Question.WHO_IS_ELDEST, choices=("red", "blue")),
    r.Ask(question=Question.LEVEL, choices=("easy", "medium", "hard")),
    r.Ask(question=Question.PSYCHICS, choices=("red", "blue")),
    *(r.AskBack(doubt=d, said="x", psychic=RED, group=2, instead_of=3) for d in SIMPLE_DOUBTS),
    *(r.AskBack(doubt=d, again=True) for d in SIMPLE_DOUBTS),
    r.AskBack(doubt=Doubt.ACCUSE), r.AskBack(doubt=Doubt.ACCUSE, group=2, card=7), r.NotASuspect(7),
    r.GuestLeft(RED, BLUE), r.GuestLeft(RED), r.GuestBack(RED),
    r.TellStory("libellud", "letter"), r.TellStory("libellud", "lamps"), r.TellStory("libellud", psychic=RED),
    *(r.HourIs(3, phase) for phase in Phase),
    *(r.Missing(lacking, psychics) for lacking in Lacking for psychics in ((), (RED,), (RED, BLUE))),
    *(r.Options(phase, ("place_intuition", "bet", "vote", "pause")) for phase in Phase),
    *(r.Volume(louder, limit) for louder in (True, False) for limit in (True, False)),
    *(r.WhatNext(step) for step in EVERY_STEP), *(r.Reminder(step, 1) for step in EVERY_STEP),
    *(r.Interrupted(3, phase, seconds) for phase in Phase for seconds in (None, 42)),
    *(r.Trouble(fault) for fault in Fault),
]  # fmt: skip


def test_the_replies_tried_here_are_all_there_are():
    assert {type(reply) for reply in EVERY_REPLY} == set(REPLIES)


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize("room", [ROOM, room_view(laid(begun(IGAMES))), None], ids=["night", "week", "before"])
@pytest.mark.parametrize("pace", Pace)
def test_every_reply_is_told_at_every_pace(language: str, room: RoomView | None, pace: Pace):
    style = NarrationStyle(script=SCRIPTS[language], pace=pace)
    for reply in EVERY_REPLY:
        cues = stage_reply(style, Memory(), reply, room).cues
        texts = said(cues)
        asks = isinstance(reply, r.AskBack) and reply.doubt in (Doubt.SEAT, Doubt.FREE_SEAT, Doubt.PSYCHIC_SEAT)
        of_the_seat = sr.SeatTaken | sr.SeatTried | sr.SayAloud | sr.DigitsNeeded | sr.AnotherPhone
        insists = asks or isinstance(reply, of_the_seat | r.SpeakerTest | r.HostCode)
        quiet = (pace is Pace.SILENT and not insists) or isinstance(
            reply, r.Hush | r.SkipStory | r.SayAgain | r.LightsTest
        )
        assert bool(texts) is not (quiet or (isinstance(reply, r.NotNeeded) and pace is Pace.BRISK)), reply
        assert not any("{" in text for text in texts)


PAIRS = {2: ["Blue and White"], 3: ["Blue and White", "Red and Yellow"], 4: []}


@pytest.mark.parametrize("pace", [Pace.FULL, Pace.BRISK])
@pytest.mark.parametrize("players", PAIRS)
def test_L35_who_plays_which_psychics_is_told_before_the_night(players: int, pace: Pace):
    psychics = (BLUE, WHITE, RED, Psychic.YELLOW)[: LIBELLUD.psychics(players)]
    setup = r.Summary(edition="libellud", players=players, level="easy", psychics=psychics, story=Opening.SHORT)
    cues = stage_reply(NarrationStyle(script=SCRIPTS["en"], pace=pace), Memory(), setup, None).cues
    told = [cue.text for cue in cues if isinstance(cue, Say) and cue.key == "summary.one_player"]
    assert told == [f"One of you plays these: {pair}." for pair in PAIRS[players]]


@pytest.mark.parametrize("language", SCRIPTS)
def test_psychics_in_a_doubtful_sentence_are_written_as_they_are_called(language: str):
    style = NarrationStyle(script=SCRIPTS[language])
    red, blue = (style.script.inflection.psychics[psychic] for psychic in (RED, BLUE))
    doubtful = r.AskBack(doubt=Doubt.MISHEARD, said=f"{red} … {blue}".lower())
    (text,) = said(stage_reply(style, Memory(), doubtful, ROOM).cues)
    assert f"{red} … {blue}" in text


EVERY_REFUSAL: list[Refusal] = [
    refused.NoNight(), refused.NightUnderWay(3), refused.NightOver("bet"), refused.NotNow("bet", Phase.VOTE, 3),
    refused.SeedMissing(), refused.WrongNumberOfPlayers(9, 2, 7),
    refused.UnknownLevel("igames", "medium", "easy, normal"),
    refused.CardNotInEdition(60, Category.OBJECT, "igames"), refused.CardDrawnTwice(3, Category.OBJECT),
    refused.WrongNumberOfCards(Category.OBJECT, 5, 6),
    refused.UnknownVariant("igames", "x"), refused.WrongPsychics("red", 4, 5), refused.NotPlaying(RED),
    refused.SearchIsDone(RED), refused.AlreadyServed(RED, 2), refused.CountOrCards("give_vision", "a count"),
    refused.NotInHand("71, 72"), refused.WrongCount(9, 1, 7), refused.NoCrowsLeft("hard", 2),
    refused.WholeHandOnly("igames"), refused.NoSand("igames"), refused.VisionsMissing("red, blue", 2),
    refused.NotServedYet(RED, 2), refused.CardNotOnTable(7), refused.WrongCategory(RED, 7, Category.OBJECT),
    refused.NoTokens("igames", 4), refused.BetOnOneself(RED), refused.NoTokensLeft(RED, 2),
    refused.NoAgreeTokenLeft(RED, 2, 3), refused.NoDisagreeTokenLeft(RED, 2, 3),
    refused.NothingToBetOn(RED, 2), refused.NoSuchBet(RED, BLUE), refused.NothingToTakeBack(RED, 2),
    refused.SandNotTurned(2), refused.ChoicesMissing("red", 2), refused.AlreadyAnswered(RED, 2),
    refused.AnswerMissing(RED), refused.AnswerKnown(RED), refused.CannotBeRight(RED, None),
    refused.NotAnsweredYet(RED, 3),
    refused.CannotBeRight(RED, 7), refused.WrongOrder("red", "red, blue"), refused.CulpritIsDrawn("manual"),
    refused.NoSuchGroup(5, "1, 2, 3"), refused.ThreeCards("none", 3), refused.NoCardToTurn(2),
    refused.VotesLater(RED, 1, 2), refused.VotesAreOpen("libellud", 3), refused.PollIsClosed("red, blue"),
    refused.LevelsStillToVote(1), refused.AlreadyVoted(RED), refused.NotACandidate(RED, "blue, white"),
    refused.NoMajority(1, 3), refused.NameAllThree(), refused.NameTheGroupOnly("manual"),
    refused.NotAmongSuspects(7, Category.OBJECT), refused.SilenceNotFatal("libellud"),
]  # fmt: skip


def test_the_refusals_tried_here_are_all_there_are():
    assert {type(refusal) for refusal in EVERY_REFUSAL} == set(REFUSALS)


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize("room", [ROOM, room_view(laid(begun(IGAMES))), None], ids=["night", "week", "before"])
def test_every_refusal_is_told_in_its_own_line_after_an_earcon(language: str, room: RoomView | None):
    style = NarrationStyle(script=SCRIPTS[language])
    for refusal in EVERY_REFUSAL:
        for seed in range(6):
            cues = stage_refusal(style, Memory(seed), refusal, room).cues
            assert cues[0] == Earcon(c.Sound.REFUSED)
            assert keys(cues) == [style.script.key(refusal_key(type(refusal)), room.edition if room else None)]


def test_who_is_missing_is_named(style: NarrationStyle):
    texts = {
        said(stage_refusal(style, Memory(seed), refused.ChoicesMissing("red, blue", 2), ROOM).cues)[0]
        for seed in range(20)
    }
    assert all("Red and Blue" in text for text in texts)


def test_cards_that_the_ghost_holds_are_not_said(style: NarrationStyle):
    for seed in range(20):
        (text,) = said(stage_refusal(style, Memory(seed), refused.NotInHand("71, 72"), ROOM).cues)
        assert "seventy" not in text


def test_the_options_speak_of_this_table(style: NarrationStyle):
    state = interpreted(begun(psychics=(WHITE, RED, BLUE, begun().setup.psychics[3])))
    reply = r.Options(Phase.INTERPRETATION, ("place_intuition", "bet"))
    text = " ".join(said(stage_reply(style, Memory(), reply, room_view(state)).cues))
    assert "White chooses card" in text


@pytest.mark.parametrize("language", SCRIPTS)
def test_whoever_names_a_colour_that_nobody_has_hears_those_in_play(language: str):
    style = NarrationStyle(script=SCRIPTS[language])
    called = SCRIPTS[language].inflection.psychics
    for seed in range(6):
        (text,) = said(stage_refusal(style, Memory(seed), refused.NotPlaying(BLACK), ROOM).cues)
        assert all(called[psychic.colour] in text for psychic in ROOM.psychics)


@EACH_LANGUAGE
@pytest.mark.parametrize("again", [False, True])
def test_who_is_asked_for_colours_hears_how_many(language: str, again: bool):
    script = SCRIPTS[language]
    asks = r.Ask(question=Question.PSYCHICS, needed=4, again=again)
    for seed in range(6):
        (line,) = said(stage_reply(NarrationStyle(script=script), Memory(seed), asks, None).cues)
        assert script.inflection.numbers[4] in line
