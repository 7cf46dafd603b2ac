"""Measuring a room whose noise, voice and echo are known."""

import argparse
import json
import tomllib

import numpy as np
import pytest

from seance import settings
from seance.audio import portaudio
from seance.audio.calibration import Remark, record, suggest_settings
from seance.audio.devices import choose_output
from seance.audio.echo_path import (
    EchoMeasurement,
    PlaybackTimes,
    find_offset,
    make_sweep,
    measure_echo,
    play_in_background,
)
from seance.audio.levels import NoiseMeasurement, SpeechMeasurement, dbfs, measure_noise, measure_speech
from seance.audio.microphone import Microphone
from seance.programs import calibrate
from tests.foreign_text import EACH_OTHER_LANGUAGE, untranslated
from tests.hearing.spoken import RATE, voice, write

QUIET_ROOM = NoiseMeasurement(noise_dbfs=-60.0, peak_dbfs=-50.0, clipped=0.0)


def noise(level_dbfs, seconds=1.0, seed=3):
    samples = np.random.default_rng(seed).standard_normal(round(RATE * seconds)) * 32768 * 10 ** (level_dbfs / 20)
    return samples.round().clip(-32768, 32767).astype(np.int16)


def speech(level_dbfs=-30.0, peak_dbfs=-15.0, clipped=0.0, above_noise_db=30.0):
    return SpeechMeasurement(level_dbfs, peak_dbfs, clipped, above_noise_db)


def seance(*words):
    parser = argparse.ArgumentParser(prog="seance")
    calibrate.add_parser(parser.add_subparsers(required=True))
    args = parser.parse_args(words)
    return args.run(args)


def test_a_square_wave_of_full_scale_has_0_dbfs():
    assert dbfs(np.array([-32768, 32767] * 100, np.int16)) == pytest.approx(0.0, abs=0.001)


def test_the_noise_of_a_room_is_measured_within_1_db(sound_rig, tmp_path):
    wav = write(tmp_path / "noise.wav", noise(-40.0, seconds=5))
    with Microphone("room") as microphone, sound_rig.speaking_in_room(wav):
        while microphone.read(timeout=5).max() == 0:
            pass
        heard = record(microphone, 1.5)
    assert measure_noise(heard.samples, RATE).noise_dbfs == pytest.approx(-40.0, abs=1.0)


def test_a_knock_does_not_change_the_noise_of_a_room():
    knocked = noise(-60.0, seconds=2)
    knocked[8000:8800] = 20000
    assert measure_noise(knocked, RATE).noise_dbfs == pytest.approx(-60.0, abs=1.0)


def test_speech_is_measured_without_its_pauses():
    spoken = noise(-60.0, seconds=3)
    spoken[RATE : 2 * RATE] = noise(-25.0)
    assert measure_speech(spoken, RATE, QUIET_ROOM).level_dbfs == pytest.approx(-25.0, abs=0.5)


def test_where_nobody_spoke_there_is_no_speech():
    assert measure_speech(noise(-60.0, seconds=3), RATE, QUIET_ROOM) is None


def test_clipping_is_counted():
    clipped = noise(-60.0)
    clipped[:1600] = 32767
    assert measure_noise(clipped, RATE).clipped == pytest.approx(0.1)


def test_the_gain_brings_speech_to_minus_20_dbfs():
    assert suggest_settings(QUIET_ROOM, speech(-32.0, -20.0), None).gain_db == 12.0


def test_the_gain_leaves_room_for_the_loudest_sound():
    assert suggest_settings(QUIET_ROOM, speech(-32.0, -8.0), None).gain_db == 5.0


def test_an_overdriven_microphone_is_pointed_out():
    remarks = suggest_settings(QUIET_ROOM, speech(clipped=0.01), None).remarks
    assert Remark.OVERDRIVEN in remarks


def test_the_tail_is_the_time_until_the_room_is_quiet_and_a_margin():
    assert suggest_settings(QUIET_ROOM, None, EchoMeasurement(0.1, -30.0, 10.0, tail_seconds=0.22)).tail_seconds == 0.35


@pytest.mark.parametrize("at", [0, 1234, 9999])
def test_a_quiet_echo_is_found_to_the_sample_under_louder_noise(at):
    heard = noise(-35.0, seconds=1.5)
    sent = make_sweep(RATE)
    heard[at : at + len(sent)] += (sent * 32768 * 10 ** (-25 / 20)).astype(np.int16)
    assert find_offset(sent, heard) == at


def test_noise_is_not_taken_for_an_echo():
    assert [find_offset(make_sweep(RATE), noise(-35.0, seconds=1.5, seed=seed)) for seed in range(40)] == [None] * 40


def test_another_voice_is_not_taken_for_an_echo():
    assert find_offset(make_sweep(RATE), voice(1.5)) is None


def test_silence_is_not_taken_for_an_echo():
    assert find_offset(make_sweep(RATE), np.zeros(2 * RATE, np.int16)) is None


def test_delay_loss_and_tail_of_an_echo_are_measured():
    heard, sent = noise(-70.0, seconds=2), make_sweep(RATE)
    heard[4800 : 4800 + len(sent)] += (sent * 32768 * 10 ** (-20 / 20)).astype(np.int16)
    echo = measure_echo(heard, 100.0, RATE, PlaybackTimes(started=100.1, ended=100.7), noise_dbfs=-70.0)
    assert echo.delay_seconds == pytest.approx(0.2)
    assert echo.loss_db == pytest.approx(20.0, abs=0.1)
    assert echo.tail_seconds == pytest.approx(0.1, abs=0.03)


def test_the_delay_of_a_loopback_is_that_of_the_silence_before_the_sweep_and_nothing_is_lost(sound_rig):
    sound_rig.hold_microphone_to_speaker("loopback")
    portaudio.reinitialise()
    late = np.concatenate((np.zeros(RATE // 2, np.float32), make_sweep(RATE)))
    with Microphone("loopback") as microphone:
        with play_in_background(late, RATE, choose_output("speaker")) as times:
            heard = record(microphone, 1.5)
        echo = measure_echo(heard.samples, heard.started_at, RATE, times, noise_dbfs=-120.0)
    assert echo.delay_seconds == pytest.approx(0.6, abs=0.2)
    assert echo.loss_db == pytest.approx(0.0, abs=1.0)


def test_the_room_hears_the_sweep(sound_rig):
    with sound_rig.recording_speaker() as heard, play_in_background(make_sweep(RATE), RATE, choose_output("speaker")):
        pass
    assert find_offset(make_sweep(RATE), heard[0]) is not None


def test_calibrate_prints_lines_that_the_settings_accept(sound_rig, tmp_path, capsys):
    sound_rig.hold_microphone_to_speaker("loopback")
    portaudio.reinitialise()
    talk = write(tmp_path / "talk.wav", voice(6.0, level=0.01))
    config = tmp_path / "settings.toml"
    config.write_text('[microphone]\ndevice = "loopback"\n')
    with sound_rig.speaking_in_room(talk, "speaker"):
        assert seance("calibrate", "--seconds", "2", "--config", str(config)) == 0
    lines = capsys.readouterr().out.partition("For the settings:\n")[2]
    suggested = settings.parse(lines)
    assert suggested.microphone.device == "loopback"
    assert suggested.speaker.device == "default"
    assert suggested.microphone.tail_seconds == tomllib.loads(lines)["microphone"]["tail_seconds"]


def test_calibrate_as_json_has_every_measurement(sound_rig, capsys):
    sound_rig.hold_microphone_to_speaker("loopback")
    portaudio.reinitialise()
    assert seance("calibrate", "--seconds", "1", "--microphone", "loopback", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["room"] == {"noise_dbfs": -120.0, "peak_dbfs": -120.0, "clipped": 0.0}
    assert told["speech"] is None
    assert set(told["echo"]) == {"delay_seconds", "level_dbfs", "loss_db", "tail_seconds"}
    assert told["advice"]["gain_db"] is None
    assert told["settings"][:2] == ["[microphone]", 'device = "loopback"']


def test_calibrate_says_when_the_loudspeaker_is_not_heard(sound_rig, capsys):
    assert sound_rig
    assert seance("calibrate", "--seconds", "1", "--microphone", "room", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["echo"] is None
    assert any("loudspeaker was not heard" in remark for remark in told["advice"]["remarks"])


@EACH_OTHER_LANGUAGE
def test_calibrate_speaks_to_the_table_in_the_settings_language(sound_rig, tmp_path, capsys, language):
    sound_rig.hold_microphone_to_speaker("loopback")
    portaudio.reinitialise()
    (tmp_path / "house.toml").write_text(f'language = "{language}"\n[microphone]\ndevice = "loopback"\n')
    assert seance("calibrate", "--seconds", "1", "--config", str(tmp_path / "house.toml")) == 0
    told = capsys.readouterr()
    assert untranslated(told.out.partition("[microphone]")[0] + told.err, "calibrate", language) == []


def test_calibrate_without_a_device_says_what_to_do_and_fails(sound_rig, capsys):
    sound_rig.stop()
    portaudio.reinitialise()
    assert seance("calibrate", "--seconds", "1") == 1
    assert capsys.readouterr().err.startswith("seance: there is no sound input: plug one in")


def test_calibrate_says_which_geometry_cannot_be_used(sound_rig, tmp_path, capsys):
    assert sound_rig
    (tmp_path / "house.toml").write_text('[microphone]\narray = "ring5"\n')
    assert seance("calibrate", "--seconds", "1", "--config", str(tmp_path / "house.toml")) == 1
    assert capsys.readouterr().err.startswith("seance: no array is called 'ring5'")


def test_calibrate_refuses_a_time_that_is_none(capsys):
    with pytest.raises(SystemExit):
        seance("calibrate", "--seconds", "soon")
    assert "'soon' is not a number of seconds from 1 to 600" in capsys.readouterr().err
