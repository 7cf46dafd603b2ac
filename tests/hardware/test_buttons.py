import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import Buttons, Press
from hardware.timers import ManualTimers
from hardware.virtual import VirtualPinFactory

PINS = {"visions": 22, "yes": 23, "no": 24}


class ButtonRig:
    """Buttons that can be pressed, and the presses they report."""

    def __init__(self) -> None:
        self.time, self.pins, self.reported = ManualTimers(), VirtualPinFactory(), []
        self.buttons = Buttons(PINS, combinations={"shutdown": ("yes", "no")}, timers=self.time, pin_factory=self.pins)
        self.buttons.when_pressed = self.reported.append

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
def rig():
    return ButtonRig()


def test_a_short_press_is_told_when_the_button_is_let_go(rig: ButtonRig) -> None:
    rig.press("yes")
    rig.time.advance(0.3)
    assert rig.reported == []
    rig.release("yes")
    rig.time.advance(0.1)
    assert rig.reported == [Press("yes")]


def test_a_long_press_is_told_while_it_is_held_and_only_once(rig: ButtonRig) -> None:
    rig.press("yes")
    rig.time.advance(0.9)
    assert rig.reported == [Press("yes", long=True)]
    rig.time.advance(5)
    rig.release("yes")
    rig.time.advance(1)
    assert rig.reported == [Press("yes", long=True)]


def test_a_contact_that_bounces_is_one_press(rig: ButtonRig) -> None:
    for _ in range(5):
        rig.press("no")
        rig.time.advance(0.003)
        rig.release("no")
        rig.time.advance(0.002)
    rig.hold(0.2, "no")
    assert rig.reported == [Press("no")]


def test_a_touch_shorter_than_the_settling_is_nothing(rig: ButtonRig) -> None:
    rig.hold(0.01, "no")
    assert rig.reported == []


def test_several_buttons_at_once_are_each_told(rig: ButtonRig) -> None:
    rig.hold(0.3, "visions", "yes")
    assert sorted(press.name for press in rig.reported) == ["visions", "yes"]


def test_which_buttons_are_held_can_be_read(rig: ButtonRig) -> None:
    rig.press("visions", "no")
    rig.time.advance(0.05)
    assert rig.buttons.value == {"visions", "no"}


def test_a_combination_asks_for_a_long_press(rig: ButtonRig) -> None:
    rig.hold(2.9, "yes", "no")
    assert rig.reported == []


def test_a_combination_is_told_alone_when_it_was_held_long_enough(rig: ButtonRig) -> None:
    rig.hold(3.5, "yes", "no")
    assert rig.reported == [Press("shutdown", long=True)]


def test_a_combination_begins_with_its_last_button(rig: ButtonRig) -> None:
    rig.press("yes")
    rig.time.advance(0.5)
    rig.hold(2.8, "no")
    rig.release("yes")
    rig.time.advance(0.1)
    assert rig.reported == []


def test_a_combination_that_was_let_go_begins_anew(rig: ButtonRig) -> None:
    rig.hold(2, "yes", "no")
    rig.hold(2, "yes", "no")
    assert rig.reported == []


def test_after_a_combination_its_buttons_work_as_before(rig: ButtonRig) -> None:
    rig.hold(1, "yes", "no")
    rig.hold(0.2, "yes")
    assert rig.reported == [Press("yes")]


def test_a_board_without_buttons_is_never_pressed(time) -> None:
    assert Buttons(timers=time).names == ()


def test_closed_buttons_tell_nothing(rig: ButtonRig) -> None:
    rig.press("yes")
    rig.time.advance(0.1)
    rig.buttons.close()
    rig.time.advance(5)
    assert rig.reported == []


HANDS = st.lists(
    st.tuples(st.sampled_from(["press", "release"]), st.sampled_from(sorted(PINS)), st.floats(0, 4)), max_size=40
)


@given(HANDS)
def test_no_hands_whatever_leave_a_button_stuck(hands) -> None:
    rig = ButtonRig()
    for act, name, seconds in hands:
        getattr(rig, act)(name)
        rig.time.advance(seconds)
    rig.release(*PINS)
    rig.time.advance(5)
    assert rig.buttons.value == frozenset()
    rig.reported.clear()
    rig.hold(0.2, "visions")
    assert rig.reported == [Press("visions")]


def test_a_button_to_hold_is_told_at_once_and_when_it_is_let_go() -> None:
    time, pins, reported = ManualTimers(), VirtualPinFactory(), []
    with Buttons({"talk": 16}, to_hold=("talk",), timers=time, pin_factory=pins) as buttons:
        buttons.when_pressed = reported.append
        buttons.when_held = lambda name, is_held: reported.append((name, is_held))
        pins.press(16)
        time.advance(0.1)
        assert reported == [("talk", True)]
        time.advance(5)
        pins.release(16)
        time.advance(0.1)
    assert reported == [("talk", True), ("talk", False)]
