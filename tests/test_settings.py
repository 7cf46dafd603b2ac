"""Settings are read from one file, and an error in it is reported with its line."""

from pathlib import Path

import msgspec
import pytest

from seance.settings import BadSettings, Settings, TrackLimits, default_path, load, parse

MISTAKES = {
    "an unknown key": ('volume = 3\nlanguage = "en"', 1, "volume", "there is no such setting"),
    "an unknown key in a table": ("[game]\nplayers = 5\ncolour = 1", 3, "game.colour", "there is no such setting"),
    "an unknown table": ('language = "en"\n\n[sound]\nvolume = 3', 3, "sound", "there is no such setting"),
    "an unknown table in a table": ("[more_cards.chess]\nobject = [60]", 1, "more_cards.chess", "no such setting"),
    "an unknown table of which only a part is named": ("\n[sound.voice]\npitch = 1", 2, "sound", "no such setting"),
    "an unknown dotted key": ("\nsound.volume = 3", 2, "sound", "there is no such setting"),
    "a misspelt key": ('langauge = "en"', 1, "langauge", "there is no such setting"),
    "a key in capitals": ('Language = "en"', 1, "Language", "there is no such setting"),
    "a quoted key": ('"lang uage" = "en"', 1, "lang uage", "there is no such setting"),
    "a word for a number": ('[game]\n\nplayers = "five"', 3, "game.players", "expected `int`, got `str`"),
    "a number for a word": ("[names]\nblue = 7", 2, "names.blue", "expected `str`, got `int`"),
    "a truth for a number": ("[game]\nplayers = true", 2, "game.players", "expected `int`, got `bool`"),
    "a date for a word": ("language = 2024-01-01", 1, "language", ""),
    "a fraction for a number": ("[game]\nplayers = 5.5", 2, "game.players", ""),
    "a list for a word": ('[names]\nblue = ["A", "B"]', 2, "names.blue", "expected `str`, got `array`"),
    "a word for a list": ('[more_cards.igames]\nobject = "60"', 2, "more_cards.igames.object", "expected `array`"),
    "a word in a list of numbers": ('[more_cards.igames]\nobject = [60, "61"]', 2, "more_cards.igames.object", "`str`"),
    "a card in a list of many lines": ("[more_cards.igames]\nobject = [\n  60,\n  0,\n]", 2, "object", "`int` >= 1"),
    "a value for a table": ("game = 5", 1, "game", "expected `object`, got `int`"),
    "a table for a value": ("\n[language]\ncode = 1", 2, "language", ""),
    "a list of tables for a table": ("\n[[game]]\nplayers = 5", 2, "game", "expected `object`, got `array`"),
    "an unknown choice": ('language = "de"', 1, "language", "one of en, fr"),
    "an unknown edition": ('[game]\nedition = "chess"', 2, "game.edition", "one of libellud, igames, portal, manual"),
    "an unknown level": ('[game]\nlevel = "impossible"', 2, "game.level", "one of easy, "),
    "an unknown engine": ('[voice]\nengine = "parrot"', 2, "voice.engine", "one of auto, espeak, piper"),
    "a server without a port": (
        '[voice]\nengine = "wyoming://attic"',
        2,
        "voice.engine",
        "one of .*wyoming://host:port",
    ),
    "a server of another kind": (
        '[hearing]\nsecond = "http://a:1"',
        2,
        "hearing.second",
        "one of .*wyoming://host:port",
    ),
    "a port beyond the last": ('[hearing]\nsecond = "wyoming://a:70000"', 2, "hearing.second", "wyoming://host:port"),
    "a broker with a port": ('[mqtt]\nbroker = "mqtt://manor:1883"', 2, "mqtt.broker", "no name or IP address"),
    "a broker without a name": ('[mqtt]\nbroker = ""', 2, "mqtt.broker", "no name or IP address"),
    "a volume beyond the loudest": ("[ambience]\nvolume = 11", 2, "ambience.volume", "<= 2"),
    "a rate that nobody understands": ("[voice]\nrate = 9", 2, "voice.rate", "<= 2"),
    "too few players": ("[game]\nplayers = 1", 2, "game.players", "`int` >= 2"),
    "too many players": ("[game]\nplayers = 8", 2, "game.players", "`int` <= 7"),
    "a limit below one": ("[clairvoyancy.small_table]\nintermediate = 0\nhigh = 7", 2, "intermediate", "`int` >= 1"),
    "limits in the wrong order": (
        "[clairvoyancy.small_table]\nintermediate = 5\nhigh = 7\n\n"
        "[clairvoyancy.large_table]\nintermediate = 9\nhigh = 9",
        5,
        "clairvoyancy.large_table",
        "`high` must be beyond `intermediate`",
    ),
    "half a pair of limits": ("\n[clairvoyancy.large_table]\nintermediate = 5", 2, "large_table", "missing.*`high`"),
    "a value in a table on one line": ("# mine\ngame = { players = 9 }", 2, "game.players", "<= 7"),
    "a value with dots in its key": ('language = "en"\ngame.players = 9', 2, "game.players", "<= 7"),
    "a value after a comment that looks like it": ("[game]\n# players = 3\nplayers = 9", 3, "game.players", "<= 7"),
    "a value before a comment": ("[game]\nplayers = 9 # = 3", 2, "game.players", "<= 7"),
    "a key that another table has too": (
        "[more_cards.igames]\nobject = [60]\n[more_cards.portal]\nobject = [0]",
        4,
        "more_cards.portal.object",
        ">= 1",
    ),
    "lines that end as on other systems": ("[game]\r\nplayers = 9\r\n", 2, "game.players", "<= 7"),
}


@pytest.mark.parametrize(("text", "line", "key", "problem"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_named_with_its_line_and_key(text: str, line: int, key: str, problem: str) -> None:
    with pytest.raises(BadSettings, match=rf"^my\.toml, line {line}: [\w. ]*{key}: .*{problem}"):
        parse(text, "my.toml")


@pytest.mark.parametrize(
    ("text", "line"),
    [("[game\nplayers = 5", 1), ("players 5", 1), ('language = "en"\nlanguage = "fr"', 2), ("\n\nlanguage = en", 3)],
    ids=["an open bracket", "no equals sign", "a key twice", "a bare word"],
)
def test_what_is_not_toml_is_named_with_its_line(text: str, line: int) -> None:
    with pytest.raises(BadSettings, match=rf"^my\.toml: not TOML: .*line {line}\b"):
        parse(text, "my.toml")


def test_every_setting_has_a_default() -> None:
    settings = parse("")
    assert settings == Settings()
    assert (settings.language, settings.game.edition, settings.game.players) == ("en", "libellud", 5)


def test_all_books_advise_easy_for_a_first_night() -> None:
    assert Settings().game.level == "easy"


def test_L1_the_psychics_are_called_so_where_the_owner_says_nothing() -> None:
    assert msgspec.to_builtins(Settings().names) == {
        "blue": "Alphonse de Belcour",
        "white": "Ardhashir",
        "red": "Madam Wang",
        "yellow": "Alma Salvador",
        "purple": "Jessalyn Smith",
        "black": "Conrad MacDowell",
    }


def test_L29_the_limits_of_the_track_where_the_owner_says_nothing() -> None:
    clairvoyancy = Settings().clairvoyancy
    assert clairvoyancy.small_table == TrackLimits(intermediate=5, high=7)
    assert clairvoyancy.large_table == TrackLimits(intermediate=7, high=10)


def test_everything_can_be_set() -> None:
    settings = parse(
        """
        language = "fr"
        game = { edition = "portal", players = 7, level = "very_difficult" }
        [clairvoyancy.large_table]
        intermediate = 6
        high = 8
        [more_cards.libellud]
        character = [101, 102]
        location = [103]
        object = [104]
        [names]
        red = "Mme Wang # elle-même"
        """
    )
    assert (settings.language, settings.game.edition, settings.game.players) == ("fr", "portal", 7)
    assert settings.game.level == "very_difficult"
    assert settings.clairvoyancy.large_table == TrackLimits(intermediate=6, high=8)
    assert settings.clairvoyancy.small_table == Settings().clairvoyancy.small_table
    assert settings.more_cards.libellud.character == (101, 102)
    assert settings.more_cards.igames.character == ()
    assert (settings.names.red, settings.names.blue) == ("Mme Wang # elle-même", "Alphonse de Belcour")


def test_the_sound_of_the_house_can_be_set() -> None:
    settings = parse(
        """
        [speaker]
        rate = 44100
        volume = 0.5
        [voice]
        engine = "piper"
        name = "mine.onnx"
        rate = 0.9
        pitch = -2
        volume = 1.5
        effects = false
        cache_megabytes = 20
        [ambience]
        on = false
        volume = 0.3
        music = "gramophone"
        [earcons]
        on = false
        """
    )
    assert (settings.speaker.rate, settings.speaker.volume) == (44100, 0.5)
    voice = settings.voice
    assert (voice.engine, voice.name, voice.rate, voice.pitch) == ("piper", "mine.onnx", 0.9, -2)
    assert (voice.volume, voice.effects, voice.cache_megabytes) == (1.5, False, 20)
    assert (settings.ambience.on, settings.ambience.volume, settings.ambience.music) == (False, 0.3, "gramophone")
    assert not settings.earcons.on


def test_settings_do_not_change() -> None:
    with pytest.raises(AttributeError):
        Settings().language = "fr"  # type: ignore[misc]


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('names.red = "Mère Wang"', encoding="utf-8")
    assert load(path).names.red == "Mère Wang"


def test_a_mistake_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("\ngame.players = 1")
    with pytest.raises(BadSettings, match=r"mine\.toml, line 2: game\.players"):
        load(path)


def test_a_file_that_was_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match=r"none\.toml: there is no such file"):
        load(tmp_path / "none.toml")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="cannot be read"):
        load(tmp_path)


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"language = \xff\xfe")
    with pytest.raises(BadSettings, match=r"mine\.toml, line 1: cannot be read: this is not UTF-8 text"):
        load(path)


def test_without_a_file_of_ones_own_the_defaults_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert load() == Settings()


def test_ones_own_file_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "seance").mkdir()
    (tmp_path / "seance" / "settings.toml").write_text('language = "fr"')
    assert load().language == "fr"


def test_the_default_path_honours_xdg_config_home() -> None:
    assert default_path({"XDG_CONFIG_HOME": "/elsewhere"}) == Path("/elsewhere/seance/settings.toml")


@pytest.mark.parametrize("environ", [{}, {"XDG_CONFIG_HOME": ""}])
def test_the_default_path_without_xdg_config_home(environ: dict[str, str]) -> None:
    assert default_path(environ) == Path.home() / ".config/seance/settings.toml"


@pytest.mark.parametrize(
    ("text", "mode"),
    [("", "open"), ('wake_word = "spirit"', "wake_word"), ('mode = "talk"', "talk"), ('mode = "open"', "open")],
)
def test_a_wake_word_alone_is_a_mode_of_hearing(text, mode):
    assert parse(f"[hearing]\n{text}\n").hearing.mode == mode


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('mode = "wake_word"', 'settings, line 2: hearing.mode: "wake_word" needs a word'),
        ('mode = "talk"\nwake_word = "spirit"', "settings, line 3: hearing.wake_word: there is a wake word, 'spirit'"),
        ('mode = "loud"', "one of open, wake_word, talk"),
    ],
)
def test_a_mode_of_hearing_that_contradicts_the_wake_word_is_an_error(text, error):
    with pytest.raises(BadSettings, match=error):
        parse(f"[hearing]\n{text}\n")
