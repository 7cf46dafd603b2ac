"""The sand, pauses, reminders and silence, on a clock that is turned by hand."""

import pytest

from seance.daemon.night_runner import SLOW_GHOST_AFTER_S
from seance.daemon.sand import SandTimer
from seance.daemon.signals import Heard, Tick, Typed
from seance.narration.cues import Earcon, Mood, Say, SetAmbience, ShowSand
from seance.rules import GiveVision, Phase, TurnSand
from tests.daemon.conftest import choice
from tests.daemon.evenings import keys, lines, of, whispers
from tests.nights import BLUE, RED


def left(table) -> float:
    return table.evening.sand.left_at(table.now)


def test_the_sand_runs_from_when_it_is_turned(interpreting):
    before = left(interpreting)
    interpreting.wait(10)
    assert left(interpreting) == pytest.approx(before - 10)


def test_S4_pause_holds_the_sand_and_resuming_goes_on_with_the_same_seconds(interpreting):
    interpreting.wait(20)
    interpreting.say("pause")
    held = left(interpreting)
    interpreting.wait(600)
    assert left(interpreting) == held
    interpreting.say("continue")
    assert interpreting.wait(5) == []
    assert left(interpreting) == pytest.approx(held - 5)


def test_the_sand_is_shown_standing_in_a_pause_and_running_after_it(interpreting):
    assert [cue.running for cue in of(interpreting.say("pause"), ShowSand)] == [False]
    assert [cue.running for cue in of(interpreting.say("continue"), ShowSand)] == [True]


def test_a_second_pause_does_not_let_the_sand_run(interpreting):
    interpreting.say("pause")
    held = left(interpreting)
    assert keys(interpreting.say("pause")) == ["paused.already"]
    interpreting.wait(5)
    assert left(interpreting) == held


def test_nothing_is_chosen_in_a_pause(interpreting):
    interpreting.say("pause")
    before = interpreting.state
    assert keys(interpreting.say(f"red chooses card {choice(interpreting, RED).card}")) == ["paused.already"]
    assert interpreting.state == before


def test_the_ghost_waits_in_a_pause_too_and_is_told_so_in_silence(visions):
    visions.say("pause")
    before = visions.state
    cues = visions.ask(GiveVision(psychic=RED, count=1))
    assert visions.state == before
    assert whispers(cues)
    assert not lines(cues)


def test_a_pause_is_not_counted_as_time_played(interpreting):
    interpreting.say("pause")
    interpreting.wait(1000)
    interpreting.say("continue")
    interpreting.say(f"red chooses card {choice(interpreting, RED).card}")
    assert interpreting.journal.unfinished().played < 60


def test_the_house_says_when_a_minute_thirty_and_ten_seconds_are_left(interpreting):
    told = [cue.key for cue in interpreting.wait(115) if isinstance(cue, Say) and cue.urgent]
    assert told == ["sand_left.60", "sand_left.30", "sand_left.10"]


def test_the_last_ten_seconds_sound_otherwise(interpreting):
    assert of(interpreting.wait(115), SetAmbience) == [SetAmbience(Mood.LAST_SECONDS)]


def test_a_mark_that_was_passed_in_one_leap_is_told_once(interpreting):
    interpreting.now += 95
    assert keys(interpreting.give(Tick())) == ["sand_left.30"]


def test_time_is_called_when_the_sand_has_run_out(interpreting):
    cues = interpreting.wait(121)
    assert "event.time_called.over" in keys(cues)
    assert interpreting.evening.sand is None
    assert interpreting.state.hour == 2


def test_time_is_called_though_nobody_ever_stops_talking(interpreting):
    for _ in range(130):
        interpreting.now += 1
        interpreting.give(Heard("could you pass me the crisps", None))
    assert interpreting.state.hour == 2


def test_what_is_said_after_the_sand_has_run_out_comes_too_late(interpreting):
    card = choice(interpreting, RED).card
    interpreting.now += 121
    cues = interpreting.give(Typed(f"red chooses card {card}"))
    assert "refusal.not_served_yet" in keys(cues)
    assert interpreting.state.search(RED).intuition is None


def test_a_clock_that_jumps_back_gives_no_time(interpreting):
    before = left(interpreting)
    interpreting.evening.receive(Tick(), 3.0)
    assert interpreting.evening.sand.left_at(interpreting.now) == before


@pytest.mark.parametrize("mark", [60, 30, 10])
def test_sand_that_is_no_longer_than_a_mark_does_not_tell_it(mark):
    assert SandTimer(left_s=mark, turn_s=mark, at=0.0).announcement_between(0.0, 1.0) is None


# Reminders


def test_a_phase_that_waits_long_reminds_and_then_ever_more_rarely(lineup):
    lineup.say("what hour is it")
    at = [second for second in range(900) if "next.mark_culprit" in keys(lineup.wait(1))]
    gaps = [later - earlier for earlier, later in zip([0, *at], at, strict=False)]
    assert [round(gap, -1) for gap in gaps] == [120, 240, 480]


def test_nobody_is_reminded_while_the_house_itself_speaks(visions):
    for _ in range(600):
        visions.now += 1
        visions.give(Tick(silent=False))
    assert not [key for key in keys(visions.cues) if key.startswith("next.")]


def test_a_reminder_names_who_is_waited_for(visions):
    visions.ask(GiveVision(psychic=RED, count=1), GiveVision(psychic=BLUE, count=1))
    (reminder,) = [cue for cue in visions.wait(130) if isinstance(cue, Say) and cue.key.startswith("next.")]
    assert "white" in reminder.text.lower()


# Silence


def test_silence_is_filled_with_the_story_while_the_ghost_chooses(visions):
    visions.say("what hour is it")
    told = [cue for cue in visions.wait(60) if isinstance(cue, Say)]
    assert [cue.key for cue in told] == ["tales.waiting", "tales.waiting"]
    assert all(cue.idle for cue in told)


def test_silence_is_not_filled_while_the_psychics_think(interpreting):
    assert "tales.waiting" not in keys(interpreting.wait(100))


def test_silence_is_not_filled_while_people_talk(visions):
    for _ in range(300):
        visions.wait(1)
        visions.give(Heard("this vision makes no sense at all", None))
    assert "tales.waiting" not in keys(visions.cues)


def test_silence_is_not_filled_after_the_night(visions):
    visions.say("end the séance")
    visions.say("yes")
    assert visions.wait(300) == []


@pytest.mark.parametrize("word", ["pause", "stop listening"])
def test_nothing_is_said_in_a_pause_or_while_the_house_does_not_listen(visions, word):
    visions.say(word)
    assert lines(visions.wait(600)) == []


def test_the_sand_is_turned_with_a_sound(visions):
    visions.ask(*(GiveVision(psychic=search.psychic, count=1) for search in visions.state.searches))
    cues = visions.ask(TurnSand())
    assert of(cues, Earcon)
    assert visions.state.phase is Phase.INTERPRETATION


def test_the_room_sounds_otherwise_while_the_ghost_takes_long(visions):
    assert of(visions.wait(SLOW_GHOST_AFTER_S + 2), SetAmbience) == [SetAmbience(Mood.WAITING)]


def test_the_rooms_sound_comes_back_with_the_next_vision(visions):
    visions.wait(SLOW_GHOST_AFTER_S + 2)
    assert of(visions.ask(GiveVision(psychic=RED, count=1)), SetAmbience) == [SetAmbience(Mood.VISIONS)]


def test_a_pause_is_no_slow_ghost(visions):
    visions.say("pause")
    assert of(visions.wait(SLOW_GHOST_AFTER_S + 2), SetAmbience) == []
