"""Whole nights of every edition, staged as the room hears them: what is true of every one of them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, is_dataclass, replace
from functools import cache
from itertools import chain, islice, pairwise
from typing import Any, get_type_hints

from seance.narration import staging
from seance.narration.cue_builder import CueBuilder
from seance.narration.cues import Cue, Knock, KnockMeaning, Pause, Say, ShowHour
from seance.narration.event_cues import EventCueBuilder
from seance.narration.script import Memory, Script
from seance.narration.staging import NarrationStyle, Opening, Pace, stage_events, stage_wait
from seance.rules import (
    HEARD_BY,
    Edition,
    Event,
    Phase,
    Seat,
    State,
    heard,
    room_view,
)
from seance.rules import events as e
from seance.rules.bots import Wanderer, play
from tests.languages import EACH_LANGUAGE, LANGUAGES
from tests.narration.conftest import SCRIPTS
from tests.rules.moments import any_company, every_night

EVERY = 5
"""Every fifth way to begin a night is played, some by players who do anything."""


@dataclass(frozen=True)
class Told:
    """What one command led to, and what the room perceived of it."""

    state: State
    events: tuple[Event, ...]
    cues: tuple[Cue, ...]
    memory: Memory

    @property
    def lines(self) -> list[Say]:
        return [cue for cue in self.cues if isinstance(cue, Say)]


def night(style: NarrationStyle, steps: Iterable[tuple[Any, State, tuple[Event, ...]]], seed: int) -> Iterator[Told]:
    """Yield a night as it is told."""
    memory, before = Memory(seed), None
    for _, state, events in steps:
        room = room_view(state)
        cues, memory = stage_events(style, memory, events, before, room)
        waiting, memory = stage_wait(style, memory, room)
        yield Told(state, events, cues + waiting, memory)
        before = room


@cache
def nights(language: str, pace: Pace = Pace.FULL) -> tuple[tuple[Told, ...], ...]:
    """Return many nights, as they are told."""
    styles = [NarrationStyle(script=SCRIPTS[language], pace=pace, opening=opening, first_night=first)
              for opening in Opening for first in (True, False)]  # fmt: skip
    told = []
    for at, (begin, chance) in enumerate(islice(every_night(), LANGUAGES.index(language), None, EVERY)):
        bot = Wanderer(chance) if at % 9 == 0 else any_company(chance)
        style = replace(styles[at % len(styles)])
        told.append(tuple(night(style, islice(play(begin, bot), 400), at)))
    return tuple(told)


def everything(language: str, pace: Pace = Pace.FULL) -> Iterator[Told]:
    return (told for evening in nights(language, pace) for told in evening)


@EACH_LANGUAGE
def test_all_kinds_of_events_were_told(language: str):
    kinds = {type(event) for told in everything(language) for event in heard(told.events, Seat.ROOM)}
    rare = {e.LevelWarned, e.GroupsNumbered, e.AnswerCorrected, e.ClairvoyancyTakenBack}
    assert {kind for kind, seats in HEARD_BY.items() if Seat.ROOM in seats} - kinds <= rare


# Secrets


def test_no_way_into_the_staging_has_a_type_that_knows_a_secret():
    ways = [staging.stage_events, staging.stage_refusal, staging.stage_reply, staging.stage_wait]
    ways += [CueBuilder.__init__, EventCueBuilder.__init__]
    names = " ".join(str(hint) for way in ways for hint in get_type_hints(way).values())
    assert "RoomView" in names
    assert not re.search(r"\bState\b|GhostView|seance\.rules\.state|Trio", names)


@EACH_LANGUAGE
def test_what_the_room_may_not_hear_changes_nothing(language: str):
    style, before = NarrationStyle(script=SCRIPTS[language]), None
    for told in islice(everything(language), 4000):
        room = room_view(told.state)
        whole = stage_events(style, Memory(), told.events, before, room)
        assert whole == stage_events(style, Memory(), heard(told.events, Seat.ROOM), before, room)
        before = room if room.phase is not Phase.OVER else None


@EACH_LANGUAGE
def test_every_number_that_is_said_was_heard_or_is_written_in_the_script(language: str):
    script = SCRIPTS[language]
    for told in everything(language):
        # How many turns and shared cards there are is printed in the rules.
        printed = script.inflection.edition_words(told.state.setup.edition.name).numbers
        public = _numbers_in(heard(told.events, Seat.ROOM)) | set(printed.values())
        for line in told.lines:
            if line.key in COUNTED:
                continue
            said = _spoken_numbers(script, line.text) - _written_numbers(script, line.key)
            assert said <= public, (line, public)


COUNTED = (
    *("event.track", "event.lineup_formed", "brisk.event.lineup_formed"),
    *("hands.visions", "hands.crows_some", "hands.crows_returns", "hands.track", "hands.tokens"),
)
"""Lines with numbers that everybody can count: limits printed on the board, groups on the table, what is in the box."""


@cache
def _number_words(language: str) -> re.Pattern[str]:
    words = sorted(SCRIPTS[language].inflection.numbers[1:], key=len, reverse=True)
    return re.compile(rf"(?<![\w-])({'|'.join(words)})(?![\w-])", re.IGNORECASE)


def _spoken_numbers(script: Script, text: str) -> set[int]:
    found = _number_words(script.language).findall(text)
    return {script.inflection.numbers.index(word.lower()) for word in found}


@cache
def _written(language: str, key: str) -> frozenset[int]:
    script = SCRIPTS[language]
    tales = [tale for lore in script.lores.values() for name, tale in lore.tales.items() if key == f"tales.{name}"]
    parts = [part for lore in script.lores.values() for part in lore.opening if key == f"tales.opening.{part.name}"]
    told = chain(*tales, *(part.sentences for part in parts))
    lines = told if key.startswith("tales.") else script.lines[key]
    words = (script.fill(word, edition) for edition in ("libellud", "igames") for word in ["{until_seven} {turns}"])
    one = frozenset([1, 2])  # une vision, deux minutes: articles and counts, not cards
    return frozenset(n for line in (*lines, *words) for n in _spoken_numbers(script, line)) | one


def _written_numbers(script: Script, key: str) -> frozenset[int]:
    return _written(script.language, key)


def _numbers_in(value: Any) -> set[int]:
    """Return every number that is somewhere in *value*."""
    if isinstance(value, Edition):
        return set()
    if isinstance(value, int):
        return {int(value), value // 60}
    if is_dataclass(value) and not isinstance(value, type):
        return _numbers_in(tuple(getattr(value, name) for name in value.__dataclass_fields__))
    if isinstance(value, tuple | list):
        return set().union(*map(_numbers_in, value))
    return set()


# Order


@EACH_LANGUAGE
def test_a_knock_never_falls_into_a_sentence(language: str):
    knocks = 0
    for told in everything(language):
        for at, cue in enumerate(told.cues):
            if isinstance(cue, Knock):
                knocks += 1
                before = told.cues[at - 1]
                assert isinstance(before, ShowHour if cue.says is KnockMeaning.HOUR else Pause)
                assert isinstance(told.cues[at + 1], Pause)
                assert isinstance(told.cues[at + 2], Say)
    assert knocks > 1000


@EACH_LANGUAGE
def test_no_line_is_said_twice_in_a_row(language: str):
    fixed = {
        key for key, variants in SCRIPTS[language].lines.items() if len(variants) > 1 and "{" not in "".join(variants)
    }
    for evening in nights(language):
        lines = [line for told in evening for line in told.lines]
        for key in fixed:
            said = [line.text for line in lines if line.key == key]
            assert all(one != other for one, other in pairwise(said))


@EACH_LANGUAGE
def test_the_story_is_told_in_order(language: str):
    for evening in nights(language):
        told = [line.text for step in evening for line in step.lines if line.key == "tales.waiting"]
        pieces = SCRIPTS[language].tale("waiting", evening[0].state.setup.edition.name)
        assert told == [SCRIPTS[language].fill(piece) for piece in pieces[: len(told)]]


# Pace


@EACH_LANGUAGE
def test_a_silent_night_has_knocks_and_no_words(language: str):
    cues = [cue for told in everything(language, Pace.SILENT) for cue in told.cues]
    assert not any(isinstance(cue, Say) for cue in cues)
    assert any(isinstance(cue, Knock) for cue in cues)


@EACH_LANGUAGE
def test_a_brisk_night_says_the_same_knocks_in_fewer_words(language: str):
    def knocks(pace: Pace) -> list[Knock]:
        return [cue for told in everything(language, pace) for cue in told.cues if isinstance(cue, Knock)]

    def words(pace: Pace) -> int:
        return sum(len(line.text.split()) for told in everything(language, pace) for line in told.lines)

    assert knocks(Pace.BRISK) == knocks(Pace.FULL) == knocks(Pace.SILENT)
    assert words(Pace.BRISK) < words(Pace.FULL) / 3


@EACH_LANGUAGE
def test_the_same_night_is_told_alike(language: str):
    def texts() -> list[str]:
        begin, chance = next(islice(every_night(), 7, None))
        style = NarrationStyle(script=SCRIPTS[language])
        return [line.text for told in night(style, play(begin, any_company(chance)), 3) for line in told.lines]

    assert texts() == texts()
