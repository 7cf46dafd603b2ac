import pytest

from hardware import Mute
from hardware.mute import BLINK_S
from hardware.timers import ManualTimers
from hardware.virtual import VirtualPinFactory

SWITCH = 26
LED = 27


@pytest.fixture
def mute(time, pins):
    with Mute(SWITCH, led=LED, timers=time, pin_factory=pins) as mute:
        yield mute


def turn(pins: VirtualPinFactory, time: ManualTimers, on: bool) -> None:
    (pins.press if on else pins.release)(SWITCH)
    time.advance(0.03)


def blinks(mute: Mute, time: ManualTimers) -> bool:
    first = mute.led
    time.advance(BLINK_S)
    return mute.led != first


def test_the_switch_is_told(mute, pins, time) -> None:
    told = []
    mute.when_switched = told.append
    turn(pins, time, on=True)
    turn(pins, time, on=False)
    assert told == [True, False]


def test_the_led_is_steady_only_when_the_microphone_is_muted(mute, pins, time) -> None:
    turn(pins, time, on=True)
    mute.show(True)
    assert mute.led
    assert not blinks(mute, time)


def test_the_led_does_not_believe_the_switch(mute, pins, time) -> None:
    turn(pins, time, on=True)
    assert not mute.value
    assert blinks(mute, time)


def test_the_led_shows_that_a_microphone_stayed_muted(mute, pins, time) -> None:
    turn(pins, time, on=True)
    mute.show(True)
    turn(pins, time, on=False)
    assert blinks(mute, time)


def test_the_led_is_dark_while_something_is_heard(mute, time) -> None:
    mute.show(False)
    assert not mute.led
    assert not blinks(mute, time)


def test_a_switch_that_is_on_from_the_start_is_known(time, pins) -> None:
    pins.pin(SWITCH).input_with_pull("up")
    pins.press(SWITCH)
    pins.pin(SWITCH)._set_pull = lambda _: None  # a real switch wins over the pull-up
    with Mute(SWITCH, led=LED, timers=time, pin_factory=pins) as mute:
        assert mute.wanted


def test_without_a_switch_the_led_still_tells_the_truth(time, pins) -> None:
    with Mute(led=LED, timers=time, pin_factory=pins) as mute:
        mute.show(True)
        assert mute.led


def test_a_board_without_mute_takes_all(time) -> None:
    with Mute(timers=time) as mute:
        mute.show(True)
        assert (mute.value, mute.led, mute.wanted) == (True, False, False)
