"""The coil keeps its pulse and duty limits whatever is asked of the knocker, from any thread, and whatever fails."""

import itertools
import threading
from contextlib import ExitStack

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware import HEARTBEAT, NO, YES, Beat, Knocker, KnockerBusy, hour_knocks, knocks, rhythm
from hardware.coil import MAX_PULSE_S, TimedCoil
from hardware.duty import DutyLimit, DutyLimiter
from hardware.rhythm import HARD_PULSE_S, SOFT_PULSE_S
from hardware.timers import ManualTimers, ThreadTimers
from tests.hardware.recording_pins import RecordingPinFactory

COIL = 17
TOLERANCE_S = 1e-6


@pytest.fixture
def recording_pins(time):
    return RecordingPinFactory(time)


@pytest.fixture
def knocker(time, recording_pins):
    with Knocker(COIL, timers=time, pin_factory=recording_pins) as knocker:
        yield knocker


def onsets(factory: RecordingPinFactory) -> list[float]:
    return [pytest.approx(begin) for begin, _ in factory.pulses(COIL)]


@pytest.mark.parametrize(
    ("asked", "heard"),
    [
        (YES, [0]),
        (NO, [0, 0.4]),
        (hour_knocks(3), [0, 0.9, 1.8]),
        (rhythm(0.2, 0.2, 0.6), [0, 0.2, 0.4, 1.0]),
        (HEARTBEAT, [0.72, 1.0, 1.72, 2.0, 2.72, 3.0, 3.72, 4.0]),
    ],
    ids=["yes", "no", "hour", "custom", "heartbeat"],
)
def test_a_rhythm_is_knocked_as_it_is_written(knocker, recording_pins, time, asked, heard) -> None:
    knocker.play(asked)
    time.advance(30)
    assert onsets(recording_pins) == heard


def test_the_seventh_hour_is_seven_knocks(knocker, recording_pins, time) -> None:
    knocker.play(hour_knocks(7))
    time.advance(30)
    assert len(recording_pins.pulses(COIL)) == knocker.count == 7


@pytest.mark.parametrize(("force", "seconds"), [(0, SOFT_PULSE_S), (1, HARD_PULSE_S)])
def test_a_harder_knock_is_a_longer_pulse(knocker, recording_pins, time, force: float, seconds: float) -> None:
    knocker.play((Beat(force=force),))
    time.advance(1)
    [(begin, end)] = recording_pins.pulses(COIL)
    assert end - begin == pytest.approx(seconds)


@pytest.mark.usefixtures("knocker")
def test_the_coil_is_off_at_the_start(recording_pins) -> None:
    assert recording_pins.pin(COIL).function == "output"
    assert not recording_pins.pin(COIL).state


def test_playing_does_not_wait_for_the_knock(knocker, time) -> None:
    knocker.play(NO)
    assert (knocker.pending, time.now()) == (2, 0)


def test_one_yes_after_another_is_not_a_no(knocker, recording_pins, time) -> None:
    knocker.play(YES)
    knocker.play(YES)
    time.advance(10)
    assert onsets(recording_pins) == [0, 1.0]


def test_a_rhythm_that_comes_soon_after_another_waits_for_its_pause(knocker, recording_pins, time) -> None:
    knocker.play(YES)
    time.advance(0.5)
    knocker.play(YES)
    time.advance(10)
    assert onsets(recording_pins) == [0, 1.0]


def test_a_knock_is_told_as_it_happens(knocker, time) -> None:
    told = []
    knocker.when_knocked = lambda beat: told.append((round(time.now(), 3), beat.force))
    knocker.play(NO)
    time.advance(1)
    assert told == [(0, 1.0), (0.4, 1.0)]


def test_knocks_are_told_where_there_is_no_coil(time) -> None:
    told = []
    with Knocker(timers=time) as knocker:
        knocker.when_knocked = told.append
        knocker.play(NO)
        time.advance(1)
    assert len(told) == 2


def test_cancel_drops_the_knocks_to_come(knocker, recording_pins, time) -> None:
    knocker.play(hour_knocks(7))
    time.advance(1)
    knocker.cancel()
    time.advance(30)
    assert len(recording_pins.pulses(COIL)) == 2


def test_a_rhythm_after_cancel_comes_at_its_own_time(knocker, recording_pins, time) -> None:
    knocker.play((Beat(10),))
    knocker.cancel()
    knocker.play(YES)
    time.advance(1)
    assert onsets(recording_pins) == [0]


def test_cancel_between_two_rhythms_keeps_their_pause(knocker, recording_pins, time) -> None:
    knocker.play(NO)
    time.advance(0.1)
    knocker.cancel()
    knocker.play(YES)
    time.advance(5)
    assert onsets(recording_pins) == [0, 1.0]


def test_a_rhythm_that_would_come_too_late_is_refused(knocker) -> None:
    for _ in range(3):
        knocker.play(hour_knocks(7))
    with pytest.raises(KnockerBusy, match="21 knocks wait"):
        knocker.play(YES)


def test_a_coil_that_gets_hot_spaces_the_rhythm(knocker, recording_pins, time) -> None:
    knocker.play(knocks(40, gap=0.15))
    time.advance(60)
    gaps = [later - early for (early, _), (later, _) in itertools.pairwise(recording_pins.pulses(COIL))]
    assert len(gaps) == 39
    assert max(gaps) > 5


def test_a_closed_knocker_is_off_at_once(knocker, recording_pins, time) -> None:
    knocker.play(YES)
    time.advance(0.01)
    assert recording_pins.pin(COIL).state
    knocker.close()
    assert not recording_pins.pin(COIL).state


def test_a_closed_knocker_knocks_no_more(knocker, recording_pins, time) -> None:
    knocker.play(hour_knocks(7))
    time.advance(1)
    knocker.close()
    knocker.play(YES)
    time.advance(30)
    assert len(recording_pins.pulses(COIL)) == 2


def test_a_hook_that_fails_does_not_keep_the_coil_on(knocker, recording_pins, time) -> None:
    knocker.when_knocked = lambda _: 1 / 0
    knocker.play(YES)
    with pytest.raises(ZeroDivisionError):
        time.advance(0.01)
    time.advance(1)
    assert recording_pins.pulses(COIL) == [(0, pytest.approx(HARD_PULSE_S))]


def test_a_knocker_says_what_it_is(knocker) -> None:
    knocker.play(NO)
    assert repr(knocker) == "<Knocker on GPIO 17, off, 2 to come>"


@pytest.mark.parametrize("seconds", [0, -1, MAX_PULSE_S + 0.001, 1e9])
def test_a_coil_refuses_a_pulse_above_its_limit(time, recording_pins, seconds: float) -> None:
    coil = TimedCoil(COIL, timers=time, pin_factory=recording_pins)
    with pytest.raises(ValueError, match=r"at most 0\.2 s"):
        coil.pulse(seconds)
    assert recording_pins.pulses(COIL) == []


def test_a_duty_that_allows_no_knock_is_refused() -> None:
    with pytest.raises(ValueError, match="not a single knock"):
        DutyLimiter(DutyLimit(share=0.001))


# Whatever is asked, by whomever


def assert_cool(pulses: list[tuple[float, float]], duty: DutyLimit) -> None:
    """Check the length of each pulse, and the duty of each window that begins or ends at the edge of a pulse."""
    for begin, end in pulses:
        assert end - begin <= HARD_PULSE_S + TOLERANCE_S
    for edge in [moment for pulse in pulses for moment in pulse]:
        for start in (edge, edge - duty.window_s):
            stop = start + duty.window_s
            on = sum(max(0.0, min(end, stop) - max(begin, start)) for begin, end in pulses)
            assert on <= duty.max_on_s + TOLERANCE_S


BEATS = st.builds(Beat, st.floats(0, 3), st.floats(0, 1))
CALLS = st.one_of(
    st.tuples(st.just("play"), st.lists(BEATS, max_size=30).map(tuple)),
    st.tuples(st.just("advance"), st.floats(0, 20)),
    st.tuples(st.just("cancel"), st.none()),
    st.tuples(st.just("break"), st.none()),
    st.tuples(st.just("stall"), st.floats(0, 0.5)),
)
DUTY_LIMITS = st.builds(DutyLimit, st.floats(0.02, 0.25), st.floats(4, 12))


@given(st.lists(CALLS, max_size=30), DUTY_LIMITS)
@settings(max_examples=200)
def test_no_calls_whatever_heat_the_coil(calls: list[tuple[str, object]], duty: DutyLimit) -> None:
    time = ManualTimers()
    recording_pins = RecordingPinFactory(time)
    knocker = Knocker(COIL, duty=duty, timers=time, pin_factory=recording_pins)
    for call, argument in calls:
        try:
            ask(knocker, time, call, argument)
        except (KnockerBusy, ZeroDivisionError):
            continue
    advance(time, 200)
    knocker.close()
    assert_cool(recording_pins.pulses(COIL), duty)


def ask(knocker: Knocker, time: ManualTimers, call: str, argument) -> None:
    match call:
        case "play":
            knocker.play(argument)
        case "cancel":
            knocker.cancel()
        case "break":
            knocker.when_knocked = lambda _: 1 / 0
        case "advance":
            advance(time, argument)
        case "stall":  # the machine was busy between two knocks: what was due comes late, all at once
            time._now += 0 if knocker.value else argument
            time.advance(0)


def advance(time: ManualTimers, seconds: float) -> None:
    """Advance the time by *seconds* even if a callback raises."""
    end = time.now() + seconds
    while time.now() < end:
        try:
            time.advance(end - time.now())
        except ZeroDivisionError:
            continue


def test_many_threads_at_once_do_not_heat_the_coil(time: ManualTimers, recording_pins: RecordingPinFactory) -> None:
    duty = DutyLimit(share=0.1, window_s=4.0)
    knocker = Knocker(COIL, duty=duty, timers=time, pin_factory=recording_pins)

    def pester() -> None:
        for _ in range(50):
            try:
                knocker.play(knocks(3, gap=0.0))
            except KnockerBusy:
                knocker.cancel()

    threads = [threading.Thread(target=pester) for _ in range(8)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        time.advance(0.1)
    time.advance(100)
    knocker.close()
    assert len(recording_pins.pulses(COIL)) > 2
    assert_cool(recording_pins.pulses(COIL), duty)


def test_a_knock_in_real_time_ends_by_itself() -> None:
    with ExitStack() as stack:
        timers = ThreadTimers("knocker")
        stack.callback(timers.close)
        pins = RecordingPinFactory(timers)
        knocker = stack.enter_context(Knocker(COIL, timers=timers, pin_factory=pins))
        over = threading.Event()
        knocker.when_knocked = lambda _: timers.after(HARD_PULSE_S + 0.01, over.set)
        knocker.play(YES)
        assert over.wait(30)
        assert not pins.pin(COIL).state
        assert len(pins.pulses(COIL)) == 1
