"""What the room perceives of what happens: which cues, and in which order."""

from dataclasses import replace

import pytest

from seance.dialogue import replies as r
from seance.dialogue.replies import REPLIES
from seance.narration import cues as c
from seance.narration.cues import (
    Cue,
    Earcon,
    Knock,
    KnockMeaning,
    Pause,
    PsychicLight,
    Say,
    ShowHour,
    ShowPsychics,
    ShowSand,
)
from seance.narration.event_cues import tell_event
from seance.narration.staged_replies import tell_reply
from seance.narration.staging import (
    Memory,
    NarrationStyle,
    Opening,
    Pace,
    stage_events,
    stage_reply,
    stage_wait,
)
from seance.rules import (
    EVENTS,
    HEARD_BY,
    IGAMES,
    LIBELLUD,
    PORTAL,
    Begin,
    Bet,
    CallTime,
    Edition,
    GiveVision,
    Manifest,
    PlaceIntuition,
    Seat,
    TurnSand,
    UseCrow,
    apply,
    room_view,
)
from seance.rules import events as e
from tests.narration.conftest import SCRIPTS
from tests.narration.staged import keys, said, staged, turn
from tests.nights import (
    BLUE,
    NOBODY,
    RED,
    WHITE,
    after,
    at_hour,
    begun,
    chosen,
    hour_played,
    interpreted,
    manifesting,
    right_card,
    served,
    wrong_card,
)

SILENT_CUES = (Earcon, Knock, ShowHour, ShowSand, ShowPsychics, c.SetAmbience)


@pytest.fixture
def experienced(style: NarrationStyle) -> NarrationStyle:
    """A table that knows the rules."""
    return replace(style, first_night=False)


# Nothing is left out


def test_every_event_that_the_room_hears_can_be_told():
    heard = [kind for kind in EVENTS if Seat.ROOM in HEARD_BY[kind]]
    assert [kind for kind in heard if tell_event.dispatch(kind) is tell_event.dispatch(e.Event)] == []


def test_no_event_that_the_room_may_not_hear_can_be_told():
    secret = [kind for kind in EVENTS if Seat.ROOM not in HEARD_BY[kind]]
    assert secret
    assert [kind for kind in secret if tell_event.dispatch(kind) is not tell_event.dispatch(e.Event)] == []


def test_every_reply_can_be_told():
    assert [kind for kind in REPLIES if tell_reply.dispatch(kind) is tell_reply.dispatch(r.Reply)] == []


# A knock


@pytest.mark.parametrize("right", [True, False])
def test_a_knock_comes_between_the_question_and_what_is_said_of_it(style: NarrationStyle, right: bool):
    state = manifesting(begun(), [RED] if right else NOBODY)
    cues = staged(style, state, Manifest(psychic=RED))
    at = next(i for i, cue in enumerate(cues) if isinstance(cue, Knock))
    assert [type(cue) for cue in cues[at - 2 : at + 3]] == [Say, Pause, Knock, Pause, Say]
    assert cues[at] == Knock(KnockMeaning.YES if right else KnockMeaning.NO, 1 if right else 2)
    assert keys(cues[:at]) == ["event.answer.card"]
    assert keys(cues[at:])[0] == f"event.answer.{'yes' if right else 'no'}"


def test_in_silence_the_light_says_whom_a_knock_is_for(style: NarrationStyle):
    cues = staged(replace(style, pace=Pace.SILENT), manifesting(begun()), Manifest(psychic=RED))
    at = next(i for i, cue in enumerate(cues) if isinstance(cue, Knock))
    lit = cues[at - 1]
    assert isinstance(lit, ShowPsychics)
    assert [psychic for psychic, light in lit.lights.items() if light is not PsychicLight.OFF] == [RED]


def test_no_card_chosen_is_answered_too(experienced: NarrationStyle):
    state, _ = apply(interpreted(begun()), CallTime())
    assert keys(staged(experienced, state, Manifest(psychic=RED))) == ["event.answer.nothing", "event.answer.none"]


def test_the_third_card_is_told_as_such(experienced: NarrationStyle):
    state = manifesting(hour_played(hour_played(begun())))
    told = keys(staged(experienced, state, Manifest(psychic=RED)))
    assert told == ["event.answer.card", "event.answer.yes", "event.third", "event.clairvoyancy_moved.early"]


def test_a_find_names_what_is_sought_next(experienced: NarrationStyle):
    *_, text, hands = said(staged(experienced, manifesting(begun()), Manifest(psychic=RED)))
    assert "location" in text
    assert hands == "Token to the next board."


def test_all_who_move_on_the_track_are_named_at_once(experienced: NarrationStyle):
    state = chosen(begun(), NOBODY)
    for by in (BLUE, WHITE):
        state, _ = apply(state, Bet(by=by, on=RED, agrees=False))
    state, _ = apply(state, CallTime())
    cues = staged(experienced, state, Manifest(psychic=RED))
    moved = [cue.text for cue in cues if isinstance(cue, Say) and cue.key == "event.clairvoyancy_moved.many"]
    assert len(moved) == 1
    assert "Blue and White" in moved[0]


def test_moves_on_the_track_are_said_at_a_brisk_pace(experienced: NarrationStyle):
    state = manifesting(hour_played(hour_played(begun())))
    told = keys(staged(replace(experienced, pace=Pace.BRISK), state, Manifest(psychic=RED)))
    assert "brisk.event.clairvoyancy_moved.early" in told


# The hours


def test_the_clock_strikes_before_the_hour_is_said(experienced: NarrationStyle):
    state = manifesting(begun(), NOBODY)
    *first, last = state.setup.psychics
    state = after(state, *(Manifest(psychic=psychic) for psychic in first))
    cues = staged(experienced, state, Manifest(psychic=last))
    at = cues.index(ShowHour(2, struck=True))
    assert cues[at + 1] == Knock(KnockMeaning.HOUR, 2)
    assert keys(cues[at:]) == ["lore.libellud.hour.2", "brisk.hands.used"]


def test_the_last_hour_is_told_as_the_last(style: NarrationStyle):
    state = at_hour(begun(), 6)
    assert "lore.libellud.hour.last" in turn(style, manifesting(state, NOBODY))


def test_the_last_hour_is_not_urged_on_those_who_have_found_everything(style: NarrationStyle):
    state = at_hour(begun(), 4)
    state = manifesting(hour_played(hour_played(state)))
    told = turn(style, state)
    assert "event.lineup_formed" in told
    assert "lore.libellud.hour.last" not in told


def test_days_do_not_strike_but_begin(style: NarrationStyle):
    assert "lore.igames.hour.1" in keys(beginning(style, IGAMES))


def _begin(edition: Edition) -> Begin:
    return Begin(edition=edition, players=5, level="easy", seed=1894)


# The pace


def test_a_choice_is_heard_seen_and_echoed(style: NarrationStyle):
    state = interpreted(begun())
    cues = staged(style, state, PlaceIntuition(psychic=RED, card=right_card(state, RED)))
    assert [type(cue) for cue in cues] == [Earcon, ShowPsychics, Say]
    assert isinstance(cues[1], ShowPsychics)
    assert cues[1].lights[RED] is PsychicLight.CHOSEN


def test_under_the_sand_a_choice_is_echoed_in_three_words_at_most(style: NarrationStyle):
    state = interpreted(begun())
    cues = staged(style, state, PlaceIntuition(psychic=RED, card=right_card(state, RED)))
    assert said(cues) == [
        SCRIPTS["en"].fill("{psychic}, {card:named}.", None, psychic=RED, card=right_card(state, RED))
    ]


@pytest.mark.parametrize(("agrees", "blinks"), [(True, 1), (False, 2)])
def test_under_the_sand_a_bet_is_a_sound_and_a_light_and_no_words(style: NarrationStyle, agrees: bool, blinks: int):
    state = after(interpreted(begun()), PlaceIntuition(psychic=RED, card=right_card(interpreted(begun()), RED)))
    cues = staged(style, state, Bet(by=BLUE, on=RED, agrees=agrees))
    assert said(cues) == []
    assert Earcon(c.Sound.UNDERSTOOD) in cues
    lights = [cue.lights[BLUE] for cue in cues if isinstance(cue, ShowPsychics)]
    assert lights == [PsychicLight.CHOSEN, PsychicLight.WAITING] * blinks


@pytest.mark.parametrize(
    ("language", "edition", "told"),
    [("en", IGAMES, "the third character"), ("en", PORTAL, "the third object"), ("fr", PORTAL, "le troisième objet")],
)
def test_S5_the_echo_says_the_place_in_the_row(style: NarrationStyle, language: str, edition: Edition, told: str):
    state = interpreted(begun(edition))
    third = state.setup.laid_out.of(edition.order[0])[2]
    spoken = replace(style, script=SCRIPTS[language])
    for seed in range(30):
        (line,) = said(staged(spoken, state, PlaceIntuition(psychic=RED, card=third), Memory(seed)))
        assert line.lower().endswith(f"{told}.")


def test_a_brisk_pace_does_not_echo(style: NarrationStyle):
    state = interpreted(begun())
    cues = staged(replace(style, pace=Pace.BRISK), state, PlaceIntuition(psychic=RED, card=right_card(state, RED)))
    assert said(cues) == []
    assert Earcon(c.Sound.UNDERSTOOD) in cues


def test_a_brisk_pace_says_one_short_line_and_teaches_nothing(style: NarrationStyle):
    cues = staged(replace(style, pace=Pace.BRISK), begun(), GiveVision(psychic=RED, count=2))
    assert said(cues) == ["Red, two visions."]


def test_a_brisk_answer_is_two_short_lines_around_the_knock(style: NarrationStyle):
    cues = staged(replace(style, pace=Pace.BRISK), manifesting(begun(), NOBODY), Manifest(psychic=RED))
    assert keys(cues) == ["brisk.event.answer.card", "brisk.event.answer.no"]


def test_a_silent_pace_has_no_pauses_either(style: NarrationStyle):
    cues = staged(replace(style, pace=Pace.SILENT), manifesting(begun()), Manifest(psychic=RED))
    assert {type(cue) for cue in cues} <= set(SILENT_CUES)


# The rules as they are needed


def beginning(style: NarrationStyle, edition: Edition) -> tuple[Cue, ...]:
    """Return the cues of the beginning of a night: the story, the table, and the first turn."""
    now, events = apply(None, _begin(edition))
    cues, memory = stage_events(style, Memory(), events, None, room_view(now))
    return cues + stage_reply(style, memory, r.FirstTurn(), room_view(now)).cues


def test_a_rule_is_taught_once(style: NarrationStyle):
    state, memory, told = begun(), Memory(), list[str]()
    for psychic in (RED, BLUE, WHITE):
        command = GiveVision(psychic=psychic, count=1)
        now, events = apply(state, command)
        cues, memory = stage_events(style, memory, events, room_view(state), room_view(now))
        told += [key for key in keys(cues) if key.startswith("lesson.")]
        state = now
    assert told == ["lesson.choosing", "lesson.clairvoyancy"]


def test_those_who_know_the_rules_hear_one_line_of_them(experienced: NarrationStyle):
    assert [key for key in keys(beginning(experienced, LIBELLUD)) if key.startswith("lesson.")] == [
        "lesson.experienced"
    ]


@pytest.mark.parametrize("opening", Opening)
def test_the_opening_is_long_short_or_skipped(style: NarrationStyle, opening: Opening):
    told = keys(beginning(replace(style, opening=opening), LIBELLUD))
    if opening is Opening.LONG:
        parts = [key.removeprefix("tales.opening.") for key in told if key.startswith("tales.opening.")]
        assert list(dict.fromkeys(parts)) == [part.name for part in style.script.opening("libellud")]
    else:
        assert told[0] == f"lore.libellud.opening.{opening}"


def test_the_last_part_of_the_story_is_told_when_the_table_is_laid(style: NarrationStyle):
    told = keys(beginning(replace(style, opening=Opening.LONG), LIBELLUD))
    story = [at for at, key in enumerate(told) if key.startswith("tales.opening.")]
    laid = [at for at, key in enumerate(told) if key.startswith("layout.")]
    last = [at for at in story if told[at] == "tales.opening.first_stroke"]
    assert max(set(story) - set(last)) < min(laid) < max(laid) < min(last)
    assert told[max(last) + 1] == "lore.libellud.hour.1"


# Sand and time


@pytest.mark.parametrize("drawn", [True, False])
def test_L2_cards_that_the_guests_have_drawn_are_not_read_out(style: NarrationStyle, drawn: bool):
    told = keys(staged(replace(style, cards_drawn=drawn), None, _begin(LIBELLUD)))
    assert any(key.startswith("layout.") for key in told) is not drawn


def test_the_sand_is_shown_and_goes_when_time_is_called(style: NarrationStyle):
    state = served(begun())
    assert ShowSand(120, 120) in staged(style, state, TurnSand())
    assert ShowSand(None) in staged(style, interpreted(state), CallTime())


def test_time_called_interrupts(style: NarrationStyle):
    (line, *_) = [cue for cue in staged(style, interpreted(begun()), CallTime()) if isinstance(cue, Say)]
    assert line.urgent


@pytest.mark.parametrize("seconds", [60, 30, 10])
def test_the_sand_says_how_much_is_left_and_interrupts(style: NarrationStyle, seconds: int):
    cues = stage_reply(style, Memory(), r.SandLeft(seconds), room_view(interpreted(begun()))).cues
    (line,) = [cue for cue in cues if isinstance(cue, Say)]
    assert (line.key, line.urgent) == (f"sand_left.{seconds}", True)


def test_in_the_last_seconds_a_heart_beats(style: NarrationStyle):
    cues = stage_reply(style, Memory(), r.SandLeft(10), room_view(interpreted(begun()))).cues
    assert c.SetAmbience(c.Mood.LAST_SECONDS) in cues


def test_a_pause_shows_the_sand_standing(style: NarrationStyle):
    room = room_view(interpreted(begun()))
    assert ShowSand(70, 120, running=False) in stage_reply(style, Memory(), r.Paused(seconds=70), room).cues


def test_a_crow_that_comes_back_is_not_called_the_last(style: NarrationStyle):
    assert "event.crow_used.returns" in keys(staged(style, begun(level="easy"), UseCrow()))
    assert "event.crow_used.none" in keys(staged(style, begun(level="hard"), UseCrow()))
    assert "event.crow_used.some" in keys(staged(style, begun(level="medium"), UseCrow()))


# Waiting


def test_the_story_goes_on_while_the_ghost_chooses_and_may_be_dropped(style: NarrationStyle):
    room = room_view(at_hour(begun(), 2))
    cues, memory = stage_wait(style, Memory(), room)
    again, _ = stage_wait(style, memory, room)
    assert [(cue.text, cue.idle) for cue in (*cues, *again) if isinstance(cue, Say)] == [
        (text, True) for text in style.script.tale("waiting", "libellud")[:2]
    ]


def test_in_the_first_hour_those_who_play_are_portrayed_once_before_the_story_goes_on(style: NarrationStyle):
    room, memory, told = room_view(begun()), Memory(), list[str]()
    for _ in range(len(room.psychics) + 1):
        cues, memory = stage_wait(style, memory, room)
        told += keys(cues)
    playing = [f"lore.libellud.portrait.{psychic.colour}" for psychic in room.psychics]
    assert told == [*playing, "tales.waiting"]


def test_nobody_is_portrayed_where_the_story_is_skipped(style: NarrationStyle):
    assert keys(stage_wait(replace(style, opening=Opening.SKIPPED), Memory(), room_view(begun())).cues) == [
        "tales.waiting"
    ]


def test_nothing_is_told_while_the_psychics_talk(style: NarrationStyle):
    assert stage_wait(style, Memory(), room_view(interpreted(begun()))).cues == ()


@pytest.mark.parametrize("pace", [Pace.BRISK, Pace.SILENT])
def test_a_table_in_a_hurry_is_told_no_story(style: NarrationStyle, pace: Pace):
    assert stage_wait(replace(style, pace=pace), Memory(), room_view(begun())).cues == ()


def test_nothing_that_fills_a_silence_is_told_twice(style: NarrationStyle):
    memory, told = Memory(), list[str]()
    for _ in range(100):
        cues, memory = stage_wait(style, memory, room_view(begun()))
        told += said(cues)
    assert len(set(told)) == len(told)
    assert {*told[-4:]} == {style.script.fill(line, "libellud") for line in style.script.lines["waiting.after"]}


def test_a_miss_never_says_what_would_have_been_right(experienced: NarrationStyle):
    state = manifesting(begun(), NOBODY)
    right, wrong = right_card(state, RED), wrong_card(state, RED)
    assert right != wrong
    word = SCRIPTS["en"].inflection.numbers[right]
    for seed in range(20):
        text = " ".join(said(staged(experienced, state, Manifest(psychic=RED), Memory(seed))))
        assert f" {word}." not in text


def test_a_level_that_is_advised_against_is_warned_of(style: NarrationStyle):
    now, events = apply(None, replace(_begin(PORTAL), level="difficult", players=6))
    cues = stage_events(style, Memory(), events, None, room_view(now)).cues
    assert "event.level_warned" in keys(cues)
