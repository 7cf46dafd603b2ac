"""Sound files of others: what their headers promise is not believed, and what is no sound is refused."""

import os
import struct
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
import soundfile

from seance.audio.files import BadAudioFile, read_for_recognition, read_wave

RATE = 16_000
TONE = (0.1 * np.sin(np.arange(RATE) / 10)).astype(np.float32)


def flac(path: Path, frames: int) -> Path:
    """Write a second of sound whose header promises so many *frames*."""
    soundfile.write(path, TONE, RATE, format="FLAC")
    content = bytearray(path.read_bytes())
    content[21] = content[21] & 0xF0 | frames >> 32
    content[22:26] = (frames & 0xFFFFFFFF).to_bytes(4, "big")
    path.write_bytes(content)
    return path


def wav(path: Path, *, size: int = 2 * RATE, rate: int = RATE, channels: int = 1) -> Path:
    """Write a second of sound whose header says so."""
    head = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, channels, rate, rate * 2, 2 * channels & 0xFFFF, 16)
    body = (TONE * 32767).astype("<i2").tobytes()
    path.write_bytes(
        b"RIFF" + struct.pack("<I", size + 36 & 0xFFFFFFFF) + head + b"data" + struct.pack("<I", size) + body
    )
    return path


def refusal(path: Path) -> str:
    """Return why *path* is refused, having used little memory."""
    tracemalloc.start()
    try:
        with pytest.raises(BadAudioFile) as refused:
            read_for_recognition(path)
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()
    return str(refused.value).removeprefix(f"{path}: ")


@pytest.mark.parametrize("frames", [RATE + 1, 2**31, 2**32 - 1, 2**36 - 1])
def test_a_flac_that_promises_gigabytes_is_cut_short(tmp_path, frames):
    assert refusal(flac(tmp_path / "a.flac", frames)).startswith(("the file is cut short", "not a sound file"))


@pytest.mark.parametrize("size", [2 * RATE + 2, 2**30, 2**31 - 2**13])
def test_a_wav_that_promises_gigabytes_is_cut_short(tmp_path, size):
    assert refusal(wav(tmp_path / "a.wav", size=size)).startswith("the file is cut short")


def test_a_wav_from_a_pipe_which_promises_as_much_as_it_can_is_read(tmp_path):
    assert len(read_for_recognition(wav(tmp_path / "a.wav", size=0xFFFFFFFF))) == RATE


def test_minutes_of_silence_that_unfold_to_hours_are_refused(tmp_path):
    with soundfile.SoundFile(tmp_path / "a.flac", "w", samplerate=1000, channels=1, format="FLAC") as file:
        for _ in range(37):
            file.write(np.zeros(100_000, np.int16))
    assert (tmp_path / "a.flac").stat().st_size < 100_000
    assert refusal(tmp_path / "a.flac") == "longer than 60 minutes, cut it into pieces"


@pytest.mark.parametrize("rate", [1, 999, 768_001, 2**31 - 1])
def test_a_rate_at_which_nothing_is_recorded_is_refused(tmp_path, rate):
    assert refusal(wav(tmp_path / "a.wav", rate=rate)).startswith((f"{rate} samples a second", "not a sound file"))


@pytest.mark.parametrize("channels", [0, 1025, 65535])
def test_channels_that_nobody_has_are_refused(tmp_path, channels):
    assert refusal(wav(tmp_path / "a.wav", channels=channels)).startswith("not a sound file")


@pytest.mark.parametrize(
    ("subtype", "sample"), [("FLOAT", np.nan), ("FLOAT", np.inf), ("FLOAT", 1e30), ("DOUBLE", 1e300)]
)
def test_what_is_no_sound_is_refused(tmp_path, subtype, sample):
    sound = TONE.astype(np.float64)
    sound[RATE // 2] = sample
    soundfile.write(tmp_path / "a.wav", sound, RATE, subtype=subtype)
    assert refusal(tmp_path / "a.wav").startswith("there are samples in it that are no sound")
    with pytest.raises(BadAudioFile):
        read_wave(tmp_path / "a.wav")


def test_floats_beyond_full_scale_are_read(tmp_path):
    soundfile.write(tmp_path / "a.wav", TONE * 32768, RATE, subtype="FLOAT")
    assert np.abs(read_for_recognition(tmp_path / "a.wav")).max() > 1000


def test_a_name_that_is_no_text_and_one_that_promises_raw_samples_are_read(tmp_path):
    for name in (b"\xff\n.wav", b"a.raw", b"b"):
        path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
        assert len(read_for_recognition(wav(path))) == RATE


def test_what_is_no_file_is_refused_without_reading_it(tmp_path):
    os.mkfifo(tmp_path / "pipe.wav")
    assert refusal(tmp_path / "pipe.wav") == "this is no file"
    assert refusal(Path("/dev/zero")) == "this is no file"
