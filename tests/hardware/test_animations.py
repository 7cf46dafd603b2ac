import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import animations
from hardware.power import ON_LEVEL

ANIMATIONS = st.one_of(
    st.builds(animations.clock_face, st.integers(0, 12), st.integers(-1, 14)),
    st.builds(animations.sweep, st.integers(0, 12)),
    st.builds(lambda n, left: animations.draining_bar(n, left, total=120), st.integers(0, 20), st.floats(0, 120)),
)


@given(ANIMATIONS, st.floats(0, 1000))
def test_brightness_is_never_out_of_range(animation: animations.Animation, seconds: float) -> None:
    assert all(0 <= level <= 1 for level in animation.levels(seconds))


def test_the_hours_gone_are_faint_and_those_ahead_dark() -> None:
    assert animations.clock_face(7, 3).levels(0) == (0.2, 0.2, 1.0, 0, 0, 0, 0)


def test_the_current_hour_breathes() -> None:
    levels = [animations.clock_face(7, 3).levels(seconds)[2] for seconds in (0, 1.5, 3)]
    assert levels == pytest.approx([1, 0.05, 1])


def test_an_hour_gone_is_lit_where_lamps_are_on_or_off_and_the_current_one_blinks() -> None:
    assert animations.FAINT_LEVEL >= ON_LEVEL
    assert animations.breath_level(1.5) < ON_LEVEL


def test_a_sweep_lights_each_lamp_once_in_order() -> None:
    animation = animations.sweep(7)
    brightest = [max(range(141), key=lambda i, place=place: animation.levels(i / 100)[place]) for place in range(7)]
    assert brightest == sorted(set(brightest))


def test_the_topmost_lamp_of_a_bar_is_lit_in_part() -> None:
    assert animations.bar_levels(4, 0.6) == pytest.approx((1, 1, 0.4, 0))


@given(st.floats(10.01, 120), st.floats(0, 100))
def test_sand_only_ever_gets_less_until_it_beats(left: float, seconds: float) -> None:
    animation = animations.draining_bar(10, left, total=120)
    later = min(seconds + 0.1, left - 10.001)
    assert sum(animation.levels(later)) <= sum(animation.levels(min(seconds, later))) + 1e-9


def test_the_last_ten_seconds_beat() -> None:
    animation = animations.draining_bar(10, 120, total=120)
    beats = {animation.levels(110 + step / 20)[0] for step in range(40)}
    assert max(beats) > 0.9
    assert min(beats) < ON_LEVEL


def test_no_sand_is_dark() -> None:
    assert animations.draining_bar(10, 120, total=120).levels(120) == (0,) * 10


def test_one_animation_follows_the_other() -> None:
    animation = animations.sequence(animations.sweep(3, 2.0), animations.clock_face(3, 1))
    assert animation.levels(2.0) == animations.clock_face(3, 1).levels(0)
