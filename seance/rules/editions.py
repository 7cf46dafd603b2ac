"""The four printed editions as values: the rules read these fields, and never ask which edition it is.

Field names are stored in journals.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from seance.rules.terms import Category, Phase

VISION_CARDS = 84
MOST_PLAYERS = 7


@dataclass(frozen=True, slots=True)
class Level:
    """How hard a night is."""

    laid_out: Mapping[int, int]
    """Cards of each kind on the table, by number of players (the ghost counted)."""
    crows: int
    """How often the ghost may discard."""
    crows_return: bool = False
    """Whether the crows come back at the end of each turn."""
    advised_up_to: int = MOST_PLAYERS
    """The edition advises against this level with more players than this."""


@dataclass(frozen=True, slots=True)
class Track:
    """The spaces at which the levels of the clairvoyancy track begin; below `intermediate` is low."""

    intermediate: int
    high: int

    def cards_seen(self, spaces: int) -> int:
        """Return how many cards of the shared vision a psychic on *spaces* sees before voting (L29)."""
        return 1 + (spaces >= self.intermediate) + (spaces >= self.high)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """Everything in which one printed edition differs from another."""

    name: str
    order: tuple[Category, Category, Category]
    """The order of the search."""
    decks: Mapping[Category, tuple[int, ...]]
    """The numbers of the psychic cards, by kind."""
    levels: Mapping[str, Level]
    hand: int = 7
    """Vision cards that the ghost holds."""
    crow_takes_whole_hand: bool = True
    sand_seconds: int | None = None
    """How long the sand runs; None where there is no sand and the step ends when all have chosen."""
    psychics_each: Mapping[int, int] = field(default_factory=lambda: {2: 2})
    """Psychics that one player plays, by number of players; one where none is given."""
    tokens: Mapping[int, int] = field(default_factory=dict)
    """Clairvoyancy tokens of a psychic, by number of players."""
    tracks: Mapping[int, Track] = field(default_factory=dict)
    """The side of the clairvoyancy track, by number of players; no track where none is given."""
    extra_groups: Mapping[int, int] = field(default_factory=dict)
    """Groups made from cards left over, by number of players."""
    verdict: Phase = Phase.ACCUSATION
    """How the culprit is named: by one vote, or by accusations until the week is over."""
    culprit_is_drawn: bool = False
    names_all_three: bool = False
    """Whether an accusation names the culprit's character, location and object."""
    wrong_group_leaves: bool = True
    last_hour_is_in_time: bool = False
    """Whether the last card may be found in the last turn."""
    silence_is_fatal: bool = True
    variants: Mapping[str, "Edition"] = field(default_factory=dict)

    def psychics(self, players: int) -> int:
        """Return how many psychics *players* (the ghost counted) play."""
        return (players - 1) * self.psychics_each.get(players, 1)


def _numbered(characters: int, locations: int, objects: int) -> dict[Category, tuple[int, ...]]:
    """Return decks numbered through: characters first, then locations, then objects."""
    second, third = characters + 1, characters + locations + 1
    return {
        Category.CHARACTER: tuple(range(1, second)),
        Category.LOCATION: tuple(range(second, third)),
        Category.OBJECT: tuple(range(third, third + objects)),
    }


def _laid_out(*cards: int) -> dict[int, int]:
    """Return how many cards are laid out, by number of players from two on."""
    return dict(enumerate(cards, start=2))


_WEEK_LEVELS = {
    "easy": Level(_laid_out(4, 5, 6, 7, 8, 9), crows=1, crows_return=True),
    "normal": Level(_laid_out(5, 6, 7, 8, 9, 10), crows=3),
    "difficult": Level(_laid_out(6, 7, 8, 9, 10, 11), crows=1),
    "very_difficult": Level(_laid_out(7, 8, 9, 10, 11, 12), crows=0),
}

_SMALL_TRACK = Track(intermediate=5, high=7)
# The limits of the other side are printed on the board only: an owner can correct them in the settings.
_LARGE_TRACK = Track(intermediate=7, high=10)

LIBELLUD = Edition(
    name="libellud",
    order=(Category.CHARACTER, Category.LOCATION, Category.OBJECT),
    decks=_numbered(18, 18, 18),
    levels={
        "easy": Level(_laid_out(4, 5, 5, 6, 6, 7), crows=1, crows_return=True),
        "medium": Level(_laid_out(5, 6, 6, 7, 8, 8), crows=3),
        "hard": Level(_laid_out(6, 7, 7, 8, 9, 9), crows=1),
    },
    crow_takes_whole_hand=False,
    sand_seconds=120,
    psychics_each={2: 2, 3: 2},
    tokens={4: 4, 5: 4, 6: 6, 7: 6},
    tracks={4: _SMALL_TRACK, 5: _SMALL_TRACK, 6: _LARGE_TRACK, 7: _LARGE_TRACK},
    extra_groups={2: 2},
    verdict=Phase.VOTE,
    last_hour_is_in_time=True,
    silence_is_fatal=False,
)

IGAMES = Edition(
    name="igames",
    order=(Category.CHARACTER, Category.LOCATION, Category.OBJECT),
    decks=_numbered(18, 18, 18),
    levels=_WEEK_LEVELS,
)

PORTAL = Edition(
    name="portal",
    order=(Category.OBJECT, Category.LOCATION, Category.CHARACTER),
    decks=_numbered(19, 19, 20),
    levels=_WEEK_LEVELS
    | {
        "difficult": replace(_WEEK_LEVELS["difficult"], advised_up_to=5),
        "very_difficult": replace(_WEEK_LEVELS["very_difficult"], advised_up_to=5),
    },
)

_MANUAL = replace(PORTAL, name="manual", levels=_WEEK_LEVELS, hand=6, culprit_is_drawn=True, wrong_group_leaves=False)

MANUAL = replace(_MANUAL, variants={"full_investigation": replace(_MANUAL, hand=7, names_all_three=True)})

EDITIONS: Mapping[str, Edition] = {edition.name: edition for edition in (LIBELLUD, IGAMES, PORTAL, MANUAL)}
