"""Tries once whether the broker can be reached and lets the house in."""

import ssl
import time
from enum import StrEnum
from typing import Any

from paho.mqtt.enums import MQTTErrorCode

from seance.mqtt.client import Broker, configured_client

TIMEOUT_S = 5.0


class BrokerAnswer(StrEnum):
    """How a broker has answered."""

    GOOD = "good"
    SILENT = "silent"
    """Nobody answers there, or not as a broker."""
    UNTRUSTED = "untrusted"
    """Its certificate is not what the settings trust."""
    REFUSED = "refused"
    """It wants another user or password."""


def try_broker(broker: Broker) -> BrokerAnswer:
    """Connect to *broker* and return how it has answered, within about TIMEOUT_S."""
    client, answers = configured_client(broker), list[bool]()
    client.connect_timeout = TIMEOUT_S

    def handle_connect(_client: Any, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        answers.append(not reason.is_failure)

    client.on_connect = handle_connect
    until = time.monotonic() + TIMEOUT_S
    try:
        client.connect(broker.host, broker.port)
        while not answers and time.monotonic() < until and client.loop(0.1) is MQTTErrorCode.MQTT_ERR_SUCCESS:
            pass
    except ssl.SSLError:
        return BrokerAnswer.UNTRUSTED
    except OSError:
        return BrokerAnswer.SILENT
    finally:
        client.disconnect()
    if not answers:
        return BrokerAnswer.SILENT
    return BrokerAnswer.GOOD if answers[0] else BrokerAnswer.REFUSED
