"""Which engine speaks, and how, by voice.toml and the owner's overrides."""

import pytest

from seance.audio.files import read_wave
from seance.languages import has_language_file
from seance.narration.script import Script
from seance.speech import voice_settings
from seance.speech.engines import CannotSpeak, Espeak, Piper
from seance.speech.voice_settings import BadVoiceSettings, VoiceModels, VoiceOverrides, configure_synthesis
from tests.languages import LANGUAGES

OURS = """
[espeak]
voice = "en"
rate = 150
[piper]
voice = "joe"
rate = 160
[room]
reverb = 0.2
"""


@pytest.fixture
def ours():
    return voice_settings.parse_voice_settings(OURS, "voice.toml")


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.setattr(voice_settings, "piper_program", lambda: ("piper",))
    return tmp_path / "joe.onnx"


@pytest.mark.parametrize("language", [code for code in LANGUAGES if has_language_file(code, "voice.toml")])
def test_every_language_has_a_voice_that_speaks(language, tmp_path):
    engine = configure_synthesis(
        voice_settings.load_voice_settings(language), overrides=VoiceOverrides(engine="espeak")
    ).engine
    engine.render("bonjour hello", tmp_path / "a.wav")
    assert (tmp_path / "a.wav").exists()


def test_piper_speaks_where_it_and_its_voice_are_there(ours, model):
    assert isinstance(configure_synthesis(ours, VoiceModels(piper=model)).engine, Piper)


@pytest.mark.usefixtures("model")
def test_without_its_voice_espeak_speaks(ours):
    assert isinstance(configure_synthesis(ours).engine, Espeak)


def test_without_piper_espeak_speaks(ours, model, monkeypatch):
    monkeypatch.setattr(voice_settings, "piper_program", lambda: None)
    assert isinstance(configure_synthesis(ours, VoiceModels(piper=model)).engine, Espeak)


def test_the_owner_chooses_the_engine(ours, model):
    config = configure_synthesis(ours, VoiceModels(piper=model), VoiceOverrides(engine="espeak"))
    assert isinstance(config.engine, Espeak)


@pytest.mark.parametrize("name", ["martian", "/nowhere/mine.onnx"])
def test_where_the_voice_that_was_named_does_not_exist_the_usual_one_speaks_and_it_is_told_once(ours, name, tmp_path):
    told = []
    engine = configure_synthesis(ours, overrides=VoiceOverrides(name=name), on_fallback=told.append).engine
    for line in ("a", "b"):
        engine.render("The ghost has spoken.", tmp_path / line)
        assert read_wave(tmp_path / line).rms > 0.02
    assert len(told) == 1
    assert name in told[0]
    assert engine.identity.startswith("espeak-ng en ")


def test_a_line_that_a_real_voice_cannot_speak_does_not_change_the_voice(ours, tmp_path, monkeypatch):
    monkeypatch.setitem(Espeak.__init__.__kwdefaults__, "timeout_seconds", 0.5)  # it hangs where it cannot write
    engine = configure_synthesis(ours, overrides=VoiceOverrides(name="en-us+f3")).engine
    with pytest.raises(CannotSpeak):
        engine.render("The ghost has spoken.", tmp_path / "no such folder" / "a.wav")
    assert engine.identity == "espeak-ng en-us+f3 150"


def test_a_name_of_espeak_is_for_espeak(ours, model):
    config = configure_synthesis(ours, VoiceModels(piper=model), VoiceOverrides(name="en-us+f3"))
    assert config.engine.identity == "espeak-ng en-us+f3 150"


@pytest.mark.usefixtures("model")
def test_a_voice_of_piper_can_be_brought(ours, tmp_path):
    overrides = VoiceOverrides(name=str(tmp_path / "tom.onnx"))
    assert configure_synthesis(ours, None, overrides).engine.identity == "piper tom 160"


def test_the_owner_makes_it_faster(ours):
    assert configure_synthesis(ours, overrides=VoiceOverrides(rate=1.2)).engine.rate == pytest.approx(180)


def test_a_lower_voice_is_not_slower(ours):
    lower = configure_synthesis(ours, overrides=VoiceOverrides(pitch=-12))
    assert (lower.engine.rate, lower.pitch) == (300, -12)


def test_effects_can_be_turned_off(ours):
    assert configure_synthesis(ours).reverb.active
    assert not configure_synthesis(ours, overrides=VoiceOverrides(effects=False)).reverb.active


def test_piper_for_a_language_without_a_voice_is_refused():
    french = voice_settings.parse_voice_settings('[espeak]\nvoice = "fr"\nrate = 150', "voice.toml")
    with pytest.raises(BadVoiceSettings, match=r"no Piper voice .* set voice\.engine to espeak"):
        configure_synthesis(french, overrides=VoiceOverrides(engine="piper"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[espeak", "mine.toml: not TOML"),
        ("", "mine.toml: espeak: is missing"),
        ('[espeak]\nvoice = "en"\nrate = 5', r"mine.toml, line 3: espeak\.rate: .*80"),
        ('[espeak]\nvoice = "en"\nrate = 150\ntune = 1', r"mine.toml, line 4: espeak\.tune: there is no such key"),
        (OURS + "wet = 1", r"mine.toml, line 10: room\.wet: there is no such key"),
    ],
)
def test_a_mistake_names_file_line_and_key(text, complaint):
    with pytest.raises(BadVoiceSettings, match=complaint):
        voice_settings.parse_voice_settings(text, "mine.toml")


@pytest.fixture
def natural():
    return voice_settings.parse_voice_settings(
        OURS + '[kokoro]\nvoice = "bm_george"\naccent = "en-gb"\nrate = 140\n', "voice.toml"
    )


@pytest.fixture
def kokoro(tmp_path, monkeypatch):
    """Return a folder with a model of Kokoro, on a machine with enough memory."""
    monkeypatch.setattr(voice_settings, "has_memory", lambda: True)
    (tmp_path / "voices").mkdir()
    for voice in ("bm_george", "bf_emma"):
        (tmp_path / "voices" / f"{voice}.bin").touch()
    return tmp_path


def identity(settings, models, **overrides):
    return configure_synthesis(settings, models, VoiceOverrides(**overrides)).engine.identity


def test_a_natural_voice_that_is_installed_speaks(natural, kokoro, model):
    assert identity(natural, VoiceModels(piper=model, kokoro=kokoro)) == "kokoro bm_george en-gb 140"


def test_with_little_memory_another_voice_speaks(natural, kokoro, model, monkeypatch):
    monkeypatch.setattr(voice_settings, "has_memory", lambda: False)
    assert identity(natural, VoiceModels(piper=model, kokoro=kokoro)) == "piper joe 160"
    assert identity(natural, VoiceModels(kokoro=kokoro)) == "espeak-ng en 150"


def test_whoever_names_a_voice_gets_the_engine_that_has_it(natural, kokoro):
    models = VoiceModels(kokoro=kokoro)
    assert identity(natural, models, name="bf_emma") == "kokoro bf_emma en-gb 140"
    assert identity(natural, models, name="en-us+f3") == "espeak-ng en-us+f3 150"


def test_kokoro_speaks_in_the_accent_of_the_language(ours, natural, tmp_path):
    models = VoiceModels(kokoro=tmp_path)
    engine = configure_synthesis(natural, models, VoiceOverrides(engine="kokoro")).engine
    assert engine.identity == "kokoro bm_george en-gb 140"
    with pytest.raises(BadVoiceSettings, match="no Kokoro voice for this language"):
        configure_synthesis(ours, models, VoiceOverrides(engine="kokoro"))


@pytest.mark.parametrize("engine", ["espeak", "kokoro"])
def test_the_letter_and_the_cuttings_have_voices_of_their_own(engine):
    config = configure_synthesis(
        voice_settings.load_voice_settings("en"), overrides=VoiceOverrides(engine=engine, rate=1.0)
    )
    voices = {config.engine.identity, *(member.engine.identity for member in config.cast.values())}
    assert (set(config.cast), len(voices)) == ({"conrad", "newsreader"}, 3)
    assert config.cast["newsreader"].small_loudspeaker


def test_every_voice_of_the_cast_is_one_that_a_lore_names():
    for language in LANGUAGES:
        if has_language_file(language, "voice.toml"):
            settings = voice_settings.load_voice_settings(language)
            told = {part.voice for lore in Script.load(language).lores.values() for part in lore.opening}
            assert settings.espeak.cast.keys() <= told
            assert settings.kokoro is None or settings.kokoro.cast.keys() <= told
