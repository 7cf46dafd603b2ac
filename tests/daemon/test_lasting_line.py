"""The lasting line of what is next stays through idle tales and lines of the story, in a whole night."""

from random import Random

from seance.daemon.page_publisher import PagePublisher
from seance.narration.cues import Cue, Say
from seance.rules import LIBELLUD
from tests.daemon.evenings import Sayer, Table, act, night, set_up, table

LONG_SILENCE_S = 60.0
"""In which the narrator tells a piece of the story."""
MOST_STEPS = 600


def shown(pages: PagePublisher, house: Table, cues: list[Cue]) -> list[str]:
    """Return what is next after each of *cues* is told, once the house has followed what led to them."""
    pages.publish_evening(house.evening)
    told = list[str]()
    for cue in cues:
        pages.publish_cue(cue)
        told.append(pages.latest.current.what_next)
    pages.publish_evening(house.evening)
    return told


def test_no_tale_replaces_or_empties_what_is_next(tmp_path):
    house = table(tmp_path)
    pages = PagePublisher(language="en", pace="full", edition=LIBELLUD)
    set_up(house, night())
    shown(pages, house, house.cues)
    chance, tales = Random(7), 0
    bot = Sayer(chance, house)
    for _ in range(MOST_STEPS):
        if house.state.outcome is not None:
            break
        shown(pages, house, act(house, bot.choose(house.state), chance))
        assert pages.latest.current.what_next
        if house.evening.sand is not None:
            continue
        waited = house.wait(LONG_SILENCE_S)
        pages.publish_evening(house.evening)
        before = pages.latest.current.what_next
        assert before
        assert set(shown(pages, house, waited)) <= {before}
        tales += sum(isinstance(cue, Say) for cue in waited)
    assert house.state.outcome is not None
    assert tales > 0
