import numpy as np
import pytest

from seance.audio import echo_canceller
from seance.audio.echo_canceller import FRAME_SAMPLES, NoEchoCanceller, SpeexCanceller
from seance.audio.formats import SPEECH_RATE_HZ, Block
from seance.audio.levels import dbfs

SECONDS = 6
ECHO_PATH = np.concatenate((np.zeros(700), [0.5, 0.3], np.zeros(400), [-0.1]))
"""An echo 44 ms late, and its reflection."""


def noise(seed: int) -> Block:
    return (np.random.default_rng(seed).standard_normal(SECONDS * SPEECH_RATE_HZ) * 2000).astype(np.int16)


def cancel(near: Block, far: Block, size: int) -> Block:
    canceller = SpeexCanceller()
    blocks = [canceller.process(near[at : at + size], far[at : at + size]) for at in range(0, len(near), size)]
    return np.concatenate(blocks)


@pytest.mark.parametrize("size", [800, 256, 77])
def test_an_echo_is_removed_whatever_the_size_of_the_blocks(size: int) -> None:
    far = noise(1)
    echo = np.convolve(far, ECHO_PATH)[: len(far)].astype(np.int16)
    settled = slice(len(far) // 2, None)

    clean = cancel(echo, far, size)

    assert len(clean) == len(echo)
    assert dbfs(clean[settled]) < dbfs(echo[settled]) - 20


def test_a_microphone_is_heard_as_it_is_while_the_loudspeaker_is_silent() -> None:
    near = noise(2)

    clean = cancel(near, np.zeros_like(near), 800)

    late = near[: len(near) - FRAME_SAMPLES].astype(np.float64)
    assert np.corrcoef(clean[FRAME_SAMPLES:], late)[0, 1] > 0.98


def test_blocks_that_do_not_belong_together_are_refused() -> None:
    with pytest.raises(ValueError, match="800 samples of the microphone, but 400 of the loudspeaker"):
        SpeexCanceller().process(np.zeros(800, np.int16), np.zeros(400, np.int16))


def test_a_missing_library_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(echo_canceller, "_LIBRARY", "libnone.so.1")

    with pytest.raises(NoEchoCanceller, match="libspeexdsp1"):
        SpeexCanceller()
