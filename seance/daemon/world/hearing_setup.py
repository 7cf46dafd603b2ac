"""Opens the microphone that the settings ask for and starts to recognise speech."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from seance import settings as s
from seance.audio.array_geometry import ArrayGeometry, BadGeometry, load_geometry
from seance.audio.microphone import Microphone, MicrophoneStatus
from seance.audio.portaudio import SoundTrouble
from seance.daemon.loop import Inbox
from seance.daemon.world.echo_setup import EchoRemoval
from seance.daemon.world.hearing_thread import HearingThread
from seance.dialogue.faults import Fault
from seance.dialogue.grammar.sentences import Sentences
from seance.models import store
from seance.models.catalogue import ModelError
from seance.models.language_models import find_rescoring_model, require_recogniser
from seance.sound_settings import MicrophoneSection
from seance.wyoming.addresses import parse_address

if TYPE_CHECKING:
    # For their types alone: importing vosk takes long.
    from seance.hearing.active_grammar import Grammar
    from seance.hearing.array_recogniser import ArrayRecogniser
    from seance.hearing.recogniser import Recogniser
    from seance.wyoming.transcriber import WyomingTranscriber

MICROPHONE_SILENT_AFTER_S = 60.0
"""Seconds of digital silence after which a microphone is reported as silent."""

log = logging.getLogger(__name__)


def find_geometry(wanted: MicrophoneSection, report: Callable[[Fault], None]) -> ArrayGeometry | None:
    """Return the geometry of the array that is *wanted*; None without one, or where it cannot be used."""
    try:
        return load_geometry(wanted.array) if wanted.array else None
    except BadGeometry as why:
        log.warning("one microphone listens instead of an array: %s", why)
        report(Fault.ARRAY_MISSING)
        return None


def open_hearing(
    chosen: s.Settings,
    sentences: Sentences,
    talk_sentences: Sentences,
    build_grammar: Callable[[Sentences], Grammar],
    inbox: Inbox,
    stack: ExitStack,
    report: Callable[[Fault], None],
    *,
    geometry: ArrayGeometry | None = None,
    echo: EchoRemoval | None = None,
) -> HearingThread | None:
    """Open the microphone, or an array of *geometry*, and start to recognise speech; None where nothing can be heard.

    *talk_sentences* are those under a button to talk, without a wake word. The microphone's blocks pass through *echo*.
    """
    reported: list[Fault] = []
    array_news = [Fault.ARRAY_BACK]

    def on_status(status: MicrophoneStatus) -> None:
        # Silence is reported once an evening: a microphone with a mute switch would make the house talk all night.
        if status is MicrophoneStatus.LOST or (
            status is MicrophoneStatus.SILENT and Fault.MICROPHONE_SILENT not in reported
        ):
            lost = status is MicrophoneStatus.LOST
            reported.append(Fault.MICROPHONE_GONE if lost else Fault.MICROPHONE_SILENT)
            report(reported[-1])
        elif status is MicrophoneStatus.BACK and reported and reported[-1] is not Fault.MICROPHONE_BACK:
            reported.append(Fault.MICROPHONE_BACK)
            report(reported[-1])
        if geometry is not None and status in (MicrophoneStatus.LISTENING, MicrophoneStatus.BACK):
            report_array()
        if status is not MicrophoneStatus.CLOSED:
            hearing.set_missing("microphone", status in (MicrophoneStatus.LOST, MicrophoneStatus.SILENT))

    def report_array() -> None:
        # Another device may have been plugged in, with fewer channels or with all.
        news = Fault.ARRAY_BACK if microphone.delivers_array else Fault.ARRAY_MISSING
        if news is not array_news[-1]:
            array_news.append(news)
            report(news)

    try:
        model = require_recogniser(chosen.language)
    except ModelError as why:
        log.warning("nobody listens: %s", why)
        report(Fault.MODEL_MISSING)
        return None
    wanted = chosen.microphone
    microphone = Microphone(
        wanted.device,
        channel=wanted.channel,
        array_channels=geometry.channel_count if geometry else None,
        may_have_fewer=True,
        device_rate=wanted.rate,
        gain_db=wanted.gain_db,
        silent_after_seconds=MICROPHONE_SILENT_AFTER_S,
        keep_sound=Path(wanted.keep_sound).expanduser() if wanted.keep_sound else None,
        keep_megabytes=wanted.keep_megabytes,
        clean=echo.remover.process if echo else lambda block: block,
        on_status=on_status,
    )

    transcriber = _open_transcriber(chosen, stack)

    def load_recogniser() -> Recogniser | ArrayRecogniser | None:
        # Here, not above: importing vosk takes long.
        from seance.hearing.array_fallback import FallbackArrayRecogniser
        from seance.hearing.decoder_graph import UnknownWords
        from seance.hearing.recogniser import Recogniser
        from seance.hearing.vocabulary import BadModel

        try:
            recogniser = Recogniser(
                model,
                build_grammar(sentences),
                speaker_model=store.find("speaker"),
                rescoring_model=find_rescoring_model(chosen.language),
                transcriber=transcriber,
            )
            return FallbackArrayRecogniser(recogniser, geometry) if geometry else recogniser
        except (BadModel, UnknownWords) as why:
            log.warning("nobody listens, what is typed counts: %s", why)
            report(Fault.MODEL_MISSING)
            return None

    hearing = HearingThread(
        load_recogniser,
        sentences,
        build_grammar,
        inbox.put,
        inbox.put,
        inbox.put,
        talk_sentences=talk_sentences,
        only_talk=chosen.hearing.mode == "talk",
        echo=echo.remover if echo else None,
        ghost_deg=wanted.ghost_deg,
    )
    try:
        microphone.open()
    except SoundTrouble as trouble:
        log.info("nobody listens, what is typed counts: %s", trouble)
        return None
    stack.callback(hearing.close)
    stack.callback(microphone.close)
    hearing.start(microphone.blocks())
    return hearing


def _open_transcriber(chosen: s.Settings, stack: ExitStack) -> WyomingTranscriber | None:
    """Return the recogniser on another machine that the settings name."""
    if chosen.hearing.second is None:
        return None
    from seance.wyoming.transcriber import WyomingTranscriber  # for few owners

    transcriber = WyomingTranscriber(parse_address(chosen.hearing.second), chosen.language)
    stack.callback(transcriber.close)
    return transcriber
