"""A lamp and a fog machine at a broker, which Home Assistant discovers like those of any maker."""

import json
import threading
from collections.abc import Callable
from typing import Any

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion
from report import CheckFailed

LAMP = {
    "schema": "json", "name": None, "unique_id": "parlour", "object_id": "parlour",
    "default_entity_id": "light.parlour", "command_topic": "lamp/set", "state_topic": "lamp/state",
    "brightness": True, "flash": True, "supported_color_modes": ["rgb"],
    "device": {"identifiers": ["parlour"], "name": "Parlour"},
}  # fmt: skip
FOG = {
    "name": None, "unique_id": "fog", "object_id": "fog", "default_entity_id": "switch.fog",
    "command_topic": "fog/set", "state_topic": "fog/state",
    "device": {"identifiers": ["fog"], "name": "Fog"},
}  # fmt: skip


class Devices:
    """Connected until closed; remembers what the devices were asked, and what the house publishes."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._heard: list[tuple[str, Any]] = []
        self._changed = threading.Condition()
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.on_message = self._handle_message

    def announce(self) -> None:
        """Connect, and let Home Assistant discover the devices."""
        self._client.connect("127.0.0.1", self._port)
        self._client.loop_start()
        self._client.subscribe([("lamp/set", 0), ("fog/set", 0), ("seance/#", 0)])
        for topic, message in (("light/parlour", LAMP), ("switch/fog", FOG)):
            self._client.publish(f"homeassistant/{topic}/config", json.dumps(message), qos=1, retain=True)

    def close(self) -> None:
        """Disconnect."""
        self._client.disconnect()
        self._client.loop_stop()

    def last(self, topic: str) -> Any:
        """Return the last message of *topic*."""
        return next(message for name, message in reversed(self._heard) if name == topic)

    def await_command(self, device: str, wanted: Callable[[Any], object], seconds: float = 60) -> None:
        """Return when *device* was asked something that is *wanted*, or raise CheckFailed with all that it was asked."""

        def asked() -> list[Any]:
            return [message for name, message in self._heard if name == f"{device}/set"]

        with self._changed:
            if not self._changed.wait_for(lambda: any(map(wanted, asked())), seconds):
                raise CheckFailed(f"the {device} was asked {asked()}, and nothing else in {seconds:.0f} s")

    def _handle_message(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        text = message.payload.decode()
        with self._changed:
            self._heard.append((message.topic, json.loads(text) if text.startswith("{") else text))
            self._changed.notify_all()
