import numpy as np
import pytest
import soxr

from seance.audio.echo_canceller import SpeexCanceller
from seance.audio.echo_delay import find_lag
from seance.audio.echo_reference import EchoReference
from seance.audio.echo_remover import EchoRemover
from seance.audio.formats import MIX_RATE_HZ, SPEECH_RATE_HZ, Block, Samples
from seance.audio.levels import dbfs

BLOCK = SPEECH_RATE_HZ // 20


def sound(seed: int, seconds: float) -> Samples:
    """Return what is played: bursts of noise, as syllables are."""
    noise = np.random.default_rng(seed).standard_normal(round(seconds * MIX_RATE_HZ))
    bursts = np.sin(2 * np.pi * 2.0 * np.arange(len(noise)) / MIX_RATE_HZ) > -0.5
    return (0.1 * noise * bursts).astype(np.float32)


def heard(played: Samples, *, late_s: float, drift_ppm: float = 0.0) -> Block:
    """Return what a microphone hears of *played*, softer, *late_s* seconds late and with a reflection."""
    rate = SPEECH_RATE_HZ * (1 + drift_ppm * 1e-6)
    direct = 0.5 * soxr.resample(played, MIX_RATE_HZ, rate)
    late = np.concatenate((np.zeros(round(late_s * SPEECH_RATE_HZ), np.float32), direct))
    reflected = late + 0.3 * np.concatenate((np.zeros(300, np.float32), late[:-300]))
    return (reflected[: len(direct)] * 32767).astype(np.int16)


class House:
    """Plays and hears in its own time."""

    def __init__(self, drift_ppm: float = 0.0, channels: tuple[int, ...] = (0,)) -> None:
        self.now = 0.0
        self._reference = EchoReference(drift_ppm)
        cancellers = [SpeexCanceller() for _ in channels]
        self.remover = EchoRemover(cancellers, self._reference, channels=channels, clock=lambda: self.now)

    def hear(self, near: Block, played: Samples) -> Block:
        """Return *near* without the echo of *played*, which is handed over 50 ms before it is due."""
        clean, written = [], 0
        for at in range(0, len(near) // BLOCK * BLOCK, BLOCK):
            self.now = (at + BLOCK) / SPEECH_RATE_HZ
            while written / MIX_RATE_HZ < self.now + 0.05 and written < len(played):
                self._reference.write(played[written : written + 480], written / MIX_RATE_HZ)
                written += 480
            clean.append(self.remover.process(near[at : at + BLOCK]))
        return np.concatenate(clean)


@pytest.mark.parametrize("late_s", [0.02, 0.3, 0.7])
def test_an_echo_is_removed_however_late_it_is(late_s: float) -> None:
    house, played = House(), sound(1, 12)
    assert not house.remover.is_trusted
    near = heard(played, late_s=late_s)

    clean = house.hear(near, played)

    assert house.remover.is_trusted
    settled = slice(-2 * SPEECH_RATE_HZ, None)
    assert dbfs(clean[settled]) < dbfs(near[settled]) - 15


def test_the_echo_is_removed_from_each_microphone_of_an_array_and_nothing_else_is_touched() -> None:
    house, played = House(channels=(1, 2)), sound(9, 12)
    own_mix = (0.3 * np.random.default_rng(10).standard_normal(12 * SPEECH_RATE_HZ) * 32767).astype(np.int16)
    near = np.stack([own_mix, heard(played, late_s=0.1), heard(played, late_s=0.101)], axis=1)

    clean = house.hear(near, played)

    assert house.remover.is_trusted
    settled = slice(-2 * SPEECH_RATE_HZ, None)
    assert [dbfs(clean[settled, each]) < dbfs(near[settled, each]) - 15 for each in (1, 2)] == [True, True]
    assert (clean[:, 0] == near[:, 0]).all()


def test_the_echo_is_removed_from_the_one_microphone_that_is_left_of_an_array() -> None:
    house, played = House(channels=(1, 2)), sound(9, 12)
    near = heard(played, late_s=0.1)
    settled = slice(-2 * SPEECH_RATE_HZ, None)
    assert dbfs(house.hear(near, played)[settled]) < dbfs(near[settled]) - 15


def test_a_clock_that_runs_faster_is_followed_when_its_drift_is_known() -> None:
    played = sound(2, 20)
    near = heard(played, late_s=0.1, drift_ppm=150.0)
    knowing, ignorant = House(drift_ppm=150.0), House()

    knowing.hear(near, played)
    ignorant.hear(near, played)

    known_db, ignorant_db = knowing.remover.erle_db, ignorant.remover.erle_db
    assert known_db is not None
    assert ignorant_db is not None
    assert known_db > ignorant_db + 5


@pytest.mark.parametrize(("talker_db", "is_own"), [(None, True), (0.0, False), (-6.0, False), (-10.0, False)])
def test_the_houses_own_voice_is_told_from_somebody_who_talks_over_it(talker_db: float | None, is_own: bool) -> None:
    house, played = House(), sound(11, 14)
    near = heard(played, late_s=0.1).astype(np.float32)
    if talker_db is not None:
        talk = np.random.default_rng(12).standard_normal(SPEECH_RATE_HZ)
        level = np.sqrt(np.mean(near**2)) * 10 ** (talker_db / 20)
        near[11 * SPEECH_RATE_HZ : 12 * SPEECH_RATE_HZ] += level * talk

    house.hear(near.astype(np.int16), played)

    assert house.remover.is_own_voice(11.0, 12.0) is is_own


def test_an_echo_of_something_else_is_not_trusted() -> None:
    house = House()

    house.hear(heard(sound(3, 10), late_s=0.1), sound(4, 10))

    assert not house.remover.is_trusted


def test_nothing_is_trusted_before_anything_was_played() -> None:
    house = House()

    house.hear(heard(sound(5, 3), late_s=0.1), np.zeros(3 * MIX_RATE_HZ, np.float32))

    assert house.remover.erle_db is None
    assert not house.remover.is_trusted


@pytest.mark.parametrize("lag", [-3000, 0, 5000])
def test_the_lag_of_an_echo_is_found_to_the_sample(lag: int) -> None:
    far = (np.random.default_rng(6).standard_normal(2 * SPEECH_RATE_HZ) * 3000).astype(np.int16)

    assert find_lag(far, np.roll(far, lag) // 4) == lag


def test_no_lag_is_found_in_other_sound() -> None:
    one, other = ((np.random.default_rng(seed).standard_normal(32000) * 3000).astype(np.int16) for seed in (7, 8))

    assert find_lag(one, other) is None
