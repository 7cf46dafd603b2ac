"""Choosing a line and filling it."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seance.narration.script import BadScript, Memory, Script
from seance.rules import EDITIONS, Category
from tests.languages import LANGUAGES
from tests.narration.conftest import SCRIPTS
from tests.nights import BLACK, BLUE, RED, WHITE

ENGLISH, FRENCH = SCRIPTS["en"], SCRIPTS["fr"]
Owners = Callable[[str], Path]


# What stands in the holes


@pytest.mark.parametrize(
    ("line", "values", "said"),
    [
        ("{psychic}, {card:card}.", {"psychic": RED, "card": 7}, "Red, card seven."),
        ("it is {hour:hour}.", {"hour": 7}, "It is the seventh hour."),
        ("{psychics} play.", {"psychics": (RED, BLUE, WHITE)}, "Red, Blue and White play."),
        ("{psychics:or}?", {"psychics": (RED, BLUE)}, "Red or Blue?"),
        ("{psychics}", {"psychics": (RED,)}, "Red"),
        ("{count:visions}.", {"count": 1}, "One vision."),
        ("{count:visions}.", {"count": 3}, "Three visions."),
        ("{count:crows}.", {"count": 0}, "No crow."),
        ("{seconds:time} left.", {"seconds": 90}, "One minute and thirty seconds left."),
        ("{seconds:time} left.", {"seconds": 120}, "Two minutes left."),
        ("{category:a}.", {"category": Category.OBJECT}, "An object."),
        ("cards {cards:named}.", {"cards": (4, 20, 41)}, "Cards four, twenty and forty-one."),
        ("card {card}.", {"card": 117}, "Card 117."),
        ("{psychic:his|her} mind.", {"psychic": RED}, "Her mind."),
        ("{psychic:his|her} mind.", {"psychic": BLACK}, "His mind."),
    ],
)
def test_english_is_filled(line, values, said):
    assert ENGLISH.fill(line, "libellud", **values) == said


@pytest.mark.parametrize(
    ("line", "values", "said"),
    [
        ("{psychic}, {card:card}.", {"psychic": RED, "card": 7}, "Rouge, la carte sept."),
        ("au milieu de {hour:hour}.", {"hour": 5}, "Au milieu de la cinquième heure."),
        ("{psychics} jouent.", {"psychics": (RED, BLUE, WHITE)}, "Rouge, Bleu et Blanc jouent."),
        ("{count:visions}.", {"count": 1}, "Une vision."),
        ("{count:crows}.", {"count": 2}, "Deux corbeaux."),
        ("{seconds:time}.", {"seconds": 61}, "Une minute et une seconde."),
        ("{category:the}.", {"category": Category.OBJECT}, "L'objet."),
        ("servi{psychic:|e}.", {"psychic": RED}, "Servie."),
        ("servi{psychic:|e}.", {"psychic": BLUE}, "Servi."),
    ],
)
def test_french_is_filled(line, values, said):
    assert FRENCH.fill(line, "libellud", **values) == said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("la carte de {psychic}", "La carte d'Alma"),
        ("attendez que {psychic} parle", "Attendez qu'Alma parle"),
        ("entre {psychic} et nous", "Entre Alma et nous"),
        ("on attend de {card} à {hour}", "On attend de onze à huit"),
        ("le {card} et le {hour}", "Le onze et le huit"),
    ],
)
def test_french_elides_before_a_name_and_never_before_a_number(line, said):
    script = Script.load("fr", names={RED: "Alma"})
    assert script.fill(line, None, psychic=RED, card=11, hour=8) == said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("au milieu de {hour:hour}", "Au milieu du troisième jour"),
        ("jusqu'à {hour:hour}", "Jusqu'au troisième jour"),
        ("il manque {a_vision} à {psychic}", "Il manque un rêve au Professeur"),
        ("la carte de {psychic}", "La carte du Professeur"),
        ("{hour:hour}", "Le troisième jour"),
    ],
)
def test_french_contracts_before_a_masculine_name(line, said):
    script = Script.load("fr", names={BLUE: "le Professeur"})
    assert script.fill(line, "igames", psychic=BLUE, hour=3) == said


@pytest.mark.parametrize("edition", ["igames", "portal", "manual"])
def test_editions_of_a_week_have_days_and_dreams(edition):
    assert ENGLISH.fill("{hour:hour}, {count:visions}", edition, hour=2, count=2) == "The second day, two dreams"


def test_psychics_are_called_as_the_owner_calls_them_and_the_others_by_colour():
    script = Script.load("en", names={RED: "Grandma"})
    assert script.fill("{psychics}", None, psychics=(RED, BLUE)) == "Grandma and Blue"


def test_cards_are_called_as_the_owner_calls_them():
    script = Script.load("en", cards={"the cook": 7})
    said = script.fill("{card:card}: {cards:named}.", None, card=7, cards=(7, 8))
    assert said == "The cook: the cook and eight."


# Which variant


@given(seed=st.integers(0, 2**32), key=st.sampled_from(sorted(k for k, v in ENGLISH.lines.items() if len(v) > 1)))
def test_no_variant_is_said_twice_in_a_row(seed: int, key: str):
    memory, said = Memory(seed), []
    for _ in range(12):
        line, memory = ENGLISH.choose(key, memory)
        said.append(line)
    assert all(one != other for one, other in pairwise(said))


@given(seed=st.integers(0, 2**32), key=st.sampled_from(sorted(k for k, v in ENGLISH.lines.items() if len(v) > 1)))
def test_every_variant_is_said_before_one_is_said_again(seed: int, key: str):
    variants = ENGLISH.lines[key]
    again = [line for at, line in enumerate(variants) if at not in ENGLISH.once[key]]
    said = said_in_turn(ENGLISH, key, Memory(seed), len(variants) + 2 * len(again))
    first, second, third = said[: len(variants)], said[len(variants) : -len(again)], said[-len(again) :]
    assert sorted(first) == sorted(variants)
    assert second == third
    assert sorted(second) == sorted(again)


def test_a_variant_that_is_marked_once_is_said_once(owners: Owners):
    script = Script.load("en", owners('[event]\nvote_cast = ["(once) A joke.", "{psychic}.", "{psychic} votes."]\n'))
    said = said_in_turn(script, "event.vote_cast", Memory(), 20)
    assert said.count("A joke.") == 1


def said_in_turn(script: Script, key: str, memory: Memory, count: int) -> list[str]:
    said = []
    for _ in range(count):
        line, memory = script.choose(key, memory)
        said.append(line)
    return said


def test_the_same_memory_says_the_same():
    memory = Memory(seed=7).remember("event.time_called.over", 1)
    said = {ENGLISH.say("event.time_called.over", memory)[0] for _ in range(20)}
    assert len(said) == 1


def test_another_night_says_it_differently():
    first = {ENGLISH.say("event.time_called.over", Memory(seed))[0] for seed in range(40)}
    assert first == {ENGLISH.fill(line, None) for line in ENGLISH.lines["event.time_called.over"]}


def test_a_tale_is_told_in_order_and_then_ends():
    memory, told = Memory(), []
    while (piece := ENGLISH.next_of("waiting", memory))[0] is not None:
        text, memory = piece
        told.append(text)
    assert told == list(ENGLISH.tale("waiting"))


# The owner's own file


def test_an_owner_replaces_a_line(owners: Owners):
    script = Script.load("en", owners('[event]\nvote_cast = "{psychic} is done voting."\n'))
    assert script.say("event.vote_cast", Memory(), psychic=RED)[0] == "Red is done voting."


def test_an_owner_adds_a_variant(owners: Owners):
    script = Script.load("en", owners('[more.event]\nvote_cast = ["And {psychic}."]\n'))
    assert script.lines["event.vote_cast"] == (*ENGLISH.lines["event.vote_cast"], "And {psychic}.")


@pytest.mark.parametrize(
    "line", ['event.intuition_placed = "{psychic}, the {place:place} {category}."', 'layout.card = "{card:card}."']
)
def test_an_owner_may_write_what_earlier_versions_said(owners: Owners, line: str):
    assert Script.load("en", owners(line)).lines[line.partition(" ")[0]]


def test_what_an_owner_does_not_write_stays(owners: Owners):
    script = Script.load("en", owners('[event]\nvote_cast = ["x"]\n'))
    changed = {key for key in script.lines if script.lines[key] != ENGLISH.lines[key]}
    assert changed == {"event.vote_cast"}


def test_an_owner_tells_another_story_and_adds_to_ours(owners: Owners):
    script = Script.load("en", owners('[tales]\nopening = ["Once."]\n[more.tales]\nwaiting = ["Again."]\n'))
    for edition in EDITIONS:
        assert [part.sentences for part in script.opening(edition)] == [("Once.",)]
        assert script.tale("waiting", edition) == (*ENGLISH.tale("waiting", edition), "Again.")


def test_an_owner_says_of_which_gender_a_psychic_is(owners: Owners):
    script = Script.load("fr", owners('[called.genders]\nblue = "f"\n'))
    assert script.fill("servi{psychic:|e}", None, psychic=BLUE) == "Servie"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[event]\n\nvote_cost = ['x']\n", r"script.toml, line 3: event.vote_cost .*did you mean event.vote_cast"),
        ("[event]\nvote_cast = 7\n", r"line 2: event.vote_cast must be a text, or a list of texts"),
        ("[event]\nvote_cast = []\n", r"line 2: event.vote_cast must be a text"),
        ("[event]\nvote_cast = ['']\n", r"line 2: event.vote_cast must be a text"),
        ("[event]\nvote_cast = ['{group']\n", r"line 2: event.vote_cast has a brace too many or too few"),
        ("[event]\nvote_cast = ['{}']\n", r"line 2: event.vote_cast has a hole that is no name"),
        ("[event]\nvote_cast = ['{number}']\n", r"event.vote_cast cannot say {number}: its holes are {psychic}"),
        ("[event]\nvote_cast = ['{psychic:x}']\n", r"event.vote_cast asks for a form that is not there, {psychic:x}"),
        ("[event]\nfound = ['{category:hour}']\n", r"event.found asks for a form .* {category:hour}"),
        ("[event.vote_cast]\nx = ['x']\n", r"line 2: event.vote_cast.x is no line of ours"),
        ("event.vote_cost = 'x'\n", r"line 1: event.vote_cost is no line of ours"),
        ("[more.event]\nvote_cost = 'x'\n", r"line 2: more.event.vote_cost is no line of ours"),
        ("more = 1\n", r"line 1: more must be a table"),
        ("tales = 'x'\n", r"line 1: tales must be"),
        ("called = 'x'\n", r"line 1: called is no line of ours"),
        ("[called.genders]\nred = 'x'\n", r"line 2: called.genders.red must be \"m\" or \"f\""),
        ("[called.levels]\nhorrid = 'x'\n", r"line 2: called.levels.horrid is unknown here: use easy"),
        ("[called.cats]\nred = 'x'\n", r"line 1: called.cats is not one of \[called.colours\]"),
        ("[grammar]\ncard = 'x'\n", r"line 1: grammar is not for an owner's file"),
        ("[event\n", r"script.toml: not TOML: .*line 1"),
    ],
)
def test_a_bad_file_names_file_line_and_key(owners: Owners, language: str, text: str, complaint: str):
    with pytest.raises(BadScript, match=complaint):
        Script.load(language, owners(text))


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(BadScript, match=r"nowhere.toml: there is no such file"):
        Script.load("en", tmp_path / "nowhere.toml")


def test_what_an_owner_wrote_for_reminders_is_said_of_what_is_next(tmp_path: Path):
    path = tmp_path / "lines.toml"
    path.write_text(
        """
[reminder.some]
visions = "Slow tonight, {psychics}."
over = "Home."
[more.reminder.some]
vote = "A vote, {psychics}."
"""
    )
    lines = Script.load("en", path).lines
    assert lines["next.give_visions"] == ("Slow tonight, {psychics}.",)
    assert lines["next.vote_silently"][-1] == "A vote, {psychics}."
