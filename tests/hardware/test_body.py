import dataclasses
import io
import logging
import re
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console

from hardware import NO, HardwareError, LightState, open_body
from hardware import __main__ as program
from hardware.__main__ import main
from hardware.bench import run_bench
from hardware.board import BUTTONS_TO_HOLD, board_names, load_board, parse_board
from hardware.pins import open_ring_spi
from hardware.ring import decode_pixels
from hardware.terminal_view import render_body
from hardware.timers import ManualTimers
from hardware.virtual import VirtualPinFactory

BARE = parse_board("[power]\nbudget_ma = 1\n", "bare.toml")
EXPANDED = parse_board(
    "[power]\nbudget_ma = 60\n[expander]\n[clock]\nexpander = [0, 1, 8]\n[bar]\npins = [4]\n", "x.toml"
)


@pytest.fixture
def body(time):
    with open_body("virtual", timers=time) as body:
        yield body


def printed(renderable) -> str:
    console = Console(record=True, width=80, file=io.StringIO())
    console.print(renderable)
    return console.export_text()


@pytest.mark.parametrize("name", board_names())
def test_every_board_shows_the_same_game(name: str, time: ManualTimers, pins: VirtualPinFactory) -> None:
    with open_body(name, timers=time, pin_factory=pins) as body:
        body.clock.strike(2)
        body.bar.drain(120)
        body.lights.show(0, LightState.CHOSEN)
        body.knocker.play(NO)
        time.advance(60)
        assert (body.value.hour, body.value.sand, body.value.knocks) == (2, 0.5, 2)
        assert sum(body.value.bar) > 0 or not body.board.bar.outputs


@pytest.mark.parametrize("name", board_names())
def test_a_light_runs_over_every_lamp_when_the_house_wakes_or_sleeps_and_leaves_it_dark(
    name: str, time: ManualTimers, pins: VirtualPinFactory
) -> None:
    with open_body(name, timers=time, pin_factory=pins) as body:
        body.clock.show(3)
        seconds, seen = body.sweep(), []
        for _ in range(20):
            time.advance(seconds / 20)
            seen.append((*body.clock.levels, *body.bar.levels, *body.lights.levels))
        assert min(map(max, zip(*seen, strict=True))) > 0
        time.advance(0.1)
        assert set(body.compositor.value) == {0.0}


def test_a_board_without_any_device_takes_all(time: ManualTimers, pins: VirtualPinFactory) -> None:
    with open_body(BARE, timers=time, pin_factory=pins) as body:
        body.clock.strike(2)
        body.bar.drain(120)
        body.lights.show(5, LightState.CHOSEN)
        body.knocker.play(NO)
        body.mute.show(True)
        time.advance(60)
        assert (body.value.hour, body.value.sand, body.value.knocks, body.value.muted) == (2, 0.5, 2, True)


def test_lamps_on_an_expander_and_on_pins_do_not_mix(time: ManualTimers, pins: VirtualPinFactory) -> None:
    with open_body(EXPANDED, timers=time, pin_factory=pins) as body:
        body.clock.light_only(2)
        body.bar.fill(1.0)
        chip = pins.i2c(1, 0x20)
        assert (chip.registers[0x14], chip.registers[0x15], pins.pin(4).state) == (0, 1, 1.0)


def test_a_ring_shows_each_device_in_its_colour(time: ManualTimers, pins: VirtualPinFactory) -> None:
    spi = open_ring_spi(pins)
    pins.spi = lambda **_: spi
    with open_body("ring", timers=time, pin_factory=pins) as body:
        body.lights.show(2, LightState.CHOSEN)
        assert decode_pixels(spi.sent)[20] == (102, 6, 6)


@pytest.mark.parametrize("name", board_names())
def test_all_lamps_of_a_board_at_once_stay_within_its_budget(name: str, time, pins) -> None:
    with open_body(name, timers=time, pin_factory=pins) as body:
        body.clock.show(8)
        body.bar.fill(1.0)
        body.lights.show_all((LightState.CHOSEN,) * 6)
        assert 0 < body.value.current_ma <= body.board.power.budget_ma


@pytest.mark.parametrize("name", [name for name in board_names() if name != "ring"])
def test_a_shipped_board_can_light_all_its_lamps(name: str, time, pins) -> None:
    with open_body(name, timers=time, pin_factory=pins) as body:
        body.clock.show(8)
        body.bar.fill(1.0)
        body.lights.show_all((LightState.CHOSEN,) * 6)
        assert all((*body.value.clock, *body.value.bar, *body.value.light_levels))


def test_a_closed_body_is_dark_and_off(pins: VirtualPinFactory, time: ManualTimers) -> None:
    body = open_body("breadboard", timers=time, pin_factory=pins)
    body.clock.show(7)
    body.bar.fill(1)
    body.knocker.play(NO)
    time.advance(0.01)
    body.close()
    assert not any(pins.pin(pin).state for pin in (*range(4, 21), 21))


def test_a_body_that_cannot_be_made_leaves_no_pin_behind(pins: VirtualPinFactory) -> None:
    with open_body(EXPANDED, pin_factory=pins), pytest.raises(HardwareError, match="the lights on pins"):
        open_body("breadboard", pin_factory=pins)
    with open_body("breadboard", pin_factory=pins):
        pass


def test_a_state_cannot_be_changed(body) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        body.value.hour = 3


def test_a_machine_without_pins_shows_the_board_asked_for_on_virtual_ones(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), open_body("breadboard") as body:
        assert (body.board.name, body.is_virtual) == ("breadboard", True)
    assert caplog.messages == ["this is not a Raspberry Pi: board 'breadboard' is on virtual pins"]


def test_there_another_board_may_stand_in(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), open_body("breadboard", stand_in="virtual") as body:
        assert (body.board.name, body.is_virtual) == ("virtual", True)
    assert caplog.messages == ["this is not a Raspberry Pi: the virtual board stands in for 'breadboard'"]


def test_the_view_shows_what_stands(body, time: ManualTimers) -> None:
    body.knocker.play(NO)
    time.advance(5)
    text = printed(render_body(body.value, body.board))
    assert "III" in text
    assert "○ 2" in text
    assert text.count("█") == 12


def test_the_view_shows_a_knock_while_it_is_in_the_air(body) -> None:
    assert "KNOCK" in printed(render_body(body.value, body.board, just_knocked=True))


@pytest.mark.parametrize("board", [*map(load_board, board_names()), BARE], ids=lambda board: board.name)
def test_the_bench_goes_through_every_device(board, time: ManualTimers, pins: VirtualPinFactory) -> None:
    console = Console(record=True, width=80, file=io.StringIO())
    with open_body(board, timers=time, pin_factory=pins) as body:
        run_bench(body, console, listen=1.0, wait=time.advance)
        assert body.knocker.count == (3 if board.knocker else 0)
    shown = console.export_text()
    lamps = sum(len(wiring.outputs) for wiring in board.lamp_devices.values())
    assert shown.count(" alone: ") == lamps
    looks = {name: "held" if name in BUTTONS_TO_HOLD else "short" for name in board.buttons.pins}
    assert all(f"pressed: {name}, {look}" in shown for name, look in looks.items())


SMALL = """
[power]
budget_ma = 60
[clock]
pins = [4, 5, 6, 7]
[lights]
pins = [12, 13]
[buttons]
yes = 23
no = 24
"""


def bench_of(folder: Path, board: str, *arguments: str) -> str:
    """Return what the bench prints of a *board* file, on a machine without pins, without waiting."""
    (folder / "mine.toml").write_text(board)
    shown = Console(record=True, width=120, file=io.StringIO())
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(program, "Console", lambda: shown)
        patched.setattr(program, "run_bench", partial(run_bench, wait=lambda _: None))
        assert main(["--board", str(folder / "mine.toml"), "--listen", "0", *arguments]) == 0
    return shown.export_text()


def test_the_bench_shows_a_board_of_ones_own_where_there_is_no_pi(tmp_path: Path) -> None:
    shown = bench_of(tmp_path, SMALL)
    assert "board 'mine'" in shown
    assert "clock IV alone: GPIO 7" in shown
    assert "clock V alone" not in shown


def test_the_bench_asks_only_for_devices_that_are_there(tmp_path: Path) -> None:
    shown = bench_of(tmp_path, SMALL)
    assert "press yes and no, short and long\n" in shown
    assert "the first light winks, the second breathes\n" in shown
    assert not re.search("mute switch|crow|visions|one knock|bar drains|third", shown)
    nothing = bench_of(tmp_path, "[power]\nbudget_ma = 1\n")
    assert not re.search("press |turn |winks|strikes|one knock", nothing)
    assert "turn the mute switch\n" in bench_of(tmp_path, "[power]\nbudget_ma = 1\n[mute]\nswitch = 26\n")


def test_the_bench_says_how_a_clock_with_few_lamps_shows_its_hours(tmp_path: Path) -> None:
    shown = bench_of(tmp_path, SMALL)
    assert "the clock has 4 lamps for 7 hours: hours 5 to 7 are counted again from the first lamp" in shown
    assert "hour VI: lamp 2 winks 2 times, the others are lit" in shown
    assert "the clock has" not in bench_of(tmp_path, SMALL, "--hours", "4")


def test_a_night_has_at_least_one_hour(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--hours", "0"])
    assert "--hours: 0 is no number of hours" in capsys.readouterr().err


def test_safe_says_when_there_is_no_coil(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["safe"]) == 0
    assert "no coil to turn off" in capsys.readouterr().out


def test_the_pins_of_a_board_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pins", "--board", "ring"]) == 0
    assert "coil" in capsys.readouterr().out


def test_a_bad_board_ends_with_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pins", "--board", "cardboard"]) == 2
    assert capsys.readouterr().err.startswith("there is no board 'cardboard'")
