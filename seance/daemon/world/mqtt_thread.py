"""Connects an evening to an MQTT broker: publishes its page states, and makes signals of what comes in."""

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version

from seance.codec import NotACommand, decode_command
from seance.daemon.context import EveningContext
from seance.daemon.device_requests import GameRequest, KnockRequest, LineRequest, SandRequest
from seance.daemon.loop import Inbox
from seance.daemon.page_publisher import PagePublisher
from seance.daemon.signals import HostControl, Signal, Touched
from seance.dialogue.grammar.sentences import Intent
from seance.mqtt import incoming
from seance.mqtt.client import Broker, CannotConnect, MqttClient, Publication, tls_context
from seance.mqtt.discovery import discovery_message, discovery_topic
from seance.mqtt.house_state import house_state
from seance.mqtt.topics import state_messages
from seance.mqtt_settings import MqttSection
from seance.permissions import Action, Source
from seance.plain_text import error_line
from seance.rate_limiter import RateLimiter
from seance.rules import Edition
from seance.text_files import BadTextFile, expand_path, read_text
from seance.texts import Texts
from seance.web.page_state import PageState

COMMAND_ACTIONS: Mapping[str, Action] = {
    "pause": Action.PAUSE,
    "resume": Action.PAUSE,
    "louder": Action.VOLUME,
    "quieter": Action.VOLUME,
    "say": Action.NARRATE,
    "sand": Action.CHANGE_SAND,
    "knock": Action.KNOCK,
    "game": Action.SAY,
}
"""The action that must be allowed for each topic below `command`."""
DEFAULT_PORT, DEFAULT_TLS_PORT = 1883, 8883
LETTERS_AT_ONCE = 600
"""What devices may have said in one go: about 40 seconds of speech."""
LETTERS_PER_S = 5
"""What they may have said for long: a third of what a narrator can say."""

log = logging.getLogger(__name__)


class TooMuch(ValueError):
    """A device asks for more than it may."""


@contextmanager
def open_mqtt(chosen: MqttSection, context: EveningContext, pages: PagePublisher, inbox: Inbox) -> Iterator[None]:
    """Publish the states of *pages* while entered, and put what is allowed into *inbox*; or raise CannotConnect."""
    client = _make_client(chosen, context, inbox)

    def tell(page: PageState) -> None:
        client.tell(house_state(page))

    with client:
        pages.latest.when_changed = tell
        tell(pages.latest.current)
        try:
            yield
        finally:
            pages.latest.when_changed = lambda _: None


def broker_of(chosen: MqttSection) -> Broker:
    """Return the broker of the settings, or raise CannotConnect for a file that cannot be read."""
    is_encrypted = chosen.is_encrypted
    return Broker(
        host=chosen.broker or "",
        port=chosen.port or (DEFAULT_TLS_PORT if is_encrypted else DEFAULT_PORT),
        user=chosen.user,
        password=None if chosen.password_file is None else _read_password(chosen.password_file),
        tls=tls_context(None if chosen.ca is None else str(expand_path(chosen.ca))) if is_encrypted else None,
    )


def _read_password(path: str) -> str:
    try:
        return read_text(expand_path(path)).partition("\n")[0].strip()
    except BadTextFile as error:
        raise CannotConnect(f"mqtt.password_file: {error}") from None


def _make_client(chosen: MqttSection, context: EveningContext, inbox: Inbox) -> MqttClient:
    script, allowed = context.style.script, context.allowed_to_devices
    texts = Texts.load("mqtt", script.language)
    names = {str(psychic): called for psychic, called in script.inflection.names.items()}
    discovery = None
    if chosen.discovery:
        announced = discovery_message(chosen.base_topic, texts, names, allowed=allowed, version=version("seance"))
        discovery = discovery_topic(chosen.discovery, chosen.base_topic), announced
    return MqttClient(
        broker_of(chosen),
        Publication(
            base=chosen.base_topic,
            messages=lambda state, now: state_messages(state, texts, names, now),
            discovery=discovery,
        ),
        commands=tuple(name for name, action in COMMAND_ACTIONS.items() if action in allowed),
        on_command=take_command(inbox, context.defaults.editions),
    )


def take_command(
    inbox: Inbox, editions: Mapping[str, Edition], *, clock: Callable[[], float] = time.monotonic
) -> Callable[[str, bytes], None]:
    """Return what puts a signal into *inbox* for the name and payload of a command, unless there are too many."""
    # The house answers most of them aloud, so as many come in as it can answer, but all bets and votes of a moment.
    seldom = RateLimiter(burst=3, interval_s=5.0, clock=clock)
    volume = RateLimiter(burst=10, interval_s=0.5, clock=clock)
    limits = {
        "louder": volume,
        "quieter": volume,
        "sand": RateLimiter(burst=10, interval_s=3.0, clock=clock),
        "game": RateLimiter(burst=40, interval_s=3.0, clock=clock),
    }
    letters = RateLimiter(burst=LETTERS_AT_ONCE, interval_s=1 / LETTERS_PER_S, clock=clock)
    complaints = RateLimiter(burst=3, interval_s=60.0, clock=clock)

    def take(name: str, payload: bytes) -> None:
        try:
            if not limits.get(name, seldom).allows(name):
                raise TooMuch("too many of them: some are dropped")
            asked = incoming.read_message(name, payload)
            if isinstance(asked, incoming.SayLine) and not letters.allows(name, len(asked.text)):
                raise TooMuch("more lines than can be said between those of the night: some are dropped")
            inbox.put(_signal(asked, editions))
        except (incoming.BadPayload, NotACommand, TooMuch) as error:
            if complaints.allows(name):
                log.warning("command/%s: %s", name, error_line(error))

    return take


def _signal(asked: incoming.Incoming, editions: Mapping[str, Edition]) -> Signal:
    match asked:
        case incoming.SayLine():
            return LineRequest(asked.text)
        case incoming.SetSand():
            return SandRequest(asked.seconds, asked.is_added)
        case incoming.KnockTimes():
            return KnockRequest(asked.count)
        case incoming.PlayCommand():
            return GameRequest(decode_command(asked.fields, editions))
        case incoming.PressTopic(name="louder" | "quieter"):
            return HostControl(asked.name, source=Source.MQTT)
        case incoming.PressTopic():
            return Touched(Intent(asked.name), Source.MQTT)
