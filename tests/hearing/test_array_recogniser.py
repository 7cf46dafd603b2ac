"""To whom an array listens, and whom it believes; the recogniser behind it is invented."""

import pytest

from seance.audio.array_geometry import load_geometry
from seance.hearing.array_recogniser import MIN_BEAM_SNR_DB, ArrayRecogniser
from seance.hearing.recognition import Recognition
from seance.hearing.speaker_recognition import Speakers
from tests.array_sound import RATE, arriving, room_noise
from tests.hearing.spoken import voice

RING = load_geometry("ring4")
BLOCK = RATE // 20


class Recogniser:
    """Takes everything for one long utterance, of *snr_db*, that is a command at its end."""

    def __init__(self, *, snr_db=20.0):
        self.snr_db = snr_db
        self.speakers, self.utterance_began_s, self.now_s = Speakers(), 1.0, 0.0

    def feed(self, _):
        return iter(())

    def replay(self, *_, **__):
        return iter(())

    def finish(self):
        yield Recognition("pause", "pause", 0.9, None, None, 1.0, 2.0, 0.3, self.snr_db)


def heard(recogniser, *said):
    """Return what is heard in the end of invented voices: from when, how long, from where and how loud."""
    sound = room_noise(round(max(begin + seconds for begin, seconds, _, _ in said) * RATE), 4)
    for number, (begin, seconds, angle, level) in enumerate(said):
        at = round(begin * RATE)
        part = arriving(voice(seconds, seed=number, level=level) / 32768, RING, angle)
        sound[at : at + len(part)] += part
    ear = ArrayRecogniser(recogniser, RING)
    for at in range(0, len(sound), BLOCK):
        assert list(ear.feed(sound[at : at + BLOCK])) == []
    (last,) = ear.finish()
    return last


@pytest.mark.parametrize(("snr_db", "intent"), [(MIN_BEAM_SNR_DB + 1, "pause"), (MIN_BEAM_SNR_DB - 1, None)])
def test_what_hardly_exceeds_the_others_at_the_table_is_no_command(snr_db, intent):
    assert heard(Recogniser(snr_db=snr_db), (1.0, 1.0, 40.0, 0.1)).intent == intent


@pytest.mark.parametrize(("level", "direction"), [(0.2, 160), (0.1, 40)])
def test_the_beam_leaves_somebody_who_speaks_only_for_who_is_louder(level, direction):
    last = heard(Recogniser(), (1.0, 2.0, 40.0, 0.1), (2.2, 0.8, 160.0, level))
    assert last.direction_deg == pytest.approx(direction, abs=10)
