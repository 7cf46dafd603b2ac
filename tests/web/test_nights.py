"""Whole nights with a ghost's phone and a table's page: what each may see, in every byte, and what taps do."""

import json
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from seance import settings as s
from seance.codec import command_fields
from seance.daemon.signals import GhostCommand
from seance.rules import Command, Phase, Psychic, State, Visions
from seance.rules import commands as c
from seance.rules.bots import Company
from seance.web.requests import GHOST_COMMANDS
from tests.web.running_evening import PATIENCE, Phone, RunningEvening, chosen, running_evening

MOST_STEPS = 2000
BY_PHONE = (c.GiveVision, c.UseCrow, c.TurnSand, c.Manifest, c.ChooseCulprit, c.LaySharedVision)


def played(house: RunningEvening, ghost: Phone) -> Iterator[Command]:
    """Play the night to its end, the ghost by its phone, and yield each command when it was carried out."""
    bot = Company(Random(7), accuracy=0.8)
    for _ in range(MOST_STEPS):
        state = house.evening.state
        assert state is not None
        if state.outcome is not None:
            return
        command = with_cards(bot.choose(state), state)
        if isinstance(command, BY_PHONE):
            answer = ghost.post("/ghost/command", msgspec.to_builtins(command_fields(command)))
            assert answer.status_code in (202, 429), answer.text
        else:
            house.parts.inbox.put(GhostCommand(command))
        house.until(lambda state=state: house.evening.state is not state)
        yield command
    raise AssertionError("the night does not end")


def with_cards(command: Command, state: State) -> Command:
    """Return *command* with cards of the ghost's hand, where visions are dealt."""
    if state.setup.visions is not Visions.DEALT:
        return command
    match command:
        case c.GiveVision():
            return c.GiveVision(psychic=command.psychic, cards=state.deck.hand[: command.count])
        case c.UseCrow():
            return c.UseCrow(cards=state.deck.hand)
        case c.LaySharedVision():
            return c.LaySharedVision(cards=state.deck.hand[: state.setup.edition.shared_vision_cards])
    return command


@contextmanager
def listening(house: RunningEvening, path: str) -> Iterator[list[bytes]]:
    """Keep every byte that a stranger gets from *path*, until the house has closed."""
    got: list[bytes] = []
    begun = threading.Event()

    def listen() -> None:
        with httpx.stream("GET", f"{house.url}{path}", timeout=PATIENCE) as response:
            try:
                for part in response.iter_bytes():
                    got.append(part)
                    begun.set()
            except httpx.TransportError:
                pass  # the house has closed

    reader = threading.Thread(target=listen)
    reader.start()
    assert begun.wait(PATIENCE)
    yield got
    house.told()
    with house.phone() as phone:  # the last thing shown has come when a later reader sees it
        last = phone.state()["n"]
    house.until(lambda: f'"n":{last},'.encode() in b"".join(got))


KINDS = [s.GameSection(), s.GameSection(visions="dealt"), s.GameSection(edition="igames", visions="dealt")]


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("game", KINDS, ids=["libellud", "dealt", "igames"])
def test_no_byte_for_the_table_holds_a_secret(tmp_path, game):
    with running_evening(tmp_path, chosen(tmp_path, game=game)) as house:
        begin(house, game.edition)
        with house.ghost() as ghost, listening(house, "/table/events") as got:
            secrets = {house.seat.key, house.seat.holder or ""} | set(ghost.http.cookies.values())
            for _ in played(house, ghost):
                house.told()
        frames = b"".join(got)
    assert not [secret for secret in secrets if secret.encode() in frames]
    states = [json.loads(line[5:]) for line in frames.decode().split("\n") if line.startswith("data:")]
    assert not {"secret", "hand", "may", "mine", "seed", "whispers"} & set(keys_of(states))
    # The culprit is named when the night is over, and not before.
    assert not [state for state in states if state.get("culprit") and not (state["night"] or {}).get("outcome")]
    # Nobody outside the seat sees more of the shared vision, or of the votes, than lies openly on the table.
    for state in states:
        night = state.get("night")
        if night and night["shared_vision"] is not None:
            assert len(night["shared_vision"]) <= night["shared_vision_shown"]


@pytest.mark.usefixtures("hasty")
def test_no_log_holds_a_secret(tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    with running_evening(tmp_path) as house:
        house.begin()
        with house.ghost() as ghost, ghost.events("/ghost/events") as events:
            assert next(events)[1]["secret"]
            ghost.ask("give_vision", psychic="red", count=1)
            ghost.ask("turn_sand")
            whisper = next(said["text"] for kind, said in events if kind == "whisper")
            secrets = [house.seat.key, str(house.seat.holder), ghost.http.cookies["seat"], whisper, '"secret"']
    logged = [each.getMessage() for each in caplog.records if not each.name.startswith("http")]  # the phone's own
    assert logged
    assert not [(secret, line) for secret in secrets for line in logged if secret in line]


def begin(house: RunningEvening, edition: str) -> None:
    """Begin a night of *edition*."""
    named = "the original rules" if edition == "igames" else "the usual rules"
    house.type("begin the séance", f"we are four, easy, {named}, skip the story", "red, blue and white play", "yes")
    house.type("ready")
    house.until(lambda: house.evening.state is not None)


def keys_of(value: Any) -> Iterator[str]:
    """Yield every key in *value*, however deep."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            if key != "words":
                yield from keys_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_of(inner)


@pytest.mark.usefixtures("hasty")
def test_a_whole_night_is_ruled_by_taps_alone(night):
    with night.ghost() as ghost:
        tapped = {type(command) for command in played(night, ghost)}
    assert night.evening.state.outcome is not None
    assert {c.GiveVision, c.TurnSand, c.Manifest} <= tapped


def to_the_answers(night: RunningEvening, ghost: Phone) -> None:
    """Let red, blue and white choose any card, and time be called."""
    for psychic in ("red", "blue", "white"):
        assert ghost.ask("give_vision", psychic=psychic, count=1).status_code == 202
    ghost.ask("turn_sand")
    night.until(lambda: night.evening.state.phase is Phase.INTERPRETATION)
    card = night.evening.state.table.character[0]
    for psychic in ("red", "blue", "white"):
        night.type(f"{psychic} chooses card {card}")
    night.type("we are ready")


def test_the_house_waits_for_the_ghost_to_reveal_in_the_order_it_likes(night):
    with night.ghost() as ghost, ghost.events("/ghost/events"):
        to_the_answers(night, ghost)
        assert night.evening.state.phase is Phase.MANIFESTATION
        ghost.ask("manifest", psychic="white")
        night.until(lambda: night.evening.state.search(Psychic.WHITE).answered)
        assert not night.evening.state.search(Psychic.RED).answered


def test_without_a_page_in_the_seat_the_house_answers_by_itself(night):
    with night.phone() as phone:
        for psychic in ("red", "blue", "white"):
            night.type(f"ghost vision {psychic}")
        night.type("ghost sand")
        card = night.evening.state.table.character[0]
        for psychic in ("red", "blue", "white"):
            night.type(f"{psychic} chooses card {card}")
        night.type("we are ready")
        assert night.evening.state.hour == 2
        night.told()
        assert phone.until(lambda state: state["night"]["hour"] == 2)["said"]


def test_when_the_seat_is_freed_the_house_answers_what_waits(night):
    with night.ghost() as ghost, ghost.events("/ghost/events"):
        to_the_answers(night, ghost)
        assert night.evening.state.phase is Phase.MANIFESTATION
        night.type("the ghost must change seats")
        night.until(lambda: night.evening.state.hour == 2)


def test_a_refusal_is_whispered_to_the_ghost_alone(night):
    with night.ghost() as ghost, ghost.events("/ghost/events") as events, night.phone() as phone:
        assert ghost.ask("turn_sand").status_code == 202
        whisper = next(said["text"] for kind, said in events if kind == "whisper")
        assert "red" in whisper.lower()
        assert whisper not in phone.get("/table").text
        assert whisper not in json.dumps(phone.state())


def test_a_tap_in_the_name_of_a_device_that_has_left_the_seat_does_nothing(night):
    with night.ghost():
        night.parts.inbox.put(GhostCommand(c.GiveVision(psychic=Psychic.RED, count=1), device="somebody else"))
        night.type("what time is it")
        assert not night.evening.state.search(Psychic.RED).served


def test_the_ghost_may_pause_and_go_on(night):
    with night.ghost() as ghost:
        assert ghost.post("/ghost/control", {"control": "pause"}).status_code == 202
        assert ghost.until(lambda state: state["paused"], "/ghost/events")["may"] == []
        ghost.post("/ghost/control", {"control": "resume"})
        assert ghost.until(lambda state: not state["paused"], "/ghost/events")["may"]


def test_two_tabs_of_the_ghost_see_the_same(night):
    with night.ghost() as ghost, ghost.events("/ghost/events") as one, ghost.events("/ghost/events") as other:
        assert next(one)[1]["secret"] == next(other)[1]["secret"]
        ghost.ask("give_vision", psychic="red", count=1)
        for tab in (one, other):
            assert next(said for kind, said in tab if kind == "state" and said["served"] == ["red"])


def test_what_the_ghost_may_ask_for_is_among_what_its_door_takes(night):
    with night.ghost() as ghost:
        assert set(ghost.state("/ghost/events")["may"]) <= set(GHOST_COMMANDS)
