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

    def __init__(self, *, is_talk=False, snr_db=20.0):
        self.is_talk, self.snr_db = is_talk, snr_db
        self.speakers, self.utterance_began_s, self.now_s = Speakers(), 1.0, 0.0
        self.new_talkers = []

    def feed(self, _):
        return iter(())

    def replay(self, _, *, is_new_talker, **__):
        self.new_talkers.append(is_new_talker)
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


@pytest.mark.parametrize(("is_talk", "direction"), [(True, 160), (False, 40)])
def test_talk_gives_way_to_whoever_begins_as_loudly_and_a_sentence_does_not(is_talk, direction):
    last = heard(Recogniser(is_talk=is_talk), (1.0, 2.0, 40.0, 0.1), (2.2, 0.8, 160.0, 0.1))
    assert last.direction_deg == pytest.approx(direction, abs=10)


def test_another_talker_continues_nothing_that_was_said_elsewhere():
    recogniser = Recogniser()
    heard(recogniser, (1.0, 1.0, 40.0, 0.1), (2.4, 0.8, 160.0, 0.3))
    assert recogniser.new_talkers[-2:] == [True, True]


def test_whoever_goes_on_after_a_pause_is_the_same_talker():
    recogniser = Recogniser()
    recogniser.utterance_began_s = None
    heard(recogniser, (1.0, 0.6, 40.0, 0.1), (3.2, 0.8, 40.0, 0.1))
    assert recogniser.new_talkers[-2:] == [True, False]
