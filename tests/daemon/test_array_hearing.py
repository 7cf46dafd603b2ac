"""The house with an array: real sound through real PortAudio, and devices that are pulled out and put in."""

import queue
from contextlib import ExitStack
from dataclasses import replace

import numpy as np
import pytest

from seance.audio import devices, microphone, portaudio
from seance.audio.array_geometry import load_geometry
from seance.daemon.chair_signals import GhostOverheard
from seance.daemon.loop import Inbox
from seance.daemon.signals import Heard
from seance.daemon.world.hearing_setup import find_geometry, open_hearing
from seance.dialogue.faults import Fault
from seance.dialogue.grammar.sentences import Sentences
from seance.programs.hear import build_grammar
from seance.settings import Settings
from seance.sound_settings import MicrophoneSection
from tests.array_sound import arriving, room_noise
from tests.daemon.spoken import voiced
from tests.hearing.spoken import write

WANTED = {"place_intuition"}
DIRECTION_DEG = 200.0
GHOST = "from the ghost's seat"
"""What a house hears that knows the direction; with one microphone it is a card."""


class House:
    """A house that hears at the device `ring`, whose number of channels is *channels*."""

    def __init__(self, monkeypatch, rig, folder, stack):
        self.rig, self.folder, self.channels = rig, folder, 4
        self.faults = queue.SimpleQueue()
        self.inbox = Inbox()
        self._stack = stack
        choose = devices.choose_input  # under PulseAudio each device has as many channels as are asked for
        monkeypatch.setattr(microphone, "choose_input", lambda *a: replace(choose(*a), channels=self.channels))

    def open(self, array="ring4"):
        settings = Settings(microphone=MicrophoneSection(device="ring", array=array, ghost_deg=DIRECTION_DEG))
        geometry = find_geometry(settings.microphone, self.faults.put)
        sentences = Sentences.load("en").narrow(WANTED)
        self.hearing = open_hearing(
            settings, sentences, sentences, build_grammar, self.inbox, self._stack, self.faults.put, geometry=geometry
        )
        assert self.hearing is not None

    def hears(self, sound):
        """Return the card in *sound*, or GHOST, said into the room until the house hears it, as guests do."""
        wav = write(self.folder / "said.wav", (sound * 32767).astype(np.int16))
        for _ in range(4):
            self.rig.speak_in_room(wav, "ring")
            while not self.inbox.empty():
                signal = self.inbox.get()
                if isinstance(signal, GhostOverheard):
                    return GHOST
                if isinstance(signal, Heard) and signal.intent is not None:
                    return signal.intent.slots["card"]
        return None


@pytest.fixture
def house(monkeypatch, sound_rig, tmp_path):
    sound_rig.add_microphone("ring", channels=4)
    portaudio.reinitialise()
    with ExitStack() as stack:
        yield House(monkeypatch, sound_rig, tmp_path, stack)


def said(text):
    """Return *text* as a ring of four hears it from the ghost's seat."""
    pause = np.zeros(16_000, np.float32)
    sound = np.concatenate([pause, voiced(text, "en-us"), pause])
    return arriving(0.3 * sound / np.abs(sound).max(), load_geometry("ring4"), DIRECTION_DEG) + room_noise(
        len(sound), 4
    )


def test_a_device_with_too_few_channels_is_one_microphone_that_hears(house, caplog):
    house.channels = 2
    house.open()
    assert house.faults.get(timeout=10) is Fault.ARRAY_MISSING
    assert house.hears(said("I choose card seven")) == 7
    assert any("has 2 channels, but the array has 4" in record.getMessage() for record in caplog.records)


@pytest.mark.parametrize("array", ["ring5", "/nowhere/mine.toml"])
def test_without_a_geometry_that_can_be_used_one_microphone_hears(house, array):
    house.open(array)
    assert house.faults.get(timeout=10) is Fault.ARRAY_MISSING
    assert house.hears(said("I choose card seven")) == 7


def test_an_array_that_is_pulled_out_and_put_in_again_hears(house):
    house.open()
    assert house.hears(said("I choose card seven")) == GHOST
    house.rig.stop()
    assert house.faults.get(timeout=10) is Fault.MICROPHONE_GONE
    house.rig.start()
    assert house.faults.get(timeout=10) is Fault.MICROPHONE_BACK
    assert house.hears(said("I choose card nine")) == GHOST
    assert house.faults.empty()


def test_another_device_with_all_channels_is_an_array_again(house):
    house.channels = 1
    house.open()
    assert house.faults.get(timeout=10) is Fault.ARRAY_MISSING
    house.rig.stop()
    assert house.faults.get(timeout=10) is Fault.MICROPHONE_GONE
    house.channels = 4
    house.rig.start()
    assert [house.faults.get(timeout=10) for _ in range(2)] == [Fault.MICROPHONE_BACK, Fault.ARRAY_BACK]
    assert house.hears(said("I choose card nine")) == GHOST
