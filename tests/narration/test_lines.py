"""Every line of every language is there, can be filled, and is understood where it tells people what to say."""

import re
import shutil
import string
import subprocess

import pytest

from seance.dialogue.faults import Fault
from seance.dialogue.grammar.spoken_names import Names
from seance.dialogue.questions import Doubt, Question
from seance.dialogue.replies import Lacking
from seance.languages import load_language
from seance.narration.script import LineValue, Script
from seance.narration.script_file import SAMPLE_VALUES, holes_of
from seance.narration.staged_refusals import refusal_key
from seance.rules import EDITIONS, Category, Phase, Psychic, Reason
from tests.guests import sentences
from tests.languages import EACH_LANGUAGE, EACH_SAMPLED, LANGUAGES, sample
from tests.narration.conftest import REFUSALS, SCRIPTS

EAR = {language: sentences(language) for language in LANGUAGES}


def hours(edition: str | None) -> range:
    """Return the turns of *edition*, or of the first one where none is played."""
    return range(1, EDITIONS[edition or next(iter(EDITIONS))].turns + 1)


FREQUENT = [
    "event.vision_given.one", "event.vision_given.many", "event.crow_used.some", "event.crow_used.none",
    "event.crow_used.returns", "event.sand_turned", "event.interpretation_begun",
    "event.bet_placed.agrees", "event.bet_placed.disagrees", "event.bet_withdrawn", "event.taken_back.vision",
    "event.taken_back.intuition", "event.taken_back.bet", "event.time_called.over", "event.time_called.early",
    "event.answer.card", "event.answer.nothing", "event.answer.none", "event.answer.yes", "event.answer.no",
    "event.found", "event.third",
    "event.clairvoyancy_moved.one", "event.clairvoyancy_moved.many", "event.clairvoyancy_moved.early",
    "event.vote_cast", "event.ballot_shown", "event.ballot_read", "event.pointed_at", "event.accused.group",
    "event.set_removed", "reply.not_understood", "reply.welcome",
    "reply.left_alone", "reply.dropped", "reply.nothing_to_undo", "ask.who_speaks", "ask.which_card", "ask.on_whom",
    "ask_back.misheard", "ask_back.again", "time_left.running", "time_left.none", "sand_left.60", "sand_left.30",
    "sand_left.10", "paused.now", "resumed.now", "volume.louder", "volume.quieter", "refusal.not_now",
    "refusal.already_served", "refusal.not_served_yet", "refusal.card_not_on_table", "refusal.wrong_category",
    "refusal.choices_missing", "refusal.visions_missing", "refusal.not_playing", "refusal.search_is_done",
    "next.give_visions", "next.turn_sand", "next.choose", "next.end_choosing", "next.answer_psychics",
    "next.answer_by_hand", "next.mark_culprit", "next.lay_shared_vision", "next.vote_silently", "next.read_votes",
    "next.vote_together", "next.point", "next.agree", "next.accuse", "waiting.after",
    *(f"lore.{edition}.hour.{hour}" for edition in EDITIONS for hour in (*hours(edition), "last")),
    *(f"lore.{edition}.opening.{opening}" for edition in EDITIONS for opening in ("short", "skipped")),
    *(f"missing.{lacking}.{many}" for lacking in Lacking for many in ("one", "many", "nobody")),
]  # fmt: skip
"""What may be heard several times in an evening."""

VERY_FREQUENT = [
    "event.vision_given.one", "event.vision_given.many", "event.sand_turned", "event.interpretation_begun",
    "event.intuition_located", "event.time_called.over", "event.time_called.early", "event.answer.card",
    "event.answer.nothing", "event.answer.none", "event.answer.yes", "event.answer.no", "event.found",
    "event.clairvoyancy_moved.one", "event.clairvoyancy_moved.many", "event.pointed_at", "sand_left.60", "sand_left.30",
    "sand_left.10", "week.event.time_called.over", "week.event.time_called.early",
]  # fmt: skip
"""What is heard in every hour of a night."""

VALUES: dict[str, list[LineValue]] = {
    **{hole: [value] for hole, value in SAMPLE_VALUES.items()},
    **{hole: list(Psychic) for hole in ("psychic", "by", "on", "other")},
    **{hole: list(Category) for hole in ("category", "next")},
    **{hole: [0, 1, 2, 7] for hole in ("count", "crows", "spaces", "found", "more", "players", "needed")},
    "seconds": [0, 1, 10, 60, 61, 90, 120],
    "card": [1, 21, 58, 99, 100, 117],
    "psychics": [(Psychic.RED,), (Psychic.RED, Psychic.BLUE), tuple(Psychic)],
}
"""Every kind of value for every hole."""


def every_line(script: Script) -> list[tuple[str, str]]:
    """Return each variant of each key, tales included."""
    return [(key, line) for key, variants in {**script.lines, **every_tale(script)}.items() for line in variants]


def every_tale(script: Script) -> dict[str, tuple[str, ...]]:
    """Return what is told in order, by edition and name."""
    tales = {}
    for edition, lore in script.lores.items():
        tales |= {f"{edition}.{name}": told for name, told in lore.tales.items()}
        tales |= {f"{edition}.{part.name}": part.sentences for part in lore.opening}
    return tales


@EACH_LANGUAGE
def test_a_colour_that_stands_for_a_person_is_capitalised(language: str):
    assert all(called[0].isupper() for called in SCRIPTS[language].inflection.psychics.values())


def spoken(script: Script) -> list[tuple[str, str]]:
    """Return every line filled with every kind of value, in the words of every edition."""
    said = []
    for key, line in every_line(script):
        for edition in (None, *EDITIONS):
            said.append((key, script.fill(line, edition, **SAMPLE_VALUES)))
            values = {**VALUES, "hour": list(hours(edition))}
            for hole in holes_of(line) & set(values):
                said += [(key, script.fill(line, edition, **{**SAMPLE_VALUES, hole: value})) for value in values[hole]]
    return said


SPOKEN = {language: spoken(SCRIPTS[language]) for language in LANGUAGES}


def test_all_languages_have_the_same_keys():
    english, *others = SCRIPTS.values()
    for other in others:
        assert set(other.lines) ^ set(english.lines) == set()
        assert set(every_tale(other)) ^ set(every_tale(english)) == set()


def test_all_languages_have_the_same_words_of_editions():
    english, *others = (script.inflection for script in SCRIPTS.values())
    for other in others:
        for name, words in english.words.items():
            assert set(words.plain) == set(other.words[name].plain)
            assert set(words.counted) == set(other.words[name].counted)


@EACH_LANGUAGE
def test_no_line_has_a_hole_left_or_a_space_too_many(language: str):
    wrong = re.compile(r"[{}‸]|\s\s|^\s|\s$|\s[.,]|,\s*[.,]")
    assert [said for said in SPOKEN[language] if wrong.search(said[1])] == []


@EACH_LANGUAGE
def test_every_hole_is_one_that_is_known(language: str):
    plain = {word for words in SCRIPTS[language].inflection.words.values() for word in words.own}
    assert {hole for _, line in every_line(SCRIPTS[language]) for hole in holes_of(line)} <= set(SAMPLE_VALUES) | plain


@EACH_LANGUAGE
def test_what_is_heard_often_has_three_variants(language: str):
    lines = SCRIPTS[language].lines
    assert {key: len(lines[key]) for key in FREQUENT if len(lines[key]) < 3} == {}


@EACH_LANGUAGE
def test_what_is_heard_every_hour_has_eight_variants_that_may_come_again(language: str):
    script = SCRIPTS[language]
    again = {key: len(script.lines[key]) - len(script.once[key]) for key in VERY_FREQUENT}
    assert {key: count for key, count in again.items() if count < 8} == {}


@EACH_LANGUAGE
def test_every_line_of_its_own_stands_for_one_that_all_have(language: str):
    script = SCRIPTS[language]
    brisk = {key.removeprefix("brisk.") for key in script.lines if key.startswith("brisk.")}
    general = {key.split(".", 2)[2] for key in script.lines if key.startswith("lore.")} | {*script.lines}
    assert {key for key in brisk if key not in general and key.partition(".")[2] not in general} == set()


@EACH_LANGUAGE
def test_no_line_is_written_twice_for_the_same_key(language: str):
    assert [key for key, variants in SCRIPTS[language].lines.items() if len(set(variants)) < len(variants)] == []


@EACH_LANGUAGE
@pytest.mark.parametrize(
    "keys",
    [
        [refusal_key(kind) for kind in REFUSALS],
        [f"ask.{question}" for question in Question] + [f"ask_again.{question}" for question in Question],
        [f"ask_back.{doubt}" for doubt in Doubt],
        [f"missing.{lacking}.{many}" for lacking in Lacking for many in ("one", "many", "nobody")],
        [f"trouble.{fault}" for fault in Fault],
        [f"ending.{reason}" for reason in Reason],
        [f"{of}.{phase}" for phase in Phase for of in ("options", "hour_is")],
    ],
    ids=["refusals", "questions", "doubts", "lacking", "faults", "endings", "phases"],
)
def test_there_is_a_line_for_each(language: str, keys: list[str]):
    assert [key for key in keys if key not in SCRIPTS[language].lines] == []


# What the ear knows


@EACH_LANGUAGE
def test_examples_are_understood_as_what_they_are_examples_of(language: str):
    script = SCRIPTS[language]
    playing = (Psychic.YELLOW, Psychic.WHITE, Psychic.BLACK)
    values: dict[str, LineValue] = {
        "psychic": playing[0],
        "other": playing[-1],
        "psychics": playing,
        "card": 41,
        "cards": (4, 20, 41),
        "number": 3,
    }
    assert len(script.examples) > 10
    for intent in script.examples:
        # Rows are understood only where no card can be chosen.
        ear = EAR[language].narrow({"draw_row"}) if intent == "draw_row" else EAR[language]
        for edition in EDITIONS:
            meant = ear.match(script.example(intent, edition, **values))
            assert meant is not None, intent
            assert meant.name == intent.removesuffix("_cards").removesuffix("_character")


@EACH_SAMPLED
def test_whatever_the_house_tells_people_to_say_it_understands(language: str):
    repeated = ("ask_back.misheard", "options.say", "next_say.exact", "next_say.instance")
    lines = (line for key, line in SPOKEN[language] if key not in repeated)
    told = {quoted for line in lines for quoted in re.findall(sample(language)["told_to_say"], line)}
    assert len(told) > 5
    assert [quoted for quoted in sorted(told) if EAR[language].match(quoted) is None] == []


@EACH_LANGUAGE
def test_what_may_be_answered_is_called_as_it_can_be_said(language: str):
    called, known = SCRIPTS[language].inflection, Names.load(language)
    for ours, theirs in ((called.called["levels"], known.levels), (called.called["editions"], known.editions)):
        assert {key: name for key, name in ours.items() if name.lower() not in theirs[key]} == {}
    assert {name for psychic, name in called.psychics.items() if name.lower() not in known.psychics[psychic]} == set()


# What a synthetic voice can say


@EACH_LANGUAGE
def test_no_line_has_a_sign_that_is_not_said(language: str):
    small = load_language(language).letters
    letters = small + small.upper() + string.digits
    assert {line for _, line in SPOKEN[language] if not re.fullmatch(rf"[{letters} ,.:?!'-]+", line)} == set()


@EACH_LANGUAGE
def test_no_word_is_spelt_in_capitals_and_no_number_in_figures(language: str):
    lines = [SCRIPTS[language].fill(line, None, **SAMPLE_VALUES) for _, line in every_line(SCRIPTS[language])]
    assert [line for line in lines if re.search(r"\b[A-Z]{2,}\b|\d", line)] == []


@EACH_LANGUAGE
def test_a_clause_is_short_enough_to_be_spoken_in_one_breath(language: str):
    clauses = [clause for _, line in SPOKEN[language] for clause in re.split(r"[.?!:,]", line)]
    assert [clause for clause in clauses if len(clause.split()) > 24] == []


@pytest.mark.parametrize(
    ("language", "voice"), [(code, v) for code in LANGUAGES for v in load_language(code).test_voices[:1]]
)
def test_espeak_says_every_line_in_its_own_language(language: str, voice: str):
    espeak = shutil.which("espeak-ng")
    assert espeak is not None, "script/setup test installs espeak-ng"
    blanks = ("level", "edition", "said", "name", "port", "mark", "code", "choices", "examples", "levels")
    blank: dict[str, LineValue] = dict.fromkeys(blanks, "")
    lines = [
        SCRIPTS[language].fill(line, "libellud", **{**SAMPLE_VALUES, **blank})
        for _, line in every_line(SCRIPTS[language])
    ]
    text = re.sub("|".join(SCOTTISH), "", "\n\n".join(lines))
    command = [espeak, "-q", "-x", "-v", voice, text]
    sounds = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert len(sounds) > len(text) / 2
    # A word that espeak takes for one of another language stands between marks of languages.
    assert re.findall(r"\([a-z]{2}[a-z-]*\)\S*", sounds) == []


SCOTTISH = (
    *("Craigmorrow", "Ewan", "seance models", "Warwick", "Evening News", "MacDowell", "Wang", "Smith", "New York"),
    *("Jing", "Sir"),
)
"""Names that are meant to sound foreign in French."""
