"""Cues for the hunt for the culprit, which do not give the culprit away."""

from dataclasses import replace
from random import Random

import pytest

from seance.narration.cues import (
    Knock,
    KnockMeaning,
    PsychicLight,
    Say,
    ShowPsychics,
)
from seance.narration.staging import (
    Memory,
    NarrationStyle,
    Pace,
    stage_events,
)
from seance.rules import (
    IGAMES,
    LIBELLUD,
    MANUAL,
    Abandon,
    Accuse,
    ChooseCulprit,
    ClosePoll,
    LaySharedVision,
    NumberGroups,
    PointAt,
    State,
    Track,
    Vote,
    apply,
    room_view,
)
from seance.rules.bots import Company
from tests.narration.staged import keys, said, staged, turn
from tests.nights import (
    BLUE,
    NOBODY,
    RED,
    WHITE,
    at_hour,
    begun,
    culprit_and_another,
    laid,
    lined_up,
    manifesting,
    on_track,
    pointed,
)

AUDIBLE = pytest.mark.parametrize("pace", [Pace.FULL, Pace.BRISK])
"""The paces at which anything is said."""


def test_the_limits_of_the_track_are_said_before_the_first_vote(style: NarrationStyle):
    state = lined_up(begun(players=6, level="easy"))
    text = " ".join(_laying(style, state))
    assert "up to six is low" in text


def test_the_owner_s_limits_of_the_track_are_said(style: NarrationStyle):
    corrected = replace(LIBELLUD, tracks={**LIBELLUD.tracks, 6: Track(intermediate=8, high=11)})
    state = lined_up(begun(players=6, level="easy"))
    assert "up to seven is low" in " ".join(_laying(replace(style, editions={"libellud": corrected}), state))


def _laying(style: NarrationStyle, state: State) -> list[str]:
    state, _ = apply(state, ChooseCulprit(group=1))
    return said(staged(style, state, LaySharedVision()))


@AUDIBLE
def test_L30_low_middle_and_high_are_named_before_the_first_card(style: NarrationStyle, pace: Pace):
    state = on_track(lined_up(begun()), 0, 6, 0, 9)
    state, _ = apply(state, ChooseCulprit(group=1))
    cues = staged(replace(style, pace=pace), state, LaySharedVision())
    texts = {cue.key: cue.text for cue in cues if isinstance(cue, Say)}
    named = [texts[f"event.level.{level}"] for level in ("low", "middle", "high")]
    assert ["Blue and Red" in named[0], "White" in named[1], "Yellow" in named[2]] == [True, True, True]
    first = next(at for at, key in enumerate(texts) if "shared_vision_turned" in key)
    before = [key.removeprefix("brisk.") for key in list(texts)[:first]]
    wanted = ["event.track", "event.level.low", "event.level.middle", "event.level.high", "event.secret_vote"]
    assert [key for key in before if key in wanted] == wanted


@AUDIBLE
def test_L30_a_level_without_voters_is_passed_over(style: NarrationStyle, pace: Pace):
    state = on_track(lined_up(begun()), 5, 6, 5, 9)
    state, _ = apply(state, ChooseCulprit(group=1))
    cues = staged(replace(style, pace=pace), state, LaySharedVision())
    assert "event.level.low" not in keys(cues)
    (voters,) = [cue.text for cue in cues if isinstance(cue, Say) and "voters" in cue.key]
    assert "Blue, White and Red" in voters


@AUDIBLE
def test_the_numbers_of_the_groups_are_said(style: NarrationStyle, pace: Pace):
    state, events = begun(), ()
    while not state.ending.groups:
        before, (state, events) = state, apply(state, Company(Random(1), accuracy=1).choose(state))
    builder = stage_events(replace(style, pace=pace), Memory(1), events, room_view(before), room_view(state))
    assert len([key for key in keys(list(builder.cues)) if key.endswith("event.group.psychic")]) == 4


def test_L31_a_vote_that_is_read_aloud_does_not_stay_in_the_sleeve(style: NarrationStyle):
    state = on_track(laid(begun()), 0, 0, 0, 1)
    state, _ = apply(state, ClosePoll())
    assert keys(staged(style, state, Vote(by=RED, group=3))) == []


def test_those_who_vote_now_are_named(style: NarrationStyle):
    state = on_track(lined_up(begun()), 0, 6, 0, 9)
    state, _ = apply(state, ChooseCulprit(group=1))
    cues = staged(style, state, LaySharedVision())
    (voters,) = [cue.text for cue in cues if isinstance(cue, Say) and cue.key.startswith("event.voters.")]
    assert "Blue and Red" in voters
    assert "white" not in voters.lower()


def test_a_secret_vote_says_who_and_not_what(style: NarrationStyle):
    state = on_track(laid(begun()), 0, 0, 0, 0)
    texts = [text for seed in range(30) for text in said(staged(style, state, Vote(by=RED, group=3), Memory(seed)))]
    assert texts
    assert not any("three" in text.lower() for text in texts)


def test_when_the_poll_is_closed_the_reader_is_named_and_the_sleeves_are_asked_for(style: NarrationStyle):
    state = on_track(laid(begun()), 0, 0, 0, 1)
    assert keys(staged(style, state, ClosePoll())) == ["event.reader_named.one", "event.sleeves"]


def test_votes_are_read_one_by_one(style: NarrationStyle):
    state = on_track(laid(begun()), 0, 0, 0, 0)
    for by in (BLUE, WHITE, RED):
        state, _ = apply(state, Vote(by=by, group=1))
    last = next(p.colour for p in room_view(state).psychics if p.colour not in (BLUE, WHITE, RED))
    assert keys(staged(style, state, Vote(by=last, group=1))).count("event.ballot_read") == 4


def test_a_wrong_accusation_is_knocked_twice_and_the_culprit_stays_unnamed(style: NarrationStyle):
    state = laid(begun(IGAMES))
    culprit, other = culprit_and_another(state)
    cues = staged(style, pointed(state, other), Accuse())
    assert Knock(KnockMeaning.NO, 2) in cues
    assert not any(key.startswith("event.culprit_revealed") for key in keys(cues))
    assert "event.set_removed" in keys(cues)
    assert culprit != other


def test_a_wrong_accusation_that_removes_nothing_is_said(style: NarrationStyle):
    state = laid(begun(MANUAL))
    _, other = culprit_and_another(state)
    assert "event.wrong_stays" in keys(staged(style, pointed(state, other), Accuse()))


def test_a_right_accusation_is_knocked_once_before_it_is_said(style: NarrationStyle):
    state = laid(begun(IGAMES))
    culprit, _ = culprit_and_another(state)
    cues = staged(style, pointed(state, culprit), Accuse())
    at = cues.index(Knock(KnockMeaning.YES, 1))
    assert keys(cues[:at]) == ["event.accused.group"]
    assert keys(cues[at:])[0] == "event.culprit_revealed.right"


def test_each_end_is_told_in_its_own_way(style: NarrationStyle):
    assert "ending.abandoned" in keys(staged(style, begun(), Abandon()))
    assert "tales.ending_time" in turn(style, manifesting(at_hour(begun(), 7), NOBODY))


def test_a_ball_lights_its_psychic(style: NarrationStyle):
    cues = staged(style, laid(begun(IGAMES)), PointAt(by=RED, group=1))
    (shown,) = [cue for cue in cues if isinstance(cue, ShowPsychics)]
    assert shown.lights[RED] is PsychicLight.CHOSEN


def test_groups_that_are_numbered_anew_are_named_anew(style: NarrationStyle):
    state = lined_up(begun())
    cues = staged(style, state, NumberGroups(order=tuple(reversed(state.setup.psychics))))
    assert keys(cues).count("event.group.psychic") == len(state.setup.psychics)
