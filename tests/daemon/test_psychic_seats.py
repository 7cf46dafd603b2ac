"""A psychic's seat at a phone: who holds it, and what it may do."""

import pytest

from seance.chronicle.guest_changes import read_guest_changes
from seance.daemon.signals import Heard, PsychicSeatLeft, PsychicSeatRequest, SeatTouched, TypedOnPage
from seance.dialogue.grammar.sentences import Intent
from seance.narration.cues import Say
from seance.permissions import Source
from seance.rules import LIBELLUD, Psychic
from seance.rules import commands as c
from tests.daemon.evenings import Table, again, begun, keys, lines, set_up, table
from tests.nights import BLUE, RED, WHITE, YELLOW

YES, NO = Heard("yes", Intent("yes")), Heard("no", Intent("no"))


@pytest.fixture
def house(tmp_path) -> Table:
    return begun(table(tmp_path), RED, BLUE, WHITE)


def sit(house: Table, psychic: Psychic, device: str = "phone") -> list[str]:
    return keys(house.give(PsychicSeatRequest(psychic, device, f"guest of {device}")))


def touch(house: Table, name: str, device: str = "phone", **slots: object) -> list[str]:
    return keys(house.give(SeatTouched(device, Intent(name, slots))))


def holder(house: Table, psychic: Psychic) -> str | None:
    return house.evening.psychic_seats.state.holders.get(psychic)


def test_a_free_seat_is_taken_at_once_and_the_room_is_told(house):
    assert sit(house, RED) == ["reply.psychic_seated"]
    assert holder(house, RED) == "phone"
    assert holder(house, BLUE) is None


def test_a_player_of_two_psychics_has_both_in_one_seat(tmp_path):
    house = table(tmp_path)
    set_up(house, c.Begin(edition=LIBELLUD, players=3, level="easy", psychics=(RED, BLUE, WHITE, YELLOW)))
    sit(house, BLUE)
    assert house.evening.psychic_seats.psychics_of("phone") == (RED, BLUE)


def test_a_taken_seat_is_given_away_only_by_the_room(house):
    sit(house, RED)
    assert sit(house, RED, "other") == ["ask_back.psychic_seat"]
    assert holder(house, RED) == "phone"
    assert keys(house.give(YES)) == ["reply.psychic_seated"]
    assert holder(house, RED) == "other"


def test_after_a_no_the_seat_stays_where_it_is(house):
    sit(house, RED)
    sit(house, RED, "other")
    assert keys(house.give(NO)) == ["reply.psychic_seat_refused"]
    assert holder(house, RED) == "phone"


@pytest.mark.parametrize("source", [Source.OTHER_PHONE, Source.HOST_PHONE, Source.KEYBOARD])
def test_whoever_asks_for_a_taken_seat_never_answers(house, source):
    sit(house, RED)
    sit(house, RED, "other")
    house.give(TypedOnPage("yes", source, "guest of other"))
    assert holder(house, RED) == "phone"


def test_a_seat_does_not_answer_about_seats(house):
    sit(house, RED)
    sit(house, BLUE, "second")
    sit(house, RED, "other")
    touch(house, "yes", "second")
    assert holder(house, RED) == "phone"


def test_the_word_of_the_asking_phone_is_told(house):
    sit(house, RED)
    told = lines(house.give(PsychicSeatRequest(RED, "other", "guest")))
    assert any("raven" in line.lower() for line in told)


def test_a_seat_that_is_given_back_is_free(house):
    sit(house, RED)
    assert keys(house.give(PsychicSeatLeft("phone"))) == ["reply.psychic_left"]
    assert sit(house, RED, "other") == ["reply.psychic_seated"]


def test_the_room_frees_the_seat_of_a_guest_who_leaves(house):
    sit(house, RED)
    house.say("red has to leave")
    assert holder(house, RED) is None


def test_who_left_and_came_stands_in_the_journal_after_a_restart_too(house):
    house.say("red has to leave")
    house.say("red has to leave")
    restarted = again(house)
    restarted.say("red is back")
    changes = read_guest_changes(restarted.journal.last().notes)
    assert [(each.psychic, each.has_left, each.heir) for each in changes] == [(RED, True, BLUE), (RED, False, None)]


def test_a_page_alone_does_not_free_a_seat(house):
    sit(house, RED)
    house.give(TypedOnPage("red has to leave", Source.OTHER_PHONE, "somebody"))
    assert holder(house, RED) == "phone"


def test_seats_survive_a_restart(house):
    sit(house, RED)
    key = house.evening.psychic_seats.state.key
    restarted = again(house)
    assert holder(restarted, RED) == "phone"
    assert restarted.evening.psychic_seats.state.key == key


def test_seats_end_with_the_night(house):
    sit(house, RED)
    key = house.evening.psychic_seats.state.key
    house.say("end the séance")
    house.say("yes")
    assert house.evening.psychic_seats.state.holders == {}
    assert house.evening.psychic_seats.state.key != key


def test_nobody_sits_before_a_night(tmp_path):
    house = table(tmp_path)
    sit(house, RED)
    assert holder(house, RED) is None


def test_a_touch_chooses_for_the_psychic_of_the_seat(interpreting):
    sit(interpreting, RED)
    card = interpreting.state.table.character[0]
    touch(interpreting, "place_intuition", card=card)
    assert intuitions(interpreting) == {RED: card, BLUE: None, WHITE: None}


def test_a_seat_never_chooses_for_another(interpreting):
    sit(interpreting, RED)
    assert touch(interpreting, "place_intuition", psychic="blue", card=interpreting.state.table.character[0]) == []
    assert (
        touch(interpreting, "place_intuition", "stranger", psychic="red", card=interpreting.state.table.character[0])
        == []
    )
    assert set(intuitions(interpreting).values()) == {None}


def test_a_seat_takes_back_only_what_is_its_own(interpreting):
    sit(interpreting, RED)
    first, second = interpreting.state.table.character[:2]
    touch(interpreting, "place_intuition", card=first)
    interpreting.say(f"blue chooses card {second}")
    touch(interpreting, "take_back")
    assert intuitions(interpreting) == {RED: None, BLUE: second, WHITE: None}
    assert touch(interpreting, "take_back") == ["reply.nothing_to_undo"]


def test_L30_a_vote_by_touch_is_sealed_and_said_by_nobody(voting):
    psychic = voters(voting)[0]
    sit(voting, psychic)
    cues = voting.give(SeatTouched("phone", Intent("vote", {"group": 2})))
    assert [(ballot.by, ballot.group) for ballot in voting.state.ending.ballots] == [(psychic, 2)]
    assert not any("two" in cue.text.lower() for cue in cues if isinstance(cue, Say) and "vote_cast" in cue.key)


def test_L30_a_sealed_vote_cannot_be_changed(voting):
    psychic = voters(voting)[0]
    sit(voting, psychic)
    touch(voting, "vote", group=2)
    assert touch(voting, "vote", group=1) == ["refusal.already_voted"]
    assert [ballot.group for ballot in voting.state.ending.ballots] == [2]


def test_L31_votes_by_touch_are_read_by_the_house_after_the_reader_is_named(voting):
    told: list[str] = []
    while voting.state.outcome is None and voting.state.ending.readers == () and (waiting := voters(voting)):
        sit(voting, waiting[0], f"phone of {waiting[0]}")
        told = touch(voting, "vote", f"phone of {waiting[0]}", group=1)
    reader = next(at for at, key in enumerate(told) if key.startswith("event.reader_named"))
    read = [at for at, key in enumerate(told) if key == "event.ballot_read"]
    assert len(read) == len(voting.state.setup.psychics)
    assert reader < read[0]


def test_L31_after_the_poll_only_what_is_missing_is_read(voting):
    psychic = voters(voting)[0]
    sit(voting, psychic)
    touch(voting, "vote", group=2)
    while not voting.state.ending.readers:
        voting.say("we have voted")
    room = voting.evening.room
    missing = [each.colour for each in room.psychics if each.colour not in room.voted]
    assert psychic not in missing
    for each in missing:
        voting.say(f"{each} votes for group one")
        told = keys(voting.say("yes"))
    assert told.count("event.ballot_read") == len(missing) + 1


def intuitions(house: Table) -> dict[Psychic, int | None]:
    return {each.colour: each.intuition for each in house.evening.room.psychics}


def voters(house: Table) -> list[Psychic]:
    """Return who may vote now."""
    state = house.state
    seen = state.setup.track.cards_seen
    return [each.psychic for each in state.unvoted() if seen(each.clairvoyancy) <= state.ending.shown]
