"""One minute of measuring: the room, a voice, the loudspeaker's echo; it suggests and changes nothing."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import numpy as np

from seance.audio.devices import Device
from seance.audio.echo_path import Echo, measure_echo, played, sweep
from seance.audio.levels import NOTHING_DBFS, Room, Speech, measure_room, measure_speech
from seance.audio.microphone import Microphone, Status
from seance.audio.portaudio import SoundTrouble
from seance.audio.resampling import Block

_WANTED_SPEECH_DBFS = -20.0
_HIGHEST_PEAK_DBFS = -3.0
_GAINS_DB = (-20.0, 30.0)
_TAIL_MARGIN_SECONDS = 0.1
_MANY_CLIPPED = 0.001
_NEAR_ENOUGH_DB = 15.0
_SWEEP_AND_HUSH_SECONDS = 1.5
_MOST_SWEEPS = 5
_NO_BLOCK_SECONDS = 4.0


@dataclass(frozen=True, slots=True)
class Advice:
    """What to write into the settings, and what no setting mends."""

    gain_db: float | None
    """None when nobody spoke."""
    tail_seconds: float | None
    """None when the loudspeaker was not heard."""
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Calibration:
    """All that was measured, and what follows."""

    microphone: str | None
    speaker: str | None
    room: Room
    speech: Speech | None
    echo: Echo | None
    advice: Advice


@dataclass(frozen=True, slots=True)
class Recording:
    """What was heard, and when (monotonic) its first sample was."""

    samples: Block
    began: float


def calibrate(
    microphone: Microphone, speaker: Device | None, *, seconds: float, tell: Callable[[str], None]
) -> Calibration:
    """Measure for about *seconds*, telling the people at the table what to do next."""
    tell(f"Please be quiet for {seconds / 3:.0f} seconds: the room is being measured.")
    room = measure_room(record(microphone, seconds / 3).samples, microphone.rate)
    tell(f"Please say a few sentences from your seats for {seconds / 2:.0f} seconds.")
    speech = measure_speech(record(microphone, seconds / 2).samples, microphone.rate, room)
    echo = None
    if speaker is not None:
        tell("Thank you. Please be quiet once more: the loudspeaker sounds.")
        echo = _echo(microphone, speaker, room, sweeps=int(seconds / 6 / _SWEEP_AND_HUSH_SECONDS))
    return Calibration(
        microphone=microphone.device_name,
        speaker=speaker.name if speaker else None,
        room=room,
        speech=speech,
        echo=echo,
        advice=advise(room, speech, echo),
    )


def record(microphone: Microphone, seconds: float) -> Recording:
    """Return what *microphone* hears in the next *seconds*, or raise SoundTrouble when it stops hearing."""
    while microphone.read(timeout=0) is not None:
        pass
    blocks: list[Block] = []
    taken, began = 0, math.inf
    while taken < seconds * microphone.rate:
        block = microphone.read(timeout=_NO_BLOCK_SECONDS)
        if block is None or microphone.status is Status.LOST:
            raise SoundTrouble(f"{microphone} delivers no sound: is it plugged in?")
        blocks.append(block)
        taken += len(block)
        # Blocks arrive late when the machine is busy, never early: the earliest tells when it began.
        began = min(began, time.monotonic() - taken / microphone.rate)
    return Recording(np.concatenate(blocks), began)


def advise(room: Room, speech: Speech | None, echo: Echo | None) -> Advice:
    """Return the settings that suit what was measured."""
    gain, tail = None, None
    if speech is not None:
        wanted = min(_WANTED_SPEECH_DBFS - speech.level_dbfs, _HIGHEST_PEAK_DBFS - speech.peak_dbfs)
        gain = round(min(max(wanted, _GAINS_DB[0]), _GAINS_DB[1]) * 2) / 2
    if echo is not None:
        tail = math.ceil((echo.tail_seconds + _TAIL_MARGIN_SECONDS) * 20) / 20
    return Advice(gain, tail, tuple(_remarks(room, speech, echo)))


def settings_lines(calibration: Calibration) -> list[str]:
    """Return the lines of TOML that an owner puts into the settings."""
    lines = ["[microphone]"]
    if calibration.microphone is not None:
        lines.append(f"device = {_quoted(calibration.microphone)}")
    if calibration.advice.gain_db is not None:
        lines.append(f"gain_db = {calibration.advice.gain_db}")
    if calibration.advice.tail_seconds is not None:
        lines.append(f"tail_seconds = {calibration.advice.tail_seconds:.2f}")
    if calibration.speaker is not None:
        lines += ["", "[speaker]", f"device = {_quoted(calibration.speaker)}"]
    return lines


def _echo(microphone: Microphone, speaker: Device, room: Room, sweeps: int) -> Echo | None:
    """Return the median of several sweeps, at least one."""
    found: list[Echo] = []
    for _ in range(min(max(1, sweeps), _MOST_SWEEPS)):
        with played(sweep(microphone.rate), microphone.rate, speaker) as playing:
            heard = record(microphone, _SWEEP_AND_HUSH_SECONDS)
        echo = measure_echo(heard.samples, heard.began, microphone.rate, playing, room.noise_dbfs)
        if echo is not None:
            found.append(echo)
    if not found:
        return None
    return Echo(
        delay_seconds=median(echo.delay_seconds for echo in found),
        level_dbfs=median(echo.level_dbfs for echo in found),
        loss_db=median(echo.loss_db for echo in found),
        tail_seconds=max(echo.tail_seconds for echo in found),
    )


def _remarks(room: Room, speech: Speech | None, echo: Echo | None) -> list[str]:
    remarks = []
    if room.noise_dbfs <= NOTHING_DBFS:
        remarks.append("the microphone delivers digital silence when nobody speaks: is it muted?")
    if max(room.clipped, speech.clipped if speech else 0.0) > _MANY_CLIPPED:
        remarks.append("the microphone is overdriven: lower its capture level (`alsamixer`) and measure again")
    if speech is None:
        remarks.append("nobody was heard speaking, so no gain is suggested")
    elif speech.above_noise_db < _NEAR_ENOUGH_DB:
        remarks.append(f"speech is only {speech.above_noise_db:.0f} dB above the noise: bring the microphone nearer")
    if echo is None:
        remarks.append("the loudspeaker was not heard, so no tail is suggested: is it on, and loud enough?")
    return remarks


def _quoted(text: str) -> str:
    # A JSON string is a TOML string too, unless it has a lone surrogate.
    return json.dumps(text, ensure_ascii=False)
