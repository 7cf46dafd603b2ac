"""What is published of a state, how the house is announced, and what is read of commands."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from jinja2 import Environment, StrictUndefined

from seance.daemon.sand import SandTimer
from seance.daemon.world.mqtt_thread import COMMAND_ACTIONS, LETTERS_PER_S, take_command
from seance.mqtt.discovery import discovery_message, discovery_topic
from seance.mqtt.house_state import HouseState
from seance.mqtt.incoming import (
    MAX_LINE_CHARS,
    BadPayload,
    KnockTimes,
    PlayCommand,
    PressTopic,
    SayLine,
    SetSand,
    read_message,
)
from seance.mqtt.topics import MOODS, events_between, state_messages
from seance.narration.cues import Mood
from seance.permissions import Action
from seance.rules import EDITIONS, Outcome, Phase, Psychic, Reason, room_view
from seance.texts import Texts
from seance.web.page_state import NumberedKnock
from tests.languages import EACH_LANGUAGE
from tests.nights import begun

DOCUMENT = (Path(__file__).parents[2] / "docs/mqtt.md").read_text(encoding="utf-8")
NAMES = {psychic.value: psychic.value.title() for psychic in Psychic}


HOME_ASSISTANT = Environment(undefined=StrictUndefined)
"""Templates as Home Assistant reads them, but strict."""


def messages(state: HouseState, now: float = 0.0, language: str = "en"):
    return state_messages(state, Texts.load("mqtt", language), NAMES, now)


def test_before_the_first_night_every_topic_has_a_message():
    published = messages(HouseState())
    assert published["night"]["phase"] == published["verdict"]["result"] == published["ambience"]["mood"] == "none"
    assert published["sand"] == {"left_s": None, "of_s": None, "running": False}


@pytest.mark.parametrize(
    ("left_s", "published"), [(120.0, 120), (118.2, 120), (114.9, 115), (10.4, 15), (10.0, 10), (8.3, 9), (0.0, 0)]
)
def test_running_sand_is_told_in_steps_of_five_seconds_until_the_last_ten(left_s, published):
    sand = SandTimer(left_s=left_s, turn_s=120.0, at=0.0)
    assert messages(HouseState(sand=sand))["sand"]["left_s"] == published


def test_the_verdict_has_the_culprit_only_with_the_outcome():
    room = room_view(begun())
    assert messages(HouseState(room=room, culprit=2))["verdict"]["culprit"] is None
    over = replace(room, phase=Phase.OVER, outcome=Outcome(won=True, reason=Reason.CULPRIT_FOUND))
    verdict = messages(HouseState(room=over, culprit=2))["verdict"]
    assert (verdict["result"], verdict["culprit"]) == ("won", 2)


def test_knocks_are_events_and_those_of_the_clock_an_hour():
    before = HouseState(knocks=(NumberedKnock(1, "yes", 1),))
    after = HouseState(knocks=(*before.knocks, NumberedKnock(2, "no", 2), NumberedKnock(3, "hour", 3)))
    assert list(events_between(before, after)) == [
        ("knock", {"event_type": "no", "count": 2}),
        ("hour", {"event_type": "struck", "hour": 3, "of": 7}),
    ]
    assert list(events_between(after, after)) == []


def test_the_document_has_every_topic_and_field():
    room = room_view(begun())
    knocks = (NumberedKnock(1, "yes", 1), NumberedKnock(2, "hour", 2))
    published = {**messages(HouseState(room=room)), **dict(events_between(HouseState(), HouseState(knocks=knocks)))}
    examples = re.findall(r"^\| `<base>/(\w+)` \|.*?\| `(\{.+?\})` \|", DOCUMENT, re.MULTILINE)
    documented = {topic: json.loads(example).keys() for topic, example in examples if topic in published}
    assert documented == {topic: message.keys() for topic, message in published.items()}


def test_the_document_has_every_command():
    assert set(re.findall(r"`<base>/command/(\w+)`", DOCUMENT)) == set(COMMAND_ACTIONS)


# Discovery


def announced(language: str = "en", allowed: frozenset[Action] = frozenset(Action)):
    return discovery_message("seance", Texts.load("mqtt", language), NAMES, allowed=allowed, version="1")


def test_every_entity_has_an_id_of_its_own():
    ids = [(each["platform"], each["unique_id"]) for each in announced()["components"].values()]
    assert len({unique_id for _, unique_id in ids}) == len(ids)


@EACH_LANGUAGE
def test_names_are_of_the_language_and_ids_are_not(language):
    components, english = announced(language)["components"], announced()["components"]
    assert [each["unique_id"] for each in components.values()] == [each["unique_id"] for each in english.values()]
    texts = Texts.load("mqtt", language)
    assert components["phase"]["name"] == texts("entity.phase")
    assert components["phase"]["options"][1] == texts("phase.visions")


def test_what_is_not_allowed_is_taken_away():
    components = announced(allowed=frozenset({Action.PAUSE}))["components"]
    assert components["louder"] == {"platform": "button"}
    assert components["pause"]["command_topic"] == "seance/command/pause"


STATES = [
    HouseState(),
    HouseState(room=room_view(begun()), mood="last_seconds", what_next="Everybody chooses. " * 40),
    HouseState(sand=SandTimer(left_s=45.0, turn_s=120.0, at=0.0)),
    HouseState(sand=SandTimer(left_s=3000.0, turn_s=3600.0, at=0.0)),
]


@pytest.mark.parametrize("state", STATES)
def test_every_template_makes_a_state_that_its_entity_may_have(state):
    published = messages(state)
    for key, each in announced()["components"].items():
        if "value_template" not in each:
            continue
        message = published[each["state_topic"].removeprefix("seance/")]
        made = HOME_ASSISTANT.from_string(each["value_template"]).render(value_json=message)
        assert len(made) <= 255, key
        if each["platform"] == "binary_sensor":
            assert made in ("ON", "OFF"), key
        elif "options" in each:
            assert made in each["options"], key
        elif "max" in each and made != "None":
            assert each["min"] <= float(made) <= each["max"], key


@EACH_LANGUAGE
def test_every_mood_has_a_name(language):
    assert tuple(Mood) == MOODS
    assert announced(language)["components"]["mood"]["options"] == [
        messages(HouseState(mood=mood), language=language)["ambience"]["mood_name"] for mood in Mood
    ]


def test_two_houses_have_two_devices():
    assert discovery_topic("homeassistant", "seance") == "homeassistant/device/seance/config"
    assert discovery_topic("homeassistant", "up/stairs") == "homeassistant/device/seance_up_stairs/config"


# Commands


@pytest.mark.parametrize(
    ("name", "payload", "asked"),
    [
        ("pause", b"PRESS", PressTopic("pause")),
        ("say", "Das Türchen\t ist\x07 zu.\n".encode(), SayLine("Das Türchen ist zu.")),
        ("sand", b'{"add_s": 30}', SetSand(30, is_added=True)),
        ("sand", b'{"add_s": -15.5}', SetSand(-15.5, is_added=True)),
        ("sand", b'{"left_s": 0}', SetSand(0, is_added=False)),
        ("knock", b"", KnockTimes(1)),
        ("knock", b"PRESS", KnockTimes(1)),
        ("knock", b'{"count": 3}', KnockTimes(3)),
        ("game", b'{"command": "call_time"}', PlayCommand({"command": "call_time"})),
    ],
)
def test_a_command_is_read(name, payload, asked):
    assert read_message(name, payload) == asked


@pytest.mark.parametrize(
    ("name", "payload"),
    [
        ("say", b""),
        ("say", b"\x07\n"),
        ("say", b"\xff\xfe"),
        ("say", b"a" * (MAX_LINE_CHARS + 1)),
        ("sand", b"30"),
        ("sand", b"{}"),
        ("sand", b'{"add_s": 30, "left_s": 30}'),
        ("sand", b'{"left_s": -1}'),
        ("sand", b'{"add_s": 1e9}'),
        ("sand", b'{"add_s": NaN}'),
        ("knock", b'{"count": 99}'),
        ("knock", b'{"count": 0}'),
        ("knock", b'{"often": 1}'),
        ("game", b"[]"),
        ("game", b"[" * 4000),
        ("game", b"{" + b" " * 5000 + b"}"),
    ],
)
def test_a_bad_command_is_refused(name, payload):
    with pytest.raises(BadPayload):
        read_message(name, payload)


class Inbox(list):
    put = list.append


@pytest.mark.parametrize("payload", [b"{}", b'{"command": "dance"}', b'{"command": "vote", "by": 7}', b"\xff"])
def test_a_command_that_is_none_is_logged_and_dropped(payload, caplog):
    inbox = Inbox()
    take_command(inbox, EDITIONS)("game", payload)
    assert inbox == []
    assert "command/game: " in caplog.text


def test_nobody_makes_the_house_speak_or_knock_without_end(caplog):
    inbox, now = Inbox(), 0.0
    take = take_command(inbox, EDITIONS, clock=lambda: now)
    for _ in range(20):
        take("say", b"Again.")
        take("knock", b"")
    assert len(inbox) == 6
    now = 5.0
    take("say", b"Again.")
    assert len(inbox) == 7
    assert "command/say: too many of them" in caplog.text


def test_long_lines_leave_the_house_two_thirds_of_the_time():
    inbox, now = Inbox(), 0.0
    take = take_command(inbox, EDITIONS, clock=lambda: now)
    for now in range(600):  # noqa: B007 - the clock reads it
        take("say", b"a" * 200)
    letters = sum(len(request.text) for request in inbox)
    assert 600 < letters <= 600 + 600 * LETTERS_PER_S


def test_all_bets_of_a_moment_are_taken():
    inbox = Inbox()
    take = take_command(inbox, EDITIONS, clock=lambda: 0.0)
    for _ in range(30):
        take("game", b'{"command": "call_time"}')
    assert len(inbox) == 30


def test_a_flood_of_nonsense_does_not_fill_the_log(caplog):
    now = 0.0
    take = take_command(Inbox(), EDITIONS, clock=lambda: now)
    for now in range(600):  # noqa: B007 - the clock reads it
        take("sand", b"\x00" * 100)
    assert len(caplog.records) <= 13
