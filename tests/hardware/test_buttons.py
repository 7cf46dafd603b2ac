import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import Buttons, Press
from hardware.timers import ManualTimers
from hardware.virtual import VirtualPinFactory

PINS = {"visions": 22, "yes": 23, "no": 24}


class Table:
    """Buttons, hands on them, and what was heard of it."""

    def __init__(self) -> None:
        self.time, self.pins, self.heard = ManualTimers(), VirtualPinFactory(), []
        self.buttons = Buttons(PINS, combinations={"shutdown": ("yes", "no")}, timers=self.time, pin_factory=self.pins)
        self.buttons.when_pressed = self.heard.append

    def press(self, *names: str) -> None:
        for name in names:
            self.pins.press(PINS[name])

    def release(self, *names: str) -> None:
        for name in names:
            self.pins.release(PINS[name])

    def hold(self, seconds: float, *names: str) -> None:
        self.press(*names)
        self.time.advance(seconds)
        self.release(*names)
        self.time.advance(0.1)


@pytest.fixture
def table():
    return Table()


def test_a_short_press_is_told_when_the_button_is_let_go(table: Table) -> None:
    table.press("yes")
    table.time.advance(0.3)
    assert table.heard == []
    table.release("yes")
    table.time.advance(0.1)
    assert table.heard == [Press("yes")]


def test_a_long_press_is_told_while_it_is_held_and_only_once(table: Table) -> None:
    table.press("yes")
    table.time.advance(0.9)
    assert table.heard == [Press("yes", long=True)]
    table.time.advance(5)
    table.release("yes")
    table.time.advance(1)
    assert table.heard == [Press("yes", long=True)]


def test_a_contact_that_bounces_is_one_press(table: Table) -> None:
    for _ in range(5):
        table.press("no")
        table.time.advance(0.003)
        table.release("no")
        table.time.advance(0.002)
    table.hold(0.2, "no")
    assert table.heard == [Press("no")]


def test_a_touch_shorter_than_the_settling_is_nothing(table: Table) -> None:
    table.hold(0.01, "no")
    assert table.heard == []


def test_several_buttons_at_once_are_each_told(table: Table) -> None:
    table.hold(0.3, "visions", "yes")
    assert sorted(press.name for press in table.heard) == ["visions", "yes"]


def test_which_buttons_are_held_can_be_read(table: Table) -> None:
    table.press("visions", "no")
    table.time.advance(0.05)
    assert table.buttons.value == {"visions", "no"}


def test_a_combination_asks_for_a_long_press(table: Table) -> None:
    table.hold(2.9, "yes", "no")
    assert table.heard == []


def test_a_combination_is_told_alone_when_it_was_held_long_enough(table: Table) -> None:
    table.hold(3.5, "yes", "no")
    assert table.heard == [Press("shutdown", long=True)]


def test_a_combination_begins_with_its_last_button(table: Table) -> None:
    table.press("yes")
    table.time.advance(0.5)
    table.hold(2.8, "no")
    table.release("yes")
    table.time.advance(0.1)
    assert table.heard == []


def test_a_combination_that_was_let_go_begins_anew(table: Table) -> None:
    table.hold(2, "yes", "no")
    table.hold(2, "yes", "no")
    assert table.heard == []


def test_after_a_combination_its_buttons_work_as_before(table: Table) -> None:
    table.hold(1, "yes", "no")
    table.hold(0.2, "yes")
    assert table.heard == [Press("yes")]


def test_a_board_without_buttons_is_never_pressed(time) -> None:
    assert Buttons(timers=time).names == ()


def test_closed_buttons_tell_nothing(table: Table) -> None:
    table.press("yes")
    table.time.advance(0.1)
    table.buttons.close()
    table.time.advance(5)
    assert table.heard == []


HANDS = st.lists(
    st.tuples(st.sampled_from(["press", "release"]), st.sampled_from(sorted(PINS)), st.floats(0, 4)), max_size=40
)


@given(HANDS)
def test_no_hands_whatever_leave_a_button_stuck(hands) -> None:
    table = Table()
    for act, name, seconds in hands:
        getattr(table, act)(name)
        table.time.advance(seconds)
    table.release(*PINS)
    table.time.advance(5)
    assert table.buttons.value == frozenset()
    table.heard.clear()
    table.hold(0.2, "visions")
    assert table.heard == [Press("visions")]
