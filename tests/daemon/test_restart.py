"""A power cut at any moment: state, sand, talk and memory are there again, and the room is told where it was."""

import logging

import pytest

from seance.daemon.signals import Stop
from seance.journal import BadJournal
from seance.narration.cue_builder import psychic_lights
from seance.narration.cues import ShowHour, ShowPsychics, ShowSand
from seance.rules import LIBELLUD, Manifest, Phase, Seat, apply, room_view
from seance.rules import commands as c
from tests.daemon.conftest import choice, choose_rightly
from tests.daemon.evenings import again, keys, knocks, lines, of, table
from tests.nights import RED


def test_the_night_goes_on_as_it_was(interpreting):
    interpreting.say(f"red chooses card {choice(interpreting, RED).card}")
    after = again(interpreting)
    assert after.state == interpreting.state
    assert after.evening.conversation.done == interpreting.evening.conversation.done
    after.say("undo that")
    assert after.state.search(RED).intuition is None


def test_the_room_is_told_and_shown_where_it_was(interpreting):
    after = again(interpreting)
    assert keys(after.cues) == ["interrupted.sand"]
    assert of(after.cues, ShowHour) == [ShowHour(1)]
    assert of(after.cues, ShowPsychics) == [ShowPsychics(psychic_lights(after.evening.room))]


def test_the_sand_goes_on_with_the_time_that_was_left(interpreting):
    interpreting.wait(50)
    left = interpreting.evening.sand.left_at(interpreting.now)
    after = again(interpreting)
    sand = after.evening.sand
    assert left <= sand.left_at(after.now) <= left + 5.1
    assert [(cue.left, cue.of, cue.running) for cue in of(after.cues, ShowSand)] == [(round(sand.left_s), 120, True)]
    after.wait(75)
    assert after.state.hour == 2


def test_a_stop_keeps_the_sand_to_the_second(interpreting):
    interpreting.wait(52)
    interpreting.give(Stop())
    left = interpreting.evening.sand.left_at(interpreting.now)
    assert again(interpreting).evening.sand.left_s == pytest.approx(left)


def test_a_pause_is_still_a_pause(interpreting):
    interpreting.wait(30)
    interpreting.say("pause")
    left = interpreting.evening.sand.left_at(interpreting.now)
    after = again(interpreting)
    assert keys(after.cues) == ["interrupted.sand", "paused.already"]
    assert of(after.cues, ShowSand)[-1].running is False
    after.wait(300)
    after.say("continue")
    assert after.evening.sand.left_at(after.now) == pytest.approx(left)


def test_an_open_question_is_asked_again_and_still_answered_by_yes(interpreting):
    interpreting.say("end the séance")
    after = again(interpreting)
    assert keys(after.cues)[-1] == "ask_back.end"
    assert after.would_hear("yes")
    after.say("yes")
    assert after.state.outcome is not None


def test_who_was_to_say_who_they_are_is_still_asked(interpreting):
    card = choice(interpreting, RED).card
    interpreting.say(f"i choose card {card}")
    after = again(interpreting)
    assert keys(after.cues)[-1] == "ask.who_speaks"
    after.say("red")
    assert after.state.search(RED).intuition == card


def test_the_house_remembers_what_it_has_told(visions):
    visions.wait(60)
    told = [cue.text for cue in visions.cues if getattr(cue, "key", "") == "tales.waiting"]
    after = again(visions)
    after.wait(60)
    assert told
    assert not set(told) & set(lines(after.cues))


def test_a_house_that_did_not_listen_does_not_listen(interpreting):
    interpreting.say("stop listening")
    assert again(interpreting).expect.asleep


def test_between_two_answers_of_the_manor_the_first_is_told_and_the_rest_follow(interpreting):
    state, events = apply(interpreting.state, c.CallTime())
    interpreting.journal.append(uid(interpreting), c.CallTime(), events, seat=Seat.ROOM)
    first = Manifest(psychic=RED)
    state, events = apply(state, first)
    interpreting.journal.append(uid(interpreting), first, events, seat=Seat.GHOST)
    assert state.phase is Phase.MANIFESTATION
    after = again(interpreting)
    assert len([knock for knock in knocks(after.cues) if knock[0] != "hour"]) == 3
    assert (after.state.phase, after.state.hour) == (Phase.VISIONS, 2)
    assert after.journal.state == after.state


def test_after_an_hour_has_struck_it_is_said_who_stands_where(interpreting):
    choose_rightly(interpreting)
    interpreting.say("we are ready")
    after = again(interpreting)
    assert keys(after.cues) == ["interrupted.plain", "progress.some", "progress.some", "progress.some"]


def uid(table) -> str:
    return table.journal.unfinished().uid


def test_a_night_that_is_over_is_not_gone_on_with(interpreting):
    interpreting.say("end the séance")
    interpreting.say("yes")
    after = again(interpreting)
    assert keys(after.cues) == ["reply.welcome"]
    assert after.evening.state is None


def test_a_set_up_that_was_cut_off_is_begun_anew(opened):
    opened.say("begin the séance")
    assert keys(again(opened).cues) == ["reply.welcome"]


def test_a_night_of_which_only_the_head_was_written_is_no_night(opened):
    opened.journal.begin_night(LIBELLUD)
    assert keys(again(opened).cues) == ["reply.welcome"]


def test_the_time_played_goes_on(interpreting):
    interpreting.wait(40)
    interpreting.say(f"red chooses card {choice(interpreting, RED).card}")
    before = interpreting.journal.unfinished().played
    after = again(interpreting)
    after.wait(10)
    after.say("undo that")
    assert before + 9 < after.journal.unfinished().played < before + 12


def test_notes_of_another_version_are_left_out_and_the_night_goes_on(interpreting, caplog):
    interpreting.journal.note(uid(interpreting), "evening", {"conversation": {"phase": "brunch"}})
    with caplog.at_level(logging.WARNING):
        after = again(interpreting)
    assert after.state == interpreting.state
    assert "another version" in caplog.text
    after.say("we are ready")


@pytest.mark.parametrize("moment", ["visions", "interpreting", "lineup", "voting"])
def test_what_may_be_said_is_the_same_afterwards(moment, request):
    before = request.getfixturevalue(moment)
    assert again(before).expect == before.expect


def test_a_night_can_be_cut_off_again_and_again(interpreting):
    for _ in range(5):
        interpreting = again(interpreting)
    assert room_view(interpreting.state).phase is Phase.INTERPRETATION


@pytest.mark.usefixtures("interpreting")
def test_nobody_else_goes_on_with_the_same_night(tmp_path):
    with pytest.raises(BadJournal, match="another séance"):
        table(tmp_path)
