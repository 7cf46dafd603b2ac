import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.power import Draw, Kind, current, within

KINDS = st.sampled_from(Kind)
LAMPS = st.lists(st.tuples(st.floats(0, 1), st.builds(Draw, st.floats(0.1, 60), KINDS)), max_size=40)


@given(LAMPS, st.floats(0, 500), st.floats(0.01, 1))
def test_the_budget_is_never_exceeded(lamps: list[tuple[float, Draw]], budget: float, brightness: float) -> None:
    levels, draws = [level for level, _ in lamps], [draw for _, draw in lamps]
    shown = within(levels, draws, budget=budget, brightness=brightness)
    assert current(shown, draws) <= budget + 1e-9


@given(LAMPS)
def test_with_current_enough_everything_is_shown_as_wanted(lamps: list[tuple[float, Draw]]) -> None:
    levels, draws = [level for level, _ in lamps], [draw for _, draw in lamps]
    shown = within(levels, draws, budget=1e6)
    for level, draw, got in zip(levels, draws, shown, strict=True):
        assert got == (float(level >= 0.1) if draw.kind is Kind.SWITCHED else level)


@given(LAMPS, st.floats(0, 500))
def test_no_lamp_is_brighter_than_wanted(lamps: list[tuple[float, Draw]], budget: float) -> None:
    levels, draws = [level for level, _ in lamps], [draw for _, draw in lamps]
    shown = within(levels, draws, budget=budget, brightness=0.5)
    for level, draw, got in zip(levels, draws, shown, strict=True):
        assert got <= (1.0 if draw.kind is Kind.SWITCHED else level * 0.5)


def test_a_pulsed_led_counts_whole_however_dim_it_is() -> None:
    assert current((0.01, 0.0), (Draw(3), Draw(3))) == 3


def test_pixels_are_dimmed_alike_when_the_budget_is_short() -> None:
    draws = (Draw(30, Kind.METERED),) * 2
    assert within((1.0, 0.5), draws, budget=22.5) == pytest.approx((0.5, 0.25))


def test_leds_are_left_out_from_the_end_when_the_budget_is_short() -> None:
    assert within((1.0, 1.0, 1.0), (Draw(3),) * 3, budget=7) == (1.0, 1.0, 0.0)


def test_dark_pixels_draw_too() -> None:
    draws = (Draw(30, Kind.METERED, idle=1),) * 10
    assert current(within((1.0,) * 10, draws, budget=100), draws) == pytest.approx(100)
