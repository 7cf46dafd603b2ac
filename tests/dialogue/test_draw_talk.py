"""Guests who draw the cards themselves tell the house each row (L2)."""

import msgspec
import pytest

from seance.daemon.snapshot import Snapshot, from_journal, to_journal
from seance.dialogue.phrasing import phrase_setup
from seance.dialogue.questions import Doubt, Question
from seance.dialogue.replies import Ask, AskBack, Summary, WrongRow
from seance.rules import EDITIONS, Begin, Category, Psychic, Table
from seance.rules import refusals as r
from tests.guests import Guests
from tests.languages import EACH_SAMPLED, sample

CHARACTERS, LOCATIONS, OBJECTS = (3, 1, 12, 7, 18, 10), (19, 30, 27, 36, 20, 21), (54, 40, 41, 37, 50, 44)
SETUP = "we are five, easy, the usual rules, all but black and purple, skip the story"


@pytest.fixture
def guests() -> Guests:
    """Five players, easy: six cards of each kind; the characters are asked for."""
    return drawing(SETUP)


def drawing(setup: str) -> Guests:
    guests = Guests()
    guests.say(setup)
    guests.say("we draw the cards ourselves")
    guests.say("yes")
    return guests


def row(kind: str, cards: tuple[int, ...], joint: str = ", ") -> str:
    return f"the {kind} are {joint.join(map(str, cards))}"


def asked(reply: object) -> tuple[Category, tuple[int, ...]]:
    """Return the kind and the cards so far of the row that *reply* asks for."""
    assert isinstance(reply, Ask)
    assert reply.question is Question.ROW
    assert reply.row is not None
    return reply.row.kind, reply.row.cards


def echoed(reply: object) -> tuple[int, ...]:
    assert isinstance(reply, AskBack)
    assert reply.doubt is Doubt.ROW
    assert reply.row is not None
    return reply.row.cards


def test_the_night_begins_with_the_rows_that_were_told_and_confirmed(guests):
    for kind, cards in (("characters", CHARACTERS), ("locations", LOCATIONS), ("objects", OBJECTS)):
        assert echoed(guests.say(row(kind, cards))[0]) == cards
        (follows,) = guests.say("yes")
    assert isinstance(follows, Begin)
    assert guests.state.table == Table(CHARACTERS, LOCATIONS, OBJECTS)


def test_it_is_agreed_first_what_is_played():
    guests = Guests()
    (summary,) = (guests.say(SETUP), guests.say("we draw the cards ourselves"))[1]
    assert isinstance(summary, Summary)
    assert summary.drawn
    assert asked(guests.say("yes")[0]) == (Category.CHARACTER, ())


def test_a_row_may_be_told_in_groups(guests):
    assert asked(guests.say("the characters are three, one")[0]) == (Category.CHARACTER, (3, 1))
    assert asked(guests.say("then twelve")[0]) == (Category.CHARACTER, (3, 1, 12))
    assert echoed(guests.say("and seven, eighteen and ten")[0]) == CHARACTERS


def test_rows_are_asked_for_in_the_order_of_the_search():
    begin = Begin(edition=EDITIONS["portal"], players=2, level="easy", psychics=tuple(Psychic)[:2])
    guests = drawing(phrase_setup(begin, "en"))
    assert asked(guests.conversation.pending.reply) == (Category.OBJECT, ())


@pytest.mark.parametrize(
    ("told", "refusal"),
    [
        ("the characters are 3 1 3", r.CardDrawnTwice),
        ("the characters are 3 1 19", r.CardNotInEdition),
        ("the characters are 3 1 60", r.CardNotInEdition),
        ("the characters are 1 2 3 4 5 6 7", r.WrongNumberOfCards),
    ],
)
def test_what_is_wrong_with_a_row_is_named_and_the_row_asked_for_again(guests, told, refusal):
    wrong, again = guests.say(told)
    assert isinstance(wrong, WrongRow)
    assert type(wrong.refusal) is refusal
    assert asked(again) == (Category.CHARACTER, ())


def test_a_wrong_group_leaves_what_was_told_before_it(guests):
    guests.say("the characters are three, one")
    wrong, again = guests.say("then three")
    assert type(wrong.refusal) is r.CardDrawnTwice
    assert asked(again) == (Category.CHARACTER, (3, 1))


def test_no_forgets_the_row_that_was_echoed(guests):
    guests.say(row("characters", CHARACTERS))
    assert asked(guests.say("no")[0]) == (Category.CHARACTER, ())


def test_a_row_can_be_corrected_after_the_next_was_asked_for(guests):
    guests.say(row("characters", CHARACTERS))
    guests.say("yes")
    better = (*CHARACTERS[:5], 11)
    assert echoed(guests.say(row("characters", better))[0]) == better
    guests.say("yes")
    assert guests.conversation.wishes.rows == Table(better)


def test_undo_goes_back_to_the_row_before(guests):
    guests.say(row("characters", CHARACTERS))
    guests.say("yes")
    assert asked(guests.say("undo that")[0]) == (Category.CHARACTER, ())


def test_another_level_needs_other_rows_and_a_new_agreement(guests):
    guests.say(row("characters", CHARACTERS))
    guests.say("yes")
    (summary,) = guests.say("we play medium")
    assert isinstance(summary, Summary)
    (ask,) = guests.say("yes")
    assert asked(ask) == (Category.CHARACTER, ())
    assert ask.row.needed == 7


def test_the_house_draws_after_all(guests):
    guests.say("the house draws the cards")
    assert guests.say("yes")[0].table is None


def test_hands_are_given_time_and_the_question_is_never_dropped(guests):
    guests.say("the characters are three, one")
    waited = [guests.wait(60.0) for _ in range(60)]
    reminders = [replies[0] for replies in waited if replies]
    assert len(reminders) in (3, 4)
    assert {asked(reply) for reply in reminders} == {(Category.CHARACTER, (3, 1))}
    assert asked(guests.mumble()[0]) == asked(guests.mumble()[0]) == (Category.CHARACTER, (3, 1))


def test_only_cards_of_the_row_are_listened_for(guests):
    assert guests.expected("the characters are three, thirteen") is not None
    assert guests.expected("thirteen") is not None
    assert guests.expected("thirty") is None


def test_rows_outlast_a_power_cut(guests):
    guests.say(row("characters", CHARACTERS))
    guests.say("yes")
    guests.say("the locations are nineteen, thirty")
    stored = msgspec.json.decode(msgspec.json.encode(to_journal(Snapshot(conversation=guests.conversation))))
    assert from_journal(stored).conversation == guests.conversation


@EACH_SAMPLED
def test_rows_are_told_in_every_language(language):
    guests, words = Guests(language=language), sample(language)["drawing"]
    for said in words["said"]:
        (follows,) = guests.say(said)[-1:]
    assert isinstance(follows, Begin)
    assert follows.table == Table(*(tuple(words[kind]) for kind in Category))


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_can_be_drawn_by_the_guests(edition):
    decks = EDITIONS[edition].decks
    begin = Begin(edition=EDITIONS[edition], players=4, level="easy", psychics=tuple(Psychic)[:3])
    guests = drawing(phrase_setup(begin, "en"))
    while isinstance(reply := guests.conversation.pending and guests.conversation.pending.reply, Ask):
        guests.say(row(f"{reply.row.kind}s", decks[reply.row.kind][: reply.row.needed]))
        guests.say("yes")
    assert guests.state.table.character == decks[Category.CHARACTER][: len(guests.state.table.character)]
