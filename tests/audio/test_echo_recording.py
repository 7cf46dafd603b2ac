import numpy as np
import pytest
import soxr

from seance.audio.echo_recording import NoCommonSound, measure_path, remove_echo
from seance.audio.formats import SPEECH_RATE_HZ, Block, Samples


def syllables(seed: int, seconds: float) -> Samples:
    noise = np.random.default_rng(seed).standard_normal(round(seconds * SPEECH_RATE_HZ))
    return (0.1 * noise * (np.sin(np.arange(len(noise)) / 2000) > -0.5)).astype(np.float32)


def as_block(sound: Samples) -> Block:
    return (sound * 32767).astype(np.int16)


@pytest.mark.parametrize(("lag", "drift_ppm"), [(1600, 0.0), (-800, 0.0), (1600, 80.0)])
def test_how_late_an_echo_is_and_how_its_clock_drifts_is_measured(lag, drift_ppm):
    far = syllables(1, 20)
    near = np.roll(soxr.resample(far, SPEECH_RATE_HZ, SPEECH_RATE_HZ * (1 + drift_ppm * 1e-6)), lag)[: len(far)]
    near = np.pad(near, (0, len(far) - len(near)))

    path = measure_path(as_block(near), as_block(far))

    assert path is not None
    assert path.lag_samples == pytest.approx(lag, abs=3)
    assert path.drift_ppm == pytest.approx(drift_ppm, abs=5)


def test_the_echo_goes_and_what_was_said_stays():
    far, said = syllables(2, 12), np.zeros(12 * SPEECH_RATE_HZ, np.float32)
    said[96_000:128_000] = 0.05 * np.sin(np.arange(32_000) * 0.3)
    near = 0.5 * np.roll(far, 2400) + said

    clean = remove_echo(near, far)

    assert len(clean) == len(near)
    assert np.corrcoef(clean[96_000:128_000], said[96_000:128_000])[0, 1] > 0.9
    assert np.std(clean[130_000:]) < 0.2 * np.std(near[130_000:])


def test_a_reference_of_another_length_is_refused():
    with pytest.raises(NoCommonSound, match=r"last 12\.0 s and 3\.0 s"):
        remove_echo(syllables(3, 12), syllables(3, 3))


def test_a_reference_that_was_not_played_there_is_refused():
    with pytest.raises(NoCommonSound, match="nothing of the reference is heard"):
        remove_echo(syllables(4, 4), syllables(5, 4))
