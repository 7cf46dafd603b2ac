"""What is touched on the table's page counts as said, in every phase, and nothing else can be touched."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seance.dialogue.grammar.sentences import Sentences
from seance.dialogue.opening import Opening
from seance.rules import EDITIONS, Phase, Psychic
from seance.web.requests import BadRequest
from seance.web.touch import TOUCH_SLOTS, decode_touch
from tests.languages import EACH_LANGUAGE
from tests.web.running_evening import running_evening
from tests.web.test_malformed import refusal_of


def touch(intent, **slots):
    return decode_touch(json.dumps({"intent": intent, "slots": slots}).encode(), EDITIONS)


@pytest.fixture
def evening(tmp_path):
    with running_evening(tmp_path) as evening:
        yield evening


@pytest.fixture
def table(evening):
    with evening.phone() as phone:
        phone.get("/table")
        yield phone


def tap(evening, phone, intent, **slots):
    """Touch *intent* on *phone*, and wait until the house has followed it."""
    before = len(evening.followed)
    assert phone.post("/table/touch", {"intent": intent, "slots": slots}).status_code == 202
    evening.until(lambda: len(evening.followed) > before)


def test_a_whole_setup_and_a_choice_can_be_touched(evening, table):
    tap(evening, table, "begin")
    tap(evening, table, "setup", players=4, edition="libellud", level="easy", story="skipped")
    tap(evening, table, "setup", psychics=["red", "blue", "white"])
    tap(evening, table, "yes")
    tap(evening, table, "ready")
    assert evening.evening.room.phase is Phase.VISIONS
    evening.type("ghost vision red", "ghost vision blue", "ghost vision white", "ghost sand")
    card = evening.evening.room.table.character[0]
    tap(evening, table, "place_intuition", psychic="red", card=card)
    tap(evening, table, "bet", by="blue", on="red", agrees=True)
    red = next(each for each in evening.evening.room.psychics if each.colour is Psychic.RED)
    assert red.intuition == card
    assert [(bet.by, bet.on, bet.agrees) for bet in evening.evening.room.bets] == [("blue", "red", True)]
    tap(evening, table, "take_back")
    assert evening.evening.room.bets == ()


def test_a_card_that_is_touched_without_a_name_is_asked_for_whom(evening, table):
    evening.begin()
    evening.type("ghost vision red", "ghost vision blue", "ghost vision white", "ghost sand")
    card = evening.evening.room.table.character[0]
    tap(evening, table, "place_intuition", card=card)
    assert evening.evening.conversation.pending is not None
    tap(evening, table, "answer", psychic="blue")
    assert [each.intuition for each in evening.evening.room.psychics if each.colour is Psychic.BLUE] == [card]


def test_whoever_has_not_opened_a_page_touches_nothing(evening):
    with evening.phone() as phone:
        assert phone.post("/table/touch", {"intent": "begin"}).status_code == 403


@EACH_LANGUAGE
def test_everything_that_can_be_touched_can_be_said(language):
    assert TOUCH_SLOTS.keys() <= Sentences.load(language).intents


def test_the_stories_that_can_be_touched_are_those_there_are():
    assert [touch("setup", story=str(each)).slots["story"] for each in Opening] == list(Opening)


@pytest.mark.parametrize(
    ("intent", "slots", "complaint"),
    [
        ("give_vision", {}, "`intent` is one of"),
        ("yes", {"psychic": "red"}, "yes has no slot `psychic`: it takes none"),
        ("place_intuition", {"psychic": "green"}, "`psychic` is one of"),
        ("place_intuition", {"card": True}, "`card` is a number from 1 to 99"),
        ("place_intuition", {"card": 0}, "`card` is a number from 1 to 99"),
        ("setup", {"edition": "chess"}, "`edition` is one of libellud"),
        ("setup", {"psychics": "red"}, "`psychics` is a list"),
        ("setup", {"by_hand": 1}, "`by_hand` is true or false"),
        ("bet", {"by": "red", "on": "blue"}, "bet needs `agrees`"),
        ("draw_row", {"row": [1] * 30}, "`row` is a list of at most 20"),
    ],
)
def test_what_cannot_be_touched_is_refused_in_words(intent, slots, complaint):
    with pytest.raises(BadRequest, match=complaint):
        touch(intent, **slots)


NUMBERS_OR_TEXTS = st.integers() | st.text(max_size=9)
ANYTHING = st.none() | st.booleans() | NUMBERS_OR_TEXTS | st.lists(NUMBERS_OR_TEXTS)
ALL_SLOTS = sorted({slot for slots in TOUCH_SLOTS.values() for slot in slots})


@given(st.sampled_from(sorted(TOUCH_SLOTS)), st.dictionaries(st.sampled_from(ALL_SLOTS), ANYTHING))
def test_any_touch_is_understood_or_refused_in_words(intent, slots):
    assert refusal_of(lambda: touch(intent, **slots)) != ""
