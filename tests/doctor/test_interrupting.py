"""The check whether the house can be interrupted."""

from types import TracebackType

import numpy as np

from seance.audio.waves import Wave
from seance.doctor import interrupting
from seance.doctor.interrupting import EchoDevices
from seance.texts import Texts
from tests.doctor.test_sound import quiet

TEXTS = Texts.load("doctor", "en")
DEVICES = EchoDevices(
    microphone="ring",
    channel=None,
    array="usb-4mic",
    microphone_rate=None,
    speaker=None,
    speaker_rate=None,
    volume=0.0,
    drift_ppm=0.0,
)


class Silent:
    """A loudspeaker and a voice, neither of which sounds."""

    def __init__(self, *_: object, **_more: object) -> None:
        pass

    def __enter__(self) -> "Silent":
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        pass

    def render(self, _text: str) -> Wave:
        return Wave(np.zeros(48_000, np.float32), 48_000)

    def set_volume(self, _volume: float) -> None:
        """There is none."""

    def queue_speech(self, _wave: Wave) -> None:
        """Play nothing."""


def test_the_echo_is_measured_at_the_first_microphone_of_an_array(monkeypatch):
    cleaned = []

    class SixChannels(Silent):
        """A device of which channel 2 is the first microphone."""

        rate = 16_000

        def __init__(self, _name, *, clean, array_channels, **_more: object) -> None:
            assert array_channels == 6
            self._clean = clean

        def read(self, _timeout):
            if cleaned:
                return None
            block = quiet(6)[:800]
            cleaned.append((block, self._clean(block)))
            return block

    monkeypatch.setattr(interrupting, "Microphone", SixChannels)
    monkeypatch.setattr(interrupting, "Playback", Silent)
    interrupting.interrupting(TEXTS, DEVICES, Silent, is_wanted=True)
    ((block, clean),) = cleaned
    assert [channel + 1 for channel in range(6) if (block[:, channel] != clean[:, channel]).any()] == [2]
