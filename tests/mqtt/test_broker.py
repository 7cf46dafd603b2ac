"""A house at real brokers: what is retained, what comes in, and what becomes of the night when the broker goes."""

import gc
import json
import logging
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from seance.daemon.device_requests import SandRequest
from seance.daemon.world.mqtt_thread import broker_of
from seance.doctor import installation
from seance.mqtt.client import CannotConnect
from seance.mqtt.probe import try_broker
from seance.mqtt_settings import MqttSection
from seance.rules import Phase
from seance.texts import Texts
from tests.mqtt.brokers import (
    PASSWORD,
    PATIENCE_S,
    USER,
    Listener,
    Mosquitto,
    certificate,
    mosquitto,
    password_option,
)
from tests.web.running_evening import RunningEvening, chosen, running_evening

LOST_SOCKETS = pytest.mark.filterwarnings("ignore:.*SSLSocket:pytest.PytestUnraisableExceptionWarning")
"""paho does not close the socket whose certificate it does not trust."""
ALL = ("pause", "volume", "say", "sand", "knock")


def joined(broker: Mosquitto, folder: Path, **mqtt: Any) -> Any:
    """Run an evening that knows *broker*."""
    section = MqttSection(broker="127.0.0.1", port=broker.port, **mqtt)
    settings = msgspec.structs.replace(chosen(folder, listen="off"), mqtt=section)
    return running_evening(folder, settings)


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path_factory.mktemp("broker")) as running:
        yield running


@pytest.fixture(scope="module")
def house(broker: Mosquitto, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningEvening]:
    """A night whose sand runs for nearly an hour, and in which devices may do everything."""
    with joined(broker, tmp_path_factory.mktemp("house"), allow=ALL, commands="game") as house:
        house.begin()
        house.type("red has a vision", "blue has a vision", "white has a vision", "turn the sand")
        house.parts.inbox.put(SandRequest(3000, is_added=True))
        house.told()
        yield house


@pytest.fixture
def listener(broker: Mosquitto) -> Iterator[Listener]:
    with Listener(broker) as listener:
        yield listener


def is_online(listener: Listener) -> bool:
    return listener.last("seance/availability") == "online"


def phase(listener: Listener) -> str | None:
    """Return the phase that was published last; None before any."""
    published = listener.last("seance/night")
    return None if published is None else published["phase"]


@pytest.mark.usefixtures("house")
def test_whoever_comes_later_is_told_how_the_night_stands(broker: Mosquitto):
    with Listener(broker) as late:
        late.until(lambda: is_online(late) and late.has("seance/psychics") and phase(late) == "interpretation")
        night, psychics = late.last("seance/night"), late.last("seance/psychics")
    assert (night["phase"], night["running"], night["players"]) == ("interpretation", True, 4)
    assert [colour for colour, each in psychics["psychics"].items() if each["plays"]] == ["blue", "white", "red"]
    assert {"seance/night", "seance/psychics"} <= {topic for topic, _, retained in late.heard if retained}


def test_a_house_that_is_gone_is_offline(broker: Mosquitto, listener: Listener, tmp_path: Path):
    program = (
        "import sys, time; from tests.mqtt.test_broker import *\n"
        "from types import SimpleNamespace\n"
        "with joined(SimpleNamespace(port=int(sys.argv[1])), Path(sys.argv[2]), base_topic='gone'): time.sleep(60)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program, str(broker.port), str(tmp_path)])
    listener.until(lambda: listener.last("gone/availability") == "online")
    process.kill()
    process.wait()
    listener.until(lambda: listener.last("gone/availability") == "offline")


def test_a_choice_is_published_as_made_and_not_as_what(house: RunningEvening, listener: Listener):
    house.type(f"blue chooses card {character(house)}")
    listener.until(lambda: "blue" in (listener.last("seance/psychics") or {"chosen": ()})["chosen"])
    assert "intuition" not in json.dumps(listener.last("seance/psychics"))


def character(house: RunningEvening) -> int:
    """Return a character on the table."""
    assert house.evening.state is not None
    return house.evening.state.table.character[0]


# What comes in


@pytest.mark.usefixtures("house")
def test_a_device_pauses_and_resumes(listener: Listener):
    listener.until(lambda: is_online(listener))
    for name, paused in (("pause", True), ("resume", False)):
        listener.publish(f"seance/command/{name}", "PRESS")
        listener.until(lambda paused=paused: (listener.last("seance/night") or {}).get("paused") is paused)


def test_a_device_has_a_line_said(house: RunningEvening, listener: Listener):
    listener.until(lambda: is_online(listener))
    listener.publish("seance/command/say", "The doors\x1b[2J are\n locked.")
    house.until(lambda: any(line.text == "The doors[2J are locked." for line in house.parts.pages.latest.current.said))


@pytest.mark.usefixtures("house")
def test_a_device_knocks(listener: Listener):
    listener.until(lambda: is_online(listener))
    listener.publish("seance/command/knock", '{"count": 3}')
    listener.until(lambda: listener.last("seance/knock") == {"event_type": "call", "count": 3})


@pytest.mark.usefixtures("house")
def test_a_device_takes_sand(listener: Listener):
    listener.until(lambda: (listener.last("seance/sand") or {}).get("running") is True)
    listener.publish("seance/command/sand", '{"left_s": 1800}')
    listener.until(lambda: listener.last("seance/sand")["left_s"] <= 1800)


def test_a_device_plays(house: RunningEvening, listener: Listener):
    wire = {"command": "place_intuition", "psychic": "red", "card": character(house)}
    listener.publish("seance/command/game", json.dumps(wire))
    listener.until(lambda: "red" in (listener.last("seance/psychics") or {"chosen": ()})["chosen"])


def test_a_device_does_not_act_as_the_ghost(house: RunningEvening, listener: Listener):
    listener.until(lambda: is_online(listener))
    before = house.evening._volume_steps
    listener.publish("seance/command/game", json.dumps({"command": "use_crow", "count": 1}))
    listener.publish("seance/command/louder")
    house.until(lambda: house.evening._volume_steps == before + 1)
    assert house.evening.room is not None
    assert house.evening.room.crows_left > 0


def test_a_retained_command_was_meant_for_another_moment(broker: Mosquitto, listener: Listener, tmp_path: Path):
    listener.publish("seance/command/pause", "PRESS", retain=True)
    try:
        with joined(broker, tmp_path, allow=("pause", "volume")) as house:
            house.begin()
            listener.until(lambda: is_online(listener))
            listener.publish("seance/command/louder")
            house.until(lambda: house.evening._volume_steps == 1)
            assert not house.evening.conversation.paused
    finally:
        listener.publish("seance/command/pause", retain=True)


def test_what_is_not_allowed_is_not_heard(broker: Mosquitto, listener: Listener, tmp_path: Path):
    with joined(broker, tmp_path, allow=("volume",)) as house:
        house.begin()
        listener.until(lambda: is_online(listener))
        for name in ("pause", "say", "knock"):
            listener.publish(f"seance/command/{name}", "The doors are locked.")
        listener.publish("seance/command/louder")
        house.until(lambda: house.evening._volume_steps == 1)
        assert not house.evening.conversation.paused
        assert "The doors" not in repr(house.parts.pages.latest.current)


# Brokers that ask who is there


@contextmanager
def logged(words: str) -> Iterator[None]:
    """Wait at the end until the client has logged *words*."""
    found = threading.Event()

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if words in record.getMessage():
                found.set()

    handler, logger = Handler(), logging.getLogger("seance.mqtt.client")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
        assert found.wait(PATIENCE_S)
    finally:
        logger.removeHandler(handler)
        logger.setLevel(logging.NOTSET)


def test_a_password_opens_the_door(tmp_path: Path):
    (tmp_path / "secret").write_text(f"{PASSWORD}\n")
    secret = str(tmp_path / "secret")
    with (
        mosquitto(tmp_path, "allow_anonymous false", password_option(tmp_path)) as broker,
        Listener(broker, with_password=True) as listener,
        joined(broker, tmp_path, user=USER, password_file=secret),
    ):
        listener.until(lambda: is_online(listener))


def test_a_wrong_password_costs_the_broker_and_not_the_night(tmp_path: Path):
    (tmp_path / "secret").write_text("guessed\n")
    known, entry = password_option(tmp_path), {"user": USER, "password_file": str(tmp_path / "secret")}
    with (
        mosquitto(tmp_path, "allow_anonymous false", known) as broker,
        logged("password_file"),
        joined(broker, tmp_path, **entry) as house,
    ):
        house.begin()


def test_a_password_that_cannot_be_read_is_named(tmp_path: Path):
    with pytest.raises(CannotConnect, match=r"mqtt\.password_file"):
        broker_of(MqttSection(broker="127.0.0.1", password_file=str(tmp_path / "nothing")))


@LOST_SOCKETS
def test_tls_is_verified_by_the_owners_authority(tmp_path: Path):
    ca, strangers = certificate(tmp_path, "ours"), certificate(tmp_path, "theirs")
    files = (f"keyfile {tmp_path / 'ours.key'}", f"certfile {tmp_path / 'ours.crt'}")
    with mosquitto(tmp_path, "allow_anonymous true", *files) as broker, Listener(broker, ca=ca) as listener:
        with joined(broker, tmp_path, ca=str(ca)):
            listener.until(lambda: is_online(listener))
        listener.until(lambda: listener.last("seance/availability") == "offline")
        before = len(listener.heard)
        with logged("certificate verify failed"), joined(broker, tmp_path, ca=str(strangers)) as house:
            house.begin()
        gc.collect()
        assert len(listener.heard) == before


@LOST_SOCKETS
@pytest.mark.parametrize(
    ("wrong", "answer"),
    [
        ({}, "good"),
        ({"port": 1}, "silent"),
        ({"password_file": "guessed"}, "refused"),
        ({"ca": "theirs.ca.crt"}, "untrusted"),
    ],
)
def test_the_doctor_says_how_the_broker_answers(wrong: dict[str, Any], answer: str, tmp_path: Path):
    for name in ("ours", "theirs"):
        certificate(tmp_path, name)
    for name, password in (("right", PASSWORD), ("guessed", "guessed")):
        (tmp_path / name).write_text(password)
    files = (f"keyfile {tmp_path / 'ours.key'}", f"certfile {tmp_path / 'ours.crt'}")
    with mosquitto(tmp_path, "allow_anonymous false", password_option(tmp_path), *files) as broker:
        given = {"port": broker.port, "user": USER, "password_file": "right", "ca": "ours.ca.crt", **wrong}
        given |= {name: str(tmp_path / given[name]) for name in ("password_file", "ca")}
        section = MqttSection(broker="127.0.0.1", **given)
        found = installation.broker(Texts.load("doctor", "en"), "127.0.0.1", lambda: try_broker(broker_of(section)))
        gc.collect()
    texts = Texts.load("doctor", "en")
    assert found.text == texts(f"MQTT.{answer}", host="127.0.0.1")
    assert bool(found.fix) == (answer != "good")


# Brokers that go


def test_a_broker_that_is_killed_in_a_night_finds_everything_right_when_it_is_back(tmp_path: Path):
    with mosquitto(tmp_path) as broker, joined(broker, tmp_path) as house:
        house.begin()
        with Listener(broker) as before:
            before.until(lambda: is_online(before) and phase(before) == Phase.VISIONS)
        with logged("is gone"):
            broker.kill()
        house.type("red has a vision", "blue has a vision", "white has a vision", "turn the sand", "pause")
        with logged("connected"):
            broker.start()
        with Listener(broker) as after:
            kept = ("seance/night", "seance/sand", "homeassistant/device/seance/config")
            after.until(lambda: is_online(after) and after.has(*kept))
            retained = {topic: json.loads(payload) for topic, payload, _ in after.heard if payload.startswith(b"{")}
        assert retained["seance/night"]["phase"] == Phase.INTERPRETATION
        assert retained["seance/night"]["paused"] is True
        assert retained["seance/sand"]["left_s"] is not None
        assert retained["homeassistant/device/seance/config"]["components"]


def test_a_broker_that_hangs_does_not_hold_the_night_up(tmp_path: Path):
    with mosquitto(tmp_path) as broker, joined(broker, tmp_path) as house:
        house.begin()
        with Listener(broker) as listener:
            listener.until(lambda: is_online(listener))
        broker.send(signal.SIGSTOP)
        for _ in range(100):
            house.type("pause", "go on")
        house.type("red has a vision", "blue has a vision", "white has a vision", "turn the sand")
        broker.send(signal.SIGCONT)
        with Listener(broker) as listener:
            listener.until(lambda: phase(listener) == Phase.INTERPRETATION)


def test_without_a_broker_and_other_machines_nothing_of_them_is_loaded(tmp_path: Path):
    program = (
        "import sys; from pathlib import Path\n"
        "from tests.web.running_evening import *\n"
        "with running_evening(Path(sys.argv[1]), chosen(Path(sys.argv[1]), listen='off')): pass\n"
        "theirs = {'paho', 'wyoming', 'zeroconf', 'dask', 'distributed'}\n"
        "ours = {'seance.mqtt', 'seance.daemon.world.mqtt_thread', 'seance.wyoming.connection', 'seance.simulation'}\n"
        "print([name for name in sys.modules if name in ours or name.partition('.')[0] in theirs])"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
