"""Who spoke is told by the voice, and not guessed."""

import pytest

from seance.hearing.recogniser import Recogniser
from seance.hearing.speaker_recognition import Speakers
from seance.models import store
from seance.programs.hear import build_grammar


@pytest.fixture
def speakers():
    known = Speakers()
    known.enrol("red", [1.0, 0.1, 0.0])
    known.enrol("blue", [0.0, 1.0, 0.1])
    return known


def test_a_known_voice_is_told(speakers):
    assert speakers.identify([0.9, 0.2, 0.0]) == "red"


def test_a_strange_voice_is_asked_for(speakers):
    assert speakers.identify([0.0, 0.0, -1.0]) is None


def test_a_voice_between_two_is_asked_for(speakers):
    assert speakers.identify([1.0, 1.1, 0.1]) is None


def test_nobody_is_told_before_anybody_has_introduced_themselves():
    assert Speakers().identify([1.0, 0.0, 0.0]) is None


def test_a_forgotten_voice_is_asked_for(speakers):
    speakers.forget("red")
    assert speakers.identify([0.9, 0.2, 0.0]) is None


def test_who_introduced_themselves_is_known_by_their_voice(english, sentences, say, hear):
    recogniser = Recogniser(english, build_grammar(sentences), speaker_model=store.fetch("speaker"))
    for name, voice in (("white", "en-us"), ("blue", "en-us+f2")):
        for text in ("I am the eldest of us", "how much time is left", "what is on the table"):
            recogniser.reset()
            (heard,) = hear(say(text, voice), recogniser)
            recogniser.speakers.enrol(name, heard.voiceprint)
    recogniser.reset()
    told = [heard.speaker for heard in hear(say("how many crows are left", "en-us+f2"), recogniser)]
    recogniser.close()
    assert told == ["blue"]


SEATS = {"red": 30.0, "blue": 90.0, "white": 270.0}
VOICES = {"red": (1.0, 0.0, 0.0, 0.0), "blue": (0.0, 1.0, 0.0, 0.0), "white": (0.0, 0.0, 1.0, 0.0)}


def seated():
    """Return three guests with unlike voices at their seats."""
    speakers = Speakers()
    for name, seat in SEATS.items():
        speakers.enrol(name, VOICES[name], seat)
    return speakers


def test_a_seat_tells_who_spoke_where_the_voice_tells_nothing():
    assert [seated().identify(None, seat) for seat in SEATS.values()] == list(SEATS)


def test_a_stranger_between_the_seats_is_nobody():
    assert [seated().identify((0.5, 0.5, 0.5, 0.0), direction) for direction in (60.0, 180.0, 330.0)] == [None] * 3


def test_a_voice_counts_by_how_much_more_alike_it_is_than_the_voices_of_the_others():
    beside_red = SEATS["red"] + 11
    assert seated().identify((0.35, 0.0, 0.0, 0.94), beside_red) == "red"
    assert seated().identify((0.35, 0.35, 0.35, 0.8), beside_red) is None


def test_a_stranger_who_stands_close_to_a_chair_is_nobody():
    assert seated().identify((0.0, 0.0, 0.0, 1.0), SEATS["red"] + 10) is None


def test_a_guest_at_the_seat_of_another_is_doubtful():
    assert seated().identify(VOICES["red"], SEATS["white"]) is None


def test_a_guest_who_introduces_themselves_again_has_the_new_seat():
    speakers = seated()
    assert speakers.identify(VOICES["red"], 180.0) is None
    speakers.enrol("red", VOICES["red"], 180.0)
    assert speakers.identify(VOICES["red"], 180.0) == "red"
    assert speakers.seat_at(30.0) is None


def test_without_a_direction_the_voice_alone_tells():
    assert seated().identify(VOICES["blue"]) == "blue"


def test_a_guest_who_speaks_twice_in_a_row_from_a_free_place_is_noticed_there_once():
    speakers = seated()
    assert [speakers.notice_move(VOICES["red"], place) for place in (180.0, 185.0, 182.0)] == [None, "red", None]
    assert speakers.seat_at(SEATS["red"]) == "red"  # until the guest has said yes


def test_a_guest_who_leans_over_once_is_not_noticed():
    speakers = seated()
    places = (180.0, SEATS["red"], 180.0, SEATS["red"])
    assert [speakers.notice_move(VOICES["red"], place) for place in places] == [None] * 4


def test_guests_who_exchange_their_seats_are_noticed_and_have_the_new_ones_once_both_have_said_yes():
    speakers = seated()
    assert [speakers.notice_move(VOICES["red"], SEATS["blue"]) for _ in range(2)] == [None, "red"]
    speakers.move("red", SEATS["blue"], takes_over=True)
    assert [speakers.notice_move(VOICES["blue"], SEATS["red"]) for _ in range(2)] == [None, "blue"]
    speakers.move("blue", SEATS["red"], takes_over=True)
    assert speakers.identify(VOICES["red"], SEATS["blue"]) == "red"
    assert speakers.identify(VOICES["blue"], SEATS["red"]) == "blue"


def test_a_guest_who_has_moved_again_is_noticed_again():
    speakers = seated()
    noticed = []
    for place in (180.0, 300.0):
        noticed += [speakers.notice_move(VOICES["red"], place) for _ in range(2)]
        speakers.move("red", place, takes_over=True)
    assert noticed == [None, "red", None, "red"]


def test_a_guest_who_does_not_play_in_this_night_is_not_taken_for_whoever_speaks():
    speakers = seated()
    speakers.enrol("yellow", VOICES["red"], SEATS["red"])
    assert speakers.identify(VOICES["red"], SEATS["red"]) is None
    speakers.candidates = frozenset({"yellow", "blue", "white"})
    assert speakers.identify(VOICES["red"], SEATS["red"]) == "yellow"


def test_of_a_guest_who_has_left_nothing_is_known():
    speakers = seated()
    speakers.forget("red")
    assert speakers.seat_at(SEATS["red"]) is None
    assert speakers.identify(VOICES["red"]) is None
