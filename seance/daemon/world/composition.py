"""Builds everything an evening needs from the settings, and closes it in reverse order."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
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
from seance.daemon.signals import ButtonPress, FaultReport, StepTold, Stop
from seance.daemon.world.body_driver import BodyDriver
from seance.daemon.world.hearing_setup import open_hearing
from seance.daemon.world.hearing_thread import SPEAKING, HearingThread
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
from seance.narration.cue_builder import Pace
from seance.narration.cues import Cue, Say, Whisper
from seance.narration.script import Script, Tone
from seance.narration.staging import NarrationStyle
from seance.rules import Edition, Psychic, Visions
from seance.speech.synthesis import Synthesizer
from seance.web.callbacks import Lookups
from seance.web.host_access import HostAccess

if TYPE_CHECKING:
    # For their types alone: importing vosk takes long.
    from seance.hearing.active_grammar import Grammar

SHUTDOWN_BUTTON = "shutdown"
"""The name on every board of the buttons that, held together, switch the machine off."""

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
) -> Iterator[EveningParts]:
    """Build what *chosen* asks for; a missing device is reported as a fault, and the evening goes on without it.

    The body is *started_body*, else that of the settings.
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
        voice = open_voice(chosen, make_synthesizer, stack, report) if with_sound else None
        hearing = open_hearing(chosen, context.sentences, build_grammar, inbox, stack, report) if with_hearing else None
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
            on_mark=lambda mark: inbox.put(StepTold(mark.night, mark.step)),
            show=show_everywhere,
        )
        _connect_body(body, voice, hearing, inbox)
        yes_button = not body.is_virtual and "yes" in body.buttons.names
        devices = RoomDevices(keyboard=with_keyboard, yes_button=yes_button, hearing=hearing is not None)
        context = replace(context, devices=devices)
        level = hearing.level if hearing else lambda: None
        host_access = host_access or HostAccess()
        serve = partial(_serve_pages, level=level, lookups=lookups or Lookups(), host_access=host_access)
        address = serve(chosen.web, context, pages, inbox, stack)
        if address is not None and chosen.web.listen == "network":
            context = replace(context, pages_address=address.removeprefix("http://").rstrip("/"))
        if voice is not None:
            voice.prepare(context.style.script.fixed_lines(chosen.game.edition))
        stack.callback(lambda: time.sleep(body.sweep()))  # the last light, after the performer has closed
        stack.enter_context(performer)
        yield EveningParts(context, inbox, performer, body, hearing is not None, pages, address, host_access)


def build_context(
    chosen: s.Settings, journal: Journal, *, editions: Mapping[str, Edition], names: Mapping[str, str]
) -> EveningContext:
    """Return the context of an evening with the settings *chosen* and the owner's *names* of psychics."""
    game, telling = chosen.game, chosen.telling
    psychic_names = {Psychic(colour): name for colour, name in names.items()}
    style = NarrationStyle(
        script=Script.load(
            chosen.language,
            _path(telling.lines),
            names=psychic_names,
            editions=editions,
            lore=telling.lore,
            tone=Tone(telling.tone),
        ),
        pace=Pace(telling.pace),
        opening=Opening(telling.opening),
        first_night=telling.first_night,
        editions=editions,
        sand=SandMode(game.sand),
    )
    return EveningContext(
        sentences=Sentences.load(
            chosen.language,
            names_file=_path(chosen.hearing.names),
            wake_word=chosen.hearing.wake_word,
            editions=editions,
        ),
        style=style,
        ghost_words=GhostWords.load(chosen.language),
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
    body.mute.when_switched = on_mute
    on_mute(body.mute.wanted)
    if voice is not None:
        if hearing is not None:
            voice.on_speaking(lambda speaking: hearing.set_muted(SPEAKING, speaking))
        if body.is_virtual:
            body.knocker.when_knocked = lambda _: voice.play_knock()
