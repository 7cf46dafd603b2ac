import re
from xml.etree import ElementTree as ET

import pytest

from hardware.board import load_board
from hardware.coil import MAX_PULSE_S
from hardware.header import pin_uses
from hardware.rhythm import HARD_PULSE_S
from hardware.wiring.draw import FOLDER, draw_all
from hardware.wiring.driver import ONE_SHOT_S
from hardware.wiring.ink import WIDTH

EACH_DRAWING = pytest.mark.parametrize("name", draw_all())
SVG = "{http://www.w3.org/2000/svg}"


def words_of(name: str) -> str:
    return " ".join(text.text or "" for text in ET.fromstring(draw_all()[name]).iter(f"{SVG}text"))


@EACH_DRAWING
def test_a_drawing_is_what_the_board_files_make_today(name: str) -> None:
    """Run `python -m hardware.wiring.draw` when this fails."""
    assert (FOLDER / name).read_text(encoding="utf-8") == draw_all()[name]


def test_no_drawing_is_left_over() -> None:
    assert {path.name for path in FOLDER.glob("*.svg")} == set(draw_all())


@EACH_DRAWING
def test_words_are_large_enough_for_a_phone(name: str) -> None:
    root = ET.fromstring(draw_all()[name])
    assert root.get("viewBox", "").split()[2] == str(WIDTH) == "600"
    assert min(float(text.get("font-size", "0")) for text in root.iter(f"{SVG}text")) >= 15


@EACH_DRAWING
def test_nothing_is_drawn_beyond_the_sheet(name: str) -> None:
    root = ET.fromstring(draw_all()[name])
    height = float(root.get("viewBox", "").split()[3])
    for text in root.iter(f"{SVG}text"):
        x, y, size = (float(text.get(key, "0")) for key in ("x", "y", "font-size"))
        wide = (0.62 if text.get("font-weight") else 0.53) * size * len(text.text or "")
        left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[text.get("text-anchor", "start")]
        assert left >= 0
        assert left + wide <= WIDTH + 12
        assert y <= height


@pytest.mark.parametrize("name", ["breadboard", "ring", "respeaker"])
def test_every_pin_of_a_board_is_on_its_header(name: str) -> None:
    words = words_of(f"header-{name}.svg")
    assert all(f"GPIO {pin}" in words for pin, _ in load_board(name).used_pins())
    assert all(use in words for use in pin_uses(load_board(name)).values() if not use.startswith("sound"))


def test_the_one_shot_lets_every_knock_pass_and_no_longer_pulse() -> None:
    assert HARD_PULSE_S < 0.8 * ONE_SHOT_S  # parts are only so exact
    assert 1.2 * ONE_SHOT_S < MAX_PULSE_S


def test_the_guide_shows_every_drawing() -> None:
    guide = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\(([\w-]+\.svg)\)", guide)) == set(draw_all())
