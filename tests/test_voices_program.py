"""`seance voices render`: what the narrator says is made ahead of time, and kept."""

import pytest

from seance.cli import main
from seance.narration import spoken_pieces
from seance.narration.script import Script
from seance.programs import say
from seance.programs.voices import _BYTES_PER_LETTER, _BYTES_PER_SENTENCE
from seance.rules import EDITIONS, Psychic
from seance.speech.sentence_split import split_clauses, split_sentences
from tests.languages import SPOKEN

S_PER_LETTER, PAUSE_S = 0.06, 0.3
"""How long Kokoro speaks: seconds for each letter, and for each piece beside."""
PIECES = ("Good evening.", "Red,", "card seventeen.")


@pytest.fixture
def few_pieces(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(spoken_pieces, "spoken_pieces", lambda *_, **__: PIECES)
    monkeypatch.setattr(spoken_pieces, "cast_sentences", lambda *_, **__: ())
    return tmp_path / "seance" / "voice"


def test_everything_is_made_once_and_kept(few_pieces, capsys):
    assert main(["voices", "render", "--engine", "espeak"]) == 0
    assert "3 sentences, 3 of them still to be made" in capsys.readouterr().out
    assert len(list(few_pieces.glob("*.flac"))) == 3
    assert main(["voices", "render", "--engine", "espeak"]) == 0
    assert "3 sentences, 0 of them still to be made" in capsys.readouterr().out


@pytest.mark.usefixtures("few_pieces")
def test_the_owners_names_are_said(monkeypatch, tmp_path):
    scripts = []
    monkeypatch.setattr(spoken_pieces, "spoken_pieces", lambda script, *_, **__: scripts.append(script) or ())
    config = tmp_path / "settings.toml"
    config.write_text('names.red = "Ruby"\n')
    assert main(["voices", "render", "--engine", "espeak", "--config", str(config)]) == 0
    assert scripts[0].fill("{psychic}.", psychic=Psychic.RED) == "Ruby."


@pytest.mark.usefixtures("few_pieces")
def test_the_edition_of_the_settings_is_made_before_all_others(monkeypatch, tmp_path):
    editions = []
    monkeypatch.setattr(spoken_pieces, "spoken_pieces", lambda _, edition, **__: editions.append(edition) or ())
    config = tmp_path / "settings.toml"
    config.write_text('game.edition = "portal"\n')
    assert main(["voices", "render", "--all", "--engine", "espeak", "--config", str(config)]) == 0
    assert editions[0] == "portal"
    assert set(editions) == set(EDITIONS)


@pytest.mark.parametrize("language", SPOKEN)
def test_all_of_a_language_fits_the_cache_and_one_night(language):
    script, splits = Script.load(language), {"split_sentences": split_sentences, "split_clauses": split_clauses}
    pieces = {piece for edition in EDITIONS for piece in spoken_pieces.spoken_pieces(script, edition, **splits)}
    letters = sum(map(len, pieces))
    assert len(pieces) * _BYTES_PER_SENTENCE + letters * _BYTES_PER_LETTER < 300e6
    assert (len(pieces) * PAUSE_S + letters * S_PER_LETTER) / 3600 < 4


@pytest.mark.usefixtures("few_pieces")
def test_when_it_is_stopped_it_says_how_to_go_on(monkeypatch, capsys):
    monkeypatch.setattr(say, "open_synthesizer", interrupted(say.open_synthesizer))
    assert main(["voices", "render", "--engine", "espeak"]) == 130
    assert "stopped after 1 of 3: the same command goes on from there" in capsys.readouterr().err
    monkeypatch.undo()


def interrupted(opened):
    """Return a synthesizer that is interrupted at its second sentence."""

    def open_and_interrupt(*args, **options):
        synthesizer = opened(*args, **options)
        render = synthesizer.render

        def render_once(text):
            if text != PIECES[0]:
                raise KeyboardInterrupt
            return render(text)

        synthesizer.render = render_once
        return synthesizer

    return open_and_interrupt


def test_a_full_cache_is_said_with_what_to_do(few_pieces, tmp_path, capsys):
    config = tmp_path / "settings.toml"
    config.write_text("voice.cache_megabytes = 1\n")
    few_pieces.mkdir(parents=True)
    (few_pieces / "old.flac").write_bytes(b"\0" * 900_000)
    assert main(["voices", "render", "--engine", "espeak", "--config", str(config)]) == 1
    assert "raise `voice.cache_megabytes` above 1" in capsys.readouterr().err
