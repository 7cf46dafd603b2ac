"""The microphone on real PortAudio, in a room made of PulseAudio."""

import logging
import queue
import threading
import time
import wave
from dataclasses import replace

import numpy as np
import pytest

from seance.audio import portaudio
from seance.audio.devices import AmbiguousDevice, NoSuchDevice, rescan_inputs
from seance.audio.microphone import Microphone, MicrophoneStatus
from seance.audio.portaudio import SoundTrouble
from tests.hearing.spoken import likeness, take, voice, write


@pytest.fixture
def said(tmp_path):
    return write(tmp_path / "said.wav", voice())


@pytest.fixture
def statuses():
    return queue.SimpleQueue()


def heard_of(rig, microphone, wav, *, name="room", seconds=1.1):
    """Return what *microphone* delivers while *wav* is spoken."""
    assert microphone.read(timeout=5) is not None
    rig.speak_in_room(wav, name)
    return take(microphone, seconds)


def test_what_is_said_in_the_room_arrives(sound_rig, said):
    with Microphone("room") as microphone:
        assert likeness(heard_of(sound_rig, microphone, said), voice()) > 0.95


def test_the_default_microphone_needs_no_name(sound_rig, said):
    with Microphone() as microphone:
        assert likeness(heard_of(sound_rig, microphone, said), voice()) > 0.95


def test_a_stereo_microphone_at_44100_hertz_arrives_as_16000_mono(sound_rig, tmp_path):
    sound_rig.add_microphone("hifi", rate=44100, channels=2)
    portaudio.reinitialise()
    both = np.stack([voice(rate=44100), voice(rate=44100)], axis=1)
    wav = write(tmp_path / "stereo.wav", both, 44100)
    with Microphone("hifi", device_rate=44100) as microphone:
        assert microphone.device_rate == 44100
        assert likeness(heard_of(sound_rig, microphone, wav, name="hifi"), voice()) > 0.95


def test_one_channel_can_be_chosen(sound_rig, tmp_path):
    sound_rig.add_microphone("hifi", rate=44100, channels=2)
    portaudio.reinitialise()
    two = np.stack([voice(rate=44100, seed=1), voice(rate=44100, seed=2)], axis=1)
    wav = write(tmp_path / "stereo.wav", two, 44100)
    with Microphone("hifi", channel=2) as microphone:
        assert likeness(heard_of(sound_rig, microphone, wav, name="hifi"), voice(seed=2)) > 0.95


def test_every_channel_of_an_array_arrives_in_its_column(sound_rig, tmp_path):
    sound_rig.add_microphone("ring", channels=4)
    portaudio.reinitialise()
    each = [voice(seed=seed) for seed in range(4)]
    wav = write(tmp_path / "four.wav", np.stack(each, axis=1))
    with Microphone("ring", array_channels=4) as microphone:
        heard = heard_of(sound_rig, microphone, wav, name="ring")
    assert heard.shape[1] == 4
    assert min(likeness(heard[:, channel], said) for channel, said in enumerate(each)) > 0.95


def test_an_array_that_is_pulled_out_and_put_in_again_delivers_all_channels(sound_rig, statuses):
    sound_rig.add_microphone("ring", channels=4)
    portaudio.reinitialise()
    with Microphone("ring", array_channels=4, on_status=statuses.put) as microphone:
        assert statuses.get(timeout=5) is MicrophoneStatus.LISTENING
        sound_rig.stop()
        assert statuses.get(timeout=5) is MicrophoneStatus.LOST
        sound_rig.start()
        assert statuses.get(timeout=10) is MicrophoneStatus.BACK
        assert microphone.read(timeout=5).shape == (microphone.block_frames, 4)


@pytest.mark.usefixtures("sound_rig")
def test_a_device_with_fewer_channels_than_its_array_is_refused_with_both_numbers(monkeypatch):
    few = [replace(device, channels=2) for device in rescan_inputs()]
    monkeypatch.setattr("seance.audio.microphone.choose_input", lambda _: next(d for d in few if d.name == "room"))
    with pytest.raises(SoundTrouble, match=r"'room.*' has 2 channels, but the array has 6"):
        Microphone("room", array_channels=6).open()


def test_of_a_device_that_may_have_fewer_channels_the_first_is_heard(sound_rig, tmp_path, monkeypatch, caplog):
    sound_rig.add_microphone("pair", channels=2)
    portaudio.reinitialise()
    few = [replace(device, channels=2) for device in rescan_inputs()]
    monkeypatch.setattr("seance.audio.microphone.choose_input", lambda _: next(d for d in few if d.name == "pair"))
    wav = write(tmp_path / "two.wav", np.stack([voice(seed=1), voice(seed=1)], axis=1))
    with Microphone("pair", array_channels=4, may_have_fewer=True) as microphone:
        assert likeness(heard_of(sound_rig, microphone, wav, name="pair"), voice(seed=1)) > 0.95
        assert not microphone.delivers_array
    assert "'pair (ALSA)' has 2 channels, but the array has 4: one microphone listens" in caplog.text


def test_a_microphone_that_refuses_the_rate_is_opened_at_its_own(sound_rig, said):
    with Microphone("room", device_rate=500_000) as microphone:
        assert microphone.device_rate == 44100
        assert likeness(heard_of(sound_rig, microphone, said), voice()) > 0.95


@pytest.mark.usefixtures("sound_rig")
def test_every_block_has_the_same_length_whatever_the_rate_of_the_device():
    with Microphone("room", device_rate=44100, block_seconds=0.03) as microphone:
        assert {len(microphone.read(timeout=5)) for _ in range(20)} == {480}


def test_gain_makes_it_louder(sound_rig, said):
    with Microphone("room", gain_db=6.0) as microphone:
        louder = heard_of(sound_rig, microphone, said)
    assert np.abs(louder).max() == pytest.approx(np.abs(voice()).max() * 10 ** (6 / 20), rel=0.02)


def test_unplugged_it_is_lost_and_plugged_in_it_comes_back_and_hears(sound_rig, said, statuses, caplog):
    caplog.set_level(logging.INFO)
    with Microphone("room", on_status=statuses.put) as microphone:
        assert statuses.get(timeout=5) is MicrophoneStatus.LISTENING
        sound_rig.stop()
        assert statuses.get(timeout=2) is MicrophoneStatus.LOST
        sound_rig.start()
        plugged_in = time.monotonic()
        assert statuses.get(timeout=5) is MicrophoneStatus.BACK
        sound_rig.speak_in_room(said)
        while microphone.read(timeout=5).max() == 0:
            pass
        assert time.monotonic() - plugged_in < 5
    messages = [record.getMessage() for record in caplog.records]
    assert [message.split(":")[0] for message in messages] == [
        "the microphone 'room' listens",
        "the microphone 'room' is lost",
        "the microphone 'room' is back",
    ]


def test_a_stalled_microphone_is_lost_until_it_delivers_again(sound_rig, statuses):
    with Microphone("room", on_status=statuses.put):
        assert statuses.get(timeout=5) is MicrophoneStatus.LISTENING
        sound_rig.freeze()
        assert statuses.get(timeout=2) is MicrophoneStatus.LOST
        sound_rig.thaw()
        assert statuses.get(timeout=5) is MicrophoneStatus.BACK


def test_a_microphone_that_was_never_there_is_found_when_it_is_plugged_in(sound_rig, statuses):
    with Microphone("late", wait_for_device=True, on_status=statuses.put):
        assert statuses.get(timeout=1) is MicrophoneStatus.LOST
        sound_rig.add_microphone("late")
        assert statuses.get(timeout=5) is MicrophoneStatus.BACK


@pytest.mark.usefixtures("sound_rig")
def test_who_else_has_a_stream_open_is_left_alone_while_the_microphone_is_away(monkeypatch):
    asked, looks = [], queue.SimpleQueue()
    monkeypatch.setattr("seance.audio.microphone.rescan_inputs", lambda: looks.put(seen := rescan_inputs()) or seen)
    unregister = portaudio.register_stream(lambda: asked.append("release"), lambda: asked.append("resume"))
    with Microphone("elsewhere", wait_for_device=True):
        assert [looks.get(timeout=5) for _ in range(2)]
    unregister()
    assert asked == []


def test_other_streams_are_released_when_the_microphone_is_plugged_in_again(sound_rig, statuses):
    asked = []
    unregister = portaudio.register_stream(lambda: asked.append("release"), lambda: asked.append("resume"))
    with Microphone("late", wait_for_device=True, on_status=statuses.put):
        assert statuses.get(timeout=1) is MicrophoneStatus.LOST
        sound_rig.add_microphone("late")
        assert statuses.get(timeout=5) is MicrophoneStatus.BACK
    unregister()
    assert asked == ["release", "resume"]


def test_it_is_reopened_without_being_lost_when_portaudio_is_reinitialised(sound_rig, said, statuses):
    with Microphone("room", on_status=statuses.put) as microphone:
        assert statuses.get(timeout=5) is MicrophoneStatus.LISTENING
        portaudio.reinitialise()
        assert likeness(heard_of(sound_rig, microphone, said, seconds=1.6), voice()) > 0.95
        assert statuses.empty()


def test_nothing_but_zeros_is_reported_as_silence_until_something_is_heard(sound_rig, said, statuses):
    with Microphone("room", silent_after_seconds=0.3, on_status=statuses.put):
        assert [statuses.get(timeout=5) for _ in range(2)] == [MicrophoneStatus.LISTENING, MicrophoneStatus.SILENT]
        sound_rig.speak_in_room(said)
        assert statuses.get(timeout=5) is MicrophoneStatus.BACK


def test_a_slow_reader_loses_the_oldest_blocks(sound_rig, tmp_path):
    spoken = voice(2.5)
    wav = write(tmp_path / "long.wav", spoken)
    with Microphone("room", queue_seconds=1.0) as microphone:
        assert microphone.read(timeout=5) is not None
        sound_rig.speak_in_room(wav)
        kept = take(microphone, 0.5)
        assert microphone.dropped > 20
    assert likeness(spoken[-24000:], kept) > 0.95


def test_a_slow_reader_finds_no_more_than_the_queue_holds(sound_rig, said):
    with Microphone("room", queue_seconds=0.2, block_seconds=0.05) as microphone:
        sound_rig.speak_in_room(said)
        kept = 0
        while microphone.read(timeout=0) is not None:
            kept += 1
    assert kept in (4, 5)


@pytest.mark.usefixtures("sound_rig")
def test_closing_is_prompt_and_may_be_repeated():
    microphone = Microphone("room")
    with microphone:
        assert microphone.read(timeout=5) is not None
        begun = time.monotonic()
    microphone.close()
    assert time.monotonic() - begun < 0.5
    assert microphone.status is MicrophoneStatus.CLOSED


@pytest.mark.usefixtures("sound_rig")
def test_closing_ends_who_waits_for_blocks():
    microphone = Microphone("elsewhere", wait_for_device=True)
    microphone.open()
    reader = threading.Thread(target=lambda: list(microphone.blocks()))
    reader.start()
    microphone.close()
    reader.join(2)
    assert not reader.is_alive()


def test_the_thread_of_portaudio_never_raises(sound_rig, statuses, capfd):
    with Microphone("room", queue_seconds=0.1, on_status=statuses.put):
        assert statuses.get(timeout=5) is MicrophoneStatus.LISTENING
        sound_rig.stop()
        assert statuses.get(timeout=2) is MicrophoneStatus.LOST
    assert "Traceback" not in capfd.readouterr().err


def test_no_sound_is_kept_unless_a_folder_is_named(sound_rig, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Microphone("room") as microphone:
        heard_of(sound_rig, microphone, said)
    assert [path.name for path in tmp_path.rglob("*")] == ["said.wav"]


def test_what_was_heard_is_kept_in_the_folder_that_is_named(sound_rig, said, tmp_path):
    with Microphone("room", keep_sound=tmp_path / "kept") as microphone:
        heard_of(sound_rig, microphone, said)
    with wave.open(str(tmp_path / "kept" / "000001.wav")) as file:
        assert (file.getframerate(), file.getnchannels()) == (16000, 1)
        kept = np.frombuffer(file.readframes(file.getnframes()), np.int16)
    assert likeness(kept, voice()) > 0.95


@pytest.mark.usefixtures("sound_rig")
def test_a_wrong_name_is_refused_with_what_is_there():
    with pytest.raises(NoSuchDevice, match=r"fits 'gramophone'; there are: 'room \(ALSA\)', 'default \(ALSA\)'"):
        Microphone("gramophone").open()


def test_a_name_that_fits_two_is_refused_with_both(sound_rig):
    sound_rig.add_microphone("room-by-the-door")
    sound_rig.add_microphone("room-by-the-fire")
    portaudio.reinitialise()
    with pytest.raises(AmbiguousDevice, match=r"'room-by-the-door \(ALSA\)', 'room-by-the-fire \(ALSA\)'"):
        Microphone("ROOM-by").open()


@pytest.mark.usefixtures("sound_rig")
def test_a_channel_that_it_does_not_have_is_refused():
    with pytest.raises(SoundTrouble, match=r"'room \(ALSA\)' has no channel 99: it has 32"):
        Microphone("room", channel=99).open()
