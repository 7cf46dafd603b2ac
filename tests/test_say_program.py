"""`seance say`: a line aloud, or into a file."""

import pytest
import soundfile

from seance.cli import main


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "seance" / "voice"


def test_a_line_is_written_into_a_file_and_kept(tmp_path, cache):
    assert main(["say", "--engine", "espeak", "--out", str(tmp_path / "a.flac"), "the", "ghost", "has", "spoken"]) == 0
    assert 1.0 < soundfile.info(tmp_path / "a.flac").duration < 5.0
    assert len(list(cache.iterdir())) == 1


def test_a_line_is_heard_in_the_room(sound_rig):
    with sound_rig.recording_speaker() as heard:
        assert main(["say", "--engine", "espeak", "--lang", "fr", "bonsoir"]) == 0
    assert abs(heard[0]).max() > 1000


def test_without_a_loudspeaker_it_says_so(sound_rig, capsys):
    sound_rig.stop()
    assert main(["say", "--engine", "espeak", "hello"]) == 1
    assert "there is no loudspeaker to say it with" in capsys.readouterr().err


def test_an_unknown_voice_is_one_clear_line_and_the_usual_one_speaks(tmp_path, capsys):
    config = tmp_path / "settings.toml"
    config.write_text('[voice]\nname = "parrot"\n')
    said = tmp_path / "a.flac"
    assert main(["say", "--config", str(config), "--engine", "espeak", "--out", str(said), "hello"]) == 0
    assert said.exists()
    complaints = capsys.readouterr().err.splitlines()
    assert len(complaints) == 1
    assert "parrot" in complaints[0]


@pytest.mark.parametrize("text", ["", " ", "…!"])
def test_nothing_is_written_where_there_is_no_word_to_say(tmp_path, capsys, text):
    said = tmp_path / "a.flac"
    assert main(["say", "--engine", "espeak", "--out", str(said), text]) == 2
    assert not said.exists()
    assert "there is no word to say" in capsys.readouterr().err


def test_the_ending_of_the_file_decides_its_format(tmp_path, capsys):
    assert main(["say", "--engine", "espeak", "--out", str(tmp_path / "a.wav"), "hello"]) == 0
    assert soundfile.info(tmp_path / "a.wav").format == "WAV"
    assert main(["say", "--engine", "espeak", "--out", str(tmp_path / "a.mp3"), "hello"]) == 2
    assert capsys.readouterr().err.rstrip().endswith("a.mp3: the name of the file must end in .flac or .wav")
