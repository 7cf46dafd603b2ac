import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.power import Dimming, LampLoad, limit_current, total_current

DIMMINGS = st.sampled_from(Dimming)
LAMPS = st.lists(st.tuples(st.floats(0, 1), st.builds(LampLoad, st.floats(0.1, 60), DIMMINGS)), max_size=40)


@given(LAMPS, st.floats(0, 500), st.floats(0.01, 1))
def test_the_budget_is_never_exceeded(lamps: list[tuple[float, LampLoad]], budget: float, brightness: float) -> None:
    levels, loads = [level for level, _ in lamps], [load for _, load in lamps]
    shown = limit_current(levels, loads, budget_ma=budget, brightness=brightness)
    assert total_current(shown, loads) <= budget + 1e-9


@given(LAMPS)
def test_with_current_enough_everything_is_shown_as_wanted(lamps: list[tuple[float, LampLoad]]) -> None:
    levels, loads = [level for level, _ in lamps], [load for _, load in lamps]
    shown = limit_current(levels, loads, budget_ma=1e6)
    for level, load, got in zip(levels, loads, shown, strict=True):
        assert got == (float(level >= 0.1) if load.dimming is Dimming.ON_OFF else level)


@given(LAMPS, st.floats(0, 500))
def test_no_lamp_is_brighter_than_wanted(lamps: list[tuple[float, LampLoad]], budget: float) -> None:
    levels, loads = [level for level, _ in lamps], [load for _, load in lamps]
    shown = limit_current(levels, loads, budget_ma=budget, brightness=0.5)
    for level, load, got in zip(levels, loads, shown, strict=True):
        assert got <= (1.0 if load.dimming is Dimming.ON_OFF else level * 0.5)


def test_a_pulsed_led_counts_whole_however_dim_it_is() -> None:
    assert total_current((0.01, 0.0), (LampLoad(3), LampLoad(3))) == 3


def test_pixels_are_dimmed_alike_when_the_budget_is_short() -> None:
    loads = (LampLoad(30, Dimming.LINEAR),) * 2
    assert limit_current((1.0, 0.5), loads, budget_ma=22.5) == pytest.approx((0.5, 0.25))


def test_leds_are_left_out_from_the_end_when_the_budget_is_short() -> None:
    assert limit_current((1.0, 1.0, 1.0), (LampLoad(3),) * 3, budget_ma=7) == (1.0, 1.0, 0.0)


def test_dark_pixels_draw_too() -> None:
    loads = (LampLoad(30, Dimming.LINEAR, idle_ma=1),) * 10
    assert total_current(limit_current((1.0,) * 10, loads, budget_ma=100), loads) == pytest.approx(100)
