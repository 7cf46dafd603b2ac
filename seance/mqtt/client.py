"""The connection to the broker: publishes what it is told on a thread of its own, and hands on what comes in."""

import logging
import ssl
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import msgspec
from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage, MQTTMessageInfo
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from seance.bounded_queue import BoundedQueue
from seance.mqtt import topics as t
from seance.mqtt.house_state import HouseState
from seance.plain_text import error_line

QUEUE_SIZE = 64
"""States that wait to be published; the oldest is dropped, as a newer one says all that matters."""
TICK_S = 1.0
"""Seconds between two looks at sand that runs."""
KEEPALIVE_S = 30
RECONNECT_MIN_S, RECONNECT_MAX_S = 1, 60
CLOSE_TIMEOUT_S = 1.5
PUBLISH_TIMEOUT_S = 1.0
"""Seconds to wait at a time for a broker that takes nothing."""

log = logging.getLogger(__name__)


class CannotConnect(ValueError):
    """The connection cannot even be tried; the message says why, and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Broker:
    """Where the broker is, and how to enter."""

    host: str
    port: int
    user: str | None = None
    password: str | None = None
    tls: ssl.SSLContext | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """What is published, and where."""

    base: str
    """All topics begin with it."""
    messages: Callable[[HouseState, float], Mapping[str, t.Message]]
    """Return the retained messages of a state at a time of a monotonic clock, by topic below `base`."""
    discovery: tuple[str, Mapping[str, Any]] | None = None
    """Topic and message of Home Assistant's discovery."""


def tls_context(ca: str | None) -> ssl.SSLContext:
    """Return TLS that verifies the broker by the certificate file *ca*, or by those of the system."""
    try:
        return ssl.create_default_context(cafile=ca)
    except OSError as error:
        raise CannotConnect(f"the certificate {ca} cannot be read ({error}): set mqtt.ca") from None


def configured_client(broker: Broker) -> Client:
    """Return paho's client with the user, password and TLS of *broker*."""
    client = Client(CallbackAPIVersion.VERSION2)
    if broker.user is not None:
        client.username_pw_set(broker.user, broker.password)
    if broker.tls is not None:
        client.tls_set_context(broker.tls)
    return client


class MqttClient:
    """Keeps what is retained at a broker up to date while entered; `tell` never waits."""

    def __init__(
        self,
        broker: Broker,
        publication: Publication,
        *,
        commands: tuple[str, ...],
        on_command: Callable[[str, bytes], None],
    ) -> None:
        """Subscribe to *commands*, the topics below `command`; *on_command* is given name and payload of each."""
        self._broker, self._publication = broker, publication
        self._commands, self._on_command = commands, on_command
        self._queue: BoundedQueue[HouseState] = BoundedQueue(QUEUE_SIZE)
        self._latest = HouseState()
        self._lock = threading.Lock()
        """Keeps the newest state the last of the queue."""
        self._connection = 0
        """The number of connections so far."""
        self._published_on = 0
        """The connection on which everything was published last."""
        self._published: dict[str, bytes] = {}
        """The last payload of each retained topic on this connection."""
        self._is_trouble_logged = False
        self._client = self._make_client()
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._queue.close()
        self._thread.join(timeout=CLOSE_TIMEOUT_S)

    def tell(self, state: HouseState) -> None:
        """Publish *state* as soon as possible, without waiting."""
        with self._lock:
            self._latest = state
            self._queue.put(state)

    # On the thread

    def _run(self) -> None:
        client, broker = self._client, self._broker
        client.connect_async(broker.host, broker.port, keepalive=KEEPALIVE_S)
        client.loop_start()
        shown = HouseState()
        while not self._queue.closed:
            is_draining = shown.sand is not None and shown.sand.running
            state = self._queue.get(TICK_S if is_draining else None) or shown
            self._publish(shown, state)
            shown = state
        if client.is_connected():
            self._send(t.AVAILABILITY, t.OFFLINE.encode(), retain=True)
        client.disconnect()
        client.loop_stop()

    def _publish(self, before: HouseState, state: HouseState) -> None:
        """Publish what *state* changes; after a new connection everything, and no event from before it."""
        if not self._client.is_connected():
            return
        connection = self._connection
        is_new = connection != self._published_on
        if is_new:
            self._published_on, self._published = connection, {}
            self._announce()
        else:
            for topic, event in t.events_between(before, state):
                self._send(topic, _encode(event))
        for topic, message in self._publication.messages(state, time.monotonic()).items():
            if (payload := _encode(message)) != self._published.get(topic):
                self._send(topic, payload, retain=True)
                self._published[topic] = payload
        if is_new:
            self._send(t.AVAILABILITY, t.ONLINE.encode(), retain=True)

    def _announce(self) -> None:
        if self._publication.discovery is not None:
            topic, message = self._publication.discovery
            self._wait(self._client.publish(topic, _encode(message), retain=True))

    def _send(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        # With QoS 0: TCP loses nothing, after a broken connection all is published anew, and nothing old comes late.
        self._wait(self._client.publish(f"{self._publication.base}/{topic}", payload, retain=retain))

    def _wait(self, info: MQTTMessageInfo) -> None:
        """Wait until the broker has taken a message, or the connection or this thread is over."""
        while not self._queue.closed and self._client.is_connected():
            try:
                info.wait_for_publish(PUBLISH_TIMEOUT_S)
            except (RuntimeError, ValueError):
                return
            if info.is_published():
                return

    # On paho's thread

    def _make_client(self) -> Client:
        client = configured_client(self._broker)
        client.will_set(f"{self._publication.base}/{t.AVAILABILITY}", t.OFFLINE, qos=1, retain=True)
        client.reconnect_delay_set(RECONNECT_MIN_S, RECONNECT_MAX_S)
        client.on_connect = self._handle_connect
        client.on_connect_fail = self._handle_connect_fail
        client.on_disconnect = self._handle_disconnect
        client.on_message = self._handle_message
        return client

    def _handle_connect(
        self, client: Client, _data: Any, _flags: ConnectFlags, reason: ReasonCode, _properties: Properties | None
    ) -> None:
        if reason.is_failure:
            self._log_trouble(f"refuses us ({reason}): see mqtt.user and mqtt.password_file")
            return
        log.info("connected to the MQTT broker %s:%d", self._broker.host, self._broker.port)
        self._is_trouble_logged = False
        if self._commands:
            client.subscribe([(f"{self._publication.base}/{t.COMMAND}/{name}", 0) for name in self._commands])
        self._connection += 1
        with self._lock:
            self._queue.put(self._latest)

    def _handle_connect_fail(self, _client: Client, _data: Any) -> None:
        why = sys.exc_info()[1]  # paho is handling it, and does not hand it on
        self._log_trouble("does not answer" if why is None else f"does not answer ({error_line(why)})")

    def _handle_disconnect(
        self, _client: Client, _data: Any, _flags: DisconnectFlags, reason: ReasonCode, _properties: Properties | None
    ) -> None:
        if reason.is_failure and not self._queue.closed:
            self._log_trouble(f"is gone ({reason})")

    def _handle_message(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        """Hand on a command, unless it was retained: that one was meant for another moment."""
        if message.retain:
            return
        name = message.topic.rpartition("/")[2]
        try:
            self._on_command(name, bytes(message.payload))
        except Exception:
            # Whatever a device sends, the client goes on.
            log.exception("the command %s was not carried out", error_line(name))

    def _log_trouble(self, what: str) -> None:
        """Log once that the broker does not work."""
        if not self._is_trouble_logged:
            self._is_trouble_logged = True
            log.warning(
                "the MQTT broker %s:%d %s: the night goes on without it", self._broker.host, self._broker.port, what
            )


def _encode(message: Mapping[str, Any]) -> bytes:
    return msgspec.json.encode(message)
