"""Calibration: measure noise, speech and the loudspeaker's echo, and suggest settings."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

import numpy as np

from seance.audio.array_check import ChannelCheck, check_channels
from seance.audio.array_geometry import ArrayGeometry
from seance.audio.devices import Device
from seance.audio.echo_path import EchoMeasurement, find_offset, make_sweep, measure_echo, play_in_background
from seance.audio.echo_recording import measure_path
from seance.audio.formats import FULL_SCALE, Block
from seance.audio.levels import (
    SILENCE_DBFS,
    NoiseMeasurement,
    SpeechMeasurement,
    measure_noise,
    measure_speech,
)
from seance.audio.microphone import Microphone, MicrophoneStatus
from seance.audio.portaudio import SoundTrouble
from seance.audio.resampling import to_int16

_TARGET_SPEECH_DBFS = -20.0
_MAX_PEAK_DBFS = -3.0
_MIN_GAIN_DB = -20.0
_MAX_GAIN_DB = 30.0
_TAIL_MARGIN_SECONDS = 0.1
_MAX_CLIPPED_SHARE = 0.001
_LOW_SNR_DB = 15.0
_SWEEP_RECORDING_SECONDS = 1.5
"""The sweep and the silence after it."""
_MAX_SWEEPS = 5
_DRIFT_SECONDS = 12.0
"""Seconds of noise by which the clocks are compared."""
_MIN_SECONDS_FOR_DRIFT = 30.0
"""A shorter calibration leaves the clocks out."""
_DRIFT_NOISE_AMPLITUDE = 0.05
_ONE_CLOCK_PPM = 8.0
"""Clocks that differ by less count as one: the measurement is no better."""
_BLOCK_TIMEOUT_SECONDS = 4.0


class CalibrationStep(StrEnum):
    """What the people at the table are asked to do while something is measured."""

    QUIET = "quiet"
    SPEAK = "speak"
    QUIET_AGAIN = "quiet_again"
    """While the loudspeaker sounds."""


class Remark(StrEnum):
    """What no setting mends."""

    DIGITAL_SILENCE = "digital_silence"
    OVERDRIVEN = "overdriven"
    NO_SPEECH = "no_speech"
    LOW_SNR = "low_snr"
    NO_ECHO = "no_echo"
    CHANNEL_SILENT = "channel_silent"
    CHANNELS_COPIED = "channels_copied"
    CHANNEL_CLIPPED = "channel_clipped"
    CHANNELS_SWAPPED = "channels_swapped"


@dataclass(frozen=True, slots=True)
class SuggestedSettings:
    """What to write into the settings, and remarks on what no setting mends.

    The field names are keys of `seance calibrate --json`.
    """

    gain_db: float | None
    """None when no speech was heard."""
    tail_seconds: float | None
    """None when the loudspeaker was not heard."""
    remarks: tuple[Remark, ...]


@dataclass(frozen=True, slots=True)
class Calibration:
    """All measurements, and the settings that follow. The field names are keys of `seance calibrate --json`."""

    microphone: str | None
    speaker: str | None
    room: NoiseMeasurement
    speech: SpeechMeasurement | None
    echo: EchoMeasurement | None
    advice: SuggestedSettings
    channels: ChannelCheck | None = None
    """What is wrong with the channels of an array; None without one."""
    drift_ppm: float | None = None
    """How much faster the microphone's clock is than the loudspeaker's (millionths), 0 where they are one; None where
    that was not measured."""


@dataclass(frozen=True, slots=True)
class Recording:
    """Samples of the microphone, and the monotonic time of the first."""

    samples: Block
    started_at: float


def calibrate(
    microphone: Microphone,
    speaker: Device | None,
    *,
    seconds: float,
    ask: Callable[[CalibrationStep, float], None],
    geometry: ArrayGeometry | None = None,
) -> Calibration:
    """Measure for about *seconds*, and *ask* the people at the table for each step and its seconds.

    Of an array of that *geometry* the first microphone is measured, and all channels are checked.
    """
    ask(CalibrationStep.QUIET, seconds / 3)
    quiet = record(microphone, seconds / 3).samples
    noise = measure_noise(_first_microphone(quiet, geometry), microphone.rate)
    ask(CalibrationStep.SPEAK, seconds / 2)
    spoken = record(microphone, seconds / 2).samples
    speech = measure_speech(_first_microphone(spoken, geometry), microphone.rate, noise)
    channels = None
    if geometry is not None:
        channels = check_channels(quiet, geometry, spoken=spoken if speech else None, rate=microphone.rate)
    echo = drift_ppm = None
    if speaker is not None:
        ask(CalibrationStep.QUIET_AGAIN, seconds / 6)
        sweeps = int(seconds / 6 / _SWEEP_RECORDING_SECONDS)
        echo = _measure_echo(microphone, speaker, noise, sweeps=sweeps, geometry=geometry)
        if echo is not None and seconds >= _MIN_SECONDS_FOR_DRIFT:
            drift_ppm = _measure_drift(microphone, speaker, geometry)
    return Calibration(
        microphone=microphone.device_name,
        speaker=speaker.name if speaker else None,
        room=noise,
        speech=speech,
        echo=echo,
        advice=suggest_settings(noise, speech, echo, channels),
        drift_ppm=drift_ppm,
        channels=channels,
    )


def _first_microphone(samples: Block, geometry: ArrayGeometry | None) -> Block:
    """Return the sound of the first microphone of an array, or of the only one."""
    return samples if geometry is None else samples[:, geometry.channels[0]]


def record(microphone: Microphone, seconds: float) -> Recording:
    """Return what *microphone* hears in the next *seconds*, or raise SoundTrouble when it delivers no sound."""
    while microphone.read(timeout=0) is not None:
        pass
    blocks: list[Block] = []
    taken, started_at = 0, math.inf
    while taken < seconds * microphone.rate:
        block = microphone.read(timeout=_BLOCK_TIMEOUT_SECONDS)
        if block is None or microphone.status is MicrophoneStatus.LOST:
            raise SoundTrouble(f"{microphone} delivers no sound: is it plugged in?")
        blocks.append(block)
        taken += len(block)
        # A busy machine delivers blocks late, never early: the earliest tells when the recording started.
        started_at = min(started_at, time.monotonic() - taken / microphone.rate)
    return Recording(np.concatenate(blocks), started_at)


def suggest_settings(
    noise: NoiseMeasurement,
    speech: SpeechMeasurement | None,
    echo: EchoMeasurement | None,
    channels: ChannelCheck | None = None,
) -> SuggestedSettings:
    """Return the settings that suit the measurements."""
    gain, tail = None, None
    if speech is not None:
        wanted = min(_TARGET_SPEECH_DBFS - speech.level_dbfs, _MAX_PEAK_DBFS - speech.peak_dbfs)
        gain = round(min(max(wanted, _MIN_GAIN_DB), _MAX_GAIN_DB) * 2) / 2
    if echo is not None:
        tail = math.ceil((echo.tail_seconds + _TAIL_MARGIN_SECONDS) * 20) / 20
    remarks = [*_remarks(noise, speech, echo), *(_channel_remarks(channels) if channels else ())]
    return SuggestedSettings(gain, tail, tuple(remarks))


def settings_lines(calibration: Calibration) -> list[str]:
    """Return the suggested settings as lines of TOML."""
    lines = ["[microphone]"]
    if calibration.microphone is not None:
        lines.append(f"device = {_toml_string(calibration.microphone)}")
    if calibration.advice.gain_db is not None:
        lines.append(f"gain_db = {calibration.advice.gain_db}")
    if calibration.advice.tail_seconds is not None:
        lines.append(f"tail_seconds = {calibration.advice.tail_seconds:.2f}")
    if calibration.drift_ppm is not None:
        lines.append(f"drift_ppm = {calibration.drift_ppm:.0f}.0")
    if calibration.speaker is not None:
        lines += ["", "[speaker]", f"device = {_toml_string(calibration.speaker)}"]
    return lines


def _measure_echo(
    microphone: Microphone,
    speaker: Device,
    noise: NoiseMeasurement,
    *,
    sweeps: int,
    geometry: ArrayGeometry | None,
) -> EchoMeasurement | None:
    """Return the median of up to *sweeps* measurements, with the longest tail of them; None when none succeeded."""
    found: list[EchoMeasurement] = []
    for _ in range(min(max(1, sweeps), _MAX_SWEEPS)):
        with play_in_background(make_sweep(microphone.rate), microphone.rate, speaker) as times:
            heard = record(microphone, _SWEEP_RECORDING_SECONDS)
        echo = measure_echo(
            _first_microphone(heard.samples, geometry), heard.started_at, microphone.rate, times, noise.noise_dbfs
        )
        if echo is not None:
            found.append(echo)
    if not found:
        return None
    return EchoMeasurement(
        delay_seconds=median(echo.delay_seconds for echo in found),
        level_dbfs=median(echo.level_dbfs for echo in found),
        loss_db=median(echo.loss_db for echo in found),
        tail_seconds=max(echo.tail_seconds for echo in found),
    )


def _measure_drift(microphone: Microphone, speaker: Device, geometry: ArrayGeometry | None) -> float | None:
    """Return how much faster the microphone's clock is than the loudspeaker's (millionths); None where that is unclear.

    0 where they differ by less than _ONE_CLOCK_PPM.
    """
    noise = np.random.default_rng(0).standard_normal(round(_DRIFT_SECONDS * microphone.rate))
    sound = np.asarray(_DRIFT_NOISE_AMPLITUDE * noise, np.float32)
    with play_in_background(sound, microphone.rate, speaker):
        heard = _first_microphone(record(microphone, _DRIFT_SECONDS).samples, geometry)
    start = find_offset(sound[: 2 * microphone.rate], heard)
    if start is None:
        return None
    common = min(len(sound), len(heard) - start)
    path = measure_path(heard[start : start + common], to_int16(sound[:common] * FULL_SCALE))
    if path is None or path.drift_ppm is None:
        return None
    return path.drift_ppm if abs(path.drift_ppm) >= _ONE_CLOCK_PPM else 0.0


def _remarks(noise: NoiseMeasurement, speech: SpeechMeasurement | None, echo: EchoMeasurement | None) -> list[Remark]:
    remarks = []
    if noise.noise_dbfs <= SILENCE_DBFS:
        remarks.append(Remark.DIGITAL_SILENCE)
    if max(noise.clipped, speech.clipped if speech else 0.0) > _MAX_CLIPPED_SHARE:
        remarks.append(Remark.OVERDRIVEN)
    if speech is None:
        remarks.append(Remark.NO_SPEECH)
    elif speech.above_noise_db < _LOW_SNR_DB:
        remarks.append(Remark.LOW_SNR)
    if echo is None:
        remarks.append(Remark.NO_ECHO)
    return remarks


def _channel_remarks(channels: ChannelCheck) -> list[Remark]:
    found = (
        (channels.silent, Remark.CHANNEL_SILENT),
        (channels.copied, Remark.CHANNELS_COPIED),
        (channels.clipped, Remark.CHANNEL_CLIPPED),
        (channels.swapped, Remark.CHANNELS_SWAPPED),
    )
    return [remark for which, remark in found if which]


def _toml_string(text: str) -> str:
    # A JSON string is a TOML string too, unless it has a lone surrogate.
    return json.dumps(text, ensure_ascii=False)
