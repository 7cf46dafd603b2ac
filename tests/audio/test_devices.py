import ctypes.util
import subprocess
import sys

import pytest

from seance.audio import devices, portaudio
from seance.audio.devices import AmbiguousDevice, Device, NoSuchDevice, choose_input, choose_output


def device(name, host="ALSA", *, default=False, index=0):
    return Device(name, host, channels=1, rate=48000, default=default, index=index)


YETI = device("Yeti Stereo: USB Audio (hw:1,0)")
WEBCAM = device("HD Webcam: USB Audio (hw:2,0)")
SYSDEFAULT = device("sysdefault")
DEFAULT = device("default", default=True)
ALL = (YETI, WEBCAM, SYSDEFAULT, DEFAULT)


def test_a_part_of_the_name_is_enough_whatever_the_case():
    assert choose_input("yeti", ALL) is YETI


def test_without_a_name_it_is_the_default():
    assert choose_input(None, ALL) is DEFAULT


def test_the_full_name_wins_over_a_name_that_contains_it():
    assert choose_input("Default", ALL) is DEFAULT


def test_several_that_fit_are_named():
    with pytest.raises(AmbiguousDevice) as refusal:
        choose_input("usb audio", ALL)
    assert str(refusal.value) == (
        "several sound inputs fit 'usb audio': 'Yeti Stereo: USB Audio (hw:1,0) (ALSA)', "
        "'HD Webcam: USB Audio (hw:2,0) (ALSA)'; name one of them in full"
    )


def test_two_of_one_name_are_told_apart_by_their_sound_system():
    jack = device("default", host="JACK")
    assert choose_output("default (jack)", (*ALL, jack)) is jack


def test_none_that_fits_lists_what_is_there():
    with pytest.raises(NoSuchDevice, match=r"no sound output fits 'hdmi'; there are: 'sysdefault \(ALSA\)'$"):
        choose_output("hdmi", (SYSDEFAULT,))


def test_no_device_at_all_says_what_to_do():
    with pytest.raises(NoSuchDevice, match="there is no sound input, so none that fits 'yeti': plug one in"):
        choose_input("yeti", ())


@pytest.mark.usefixtures("sound_rig")
def test_inputs_are_the_microphones_and_not_the_loudspeaker():
    assert [(found.name, found.default) for found in devices.inputs()] == [("room", False), ("default", True)]


@pytest.mark.usefixtures("sound_rig")
def test_outputs_are_the_loudspeakers_and_not_the_microphone():
    assert [(found.name, found.default) for found in devices.outputs()] == [("speaker", False), ("default", True)]


def test_a_look_from_outside_sees_what_was_plugged_in_since(sound_rig):
    sound_rig.add_microphone("late")
    assert "late" in [found.name for found in devices.rescan_inputs()]
    assert "late" not in [found.name for found in devices.inputs()]


def test_a_missing_portaudio_says_what_to_install(monkeypatch):
    monkeypatch.delitem(sys.modules, "sounddevice", raising=False)
    monkeypatch.setattr(ctypes.util, "find_library", lambda _: None)
    with pytest.raises(portaudio.NoPortAudio, match="run `apt-get install libportaudio2`"):
        devices.inputs()


def test_alsa_does_not_write_into_the_terminal_of_whoever_plays():
    fail = """
import ctypes
from seance.audio import portaudio
portaudio.library()
handle = ctypes.c_void_p()
assert ctypes.CDLL("libasound.so.2").snd_pcm_open(ctypes.byref(handle), b"no such card", 0, 0) < 0
"""
    done = subprocess.run([sys.executable, "-c", fail], capture_output=True, text=True, check=True)
    assert done.stderr == ""
