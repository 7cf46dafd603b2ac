"""Inputs and outputs by name, the way an owner writes them in the settings; opens none of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from seance.audio.portaudio import Facts, SoundTrouble, listed, listed_afresh

Direction = Literal["input", "output"]


class NoSuchDevice(SoundTrouble):
    """No device fits the name, or there is none at all."""


class SeveralDevices(SoundTrouble):
    """More than one device fits the name."""


@dataclass(frozen=True, slots=True)
class Device:
    """A microphone or a loudspeaker, as PortAudio sees it."""

    name: str
    host: str
    """The sound system that offers it: ALSA, JACK …"""
    channels: int
    """How many it has at most."""
    rate: int
    """Its own sample rate (hertz)."""
    default: bool
    """Whether it is taken when nobody names one."""
    index: int
    """PortAudio's number for it, good only until PortAudio is initialised again."""

    @property
    def label(self) -> str:
        """The name with the sound system, which tells apart two devices of one name."""
        return f"{self.name} ({self.host})"


def inputs() -> tuple[Device, ...]:
    """Return the microphones that this process sees."""
    return _devices("input", *listed())


def outputs() -> tuple[Device, ...]:
    """Return the loudspeakers that this process sees."""
    return _devices("output", *listed())


def inputs_afresh() -> tuple[Device, ...]:
    """Return the microphones that are plugged in now; their index means nothing to this process."""
    return _devices("input", *listed_afresh())


def outputs_afresh() -> tuple[Device, ...]:
    """Return the loudspeakers that are plugged in now; their index means nothing to this process."""
    return _devices("output", *listed_afresh())


def choose_input(name: str | None = None, among: tuple[Device, ...] | None = None) -> Device:
    """Return the microphone whose name contains *name*, whatever the case; the default one without a name."""
    return _choose("input", name, inputs() if among is None else among)


def choose_output(name: str | None = None, among: tuple[Device, ...] | None = None) -> Device:
    """Return the loudspeaker whose name contains *name*, whatever the case; the default one without a name."""
    return _choose("output", name, outputs() if among is None else among)


def _choose(direction: Direction, name: str | None, among: tuple[Device, ...]) -> Device:
    if not among:
        wanted = "" if name is None else f", so none that fits '{name}'"
        remedy = "plug one in, or see whether the sound system runs and this user is in the group audio"
        raise NoSuchDevice(f"there is no sound {direction}{wanted}: {remedy}")
    fits = _fits(name, among)
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise SeveralDevices(f"several sound {direction}s fit '{name}': {_names(fits)}; name one of them in full")
    wanted = "is the default" if name is None else f"fits '{name}'"
    raise NoSuchDevice(f"no sound {direction} {wanted}; there are: {_names(among)}")


def _fits(name: str | None, among: tuple[Device, ...]) -> list[Device]:
    """Return who is called *name*; where nobody is, whose name contains it."""
    if name is None:
        return [device for device in among if device.default]
    wanted = name.strip().casefold()
    called = [device for device in among if wanted in (device.name.casefold(), device.label.casefold())]
    return called or [device for device in among if wanted in device.name.casefold()]


def _names(devices: tuple[Device, ...] | list[Device]) -> str:
    return ", ".join(f"'{device.label}'" for device in devices)


def _devices(direction: Direction, devices: Facts, hosts: Facts) -> tuple[Device, ...]:
    # PortAudio has one default for each host API; the first that has any is the machine's.
    default = next((host[f"default_{direction}_device"] for host in hosts if host["devices"]), -1)
    return tuple(
        Device(
            name=device["name"],
            host=hosts[device["hostapi"]]["name"],
            channels=device[f"max_{direction}_channels"],
            rate=round(device["default_samplerate"]),
            default=index == default,
            index=index,
        )
        for index, device in enumerate(devices)
        if device[f"max_{direction}_channels"] > 0
    )
