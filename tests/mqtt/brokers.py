"""Real brokers for tests: Debian's mosquitto on loopback, and somebody who listens there."""

import json
import os
import shutil
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

PATIENCE_S = 20.0
"""Seconds after which a test gives up waiting for an event."""
MOSQUITTO = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin") or "mosquitto"
USER, PASSWORD = "seance", "seven hours"


class Mosquitto:
    """A broker on a free port, without memory: what was retained is lost with it."""

    def __init__(self, folder: Path, *options: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._config = folder / f"mosquitto-{self.port}.conf"
        lines = ["user root", "persistence false", f"listener {self.port} 127.0.0.1", *options]
        self._config.write_text("\n".join(lines) + "\n")
        self.start()

    def start(self) -> None:
        """Start it, and return when it takes connections."""
        command = [MOSQUITTO, "-c", str(self._config)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        is_running, said = threading.Event(), list[str]()
        self._reader = threading.Thread(target=self._read, args=(is_running, said))
        self._reader.start()
        assert is_running.wait(PATIENCE_S), f"mosquitto does not start: {said}"

    def _read(self, is_running: threading.Event, said: list[str]) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as log:
            for line in log:
                said.append(line)
                if "running" in line:
                    is_running.set()

    def send(self, number: int) -> None:
        """Send a signal to it, such as SIGSTOP."""
        self._process.send_signal(number)

    def kill(self) -> None:
        """End it at once."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._reader.join()


@contextmanager
def mosquitto(folder: Path, *options: str) -> Iterator[Mosquitto]:
    """Run a broker with more *options* in its configuration, or one that takes anybody."""
    broker = Mosquitto(folder, *(options or ("allow_anonymous true",)))
    try:
        yield broker
    finally:
        broker.kill()


def password_option(folder: Path) -> str:
    """Return the option of a broker that knows USER with PASSWORD, and nobody else."""
    file = folder / "passwords"
    file.touch(mode=0o600)
    subprocess.run(["mosquitto_passwd", "-b", str(file), USER, PASSWORD], check=True, capture_output=True)
    return f"password_file {file}"


def certificate(folder: Path, name: str) -> Path:
    """Make an authority and a certificate for 127.0.0.1 that it has signed; return the authority's."""
    ca, key, request, signed = (folder / f"{name}.{end}" for end in ("ca.crt", "key", "csr", "crt"))
    made = folder / f"{name}.ca.key"
    extension = folder / f"{name}.ext"
    extension.write_text("subjectAltName=IP:127.0.0.1\n")
    new_key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    for command in (
        ("req", "-x509", *new_key, "-keyout", made, "-out", ca, "-days", "2", "-subj", f"/CN={name}"),
        ("req", *new_key, "-keyout", key, "-out", request, "-subj", "/CN=127.0.0.1"),
        ("x509", "-req", "-in", request, "-CA", ca, "-CAkey", made, "-CAcreateserial", "-out", signed, "-days", "2",
         "-extfile", extension),
    ):  # fmt: skip
        subprocess.run(["openssl", *map(str, command)], check=True, capture_output=True)
    return ca


class Listener:
    """Somebody who is subscribed to everything, and can publish."""

    def __init__(self, broker: Mosquitto, *, ca: Path | None = None, with_password: bool = False) -> None:
        self.heard: list[tuple[str, bytes, bool]] = []
        """Topic, payload and whether it was retained, in their order."""
        self._changed = threading.Condition()
        self._client = Client(CallbackAPIVersion.VERSION2)
        if ca is not None:
            self._client.tls_set(ca_certs=str(ca))
        if with_password:
            self._client.username_pw_set(USER, PASSWORD)
        self._client.on_message = self._handle_message
        self._client.on_connect = self._handle_connect
        self._is_subscribed = threading.Event()
        self._client.on_subscribe = lambda *_: self._is_subscribed.set()
        self._broker = broker

    def __enter__(self) -> Self:
        self._client.connect(host="127.0.0.1", port=self._broker.port)
        self._client.loop_start()
        assert self._is_subscribed.wait(PATIENCE_S)
        return self

    def __exit__(self, *_: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def publish(self, topic: str, payload: str | bytes = "", *, retain: bool = False) -> None:
        """Publish, and wait until the broker has it."""
        self._client.publish(topic, payload, qos=1, retain=retain).wait_for_publish(PATIENCE_S)

    def until(self, done: Callable[[], bool]) -> None:
        """Wait until *done* after a message."""
        with self._changed:
            assert self._changed.wait_for(done, PATIENCE_S), f"never heard: {self.heard[-12:]}"

    def last(self, topic: str) -> Any:
        """Return the last message of *topic*; None if there was none."""
        payload = next((payload for name, payload, _ in reversed(self.heard) if name == topic), None)
        if payload is None:
            return None
        return json.loads(payload) if payload.startswith(b"{") else payload.decode()

    def has(self, *topics: str) -> bool:
        """Tell whether each of *topics* was heard of."""
        return all(self.last(topic) is not None for topic in topics)

    def _handle_connect(self, client: Client, *_: Any) -> None:
        client.subscribe("#")

    def _handle_message(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        with self._changed:
            self.heard.append((message.topic, bytes(message.payload), message.retain))
            self._changed.notify_all()
