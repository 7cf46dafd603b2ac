"""The state of a night, which only `seance.rules.evolve` changes.

What changes often is a named tuple: copying one with a change costs a tenth of what it does with a dataclass.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from seance.rules.editions import Edition, Level, TokenFaces, Track
from seance.rules.terms import (
    Ballot,
    BallotKind,
    Category,
    Deal,
    Group,
    Outcome,
    Phase,
    Psychic,
    Table,
    Token,
    Trio,
    Visions,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What was agreed when the night began, and never changes."""

    edition: Edition
    """With the variant, if any, already in it."""
    players: int
    level: str
    psychics: tuple[Psychic, ...]
    """In seat order."""
    deal: Deal
    visions: Visions
    variant: str | None
    laid_out: Table
    """The rows as they were laid, from left to right: cards that are found later are still in them (S5)."""
    seed: int = 0

    @property
    def difficulty(self) -> Level:
        """Return what the level means in this edition."""
        return self.edition.levels[self.level]

    @property
    def tokens(self) -> int:
        """Return how many clairvoyancy tokens a psychic has."""
        return self.edition.tokens.get(self.players, 0)

    @property
    def token_faces(self) -> TokenFaces:
        """Return how many tokens of a psychic agree, and how many disagree."""
        return self.edition.token_faces.get(self.players, TokenFaces())

    @property
    def track(self) -> Track | None:
        """Return the clairvoyancy track, or None where there is none."""
        return self.edition.tracks.get(self.players)

    def player_of(self, psychic: Psychic) -> int:
        """Return the index (from 0) of the player of *psychic* (L35)."""
        return self.edition.player_of(self.psychics.index(psychic), self.players)

    @property
    def ballot(self) -> BallotKind:
        """Return how the culprit is named."""
        return self.edition.ballot_of(self.players)

    @property
    def voters(self) -> int:
        """Return how many votes, or balls, there are."""
        return self.edition.voters(self.players)

    def voter_of(self, psychic: Psychic) -> int:
        """Return the index (from 0) of the voter who votes through *psychic*."""
        return self.edition.voter_of(self.psychics.index(psychic), self.players)


MOST_STEPS = 256
"""How many steps a psychic can take back in one turn; bounded, so that a long turn does not get slower."""


class Step(NamedTuple):
    """Something that a psychic can take back in this turn (S4), with what was there before."""

    what: str
    """`vision`, `intuition` or `bet`."""
    before: int | None = None
    """The number of visions, or the card, or the token (1 agrees, 0 does not) that was there; None for nothing."""
    on: Psychic | None = None
    """On whose intuition a bet lay."""


class Search(NamedTuple):
    """The search of one psychic."""

    psychic: Psychic
    secret: Trio | None = None
    """What the psychic must find; None when the ghost dealt by hand (S1)."""
    found: tuple[int, ...] = ()
    """Cards found, in the order of the search."""
    visions: int = 0
    """Vision cards before the psychic."""
    vision_cards: tuple[int, ...] = ()
    """Their numbers, where visions are dealt (S2)."""
    served: bool = False
    """Whether a vision was given this turn (L10)."""
    intuition: int | None = None
    answered: bool = False
    """Whether the ghost has answered this turn."""
    clairvoyancy: int = 0
    """Spaces on the clairvoyancy track."""
    tokens_left: int = 0
    spent_agreeing: int = 0
    """Tokens that agreed and were spent in earlier turns, since all tokens last came back (L17, L18)."""
    steps: tuple[Step, ...] = ()
    """What the psychic can take back in this turn, the latest last."""
    found_now: int | None = None
    """The card found in this turn; it is on the table again if the answer is corrected (S7)."""
    visions_then: int = 0
    """Vision cards that lay before the psychic when that card was found."""
    vision_cards_then: tuple[int, ...] = ()


class Deck(NamedTuple):
    """The vision cards that do not lie before a psychic; all empty where visions are only counted (S2)."""

    hand: tuple[int, ...] = ()
    pile: tuple[int, ...] = ()
    """The next card to draw is the first."""
    discard: tuple[int, ...] = ()
    shuffles: int = 0
    """How often the pile was made."""


class Ending(NamedTuple):
    """The last phase of the night."""

    groups: tuple[Group, ...] = ()
    culprit: int | None = None
    shared: tuple[int, ...] = ()
    """The shared vision in the order in which it is turned, where visions are dealt (S2)."""
    shown: int = 0
    """Cards of the shared vision that are face up."""
    ballots: tuple[Ballot, ...] = ()
    """Votes, one for each voter, in the order in which they came."""
    ballots_open: bool = False
    """Whether the room may see them."""
    readers: tuple[Psychic, ...] = ()
    """Psychics of whom the eldest reads the votes; none until the poll is closed (L31)."""
    pointing: tuple[Ballot, ...] = ()
    """Balls on groups, one for each voter, before an accusation (I9)."""
    eldest_of: tuple[Psychic, ...] = ()
    """Psychics of whom the eldest decides (L32)."""


class State(NamedTuple):
    """A whole night, secrets included: only the rules may see it."""

    setup: Setup
    table: Table
    searches: tuple[Search, ...]
    """In seat order."""
    crows_left: int
    phase: Phase = Phase.VISIONS
    hour: int = 1
    tokens: tuple[Token, ...] = ()
    """Clairvoyancy tokens that lie on intuitions, in seat order of their owners."""
    deck: Deck = Deck()
    ending: Ending = Ending()
    outcome: Outcome | None = None

    def search(self, psychic: Psychic) -> Search:
        """Return the search of *psychic*, who plays."""
        return self.searches[self.setup.psychics.index(psychic)]

    def with_search(self, search: Search, **changes: Any) -> "State":
        """Return the state with *search* in place of the one of its psychic, and other *changes*."""
        at = self.setup.psychics.index(search.psychic)
        return self._replace(searches=(*self.searches[:at], search, *self.searches[at + 1 :]), **changes)

    def sought(self, search: Search) -> Category | None:
        """Return the kind of card that *search* is for now, or None when it is done."""
        found = len(search.found)
        return self.setup.edition.order[found] if found < len(Category) else None

    def searching(self) -> Iterator[Search]:
        """Yield the searches that are not done."""
        return (search for search in self.searches if len(search.found) < len(Category))

    def awaiting_vision(self) -> list[Search]:
        """Return the searches that must still be given a vision this turn (L12)."""
        if self.setup.visions is Visions.DEALT and not self.deck.hand:
            return []  # every card lies before a psychic: there is nothing left to give (L11)
        return [search for search in self.searching() if not search.served]

    def unvoted(self) -> list[Search]:
        """Return the searches of the psychics whose voter has not voted yet."""
        voted = {self.setup.voter_of(ballot.by) for ballot in self.ending.ballots}
        return [search for search in self.searches if self.setup.voter_of(search.psychic) not in voted]

    def group(self, number: int) -> Group | None:
        """Return the group called *number*, or None when it is not on the table."""
        return next((group for group in self.ending.groups if group.group == number), None)
