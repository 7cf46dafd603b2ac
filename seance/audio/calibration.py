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

from seance.audio.devices import Device
from seance.audio.echo_path import EchoMeasurement, make_sweep, measure_echo, play_in_background
from seance.audio.formats import Block
from seance.audio.levels import (
    SILENCE_DBFS,
    NoiseMeasurement,
    SpeechMeasurement,
    measure_noise,
    measure_speech,
)
from seance.audio.microphone import Microphone, MicrophoneStatus
from seance.audio.portaudio import SoundTrouble

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


@dataclass(frozen=True, slots=True)
class Recording:
    """Samples of the microphone, and the monotonic time of the first."""

    samples: Block
    started_at: float


def calibrate(
    microphone: Microphone, speaker: Device | None, *, seconds: float, ask: Callable[[CalibrationStep, float], None]
) -> Calibration:
    """Measure for about *seconds*, and *ask* the people at the table for each step and its seconds."""
    ask(CalibrationStep.QUIET, seconds / 3)
    noise = measure_noise(record(microphone, seconds / 3).samples, microphone.rate)
    ask(CalibrationStep.SPEAK, seconds / 2)
    speech = measure_speech(record(microphone, seconds / 2).samples, microphone.rate, noise)
    echo = None
    if speaker is not None:
        ask(CalibrationStep.QUIET_AGAIN, seconds / 6)
        echo = _measure_echo(microphone, speaker, noise, sweeps=int(seconds / 6 / _SWEEP_RECORDING_SECONDS))
    return Calibration(
        microphone=microphone.device_name,
        speaker=speaker.name if speaker else None,
        room=noise,
        speech=speech,
        echo=echo,
        advice=suggest_settings(noise, speech, echo),
    )


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
    noise: NoiseMeasurement, speech: SpeechMeasurement | None, echo: EchoMeasurement | None
) -> SuggestedSettings:
    """Return the settings that suit the measurements."""
    gain, tail = None, None
    if speech is not None:
        wanted = min(_TARGET_SPEECH_DBFS - speech.level_dbfs, _MAX_PEAK_DBFS - speech.peak_dbfs)
        gain = round(min(max(wanted, _MIN_GAIN_DB), _MAX_GAIN_DB) * 2) / 2
    if echo is not None:
        tail = math.ceil((echo.tail_seconds + _TAIL_MARGIN_SECONDS) * 20) / 20
    return SuggestedSettings(gain, tail, tuple(_remarks(noise, speech, echo)))


def settings_lines(calibration: Calibration) -> list[str]:
    """Return the suggested settings as lines of TOML."""
    lines = ["[microphone]"]
    if calibration.microphone is not None:
        lines.append(f"device = {_toml_string(calibration.microphone)}")
    if calibration.advice.gain_db is not None:
        lines.append(f"gain_db = {calibration.advice.gain_db}")
    if calibration.advice.tail_seconds is not None:
        lines.append(f"tail_seconds = {calibration.advice.tail_seconds:.2f}")
    if calibration.speaker is not None:
        lines += ["", "[speaker]", f"device = {_toml_string(calibration.speaker)}"]
    return lines


def _measure_echo(
    microphone: Microphone, speaker: Device, noise: NoiseMeasurement, sweeps: int
) -> EchoMeasurement | None:
    """Return the median of up to *sweeps* measurements, with the longest tail of them; None when none succeeded."""
    found: list[EchoMeasurement] = []
    for _ in range(min(max(1, sweeps), _MAX_SWEEPS)):
        with play_in_background(make_sweep(microphone.rate), microphone.rate, speaker) as times:
            heard = record(microphone, _SWEEP_RECORDING_SECONDS)
        echo = measure_echo(heard.samples, heard.started_at, microphone.rate, times, noise.noise_dbfs)
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


def _toml_string(text: str) -> str:
    # A JSON string is a TOML string too, unless it has a lone surrogate.
    return json.dumps(text, ensure_ascii=False)
