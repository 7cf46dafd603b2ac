"""An edition that is one value and its words plays whole nights everywhere, without a line of the product changed."""

import json
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest

from seance import settings
from seance.chronicle.words import ChronicleWords
from seance.cli import main
from seance.codec import command_fields, encode
from seance.dialogue import phrasing
from seance.engine import Engine
from seance.languages import FOLDER_VARIABLE
from seance.narration.cues import Say
from seance.narration.staging import Pace
from seance.programs.chronicle import write
from seance.programs.page_lookups import page_lookups
from seance.rules import EDITIONS, LIBELLUD, BallotKind, Begin, Deal, Edition, Level, Psychic, Reason, Visions
from seance.rules.bots import Bot, Company, Wanderer, play
from tests.daemon import evenings
from tests.daemon.evenings import Table, check_whole, night, script, table
from tests.guests import sentences
from tests.web.conftest import hasty
from tests.web.running_evening import chosen, running_evening
from tests.web.test_nights import played

LANTERNS = Edition(
    name="lanterns",
    order=LIBELLUD.order,
    decks=LIBELLUD.decks,
    levels={
        "dim": Level({2: 4, 3: 5, 4: 6, 5: 6, 6: 7}, crows=2),
        "dark": Level({2: 5, 3: 6, 4: 7, 5: 7, 6: 8}, crows=0, advised_up_to=4),
    },
    turns=6,
    most_players=6,
    shared_vision_cards=2,
    ballot=BallotKind.SECRET_BY_ALL,
    last_hour_is_in_time=True,
)
"""Six turns, at most six players, no track, one secret vote of all, two shared cards."""
WORDS = {
    "en": """
like = "night"
[called]
said = "lantern"
written = "the rules of the lanterns"
understood = ["lantern"]
[levels.dim]
said = "dim"
written = "dim"
understood = ["dim"]
[levels.dark]
said = "dark"
written = "dark"
understood = ["dark"]
[turns]
said = [
    "the first lantern", "the second lantern", "the third lantern",
    "the fourth lantern", "the fifth lantern", "the sixth lantern",
]
written = ["lantern one", "lantern two", "lantern three", "lantern four", "lantern five", "lantern six"]
marks = ["i", "ii", "iii", "iv", "v", "vi"]
[words.plain]
hour = "lantern"
the_hour = "the lantern"
this_hour = "by this lantern"
hours = "lanterns"
until_seven = "until the sixth lantern is out"
vision = "glimpse"
a_vision = "a glimpse"
the_vision = "the glimpse"
visions = "glimpses"
[words.counted]
visions = ["no glimpse", "one glimpse", "{n} glimpses"]
[understood]
vision = ["glimpse"]
visions = ["glimpses"]
[script.brisk.hour]
1 = "Lantern one."
[chronicle.words]
turns_picture = "The lanterns"
[pages]
hour = "Lantern {n}"
do_vision = "Glimpse"
""",
    "fr": """
like = "night"
[called]
said = "des lanternes"
written = "les règles des lanternes"
understood = ["des lanternes"]
[levels.dim]
said = "sombre"
written = "sombre"
understood = ["sombre"]
[levels.dark]
said = "noir"
written = "noir"
understood = ["noir", "très sombre"]
[turns]
said = [
    "la première lanterne", "la deuxième lanterne", "la troisième lanterne",
    "la quatrième lanterne", "la cinquième lanterne", "la sixième lanterne",
]
written = ["lanterne un", "lanterne deux", "lanterne trois", "lanterne quatre", "lanterne cinq", "lanterne six"]
marks = ["i", "ii", "iii", "iv", "v", "vi"]
[words.plain]
hour = "lanterne"
the_hour = "la lanterne"
this_hour = "à cette lanterne-ci"
hours = "lanternes"
until_seven = "jusqu'à ce que la sixième lanterne s'éteigne"
[script.brisk.hour]
1 = "Lanterne un."
[chronicle.words]
turns_picture = "Les lanternes"
[pages]
hour = "Lanterne {n}"
""",
}
"""The file of the edition in each language; what it leaves out is as in the file that it is like, or as in all."""
LORE = {
    "en": """
title = "The Lanterns"
editions = ["lanterns"]
[opening]
short = "Six lanterns burn tonight, and then it is dark."
skipped = "The lanterns are filled. We begin."
[[opening.long]]
part = "lanterns"
sentences = ["Six lanterns burn tonight.", "Then it is dark."]
[portrait]
blue = "In blue: {name}."
white = "In white: {name}."
red = "In red: {name}."
yellow = "In yellow: {name}."
purple = "In purple: {name}."
black = "In black: {name}."
[hour]
1 = "The first lantern is lit."
2 = "The second lantern is lit."
3 = "The third lantern is lit."
4 = "The fourth lantern is lit."
5 = "The fifth lantern is lit."
6 = "The sixth lantern is lit."
last = "There is no other lantern after this one."
[interlude]
sentences = ["The oil is low."]
[ending]
found = ["The lantern may go out."]
wrong = ["The lantern goes out by itself."]
time = ["The oil is used up."]
silence = ["A sound, and the light is gone."]
""",
    "fr": """
title = "Les lanternes"
editions = ["lanterns"]
[opening]
short = "Six lanternes brûlent ce soir, puis il fera noir."
skipped = "Les lanternes sont pleines. Commençons."
[[opening.long]]
part = "lanterns"
sentences = ["Six lanternes brûlent ce soir.", "Puis il fera noir."]
[portrait]
blue = "En bleu : {name}."
white = "En blanc : {name}."
red = "En rouge : {name}."
yellow = "En jaune : {name}."
purple = "En violet : {name}."
black = "En noir : {name}."
[hour]
1 = "On allume la première lanterne."
2 = "On allume la deuxième lanterne."
3 = "On allume la troisième lanterne."
4 = "On allume la quatrième lanterne."
5 = "On allume la cinquième lanterne."
6 = "On allume la sixième lanterne."
last = "Après celle-ci, il n'y a plus de lanterne."
[interlude]
sentences = ["L'huile baisse."]
[ending]
found = ["La lanterne peut s'éteindre."]
wrong = ["La lanterne s'éteint toute seule."]
time = ["Il n'y a plus d'huile."]
silence = ["Un bruit, et la lumière a disparu."]
""",
}
"""Its story."""
__all__ = ["hasty"]
EACH_LANGUAGE = pytest.mark.parametrize("language", WORDS)


@pytest.fixture(scope="module", autouse=True)
def lanterns(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The edition is in the project's one list of them, and its words in a folder of the owner's."""
    voices = tmp_path_factory.mktemp("voices")
    for language, folder in product(WORDS, ("editions", "lore")):
        file = voices / language / folder / f"{LANTERNS.name}.toml"
        file.parent.mkdir(parents=True)
        file.write_text((WORDS if folder == "editions" else LORE)[language], encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(EDITIONS, LANTERNS.name, LANTERNS)  # type: ignore[arg-type]
        patch.setenv(FOLDER_VARIABLE, str(voices))
        forget_languages()
        yield
    forget_languages()


def forget_languages() -> None:
    """Read the words of every language anew when they are asked for next."""
    for cached in (script, sentences, phrasing._names):
        cached.cache_clear()


def nights() -> list[tuple[Begin, Bot]]:
    """Return a night for each number of players, way to deal and level, played with sense and at random."""
    found: list[tuple[Begin, Bot]] = []
    choices = product(LANTERNS.players, LANTERNS.levels, Deal, Visions)
    for seed, (players, level, deal, visions) in enumerate(choices):
        begin = Begin(edition=LANTERNS, players=players, level=level, deal=deal, visions=visions, seed=seed)
        found += [(begin, Company(Random(seed), accuracy=0.8)), (begin, Wanderer(Random(seed)))]
    return found


# The engine


def test_the_engine_plays_whole_nights() -> None:
    reasons = set()
    for begin, bot in nights():
        engine = Engine()
        for command, state, _ in play(begin, bot):
            answer = json.loads(engine.answer(encode(command_fields(command))))
            assert answer["ok"], answer
            room = json.loads(engine.answer(b'{"view": "room"}'))["view"]
            assert room["hour"] <= LANTERNS.turns
            assert room["shared_vision_shown"] <= LANTERNS.shared_vision_cards
            assert state == engine.state
        assert room["edition"] == "lanterns"
        reasons.add(room["outcome"]["reason"])
    assert reasons == {*Reason} - {Reason.ABANDONED}


def test_the_engine_refuses_a_table_for_which_it_is_not() -> None:
    line = {"command": "begin", "edition": "lanterns", "players": 7, "level": "dim", "seed": 1}
    answer = json.loads(Engine().answer(encode(line)))
    assert answer == {
        "ok": False,
        "refusal": "WrongNumberOfPlayers",
        "message": "7 players cannot hold a night: two to six, the ghost counted",
    }


# Settings and simulation


def test_the_settings_know_its_levels_and_limits() -> None:
    game = settings.parse('[game]\nedition = "lanterns"\nlevel = "dark"\nplayers = 6').game
    assert (game.edition, game.level, game.players) == ("lanterns", "dark", 6)
    game = settings.parse('[game]\nedition = "lanterns"').game
    assert (game.level, game.players) == ("dim", 5)
    with pytest.raises(settings.BadSettings, match=r"line 3: game\.players: lanterns is for 2 to 6 players, not 7"):
        settings.parse('[game]\nedition = "lanterns"\nplayers = 7\nlevel = "dim"')


def test_it_is_simulated_beside_the_others(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    everything = ["simulate", "--all", "--games", "1", "--picture", str(tmp_path / "rates.svg")]
    assert main([*everything, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    tables = {(row["level"], row["players"]) for row in rows if row["edition"] == "lanterns"}
    assert tables == {(level, players) for level in ("dim", "dark") for players in range(2, 7)}
    assert {row["edition"] for row in rows} == {*EDITIONS}
    assert main(everything) == 0
    assert "lanterns" in capsys.readouterr().out
    assert main(["simulate", "--edition", "lanterns", "--games", "20"]) == 0


# The house, by typed words


def typed_night(folder: Path, language: str, players: int, *, seed: int = 4, pace: Pace = Pace.FULL) -> Table:
    """Return a house in which a whole night was typed."""
    house = table(folder, language=language, seed=seed, pace=pace)
    evenings.play(house, night("lanterns", players, seed), Company(Random(seed), accuracy=0.9), Random(seed))
    check_whole(house)
    return house


def told(house: Table) -> dict[str, list[str]]:
    """Return what was said, by key."""
    lines: dict[str, list[str]] = {}
    for cue in house.cues:
        if isinstance(cue, Say):
            lines.setdefault(cue.key, []).append(cue.text)
    return lines


FOREIGN = {
    "en": r"\b(three pictures|all three lie|sand|grain|dream\w*|today|hour\w*|track|days?)\b",
    "fr": r"\b(trois images|sabl\w+|grain|rêve\w*|aujourd'hui|heures?|piste|jours?)\b",
}
"""Words of the other editions, of which none is true here."""


@EACH_LANGUAGE
@pytest.mark.parametrize("players", LANTERNS.players)
def test_a_whole_night_is_typed(language: str, players: int, tmp_path: Path) -> None:
    lines = told(typed_night(tmp_path, language, players))
    said = [text for texts in lines.values() for text in texts]
    assert {*re.findall(r'^[12] = "(.*)"$', LORE[language], re.MULTILINE)} <= {*said}
    assert [text for text in said if re.search(FOREIGN[language], text, re.IGNORECASE)] == []


def test_what_is_taught_and_told_of_the_verdict_is_its_own(tmp_path: Path) -> None:
    lines = told(typed_night(tmp_path, "en", 5))
    assert lines["lesson.vote_secret"] == [
        "He gives one last vision to you all. Two cards, face up. Votes are secret. From here on, nobody talks."
    ]
    assert re.search(r"\btwo (pictures|cards)\b", lines["event.shared_vision_laid_some"][0], re.IGNORECASE)
    assert not {"lesson.vote", "lesson.vote_open", "event.track", "event.ballot_shown"} & {*lines}
    assert [key for key in lines if key.startswith("event.voters.")] == ["event.voters.many"]


@EACH_LANGUAGE
def test_a_night_is_told_briskly(language: str, tmp_path: Path) -> None:
    lines = told(typed_night(tmp_path, language, 4, pace=Pace.BRISK))
    assert "brisk.lanterns.hour.1" in lines


def test_its_own_words_are_understood() -> None:
    heard = sentences("en").match("red has a glimpse")
    assert heard is not None
    assert heard == sentences("en").match("red has a vision")
    assert script("en").example("give_vision", "lanterns", psychic=Psychic.RED) == "Red has a glimpse"


def test_a_seventh_player_is_refused_when_the_number_is_said(tmp_path: Path) -> None:
    house = table(tmp_path)
    for words in ("begin the séance", "the lantern rules", "we are seven"):
        cues = house.say(words)
    assert any("two to six" in cue.text.lower() for cue in cues if isinstance(cue, Say))


# The chronicle, the replay and the pages


def config(folder: Path, house: Table) -> Path:
    """Write settings that name the journal of *house*."""
    file = folder / "settings.toml"
    file.write_text(f"[journal]\npath = '{house.journal.path}'\n", encoding="utf-8")
    return file


@EACH_LANGUAGE
def test_a_night_has_its_chronicle_and_its_replay(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = typed_night(tmp_path / "house", language, 5)
    recorded = house.journal.last()
    page, markdown, picture = write(recorded, ChronicleWords.load(language), tmp_path / "out")
    first = WORDS[language].partition('written = ["')[2].partition('"')[0].capitalize()
    assert f"### {first}" in markdown.read_text()
    assert first in page.read_text()
    assert first in picture.read_text()
    house.journal.close()
    assert main(["replay", "1", "--config", str(config(tmp_path, house))]) == 0
    assert re.search(r"\b2 (of|sur) 2\b", capsys.readouterr().out)
    wanted = settings.Settings(language=language, journal=settings.JournalSection(path=str(house.journal.path)))
    replay = page_lookups(wanted).replay()
    assert replay is not None
    assert (replay["edition"], replay["turns"], replay["shared_vision_cards"]) == ("lanterns", 6, 2)
    assert max(step["hour"] for step in replay["steps"]) <= LANTERNS.turns


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("visions", ["table", "dealt"])
def test_a_whole_night_is_played_with_pages(visions: str, tmp_path: Path) -> None:
    game = settings.GameSection(edition="lanterns", level="dim", players=5, visions=visions)
    with running_evening(tmp_path, chosen(tmp_path, game=game)) as house:
        house.type(
            "begin the séance", "we are five, dim, the lantern rules, skip the story", "all but purple and black", "yes"
        )
        house.type("ready")
        with house.ghost() as ghost, house.phone() as guest:
            state = guest.state()
            assert (state["edition"], state["turns"], state["track"]) == ("lanterns", 6, None)
            assert state["words"]["hour"] == "Lantern {n}"
            assert 'data-say="do_vision">Glimpse<' in ghost.get("/ghost").text
            for _ in played(house, ghost):
                house.told()
            over = guest.until(lambda each: bool(each["night"]["outcome"]))
    # It is dealt at random, so nobody knows how it ends.
    by_vote = over["night"]["outcome"]["reason"] in (Reason.CULPRIT_FOUND, Reason.WRONG_CULPRIT)
    assert len(over["night"]["votes"] or ()) == (4 if by_vote else 0)
