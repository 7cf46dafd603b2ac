"""What hands are told at every moment of a night, by edition: hands.toml has the table."""

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from seance.dialogue import replies as r
from seance.dialogue.ballots import majority_group
from seance.narration.cues import Cue
from seance.narration.staging import Memory, NarrationStyle, Pace, stage_events, stage_reply
from seance.rules import EDITIONS, LIBELLUD, MANUAL, Begin, Deal, Event, Phase, RoomView, apply, room_view, wire_name
from seance.rules import events as e
from seance.rules.bots import Company
from tests.narration.staged import keys, said

TABLE = tomllib.loads(Path(__file__).with_name("hands.toml").read_text(encoding="utf-8"))
STYLES = {
    "first_night": {"first_night": True},
    "later_night": {"first_night": False},
    "brisk": {"pace": Pace.BRISK},
    "silent": {"pace": Pace.SILENT},
}
EACH_EDITION = pytest.mark.parametrize("edition", EDITIONS)


def told(
    style: NarrationStyle, edition: str, players: int = 5
) -> Iterator[tuple[RoomView | None, tuple[Event, ...], tuple[Cue, ...]]]:
    """Yield the table before each command of a night, its events and its cues."""
    begin = Begin(edition=EDITIONS[edition], players=players, level="easy", seed=7)
    bot, memory, before, state = Company(Random(7), accuracy=0.8), Memory(), None, None
    command = begin
    while True:
        state, events = apply(state, command)
        room = room_view(state)
        cues, memory = stage_events(style, memory, events, before, room)
        yield before, events, cues
        if state.outcome is not None:
            return
        before, command = room, bot.choose(state)


def prompts(style: NarrationStyle, edition: str) -> dict[str, list[str]]:
    """Return what hands are told in a night of *edition*, by the event at which it is told."""
    found: dict[str, list[str]] = {}
    for _, events, cues in told(style, edition):
        for key in keys(cues):
            if ".hands." in f".{key}":
                step = key.rpartition(".")[2]
                moments = [wire_name(type(event)) for event in events]
                moment = next(each for each in _MOMENTS[step] if each in moments)
                if step not in found.setdefault(moment, []):
                    found[moment].append(step)
    return found


_MOMENTS = {
    **dict.fromkeys(["served", "bets"], ("vision_given",)),
    "choose": ("interpretation_begun", "vision_given"),
    "wrong": ("intuition_answered",),
    **dict.fromkeys(["found", "done"], ("card_found",)),
    "used": ("hour_struck",),
    **dict.fromkeys(["lineup", "culprit"], ("lineup_formed",)),
    "thanks": ("night_ended",),
    **dict.fromkeys(TABLE["first_night"]["libellud"]["night_begun"], ("night_begun",)),
}


@EACH_EDITION
@pytest.mark.parametrize("when", TABLE)
def test_hands_are_told_what_to_do_when_they_need_it(style, when, edition):
    assert prompts(replace(style, **STYLES[when]), edition) == TABLE[when][edition]


@EACH_EDITION
def test_a_brisk_night_has_the_short_lines(style, edition):
    assert prompts(replace(style, **STYLES["brisk"]), edition) == TABLE["later_night"][edition]


@EACH_EDITION
def test_a_silent_night_tells_hands_nothing(style, edition):
    assert prompts(replace(style, **STYLES["silent"]), edition) == {}


@pytest.mark.parametrize("when", ["first_night", "later_night", "brisk"])
def test_hands_are_told_nothing_while_the_sand_runs(style, when):
    for before, events, cues in told(replace(style, **STYLES[when]), "libellud"):
        runs = before is not None and before.phase is Phase.INTERPRETATION
        if (runs or any(isinstance(event, e.SandTurned) for event in events)) and not any(
            isinstance(event, e.TimeCalled) for event in events
        ):
            assert not [key for key in keys(cues) if ".hands." in f".{key}"]


def begun(style: NarrationStyle, begin: Begin) -> str:
    """Return what is said when the night of *begin* begins."""
    state, events = apply(None, replace(begin, seed=7))
    return " ".join(said(stage_events(style, Memory(), events, None, room_view(state)).cues))


@pytest.mark.parametrize(
    ("players", "words"),
    [(3, "tokens stay in the box"), (5, "four clairvoyancy tokens"), (7, "six clairvoyancy tokens")],
)
def test_clairvoyancy_tokens_are_given_by_the_number_of_players(style, players, words):
    assert words in begun(style, Begin(edition=LIBELLUD, players=players, level="easy"))


def test_who_deals_by_hand_is_told_how(style):
    by_hand = Begin(edition=LIBELLUD, players=5, level="easy", deal=Deal.HAND)
    assert "shuffles each kind" in begun(style, by_hand)
    assert "shuffles each kind" not in begun(style, replace(by_hand, deal=Deal.MANOR))


@EACH_EDITION
def test_whose_cards_bear_no_numbers_is_told_to_number_them_before_the_first_night(style, edition):
    words = begun(style, Begin(edition=EDITIONS[edition], players=5, level="easy"))
    assert ("bear no numbers" in words) is (edition != "libellud")


@EACH_EDITION
def test_hands_know_where_the_numbers_are_before_a_card_is_named(style, edition):
    state, events = apply(None, Begin(edition=EDITIONS[edition], players=5, level="easy", seed=7))
    first, *_, named = (
        key for key in keys(stage_events(style, Memory(), events, None, room_view(state)).cues) if _is_of_numbers(key)
    )
    assert first.endswith("hands.numbers")
    assert named == "layout.all"


def _is_of_numbers(key: str) -> bool:
    return key.endswith("hands.numbers") or key == "layout.all"


VOTE = ("say: we have voted", "votes for group two")
ACCUSE = ("points at group two", "say: we accuse group")
SENTENCES = {
    "libellud": ("say: Blue has a vision", "say: turn the sand", *VOTE),
    "igames": ("say: Blue has a dream", *ACCUSE),
    "portal": ("say: Blue has a dream", *ACCUSE),
    "manual": ("say: Blue has a dream", "points at card five", "say: we accuse card five"),
}


@EACH_EDITION
def test_a_first_night_teaches_every_sentence_that_it_needs(style, edition):
    """A table that waits for reminders instead sits in silence for two minutes each time."""
    state, _ = apply(None, Begin(edition=EDITIONS[edition], players=5, level="easy", seed=7))
    texts = said(stage_reply(style, Memory(), r.FirstTurn(), room_view(state)).cues)
    texts += [text for _, _, cues in told(replace(style, first_night=True), edition) for text in said(cues)]
    needed = ("Red chooses card seven", "say: we are ready", *SENTENCES[edition])
    assert [sentence for sentence in needed if sentence.lower() not in " ".join(texts).lower()] == []


@pytest.mark.parametrize("players", [2, 3])
def test_a_small_table_is_taught_how_it_names_a_group(style, players):
    texts = [text for _, _, cues in told(replace(style, first_night=True), "libellud", players) for text in said(cues)]
    assert any("like this: we accuse group two" in text for text in texts)


def test_the_full_investigation_is_taught_with_a_sentence_that_names_three_cards(style):
    state, _ = apply(None, Begin(edition=MANUAL, players=5, level="easy", seed=7, variant="full_investigation"))
    room = replace(room_view(state), phase=Phase.ACCUSATION)
    cues = stage_events(style, Memory(), (e.SharedVisionLaid(),), room, room).cues
    assert [key for key in keys(cues) if key.startswith("lesson.")] == ["lesson.accusation_full"]


@pytest.mark.parametrize(
    ("edition", "lesson"), [("igames", "accuse"), ("portal", "accuse"), ("manual", "accuse_character")]
)
def test_accusing_is_taught_when_more_than_half_point_at_the_same_group(style, edition, lesson):
    taught = [
        before
        for before, _, cues in told(replace(style, first_night=True), edition)
        if f"lesson.{lesson}" in keys(cues)
    ]
    assert len(taught) == 1
    assert taught[0] is not None
    assert majority_group(taught[0], EDITIONS[edition]) is None


@pytest.mark.parametrize(("edition", "words"), [("manual", "I have drawn one"), ("portal", "hides in his hand")])
def test_nobody_is_told_of_a_culprit_s_token_where_there_is_none(style, edition, words):
    """The house draws for manual, so hands that drew as well would draw another; portal hides a clock token."""
    cues = [cue for _, _, each in told(replace(style, first_night=True), edition) for cue in each]
    lineup = " ".join(text for key, text in zip(keys(cues), said(cues), strict=True) if ".hands." in f".{key}")
    assert words in lineup
    assert not [text for text in said(cues) if "token is the end" in text or "Turn the token" in text]


def test_the_first_turn_follows_the_hands(style):
    state, events = apply(None, Begin(edition=LIBELLUD, players=5, level="easy", seed=7))
    cues, memory = stage_events(style, Memory(), events, None, room_view(state))
    assert "libellud.hands.turn" in keys(cues)
    assert not [key for key in keys(stage_reply(style, memory, r.FirstTurn(), room_view(state)).cues) if "hands" in key]


@EACH_EDITION
@pytest.mark.parametrize("topic", ["token", "card", "visions", "bet", "look"])
def test_a_question_about_hands_is_answered_in_every_phase(style, edition, topic):
    for before, _, _ in told(style, edition):
        if before is not None:
            cues = stage_reply(style, Memory(), r.HandsAnswer(topic), before).cues
            assert keys(cues)
            assert not [text for text in said(cues) if "{" in text]
