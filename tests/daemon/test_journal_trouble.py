"""A disk that fails stops no game: the host is told in one sentence, once, and again when it works."""

from seance.journal import errors as t
from seance.narration.cues import ShowHour
from seance.rules import GiveVision
from tests.daemon.conftest import SEATED, choice
from tests.daemon.evenings import again, keys, table
from tests.journal.disks import every_write_fails
from tests.nights import RED


def test_a_disk_that_fails_is_told_once_and_the_night_goes_on(interpreting, tmp_path):
    with every_write_fails(tmp_path):
        cues = interpreting.say(f"red chooses card {choice(interpreting, RED).card}")
        cues += interpreting.wait(100)
    assert [key for key in keys(cues) if key.startswith("trouble")] == ["trouble.disk_failing"]
    assert interpreting.state.search(RED).intuition is not None


def test_a_disk_that_works_again_is_told_and_nothing_is_missing(visions, tmp_path):
    with every_write_fails(tmp_path):
        visions.ask(*(GiveVision(psychic=psychic, count=1) for psychic in SEATED))
    assert "trouble.disk_back" in keys(visions.wait(1))
    assert again(visions).state == visions.state


def test_a_damaged_journal_is_told_when_the_evening_opens(tmp_path):
    (tmp_path / "nights.sqlite").write_bytes(b"once upon a time" * 300)
    evening = table(tmp_path)
    assert keys(evening.cues) == ["reply.welcome", "trouble.journal_damaged"]
    assert isinstance(evening.cues[0], ShowHour)


def test_every_news_of_the_journal_and_every_fault_of_a_disk_has_a_line(interpreting):
    news = [t.News(kind, "") for kind in t.NewsKind if kind is not t.NewsKind.IN_MEMORY]
    news += [t.News(t.NewsKind.IN_MEMORY, "", fault) for fault in t.DiskFault]
    for each in news:
        interpreting.journal._news.append(each)
        assert [key for key in keys(interpreting.wait(0.5)) if key.startswith("trouble.")], each
