"""`seance simulate`: its figures, its heat map, bad arguments and interruptions."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from seance.cli import main
from seance.rules import EDITIONS, Reason
from seance.rules.bots import play
from seance.simulation.play import NightTally, Series, play_nights
from tests.tables import usual_level

SVG = "{http://www.w3.org/2000/svg}"
COMBINATIONS = {
    (edition.name, level, players)
    for edition in EDITIONS.values()
    for level in edition.levels
    for players in edition.players
}


def simulated(capsys, *arguments):
    """Return the object that `seance simulate --json` prints, and nothing else."""
    assert main(["simulate", "--json", *arguments]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert told.out.count("\n") == 1
    return json.loads(told.out)


def timeless(facts):
    return {name: value for name, value in facts.items() if name != "nights_per_second"}


KILLED_AFTER_ITS_FIRST_NIGHTS = """
import os, signal
from seance.simulation.play import Series, simulate
if __name__ == "__main__":
    series = Series(edition="libellud", players=5, level="easy", games=100_000, seed=1)
    simulate([series], jobs=2, played=lambda _: os.kill(os.getpid(), signal.SIGKILL))
"""


def alive(session):
    """Return the processes of a session that are still alive, without zombies."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it may end while it is looked at
            state, _, _, its_session, *_ = path.read_text().rpartition(")")[2].split()
            if its_session == str(session) and state != "Z":
                found.append(path.parent.name)
    return found


# One kind of night


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_night_is_won_or_lost_for_a_reason(edition, capsys):
    level, players = usual_level(EDITIONS[edition]), EDITIONS[edition].players[0] + 1
    chosen = ["--edition", edition, "--players", str(players), "--level", level, "--seed", "7"]
    facts = simulated(capsys, *chosen, "--games", "40")
    assert (facts["edition"], facts["players"], facts["level"], facts["seed"]) == (edition, players, level, 7)
    assert facts["games"] == 40 == facts["won"] + facts["lost"] == sum(facts["reasons"].values())
    assert facts["reasons"]["culprit_found"] == facts["won"]
    assert set(facts["reasons"]) <= set(Reason)
    assert facts["win_rate"] == facts["won"] / 40
    assert facts["nights_per_second"] > 0


def test_what_is_counted_is_what_the_bots_played(capsys):
    facts = simulated(capsys, "--players", "4", "--level", "hard", "--games", "30", "--seed", "11")
    series = Series(edition="libellud", players=4, level="hard", games=30, seed=11)
    commands, reasons, hours = 0, Counter(), Counter()
    for number in range(30):
        night = [(state, len(events)) for _, state, events in play(series.begin(number), series.player(number))]
        states = [state for state, _ in night]
        commands += len(states)
        reasons[states[-1].outcome.reason] += 1
        searching = [state.hour for state in states if any(state.searching())]
        hours.update(searching[-1:] if states[-1].ending.groups else [])
    assert (facts["commands"], facts["reasons"]) == (commands, reasons)
    assert facts["hours"] == {str(hour): nights for hour, nights in hours.items()}
    assert facts["mean_hour"] == pytest.approx(sum(hours.elements()) / hours.total())


def test_the_same_seed_plays_the_same_nights_on_one_core_and_on_two(capsys):
    arguments = ("--edition", "portal", "--games", "60", "--seed", "3")
    one, two = (simulated(capsys, *arguments, "--jobs", jobs) for jobs in "12")
    assert timeless(one) == timeless(two)
    assert timeless(one) != timeless(simulated(capsys, *arguments[:-1], "4"))


def test_more_nights_of_a_seed_begin_with_the_same_nights():
    series = Series(edition="igames", players=3, level="easy", games=9, seed=5)
    early, late, whole = play_nights(series, range(4)), play_nights(series, range(4, 9)), play_nights(series, range(9))
    early.add(late)
    early.seconds = whole.seconds
    assert early == whole


def test_a_table_that_sees_more_wins_more_often(capsys):
    dull, sharp = (simulated(capsys, "--games", "60", "--skill", skill)["win_rate"] for skill in ("0.2", "1"))
    assert dull + 0.3 < sharp


def test_chance_can_play_too(capsys):
    facts = simulated(capsys, "--games", "3", "--players", "3", "--bot", "random")
    assert (facts["bot"], sum(facts["reasons"].values())) == ("random", 3)


def test_a_variant_can_be_played(capsys):
    facts = simulated(capsys, "--edition", "manual", "--variant", "full_investigation", "--games", "5")
    assert facts["variant"] == "full_investigation"


def test_text_tells_the_rate_its_interval_and_the_reasons(capsys):
    assert main(["simulate", "--games", "40", "--level", "easy"]) == 0
    text = capsys.readouterr().out
    facts = simulated(capsys, "--games", "40", "--level", "easy")
    low, high = facts["interval"]
    for told in (f"{facts['win_rate']:.1%}", f"{low:.1%}", f"{high:.1%}", "culprit found", "nights a second"):
        assert told in text


# The interval


@pytest.mark.parametrize(("won", "games"), [(0, 1), (1, 1), (0, 50), (50, 50), (1, 3), (500, 1000)])
def test_the_interval_contains_the_rate_and_nothing_impossible(won, games):
    tally = NightTally(games=games, won=won)
    low, high = tally.interval
    assert 0 <= low <= tally.win_rate <= high <= 1
    assert low < high


def test_the_interval_is_wilsons():
    # Known values: 81 of 263 (Newcombe 1998, table I), to four places.
    assert NightTally(games=263, won=81).interval == pytest.approx((0.2553, 0.3662), abs=5e-5)


# All of them


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    picture = tmp_path_factory.mktemp("all") / "rates.svg"
    told = subprocess.run(
        [sys.executable, "-m", "seance", "simulate", "--all", "--json", "--games", "2", "--picture", str(picture)],
        capture_output=True,
        check=True,
    )
    return json.loads(told.stdout)["rows"], picture


def test_all_has_a_row_for_each_edition_level_and_number_of_players(everything):
    rows, _ = everything
    kinds = [(row["edition"], row["level"], row["players"]) for row in rows]
    assert (len(kinds), set(kinds)) == (len(COMBINATIONS), COMBINATIONS)
    assert all(row["games"] == 2 == sum(row["reasons"].values()) for row in rows)


def test_the_picture_shows_every_rate(everything):
    rows, picture = everything
    told = {}
    for cell in ET.parse(picture).iter(f"{SVG}g"):
        if (title := cell.find(f"{SVG}title")) is not None:
            told[title.text.split(":")[0]] = cell.find(f"{SVG}text").text
    assert told == {
        f"{row['edition']}, {row['level']}, {row['players']} players".replace("_", " "): f"{row['win_rate']:.0%}"
        for row in rows
    }


def test_the_picture_keeps_within_its_frame(everything):
    drawing = ET.parse(everything[1]).getroot()
    width, height = float(drawing.get("width")), float(drawing.get("height"))
    for panel in drawing.iter(f"{SVG}g"):
        if shift := re.fullmatch(r"translate\((\d+) (\d+)\)", panel.get("transform", "")):
            frame = panel.find(f"{SVG}rect")
            assert float(shift[1]) + float(frame.get("width")) < width
            assert float(shift[2]) + float(frame.get("height")) < height


def test_all_keeps_to_what_is_given(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = simulated(capsys, "--all", "--edition", "igames", "--players", "3", "--games", "1")["rows"]
    assert [(row["edition"], row["level"], row["players"]) for row in rows] == [
        ("igames", level, 3) for level in EDITIONS["igames"].levels
    ]
    assert Path("simulation.svg").is_file()


def test_all_as_text_names_editions_levels_and_the_picture(capsys, tmp_path):
    picture = tmp_path / "p.svg"
    assert main(["simulate", "--all", "--edition", "portal", "--games", "1", "--picture", str(picture)]) == 0
    text = capsys.readouterr().out
    assert all(told in text for told in ("portal", "easy", "very difficult"))
    assert picture.name in text.replace("\n", "")


def test_several_skills_are_side_by_side_in_the_table_and_the_picture(capsys, tmp_path):
    picture, table = tmp_path / "p.svg", tmp_path / "t.md"
    chosen = ["--all", "--edition", "igames", "--players", "4", "--level", "easy", "--games", "3"]
    written = ["--out", str(picture), "--table", str(table)]
    rows = simulated(capsys, *chosen, *written, "--skill", "0.2", "1")["rows"]
    assert [row["skill"] for row in rows] == [0.2, 1]
    cells = [f"{row['win_rate']:.1%} ({row['interval'][0]:.1%} to {row['interval'][1]:.1%})" for row in rows]
    assert f"| easy | 4 | {cells[0]} | {cells[1]} |" in table.read_text(encoding="utf-8").splitlines()
    names = [text.text for text in ET.parse(picture).iter(f"{SVG}text") if "igames" in (text.text or "")]
    assert names == ["igames, skill 0.2", "igames, skill 1"]


# What cannot be played, and what is cut short


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--games", "0"], "0 nights cannot be played"),
        (["--games", "-3"], "-3 nights cannot be played"),
        (["--players", "9"], "9 players cannot hold a night"),
        (["--players", "0"], "0 players cannot hold a night"),
        (["--edition", "igames", "--level", "medium"], "igames has no level 'medium'"),
        (["--edition", "cluedo"], "no edition is called 'cluedo': one of libellud, igames, portal, manual"),
        (["--variant", "full_investigation"], "libellud has no variant 'full_investigation'"),
        (["--jobs", "-1"], "-1 cores cannot be used"),
        (["--skill", "1.5"], "--skill 1.5 is no probability"),
        (["--accuracy", "2"], "--accuracy 2 is no probability"),
        (["--skill", "nan"], "--skill nan is no probability"),
        (["--out", "x.svg"], "--out goes with --all"),
        (["--table", "x.md"], "--table goes with --all"),
        (["--skill", "0.5", "0.8"], "more than one --skill goes with --all"),
        (["--all", "--table", "/nowhere/at/all.md"], "/nowhere/at/all.md cannot be written: there is no such folder"),
        (["--all", "--level", "medium", "--games", "1"], "igames has no level 'medium'"),
        (["--all", "--out", "x.png"], "x.png cannot be drawn: the name of the file must end in .svg"),
        (["--all", "--picture", "/nowhere/at/all.svg"], "/nowhere/at/all.svg cannot be drawn"),
    ],
)
def test_what_cannot_be_played_is_one_clear_line_and_exit_code_2(arguments, complaint, capsys):
    assert main(["simulate", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert complaint in told.err


def test_a_picture_that_cannot_be_written_is_one_clear_line(capsys, tmp_path):
    arguments = ["--all", "--edition", "libellud", "--level", "easy", "--players", "2", "--games", "1"]
    assert main(["simulate", *arguments, "--picture", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"seance: {tmp_path} cannot be drawn: Is a directory\n"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_at_a_terminal_progress_is_shown_and_an_interrupt_ends_it_quietly(jobs):
    ours, theirs = pty.openpty()
    program = subprocess.Popen(
        [sys.executable, "-m", "seance", "simulate", "--games", "1000000", "--jobs", jobs],
        stdout=subprocess.PIPE,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # also where the tests run deaf to it
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(theirs)
    screen = b""
    try:
        while not re.search(rb"[1-9]\d*/1000000", screen):
            screen += os.read(ours, 4096)
        os.killpg(program.pid, signal.SIGINT)
        out, _ = program.communicate(timeout=30)
        while chunk := os.read(ours, 4096):
            screen += chunk
    except OSError:  # the other end is closed
        pass
    finally:
        os.close(ours)
        program.kill()
    assert (program.returncode, out) == (130, b"")
    assert b"Traceback" not in screen


def test_a_simulation_that_is_killed_leaves_no_process_behind():
    program = subprocess.Popen(
        [sys.executable, "-c", KILLED_AFTER_ITS_FIRST_NIGHTS], start_new_session=True, stderr=subprocess.DEVNULL
    )
    assert program.wait(timeout=60) == -signal.SIGKILL
    for _ in range(200):
        if not alive(program.pid):
            return
        time.sleep(0.05)
    pytest.fail(f"still alive: {alive(program.pid)}")


def test_psychics_who_always_choose_right_need_three_turns(capsys):
    assert main(["simulate", "--accuracy", "1", "--games", "20", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hours"] == {"3": 20}
