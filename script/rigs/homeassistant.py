"""Checks at a real Home Assistant in a Debian 13: the manor appears, follows a night, obeys, and moves other devices."""

import json
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import build_cache
import debian
import host
import httpx
from homeassistant_picture import take_picture
from mqtt_devices import Devices
from processes import ROOT, end, free_port, run, start, tail, wait_for
from report import CheckFailed, Report, require

SUITE = "trixie"
"""Debian 13, the first with a Python that Home Assistant takes."""
VERSION = "2026.2.3"
PACKAGES = (
    "python3", "python3-venv", "python3-dev", "gcc", "g++", "make", "libc6-dev", "libffi-dev", "libssl-dev",
    "ca-certificates", "tzdata", "mosquitto",
)  # fmt: skip
INTEGRATIONS = ("api", "automation", "config", "frontend", "mqtt")
NEEDED = """
import json, sys
from pathlib import Path
import homeassistant.components as components
from homeassistant.const import Platform
todo, seen, needed = [*sys.argv[1:], *Platform], set(), set()
while todo:
    if (name := str(todo.pop())) not in seen:
        seen.add(name)
        manifest = json.loads((Path(components.__path__[0]) / name / "manifest.json").read_text())
        needed |= set(manifest.get("requirements", []))
        todo += manifest.get("dependencies", [])
        todo += manifest.get("after_dependencies", []) if name in set(Platform) else []
print("\\n".join(sorted(needed)))
"""
"""Prints the packages of some integrations, of all platforms, whose actions the frontend lists, and of what they need."""
EXAMPLES = ROOT / "docs/homeassistant"
HOUSE = """
[web]
listen = "off"
[telling]
pace = "brisk"
opening = "skipped"
first_night = false
[journal]
path = "{folder}/nights"
[mqtt]
broker = "127.0.0.1"
port = {port}
allow = ["pause", "volume", "say", "sand", "knock"]
"""
CONFIGURATION = """
homeassistant: {{name: Rig, unit_system: metric, time_zone: UTC, country: GB, latitude: 0, longitude: 0}}
http: {{server_host: 127.0.0.1, server_port: {port}}}
api:
frontend:
automation: !include automations.yaml
"""
FROM_BLUEPRINT = """
- alias: "from the blueprint"
  id: from_blueprint
  use_blueprint:
    path: seance/blueprint.yaml
    input:
      lamp: light.parlour
      at_verdict:
        - action: switch.turn_on
          target: {entity_id: switch.fog}
"""
BEGUN = ("begin the séance", "we are four, easy, the usual rules, skip the story", "red, blue and white play", "yes",
         "ready")  # fmt: skip


def check(report: Report, folder: Path, *, picture: Path | None = None) -> None:
    """Check a night at Home Assistant, and take a *picture* of its page if one is wanted."""
    built = build_cache.cached_build("homeassistant", f"{SUITE} {PACKAGES} {VERSION}", _build)
    root = debian.overlay(built / "root", folder / "layers")
    for name in ("proc", "dev"):
        run("mount", "--rbind", f"/{name}", root / name)
    broker_port, port = free_port(), free_port()
    _configure(root / "config", port)
    (root / "config/broker.conf").write_text(
        f"user root\npersistence false\nlistener {broker_port} 127.0.0.1\nallow_anonymous true\n"
    )
    broker = start([*_inside(root), "/usr/sbin/mosquitto", "-c", "/config/broker.conf"], folder / "broker")
    core = start([*_inside(root), "/opt/homeassistant/bin/hass", "-c", "/config", "--skip-pip"], folder / "core")
    devices = Devices(broker_port)
    try:
        with report.check(f"Home Assistant {VERSION} runs and takes the broker"):
            assistant = HomeAssistant(port, folder / "core")
            assistant.set_up(broker_port)
            devices.announce()
        with report.check("an automation and a blueprint of docs/homeassistant are taken"):
            wait_for("the automations", lambda: len(assistant.automations()) == 4, 60)
            require(set(assistant.automations().values()) == {"on"}, f"{assistant.automations()}")
        _check_night(report, folder, assistant, devices, HOUSE.format(folder=folder, port=broker_port), picture)
        with report.check("nothing that the house publishes is complained of"):
            log = (folder / "core").read_text(errors="replace")
            complaints = [line for line in log.splitlines() if "seance" in line and ("WARN" in line or "ERROR" in line)]
            require(not complaints, tail("\n".join(complaints)))
    finally:
        devices.close()
        for process in (core, broker):
            end(process)


def _check_night(
    report: Report, folder: Path, assistant: "HomeAssistant", devices: Devices, settings: str, picture: Path | None
) -> None:
    (folder / "settings.toml").write_text(settings)
    with House(folder, "en") as house:
        with report.check("the manor appears by itself, with all its entities") as details:
            assistant.await_state("sensor.seance_phase", "No night")
            entities = assistant.entities()
            details.append(f"{len(entities)} entities")
            require(len(entities) >= 25, f"{sorted(entities)}")
        with report.check("entities follow the night: phase, hour, sand"):
            house.type(*BEGUN)
            assistant.await_state("sensor.seance_hour", "1")
            house.type("red has a vision", "blue has a vision", "white has a vision", "turn the sand")
            assistant.await_state("sensor.seance_phase", "The psychics choose")
            assistant.await_state("binary_sensor.seance_sand_running", "on")
        with report.check("the automation: the lamp follows the hour"):
            devices.await_command("lamp", lambda asked: asked.get("brightness", 0) > 0)
        _check_obedience(report, assistant, house, picture)
        with report.check("the automation: a red flash at two knocks"):
            house.choose(devices)
            house.type("we are ready")
            devices.await_command("lamp", lambda asked: asked.get("flash") and asked["color"]["r"] == 255)
        with report.check("the automation: fog at the verdict"):
            house.type("end the séance", "yes")
            devices.await_command("fog", lambda asked: asked == "ON")
            assistant.await_state("sensor.seance_verdict", "Lost")
        house.kill()
        with report.check("a house that is killed is unavailable"):
            assistant.await_state("sensor.seance_phase", "unavailable")
    with House(folder, "fr"), report.check("in another language the names change, and the ids do not"):
        wait_for("French names", lambda: assistant.name_of("sensor.seance_sand_left").endswith("Sable restant"), 60)
        require(assistant.entities() == entities, "there are other entities")


def _check_obedience(report: Report, assistant: "HomeAssistant", house: "House", picture: Path | None) -> None:
    with report.check("buttons, number and notification are obeyed"):
        assistant.call("button.press", "button.seance_pause")
        assistant.await_state("binary_sensor.seance_paused", "on")
        assistant.call("number.set_value", "number.seance_sand", value=300)
        assistant.await_state("sensor.seance_sand_left", "300")
        if picture is not None:
            take_picture(
                assistant.url, assistant.tokens, assistant.render("{{ device_id('sensor.seance_phase') }}"), picture
            )
        assistant.call("button.press", "button.seance_resume")
        assistant.await_state("binary_sensor.seance_paused", "off")
        assistant.call("notify.send_message", "notify.seance_say", message="The doors are locked.")
        wait_for("the line", lambda: "The doors are locked." in house.said(), 30)
        assistant.call("button.press", "button.seance_knock_now")
        wait_for("the knock", lambda: assistant.attribute("event.seance_knock", "event_type") == "call", 30)


def _build(into: Path) -> None:
    """Make a Debian 13 with Home Assistant and what its integrations need, which it then need not fetch."""
    root = into / "root"
    host.mmdebstrap(root, variant="minbase", packages=PACKAGES, suite=SUITE)
    host.share_network(root)
    for name in ("proc", "dev"):
        run("mount", "--rbind", f"/{name}", root / name)
    try:
        inside, python = _inside(root), "/opt/homeassistant/bin/python"
        run(*inside, "python3", "-m", "venv", "/opt/homeassistant")
        run(*inside, python, "-m", "pip", "install", "--quiet", f"homeassistant=={VERSION}", seconds=3600)
        needed = run(*inside, python, "-c", NEEDED, *INTEGRATIONS).split()
        run(*inside, python, "-m", "pip", "install", "--quiet", *needed, seconds=1800)
    finally:
        for name in ("proc", "dev"):
            run("umount", "--recursive", "--lazy", root / name)


def _inside(root: Path) -> list[str]:
    path = "PATH=/opt/homeassistant/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    return ["chroot", str(root), "env", "-i", path, "HOME=/root", "LANG=C.UTF-8"]


def _configure(config: Path, port: int) -> None:
    blueprints = config / "blueprints/automation/seance"
    blueprints.mkdir(parents=True)
    (config / "configuration.yaml").write_text(CONFIGURATION.format(port=port))
    (config / "automations.yaml").write_text((EXAMPLES / "lamps.yaml").read_text() + FROM_BLUEPRINT)
    shutil.copy(EXAMPLES / "blueprint.yaml", blueprints)


class House:
    """A house that types and makes no sound, as a program of its own, while entered."""

    def __init__(self, folder: Path, language: str) -> None:
        self._log = folder / f"house-{language}"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "seance", "run", "--typed", "--plain", "--no-sound", "--lang", language,
                 "--config", folder / "settings.toml"],
                stdin=subprocess.PIPE, stdout=log, stderr=log, cwd=ROOT, text=True,
            )  # fmt: skip

    def __enter__(self) -> "House":
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def type(self, *lines: str) -> None:
        """Type *lines*, each when the one before has been answered."""
        for line in lines:
            self._write(line)
            wait_for(f"an answer to {line!r}", partial(self._is_answered, line), 30)

    def choose(self, devices: Devices) -> None:
        """Let everybody try cards until one is on the table; it is the right one for hardly anybody."""
        for colour in ("red", "blue", "white"):
            for card in range(1, 19):
                self._write(line := f"{colour} chooses card {card}")
                wait_for(f"an answer to {line!r}", partial(self._is_decided, line, colour, devices), 30)
                if self._has_chosen(colour, devices):
                    break

    def said(self) -> str:
        """Return all that the house has printed."""
        return self._log.read_text(errors="replace")

    def kill(self) -> None:
        """End it without a word."""
        self._process.kill()
        self._process.wait()

    def _write(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def _is_decided(self, line: str, colour: str, devices: Devices) -> bool:
        return self._is_answered(line) or self._has_chosen(colour, devices)

    def _has_chosen(self, colour: str, devices: Devices) -> bool:
        return colour in devices.last("seance/psychics")["chosen"]

    def _is_answered(self, line: str) -> bool:
        _, found, after = self.said().rpartition(f"> {line}\n")
        return bool(found) and bool(after.strip())


class HomeAssistant:
    """The HTTP API of a running core, as its owner."""

    def __init__(self, port: int, log: Path) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self._log = log
        self._http = httpx.Client(base_url=self.url, timeout=60)
        self.tokens: dict[str, Any] = {}

    def set_up(self, broker_port: int) -> None:
        """Wait for the core, make its owner, and give it the broker."""
        wait_for("Home Assistant", self._answers, 300, every=1)
        client = {"client_id": f"{self.url}/"}
        owner = {"name": "Rig", "username": "rig", "password": "rig", "language": "en"}
        code = self._post("/api/onboarding/users", {**client, **owner})["auth_code"]
        grant = {"grant_type": "authorization_code", "code": code, **client}
        self.tokens = self._http.post("/auth/token", data=grant).json()
        self._http.headers["Authorization"] = f"Bearer {self.tokens['access_token']}"
        for step in ("core_config", "analytics"):
            self._post(f"/api/onboarding/{step}", {})
        self._post("/api/onboarding/integration", {**client, "redirect_uri": f"{self.url}/"})
        flow = self._post("/api/config/config_entries/flow", {"handler": "mqtt"})["flow_id"]
        done = self._post(f"/api/config/config_entries/flow/{flow}", {"broker": "127.0.0.1", "port": broker_port})
        require(done.get("type") == "create_entry", f"it does not take the broker: {done}")

    def await_state(self, entity: str, wanted: str) -> None:
        """Return when *entity* has the state *wanted*, or raise CheckFailed with the one that it has."""
        try:
            wait_for(f"{entity} {wanted!r}", lambda: self.states().get(entity, {}).get("state") == wanted, 60)
        except CheckFailed as why:
            raise CheckFailed(f"{why}: it is {self.states().get(entity)}") from None

    def states(self) -> dict[str, dict[str, Any]]:
        """Return all states, by entity."""
        return {each["entity_id"]: each for each in self._http.get("/api/states").json()}

    def entities(self) -> set[str]:
        """Return the ids of the manor's entities."""
        return {entity for entity in self.states() if ".seance_" in entity and not entity.startswith("automation.")}

    def automations(self) -> dict[str, str]:
        """Return the states of all automations."""
        return {key: each["state"] for key, each in self.states().items() if key.startswith("automation.")}

    def attribute(self, entity: str, name: str) -> object:
        """Return an attribute of *entity*."""
        return self.states().get(entity, {}).get("attributes", {}).get(name)

    def name_of(self, entity: str) -> str:
        """Return what *entity* is called."""
        return str(self.attribute(entity, "friendly_name"))

    def call(self, action: str, entity: str, **more: object) -> None:
        """Call an action on *entity*."""
        domain, name = action.split(".")
        self._post(f"/api/services/{domain}/{name}", {"entity_id": entity, **more})

    def render(self, template: str) -> str:
        """Return what *template* says."""
        return self._http.post("/api/template", json={"template": template}).text

    def _answers(self) -> bool:
        try:
            return self._http.get("/api/onboarding").status_code == 200
        except httpx.TransportError:
            return False

    def _post(self, path: str, data: dict[str, Any]) -> Any:
        answer = self._http.post(path, json=data)
        if answer.status_code >= 400:
            raise CheckFailed(
                f"{path}: {answer.status_code} {answer.text[:200]}: {tail(self._log.read_text(errors='replace'))}"
            )
        try:
            return answer.json()
        except json.JSONDecodeError:
            return answer.text
