"""What can be touched: every question of the house has its answers, and each of them is taken."""

from dataclasses import replace

import pytest

from seance.dialogue.conversation import DEFAULTS, Conversation, respond_to_intent
from seance.dialogue.conversation_state import PendingQuestion, SeatQuestion
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.questions import Doubt, DrawnRow, Question
from seance.dialogue.replies import Ask, AskBack
from seance.dialogue.setup_talk import SETUP_QUESTIONS
from seance.dialogue.touch_choices import touch_choices
from seance.rules import EDITIONS, Begin, Category, Psychic, apply, room_view
from seance.rules.state import Group

SEAT_DOUBTS = (Doubt.SEAT, Doubt.FREE_SEAT, Doubt.PSYCHIC_SEAT)
NIGHT = room_view(apply(None, Begin(edition=EDITIONS["libellud"], players=5, level="easy", seed=1))[0])


def said(conversation, *intents):
    """Return the conversation after *intents*, and what followed from the last."""
    actions = ()
    for intent in intents:
        conversation, actions = respond_to_intent(conversation, intent, None)
    return conversation, actions


def rows(conversation):
    return {row.slot: row for row in touch_choices(conversation, None, DEFAULTS).setup}


def answers(conversation):
    return [each.name for each in touch_choices(conversation, None, DEFAULTS).answers]


def test_before_a_night_it_can_be_begun():
    assert answers(Conversation()) == ["begin"]


def test_each_question_of_the_setup_is_a_row_and_touching_it_leads_to_the_night():
    conversation, _ = said(Conversation(), Intent("begin"))
    for slot, value in (("players", 6), ("edition", "libellud"), ("level", "hard"), ("story", "short")):
        if slot == "story":
            assert rows(conversation)["psychics"].is_asked
            five = rows(conversation)["psychics"].choices[:5]
            conversation, _ = said(conversation, Intent("setup", {"psychics": five}))
        assert rows(conversation)[slot].is_asked
        assert value in rows(conversation)[slot].choices
        conversation, _ = said(conversation, Intent("setup", {slot: value}))
        assert rows(conversation)[slot].chosen == value
    assert answers(conversation) == ["yes", "no"]
    _, actions = said(conversation, Intent("yes"))
    assert isinstance(actions[0], Begin)


def test_the_summary_marks_what_nobody_has_said_too():
    conversation, _ = said(
        Conversation(), Intent("begin"), Intent("setup", {"players": 7, "edition": "libellud", "level": "easy"})
    )
    assert rows(conversation)["by_hand"].chosen is None
    conversation, _ = said(conversation, Intent("setup", {"story": "short"}))
    chosen = {slot: row.chosen for slot, row in rows(conversation).items()}
    assert chosen["psychics"] == tuple(map(str, Psychic))
    assert (chosen["by_hand"], chosen["drawn"]) == (False, False)


def test_rows_that_the_guests_draw_are_touched_card_by_card():
    wishes = {"players": 4, "edition": "libellud", "level": "easy", "story": "skipped", "drawn": True}
    wishes["psychics"] = ("red", "blue", "white")
    conversation, _ = said(Conversation(), Intent("begin"), Intent("setup", wishes), Intent("yes"))
    deck = EDITIONS["libellud"].decks["character"]
    offered = touch_choices(conversation, None, DEFAULTS).answers
    assert [each.slots["row"] for each in offered[:-1]] == [(card,) for card in deck]
    conversation, _ = said(conversation, offered[0])
    assert offered[0] not in touch_choices(conversation, None, DEFAULTS).answers
    for _ in range(conversation.pending.ask.row.needed - 1):
        conversation, _ = said(conversation, touch_choices(conversation, None, DEFAULTS).answers[0])
    assert conversation.pending.ask_back.row.cards == deck[: conversation.pending.ask_back.row.needed]


def test_a_house_that_sleeps_can_be_woken():
    conversation, _ = said(Conversation(), Intent("sleep"))
    assert answers(conversation) == ["wake"]


def asked_in(night, **pending):
    """Return what can be touched in *night* while a question is open."""
    conversation = Conversation(pending=PendingQuestion(**pending))
    return touch_choices(conversation, night, DEFAULTS)


@pytest.mark.parametrize("question", Question)
def test_every_question_of_the_house_has_something_to_touch(question):
    row = DrawnRow(kind=Category.CHARACTER, needed=6, edition="libellud") if question is Question.ROW else None
    ask = Ask(question=question, psychic=Psychic.RED, row=row)
    if question in (*SETUP_QUESTIONS, Question.WHAT_TO_CHANGE, Question.ROW):
        conversation = Conversation(setting_up=True, pending=PendingQuestion(ask=ask))
        offered = touch_choices(conversation, None, DEFAULTS)
        assert offered.answers
        asked = [each.slot for each in offered.setup if each.is_asked]
        assert asked == ([str(question)] if question in SETUP_QUESTIONS else [])
    elif question is Question.WHICH_GROUP:
        groups = (Group(group=1, psychic=Psychic.RED, cards=(1, 20, 40)),)
        offered = asked_in(replace(NIGHT, groups=groups), ask=ask)
        assert [each.slots.get("number") for each in offered.answers] == [1, None]
    else:
        offered = asked_in(NIGHT, ask=ask)
        assert len(offered.answers) > 2


@pytest.mark.parametrize("doubt", [each for each in Doubt if each not in SEAT_DOUBTS])
def test_every_doubt_is_answered_with_a_yes_or_a_no_by_touch(doubt):
    offered = asked_in(NIGHT, ask_back=AskBack(doubt=doubt, psychic=Psychic.RED))
    assert [each.name for each in offered.answers] == ["yes", "no"]


@pytest.mark.parametrize("doubt", SEAT_DOUBTS)
def test_every_question_about_a_seat_is_answered_by_touch(doubt):
    psychic = Psychic.RED if doubt is Doubt.PSYCHIC_SEAT else None
    asks = SeatQuestion(freeing=doubt is Doubt.FREE_SEAT, psychic=psychic)
    assert asks.doubt is doubt
    offered = touch_choices(Conversation(sitting=asks), NIGHT, DEFAULTS)
    assert [each.name for each in offered.answers] == ["yes", "no"]
    assert offered.is_about_seat
