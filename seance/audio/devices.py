"""Input and output devices, listed and chosen by name as an owner writes it in the settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from seance.audio.portaudio import Infos, SoundTrouble, query_devices, rescan_devices

Direction = Literal["input", "output"]


@dataclass(frozen=True, slots=True)
class Device:
    """A microphone or a loudspeaker, as PortAudio lists it."""

    name: str
    host: str
    """The host API that offers it: ALSA, JACK …"""
    channels: int
    """The largest number of channels."""
    rate: int
    """The default sample rate (hertz)."""
    default: bool
    """Whether it is chosen when no name is given."""
    index: int
    """PortAudio's index, valid only until PortAudio is initialised again."""

    @property
    def label(self) -> str:
        """The name with the host API, which tells two devices of the same name apart."""
        return f"{self.name} ({self.host})"


class DeviceNotChosen(SoundTrouble):
    """The name that was given stands for no device, or for several."""

    def __init__(self, message: str, wanted: str | None, candidates: tuple[Device, ...]) -> None:
        super().__init__(message)
        self.wanted = wanted
        """The name; None for the default device."""
        self.candidates = candidates
        """The devices that match, or all that there are if none does."""


class NoSuchDevice(DeviceNotChosen):
    """No device matches the name, or there is no device at all."""


class AmbiguousDevice(DeviceNotChosen):
    """More than one device matches the name."""


def inputs() -> tuple[Device, ...]:
    """Return the microphones that were there when PortAudio was last initialised."""
    return _devices("input", *query_devices())


def outputs() -> tuple[Device, ...]:
    """Return the loudspeakers that were there when PortAudio was last initialised."""
    return _devices("output", *query_devices())


def rescan_inputs() -> tuple[Device, ...]:
    """Return the microphones that are plugged in now; their `index` is not valid in this process."""
    return _devices("input", *rescan_devices())


def rescan_outputs() -> tuple[Device, ...]:
    """Return the loudspeakers that are plugged in now; their `index` is not valid in this process."""
    return _devices("output", *rescan_devices())


def choose_input(name: str | None = None, among: tuple[Device, ...] | None = None) -> Device:
    """Return the microphone whose name contains *name*, ignoring case; the default one without a name."""
    return _choose("input", name, inputs() if among is None else among)


def choose_output(name: str | None = None, among: tuple[Device, ...] | None = None) -> Device:
    """Return the loudspeaker whose name contains *name*, ignoring case; the default one without a name."""
    return _choose("output", name, outputs() if among is None else among)


def _choose(direction: Direction, name: str | None, among: tuple[Device, ...]) -> Device:
    if not among:
        wanted = "" if name is None else f", so none that fits '{name}'"
        remedy = "plug one in, or see whether the sound system runs and this user is in the group audio"
        raise NoSuchDevice(f"there is no sound {direction}{wanted}: {remedy}", name, among)
    matches = _matches(name, among)
    if len(matches) == 1:
        return matches[0]
    if matches:
        message = f"several sound {direction}s fit '{name}': {_labels(matches)}; name one of them in full"
        raise AmbiguousDevice(message, name, tuple(matches))
    wanted = "is the default" if name is None else f"fits '{name}'"
    raise NoSuchDevice(f"no sound {direction} {wanted}; there are: {_labels(among)}", name, among)


def _matches(name: str | None, among: tuple[Device, ...]) -> list[Device]:
    """Return the devices called exactly *name*, else those whose name contains it."""
    if name is None:
        return [device for device in among if device.default]
    wanted = name.strip().casefold()
    exact = [device for device in among if wanted in (device.name.casefold(), device.label.casefold())]
    return exact or [device for device in among if wanted in device.name.casefold()]


def _labels(devices: tuple[Device, ...] | list[Device]) -> str:
    return ", ".join(f"'{device.label}'" for device in devices)


def _devices(direction: Direction, devices: Infos, hosts: Infos) -> tuple[Device, ...]:
    # PortAudio has a default for each host API; that of the first one with devices is the machine's.
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
