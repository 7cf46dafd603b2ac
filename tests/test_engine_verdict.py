"""What a client relies on over the wire, from the line-up to the end."""

import json

import pytest

from seance import rules
from tests.nights import EACH_TABLE
from tests.wire import Client, names

EDITIONS = pytest.mark.parametrize("edition", rules.EDITIONS)
WEEKS = pytest.mark.parametrize("edition", ["igames", "portal", "manual"])


def staged() -> Client:
    """Return a client at the vote: blue and red are low, white intermediate, yellow high; group 1 is guilty."""
    client = Client().begin()
    client.hour(bets=[("yellow", "blue"), ("yellow", "white"), ("yellow", "red"), ("white", "blue")])
    client.hour(bets=[("yellow", "blue")])
    client.hour()
    assert [psychic["clairvoyancy"] for psychic in client.room["psychics"]] == [4, 5, 4, 8]
    client.do("choose_culprit", group=1)
    client.do("lay_shared_vision")
    return client


def guilty_and_innocent(client: Client) -> tuple[int, int]:
    guilty: int = client.ghost["culprit"]
    return guilty, next(group["group"] for group in client.room["groups"] if group["group"] != guilty)


@pytest.mark.parametrize("edition", ["libellud", "igames", "portal"])
def test_the_lineup_lasts_until_the_culprit_is_chosen_and_the_shared_vision_until_it_is_laid(edition: str) -> None:
    client = Client().begin(edition).line_up()
    assert client.room["phase"] == "lineup"
    client.do("choose_culprit", group=2)
    assert (client.room["phase"], client.ghost["culprit"]) == ("shared_vision", 2)
    client.do("lay_shared_vision")
    assert client.room["phase"] == ("vote" if edition == "libellud" else "accusation")


def test_in_manual_the_culprit_is_drawn_on_entering() -> None:
    client = Client().begin("manual").line_up()
    assert client.room["phase"] == "shared_vision"
    assert client.ghost["culprit"] in {1, 2, 3, 4}
    assert "culprit" not in client.room
    assert client.refused("choose_culprit", group=1) == "CulpritIsDrawn"


def test_groups_are_numbered_as_the_psychics_like_before_the_culprit_is_chosen() -> None:
    client = Client().begin().line_up()
    cards = {group["psychic"]: group["cards"] for group in client.room["groups"]}
    order = ["yellow", "red", "white", "blue"]
    client.do("number_groups", order=order)
    expected = [{"group": at, "cards": cards[who], "psychic": who} for at, who in enumerate(order, start=1)]
    assert client.room["groups"] == expected
    client.do("choose_culprit", group=1)
    assert client.refused("number_groups", order=order) == "NotNow"


@EDITIONS
def test_cards_of_a_group_are_character_location_object_in_every_edition(edition: str) -> None:
    client = Client().begin(edition).line_up()
    for group in client.room["groups"]:
        secret = client.ghost["secret"][group["psychic"]]
        assert group["cards"] == [secret["character"], secret["location"], secret["object"]]


@EACH_TABLE
def test_when_the_last_phase_starts_cards_not_found_leave_the_table(edition: str, players: int) -> None:
    client = Client().begin(edition, players).line_up()
    assert client.room["table"] == {"character": [], "location": [], "object": []}


def test_levels_vote_one_after_the_other_and_the_next_card_turns_by_itself() -> None:
    client = staged()
    assert client.room["shared_vision_shown"] == 1
    assert client.refused("vote", by="white", group=1) == client.refused("vote", by="yellow", group=1) == "VotesLater"
    client.do("vote", by="blue", group=1)
    assert {"event": "shared_vision_turned", "shown": 2, "card": None} in client.do("vote", by="red", group=1)
    assert {"event": "shared_vision_turned", "shown": 3, "card": None} in client.do("vote", by="white", group=2)
    events = client.do("vote", by="yellow", group=1)
    assert names(events)[-3:] == ["accused", "culprit_revealed", "night_ended"]
    assert client.room["outcome"] == {"won": True, "reason": "culprit_found"}


def test_votes_may_be_given_later_than_their_stage() -> None:
    client = staged()
    client.do("turn_shared_vision")
    client.do("turn_shared_vision")
    assert client.refused("turn_shared_vision") == "NoCardToTurn"
    client.do("vote", by="white", group=3)
    for psychic in ("yellow", "blue", "red"):
        client.do("vote", by=psychic, group=1)
    assert client.room["outcome"] == {"won": True, "reason": "culprit_found"}


def paper_poll() -> Client:
    """Return a client at a table where all levels have voted on paper."""
    client = staged()
    for _ in range(2):
        client.do("turn_shared_vision")
    return client


def test_L31_the_reader_is_named_before_any_vote_is_read_in() -> None:
    client = paper_poll()
    assert client.legal("room") == ["close_poll", "vote", "abandon"]
    assert client.do("close_poll") == [{"event": "reader_named", "psychics": ["yellow"]}]
    assert client.room["readers"] == ["yellow"]
    assert client.legal("room") == ["vote", "abandon"]
    for psychic in ("white", "blue", "red"):
        assert names(client.do("vote", by=psychic, group=1)) == ["vote_cast", "ballot_sealed"]
    last = names(client.do("vote", by="yellow", group=1))
    assert last == ["vote_cast", "ballot_sealed", "votes_read", "accused", "culprit_revealed", "night_ended"]


def test_L31_without_close_poll_the_reader_is_named_with_the_last_vote() -> None:
    client = paper_poll()
    for psychic in ("white", "blue", "red"):
        client.do("vote", by=psychic, group=1)
    last = names(client.do("vote", by="yellow", group=1))
    assert last[:4] == ["vote_cast", "ballot_sealed", "reader_named", "votes_read"]


def test_L31_a_poll_is_closed_once_and_only_when_the_last_level_has_seen_its_card() -> None:
    client = staged()
    assert client.refused("close_poll") == "LevelsStillToVote"
    client.do("turn_shared_vision")
    assert client.refused("close_poll") == "LevelsStillToVote"
    client.do("turn_shared_vision")
    client.do("close_poll")
    assert client.refused("close_poll") == "PollIsClosed"


@pytest.mark.parametrize("players", [2, 3])
def test_L38_an_open_vote_has_no_poll_to_close(players: int) -> None:
    client = Client().begin(players=players).line_up()
    client.do("choose_culprit", group=1)
    client.do("lay_shared_vision")
    assert client.refused("close_poll") == "VotesAreOpen"
    assert "close_poll" not in client.legal("room")


def test_a_level_that_has_voted_turns_the_next_card_though_a_lower_one_has_not() -> None:
    client = staged()
    client.do("turn_shared_vision")
    assert client.room["shared_vision_shown"] == 2
    client.do("vote", by="white", group=3)
    assert client.room["shared_vision_shown"] == 3


def test_levels_without_voters_are_skipped() -> None:
    client = Client().begin()
    client.hour(bets=[("yellow", "blue"), ("yellow", "white"), ("yellow", "red")])
    client.hour()
    client.hour()
    client.do("choose_culprit", group=1)
    events = client.do("lay_shared_vision")
    assert [event["shown"] for event in events if event["event"] == "shared_vision_turned"] == [1]
    events = client.do("turn_shared_vision")
    assert [event["shown"] for event in events if event["event"] == "shared_vision_turned"] == [2, 3]


def test_no_view_shows_a_vote_until_the_last_is_in() -> None:
    views = []
    for group in (1, 2, 3, 4):
        client = staged()
        client.do("vote", by="blue", group=group)
        views.append(json.dumps([client.room, client.ghost]))
    assert len(set(views)) == 1


def test_with_four_players_or_more_a_vote_cannot_be_changed() -> None:
    client = staged()
    client.do("vote", by="blue", group=1)
    assert client.refused("vote", by="blue", group=2) == "AlreadyVoted"


@pytest.mark.parametrize("by", ["blue", "white"])
def test_of_two_players_one_vote_by_either_psychic_decides(by: str) -> None:
    client = Client().begin(players=2).share(culprit=4)
    assert [group["psychic"] for group in client.room["groups"]] == ["blue", "white", None, None]
    assert client.room["shared_vision_shown"] == 3
    client.do("vote", by=by, group=4)
    assert client.room["outcome"] == {"won": True, "reason": "culprit_found"}


def test_of_three_players_each_has_one_open_vote_that_may_change() -> None:
    client = Client().begin(players=3, psychics=["red", "black", "blue", "white"]).share(culprit=2)
    assert not client.room.get("votes")
    client.do("vote", by="red", group=1)
    client.do("vote", by="blue", group=2)
    assert client.room["votes"] == {"red": 1, "blue": 2}
    client.do("vote", by="white", group=3)
    assert client.room["votes"] == {"red": 1, "white": 3}
    events = client.do("vote", by="black", group=3)
    assert {"event": "accused", "group": 3, "cards": None} in events
    assert client.room["outcome"] == {"won": False, "reason": "wrong_culprit"}


def test_the_eldest_is_asked_for_where_a_tie_needs_it() -> None:
    client = Client().begin().share()
    for psychic, group in (("blue", 1), ("white", 2), ("red", 1)):
        client.do("vote", by=psychic, group=group)
        assert not client.room.get("eldest_of")
    events = client.do("vote", by="yellow", group=2)
    assert names(events)[-3:] == ["reader_named", "votes_read", "eldest_needed"]
    assert events[-1]["psychics"] == ["blue", "white", "red", "yellow"]
    assert (client.room["phase"], client.room["eldest_of"]) == ("eldest", ["blue", "white", "red", "yellow"])
    assert client.legal("room") == ["name_eldest", "abandon"]
    assert client.refused("name_eldest", psychic="black") == "NotPlaying"
    assert names(client.do("name_eldest", psychic="red"))[:2] == ["eldest_named", "accused"]
    assert client.room["outcome"] == {"won": True, "reason": "culprit_found"}
    assert not client.room.get("eldest_of")


def test_the_reader_is_announced_and_needs_no_answer() -> None:
    client = Client().begin().share()
    for psychic in ("blue", "white", "red"):
        client.do("vote", by=psychic, group=1)
    events = client.do("vote", by="yellow", group=1)
    assert "reader_named" in names(events)
    assert client.room["phase"] == "over"


@WEEKS
def test_pointing_is_seen_and_cleared_after_each_accusation(edition: str) -> None:
    client = Client().begin(edition).share()
    innocent = guilty_and_innocent(client)[1]
    client.do("point_at", by="red", group=2)
    assert client.room["pointing"] == {"red": 2}
    assert client.refused("accuse") == "NoMajority"
    client.point(innocent)
    client.do("accuse")
    assert (client.room["pointing"], client.room["hour"]) == ({}, 5)


@pytest.mark.parametrize("edition", ["igames", "portal"])
def test_groups_keep_their_numbers_when_one_leaves_the_table(edition: str) -> None:
    client = Client().begin(edition).share(culprit=4)
    client.point(2)
    assert {"event": "set_removed", "group": 2} in client.do("accuse")
    assert [group["group"] for group in client.room["groups"]] == [1, 3, 4]
    assert client.refused("point_at", by="red", group=2) == "NoSuchGroup"


@WEEKS
def test_a_wrong_accusation_on_day_7_ends_the_night_with_time_over(edition: str) -> None:
    client = Client().begin(edition).share(hour=7)
    client.point(guilty_and_innocent(client)[1])
    events = client.do("accuse")
    assert events[-1] == {"event": "night_ended", "won": False, "reason": "time_over"}
    assert client.room["hour"] == 7


def test_in_libellud_the_clock_stops_at_7_when_the_last_phase_starts_after_it() -> None:
    client = Client().begin().line_up(hour=8)
    assert (client.room["hour"], client.room["phase"]) == (7, "lineup")


@EDITIONS
def test_the_hour_never_exceeds_the_last_turn(edition: str) -> None:
    client = Client().begin(edition)
    while client.room["outcome"] is None:
        client.hour(right=())
    turns = rules.EDITIONS[edition].turns
    assert (client.room["hour"], client.room["outcome"]) == (turns, {"won": False, "reason": "time_over"})


def test_a_full_investigation_wants_the_majoritys_group_and_its_three_cards() -> None:
    client = Client().begin("manual", variant="full_investigation").share()
    guilty, innocent = guilty_and_innocent(client)
    cards = {group["group"]: dict(zip(("character", "location", "object"), group["cards"], strict=True))
             for group in client.room["groups"]}  # fmt: skip
    client.point(innocent)
    client.do("accuse", **cards[guilty])
    assert (client.room["hour"], client.room["outcome"]) == (5, None)
    client.point(guilty)
    client.do("accuse", **{**cards[guilty], "location": cards[innocent]["location"]})
    assert (client.room["hour"], client.room["outcome"]) == (6, None)
    client.point(guilty)
    assert client.refused("accuse") == "NameAllThree"
    client.do("accuse", **cards[guilty])
    assert client.room["outcome"] == {"won": True, "reason": "culprit_found"}


@WEEKS
def test_a_broken_silence_ends_the_night(edition: str) -> None:
    client = Client().begin(edition)
    assert "break_silence" in client.legal("room")
    assert names(client.do("break_silence")) == ["silence_broken", "night_ended"]
    assert client.room["outcome"] == {"won": False, "reason": "silence_broken"}


def test_in_libellud_a_broken_silence_is_refused() -> None:
    client = Client().begin()
    assert client.refused("break_silence") == "SilenceNotFatal"
    assert "break_silence" not in client.legal("room") + client.legal("ghost")


def test_the_ghost_and_the_room_are_told_what_they_may_ask() -> None:
    client = Client().begin()
    assert client.legal("ghost") == ["give_vision", "use_crow", "abandon"]
    assert client.legal("room") == ["abandon"]
    client.interpret()
    assert client.legal("ghost") == ["use_crow", "abandon"]
    assert client.legal("room") == ["place_intuition", "call_time", "take_back", "abandon"]
    client.choose()
    client.do("call_time")
    assert client.legal("ghost") == ["use_crow", "manifest", "abandon"]
