"""What a client relies on over the wire, from the first vision to the last card."""

import pytest

from seance import rules
from tests.wire import Client, names

WEEKS = pytest.mark.parametrize("edition", ["igames", "portal", "manual"])
EDITIONS = pytest.mark.parametrize("edition", rules.EDITIONS)


def test_who_has_a_vision_may_place_and_everybody_may_bet_before_the_sand_is_turned() -> None:
    client = Client().begin()
    client.serve("red", "blue")
    client.do("place_intuition", psychic="red", card=client.card("red"))
    client.do("bet", by="blue", on="red", agrees=True)
    assert client.room["phase"] == "visions"
    assert client.refused("place_intuition", psychic="white", card=client.card("white")) == "NotServedYet"
    client.do("bet", by="white", on="red", agrees=True)


def test_the_sand_needs_all_visions_given() -> None:
    client = Client().begin()
    client.serve("red", "blue", "white")
    assert client.refused("turn_sand") == "VisionsMissing"
    client.serve("yellow")
    client.do("turn_sand")
    assert client.room["phase"] == "interpretation"


def test_betting_again_turns_the_token_over_and_it_stays_one_token() -> None:
    client = Client().begin()
    client.interpret()
    assert client.refused("bet", by="red", on="blue", agrees=True) == "NothingToBetOn"
    client.do("place_intuition", psychic="blue", card=client.card("blue"))
    client.do("bet", by="red", on="blue", agrees=True)
    client.do("bet", by="red", on="blue", agrees=False)
    assert client.room["bets"] == [{"by": "red", "on": "blue", "agrees": False}]
    assert client.psychic("red")["tokens_left"] == 3


def test_call_time_in_libellud() -> None:
    client = Client().begin()
    client.serve()
    assert client.refused("call_time") == client.refused("call_time", early=True) == "SandNotTurned"
    client.do("turn_sand")
    assert client.refused("call_time", early=True) == "ChoicesMissing"
    client.do("place_intuition", psychic="blue", card=client.card("blue"))
    client.do("call_time")
    assert client.room["phase"] == "manifestation"
    answers = [client.do("manifest", psychic=psychic)[0] for psychic in ("blue", "white")]
    assert [(answer["card"] is None, answer["correct"]) for answer in answers] == [(False, True), (True, False)]


def test_call_time_early_when_all_have_chosen() -> None:
    client = Client().begin()
    client.choose()
    assert names(client.do("call_time", early=True)) == ["time_called"]


@WEEKS
@pytest.mark.parametrize("early", [{}, {"early": True}, {"early": False}])
def test_call_time_without_a_timer(edition: str, early: dict[str, bool]) -> None:
    client = Client().begin(edition)
    client.serve("blue", "white", "red")
    assert client.refused("call_time", **early) == "VisionsMissing"
    client.serve("yellow")
    assert client.refused("call_time", **early) == "ChoicesMissing"
    client.choose()
    client.do("call_time", **early)
    assert client.room["phase"] == "manifestation"


@WEEKS
def test_without_a_timer_the_interpretation_begins_by_itself(edition: str) -> None:
    client = Client().begin(edition)
    client.serve("blue", "white", "red")
    assert client.room["phase"] == "visions"
    client.serve("yellow")
    assert client.room["phase"] == "interpretation"
    assert client.refused("turn_sand") == "NoSand"


@EDITIONS
def test_a_count_may_be_left_out_of_a_crow(edition: str) -> None:
    assert crows_used(edition, "table") == 1


@WEEKS
def test_where_the_whole_hand_goes_the_cards_may_be_left_out_of_a_crow(edition: str) -> None:
    assert crows_used(edition, "dealt") == 1


def crows_used(edition: str, visions: str) -> int:
    """Return how many crows are fewer after one is used without a word on the cards."""
    client = Client().begin(edition, visions=visions)
    before: int = client.room["crows_left"]
    client.do("use_crow")
    after: int = client.room["crows_left"]
    return before - after


def test_where_any_cards_go_they_are_named() -> None:
    client = Client().begin(visions="dealt")
    assert client.refused("use_crow") == "CountOrCards"
    thrown = client.ghost["hand"][:2]
    client.do("use_crow", cards=thrown)
    assert not set(thrown) & set(client.ghost["hand"])
    assert len(client.ghost["hand"]) == 7


@EDITIONS
def test_a_crow_may_be_used_at_any_time_of_the_night(edition: str) -> None:
    for moment in (Client.serve, Client.interpret, Client.choose, Client.hour, Client.line_up, Client.share):
        client = Client().begin(edition)
        moment(client)
        assert "use_crow" in client.legal("ghost")
        client.do("use_crow")
        assert "use_crow" not in client.legal("ghost")


def test_crows_left_is_how_often_now() -> None:
    easy, medium = Client().begin(), Client().begin(level="medium")
    for client, left, next_hour in ((easy, 0, 1), (medium, 2, 2)):
        client.do("use_crow")
        assert client.room["crows_left"] == left
        client.hour(right=())
        assert client.room["crows_left"] == next_hour


def test_bets_follow_an_intuition_that_is_moved() -> None:
    client = Client().begin()
    client.choose(right=())
    client.do("bet", by="red", on="blue", agrees=True)
    client.do("place_intuition", psychic="blue", card=client.card("blue"))
    assert client.room["bets"] == [{"by": "red", "on": "blue", "agrees": True}]
    client.do("call_time")
    assert "clairvoyancy_moved" in names(client.do("manifest", psychic="blue"))


def test_when_a_first_placement_is_taken_back_the_tokens_on_it_return() -> None:
    client = Client().begin()
    client.choose()
    client.do("bet", by="red", on="blue", agrees=True)
    client.do("bet", by="red", on="white", agrees=True)
    assert client.psychic("red")["tokens_left"] == 2
    client.do("take_back", psychic="blue")
    assert client.psychic("blue")["intuition"] is None
    assert client.room["bets"] == [{"by": "red", "on": "white", "agrees": True}]
    assert client.psychic("red")["tokens_left"] == 3


def test_dealt_by_hand_yes_is_refused_without_a_choice_or_for_a_card_that_has_left() -> None:
    client = Client().begin(deal="hand")
    client.interpret()
    card = client.card("blue")
    for psychic in ("blue", "red"):
        client.do("place_intuition", psychic=psychic, card=card)
    client.do("call_time")
    assert client.refused("manifest", psychic="white", correct=True) == "CannotBeRight"
    client.do("manifest", psychic="blue", correct=True)
    assert client.refused("manifest", psychic="red", correct=True) == "CannotBeRight"
    assert client.refused("manifest", psychic="red") == "AnswerMissing"
    client.do("manifest", psychic="red", correct=False)


@EDITIONS
def test_the_clock_moves_by_itself_when_the_last_psychic_has_been_answered(edition: str) -> None:
    client = Client().begin(edition)
    client.choose(right=())
    client.do("call_time")
    events = client.manifest(right=())
    assert {"event": "hour_struck", "hour": 2} in events
    assert (client.room["hour"], client.room["phase"]) == (2, "visions")


def test_take_back_undoes_step_by_step_until_the_sand_runs_out() -> None:
    client = Client().begin()
    client.choose()
    first = client.psychic("red")["intuition"]
    client.do("place_intuition", psychic="red", card=client.card("red", right=False))
    client.do("bet", by="red", on="blue", agrees=True)
    client.do("withdraw_bet", by="red", on="blue")
    client.do("take_back", psychic="red")
    assert client.room["bets"] == [{"by": "red", "on": "blue", "agrees": True}]
    client.do("take_back", psychic="red")
    assert client.room["bets"] == []
    client.do("take_back", psychic="red")
    assert client.psychic("red")["intuition"] == first
    client.do("take_back", psychic="red")
    assert client.psychic("red")["intuition"] is None
    client.do("take_back", psychic="red")
    assert client.psychic("red")["visions"] == 0
    assert client.refused("take_back", psychic="red") == "NothingToTakeBack"


def test_taking_back_a_vision_while_the_sand_runs_leads_back_to_the_visions() -> None:
    client = Client().begin()
    client.interpret()
    client.do("take_back", psychic="red")
    assert (client.room["phase"], client.ghost["served"]) == ("visions", ["blue", "white", "yellow"])
    client.serve("red")
    assert names(client.do("turn_sand")) == ["sand_turned"]


def test_nothing_is_taken_back_after_the_sand_has_run_out() -> None:
    client = Client().begin()
    client.choose()
    client.do("call_time")
    assert client.refused("take_back", psychic="red") == "NotNow"


def test_with_dealt_visions_the_cards_before_a_psychic_are_listed() -> None:
    client = Client().begin(visions="dealt")
    cards = client.ghost["hand"][:2]
    client.do("give_vision", psychic="red", cards=cards)
    assert client.psychic("red")["visions"] == cards
    assert len(client.ghost["hand"]) == 7


@EDITIONS
def test_a_night_of_every_edition_is_played_to_its_lineup_over_the_wire(edition: str) -> None:
    for deal in ("manor", "hand"):
        for visions in ("table", "dealt"):
            room = Client().begin(edition, deal=deal, visions=visions).line_up().room
            assert [group["psychic"] for group in room["groups"]] == [psychic["colour"] for psychic in room["psychics"]]
