"""Clock, bar and lights, alone and on one compositor."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import LedClock, LightState, PsychicLights, TimerBar
from hardware.animations import Animation, clock_face
from hardware.clock import explain_missing_lamps
from hardware.lamps import PinLamps
from hardware.light_compositor import LightCompositor
from hardware.power import ON_LEVEL
from hardware.timers import ManualTimers
from hardware.virtual import VirtualPinFactory

SEVEN = range(4, 11)
TEN = range(11, 21)


@pytest.fixture
def clock(time, pins):
    with LedClock(list(SEVEN), timers=time, pin_factory=pins) as clock:
        yield clock


@pytest.fixture
def bar(time, pins):
    with TimerBar(list(TEN), timers=time, pin_factory=pins) as bar:
        yield bar


@pytest.fixture
def lights(time, pins):
    with PsychicLights([21, 22, 23], timers=time, pin_factory=pins) as lights:
        yield lights


def states(pins: VirtualPinFactory, places: range) -> list[float]:
    return [pins.pin(place).state for place in places]


def test_a_clock_shows_the_hour_on_its_pins(clock: LedClock, pins: VirtualPinFactory) -> None:
    clock.show(3)
    assert states(pins, SEVEN) == [0.2, 0.2, 1.0, 0, 0, 0, 0]


def test_a_clock_tells_its_hour(clock: LedClock) -> None:
    clock.strike(5)
    assert clock.value == 5


def test_an_hour_that_strikes_sweeps_first_and_breathes_then(clock: LedClock, pins, time: ManualTimers) -> None:
    clock.strike(2)
    time.advance(0.7)
    during = states(pins, SEVEN)
    time.advance(0.75)
    assert during[3] == max(during) > 0.5
    assert states(pins, SEVEN)[:3] == [0.2, pytest.approx(1.0, abs=0.02), 0.0]


@pytest.mark.parametrize("dimmed", [True, False], ids=["dimmed", "on or off"])
@pytest.mark.parametrize("lamps", range(1, 8))
def test_a_clock_with_fewer_lamps_than_hours_shows_every_hour_otherwise(lamps: int, dimmed: bool) -> None:
    """Whenever somebody looks, and also where lamps are only on or off."""
    looks = [looks_of(clock_face(lamps, hour), dimmed=dimmed) for hour in range(13)]
    assert len(set(looks)) == len(looks)


def test_an_hour_with_a_lamp_of_its_own_looks_as_ever() -> None:
    few, enough = clock_face(4, 3), clock_face(7, 3)
    assert [few.levels(second / 4) for second in range(12)] == [enough.levels(second / 4)[:4] for second in range(12)]


def test_an_hour_beyond_the_last_lamp_winks_on_the_first_lamps_while_all_others_are_lit(clock, pins, time) -> None:
    clock.show(9)
    assert states(pins, SEVEN) == [0.2, 1.0, 0.2, 0.2, 0.2, 0.2, 0.2]
    time.advance(0.4)
    assert states(pins, SEVEN)[1] == 0.0


def looks_of(animation: Animation, *, dimmed: bool) -> frozenset[tuple[object, ...]]:
    """Return what is seen of *animation* for ten seconds that begin at any moment."""
    frames = [animation.levels((frame + 0.5) / 20) for frame in range(400)]
    seen = frames if dimmed else [tuple(level >= ON_LEVEL for level in frame) for frame in frames]
    return frozenset(tuple(seen[start : start + 200]) for start in range(200))


def test_a_closed_clock_is_dark(clock: LedClock, pins) -> None:
    clock.show(7)
    clock.close()
    assert not any(states(pins, SEVEN))


def test_a_clock_without_lamps_takes_any_hour(time) -> None:
    clock = LedClock(timers=time)
    clock.strike(4)
    time.advance(5)
    assert (clock.value, clock.levels) == (4, ())


def test_sand_drains_on_the_pins(bar: TimerBar, pins, time: ManualTimers) -> None:
    bar.drain(120)
    time.advance(60)
    assert states(pins, TEN) == [1.0] * 5 + [pytest.approx(0, abs=0.02)] + [0.0] * 4


def test_a_bar_tells_what_is_left(bar: TimerBar, time: ManualTimers) -> None:
    bar.drain(120)
    time.advance(30)
    assert (bar.value, bar.seconds_left) == (0.75, 90)


def test_a_pause_holds_the_sand(bar: TimerBar, pins, time: ManualTimers) -> None:
    bar.drain(120)
    time.advance(60)
    bar.pause()
    held = states(pins, TEN)
    time.advance(1000)
    assert (states(pins, TEN), bar.seconds_left) == (held, 60)


def test_sand_runs_on_where_it_was_held(bar: TimerBar, time: ManualTimers) -> None:
    bar.drain(120)
    time.advance(60)
    bar.pause()
    time.advance(1000)
    bar.resume()
    time.advance(30)
    assert bar.seconds_left == 30


def test_the_last_ten_seconds_of_sand_beat_on_the_pins(bar: TimerBar, pins, time: ManualTimers) -> None:
    bar.drain(120)
    time.advance(111)
    seen = set()
    for _ in range(20):
        time.advance(0.05)
        seen.add(pins.pin(11).state)
    assert max(seen) > 0.9
    assert min(seen) < 0.1


def test_an_empty_bar_stops_moving(bar: TimerBar, pins, time: ManualTimers) -> None:
    bar.drain(2)
    time.advance(3)
    assert not any(states(pins, TEN))
    assert time._pending == [] or all(timer.cancelled for timer in time._pending)


def test_sand_can_be_taken_up_where_an_evening_left_it(bar: TimerBar) -> None:
    bar.drain(120, left=40)
    assert bar.value == pytest.approx(1 / 3)


def test_no_sand_at_all_cannot_drain(bar: TimerBar) -> None:
    with pytest.raises(ValueError, match="sand of 0 seconds"):
        bar.drain(0)


@given(st.lists(st.one_of(st.sampled_from(["pause", "resume"]), st.floats(0.1, 50)), max_size=12))
def test_sand_drains_exactly_while_it_is_not_held(steps) -> None:
    time = ManualTimers()
    bar = TimerBar([4, 5], timers=time, pin_factory=VirtualPinFactory())
    bar.drain(120)
    left, runs = 120.0, True
    for step in steps:
        if isinstance(step, float):
            time.advance(step)
            left = max(0.0, left - step) if runs else left
        else:
            getattr(bar, step)()
            runs = step == "resume"
    assert bar.seconds_left == pytest.approx(left)


def test_a_light_that_is_chosen_is_steady(lights: PsychicLights, pins, time: ManualTimers) -> None:
    lights.show(1, LightState.CHOSEN)
    time.advance(7)
    assert (lights.value[1], pins.pin(22).state) == (LightState.CHOSEN, 1.0)


def test_each_light_can_be_told_from_the_others_where_lamps_are_on_or_off(lights, pins, time) -> None:
    lights.show_all((LightState.WAITING, LightState.SERVED, LightState.CHOSEN))
    lit = [0, 0, 0]
    for _ in range(60):
        time.advance(0.05)
        for place in range(3):
            lit[place] += pins.pin(21 + place).state >= 0.1
    assert 0 < lit[0] < 10 < lit[1] < 60 == lit[2]


def test_a_light_beyond_the_last_is_nobodys_loss(lights: PsychicLights) -> None:
    lights.show(6, LightState.CHOSEN)
    assert lights.value == (LightState.DARK,) * 3


def test_devices_on_one_compositor_share_its_budget(time, pins) -> None:
    compositor = LightCompositor(PinLamps(list(range(4, 16)), pin_factory=pins), budget_ma=9, timers=time)
    clock, bar = LedClock(compositor.segment(range(6))), TimerBar(compositor.segment(range(6, 12)))
    clock.show(6)
    bar.fill(1.0)
    assert compositor.current_ma == 9


@given(st.floats(1, 200), st.floats(0.05, 1), st.lists(st.integers(0, 7), min_size=1, max_size=5))
def test_a_compositor_never_draws_more_than_its_budget(budget: float, brightness: float, hours: list[int]) -> None:
    time = ManualTimers()
    lamps = PinLamps(list(range(4, 21)), pin_factory=VirtualPinFactory())
    compositor = LightCompositor(lamps, budget_ma=budget, brightness=brightness, timers=time)
    clock, bar = LedClock(compositor.segment(range(7))), TimerBar(compositor.segment(range(7, 17)))
    bar.drain(14)
    for hour in hours:
        clock.strike(hour)
        for _ in range(8):
            time.advance(0.37)
            assert compositor.current_ma <= budget


def test_brightness_dims_all(time, pins) -> None:
    compositor = LightCompositor(PinLamps([4], pin_factory=pins), brightness=0.4, timers=time)
    TimerBar(compositor.segment([0])).fill(1.0)
    assert pins.pin(4).state == 0.4


def test_nothing_moves_while_nothing_changes(time, pins) -> None:
    bar = TimerBar([4, 5], timers=time, pin_factory=pins)
    bar.fill(0.5)
    assert all(timer.cancelled for timer in time._pending)


def test_devices_say_what_they_are(clock, bar, lights) -> None:
    assert [repr(device) for device in (clock, bar, lights)] == [
        "<LedClock of 7 lamps, at 0>",
        "<TimerBar of 10 lamps, 0% left, held>",
        "<PsychicLights dark dark dark>",
    ]


@pytest.mark.parametrize(
    ("lamps", "hours", "told"),
    [
        (7, 7, None),
        (9, 7, None),
        (0, 7, None),
        (
            6,
            7,
            "6 lamps for 7 hours: hour 7 is counted again from the first lamp; the lamp of the hour then winks twice,",
        ),
        (3, 7, "hours 4 to 7 are counted again .* winks twice \\(three times from hour 7 on, and so forth\\),"),
        (1, 2, "1 lamp for 2 hours: hour 2 is counted again"),
    ],
)
def test_a_clock_says_how_it_shows_hours_without_a_lamp(lamps: int, hours: int, told: str | None) -> None:
    message = explain_missing_lamps(lamps, hours)
    assert message is None if told is None else re.search(told, message or "")
