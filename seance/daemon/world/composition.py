"""Builds everything an evening needs from the settings, and closes it in reverse order."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hardware.body import Body
from hardware.buttons import Press
from hardware.clock import explain_missing_lamps
from seance import settings as s
from seance.daemon.context import EveningContext
from seance.daemon.loop import Inbox
from seance.daemon.page_publisher import PagePublisher
from seance.daemon.performers import CuePerformer
from seance.daemon.room_devices import RoomDevices
from seance.daemon.signals import ButtonPress, FaultReport, StepTold, Stop, Talk
from seance.daemon.world.body_driver import BodyDriver
from seance.daemon.world.echo_setup import open_echo_removal
from seance.daemon.world.evening_script import load_evening_script
from seance.daemon.world.hearing_setup import find_geometry, open_hearing
from seance.daemon.world.hearing_thread import SPEAKING, HearingThread
from seance.daemon.world.idle_rendering import IdleRendering
from seance.daemon.world.rendering_ahead import RenderingAhead
from seance.daemon.world.startup import StartedBody, start_body
from seance.daemon.world.voice_driver import VoiceDriver
from seance.daemon.world.voice_setup import SilentVoice, open_voice
from seance.dialogue.conversation import Defaults
from seance.dialogue.faults import Fault
from seance.dialogue.grammar.sentences import Sentences
from seance.dialogue.opening import Opening
from seance.dialogue.sand_mode import SandMode
from seance.ghost_words import GhostWords
from seance.journal import Journal
from seance.mqtt_settings import MqttSection
from seance.narration.cue_builder import Pace
from seance.narration.cues import Cue, Say, Whisper
from seance.narration.help_card import HelpTexts
from seance.narration.staging import NarrationStyle
from seance.permissions import GAME_ACTIONS, Action
from seance.plain_text import error_line
from seance.rules import Edition, Visions
from seance.speech.synthesis import Synthesizer
from seance.web.callbacks import Lookups
from seance.web.host_access import HostAccess

if TYPE_CHECKING:
    # For their types alone: importing vosk takes long.
    from seance.hearing.active_grammar import Grammar

SHUTDOWN_BUTTON = "shutdown"
"""The name on every board of the buttons that, held together, switch the machine off."""

_DEVICE_ACTIONS: Mapping[str, Action] = {
    "pause": Action.PAUSE,
    "volume": Action.VOLUME,
    "say": Action.NARRATE,
    "sand": Action.CHANGE_SAND,
    "knock": Action.KNOCK,
}
"""What `mqtt.allow` allows."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EveningParts:
    """Everything that one evening is run with."""

    context: EveningContext
    inbox: Inbox
    performer: CuePerformer
    body: Body
    has_microphone: bool
    pages: PagePublisher
    address: str | None
    """The URL of the pages; None if they are not served."""
    host_access: HostAccess
    ahead: RenderingAhead | None
    """None where the voice is quick, or there is none."""


@contextmanager
def compose_evening(
    chosen: s.Settings,
    *,
    editions: Mapping[str, Edition],
    names: Mapping[str, str],
    make_synthesizer: Callable[[Callable[[str], None]], Synthesizer],
    build_grammar: Callable[[Sentences], Grammar],
    show: Callable[[Cue], None],
    started_body: StartedBody | None = None,
    with_hearing: bool = True,
    with_sound: bool = True,
    with_keyboard: bool = True,
    lookups: Lookups | None = None,
    host_access: HostAccess | None = None,
    idle_render_command: Sequence[str] = (),
    is_watched: bool = False,
) -> Iterator[EveningParts]:
    """Build what *chosen* asks for; a missing device is reported as a fault, and the evening goes on without it.

    The body is *started_body*, else that of the settings. In idle hours a slow voice runs *idle_render_command*.
    Where *is_watched*, lines without sound wait to be read.
    """
    inbox: Inbox = Inbox()

    def report(fault: Fault) -> None:
        inbox.put(FaultReport(fault))

    with ExitStack() as stack:
        started_body = started_body or start_body(chosen.body.board)
        body = stack.enter_context(started_body.body)
        if started_body.is_substitute:
            report(Fault.BOARD_MISSING)
        journal = stack.enter_context(Journal.open(s.journal_path(chosen)))
        context = build_context(chosen, journal, editions=editions, names=names)
        if (clock := explain_missing_lamps(len(body.clock), editions[chosen.game.edition].turns)) is not None:
            log.warning("%s", clock)
        geometry = find_geometry(chosen.microphone, report) if with_hearing else None
        channels = geometry.channels if geometry else (0,)
        echo = open_echo_removal(chosen, channels=channels) if with_sound and with_hearing else None
        voice = open_voice(chosen, make_synthesizer, stack, report, echo=echo) if with_sound else None
        hearing = None
        if with_hearing:
            # Under a button to talk nobody needs to say the wake word.
            is_called = bool(chosen.hearing.wake_word)
            talk_sentences = _load_sentences(chosen, editions, wake_word="") if is_called else context.sentences
            hearing = open_hearing(
                chosen,
                context.sentences,
                talk_sentences,
                build_grammar,
                inbox,
                stack,
                report,
                geometry=geometry,
                echo=echo,
            )
        pages = PagePublisher(language=chosen.language, pace=chosen.telling.pace, edition=editions[chosen.game.edition])

        def show_everywhere(cue: Cue) -> None:
            # What is whispered to a ghost at a page is not shown on the screen, where others may read it.
            if not isinstance(cue, Whisper) or pages.latest.current.seat.holder is None:
                show(cue)
            if isinstance(cue, Say) and cue.in_room_only:
                log.info("told in the room alone: %s", cue.text)
            pages.publish_cue(cue)

        performer = CuePerformer(
            voice or SilentVoice(),
            BodyDriver(body),
            expect=hearing.expect if hearing else lambda _: None,
            enrol=hearing.enrol if hearing else lambda _: None,
            listen=hearing.listen if hearing else lambda _: None,
            on_mark=lambda mark: inbox.put(StepTold(mark.night, mark.step)),
            show=show_everywhere,
            reading_speed=chosen.telling.reading_speed if is_watched else 0.0,
        )
        _connect_body(body, voice, hearing, inbox)
        yes_button = not body.is_virtual and "yes" in body.buttons.names
        devices = RoomDevices(
            keyboard=with_keyboard,
            yes_button=yes_button,
            hearing=hearing is not None,
            array=hearing is not None and geometry is not None,
            ghost_deg=chosen.microphone.ghost_deg,
        )
        context = replace(context, devices=devices)
        level = hearing.level if hearing else lambda: None
        host_access = host_access or HostAccess()
        serve = partial(_serve_pages, level=level, lookups=lookups or Lookups(), host_access=host_access)
        address = serve(chosen.web, context, pages, inbox, stack)
        if address is not None and chosen.web.listen == "network":
            context = replace(context, pages_address=address.removeprefix("http://").rstrip("/"))
        if chosen.mqtt.broker is not None:
            _join_mqtt(chosen.mqtt, context, pages, inbox, stack)
        ahead = None
        if voice is not None:
            idle_rendering = IdleRendering(idle_render_command) if idle_render_command else None
            ahead = stack.enter_context(
                RenderingAhead(
                    context,
                    voice,
                    idle_rendering,
                    is_quiet=lambda: hearing is None or not hearing.is_hearing_speech,
                    clock=time.monotonic,
                )
            )
        stack.callback(lambda: time.sleep(body.sweep()))  # the last light, after the performer has closed
        stack.enter_context(performer)
        yield EveningParts(context, inbox, performer, body, hearing is not None, pages, address, host_access, ahead)


def build_context(
    chosen: s.Settings, journal: Journal, *, editions: Mapping[str, Edition], names: Mapping[str, str]
) -> EveningContext:
    """Return the context of an evening with the settings *chosen* and the owner's *names* of psychics."""
    game, telling = chosen.game, chosen.telling
    style = NarrationStyle(
        script=load_evening_script(chosen, editions=editions, names=names),
        pace=Pace(telling.pace),
        opening=Opening(telling.opening),
        first_night=telling.first_night,
        editions=editions,
        sand=SandMode(game.sand),
    )
    return EveningContext(
        sentences=_load_sentences(chosen, editions, wake_word=chosen.hearing.wake_word),
        style=style,
        ghost_words=GhostWords.load(chosen.language),
        help_texts=HelpTexts.load(chosen.language, editions),
        defaults=Defaults(
            editions=editions,
            edition=game.edition,
            players=game.players,
            level=game.level,
            opening=Opening(chosen.telling.opening),
            visions=Visions(game.visions),
            sand=SandMode(game.sand),
        ),
        journal=journal,
        draw_seed=lambda: secrets.randbits(63),
        psychic_names=names,
        allowed_to_devices=_allowed_to_devices(chosen.mqtt),
        remarks_on_ghost=chosen.microphone.ghost_remark,
    )


def _allowed_to_devices(mqtt: MqttSection) -> frozenset[Action]:
    if mqtt.broker is None:
        return frozenset()
    game = GAME_ACTIONS if mqtt.commands == "game" else frozenset[Action]()
    return game | {_DEVICE_ACTIONS[name] for name in mqtt.allow}


def _load_sentences(chosen: s.Settings, editions: Mapping[str, Edition], *, wake_word: str) -> Sentences:
    return Sentences.load(
        chosen.language, names_file=_path(chosen.hearing.names), wake_word=wake_word, editions=editions
    )


def _serve_pages(
    web: s.WebSection,
    context: EveningContext,
    pages: PagePublisher,
    inbox: Inbox,
    stack: ExitStack,
    *,
    level: Callable[[], float | None],
    lookups: Lookups,
    host_access: HostAccess,
) -> str | None:
    """Serve the pages and return their URL; None if they are off or the port is taken."""
    if web.listen == "off":
        return None
    # Here, not above: an evening without pages must not wait for Starlette.
    from seance.daemon.world.web_thread import serve_pages
    from seance.web.address import PortTaken

    serving = serve_pages(
        web.listen,
        web.port,
        web.name,
        context=context,
        pages=pages,
        inbox=inbox,
        level=level,
        lookups=lookups,
        host_access=host_access,
    )
    try:
        address = stack.enter_context(serving)
    except PortTaken as why:
        log.warning("%s: the night goes on without them", why)
        inbox.put(FaultReport(Fault.PAGES_MISSING))
        return None
    log.info("the pages are at %s", address)
    if web.listen == "network":
        host_access.on_new_code = log_host_code
        log_host_code(host_access.code)
    return address


def _join_mqtt(
    mqtt: MqttSection, context: EveningContext, pages: PagePublisher, inbox: Inbox, stack: ExitStack
) -> None:
    """Publish at the broker of the settings, if the files that they name can be read."""
    # Here, not above: an evening without a broker must not load paho.
    from seance.daemon.world.mqtt_thread import open_mqtt
    from seance.mqtt.client import CannotConnect

    try:
        stack.enter_context(open_mqtt(mqtt, context, pages, inbox))
    except CannotConnect as why:
        log.warning("%s: the night goes on without MQTT", error_line(why))


def log_host_code(code: str) -> None:
    """Log the code by which a phone becomes the host's, for whoever may read the log."""
    log.info("the host's code is %s", code)


def _path(text: str | None) -> Path | None:
    return Path(text).expanduser() if text else None


def _connect_body(body: Body, voice: VoiceDriver | None, hearing: HearingThread | None, inbox: Inbox) -> None:
    """Connect the body's buttons, mute switch and knocker."""

    def on_press(press: Press) -> None:
        is_shutdown = press.name == SHUTDOWN_BUTTON
        inbox.put(Stop(power_off=not body.is_virtual) if is_shutdown else ButtonPress(press.name, press.long))

    def on_mute(muted: bool) -> None:
        if hearing is not None:
            hearing.set_muted("muted", muted)
        body.mute.show(muted or hearing is None)

    body.buttons.when_pressed = on_press
    body.buttons.when_held = lambda _name, is_held: inbox.put(Talk(is_held))
    body.mute.when_switched = on_mute
    on_mute(body.mute.wanted)
    if voice is not None:
        if hearing is not None:
            voice.on_speaking(lambda speaking: hearing.set_muted(SPEAKING, speaking))
            hearing.on_hold(voice.hold)
        if body.is_virtual:
            body.knocker.when_knocked = lambda _: voice.play_knock()
