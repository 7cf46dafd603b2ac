"""Plays a night through the pages, in any language, and yields its phases."""

from collections.abc import Iterator, Sequence

from playwright.sync_api import expect

from seance.daemon.world.page_texts import load_page_words
from seance.dialogue.phrasing import phrase_command, phrase_setup, phrase_word
from seance.rules import EDITIONS, Psychic
from seance.rules import commands as c
from tests.web.browser.seats import Ghost, Guest

PSYCHICS = (Psychic.BLUE, Psychic.WHITE, Psychic.RED)
EDITION = EDITIONS["libellud"]


def moments(ghost: Ghost, guest: Guest, language: str = "en", psychics: Sequence[Psychic] = PSYCHICS) -> Iterator[str]:
    """Play a night of the ghost and *psychics*, and yield the name of each phase when both pages have come to it."""
    night = NightOfMoments(ghost, guest, language, psychics)
    night.begin()
    yield from night.hour()
    for _ in range(2):
        for _ in night.hour():
            pass
    yield night.both("lineup")
    ghost.chooses("white")
    ghost.touches("culprit")
    ghost.means_it()
    yield night.both("shared_vision")
    ghost.touches("lay")
    ghost.means_it()
    yield night.both("vote")


class NightOfMoments:
    """A night in which everybody finds what they search for."""

    def __init__(self, ghost: Ghost, guest: Guest, language: str, psychics: Sequence[Psychic]) -> None:
        self._ghost, self._guest, self._language, self._psychics = ghost, guest, language, tuple(psychics)
        self._words = load_page_words(language).of(EDITION.name)

    def begin(self) -> None:
        """Set the night up in one sentence, and say that everything is laid."""
        players = len(self._psychics) + 1
        setup = c.Begin(edition=EDITION, players=players, level="easy", psychics=self._psychics)
        for sentence in (phrase_word("begin", self._language), phrase_setup(setup, self._language)):
            self._guest.says(sentence)
        self._guest.says(phrase_word("yes", self._language))
        expect(self._guest.page.locator(".psychics")).to_be_visible()
        self._guest.says(phrase_word("ready", self._language))

    def hour(self) -> Iterator[str]:
        """Play an hour, and yield each of its phases."""
        yield self.both("visions")
        for psychic in self._psychics:
            self._ghost.gives(psychic)
        self._ghost.touches("turn")
        yield self.both("interpretation")
        for psychic in self._psychics:
            self._say(c.PlaceIntuition(psychic=psychic, card=self._ghost.sought(psychic)))
        self._say(c.Bet(by=Psychic.WHITE, on=Psychic.RED, agrees=False))
        self._say(c.CallTime(early=True))
        yield self.both("manifestation")
        for psychic in self._psychics:
            self._ghost.reveals(psychic)

    def both(self, phase: str) -> str:
        """Wait until both pages show *phase*, and return its name."""
        name = self._words[f"phase_{phase}"]
        expect(self._ghost.phase).to_have_text(name)
        expect(self._guest.phase).to_have_text(name)
        return name

    def _say(self, command: c.Command) -> None:
        self._guest.says(phrase_command(command, self._language))
