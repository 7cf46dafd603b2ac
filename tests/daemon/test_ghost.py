"""The ghost, who needs silence: typed commands, four buttons, and whispers instead of words."""

from dataclasses import replace

import pytest

from seance.daemon.ghost_buttons import command_for_press
from seance.daemon.signals import ButtonPress, GhostCommand
from seance.ghost_words import ghost_order
from seance.languages import DEFAULT_LANGUAGE
from seance.narration.staging import Pace
from seance.rules import Deal, GiveVision, Phase, TurnSand, Vote, room_view
from tests.daemon.conftest import SEATED
from tests.daemon.evenings import again, begun, keys, lines, night, sentences, set_up, table, whispers
from tests.foreign_text import EACH_OTHER_LANGUAGE
from tests.languages import EACH_LANGUAGE
from tests.nights import EACH_EDITION, RED
from tests.tables import usual_players

BUTTONS = [ButtonPress(button, long) for button in ("visions", "yes", "no", "crow") for long in (False, True)]


def press(table, *buttons: str):
    """Press buttons; one that ends in `!` is held."""
    presses = [ButtonPress(button.removesuffix("!"), button.endswith("!")) for button in buttons]
    return [cue for each in presses for cue in table.give(each)]


def asked(table, button: str, counted: int = 0):
    return command_for_press(
        ButtonPress(button.removesuffix("!"), button.endswith("!")), room_view(table.state), counted
    )[0]


# Typed


def test_the_ghost_may_type(visions):
    visions.say("ghost vision red 2")
    assert visions.state.search(RED).visions == 2


def test_what_the_ghost_types_may_be_refused_in_a_whisper(visions):
    cues = visions.say("ghost sand")
    assert whispers(cues)
    assert not lines(cues)


def test_what_nobody_understands_of_the_ghost_is_whispered(visions):
    cues = visions.say("ghost abracadabra")
    assert whispers(cues)
    assert not lines(cues)


def test_before_a_night_the_ghost_is_told_so_in_a_whisper(opened):
    cues = opened.say("ghost vision red")
    assert whispers(cues)
    assert not lines(cues)


@EACH_LANGUAGE
def test_no_sentence_of_the_room_begins_like_the_ghosts(language):
    assert not [phrase for phrase in sentences(language).phrases() if ghost_order(phrase) is not None]


@pytest.mark.parametrize("typed", ["fantôme vision rouge 2", "Fantome, visions rouge 2", "ghost vision red 2"])
def test_the_ghost_types_its_own_language_or_english(tmp_path, typed):
    evening = begun(table(tmp_path, language="fr"), *SEATED)
    evening.say(typed)
    assert evening.state.search(RED).visions == 2


def whispered(folder, language: str, pace: Pace) -> list[str]:
    """Return what the ghost is told of orders that are too early, unknown, not whole and refused."""
    evening = table(folder, language=language, pace=pace)
    shown = whispers(evening.say("ghost vision red"))
    begun(evening, *SEATED)
    for typed in ("ghost abracadabra", "ghost vision", "ghost sand"):
        shown += whispers(evening.say(typed))
    return shown


@EACH_OTHER_LANGUAGE
@pytest.mark.parametrize("pace", Pace)
def test_the_ghost_is_told_everything_in_the_language_of_the_evening(tmp_path, language, pace):
    ours, theirs = (whispered(tmp_path / code, code, pace) for code in (DEFAULT_LANGUAGE, language))
    assert len(ours) == len(theirs) == 4
    assert not {*ours} & {*theirs}


# Refusals


@pytest.mark.parametrize("pace", Pace)
def test_L16_a_refusal_is_whispered_to_the_ghost_and_never_spoken(tmp_path, pace):
    evening = begun(table(tmp_path, pace=pace), *SEATED)
    before = evening.state
    cues = evening.ask(TurnSand())
    assert whispers(cues)
    assert not lines(cues)
    assert evening.state == before


def test_a_refusal_of_the_ghost_opens_no_question_to_the_room(voting):
    voting.ask(Vote(by=RED, group=9))
    assert voting.evening.conversation.pending is None


def test_the_ghost_is_refused_before_a_night(opened):
    cues = opened.give(GhostCommand(TurnSand()))
    assert whispers(cues)
    assert not lines(cues)


# Buttons


def test_the_visions_button_serves_one_after_the_other_and_then_turns_the_sand(visions):
    press(visions, "visions", "visions", "visions")
    assert all(search.served for search in visions.state.searches)
    assert visions.state.phase is Phase.VISIONS
    press(visions, "visions")
    assert visions.state.phase is Phase.INTERPRETATION


def test_a_long_press_asks_for_the_sand_before_all_are_served(visions):
    press(visions, "visions")
    assert asked(visions, "visions!") == TurnSand()
    assert whispers(press(visions, "visions!"))


def test_the_visions_button_passes_over_who_was_served_otherwise(visions):
    visions.ask(GiveVision(psychic=SEATED[0], count=1))
    assert asked(visions, "visions") == GiveVision(psychic=SEATED[1], count=1)


@EACH_EDITION
def test_the_crow_button_uses_a_crow_in_every_edition(tmp_path, edition):
    evening = table(tmp_path)
    level = next(name for name, level in edition.levels.items() if level.crows)
    set_up(evening, replace(night(edition.name, usual_players(edition), 2), level=level))
    before = evening.state.crows_left
    assert whispers(press(evening, "crow")) == []
    assert evening.state.crows_left == before - 1


@pytest.fixture
def answering(tmp_path):
    """Four who have chosen, and a ghost who dealt by hand and has answered two of them."""
    evening = begun(table(tmp_path), *SEATED, deal=Deal.HAND)
    press(evening, *["visions"] * 4)
    for psychic in SEATED:
        evening.say(f"{psychic.value} chooses card {evening.state.table.character[SEATED.index(psychic)]}")
    evening.say("we are ready")
    assert evening.state.phase is Phase.MANIFESTATION
    press(evening, "yes", "no")
    return evening


def found(evening):
    return [len(evening.state.search(psychic).found) for psychic in SEATED]


def test_answers_are_the_ghosts_where_the_ghost_dealt(answering):
    press(answering, "yes")
    assert found(answering) == [1, 0, 1]


def test_S7_a_slip_of_the_last_answer_is_corrected_with_the_button_of_the_crow(answering):
    press(answering, "crow")
    assert found(answering) == [1, 1, 0]
    press(answering, "crow")
    assert found(answering) == [1, 0, 0]


def test_S7_a_slip_is_corrected_by_a_typed_order(answering):
    answering.say(f"ghost correct {SEATED[0].value}")
    assert found(answering) == [0, 0, 0]


def test_S7_a_guest_who_says_that_an_answer_was_wrong_is_asked_back(answering):
    answering.say(f"the answer for {SEATED[0].value} was wrong")
    assert found(answering) == [1, 0, 0]
    answering.say("yes")
    assert found(answering) == [0, 0, 0]


def test_S7_the_buttons_go_on_with_the_next_psychic_after_a_correction(answering):
    press(answering, "crow", "no")
    assert found(answering) == [1, 1, 0]
    assert answering.state.hour == 2


def test_the_manor_answers_itself_where_it_dealt(interpreting):
    interpreting.wait(121)
    assert asked(interpreting, "yes") is None


def test_the_culprit_is_named_by_counting(lineup):
    assert press(lineup, "yes", "yes", "yes") == []
    press(lineup, "yes!")
    assert lineup.state.ending.culprit == 3


def test_a_count_is_begun_anew_by_no(lineup):
    press(lineup, "yes", "yes", "yes", "no", "yes", "yes!")
    assert lineup.state.ending.culprit == 1


def test_who_has_counted_nothing_names_nobody(lineup):
    assert press(lineup, "yes!") == []
    assert lineup.state.ending.culprit is None


def test_a_count_of_too_many_is_refused_in_a_whisper_and_begun_anew(lineup):
    assert whispers(press(lineup, *["yes"] * 5, "yes!"))
    press(lineup, "yes", "yes", "yes!")
    assert lineup.state.ending.culprit == 2


def test_a_count_outlasts_a_power_cut(lineup):
    press(lineup, "yes", "yes")
    after = again(lineup)
    press(after, "yes", "yes!")
    assert after.state.ending.culprit == 3


def test_counting_says_nothing_aloud(lineup):
    assert not lines(press(lineup, "yes", "yes", "no"))


def test_the_shared_vision_is_laid_with_the_visions_button(lineup):
    press(lineup, "yes", "yes!")
    assert lineup.state.phase is Phase.SHARED_VISION
    press(lineup, "visions")
    assert lineup.state.phase is Phase.VOTE


@pytest.mark.parametrize("button", BUTTONS, ids=lambda b: f"{b.button}{'!' if b.long else ''}")
@pytest.mark.parametrize("moment", ["opened", "interpreting", "voting"])
def test_where_the_ghost_has_nothing_to_do_a_button_does_nothing(button, moment, request):
    evening = request.getfixturevalue(moment)
    before = evening.evening.state
    assert evening.give(button) == []
    assert evening.evening.state == before


def test_a_button_that_nobody_knows_does_nothing(visions):
    assert visions.give(ButtonPress("doorbell")) == []


def test_a_button_after_the_night_does_nothing(visions):
    visions.say("end the séance")
    visions.say("yes")
    assert press(visions, "visions", "yes", "crow") == []


def test_what_the_room_says_for_the_ghost_is_spoken_to_the_room(visions):
    assert "event.vision_given.one" in keys(visions.say("red has a vision"))
    assert "refusal.already_served" in keys(visions.say("red has a vision"))
    assert not whispers(visions.cues)
