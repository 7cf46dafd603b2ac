"""Nobody hears the same sentence twice within ten minutes of a night."""

import re
from collections.abc import Iterator, Mapping
from functools import partial

import pytest

from seance.narration.script import Script
from seance.narration.staging import NarrationStyle, Opening, Pace
from seance.rules import EDITIONS, Begin
from tests.languages import EACH_LANGUAGE
from tests.narration.conftest import SCRIPTS
from tests.narration.table_clock import NightOnClock, told_night
from tests.tables import usual_level

TEN_MINUTES_S = 600.0
PLAYERS = (2, 4, 7)
STYLES: Mapping[str, partial[NarrationStyle]] = {
    "long story, first night": partial(NarrationStyle, opening=Opening.LONG),
    "short story": partial(NarrationStyle, first_night=False),
    "brisk": partial(NarrationStyle, pace=Pace.BRISK, opening=Opening.SKIPPED, first_night=False),
}

ECHOES = (
    "event.intuition_placed",
    *("brisk.event.vision_given.one", "brisk.event.vision_given.many"),
    *(f"brisk.event.clairvoyancy_moved.{how}" for how in ("one", "early", "many")),
    *("brisk.event.answer.card", "brisk.event.answer.nothing", "brisk.event.answer.no", "brisk.event.answer.none"),
)
"""Lines that only echo what was said or knocked: they may come again at once, and have three words at most."""
ROWS = ("layout.", "event.group.", "on_table.")
"""Lines that read cards out."""
QUOTES = ("next_say.",)
"""Lines that quote what can be said, which stays the same as long as nobody says it."""


# What is asked for, such as the time or what was said last, is not told in these nights.


def sentences(script: Script, text: str) -> Iterator[str]:
    """Yield the sentences of *text* that say more than names, numbers, cards and places."""
    for sentence in re.split(r"(?<=[.?!])\s+", text):
        if not _only_names(script).fullmatch(sentence):
            yield sentence


def _only_names(script: Script) -> re.Pattern[str]:
    """Return what a sentence of nothing but names looks like."""
    inflection = script.inflection
    kinds = {form for words in inflection.words.values() for kind in words.kinds.values() for form in kind.values()}
    fixed = script.fill("{card:card} {group}", None, card=1).split()
    names = [*inflection.psychics.values(), *inflection.numbers, *inflection.places, *kinds, *fixed, "the", "le"]
    return re.compile(rf"(?:(?:{'|'.join(map(re.escape, names))})\b[ ,.?!-]*)+", re.IGNORECASE)


def repeated(script: Script, night: NightOnClock) -> Iterator[tuple[str, str, int]]:
    """Yield each sentence that comes again within ten minutes, with its key and the seconds between."""
    said_at: dict[str, float] = {}
    for spoken in night.lines:
        if spoken.line.key in ECHOES or spoken.line.key.startswith(ROWS + QUOTES):
            continue
        for sentence in sentences(script, spoken.line.text):
            if spoken.at_s - said_at.get(sentence, -TEN_MINUTES_S) < TEN_MINUTES_S:
                yield spoken.line.key, sentence, round(spoken.at_s - said_at[sentence])
            said_at[sentence] = spoken.at_s


@EACH_LANGUAGE
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_no_sentence_is_heard_twice_within_ten_minutes(language: str, style: str, edition: str):
    script = SCRIPTS[language]
    players = sorted({number for number in EDITIONS[edition].players if number in PLAYERS})
    for number in players:
        begin = Begin(edition=EDITIONS[edition], players=number, level=usual_level(EDITIONS[edition]), seed=number)
        night = told_night(STYLES[style](script=script), begin)
        assert list(repeated(script, night)) == [], f"{number} players"


@EACH_LANGUAGE
def test_an_echo_has_three_words_at_most(language: str):
    script = SCRIPTS[language]
    for key in ECHOES:
        for variant in script.lines[key]:
            words = re.sub(r"\{[^}]*\}", "word", variant).split()
            assert len(words) <= 3, (key, variant)
