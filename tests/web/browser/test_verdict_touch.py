"""The verdict by touch: groups of a secret vote stay untouched, and a full investigation names three cards."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from seance.daemon.performers import CuePerformer
from seance.daemon.world.body_driver import BodyDriver
from seance.dialogue.phrasing import phrase_command, phrase_setup, phrase_word
from seance.rules import EDITIONS, Edition, Phase, Psychic
from seance.rules import commands as c
from tests.web.running_evening import RunningEvening, running_evening

PSYCHICS = (Psychic.BLUE, Psychic.WHITE, Psychic.RED)
MOST_TURNS = 7


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningEvening]:
    monkeypatch.setattr(CuePerformer, "_rest", lambda *_: None)
    monkeypatch.setattr(BodyDriver, "knock", lambda *_: 0.0)
    with running_evening(tmp_path) as house:
        yield house


@pytest.fixture
def tablet(chromium: Browser, house: RunningEvening) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 768, "height": 1024}, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{house.url}/table")
    yield page
    context.close()


def play_to_verdict(house: RunningEvening, edition: Edition, variant: str | None = None) -> None:
    """Play a night in which everybody finds everything, until the culprit is to be named."""
    setup = c.Begin(edition=edition, players=4, level=next(iter(edition.levels)), psychics=PSYCHICS, variant=variant)
    house.type(phrase_word("begin", "en"), phrase_setup(setup, "en"), "yes", "ready")
    for _ in range(MOST_TURNS):
        if house.evening.room.groups:
            break
        play_turn(house)
    house.type(*([] if edition.culprit_is_drawn else ["ghost culprit 1"]), "ghost lay")
    house.told()


def play_turn(house: RunningEvening) -> None:
    house.type(*(f"ghost vision {each}" for each in PSYCHICS), "ghost sand")
    for search in house.evening.state.searching():
        card = getattr(search.secret, str(house.evening.state.sought(search)))
        house.type(phrase_command(c.PlaceIntuition(psychic=search.psychic, card=card), "en"))
    house.type(phrase_command(c.CallTime(early=True), "en"), *(f"ghost answer {each}" for each in PSYCHICS))
    house.told()


def test_groups_of_a_secret_vote_cannot_be_touched(house: RunningEvening, tablet: Page) -> None:
    play_to_verdict(house, EDITIONS["libellud"])
    assert house.evening.room.phase is Phase.VOTE
    expect(tablet.locator("[data-group]")).to_have_count(len(house.evening.room.groups))
    expect(tablet.locator("#actions [data-intent=turn_shared_vision]")).to_be_visible()
    expect(tablet.locator("[data-group] .cover")).to_have_count(0)


def test_a_full_investigation_is_accused_by_touching_a_card_of_each_kind(house: RunningEvening, tablet: Page) -> None:
    play_to_verdict(house, EDITIONS["manual"], "full_investigation")
    assert house.evening.room.phase is Phase.ACCUSATION
    culprit = house.evening.state.ending.culprit  # drawn by chance in this edition
    group = next(each for each in house.evening.room.groups if each.group == culprit)
    for psychic in PSYCHICS:
        tablet.locator(f"[data-group='{group.group}'] .cover").tap()
        tablet.locator(f"#sheet [data-by={psychic}]").tap()
        house.until(lambda psychic=psychic: psychic in house.evening.room.pointing)
    tablet.locator(f"[data-group='{group.group}'] .cover").tap()
    expect(tablet.locator("#sheet [data-intent=accuse]")).to_have_count(0)
    named = dict(zip(("character", "location", "object"), group.cards, strict=True))
    for kind, card in named.items():
        tablet.locator(f"#sheet [data-kind={kind}][data-value='{card}']").tap()
    tablet.locator("#sheet [data-intent=accuse]").tap()
    tablet.locator("#answers [data-intent=yes]").tap()
    house.until(lambda: house.evening.room.outcome is not None)
    assert house.evening.room.outcome.won  # one of the three alone would not do
