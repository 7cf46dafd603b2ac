"""The examples for Home Assistant, as far as they can be checked without it: `script/rig homeassistant` runs them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from seance.mqtt.discovery import discovery_message
from seance.permissions import Action
from seance.rules import Psychic
from seance.texts import Texts

EXAMPLES = sorted((Path(__file__).parents[2] / "docs/homeassistant").glob("*.yaml"))
NAMES = {psychic.value: psychic.value for psychic in Psychic}
ENTITIES = discovery_message("seance", Texts.load("mqtt", "en"), NAMES, allowed=frozenset(Action), version="1")
IDS = {each["default_entity_id"] for each in ENTITIES["components"].values()}


class Loader(yaml.SafeLoader):
    """YAML with the tag of blueprints."""


Loader.add_constructor("!input", lambda loader, node: {"input": loader.construct_scalar(node)})


def inputs(value: Any) -> Iterator[str]:
    """Yield the names of all inputs that *value* asks for."""
    if isinstance(value, dict):
        yield from [value["input"]] if isinstance(value.get("input"), str) else []
        for each in value.values():
            yield from inputs(each)
    elif isinstance(value, list):
        for each in value:
            yield from inputs(each)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_names_only_entities_that_the_house_announces(path):
    text = path.read_text(encoding="utf-8")
    named = set(re.findall(r"\b(?:sensor|binary_sensor|event|button|number|notify)\.seance_\w+", text))
    assert named
    assert named <= IDS


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_is_yaml_with_triggers_and_actions(path):
    loaded = yaml.load(path.read_text(encoding="utf-8"), Loader)
    for automation in loaded if isinstance(loaded, list) else [loaded]:
        assert automation["triggers"]
        assert automation["actions"]


def test_the_blueprint_asks_for_each_input_that_it_uses():
    (path,) = (path for path in EXAMPLES if path.name == "blueprint.yaml")
    loaded = yaml.load(path.read_text(encoding="utf-8"), Loader)
    assert loaded["blueprint"]["domain"] == "automation"
    offered = loaded.pop("blueprint")["input"]
    assert set(inputs(loaded)) == set(offered)
