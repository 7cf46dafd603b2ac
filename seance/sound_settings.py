"""The settings of what is heard and said: microphone, hearing, loudspeaker and voice."""

from typing import Annotated, Literal

import msgspec

from seance.text_files import shorten
from seance.wyoming.addresses import check_server

PositiveInt = Annotated[int, msgspec.Meta(ge=1)]
VolumeFactor = Annotated[float, msgspec.Meta(ge=0, le=2)]
"""A factor of the amplitude: 0 is silence, 1 as it was made, 2 twice as strong."""

VOICE_ENGINES = ("auto", "espeak", "piper", "kokoro")
"""`auto` is what voice.toml says: as it comes, Kokoro where it and 2 GB are there, else Piper, else espeak."""


class MicrophoneSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The microphone; `seance calibrate` suggests the figures."""

    device: str | None = None
    """A part of its name; the machine's default without one."""
    channel: PositiveInt | None = None
    """The one channel to listen to, counted from 1; the mean of the first two without one."""
    array: str | None = None
    """The geometry of a microphone array: one that comes with the house, such as "ring4", or a file of your own."""
    ghost_deg: Annotated[float, msgspec.Meta(ge=0, le=360)] | None = None
    """Where the ghost sits, in degrees around the array: nothing said there is a command."""
    ghost_remark: bool = False
    """Whether the house remarks on what is said there, in editions whose ghost must be silent."""
    rate: PositiveInt | None = None
    """Sample rate at which to open it (hertz); 16000 without one, or its own where it refuses that."""
    gain_db: Annotated[float, msgspec.Meta(ge=-40, le=40)] = 0.0
    """Gain applied to what it hears (decibels)."""
    tail_seconds: Annotated[float, msgspec.Meta(ge=0, le=5)] = 0.3
    """How long it stays muted after playback, so that the house does not hear itself (seconds)."""
    drift_ppm: Annotated[float, msgspec.Meta(ge=-1000, le=1000)] = 0.0
    """How much faster its clock runs than the loudspeaker's (millionths); near 0 where both are one device."""
    keep_sound: str | None = None
    """A folder for recordings of all that is heard; nothing is kept without one."""
    keep_megabytes: PositiveInt = 500
    """How much sound that folder may hold (megabytes, 1.9 a minute); the oldest goes first."""


class HearingSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the house listens."""

    mode: Literal["open", "wake_word", "talk"] | None = None
    """What counts as said to the house: every command, those after the wake word, or only what is said while somebody
    holds a button to talk, or after a tap. `open` without one, or `wake_word` if there is such a word."""
    wake_word: str = ""
    """Said before every command, such as "spirit"; nothing needs to be said without one."""
    interrupt: Literal["auto", "off"] = "auto"
    """Whether the house listens while it speaks: as soon as it can tell its own voice from yours, or never."""
    names: str | None = None
    """A file with names of your own for psychics, levels and cards, over `voices/<language>/names.toml`."""
    second: str | None = None
    """A Wyoming server that recognises again what is in doubt: wyoming://host:port, or wyoming:// to find one."""

    def __post_init__(self) -> None:
        if self.second is not None:
            check_server("second", self.second)
        if self.mode is None:
            msgspec.structs.force_setattr(self, "mode", "wake_word" if self.wake_word else "open")
        if self.mode == "wake_word" and not self.wake_word:
            raise ValueError('`mode`: "wake_word" needs a word: set `wake_word`, such as "spirit"')
        if self.mode != "wake_word" and self.wake_word:
            problem = f"there is a wake word, {shorten(self.wake_word)!r}, but `mode` is {self.mode!r}"
            raise ValueError(f'`wake_word`: {problem}: leave out one of the two, or set `mode = "wake_word"`')


class SpeakerSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The loudspeaker."""

    device: str | None = None
    """A part of its name; the machine's default without one."""
    rate: PositiveInt | None = None
    """Sample rate at which to open it (hertz); 48000 without one, or its own where it refuses that."""
    buffer_seconds: Annotated[float, msgspec.Meta(ge=0.01, le=0.5)] = 0.04
    """Output latency; more where gaps are heard (seconds)."""
    volume: VolumeFactor = 1.0
    """Of everything; "louder" and "quieter" change it for an evening."""


class VoiceSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the narrator speaks, over `voices/<language>/voice.toml`."""

    engine: str = "auto"
    """One of VOICE_ENGINES, or a Wyoming server on another machine: wyoming://host:port, or wyoming:// to find one."""
    name: str | None = None
    """What espeak-ng, Kokoro or the server calls a voice, such as "en-us+f3" or "bf_emma", or the .onnx file of one of
    Piper's."""
    rate: Annotated[float, msgspec.Meta(ge=0.5, le=2)] = 1.0
    """How many times as fast as the voice is set up."""
    pitch: Annotated[float, msgspec.Meta(ge=-12, le=12)] = 0.0
    """Higher by so many semitones, or lower below 0."""
    volume: VolumeFactor = 1.0
    effects: bool = True
    """Whether the voice has reverberation and other effects."""
    cache_megabytes: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 300
    """Size of the cache of rendered lines on disk (megabytes)."""

    def __post_init__(self) -> None:
        if self.engine not in VOICE_ENGINES:
            check_server("engine", self.engine, VOICE_ENGINES)
