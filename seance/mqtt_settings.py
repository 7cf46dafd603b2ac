"""The settings of MQTT."""

import re
from ipaddress import ip_address
from typing import Annotated, Literal

import msgspec

_NAME = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*\.?", re.IGNORECASE)
_TOPIC = re.compile(r"[\w.:-]+(/[\w.:-]+)*")


class MqttSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Other devices of the house, by an MQTT broker."""

    broker: str | None = None
    """Its name or IP address; without one there is no MQTT."""
    port: Annotated[int, msgspec.Meta(ge=1, le=65535)] | None = None
    """TCP port; 1883 without one, or 8883 with TLS."""
    user: str | None = None
    password_file: str | None = None
    """A file with the password on its first line."""
    tls: bool = False
    """Whether the connection is encrypted, and the broker's certificate verified."""
    ca: str | None = None
    """A file with the certificate that signed the broker's; those that the system trusts without one. Means TLS."""
    base_topic: str = "seance"
    """All topics begin with it."""
    discovery: str = "homeassistant"
    """Where Home Assistant looks for devices; nothing is announced if it is empty."""
    allow: tuple[Literal["pause", "volume", "say", "sand", "knock"], ...] = ()
    """What other devices may do."""
    commands: Literal["none", "game"] = "none"
    """`game`: they may also give commands of the game."""

    def __post_init__(self) -> None:
        if self.broker is not None and not _is_host(self.broker):
            example = 'write it as "homeassistant.local", without mqtt:// and the port'
            raise ValueError(f"`broker`: {self.broker[:60]!r} is no name or IP address: {example}")
        for key, topic in (("base_topic", self.base_topic), ("discovery", self.discovery)):
            if _TOPIC.fullmatch(topic) is None and (topic or key == "base_topic"):
                raise ValueError(f'`{key}`: {topic[:60]!r} is no topic: name one such as "house/seance"')

    @property
    def is_encrypted(self) -> bool:
        """Whether the connection uses TLS."""
        return self.tls or self.ca is not None


def _is_host(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return _NAME.fullmatch(text) is not None
    return True
