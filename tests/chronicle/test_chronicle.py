"""The story of a night has all that the room heard, and nothing else; it is whole in every language."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from string import Formatter
from xml.etree import ElementTree as ET

import pytest

from seance.chronicle.guest_changes import GuestChange, read_guest_changes
from seance.chronicle.markdown import render_markdown
from seance.chronicle.page import render_page
from seance.chronicle.picture import render_picture
from seance.chronicle.prose import NightDetails, write_story
from seance.chronicle.timeline import build_timeline
from seance.chronicle.words import BadChronicle, ChronicleWords
from seance.journal import Journal
from seance.languages import language_codes
from seance.programs.chronicle import write
from seance.rules import EDITIONS, ChooseCulprit, Phase, Psychic, Reason, Seat, apply, heard
from tests.journal.recording import Steps, recorded_nights

NIGHTS = recorded_nights()
EACH_NIGHT = pytest.mark.parametrize("steps", NIGHTS.values(), ids=NIGHTS)
EACH_LANGUAGE = pytest.mark.parametrize("language", language_codes())
DETAILS = NightDetails(12, "1922-10-31T22:00:00+01:00", 4321.0)


def the_night(number: str) -> Steps:
    """Return the first night of the evening with this *number*."""
    return next(steps for name, steps in NIGHTS.items() if name.startswith(number))


def told_to_the_room(steps: Steps):
    return build_timeline(event for _, _, events in steps for event in heard(events, Seat.ROOM))


def texts(timeline, words):
    story, drawing = write_story(timeline, words, DETAILS), render_picture(timeline, words)
    return (
        story,
        drawing,
        render_page(story, timeline, words, drawing),
        render_markdown(story, timeline, words, picture="night.svg"),
    )


class Pages(HTMLParser):
    """Sees whether every element is closed, and what is asked of elsewhere."""

    def __init__(self):
        super().__init__()
        self.open, self.links, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "br", "hr"):
            self.open.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href", "xlink:href")]

    def handle_startendtag(self, _, attrs):
        self.links += [value for name, value in attrs if name in ("src", "href", "xlink:href")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


# What happened


def test_an_hour_has_what_each_psychic_chose_and_whether_it_was_right():
    first = told_to_the_room(the_night("01")).hours[0]
    assert [(turn.psychic, turn.visions, turn.card, turn.correct) for turn in first.turns] == [
        ("blue", 2, 8, True), ("white", 1, 18, True), ("red", 3, 16, False), ("yellow", 2, 2, False),
    ]  # fmt: skip


def test_a_bet_that_was_withdrawn_is_not_told_and_the_others_are_judged():
    first = told_to_the_room(the_night("01")).hours[0]
    bets = {turn.psychic: [(bet.by, bet.agrees, bet.right) for bet in turn.bets] for turn in first.turns}
    assert bets == {"blue": [("yellow", True, True)], "white": [], "red": [("yellow", False, True)], "yellow": []}


def test_visions_are_counted_by_the_hour():
    second = told_to_the_room(the_night("01")).hours[1]
    assert {turn.psychic: turn.visions for turn in second.turns} == {"blue": 1, "white": 2, "red": 1, "yellow": 1}


def test_who_has_found_everything_has_no_turn_any_more():
    timeline = told_to_the_room(the_night("01"))
    assert [turn.psychic for turn in timeline.hours[3].turns] == ["white", "red", "yellow"]
    assert [(turn.psychic, turn.last) for turn in timeline.hours[4].turns] == [("red", True), ("yellow", True)]


def test_crows_are_told_in_their_hour():
    assert [hour.crows for hour in told_to_the_room(the_night("01")).hours] == [0, 1, 0, 0, 0]


def test_the_vote_the_accusation_and_the_verdict_are_told():
    timeline = told_to_the_room(the_night("01"))
    assert {vote.by.value: vote.group for vote in timeline.votes} == {"red": 3, "white": 2, "yellow": 2, "blue": 1}
    assert [(each.group, each.right) for each in timeline.accusations] == [(2, True)]
    assert (timeline.culprit, timeline.outcome.won) == (2, True)


def test_accusations_are_told_with_their_days():
    timeline = told_to_the_room(the_night("08"))
    assert [(each.hour, each.group, each.cards, each.right) for each in timeline.accusations] == [
        (5, 3, (14, 22, 48), False), (6, 1, (8, 36, 48), False), (7, 3, (14, 22, 51), True),
    ]  # fmt: skip


def test_the_eldest_is_told():
    assert told_to_the_room(the_night("05")).eldest is not None


def test_who_was_not_answered_when_the_telling_stops_is_told_with_the_card():
    steps = the_night("01")
    asked = next(at for at, (_, state, _) in enumerate(steps) if state.phase is Phase.MANIFESTATION)
    (hour,) = told_to_the_room(steps[: asked + 2]).hours
    assert [(turn.card, turn.correct) for turn in hour.turns] == [(8, True), (18, None), (16, None), (2, None)]


def test_only_a_later_crow_is_sent_away_once_more():
    words = ChronicleWords.load("en")
    story, *_ = texts(told_to_the_room(the_night("01")), words)
    assert words.sentence("crow", 0) in story.sections[1].sentences


# Secrets


@EACH_LANGUAGE
@pytest.mark.parametrize("hour", [1, 2, 7], ids=["in the search", "in another hour", "at the line-up"])
def test_a_guest_who_leaves_and_one_who_comes_are_told_once_each(language, hour):
    words, left = ChronicleWords.load(language), GuestChange(Psychic.RED, hour, has_left=True, heir=Psychic.BLUE)
    timeline = next(night for night in map(told_to_the_room, NIGHTS.values()) if night.groups and night.hour < 7)
    before = {each for section in write_story(timeline, words, DETAILS).sections for each in section.sentences}
    timeline = replace(timeline, guests=(left, replace(left, has_left=False, heir=None)))
    story = write_story(timeline, words, DETAILS)
    told = [each for section in story.sections for each in section.sentences if each not in before]
    assert len(told) == 2
    assert "Alphonse" in told[0]


def test_a_guest_who_leaves_before_anything_is_found_has_an_hour_to_be_told_in():
    begun = build_timeline([next(iter(NIGHTS.values()))[0][2][0]], (GuestChange(Psychic.RED, 1, has_left=True),))
    sections = write_story(begun, ChronicleWords.load("en"), DETAILS).sections
    assert [section.sentences for section in sections] == [
        ("Madam Wang had to leave the table, and somebody else played on.",)
    ]


def test_guests_are_read_from_the_journal_and_what_is_damaged_is_left_out():
    left = GuestChange(Psychic.RED, 2, True, Psychic.BLUE)
    assert read_guest_changes({"guests": [left.to_note(), {"psychic": "pink"}, 7]}) == (left,)
    assert read_guest_changes({}) == ()


@EACH_NIGHT
def test_a_timeline_takes_nothing_that_the_room_did_not_hear(steps):
    with pytest.raises(ValueError, match="is not for the room"):
        build_timeline(event for _, _, events in steps for event in events)


def test_the_chronicle_of_an_unfinished_night_does_not_depend_on_the_culprit():
    steps = the_night("01")
    marked = next(at for at, (command, _, _) in enumerate(steps) if isinstance(command, ChooseCulprit))
    before, written = steps[:marked], []
    for group in (1, 2, 3, 4):
        command = ChooseCulprit(group=group)
        written.append(
            texts(told_to_the_room([*before, (command, *apply(before[-1][1], command))]), ChronicleWords.load("en"))
        )
    assert all(each == written[0] for each in written)


@EACH_NIGHT
def test_every_step_of_a_night_can_be_told(steps):
    words = ChronicleWords.load("fr")
    for end in range(1, len(steps) + 1):
        texts(told_to_the_room(steps[:end]), words)


# Words


@EACH_LANGUAGE
@EACH_NIGHT
def test_a_page_is_whole_and_needs_nothing_else(steps, language):
    _, drawing, html, _ = texts(told_to_the_room(steps), ChronicleWords.load(language))
    ET.fromstring(drawing)
    pages = Pages()
    pages.feed(html)
    assert (pages.open, pages.links) == ([], [])
    assert "url(" not in html
    assert "@import" not in html


@EACH_LANGUAGE
@EACH_NIGHT
def test_page_and_markdown_tell_the_same(steps, language):
    story, _, html, text = texts(told_to_the_room(steps), ChronicleWords.load(language))
    pages = Pages()
    pages.feed(html)
    told_there = " ".join(pages.text)
    for section in story.sections:
        for sentence in section.sentences:
            assert sentence in told_there
            assert sentence in text


def test_a_name_is_never_read_as_markup():
    words = ChronicleWords.load("en", {"red": "<b>Rose</b> & *Co*"})
    _, drawing, html, text = texts(told_to_the_room(the_night("01")), words)
    assert "<b>Rose" not in html + drawing
    assert "&lt;b&gt;Rose&lt;/b&gt; &amp; *Co*" in html
    assert r"\<b\>Rose\</b\> & \*Co\*" in text


def test_the_owners_names_stand_in_the_story():
    story, *_ = texts(told_to_the_room(the_night("01")), ChronicleWords.load("en", {"red": "Aunt Rose"}))
    assert any("Aunt Rose" in sentence for section in story.sections for sentence in section.sentences)


def test_a_night_by_days_speaks_of_days():
    story, *_ = texts(told_to_the_room(the_night("06")), ChronicleWords.load("en"))
    assert [section.heading for section in story.sections][:2] == ["Monday", "Tuesday"]


def test_every_language_has_the_same_lines_with_the_same_holes():
    english, *others = (ChronicleWords.load(language).tables for language in language_codes())
    for other in others:
        assert _holes(other) == _holes(english)


def _holes(tables):
    found = {}
    for table, lines in tables.items():
        for key, line in lines.items():
            each = line if isinstance(line, list) else [line]
            holes = {hole for text in each for _, hole, _, _ in Formatter().parse(text) if hole}
            found[table, key] = holes | {len(each)} if table in ("psychics",) or key == "months" else holes
    return found


@EACH_LANGUAGE
def test_there_is_a_line_for_every_edition_level_and_ending(language):
    words = ChronicleWords.load(language)
    for edition in EDITIONS.values():
        assert words.for_edition(edition.name).edition_name()
        assert all(words.for_edition(edition.name).level_name(level) for level in edition.levels)
    assert all(words.word(reason, "endings") for reason in Reason)
    assert all(words.full_name(psychic) for psychic in Psychic)


def test_a_missing_line_is_named():
    with pytest.raises(BadChronicle, match=r"voices/en/chronicle\.toml: words\.weather is missing"):
        ChronicleWords.load("en").word("weather")


def test_the_files_of_a_chronicle_are_named_after_the_night(tmp_path):
    steps = the_night("01")
    with Journal.open(tmp_path / "nights.sqlite") as journal:
        night = journal.begin_night(steps[0][0].edition)
        for command, _, events in steps[:-1]:
            journal.append(night, command, events, seat=Seat.ROOM)
        paths = write(journal.unfinished(), ChronicleWords.load("en"), tmp_path / "kept")
    assert [path.name for path in paths] == ["night-1.html", "night-1.md", "night-1.svg"]
    assert re.search(r"!\[The hours\]\(night-1\.svg\)", paths[1].read_text())
