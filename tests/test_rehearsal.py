import fcntl
import os
import pty
import re
import subprocess
import sys
import termios
from io import StringIO
from random import Random

import pytest
from rich.console import Console

from seance.codec import NotACommand
from seance.engine import Engine
from seance.rehearsal import Rehearsal, ask_setup
from seance.rules import EDITIONS, EVENTS, HEARD_BY, Command, Psychic, Seat, wire_name
from seance.rules import commands as c
from seance.rules.bots import Company
from seance.telling import LINES
from seance.typed import EXAMPLES, VERBS, command_of

NAMES = {str(psychic): f"the {psychic} one" for psychic in Psychic}


def spelt(command: Command) -> str:
    """Return how somebody would type *command*."""
    match command:
        case c.GiveVision(psychic=psychic, count=count, cards=cards):
            return f"Vision for {psychic}: {' '.join(map(str, cards or (count,)))}"
        case c.UseCrow(cards=cards):
            return f"crow {' '.join(map(str, cards or ()))}"
        case c.PlaceIntuition(psychic=psychic, card=card):
            return f"{psychic} {card}"
        case c.Bet(by=by, on=on, agrees=agrees):
            return f"{by} {'agrees' if agrees else 'disagrees'} with {on}"
        case c.CallTime():
            return "ready"
        case c.Manifest(psychic=psychic, correct=correct):
            return f"answer {psychic} {'' if correct is None else 'yes' if correct else 'no'}"
        case c.ChooseCulprit(group=group):
            return f"the culprit is {group}"
        case c.LaySharedVision(cards=cards):
            return f"lay {' '.join(map(str, cards or ()))}"
        case c.Vote(by=by, group=group):
            return f"{by} votes for group {group}"
        case c.NameEldest(psychic=psychic):
            return f"eldest {psychic}"
        case c.PointAt(by=by, group=group):
            return f"{by} points at {group}"
        case c.Accuse(character=character, location=location, object=thing):
            return "accuse" if character is None else f"accuse {character}, {location}, {thing}"
        case c.TurnSand():
            return "sand"
    raise AssertionError(command)


@pytest.mark.parametrize("visions", ["table", "dealt"])
@pytest.mark.parametrize("deal", ["manor", "hand"])
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_whole_night_can_be_typed_from_set_up_to_verdict(edition, players, deal, visions):
    engine, company = Engine(draw_seed=lambda: 1894), Company(Random(players))
    console = Console(record=True, width=200, file=StringIO())

    def read(_):
        assert engine.state is not None
        return spelt(company.choose(engine.state))

    Rehearsal(engine, console, names=NAMES, read=read).hold(
        {"edition": edition, "players": players, "level": "easy", "deal": deal, "visions": visions}
    )
    assert "The night is over" in console.export_text()


def test_a_line_that_cannot_be_done_says_why_and_the_night_goes_on():
    engine = Engine(draw_seed=lambda: 1894)
    console = Console(record=True, width=200, file=StringIO())
    lines = iter(["vision red 2", "vision red 1", "[dance]", "help", "ghost", "quit"])
    Rehearsal(engine, console, names=NAMES, read=lambda _: next(lines)).hold(
        {"edition": "libellud", "players": 5, "level": "easy"}
    )
    text = console.export_text()
    assert "red has already had a vision in hour 1" in text
    assert "nothing is understood by '[dance]'" in text
    assert "left unfinished" in text
    assert engine.state is not None
    assert engine.state.search(Psychic.RED).visions == 2


def test_set_up_asks_again_until_it_is_understood_and_return_takes_the_default():
    answers = iter(["cluedo", "manual", "full_investigation", "nine", "4", "", "", ""])
    chosen = ask_setup(lambda _: next(answers), EDITIONS, {"edition": "libellud", "players": 5, "level": "hard"})
    assert chosen == {
        "edition": "manual",
        "variant": "full_investigation",
        "players": 4,
        "level": "easy",
        "visions": "table",
        "deal": "manor",
    }


def test_every_command_but_begin_can_be_typed_and_has_an_example():
    names = {wire_name(kind) for kind in c.COMMANDS} - {"begin"}
    assert set(VERBS.values()) == names
    assert set(EXAMPLES) == names


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_understood_as_what_it_is_an_example_of(name):
    view = {"phase": "interpretation", "shared_vision": None}
    assert command_of(EXAMPLES[name].split(",")[0], view)["command"] == name


def test_nonsense_is_not_a_command():
    with pytest.raises(NotACommand, match="nothing is understood"):
        command_of("pass the biscuits", {"phase": "visions", "shared_vision": None})


def test_what_the_room_may_hear_is_told_and_nothing_else():
    heard = {wire_name(kind) for kind in EVENTS if Seat.ROOM in HEARD_BY[kind]}
    assert set(LINES) == heard


def at_a_terminal(last: bytes) -> tuple[int, str]:
    """Return exit code and screen of `seance run` at a real terminal: set up by default, then *last* is typed."""
    ours, theirs = pty.openpty()
    night = subprocess.Popen(
        [sys.executable, "-m", "seance", "run"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that control-C reaches it
    )
    os.close(theirs)
    screen = b""
    try:
        for prompt, typed in ((b"edition", b"\n\n\n\n\n"), (b"visions 1>", last)):
            while prompt not in screen:
                screen += os.read(ours, 4096)
            os.write(ours, typed)
        while chunk := os.read(ours, 4096):
            screen += chunk
    except OSError:  # a terminal whose other end is closed
        pass
    finally:
        os.close(ours)
    return night.wait(timeout=20), re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", screen.decode())


def test_at_a_terminal_a_night_can_be_abandoned():
    code, screen = at_a_terminal(b"abandon\n")
    assert code == 0
    assert "The night is over: lost (abandoned)." in screen


def test_the_end_of_input_ends_the_rehearsal_without_a_traceback():
    code, screen = at_a_terminal(b"\x04")
    assert (code, "Traceback" in screen) == (0, False)
    assert "left unfinished" in screen


def test_an_interrupt_ends_the_rehearsal_without_a_traceback():
    code, screen = at_a_terminal(b"\x03")
    assert (code, "Traceback" in screen) == (130, False)
