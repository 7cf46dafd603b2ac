"""The house as one device of Home Assistant, with all its entities, for discovery by MQTT."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from seance.mqtt import topics as t
from seance.permissions import Action
from seance.rules import Phase, Psychic
from seance.texts import Texts

MAX_SAND_SLIDER_S = 600
"""The most sand that the slider gives; `command/sand` takes more."""
MAX_STATE_CHARS = 255
"""Home Assistant takes no longer state."""
OWN_ID = "seance"
"""The beginning of all entity ids."""

_NIGHT, _SAND, _PSYCHICS = "night", "sand", "psychics"
_SECONDS: Mapping[str, Any] = {"device_class": "duration", "unit_of_measurement": "s"}


@dataclass(frozen=True, slots=True)
class Entity:
    """One entity: its platform, its key in the texts, and its fields in the discovery message."""

    platform: str
    key: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    action: Action | None = None
    """What the owner must have allowed."""


def discovery_topic(prefix: str, base: str) -> str:
    """Return the topic of the discovery message below *prefix* for the house that publishes below *base*."""
    return f"{prefix}/device/{_node(base)}/config"


def discovery_message(
    base: str, texts: Texts, names: Mapping[str, str], *, allowed: frozenset[Action], version: str
) -> dict[str, Any]:
    """Return the discovery message; an entity that is not allowed is one to be removed."""
    node = _node(base)

    def topic(name: str) -> str:
        return f"{base}/{name}"

    components: dict[str, Any] = {}
    for entity in _entities(topic, texts):
        name = texts(f"entity.{entity.key}")
        is_wanted = entity.action is None or entity.action in allowed
        components[entity.key] = _component(node, entity, name) if is_wanted else {"platform": entity.platform}
    for psychic in Psychic:
        entity = _psychic_entity(topic, psychic)
        components[entity.key] = _component(node, entity, texts("entity.chosen_by", name=names[psychic]))
    return {
        "device": {
            "identifiers": [node],
            "name": texts("device.name"),
            "manufacturer": "seance",
            "model": texts("device.model"),
            "sw_version": version,
        },
        "origin": {"name": "seance", "sw_version": version},
        "availability_topic": topic(t.AVAILABILITY),
        "payload_available": t.ONLINE,
        "payload_not_available": t.OFFLINE,
        "components": components,
    }


def _node(base: str) -> str:
    """Return *base* as an id."""
    safe = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in base.lower())
    return safe if safe.startswith(OWN_ID) else f"{OWN_ID}_{safe}"


def _component(node: str, entity: Entity, name: str) -> dict[str, Any]:
    unique_id = f"{node}_{entity.key}"
    return {
        "platform": entity.platform,
        "unique_id": unique_id,
        # The same in every language; the first is what Home Assistant calls it since 2025.10.
        "default_entity_id": f"{entity.platform}.{unique_id}",
        "object_id": unique_id,
        "name": name,
        **entity.fields,
    }


def _entities(topic: Callable[[str], str], texts: Texts) -> Iterator[Entity]:
    yield from _sensors(topic, texts)
    yield from _binary_sensors(topic)
    yield from _events(topic)
    yield from _controls(topic)


def _sensors(topic: Callable[[str], str], texts: Texts) -> Iterator[Entity]:
    night, sand, psychics, verdict = topic(_NIGHT), topic(_SAND), topic(_PSYCHICS), topic("verdict")
    ambience = topic("ambience")
    phases = [texts(f"phase.{phase}") for phase in (t.NO_NIGHT, *Phase)]
    results = [texts(f"verdict.{result}") for result in (t.NO_NIGHT, "won", "lost")]
    moods = [texts(f"mood.{mood}") for mood in t.MOODS]
    text_of_next = f"value_json.text[:{MAX_STATE_CHARS}]"
    yield _sensor("phase", night, "value_json.phase_name", icon="ghost", has_attributes=True, **_enum(phases))
    yield _sensor("hour", night, "value_json.hour", icon="clock-outline", state_class="measurement")
    yield _sensor("sand_left", sand, "value_json.left_s", icon="timer-sand", suggested_display_precision=0, **_SECONDS)
    yield _sensor("next", topic("next"), text_of_next, icon="arrow-right-bold-outline")
    yield _sensor("chosen", psychics, "value_json.chosen | count", icon="account-check", has_attributes=True)
    yield _sensor("verdict", verdict, "value_json.result_name", icon="gavel", has_attributes=True, **_enum(results))
    yield _sensor("mood", ambience, "value_json.mood_name", icon="weather-night", has_attributes=True, **_enum(moods))


def _sensor(key: str, topic: str, expression: str, *, icon: str, has_attributes: bool = False, **more: Any) -> Entity:
    attributes = {"json_attributes_topic": topic} if has_attributes else {}
    return Entity("sensor", key, {**_value(topic, expression), "icon": f"mdi:{icon}", **attributes, **more})


def _binary_sensors(topic: Callable[[str], str]) -> Iterator[Entity]:
    night, faults = topic(_NIGHT), topic("faults")
    running, paused = _flag(night, "value_json.running"), _flag(night, "value_json.paused")
    sand_running, is_any = _flag(topic(_SAND), "value_json.running"), _flag(faults, "value_json.is_any")
    problem = {"json_attributes_topic": faults, "device_class": "problem"}
    yield Entity("binary_sensor", "running", {**running, "device_class": "running"})
    yield Entity("binary_sensor", "paused", {**paused, "icon": "mdi:pause"})
    yield Entity("binary_sensor", "sand_running", {**sand_running, "icon": "mdi:timer-sand"})
    yield Entity("binary_sensor", "fault", {**is_any, **problem})


def _psychic_entity(topic: Callable[[str], str], psychic: Psychic) -> Entity:
    value = _flag(topic(_PSYCHICS), f"value_json.psychics.{psychic}.chosen")
    return Entity("binary_sensor", f"chosen_{psychic}", {**value, "icon": "mdi:account-eye"})


def _events(topic: Callable[[str], str]) -> Iterator[Entity]:
    knock = {"state_topic": topic(t.KNOCK), "event_types": list(t.KNOCK_TYPES), "icon": "mdi:hand-back-left"}
    yield Entity("event", "knock", knock)
    yield Entity("event", "hour_struck", {"state_topic": topic(t.HOUR), "event_types": ["struck"], "icon": "mdi:bell"})


def _controls(topic: Callable[[str], str]) -> Iterator[Entity]:
    def command(name: str) -> dict[str, Any]:
        return {"command_topic": topic(f"{t.COMMAND}/{name}")}

    left_s = "value_json.left_s"
    yield Entity("button", "pause", {**command("pause"), "icon": "mdi:pause"}, Action.PAUSE)
    yield Entity("button", "resume", {**command("resume"), "icon": "mdi:play"}, Action.PAUSE)
    yield Entity("button", "louder", {**command("louder"), "icon": "mdi:volume-plus"}, Action.VOLUME)
    yield Entity("button", "quieter", {**command("quieter"), "icon": "mdi:volume-minus"}, Action.VOLUME)
    yield Entity("button", "knock_now", {**command("knock"), "icon": "mdi:hand-back-left"}, Action.KNOCK)
    yield Entity("notify", "say", {**command("say"), "icon": "mdi:bullhorn"}, Action.NARRATE)
    yield Entity(
        "number",
        "sand",
        {
            **command("sand"),
            # Home Assistant complains of a value beyond the end of the slider.
            **_value(topic(_SAND), f"{left_s} if {left_s} is none else [{left_s}, {MAX_SAND_SLIDER_S}] | min"),
            "command_template": '{"left_s": {{ value | int }}}',
            "min": 0,
            "max": MAX_SAND_SLIDER_S,
            "step": t.SAND_STEP_S,
            "icon": "mdi:timer-sand",
            **_SECONDS,
        },
        Action.CHANGE_SAND,
    )


def _value(topic: str, expression: str) -> dict[str, str]:
    return {"state_topic": topic, "value_template": f"{{{{ {expression} }}}}"}


def _flag(topic: str, expression: str) -> dict[str, str]:
    return _value(topic, f"'ON' if {expression} else 'OFF'")


def _enum(options: list[str]) -> dict[str, Any]:
    return {"device_class": "enum", "options": options}
