"""The echo of a real loudspeaker at a real microphone, made of PulseAudio."""

import numpy as np

from seance.audio import portaudio
from seance.audio.echo_canceller import SpeexCanceller
from seance.audio.echo_reference import EchoReference
from seance.audio.echo_remover import EchoRemover
from seance.audio.formats import MIX_RATE_HZ
from seance.audio.microphone import Microphone
from seance.audio.playback import Playback
from seance.audio.waves import Wave
from tests.hearing.spoken import take


def test_what_the_house_plays_is_removed_from_what_its_microphone_hears(sound_rig):
    sound_rig.hold_microphone_to_speaker("loopback")
    portaudio.reinitialise()
    reference = EchoReference()
    remover = EchoRemover([SpeexCanceller()], reference)
    noise = np.random.default_rng(1).standard_normal(14 * MIX_RATE_HZ)
    bursts = np.sin(4 * np.pi * np.arange(len(noise)) / MIX_RATE_HZ) > -0.5
    with (
        Playback("speaker", buffer_seconds=0.2, on_played=reference.write) as playback,
        Microphone("loopback", clean=remover.process) as microphone,
    ):
        playback.queue_speech(Wave((0.1 * noise * bursts).astype(np.float32), MIX_RATE_HZ))
        take(microphone, 12)
    assert remover.is_trusted, remover.erle_db
