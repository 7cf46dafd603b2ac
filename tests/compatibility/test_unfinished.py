"""A night that was cut off under an earlier version goes on where it was."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import HTTPConnection

from seance.daemon.signals import ButtonPress, GhostPageOpen
from seance.daemon.snapshot import JOURNAL_KEY, Snapshot, from_journal, to_journal
from seance.narration.cues import KnockMeaning, ShowHour
from seance.narration.script import Script
from seance.rules import Phase, Psychic
from seance.web.cookies import device_of
from tests.compatibility.files import BOARDS, LINES, NAMES, SNAPSHOTS, UNFINISHED, called, journal, lost, plain, rows
from tests.compatibility.files import lines as lines_of
from tests.daemon.evenings import Table, keys, knocks, lines, of, table

PHONE = "f3d0a1c25e7b4968a1b2c3d4e5f60718"
COOKIE = f"seat={PHONE}.WLQlderjY-E2huMZWIWRZgk39kU"
"""What its browser has."""
KEPT = "SELECT value FROM notes WHERE key = 'evening'"


@pytest.fixture
def gone_on(tmp_path) -> Callable[..., Table]:
    """Opens a house whose journal is one of an earlier version."""

    def opened(name: str, **choices: Any) -> Table:
        journal(name, tmp_path / "nights.sqlite")
        house = table(tmp_path, **choices)
        house.journal.state = house.state  # the witness has not seen how the night came to stand so
        return house

    return opened


@pytest.fixture
def sand_running(gone_on) -> Table:
    """Red, blue and white have chosen, white unheard; who of yellow and the others spoke last was being asked."""
    return gone_on("sand-running")


@pytest.fixture
def accusing(gone_on) -> Table:
    """Whether group two is really meant was being asked, and whether the ghost had sat down."""
    return gone_on("accusing")


def stored(name: str, folder: Path) -> dict[str, Any]:
    ((text,),) = rows(journal(name, folder / "looked-at.sqlite"), KEPT)
    kept: dict[str, Any] = json.loads(text)
    return kept


# The snapshot: all that is stored is read


def without_quiet(kept: dict[str, Any]) -> dict[str, Any]:
    """Return *kept* as it is read: a silence does not go on after a cut."""
    return kept | {"conversation": kept["conversation"] | {"quiet": 0.0}}


@pytest.mark.parametrize("snapshot", SNAPSHOTS, ids=lambda path: path.stem)
def test_no_field_of_a_snapshot_is_lost(snapshot):
    kept = json.loads(snapshot.read_bytes())
    assert not [*lost(without_quiet(kept[JOURNAL_KEY]), plain(to_journal(from_journal(kept))[JOURNAL_KEY]))]


@pytest.mark.parametrize("name", UNFINISHED)
def test_no_field_that_was_kept_of_a_night_is_lost(name, tmp_path):
    kept = stored(name, tmp_path)
    assert not [*lost(without_quiet(kept), plain(to_journal(from_journal({"evening": kept}))["evening"]))]


@pytest.mark.parametrize("snapshot", SNAPSHOTS, ids=lambda path: path.stem)
def test_every_field_of_a_snapshot_is_other_than_by_default(snapshot):
    """But for the two questions that are not the open one; a new field is stored in a new snapshot."""
    kept = json.loads(snapshot.read_bytes())["evening"]
    default = plain(Snapshot())
    same = [key for key in kept if kept[key] == default[key]]
    talk, usual = kept["conversation"], default["conversation"]
    same += [key for key in talk if talk[key] == usual[key]]
    same += [key for key in talk["wishes"] if talk["wishes"][key] == usual["wishes"][key]]
    assert not same
    assert [key for key, value in talk["pending"].items() if value is None] == [
        key for key in ("ask", "ask_back", "summary") if key != snapshot.stem
    ]


# Sand, a question, a line that nobody has heard, and the ghost's seat


def test_the_sand_goes_on_with_what_was_left(sand_running, tmp_path):
    left = stored("sand-running", tmp_path)["sand_left"]
    assert (sand_running.evening.sand.left_at(sand_running.now), sand_running.evening.sand.turn_s) == (left, 120)
    assert round(left) == 87
    sand_running.wait(88)
    assert sand_running.state.phase is not Phase.INTERPRETATION


def test_the_line_that_nobody_has_heard_is_told(sand_running):
    assert keys(sand_running.cues)[:3] == ["interrupted.sand", "interrupted.unfinished", "event.intuition_placed"]
    assert "hite" in lines(sand_running.cues)[2]


def test_what_was_told_at_last_is_not_told_a_second_time(sand_running, tmp_path):
    sand_running.journal.close()
    assert "interrupted.unfinished" not in keys(table(tmp_path).cues)


def test_the_open_question_is_asked_again_and_answered(sand_running):
    assert keys(sand_running.cues)[-1] == "ask.who_speaks"
    assert sand_running.would_hear("yellow")
    sand_running.say("yellow")
    assert sand_running.state.search(Psychic.YELLOW).intuition == 1


def test_what_was_done_last_can_be_taken_back(sand_running):
    for words in ("yellow", "undo that", "undo that"):
        sand_running.say(words)
    assert [search.intuition for search in sand_running.state.searches] == [1, 1, None, None]


def test_the_ghost_keeps_its_seat_and_the_key_to_it(sand_running, tmp_path):
    seat = sand_running.evening.seat.state
    assert (seat.holder, seat.status) == (PHONE, "taken")
    assert seat.key == stored("sand-running", tmp_path)["chair"]["key"]


def test_the_cookie_of_the_ghosts_phone_still_opens_its_seat(sand_running):
    request = HTTPConnection({"type": "http", "headers": [(b"cookie", COOKIE.encode())]})
    assert device_of(request, sand_running.evening.seat.state) == PHONE


def test_the_house_waits_for_the_ghost_in_its_seat(sand_running):
    sand_running.give(GhostPageOpen(PHONE, True))
    sand_running.say("yellow")
    sand_running.say("we are ready")
    assert sand_running.state.phase is Phase.MANIFESTATION
    assert not knocks(sand_running.cues)


@pytest.mark.usefixtures("sand_running")
def test_the_house_remembers_what_it_has_told(tmp_path):
    before = stored("sand-running", tmp_path)["told"]
    records = lines_of(tmp_path / "nights", 1)
    after = [record["notes"]["evening"]["told"] for record in records if "evening" in record.get("notes", {})][-1]
    assert after["seed"] == before["seed"]
    assert after["told"]["layout.card"] == before["told"]["layout.card"] == [0, 21]
    assert after["told"]["event.intuition_placed"][1] == before["told"]["event.intuition_placed"][1] + 1


# Other nights


def test_an_accusation_that_was_asked_back_needs_only_a_yes(accusing):
    assert keys(accusing.cues)[-1] == "ask_back.accuse_group"
    accusing.say("yes")
    assert [says for says, _ in knocks(accusing.cues) if says is not KnockMeaning.HOUR]
    assert accusing.state.outcome is not None or accusing.state.hour > 4


def test_who_had_asked_for_the_seat_asks_again(accusing):
    assert accusing.evening.seat.state.status == "free"
    assert accusing.evening.conversation.sitting is None


def test_a_pause_is_still_a_pause(gone_on):
    paused = gone_on("paused", language="fr")
    assert keys(paused.cues)[-1] == "paused.already"
    paused.say("on continue")
    assert not paused.evening.conversation.paused


def test_a_night_dealt_by_hand_is_still_one(gone_on):
    paused = gone_on("paused", language="fr")
    assert paused.evening.room.deal == "hand"
    assert paused.state.search(Psychic.RED).served


def test_a_house_that_did_not_listen_does_not_listen(gone_on):
    assert gone_on("counting").expect.asleep


def test_the_ghost_counts_on_where_it_was(gone_on):
    counting = gone_on("counting")
    counting.give(ButtonPress("yes"))
    counting.give(ButtonPress("yes", long=True))
    assert counting.state.ending.culprit == 3


@pytest.mark.parametrize(("name", "hour"), [("sand-running", 1), ("accusing", 4), ("paused", 1), ("counting", 4)])
def test_the_room_is_shown_which_hour_it_is(gone_on, name, hour):
    assert of(gone_on(name).cues, ShowHour)[0] == ShowHour(hour)


# The whole program, with all that its owner has written


def test_a_night_goes_on_when_the_house_is_started(home):
    path = journal("sand-running", home / "data" / "seance" / "nights.sqlite")
    config = home / "settings.toml"
    config.write_text(
        f'[telling]\nlines = "{LINES}"\n[hearing]\nnames = "{NAMES}"\n[body]\nboard = "{BOARDS[0]}"\n'
        '[ambience]\non = false\n[web]\nlisten = "off"\n'
    )
    program = [sys.executable, "-m", "seance", "run", "--typed", "--no-sound", "--config", str(config)]
    env = os.environ | {"XDG_CACHE_HOME": str(home / "cache")}
    held = subprocess.run(
        program, input="mister sun\n", capture_output=True, check=True, text=True, env=env, timeout=60
    )
    assert any(asked in held.stdout for asked in Script.load("en").lines["ask.who_speaks"])
    (command,) = (
        record["command"]
        for record in lines_of(path.with_suffix(""), 1)
        if record.get("step") == 11 and "command" in record
    )
    assert command == {"command": "place_intuition", "psychic": "yellow", "card": 1}
    assert json.loads(called("nights", "list", "--json"))[0]["steps"] == 11
