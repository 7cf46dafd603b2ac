"""Page objects: a guest at the table's page and a ghost with a phone."""

import re

from playwright.sync_api import Locator, Page, expect

NUMBERS = ["zero", "one", "two", "three", "four", "five", "six"]


class Guest:
    """Somebody at the table's page who types what they would say."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def sits(self, address: str) -> "Guest":
        self.page.goto(f"{address}/table")
        expect(self.page.locator("#phase")).not_to_be_empty()
        return self

    def says(self, text: str) -> None:
        """Say *text*, and wait until the house has heard it."""
        heard = self.page.locator("#heard")
        before = heard.get_attribute("data-n") or "0"
        self.page.locator("#words").fill(text)
        self.page.locator("#words").press("Enter")
        expect(heard).not_to_have_attribute("data-n", before)

    def panel(self, psychic: str) -> Locator:
        """Return what the page shows of *psychic*."""
        return self.page.locator(f"[data-psychic={psychic}]")

    def chooses(self, psychic: str, card: int | str) -> None:
        """Let *psychic* choose *card*, and see the token lie there."""
        self.says(f"{psychic} chooses card {card}")
        token = self.page.locator(f".token > .mark.{psychic}")
        expect(self.page.locator(".card.taken", has=token).locator("b")).to_have_text(str(card))

    def votes(self, group: int) -> None:
        """Let everybody vote on paper, and read the votes for *group*."""
        for _ in range(3):  # once for each level; once the poll is closed it changes nothing
            self.says("we have voted")
        track = self.page.locator(".track .mark")
        psychics = track.evaluate_all("marks => marks.map(mark => mark.classList[1])")
        for psychic in psychics:
            self.says(f"{psychic} votes for group {number(group)}")
            self.says("yes")
            if psychic != psychics[-1]:
                expect(self.panel(psychic)).to_contain_text("has voted")

    def begins(self, *sentences: str) -> None:
        """Begin a night: say *sentences*, and yes to what the house has understood."""
        for sentence in ("begin the séance", *sentences, "without the story"):
            self.says(sentence)
        self.says("yes")
        expect(self.page.locator(".psychics")).to_be_visible()
        self.says("ready")

    @property
    def phase(self) -> Locator:
        return self.page.locator("#phase")


class Ghost:
    """Somebody with a phone."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def asks(self, address: str) -> "Ghost":
        self.page.goto(f"{address}/ghost")
        self.page.locator("#sit-down").tap()
        return self

    def is_seated(self) -> None:
        expect(self.page.locator("#seat")).to_be_visible()

    @property
    def phase(self) -> Locator:
        return self.page.locator("#phase")

    @property
    def hour(self) -> Locator:
        return self.page.locator("#hour")

    @property
    def whisper(self) -> Locator:
        return self.page.locator("#whisper")

    def row(self, psychic: str) -> Locator:
        return self.page.locator(f"[data-row='{psychic}']")

    def chooses(self, psychic: str) -> None:
        """Touch the row of *psychic*, unless it is chosen already."""
        if self.row(psychic).get_attribute("aria-pressed") != "true":
            self.row(psychic).tap()
        expect(self.row(psychic)).to_have_attribute("aria-pressed", "true")

    def touches(self, act: str) -> None:
        """Tap a button."""
        self.page.locator(f"#{act}").tap()

    def means_it(self) -> None:
        """Confirm what was asked back."""
        self.touches("do-it")
        expect(self.page.locator("#do-it")).to_have_attribute("aria-disabled", "true")

    def sought(self, psychic: str) -> int:
        """Return the card that *psychic* should choose."""
        return int(self.row(psychic).locator(".card.sought b").inner_text())

    def gives(self, psychic: str, count: int = 1) -> None:
        self.chooses(psychic)
        for _ in range(count - 1):
            self.touches("more")
        self.touches("vision")
        expect(self.row(psychic).locator(".served")).to_have_text(re.compile("✓"))

    def gives_cards(self, psychic: str, *places: int) -> None:
        """Give cards of the hand, by their places in it."""
        self.chooses(psychic)
        for place in places:
            self.page.locator("#hand button").nth(place).tap()
        self.touches("vision")
        self.means_it()
        expect(self.row(psychic).locator(".served")).to_have_text(re.compile("✓"))

    def reveals(self, psychic: str) -> None:
        before = self.row(psychic).inner_text()
        self.chooses(psychic)
        self.touches("yes")
        expect(self.row(psychic)).not_to_have_text(before, use_inner_text=True)

    def answers(self, psychic: str, correct: bool) -> None:
        """Answer where only the ghost knows."""
        before = self.row(psychic).inner_text()
        self.chooses(psychic)
        self.touches("yes" if correct else "no")
        self.means_it()
        expect(self.row(psychic)).not_to_have_text(before, use_inner_text=True)


def number(n: int) -> str:
    """Return a small number as it is said."""
    return NUMBERS[n]
