from pathlib import Path

import pytest

from hardware.board import BadBoard, board_names, load_board, parse_board
from hardware.header import header_table, pin_uses

GOOD = """
[power]
budget_ma = 60
"""


def refusal(text: str) -> str:
    with pytest.raises(BadBoard) as refused:
        parse_board(text, "mine.toml")
    return str(refused.value)


def test_four_boards_are_shipped() -> None:
    assert {"breadboard", "ring", "respeaker", "virtual"} <= set(board_names())


@pytest.mark.parametrize("name", board_names())
def test_a_shipped_board_is_good(name: str) -> None:
    assert load_board(name).name == name


def test_everything_but_power_may_be_left_out() -> None:
    assert list(parse_board(GOOD, "mine.toml").used_pins()) == []


def test_the_respeaker_board_keeps_clear_of_the_sound_board() -> None:
    board = load_board("respeaker")
    ours = {pin for pin, key in board.used_pins() if not key.startswith("sound")}
    assert not ours & {2, 3, 7, 8, 9, 10, 11, 12, 13, 17, 18, 19, 20, 21}


BAD = {
    "5: clock.pins[2]: GPIO 4 is used by clock.pins[0] already": GOOD + "[clock]\npins = [4, 5, 4]",
    "7: mute.switch: GPIO 4 is used by clock.pins[0] already": GOOD + "[clock]\npins = [4]\n[mute]\nswitch = 4",
    "5: knocker.pin: GPIO 17 is used by sound (its button) already": "sound = 'respeaker'"
    + GOOD
    + "[knocker]\npin = 17",
    "5: clock.pins[0]: GPIO 18 is used by sound (bit clock) already": "sound = 'i2s'" + GOOD + "[clock]\npins = [18]",
    "7: bar.pins[0]: GPIO 10 is used by ring (data) already": GOOD + "[clock]\nring = [0]\n[bar]\npins = [10]",
    "6: bar.pins[0]: GPIO 2 is used by expander (data) already": GOOD + "[expander]\n[bar]\npins = [2]",
    "4: clok: there is no such key": GOOD + "[clok]\npins = [4]",
    "5: buttons.maybe: there is no such key": GOOD + "[buttons]\nmaybe = 4",
    "4: knocker.pin: is missing": GOOD + "[knocker]\nduty = 0.1",
    "5: knocker.pin: GPIO 4 is high while the Pi starts: a coil takes one of 9 to 27": GOOD + "[knocker]\npin = 4",
    "5: knocker.pin: expected `int` <= 27": GOOD + "[knocker]\npin = 28",
    "5: knocker.pin: expected `int`, got `str`": GOOD + "[knocker]\npin = '17'",
    "6: knocker.duty: expected `float` <= 0.25": GOOD + "[knocker]\npin = 17\nduty = 0.5",
    "5: clock.register: there is no [register] on this board": GOOD + "[clock]\nregister = [0]",
    "5: clock.expander: there is no [expander] on this board": GOOD + "[clock]\nexpander = [0]",
    "4: clock: lamps are on pins and ring: choose one": GOOD + "[clock]\npins = [4]\nring = [0]",
    "5: clock.ring[1]: output 1 is used by bar.ring already": GOOD + "[clock]\nring = [0, 1]\n[bar]\nring = [1]",
    "5: clock.ring[1]: output 1 is used by clock.ring[0] already": GOOD + "[clock]\nring = [1, 1]",
    "6: clock.colours: 2 colours for 3 lamps": GOOD + "[clock]\nring = [0, 1, 2]\ncolours = ['ff0000', '00ff00']",
    "6: buttons.shutdown: there is no button 'no'": GOOD + "[buttons]\nyes = 4\nshutdown = ['yes', 'no']",
    "6: buttons.shutdown: one button alone is pressed by accident": GOOD + "[buttons]\nyes = 4\nshutdown = ['yes']",
}


@pytest.mark.parametrize(("problem", "text"), BAD.items(), ids=BAD)
def test_a_bad_board_is_refused_with_file_line_and_key(problem: str, text: str) -> None:
    assert refusal(text).startswith(f"mine.toml, line {problem}")


@pytest.mark.parametrize(
    ("text", "ending"),
    {
        GOOD + "[clok]\npins = [4]": "no such key: valid here are power, title, sound, clock, bar, lights, register, "
        "expander, knocker, buttons, mute",
        GOOD + "[clock]\npin = [4]": "no such key: valid here are pins, register, expander, ring, colours",
        GOOD + "[mute]\nswitch = 99": "it takes a whole number from 2 to 27",
        GOOD + "[mute]\nled = 4": "mute.switch: is missing: it takes a whole number from 2 to 27",
        GOOD + "[clock]\npins = [4,\n99]": "it takes a list, each a whole number from 2 to 27",
        "knocker = 17" + GOOD: "it takes a table",
        "sound = 'usb'" + GOOD: 'it takes "i2s", "none" or "respeaker"',
        GOOD + "[bar]\nring = [1]\ncolours = ['red']": 'it takes a list, each a text of six hex digits, "RRGGBB"',
    }.items(),
)
def test_a_bad_board_is_told_what_is_valid_there(text: str, ending: str) -> None:
    assert refusal(text).endswith(ending)


def test_what_has_no_line_is_named_with_its_file() -> None:
    assert refusal("").startswith("mine.toml: power: is missing")
    assert refusal("[power").startswith(
        "mine.toml: not TOML: Expected ']' at the end of a table declaration (at line 1"
    )


def test_an_unknown_board_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadBoard, match=f"no board 'cardboard': one of {', '.join(board_names())}, or the path"):
        load_board("cardboard")


def test_a_board_of_ones_own_is_read_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(GOOD + "[clock]\npins = [4, 5]\n")
    assert load_board(tmp_path / "mine.toml").clock.outputs == (4, 5)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadBoard, match=r"mine\.toml: there is no such file"):
        load_board(tmp_path / "mine.toml")


def test_every_pin_of_a_board_is_in_words_on_the_header() -> None:
    assert pin_uses(load_board("breadboard"))[6] == "clock III"
    assert pin_uses(load_board("breadboard"))[21] == "coil"


@pytest.mark.parametrize("name", board_names())
def test_the_header_has_forty_pins(name: str) -> None:
    assert header_table(load_board(name)).row_count == 20
