"""Any sequence of signals: nothing breaks, and nothing happens that the rules do not allow."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seance.daemon.evening import Evening
from seance.daemon.signals import (
    ButtonPress,
    FaultReport,
    GhostCommand,
    Heard,
    HearingChange,
    SeatTalk,
    Signal,
    Stop,
    Talk,
    Tick,
    Typed,
)
from seance.dialogue.faults import Fault
from seance.dialogue.grammar.sentences import Intent
from seance.permissions import Source
from seance.rules import EDITIONS, Begin, Deal, Psychic, Visions
from seance.rules import commands as c
from tests.daemon.evenings import Table, Witness, evening_context, lines, sentences, whispers
from tests.daemon.table_talk import play_on, replayed, talked
from tests.languages import EACH_LANGUAGE, LANGUAGES

PHRASES = {language: sentences(language).phrases() for language in LANGUAGES}
NUMBERS = st.integers(min_value=-(2**70), max_value=2**70) | st.integers(min_value=0, max_value=120)
PSYCHICS = st.sampled_from(list(Psychic))
ODD_TEXT = st.one_of(
    st.text(max_size=60),
    st.sampled_from(["", " ", "\0", "ghost", "ghost ", "GHOST vision", "é" * 5000, "seven " * 2000]),
    st.sampled_from(["\u202eyes", "\U0001f0a1", "\u0667", "ghost \u0667", "ghost culprit \u00b2", "ghost \ud800"]),
    st.sampled_from(["i choose card seven \udcff", "yes\ud800", "i agree with red\0"]),
    st.text(max_size=30).map("ghost {}".format),
)
GHOSTLY = st.builds(
    "ghost {} {} {}".format,
    st.sampled_from(
        ["vision", "crow", "sand", "answer", "culprit", "lay", "number", "abandon", "vote", "eldest", "undo"]
    ),
    PSYCHICS | st.just(""),
    NUMBERS | st.just(""),
)
COMMANDS = st.one_of(
    st.builds(c.GiveVision, psychic=PSYCHICS, count=st.none() | NUMBERS, cards=st.none() | st.tuples(NUMBERS)),
    st.builds(c.UseCrow, count=st.none() | NUMBERS, cards=st.none() | st.tuples(NUMBERS, NUMBERS)),
    st.builds(c.PlaceIntuition, psychic=PSYCHICS, card=NUMBERS),
    st.builds(c.Bet, by=PSYCHICS, on=PSYCHICS, agrees=st.booleans()),
    st.builds(c.WithdrawBet, by=PSYCHICS, on=PSYCHICS),
    st.builds(c.CallTime, early=st.booleans()),
    st.builds(c.Manifest, psychic=PSYCHICS, correct=st.none() | st.booleans()),
    st.builds(c.NumberGroups, order=st.lists(PSYCHICS, max_size=8).map(tuple)),
    st.builds(c.ChooseCulprit, group=NUMBERS),
    st.builds(c.LaySharedVision, cards=st.none() | st.tuples(NUMBERS, NUMBERS, NUMBERS)),
    st.builds(c.Vote, by=PSYCHICS, group=NUMBERS),
    st.builds(c.PointAt, by=PSYCHICS, group=NUMBERS),
    st.builds(c.Accuse, character=st.none() | NUMBERS, location=st.none() | NUMBERS, object=st.none() | NUMBERS),
    st.builds(c.NameEldest, psychic=PSYCHICS),
    st.builds(c.TakeBack, psychic=PSYCHICS),
    st.sampled_from([c.TurnSand(), c.TurnSharedVision(), c.BreakSilence(), c.Abandon()]),
    st.builds(
        Begin,
        edition=st.sampled_from(list(EDITIONS.values())),
        players=NUMBERS,
        level=st.sampled_from(["easy", "medium", "nightmare", ""]),
        seed=st.none() | st.integers(min_value=0, max_value=2**63 - 1),
        psychics=st.none() | st.lists(PSYCHICS, max_size=8).map(tuple),
        deal=st.sampled_from(list(Deal)),
        visions=st.sampled_from(list(Visions)),
        variant=st.none() | st.sampled_from(["full_investigation", "brunch"]),
    ),
)


@st.composite
def heard(draw) -> Heard:
    """Any recognition: any words, with an intent of our sentences or none."""
    intent = sentences(draw(st.sampled_from(LANGUAGES))).match(draw(st.sampled_from(sum(PHRASES.values(), ()))))
    confidence = draw(st.floats(min_value=0, max_value=1) | st.just(float("nan")))
    return Heard(draw(st.text(max_size=60)), intent, confidence, draw(st.none() | PSYCHICS))


SIGNALS: st.SearchStrategy[Signal] = st.one_of(
    heard(),
    heard(),
    st.builds(Typed, ODD_TEXT),
    st.builds(Typed, st.sampled_from(PHRASES["en"])),
    st.builds(Typed, GHOSTLY),
    st.builds(GhostCommand, COMMANDS),
    st.builds(ButtonPress, st.sampled_from(["visions", "yes", "no", "crow", "", "doorbell"]), st.booleans()),
    st.builds(FaultReport, st.sampled_from(list(Fault))),
    st.builds(HearingChange, st.booleans()),
    st.builds(Talk, st.booleans(), st.sampled_from(list(Source))),
    st.builds(SeatTalk, st.sampled_from(["a", "b"]), st.booleans(), PSYCHICS),
    st.builds(Tick, st.booleans()),
    st.just(Stop()),
)
LEAPS = st.sampled_from([0.0, 0.1, 1.0, 31.0, 121.0, 100_000.0, -50.0])


def opened(tmp_path_factory) -> Table:
    journal = Witness.open(tmp_path_factory.mktemp("any") / "nights.sqlite")
    table = Table(Evening(evening_context(journal)), journal)
    table.open()
    return table


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(min_value=0, max_value=2**32), signals=st.lists(st.tuples(SIGNALS, LEAPS), max_size=25))
def test_whatever_comes_in_the_night_is_where_the_granted_commands_lead(tmp_path_factory, seed, signals):
    table = opened(tmp_path_factory)
    if seed % 4:
        play_on(table, Random(seed))
    try:
        for signal, leap in signals:
            table.now += leap
            cues = table.give(signal)
            if isinstance(signal, GhostCommand | ButtonPress) and whispers(cues):
                assert not [line for line in lines(cues) if line in whispers(cues)]
        granted = table.journal.entries
        begins = [at for at, (command, _) in enumerate(granted) if isinstance(command, Begin)]
        assert replayed(granted[begins[-1] :] if begins else []) == table.evening.state
    finally:
        table.journal.close()


@settings(max_examples=200, deadline=None)
@given(text=ODD_TEXT)
@EACH_LANGUAGE
def test_any_text_means_one_thing_or_nothing(language, text):
    meant = sentences(language).match(text) if text.strip() else None
    assert meant is None or isinstance(meant, Intent)


@pytest.mark.parametrize("seed", range(6))
def test_an_hour_of_table_talk_changes_nothing(seed, tmp_path_factory):
    """`script/bench night` talks for a thousand."""
    chance, table = Random(seed), opened(tmp_path_factory)
    table.language = "en"
    play_on(table, chance)
    came = talked(table, chance, 720)
    assert came.moved == []
    assert replayed(table.journal.entries) == table.state
    assert len(came.understood) < came.utterances / 100


def test_table_talk_that_happens_to_be_a_sentence_is_refused_like_any_other(visions):
    before = visions.state
    visions.give(Heard("we have voted", sentences("en").match("we have voted"), 1.0))
    visions.give(Heard("group three", sentences("en").match("i vote for group three"), 1.0, Psychic.RED))
    assert visions.state == before


def test_fewer_visions_than_none_are_refused_in_words(visions):
    assert whispers(visions.ask(c.GiveVision(psychic=Psychic.BLUE, count=-4)))
