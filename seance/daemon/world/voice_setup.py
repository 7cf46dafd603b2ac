"""Opens the loudspeaker, the voice and the music that the settings ask for."""

import logging
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from seance import settings as s
from seance.audio.playback import LoudspeakerStatus, Playback
from seance.daemon.world.echo_setup import EchoRemoval
from seance.daemon.world.voice_driver import VoiceDriver
from seance.dialogue.faults import Fault
from seance.narration.lore import NARRATOR
from seance.soundscape.library import SoundLibrary
from seance.soundscape.music import Music, NoMusic
from seance.speech.cache import cache_folder
from seance.speech.synthesis import Synthesizer

log = logging.getLogger(__name__)


def open_voice(
    chosen: s.Settings,
    make_synthesizer: Callable[[Callable[[str], None]], Synthesizer],
    stack: ExitStack,
    report: Callable[[Fault], None],
    *,
    echo: EchoRemoval | None = None,
) -> VoiceDriver:
    """Open the loudspeaker, which tells *echo* what it plays, and the voice; lines are only shown if there is none."""
    was_audible = False

    def on_status(status: LoudspeakerStatus) -> None:
        nonlocal was_audible
        if status is LoudspeakerStatus.LOST and was_audible:
            report(Fault.SPEAKER_GONE)
        elif status is LoudspeakerStatus.BACK:
            report(Fault.SPEAKER_BACK)
        was_audible = was_audible or status.audible

    def on_replaced(why: str) -> None:
        log.warning("%s", why)
        report(Fault.VOICE_REPLACED)

    wanted = chosen.speaker
    playback = Playback(
        wanted.device,
        device_rate=wanted.rate,
        buffer_seconds=wanted.buffer_seconds,
        tail_seconds=chosen.microphone.tail_seconds,
        on_played=echo.reference.write if echo else lambda _samples, _due: None,
        on_status=on_status,
    )
    stack.enter_context(playback)
    try:
        synthesizer = stack.enter_context(make_synthesizer(on_replaced))
    except ValueError as why:
        log.warning("there is no voice, lines are only shown: %s", why)
        report(Fault.VOICE_MISSING)
        synthesizer = None
    sound_library = SoundLibrary(
        cache_folder() / "sounds", ambience=chosen.ambience.on, music=_open_music(chosen, stack)
    )
    return VoiceDriver(
        synthesizer,
        playback,
        sound_library,
        volume=wanted.volume,
        speech=chosen.voice.volume,
        earcons=chosen.earcons.volume if chosen.earcons.on else 0.0,
        ambience=chosen.ambience.volume,
        on_voice_failed=lambda: report(Fault.VOICE_MISSING),
    )


def _open_music(chosen: s.Settings, stack: ExitStack) -> Music | None:
    if chosen.ambience.music is None:
        return None
    try:
        music = Music(Path(chosen.ambience.music).expanduser())
    except NoMusic as why:
        log.warning("%s: our own sounds instead", why)
        return None
    stack.callback(music.close)
    return music


class SilentVoice:
    """A voice for an evening without sound."""

    def say(self, text: str, who: str = NARRATOR) -> bool:  # noqa: ARG002 - it says nothing
        """Return False: nobody can hear it."""
        return False

    def prepare(self, texts: object, who: str = NARRATOR) -> None:
        """Do nothing."""

    def say_again(self) -> None:
        """Do nothing."""

    def hush(self) -> None:
        """Do nothing."""

    def play_earcon(self, name: str) -> None:
        """Do nothing."""

    def set_ambience(self, mood: str) -> None:
        """Do nothing."""

    def change_volume(self, steps: int) -> None:
        """Do nothing."""
