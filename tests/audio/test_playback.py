"""The loudspeaker on real PortAudio, in a room made of PulseAudio: what is asserted was captured there."""

import queue
import threading

import numpy as np
import pytest

from seance.audio import portaudio
from seance.audio.microphone import Microphone
from seance.audio.mixer import Loop
from seance.audio.playback import Bus, LoudspeakerStatus, Playback, PlaybackOutcome
from seance.audio.waves import Wave
from seance.speech import voice_settings
from seance.speech.cache import SpeechCache
from seance.speech.synthesis import Synthesizer
from tests.audio.tones import seconds_of, strength, tone
from tests.hearing.spoken import likeness, take
from tests.sound_rig import RATE

SPEECH, AMBIENCE = 1000.0, 300.0
"""Hertz: each bus has its own, so that they can be told apart."""
LONG = 30.0
BUFFER_SECONDS = 0.2
"""A buffer for a machine that has other things to do: no gap is wanted in what is captured."""


@pytest.fixture
def statuses():
    return queue.SimpleQueue()


@pytest.fixture
def playback(request, statuses):
    request.getfixturevalue("sound_rig")
    with Playback("speaker", buffer_seconds=BUFFER_SECONDS, on_status=statuses.put) as playback:
        assert statuses.get(timeout=5) is LoudspeakerStatus.PLAYING
        yield playback


def start_ambience(playback):
    """Begin an ambience that is loud at once."""
    playback.set_ambience([(Loop(tone(1.0, AMBIENCE, level=0.3).samples), 1.0)], seconds=0)


def say(playback, seconds, **how):
    return playback.queue_speech(tone(seconds, SPEECH), **how)


def play_for(playback, seconds):
    """Let *seconds* pass in the room."""
    playback.play_earcon(Wave(np.zeros(round(seconds * 48_000), np.float32), 48_000)).wait(20)


def test_a_spoken_line_arrives_in_the_room(sound_rig, tmp_path):
    speech = voice_settings.configure_synthesis(
        voice_settings.load_voice_settings("en"), overrides=voice_settings.VoiceOverrides(engine="espeak")
    )
    with Synthesizer(speech.engine, SpeechCache(tmp_path), pitch=speech.pitch, reverb=speech.reverb) as voice:
        wave = voice.render("The clock has struck, and the ghost has spoken.")
    with (
        # One gap in four seconds would make it another sound, so this buffer is a long one.
        Playback("speaker", buffer_seconds=1.0) as playback,
        sound_rig.recording_speaker() as heard,
    ):
        assert playback.queue_speech(wave).wait(20) is PlaybackOutcome.HEARD
    assert likeness(heard[0], wave.resample(RATE).samples) > 0.95


def test_the_end_is_told_when_the_last_sound_has_left_the_loudspeaker(sound_rig, playback):
    with sound_rig.recording_speaker(after=0.02) as heard:
        assert say(playback, 0.5).wait(5) is PlaybackOutcome.HEARD
    assert seconds_of(heard[0], SPEECH, RATE) >= 0.49


def test_the_end_is_told_after_the_tail(sound_rig):
    with (
        Playback("speaker", buffer_seconds=BUFFER_SECONDS, tail_seconds=0.4) as playback,
        sound_rig.recording_speaker(after=0.02) as heard,
    ):
        say(playback, 0.3).wait(5)
    last = np.flatnonzero(np.abs(heard[0]) > 500)[-1]
    assert (len(heard[0]) - last) / RATE > 0.3


def test_an_ear_that_opens_at_the_end_hears_nothing_of_the_line(sound_rig):
    sound_rig.hold_microphone_to_speaker()
    portaudio.reinitialise()
    with (
        Playback("speaker", buffer_seconds=BUFFER_SECONDS, tail_seconds=0.3) as playback,
        Microphone("loopback") as microphone,
    ):
        assert say(playback, 0.5).wait(5) is PlaybackOutcome.HEARD
        shut = []
        while (block := microphone.read(timeout=0)) is not None:
            shut.append(block)
        assert np.abs(np.concatenate(shut)).max() > 3000
        assert np.abs(take(microphone, 0.5)).max() < 100


def test_the_owner_is_called_once_at_the_end(playback):
    ends = []
    say(playback, 0.2, on_end=ends.append).wait(5)
    play_for(playback, 0.1)
    assert ends == [PlaybackOutcome.HEARD]


def test_lines_follow_each_other(sound_rig, playback):
    with sound_rig.recording_speaker() as heard:
        say(playback, 0.4)
        assert playback.speaking
        playback.queue_speech(tone(0.4, 2000.0)).wait(5)
    assert not playback.speaking
    first = np.flatnonzero(strength(heard[0], SPEECH, RATE) > 3000)
    second = np.flatnonzero(strength(heard[0], 2000.0, RATE) > 3000)
    assert first[-1] <= second[0]


def test_the_ambience_ducks_under_speech_and_comes_back(sound_rig, playback):
    start_ambience(playback)
    with sound_rig.recording_speaker() as heard:
        play_for(playback, 0.5)
        say(playback, 1.0).wait(5)
        play_for(playback, 1.5)
    ambience = strength(heard[0], AMBIENCE, RATE)
    spoken = np.flatnonzero(strength(heard[0], SPEECH, RATE) > 3000)
    before, under, after = ambience[spoken[0] - 5], ambience[spoken[-1] - 2], ambience[-4]
    assert under < 0.3 * before
    assert after == pytest.approx(before, rel=0.1)


def test_hush_is_silence_at_once_and_leaves_the_ambience(sound_rig, playback):
    start_ambience(playback)
    with sound_rig.recording_speaker() as heard:
        spoken, waiting = say(playback, LONG), say(playback, LONG)
        play_for(playback, 0.5)
        playback.stop_speech()
        assert [each.wait(5) for each in (spoken, waiting)] == [PlaybackOutcome.STOPPED] * 2
        play_for(playback, 0.3)
    assert 0.3 < seconds_of(heard[0], SPEECH, RATE) < 5
    assert strength(heard[0], SPEECH, RATE)[-4] < 100
    assert strength(heard[0], AMBIENCE, RATE)[-4] > 500


def test_what_was_paused_goes_on_and_nothing_of_it_is_lost(sound_rig, playback):
    with sound_rig.recording_speaker() as heard:
        spoken = say(playback, 1.0)
        play_for(playback, 0.3)
        playback.pause_speech()
        play_for(playback, 0.5)
        assert spoken.outcome is None
        playback.resume_speech()
        assert spoken.wait(5) is PlaybackOutcome.HEARD
    sounding = np.flatnonzero(strength(heard[0], SPEECH, RATE, 0.01) > 500)
    assert seconds_of(heard[0], SPEECH, RATE) == pytest.approx(1.0, abs=0.06)
    assert (sounding[-1] - sounding[0]) * 0.01 > 1.3


def test_the_last_line_can_be_repeated(sound_rig, playback):
    assert playback.repeat_speech() is None
    with sound_rig.recording_speaker() as heard:
        say(playback, 0.3).wait(5)
        assert playback.repeat_speech().wait(5) is PlaybackOutcome.HEARD
    assert seconds_of(heard[0], SPEECH, RATE) == pytest.approx(0.6, abs=0.06)


def test_an_earcon_is_heard_over_speech(sound_rig, playback):
    with sound_rig.recording_speaker() as heard:
        spoken = say(playback, 1.0)
        playback.play_earcon(tone(0.2, 2000.0)).wait(5)
        assert spoken.outcome is None
        spoken.wait(5)
    assert seconds_of(heard[0], 2000.0, RATE) == pytest.approx(0.2, abs=0.04)


@pytest.mark.parametrize("bus", [Bus.SPEECH, None])
def test_the_volume_is_heard(sound_rig, playback, bus):
    with sound_rig.recording_speaker() as heard:
        playback.set_volume(0.25, bus)
        play_for(playback, 0.2)
        say(playback, 0.5).wait(5)
    assert strength(heard[0], SPEECH, RATE).max() == pytest.approx(0.25 * 0.4 * 32768, rel=0.1)


def test_a_device_that_refuses_the_rate_is_opened_at_its_own(sound_rig):
    with (
        Playback("speaker", buffer_seconds=BUFFER_SECONDS, device_rate=500_000) as playback,
        sound_rig.recording_speaker() as heard,
    ):
        assert playback.device_rate == 44_100
        assert say(playback, 0.5).wait(5) is PlaybackOutcome.HEARD
    assert seconds_of(heard[0], SPEECH, RATE) == pytest.approx(0.5, abs=0.04)


def test_the_default_loudspeaker_needs_no_name(sound_rig):
    with Playback(buffer_seconds=BUFFER_SECONDS) as playback, sound_rig.recording_speaker() as heard:
        say(playback, 0.3).wait(5)
    assert seconds_of(heard[0], SPEECH, RATE) > 0.25


def test_unplugged_it_is_lost_and_plugged_in_it_comes_back_with_its_ambience(sound_rig, playback, statuses):
    start_ambience(playback)
    spoken = say(playback, LONG)
    play_for(playback, 0.2)
    sound_rig.stop()
    assert spoken.wait(10) is PlaybackOutcome.UNHEARD
    assert statuses.get(timeout=5) is LoudspeakerStatus.LOST
    assert say(playback, 0.3).wait(5) is PlaybackOutcome.UNHEARD
    sound_rig.start()
    assert statuses.get(timeout=10) is LoudspeakerStatus.BACK
    with sound_rig.recording_speaker() as heard:
        assert say(playback, 0.3).wait(5) is PlaybackOutcome.HEARD
        play_for(playback, 1.2)
    assert seconds_of(heard[0], SPEECH, RATE) == pytest.approx(0.3, abs=0.04)
    assert strength(heard[0], AMBIENCE, RATE)[-4] > 3000


def test_a_stalled_loudspeaker_is_lost_until_it_takes_sound_again(sound_rig, playback, statuses):
    spoken = say(playback, LONG)
    sound_rig.freeze()
    try:
        assert spoken.wait(10) is PlaybackOutcome.UNHEARD
        assert statuses.get(timeout=5) is LoudspeakerStatus.LOST
    finally:
        sound_rig.thaw()
    assert statuses.get(timeout=15) is LoudspeakerStatus.BACK


@pytest.mark.usefixtures("sound_rig")
def test_without_a_loudspeaker_a_line_ends_at_once_and_nothing_is_raised(statuses):
    with Playback("gramophone", on_status=statuses.put) as playback:
        assert statuses.get(timeout=5) is LoudspeakerStatus.LOST
        assert say(playback, LONG).wait(5) is PlaybackOutcome.UNHEARD
        start_ambience(playback)
        playback.stop_speech()
        playback.pause_speech()
        playback.resume_speech()
    assert statuses.get(timeout=5) is LoudspeakerStatus.CLOSED


def test_a_line_is_finished_when_portaudio_is_reinitialised(sound_rig, playback, statuses):
    with sound_rig.recording_speaker() as heard:
        spoken = say(playback, 1.5)
        play_for(playback, 0.3)
        portaudio.reinitialise()
        assert spoken.wait(10) is PlaybackOutcome.HEARD
    assert statuses.empty()
    # what was in the buffer is lost, and no more
    assert seconds_of(heard[0], SPEECH, RATE) > 1.5 - 2 * BUFFER_SECONDS


@pytest.mark.usefixtures("sound_rig")
def test_closing_stops_what_is_said_and_may_be_repeated(statuses):
    playback = Playback("speaker", on_status=statuses.put)
    with playback:
        spoken = say(playback, LONG)
    playback.close()
    assert spoken.outcome is PlaybackOutcome.STOPPED
    assert [statuses.get(timeout=1) for _ in range(2)] == [LoudspeakerStatus.PLAYING, LoudspeakerStatus.CLOSED]


@pytest.mark.usefixtures("sound_rig")
def test_what_is_said_after_closing_ends_unheard():
    with Playback("speaker") as playback:
        pass
    assert say(playback, LONG).wait(5) is PlaybackOutcome.UNHEARD


def test_the_next_line_can_be_said_from_the_end_of_the_last(playback):
    over = threading.Event()
    say(playback, 0.1, on_end=lambda _: say(playback, 0.1, on_end=lambda _: over.set()))
    assert over.wait(5)


def test_the_thread_of_portaudio_never_raises(sound_rig, playback, statuses, capfd):
    say(playback, LONG)
    sound_rig.stop()
    assert statuses.get(timeout=5) is LoudspeakerStatus.LOST
    assert "Traceback" not in capfd.readouterr().err
