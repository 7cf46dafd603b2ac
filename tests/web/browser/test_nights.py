"""Whole nights with a ghost's phone, a table's page and typed words together, in a real house."""

import pytest
from playwright.sync_api import expect

from seance.languages import read_language_file
from tests.web.browser.seats import Ghost, Guest, number
from tests.written_voices import WriteVoice

ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII")


def searched(ghost: Ghost, guest: Guest, psychics: list[str], *, sand: bool = True) -> None:
    """Let every psychic find what they seek in one hour."""
    for psychic in psychics:
        ghost.gives(psychic)
    if sand:
        ghost.touches("turn")
    for psychic in psychics:
        guest.chooses(psychic, ghost.sought(psychic))
    guest.says("we are ready")
    for psychic in reversed(psychics):
        ghost.reveals(psychic)


def test_five_at_a_table_find_the_culprit_with_a_phone_and_typed_words(guest: Guest, ghost: Ghost) -> None:
    psychics = ["blue", "white", "red", "yellow"]
    guest.begins("we are five, easy, the usual rules, blue, white, red and yellow play")
    for hour in range(3):
        expect(ghost.hour).to_have_text(ROMAN[hour])
        searched(ghost, guest, psychics)
    expect(ghost.phase).to_have_text("The line-up of suspects")
    ghost.chooses("white")
    ghost.touches("culprit")
    expect(ghost.whisper).to_contain_text("did it?")
    ghost.means_it()
    ghost.touches("lay")
    ghost.means_it()
    guest.votes(2)
    expect(guest.page.locator(".outcome")).to_contain_text("The culprit is found")
    expect(ghost.page.locator("#sit-told")).to_contain_text("The culprit is found")
    see_it_again(guest)


def see_it_again(guest: Guest) -> None:
    """Read the chronicle, and move over the hours, of a night of three."""
    page = guest.page
    page.locator("#to-chronicle").click()
    expect(page.locator("h1")).to_contain_text("The night of")
    page.go_back()
    page.locator("#to-replay").click()
    expect(page.locator("#hours button").first).to_be_visible()
    assert page.locator("#hours button").all_inner_texts()[:3] == ["I", "II", "III"]
    page.locator("#slider").press("End")
    expect(page.locator("#phase")).to_have_text("The night is over")
    page.locator("#hours button").nth(1).click()
    expect(page.locator("#phase")).to_have_text("The visions")
    expect(page.locator(".card.gone")).to_have_count(4)
    page.locator("#slider").press("Home")
    expect(page.locator(".card.gone")).to_have_count(0)


@pytest.mark.parametrize("house", [{"visions": "dealt"}], indirect=True)
def test_two_play_with_dealt_visions_from_the_hand_on_the_phone(guest: Guest, ghost: Ghost) -> None:
    psychics = ["blue", "white"]
    guest.begins("we are two, easy, the usual rules, blue and white play")
    hand = ghost.page.locator("#hand button")
    expect(hand).to_have_count(7)
    first = hand.all_inner_texts()
    hand.nth(0).tap()
    hand.nth(1).tap()
    ghost.touches("crow")
    expect(ghost.whisper).to_contain_text(f"discard {first[0]}, {first[1]}?")
    ghost.means_it()
    expect(hand.nth(6)).not_to_have_text(first[6])
    assert set(first[:2]).isdisjoint(hand.all_inner_texts())
    for _ in range(3):
        for psychic in psychics:
            given = hand.nth(2).inner_text()
            ghost.gives_cards(psychic, 2)
            expect(guest.panel(psychic).locator(".has")).to_contain_text(given)
        ghost.touches("turn")
        for psychic in psychics:
            guest.chooses(psychic, ghost.sought(psychic))
        guest.says("we are ready")
        for psychic in psychics:
            ghost.reveals(psychic)
    expect(ghost.page.locator(".psychic")).to_have_count(4)
    ghost.chooses("3")
    ghost.touches("culprit")
    ghost.means_it()
    laid = [hand.nth(place).inner_text() for place in (4, 0, 2)]
    for place in (4, 0, 2):
        hand.nth(place).tap()
    ghost.touches("lay")
    expect(ghost.whisper).to_contain_text(", ".join(laid))
    ghost.means_it()
    expect(guest.page.locator(".vision.up")).to_have_count(3)
    assert set(guest.page.locator(".vision").all_inner_texts()) == set(laid)
    guest.says("blue votes for group three")
    guest.says("yes")
    expect(guest.page.locator(".outcome")).to_contain_text("The culprit is found")


def test_four_play_a_night_dealt_by_hand_and_only_the_ghost_knows(guest: Guest, ghost: Ghost) -> None:
    psychics = ["blue", "white", "red"]
    guest.begins("we are four, easy, the usual rules, blue, white and red play", "dealt by hand")
    for kind in ("Characters", "Locations", "Objects"):
        for psychic in psychics:
            ghost.gives(psychic, 2)
        ghost.touches("turn")
        rows = guest.page.get_by_label(kind, exact=True).locator(".card:not(.gone) b")
        cards = rows.all_inner_texts()
        for psychic, card in zip(psychics, cards, strict=False):
            guest.chooses(psychic, card)
        guest.says("we are ready")
        for psychic in psychics:
            ghost.answers(psychic, correct=True)
    expect(ghost.row("red").locator(".card.found")).to_have_count(3)
    ghost.chooses("red")
    ghost.touches("culprit")
    ghost.means_it()
    ghost.touches("lay")
    ghost.means_it()
    guest.votes(1)
    expect(guest.page.locator(".outcome")).to_contain_text("The wrong one was accused")


def test_a_week_of_the_original_rules_ends_with_a_second_accusation(guest: Guest, ghost: Ghost) -> None:
    psychics = ["blue", "white", "red"]
    guest.begins("we are four, easy, the original rules, blue, white and red play")
    for day in ("Mo", "Tu", "We"):
        expect(ghost.hour).to_have_text(day)
        searched(ghost, guest, psychics, sand=False)
    ghost.chooses("blue")
    ghost.touches("culprit")
    ghost.means_it()
    ghost.touches("lay")
    ghost.means_it()
    for group in (2, 1):
        for psychic in psychics:
            guest.says(f"{psychic} points at group {number(group)}")
        expect(guest.page.locator(f"[data-group='{group}'] .balls .mark")).to_have_count(3)
        guest.says(f"we accuse group {number(group)}")
        guest.says("yes")
    expect(guest.page.locator(".outcome")).to_contain_text("The culprit is found")


@pytest.mark.parametrize("house", [{"language": "fr"}], indirect=True)
def test_the_pages_speak_french_in_a_french_house(guest: Guest, ghost: Ghost) -> None:
    expect(guest.page.locator("html")).to_have_attribute("lang", "fr")
    four = "on est quatre, facile, l'édition du manoir, bleu, blanc et rouge jouent, sans l'histoire"
    for sentence in ("commençons la séance", four, "oui"):
        guest.says(sentence)
    expect(ghost.phase).to_have_text("Les rêves")
    ghost.gives("white")
    expect(guest.panel("white")).to_contain_text("a un rêve")


@pytest.fixture
def words_of_portal(write_voice: WriteVoice) -> None:
    """Page texts of the edition portal alone; asked for before the house, which reads them."""
    ours = read_language_file("en", "editions/portal.toml").text
    texts = '[pages]\nghost_hand = "Your dreams"\ntable_say_hint = "such as: a dream"\n'
    write_voice("en/editions/portal.toml", ours.replace("[pages]\n", texts))


@pytest.mark.usefixtures("words_of_portal")
def test_pages_that_are_open_take_the_words_of_the_edition_that_begins(request: pytest.FixtureRequest) -> None:
    guest, ghost = request.getfixturevalue("guest"), request.getfixturevalue("ghost")
    crow, hand, hint = ghost.page.locator("#crow"), ghost.page.locator("#hand"), guest.page.locator("#words")
    expect(crow).to_have_text("Crow")
    guest.begins("we are four, easy, the Polish rules, blue, white and red play")
    expect(crow).to_have_text("Discard")
    expect(hand).to_have_attribute("aria-label", "Your dreams")
    expect(hint).to_have_attribute("placeholder", "such as: a dream")
    ghost.page.reload()
    expect(crow).to_have_text("Discard")
