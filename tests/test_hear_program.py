"""`seance hear` as a person calls it: real speech and the real recogniser."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
import soundfile
import soxr

from seance.audio.array_geometry import load_geometry
from seance.cli import main
from tests.array_sound import RATE, arriving, room_noise


def speech(path: Path, text: str, voice: str = "en-us", *, pause: float = 0.5) -> Path:
    """Speak *text* into a file, with *pause* seconds of silence around it."""
    subprocess.run(["espeak-ng", "-v", voice, "-w", str(path), text], check=True)
    sound, rate = soundfile.read(path)
    quiet = [0.0] * round(rate * pause)
    soundfile.write(path, [*quiet, *sound, *quiet], rate)
    return path


def words(folder: Path, text: str, voice: str) -> np.ndarray:
    """Return *text* as it is spoken, from its first to its last sound, at 16 kHz."""
    sound, rate = soundfile.read(speech(folder / "words.wav", text, voice, pause=0.0))
    sound = soxr.resample(sound, rate, 16_000)
    loud = np.flatnonzero(np.abs(sound) > 0.01 * np.abs(sound).max())
    return sound[loud[0] : loud[-1]]


def heard(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, list[dict[str, object]], str]:
    """Return exit code, what was heard, and the complaints of `seance hear`."""
    code = main(["hear", *map(str, arguments)])
    out, err = capsys.readouterr()
    return code, [json.loads(line) for line in out.splitlines()], err


def test_a_spoken_sentence_gives_its_intent_and_slots(tmp_path, capsys):
    code, facts, _ = heard(capsys, speech(tmp_path / "a.wav", "I choose card seven"))
    assert (code, [(fact["intent"], fact["slots"]) for fact in facts]) == (0, [("place_intuition", {"card": 7})])
    assert set(facts[0]) == {
        "file", "text", "intent", "slots", "confidence", "speaker", "seconds", "compute", "endpoint"
    }  # fmt: skip


def test_table_talk_gives_one_line_without_an_intent(tmp_path, capsys):
    code, facts, _ = heard(capsys, speech(tmp_path / "a.wav", "could you pass me the bread and some butter"))
    assert (code, [fact["intent"] for fact in facts]) == (0, [None])


def test_french_is_heard_as_french(tmp_path, capsys):
    said = speech(tmp_path / "a.wav", "rouge prend la carte douze", "fr")
    _, facts, _ = heard(capsys, "--lang", "fr", said)
    assert [(fact["intent"], fact["slots"]) for fact in facts] == [("place_intuition", {"psychic": "red", "card": 12})]


def test_any_rate_and_flac_and_stereo_are_heard(tmp_path, capsys):
    sound, rate = soundfile.read(speech(tmp_path / "a.wav", "red agrees with blue"))
    files = []
    for wanted, kind in ((8000, "wav"), (48000, "flac")):
        resampled = soxr.resample(sound, rate, wanted)
        files.append(tmp_path / f"{wanted}.{kind}")
        soundfile.write(files[-1], [[sample, sample] for sample in resampled], wanted)
    _, facts, _ = heard(capsys, *files)
    assert [(fact["intent"], fact["slots"]) for fact in facts] == [
        ("bet", {"by": "red", "on": "blue", "agrees": True})
    ] * 2


def test_a_file_that_cannot_be_heard_is_named_and_the_others_are_still_heard(tmp_path, capsys):
    good = speech(tmp_path / "good.wav", "I choose card seven")
    (tmp_path / "empty.wav").touch()
    (tmp_path / "noise.wav").write_bytes(os.urandom(2000))
    (tmp_path / "cut.wav").write_bytes(good.read_bytes()[:20_000])
    bad = [tmp_path / name for name in ("missing.wav", "empty.wav", "noise.wav", "cut.wav")]
    code, facts, complaints = heard(capsys, *bad, good)
    assert (code, [fact["file"] for fact in facts]) == (1, [str(good)])
    for path in bad:
        assert f"{path}: " in complaints


def test_samples_that_are_no_sound_are_an_error_of_their_file_alone(tmp_path, capsys):
    good = speech(tmp_path / "good.wav", "I choose card seven")
    bad = [tmp_path / "nan.wav", tmp_path / "huge.wav"]
    for path, sample in zip(bad, (np.nan, 1e300), strict=True):
        soundfile.write(path, np.full(16_000, sample), 16_000, subtype="DOUBLE")
    code, facts, complaints = heard(capsys, bad[0], good, bad[1])
    assert (code, [fact["file"] for fact in facts]) == (1, [str(good)])
    assert [line.split(": ")[1] for line in complaints.splitlines()] == [str(path) for path in bad]


def test_a_file_is_one_line_of_json_whatever_its_name(tmp_path, capfd):
    good = speech(tmp_path / "good.wav", "pause")
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b'/\xff\n"\x1b]0;x\x07\xc2\x9b\xe2\x80\xae.wav'))
    odd.write_bytes(good.read_bytes())
    missing = odd.with_name(f"{odd.name}.gone")
    assert main(["hear", os.fspath(odd), os.fspath(missing)]) == 1
    out, err = capfd.readouterr()
    (line,) = out.splitlines()
    assert json.loads(line)["file"] == f'{tmp_path}/\\xff\n"\x1b]0;x\x07\x9b\u202e.wav'
    assert not set(out + err) & set("\x1b\x07\x9b\u202e")
    assert len([line for line in err.splitlines() if "VoskAPI" not in line]) == 1  # loading may warn


def test_who_speaks_with_the_first_sample_of_a_noisy_recording_is_heard_from_there(tmp_path, capsys):
    sound = words(tmp_path, "madam wang picks card nine", "en-us+f3")
    spectrum = np.fft.rfft(np.random.default_rng(1).standard_normal(sound.size))
    noise = np.fft.irfft(spectrum / np.sqrt(np.maximum(np.arange(spectrum.size), 80)), sound.size)
    level = np.sqrt(np.mean(np.square(sound))) / 10 ** (6 / 20)
    soundfile.write(tmp_path / "a.wav", sound + noise / noise.std() * level, 16_000)
    _, facts, _ = heard(capsys, tmp_path / "a.wav")
    assert [fact["slots"] for fact in facts] == [{"psychic": "red", "card": 9}]


def test_a_recording_that_others_fill_with_their_talk_is_heard_as_a_whole(tmp_path, capsys):
    talk = {
        "en-gb+f3": "and then we all went home because it was so late",
        "en-us+m3": "she always picks the weird ones if you ask me",
        "en-gb-scotland+f2": "there is a clock in the corner of the picture",
    }
    said = words(tmp_path, "red agrees with blue", "en-gb")
    others = np.sum([np.resize(words(tmp_path, text, voice), said.size) for voice, text in talk.items()], axis=0)
    level = np.sqrt(np.mean(np.square(said))) / 10 ** (5 / 20)
    soundfile.write(tmp_path / "a.wav", 0.5 * (said + others / others.std() * level), 16_000)
    _, facts, _ = heard(capsys, tmp_path / "a.wav")
    assert [fact["slots"] for fact in facts] == [{"by": "red", "on": "blue", "agrees": True}]


def test_only_what_is_expected_is_heard(tmp_path, capsys):
    said = speech(tmp_path / "a.wav", "I choose card seven")
    _, facts, _ = heard(capsys, said, "--expect", "ask_hour", "ask_time")
    assert [fact["intent"] for fact in facts] == [None]


def test_an_intent_that_nobody_can_mean_is_named(tmp_path, capsys):
    code, _, complaints = heard(capsys, speech(tmp_path / "a.wav", "pause"), "--expect", "dance")
    assert code == 1
    assert "nobody can mean dance" in complaints


def test_somebody_elses_sentences_can_be_heard(tmp_path, capsys):
    (tmp_path / "coffee.yaml").write_text(
        'language: "en"\nintents:\n  brew:\n    data:\n      - sentences: ["make [me] (some|a cup of) coffee"]\n'
    )
    said = speech(tmp_path / "a.wav", "make me a cup of coffee")
    _, facts, _ = heard(capsys, "--sentences", tmp_path / "coffee.yaml", said)
    assert [fact["intent"] for fact in facts] == ["brew"]


def test_sentences_that_cannot_be_read_are_named_with_their_line(tmp_path, capsys):
    (tmp_path / "coffee.yaml").write_text("intents:\n  brew: null\n")
    code, _, complaint = heard(capsys, "--sentences", tmp_path / "coffee.yaml", tmp_path / "a.wav")
    assert (code, complaint) == (
        2,
        f"seance: {tmp_path}/coffee.yaml, line 2: intents.brew: must be a mapping, not null\n",
    )


def test_with_a_wake_word_nothing_is_a_command_without_it(tmp_path, capsys):
    plain = speech(tmp_path / "a.wav", "I choose card seven")
    called = speech(tmp_path / "b.wav", "spirit, I choose card seven")
    _, facts, _ = heard(capsys, "--wake-word", "spirit", plain, called)
    assert [fact["intent"] for fact in facts] == [None, "place_intuition"]


def test_who_has_introduced_themselves_is_known_by_voice(tmp_path, capsys):
    voices = {"red": "en-us+f2", "blue": "en-gb+m3"}
    introductions = [
        speech(tmp_path / f"{colour}{turn}.wav", f"I am {colour}", voice)
        for colour, voice in voices.items()
        for turn in range(2)
    ]
    said = [
        speech(tmp_path / f"said-{colour}.wav", "I choose card twenty seven", voice) for colour, voice in voices.items()
    ]
    _, facts, _ = heard(capsys, *introductions, *said)
    assert [fact["speaker"] for fact in facts[-2:]] == ["red", "blue"]


def test_what_the_loudspeaker_played_is_removed_before_anything_is_heard(capsys, tmp_path):
    story = words(tmp_path, "The lamps are low, and the curtains of the house have been drawn for the night.", "en-gb")
    said = words(tmp_path, "I choose card seven", "en-us+f4")
    far = 0.2 * np.tile(story, 2) / np.abs(story).max()
    near = 0.5 * np.concatenate((np.zeros(3000), far[:-3000]))
    near[-40_000 : len(said) - 40_000] += 0.2 * said / np.abs(said).max()
    for name, sound in (("speaker.wav", far), ("room.wav", near), ("short.wav", far[:16_000])):
        soundfile.write(tmp_path / name, sound, 16_000)

    code, facts, _ = heard(capsys, tmp_path / "room.wav", "--reference", tmp_path / "speaker.wav")
    assert (code, [fact["intent"] for fact in facts]) == (0, ["place_intuition"])

    code, facts, complaint = heard(capsys, tmp_path / "room.wav", "--reference", tmp_path / "short.wav")
    assert (code, facts) == (1, [])
    assert "cut them to the same stretch of time" in complaint


def around(tmp_path, name, *said: tuple[str, str, float, float, float], channels=4):
    """Write what a ring of four hears: texts, voices, seconds before each, directions, and loudnesses."""
    ring = load_geometry("ring4")
    spoken = [(gain * words(tmp_path, text, voice), begin, angle) for text, voice, begin, angle, gain in said]
    size = round(max(begin * RATE + len(sound) for sound, begin, _ in spoken) + RATE)
    heard_by_ring = room_noise(size, 4)
    for sound, begin, angle in spoken:
        at = round(begin * RATE)
        heard_by_ring[at : at + len(sound)] += arriving(sound, ring, angle)
    soundfile.write(tmp_path / name, heard_by_ring[:, :channels], RATE, subtype="PCM_16")
    return tmp_path / name


def test_a_recording_of_an_array_tells_where_a_command_came_from(tmp_path, capsys):
    said = around(tmp_path, "a.wav", ("I choose card seven", "en-us", 1.0, 200.0, 0.3))
    code, facts, _ = heard(capsys, "--array", "ring4", said)
    assert (code, [fact["slots"] for fact in facts]) == (0, [{"card": 7}])
    assert facts[0]["direction"] == pytest.approx(200, abs=10)
    assert facts[0]["seat"] is None


def test_who_has_introduced_themselves_has_a_seat(tmp_path, capsys):
    files = [
        around(tmp_path, "a.wav", ("I am Madam Wang", "en-us", 1.0, 60.0, 0.3)),
        around(tmp_path, "b.wav", ("I choose card seven", "en-us", 1.0, 60.0, 0.3)),
        around(tmp_path, "c.wav", ("I choose card nine", "en-gb+m3", 1.0, 240.0, 0.3)),
    ]
    _, facts, _ = heard(capsys, "--array", "ring4", *files)
    assert [(fact["seat"], fact["speaker"]) for fact in facts] == [("red", None), ("red", "red"), (None, None)]


def test_an_array_hears_a_command_while_somebody_else_goes_on_talking(tmp_path, capsys):
    talk = "could you pass me the bread and some butter before the soup is cold because I am hungry again"
    said = ("red chooses card twelve", "en-us", 2.5, 30.0, 0.3)
    files = [around(tmp_path, "a.wav", (talk, "en-gb+f2", 0.2, 170.0, 0.15), said)]
    _, facts, _ = heard(capsys, "--array", "ring4", *files)
    assert [fact["slots"] for fact in facts] == [{"psychic": "red", "card": 12}]
    assert facts[0]["direction"] == pytest.approx(30, abs=10)


def test_a_file_with_other_channels_than_the_array_is_told_and_the_others_are_heard(tmp_path, capsys):
    said = ("I choose card seven", "en-us", 1.0, 200.0, 0.3)
    good, bad = around(tmp_path, "good.wav", said), around(tmp_path, "bad.wav", said, channels=3)
    code, facts, complaints = heard(capsys, "--array", "ring4", bad, good)
    assert (code, [fact["file"] for fact in facts]) == (1, [str(good)])
    assert f"{bad}: 3 channels, but the array has 4" in complaints


def test_an_array_that_nobody_knows_is_told_before_anything_is_heard(capsys):
    code, facts, complaints = heard(capsys, "--array", "ring5", "a.wav")
    assert (code, facts) == (1, [])
    assert "no array is called 'ring5'" in complaints
