"""Everything an evening needs, built from the settings and let go of in reverse; nothing happens here."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hardware.body import Body
from hardware.buttons import Press
from seance import settings as s
from seance.audio import microphone as m
from seance.audio import playback as p
from seance.audio.microphone import Microphone
from seance.audio.playback import Playback
from seance.audio.portaudio import SoundTrouble
from seance.daemon.context import House
from seance.daemon.loop import Inbox
from seance.daemon.page_state import Pages
from seance.daemon.performers import Performance
from seance.daemon.signals import Failed, Pressed, Stop, Told
from seance.daemon.world.body_driver import Limbs
from seance.daemon.world.hearing_thread import Listener
from seance.daemon.world.startup import Woken, wake
from seance.daemon.world.voice_driver import LoudMouth
from seance.dialogue.conversation import Defaults
from seance.dialogue.grammar.sentences import Sentences
from seance.dialogue.replies import Fault
from seance.journal import Journal
from seance.models import store
from seance.narration.cue_builder import Opening, Pace
from seance.narration.cues import Cue, Whisper
from seance.narration.script import Script
from seance.narration.staging import NarrationStyle
from seance.rules import Edition, Psychic, Visions
from seance.soundscape.library import SoundLibrary
from seance.soundscape.music import Music, NoMusic
from seance.speech.cache import cache_folder
from seance.speech.synthesis import Synthesizer
from seance.web.callbacks import Lookups

if TYPE_CHECKING:
    # For their types alone: vosk is for the ear to import.
    from seance.hearing.grammar import Grammar
    from seance.hearing.recogniser import Recogniser

SILENT_AFTER = 60.0
"""Seconds without the least sound after which a microphone is taken for dead."""

SHUTDOWN = "shutdown"
"""What a board calls the buttons that, held together, end everything."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class World:
    """What an evening is held with, and whom it is told to."""

    house: House
    inbox: Inbox
    performance: Performance
    body: Body
    has_microphone: bool
    pages: Pages
    address: str | None
    """Where the pages are; None where nobody can open them."""


@contextmanager
def open_world(
    chosen: s.Settings,
    *,
    editions: Mapping[str, Edition],
    names: Mapping[str, str],
    voice: Callable[[Callable[[str], None]], Synthesizer],
    build_grammar: Callable[[Sentences], Grammar],
    show: Callable[[Cue], None],
    woken: Woken | None = None,
    board: str | None = None,
    ears: bool = True,
    sound: bool = True,
    keyboard: bool = True,
    lookups: Lookups | None = None,
) -> Iterator[World]:
    """Build all that *chosen* asks for; what is missing is told to the host, and the evening is held without it.

    Its body is *woken* already, or that of *board* or of the settings.
    """
    inbox: Inbox = Inbox()

    def fail(fault: Fault) -> None:
        inbox.put(Failed(fault))

    with ExitStack() as stack:
        woken = woken or wake(board or chosen.body.board)
        body = stack.enter_context(woken.body)
        if woken.stands_in:
            fail(Fault.BOARD_MISSING)
        journal = stack.enter_context(Journal.open(s.journal_path(chosen)))
        house = furnished(chosen, journal, editions=editions, names=names)
        mouth, listener = _mouth(chosen, voice, stack, fail) if sound else None, None
        if ears:
            listener = _listener(chosen, house.sentences, build_grammar, inbox, stack, fail)
        pages = Pages(language=chosen.language, pace=chosen.telling.pace, edition=editions[chosen.game.edition])

        def shown(cue: Cue) -> None:
            # What is whispered to a ghost with a page of its own is not shown where others may read it.
            if not isinstance(cue, Whisper) or pages.board.shown.chair.holder is None:
                show(cue)
            pages.perceive(cue)

        performance = Performance(
            mouth or _Dumb(),
            Limbs(body),
            expect=listener.expect if listener else lambda _: None,
            enrol=listener.enrol if listener else lambda _: None,
            told=lambda mark: inbox.put(Told(mark.night, mark.step)),
            show=shown,
        )
        _connect(body, mouth, listener, inbox)
        house = replace(house, customs=replace(house.customs, pages_only=listener is None and not keyboard))
        level = listener.level if listener else lambda: None
        address = _served(chosen.web, house, pages, inbox, stack, level=level, lookups=lookups or Lookups())
        if address is not None and chosen.web.listen == "network":
            house = replace(house, address=address.removeprefix("http://").rstrip("/"))
        if mouth is not None:
            mouth.prepare(house.stage.script.fixed_lines())
        stack.callback(lambda: time.sleep(body.sweep()))  # good night, once nothing else is performed
        stack.enter_context(performance)
        yield World(house, inbox, performance, body, listener is not None, pages, address)


def furnished(
    chosen: s.Settings, journal: Journal, *, editions: Mapping[str, Edition], names: Mapping[str, str]
) -> House:
    """Return the house as its owner wants it."""
    called = {Psychic(colour): name for colour, name in names.items()}
    own, spirit = _path(chosen.telling.lines), chosen.hearing.wake_word
    stage = NarrationStyle(
        script=Script.load(chosen.language, own, names=called),
        pace=Pace(chosen.telling.pace),
        opening=Opening(chosen.telling.opening),
        first_night=chosen.telling.first_night,
        editions=editions,
    )
    game = chosen.game
    return House(
        sentences=Sentences.load(chosen.language, names_file=_path(chosen.hearing.names), wake_word=spirit),
        stage=stage,
        customs=Defaults(
            editions=editions,
            edition=game.edition,
            players=game.players,
            level=game.level,
            visions=Visions(game.visions),
        ),
        journal=journal,
        seeds=lambda: secrets.randbits(63),
        names=names,
    )


def _served(
    web: s.WebSection,
    house: House,
    pages: Pages,
    inbox: Inbox,
    stack: ExitStack,
    *,
    level: Callable[[], float | None],
    lookups: Lookups,
) -> str | None:
    """Serve the pages, and return where they are; where that cannot be, it is told and the night goes on without."""
    if web.listen == "off":
        return None
    # Here, not above: an evening without pages must not wait for Starlette.
    from seance.daemon.world.web_thread import served
    from seance.web.address import PortTaken

    pages_of = served(
        web.listen, web.port, web.name, house=house, pages=pages, inbox=inbox, level=level, lookups=lookups
    )
    try:
        address = stack.enter_context(pages_of)
    except PortTaken as why:
        log.warning("%s: the night goes on without them", why)
        inbox.put(Failed(Fault.PAGES_MISSING))
        return None
    log.info("the pages are at %s", address)
    return address


def _path(given: str | None) -> Path | None:
    return Path(given).expanduser() if given else None


def _mouth(
    chosen: s.Settings,
    voice: Callable[[Callable[[str], None]], Synthesizer],
    stack: ExitStack,
    fail: Callable[[Fault], None],
) -> LoudMouth:
    was_there = False

    def stands(status: p.LoudspeakerStatus) -> None:
        nonlocal was_there
        if status is p.LoudspeakerStatus.LOST and was_there:
            fail(Fault.SPEAKER_GONE)
        elif status is p.LoudspeakerStatus.BACK:
            fail(Fault.SPEAKER_BACK)
        was_there = was_there or status.audible

    def replaced(why: str) -> None:
        log.warning("%s", why)
        fail(Fault.VOICE_REPLACED)

    wanted = chosen.speaker
    playback = Playback(
        wanted.device,
        device_rate=wanted.rate,
        buffer_seconds=wanted.buffer_seconds,
        tail_seconds=chosen.microphone.tail_seconds,
        on_status=stands,
    )
    stack.enter_context(playback)
    try:
        speaker = stack.enter_context(voice(replaced))
    except ValueError as why:
        log.warning("there is no voice, lines are only shown: %s", why)
        fail(Fault.VOICE_MISSING)
        speaker = None
    repertoire = SoundLibrary(cache_folder() / "sounds", ambience=chosen.ambience.on, music=_music(chosen, stack))
    return LoudMouth(
        speaker,
        playback,
        repertoire,
        volume=wanted.volume,
        speech=chosen.voice.volume,
        earcons=chosen.earcons.volume if chosen.earcons.on else 0.0,
        ambience=chosen.ambience.volume,
        on_dumb=lambda: fail(Fault.VOICE_MISSING),
    )


def _music(chosen: s.Settings, stack: ExitStack) -> Music | None:
    if chosen.ambience.music is None:
        return None
    try:
        music = Music(Path(chosen.ambience.music).expanduser())
    except NoMusic as why:
        log.warning("%s: our own sounds instead", why)
        return None
    stack.callback(music.close)
    return music


def _listener(
    chosen: s.Settings,
    sentences: Sentences,
    build_grammar: Callable[[Sentences], Grammar],
    inbox: Inbox,
    stack: ExitStack,
    fail: Callable[[Fault], None],
) -> Listener | None:
    """Return who listens at the microphone; None where there is none, or no model to understand it with."""
    told: list[Fault] = []

    def stands(status: m.MicrophoneStatus) -> None:
        # That it is silent is told once an evening: a mute switch of its own would make the house talk all night.
        if status is m.MicrophoneStatus.LOST or (
            status is m.MicrophoneStatus.SILENT and Fault.MICROPHONE_SILENT not in told
        ):
            lost = status is m.MicrophoneStatus.LOST
            told.append(Fault.MICROPHONE_GONE if lost else Fault.MICROPHONE_SILENT)
            fail(told[-1])
        elif status is m.MicrophoneStatus.BACK and told and told[-1] is not Fault.MICROPHONE_BACK:
            told.append(Fault.MICROPHONE_BACK)
            fail(told[-1])

    model = store.find(chosen.language)
    if model is None:
        log.warning("there is no speech model: `seance models fetch %s` fetches one", chosen.language)
        fail(Fault.MODEL_MISSING)
        return None
    mine = chosen.microphone
    microphone = Microphone(
        mine.device,
        channel=mine.channel,
        device_rate=mine.rate,
        gain_db=mine.gain_db,
        silent_after_seconds=SILENT_AFTER,
        keep_sound=_path(mine.keep_sound),
        keep_megabytes=mine.keep_megabytes,
        on_status=stands,
    )
    try:
        microphone.open()
    except SoundTrouble as trouble:
        log.info("nobody listens, what is typed counts: %s", trouble)
        return None

    def wake_ear() -> Recogniser | None:
        # Here, not above: the lights must not wait for vosk.
        from seance.hearing.decoder_graph import UnknownWords
        from seance.hearing.recogniser import Recogniser
        from seance.hearing.vocabulary import BadModel

        try:
            return Recogniser(
                model,
                build_grammar(sentences),
                speaker_model=store.find("speaker"),
                rescoring_model=store.find_rescoring_model(chosen.language),
            )
        except (BadModel, UnknownWords) as why:
            log.warning("nobody listens, what is typed counts: %s", why)
            fail(Fault.MODEL_MISSING)
            return None

    listener = Listener(wake_ear, sentences, build_grammar, inbox.put)
    stack.callback(listener.close)
    stack.callback(microphone.close)
    listener.listen(microphone.blocks())
    return listener


def _connect(body: Body, mouth: LoudMouth | None, listener: Listener | None, inbox: Inbox) -> None:
    """Let presses and knocks go where they belong."""

    def pressed(press: Press) -> None:
        is_shutdown = press.name == SHUTDOWN
        inbox.put(Stop(power_off=not body.is_virtual) if is_shutdown else Pressed(press.name, press.long))

    def muted(wanted: bool) -> None:
        if listener is not None:
            listener.shut("muted", wanted)
        body.mute.show(wanted or listener is None)

    body.buttons.when_pressed = pressed
    body.mute.when_switched = muted
    muted(body.mute.wanted)
    if mouth is not None:
        if listener is not None:
            mouth.on_speaking(lambda speaks: listener.shut("speaking", speaks))
        if body.is_virtual:
            body.knocker.when_knocked = lambda _: mouth.knock()


class _Dumb:
    """A mouth for an evening without sound: lines are only shown."""

    def say(self, text: str) -> None:
        """Say nothing."""

    def prepare(self, texts: object) -> None:
        """Prepare nothing."""

    def say_again(self) -> None:
        """Say nothing again."""

    def hush(self) -> None:
        """Stay silent."""

    def ring(self, sound: str) -> None:
        """Ring nothing."""

    def surround(self, mood: str) -> None:
        """Sound like nothing."""

    def louder(self, steps: int) -> None:
        """Be as silent as before."""
