"""From "begin the séance" to yes: said in any order, asked for where it was left out."""

from dataclasses import replace

import pytest

from seance.dialogue.conversation import DEFAULTS, Defaults, EnrolVoice
from seance.dialogue.opening import Opening
from seance.dialogue.questions import Doubt, Question
from seance.dialogue.replies import (
    Ask,
    AskBack,
    Dropped,
    LeftAlone,
    NoNightYet,
    NotNeeded,
    Summary,
    UsualOtherwise,
    WhatNext,
    WrongPlayers,
)
from seance.dialogue.what_next import what_next
from seance.rules import EDITIONS, LIBELLUD, Abandon, Begin, Deal, Phase, Psychic, Visions
from tests.guests import Guests
from tests.languages import sample
from tests.nights import BLACK, BLUE, PURPLE, RED, WHITE, YELLOW, begun

LONG, SHORT, SKIPPED = Opening
LEVELS = ("easy", "medium", "hard")
WEEK = ("easy", "normal", "difficult", "very_difficult")
REST = tuple(Psychic)
FIVE = Summary(
    edition="libellud", players=5, level="medium", psychics=(BLUE, WHITE, RED, YELLOW), story=LONG, by_hand=False
)


def asks(
    question: Question, *choices: str, again: bool = False, psychic: Psychic | None = None, needed: int = 0
) -> tuple[Ask]:
    return (Ask(question=question, choices=choices, again=again, psychic=psychic, needed=needed),)


def too_many(players: int, *, edition: str | None = None, least: int = 2, most: int = 7) -> WrongPlayers:
    return WrongPlayers(edition=edition, players=players, least=least, most=most)


@pytest.fixture
def guests() -> Guests:
    return Guests()


def test_what_is_missing_is_asked_for_one_thing_after_the_other(guests):
    assert guests.say("begin the séance") == asks(Question.PLAYERS)
    assert guests.say("five") == asks(Question.EDITION, *EDITIONS)
    assert guests.say("original") == asks(Question.LEVEL, *WEEK)
    assert guests.say("normal") == asks(Question.PSYCHICS, *REST, needed=4)
    assert guests.say("all but black and white") == asks(Question.STORY)
    assert guests.say("no") == (
        Summary(edition="igames", players=5, level="normal", psychics=(BLUE, RED, YELLOW, PURPLE), story=SKIPPED),
    )
    assert guests.say("yes") == (
        Begin(
            edition=EDITIONS["igames"],
            players=5,
            level="normal",
            psychics=(BLUE, RED, YELLOW, PURPLE),
        ),
    )
    assert guests.state is not None
    assert guests.state.phase is Phase.VISIONS


def test_in_one_breath_only_the_rest_is_asked_for(guests):
    assert guests.say("we are five, medium") == asks(Question.EDITION, *EDITIONS)
    assert guests.say("the Libellud edition") == asks(Question.PSYCHICS, *REST, needed=4)


def test_it_may_be_said_in_any_order(guests):
    guests.say("begin the séance")
    guests.say("skip the story")
    guests.say("medium level and we are five")
    guests.say("red, blue, white and black are playing")
    said = guests.say("the Libellud edition")
    assert said == (
        Summary(edition="libellud", players=5, level="medium", psychics=(RED, BLUE, WHITE, BLACK), story=SKIPPED),
    )


def test_french_guests_set_up_in_one_breath():
    guests = Guests(language="fr")
    said = guests.say("on est cinq, moyen, les règles modernes, tous sauf noir et violet, raconte l'histoire")
    assert said == (FIVE,)
    assert isinstance(guests.say("oui")[0], Begin)


def test_the_seed_is_left_to_whoever_carries_it_out(guests):
    guests.say("we are five, medium, the usual rules, all but black and purple, start the story")
    (begin,) = guests.say("yes")
    assert begin.seed is None
    assert guests.state == begun(LIBELLUD, 5, "medium", psychics=(BLUE, WHITE, RED, YELLOW))


def test_after_a_pause_the_default_is_taken_and_the_next_thing_asked(guests):
    guests.say("begin the séance")
    assert guests.wait(14) == ()
    assert guests.wait(1) == asks(Question.EDITION, *EDITIONS)
    assert guests.wait(15) == asks(Question.LEVEL, *LEVELS)
    assert guests.wait(15) == asks(Question.PSYCHICS, *REST, needed=4)
    assert guests.wait(15) == asks(Question.STORY)
    assert guests.wait(15) == (
        Summary(edition="libellud", players=5, level="easy", psychics=(BLUE, WHITE, RED, YELLOW), story=SHORT),
    )


def test_the_defaults_are_the_owner_s():
    owner = Defaults(
        edition="portal", players=3, level="difficult", opening=SKIPPED, by_hand=True, visions=Visions.DEALT
    )
    guests = Guests(defaults=owner)
    guests.say("begin the séance")
    (summary,) = guests.say("begin the séance")
    assert summary == Summary(
        edition="portal", players=3, level="difficult", psychics=(BLUE, WHITE), story=SKIPPED, by_hand=True
    )
    (begin,) = guests.say("yes")
    assert (begin.visions, begin.deal) == (Visions.DEALT, Deal.HAND)


@pytest.mark.parametrize(
    ("language", "said", "story"),
    [
        *(("en", said, LONG) for said in ("yes", "long", "the long one", "with the story", "the long version")),
        *(("en", said, SHORT) for said in ("short", "the short one", "the short story")),
        *(("en", said, SKIPPED) for said in ("no", "none", "without the story", "skip the story")),
        *(("fr", said, LONG) for said in ("oui", "la longue", "avec l'histoire", "la version longue")),
        *(("fr", said, SHORT) for said in ("courte", "la courte", "la version courte")),
        *(("fr", said, SKIPPED) for said in ("non", "aucune", "sans l'histoire", "pas d'histoire")),
    ],
)
def test_the_story_is_long_short_or_left_out(language: str, said: str, story: Opening):
    guests = Guests(language=language)
    assert guests.say(sample(language)["set_up_five"]) == asks(Question.STORY)
    assert guests.say(said) == (replace(FIVE, story=story),)


def test_short_and_none_are_no_answers_to_other_questions(guests):
    guests.say("begin the séance")
    assert guests.expected("none") is None
    guests.say("five")
    assert guests.expected("short") is None


def test_nothing_begins_by_itself(guests):
    guests.say("begin the séance")
    guests.say("let's begin")
    assert guests.wait(15)[0].again
    assert guests.wait(15) == (LeftAlone(),)
    assert guests.wait(10_000) == ()
    assert guests.commands == []


def test_begin_takes_the_defaults_for_the_rest(guests):
    guests.say("we are six")
    assert guests.say("let's begin")[0].players == 6


def test_begin_is_a_yes_to_the_summary(guests):
    guests.say("begin the séance")
    guests.say("let's begin")
    assert isinstance(guests.say("let the séance begin")[0], Begin)


def test_an_answer_that_does_not_fit_is_asked_for_again_and_the_default_comes_only_after_a_pause(guests):
    guests.say("begin the séance")
    assert guests.say("seventeen") == (too_many(17), *asks(Question.PLAYERS, again=True))
    assert guests.say("one") == (too_many(1), UsualOtherwise())
    assert guests.conversation.wishes.players is None
    assert guests.wait(15) == asks(Question.EDITION, *EDITIONS)
    assert guests.conversation.wishes.players == 5


@pytest.fixture
def small_box() -> Guests:
    """Guests whose igames box is for three to four players."""
    igames = replace(EDITIONS["igames"], least_players=3, most_players=4)
    return Guests(defaults=Defaults(editions={**EDITIONS, "igames": igames}))


def test_a_number_that_the_edition_is_not_for_is_refused_when_it_is_said(small_box):
    small_box.say("the original rules")
    refused = too_many(7, edition="igames", least=3, most=4)
    assert small_box.say("seven") == (refused, *asks(Question.PLAYERS, again=True))
    assert small_box.say("four") == asks(Question.LEVEL, *WEEK)


def test_an_edition_that_is_not_for_so_many_refuses_the_number_when_it_is_said(small_box):
    small_box.say("we are five, easy")
    assert small_box.say("the original rules") == (
        too_many(5, edition="igames", least=3, most=4),
        *asks(Question.PLAYERS),
    )
    assert small_box.conversation.wishes.edition == "igames"


def test_only_editions_for_so_many_players_are_offered(small_box):
    assert small_box.say("we are seven") == asks(Question.EDITION, "libellud", "portal", "manual")
    assert small_box.say("we are four") == asks(Question.EDITION, *EDITIONS)


def test_the_default_number_is_one_that_the_edition_is_for(small_box):
    small_box.say("the original rules")
    assert small_box.say("let's begin")[0].players == 4


def test_what_is_mumbled_is_asked_for_again_and_can_still_be_said_plainly(guests):
    guests.say("begin the séance")
    assert guests.mumble() == asks(Question.PLAYERS, again=True)
    assert guests.mumble() == (UsualOtherwise(),)
    assert guests.say("three") == asks(Question.EDITION, *EDITIONS)
    assert guests.conversation.wishes.players == 3


def test_a_yes_that_comes_late_hears_once_more_what_it_agrees_to(guests):
    guests.say("begin the séance")
    (summary,) = guests.say("let's begin")
    guests.wait(15)
    assert guests.wait(15) == (LeftAlone(),)
    assert guests.expected("yes") is not None
    assert guests.say("yes") == (summary,)
    assert isinstance(guests.say("yes")[0], Begin)


def test_no_to_the_summary_asks_what_to_change(guests):
    guests.say("we are five, medium, the usual rules, all but black and purple, start the story")
    assert guests.say("no") == asks(Question.WHAT_TO_CHANGE)
    (summary,) = guests.say("hard")
    assert (summary.level, summary.players) == ("hard", 5)
    assert guests.say("no") == asks(Question.WHAT_TO_CHANGE)
    assert guests.say("no") == (summary,)


def test_a_change_may_be_said_instead_of_yes(guests):
    guests.say("begin the séance")
    guests.say("let's begin")
    (summary,) = guests.say("dealt by hand")
    assert summary.by_hand
    (begin,) = guests.say("yes")
    assert begin.deal is Deal.HAND


def test_a_level_that_the_edition_lacks_is_asked_back(guests):
    assert guests.say("the Libellud edition and very difficult") == asks(Question.PLAYERS)
    assert guests.say("four") == asks(Question.LEVEL, *LEVELS)


@pytest.mark.parametrize(
    ("rules", "level"), [("de Libellud", "hard"), ("originales", "difficult"), ("du manuel", "difficult")]
)
@pytest.mark.parametrize("first", ["level", "edition"])
def test_a_level_that_editions_call_alike_is_that_of_the_edition(rules, level, first):
    guests = Guests(language="fr")
    said = ["niveau difficile", f"les règles {rules}"]
    for words in (
        "commençons la séance",
        *(said if first == "level" else reversed(said)),
        "on est sept, sans l'histoire",
    ):
        answers = guests.say(words)
    (summary,) = answers
    assert summary.level == level


def test_a_level_is_asked_back_when_the_edition_changes(guests):
    guests.say("we are five, medium, the usual rules, all but black and purple, skip the story")
    assert guests.say("the original rules") == asks(Question.LEVEL, *WEEK)


def test_too_many_psychics_are_asked_back(guests):
    guests.say("we are four, easy, the usual rules")
    assert guests.say("red, blue, white and black are playing") == asks(Question.PSYCHICS, *REST, again=True, needed=3)


def test_three_players_are_asked_for_four_colours(guests):
    guests.say("we are three, easy")
    assert guests.say("the usual rules") == asks(Question.PSYCHICS, *REST, needed=4)


def test_psychics_may_be_named_one_by_one(guests):
    guests.say("we are four, easy, the usual rules, skip the story")
    assert guests.say("red") == asks(Question.PSYCHICS, *(p for p in REST if p is not RED), psychic=RED, needed=3)
    guests.say("black")
    (summary,) = guests.say("white")
    assert summary.psychics == (RED, BLACK, WHITE)


def test_psychics_may_be_named_all_at_once_without_a_verb(guests):
    guests.say("we are four, easy, the usual rules")
    assert guests.say("white, red and blue") == asks(Question.STORY)
    assert guests.conversation.wishes.psychics == (WHITE, RED, BLUE)


def test_whoever_says_something_else_than_was_asked_for_is_asked_for_the_rest_as_if_for_the_first_time(guests):
    guests.say("we are four, easy, the usual rules")
    (asked,) = guests.mumble()
    assert asked.again
    assert guests.say("skip the story") == asks(Question.PSYCHICS, *Psychic, needed=3)
    assert guests.conversation.wishes.story is SKIPPED


def test_who_says_who_they_play_plays(guests):
    guests.say("we are four, easy, the usual rules, skip the story")
    answers = guests.say("I am Madam Wang")
    assert answers[0] == EnrolVoice(RED)
    assert answers[1:] == asks(Question.PSYCHICS, *(p for p in REST if p is not RED), psychic=RED, needed=3)


def test_seven_players_are_not_asked_who_plays(guests):
    assert guests.say("we are seven, easy, the usual rules") == asks(Question.STORY)


def test_a_full_investigation_asks_for_an_edition_that_has_it(guests):
    guests.say("we are four, easy")
    assert guests.say("full investigation") == asks(Question.EDITION, "manual")
    guests.say("manual")
    assert guests.say("let's begin")[0].variant == "full_investigation"


def test_a_variant_and_an_edition_that_lacks_it_in_one_breath_are_asked_back(guests):
    assert guests.say("we are four, easy, the usual rules, full investigation") == asks(Question.EDITION, "manual")


def test_another_edition_leaves_the_variant_behind(guests):
    guests.say("we are four, easy, the manual rules, skip the story, full investigation")
    guests.say("the original rules")
    (summary,) = guests.say("let's begin")
    assert (summary.edition, summary.variant) == ("igames", None)


def test_a_set_up_can_be_left(guests):
    guests.say("begin the séance")
    assert guests.say("end the séance") == (Dropped(),)
    assert guests.say("end the séance") == (NoNightYet(),)


def test_undoing_in_the_set_up_asks_what_to_change(guests):
    guests.say("we are four")
    assert guests.say("undo that") == asks(Question.WHAT_TO_CHANGE)


def test_without_a_night_there_is_nothing_to_choose(guests):
    assert guests.say("I choose card seven") == (NoNightYet(),)
    assert guests.say("yes") == (NotNeeded(),)


def test_a_yes_that_was_hardly_heard_does_not_begin_a_night(guests):
    guests.say("begin the séance")
    guests.say("let's begin")
    (again,) = guests.say("yes", sure=False)
    assert again.again
    assert guests.state is None


def test_a_new_night_is_asked_back_while_one_is_under_way():
    guests = Guests(begun())
    assert guests.say("begin the séance") == (AskBack(doubt=Doubt.BEGIN_ANEW),)
    assert guests.say("yes") == (Abandon(), *asks(Question.PLAYERS))
    assert guests.say("three") == asks(Question.EDITION, *EDITIONS)
    guests.say("let's begin")
    guests.say("yes")
    assert guests.refused == []
    assert guests.state.setup.players == 3


def test_what_was_said_with_a_new_night_is_kept():
    guests = Guests(begun())
    guests.say("start a hard game for six players")
    assert guests.say("yes") == (Abandon(), *asks(Question.EDITION, *EDITIONS))
    assert (guests.conversation.wishes.level, guests.conversation.wishes.players) == ("hard", 6)


def test_after_a_night_another_one_begins_without_a_question_back():
    guests = Guests(begun())
    guests.do(Abandon())
    assert guests.say("begin the séance") == asks(Question.PLAYERS)


@pytest.mark.parametrize("words", ["I choose card seven", "what time is it", "pause", "what has blue already tried"])
def test_what_is_out_of_place_in_the_set_up_is_answered_with_what_is_asked(words):
    guests = Guests()
    (asked,) = guests.say("begin the séance")
    (answer,) = guests.say(words)
    assert isinstance(answer, WhatNext)
    assert answer.step == what_next(guests.conversation, None, DEFAULTS)
    assert guests.conversation.pending is not None
    assert guests.conversation.pending.question is asked.question
