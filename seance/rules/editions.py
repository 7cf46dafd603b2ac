"""The four printed editions as values: the rules read these fields, and never ask which edition it is.

Field names are stored in journals.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from seance.rules.terms import BallotKind, Category, Psychic, Voter

VISION_CARDS = 84
POSSIBLE_PLAYERS = range(2, len(Psychic) + 2)
"""The numbers of players of any edition: a ghost, and from one player up to one for each psychic."""


@dataclass(frozen=True, slots=True)
class Level:
    """How hard a night is."""

    laid_out: Mapping[int, int]
    """Cards of each kind on the table, by number of players (the ghost counted)."""
    crows: int
    """How often the ghost may discard."""
    crows_return: bool = False
    """Whether the crows come back at the end of each turn."""
    advised_up_to: int = POSSIBLE_PLAYERS[-1]
    """The edition advises against this level with more players than this."""


@dataclass(frozen=True, slots=True)
class Track:
    """The spaces at which the levels of the clairvoyancy track begin; below `intermediate` is low."""

    intermediate: int
    high: int

    def cards_seen(self, spaces: int) -> int:
        """Return how many cards of the shared vision a psychic on *spaces* sees before voting (L29)."""
        return 1 + (spaces >= self.intermediate) + (spaces >= self.high)


@dataclass(frozen=True, slots=True)
class TokenFaces:
    """How many clairvoyancy tokens of a psychic agree, and how many disagree; None is no limit (L17)."""

    agree: int | None = None
    disagree: int | None = None

    def of(self, *, agrees: bool) -> int | None:
        """Return the limit of the tokens that agree, or of those that do not."""
        return self.agree if agrees else self.disagree


TRACK_LEVELS = 3
"""Low, intermediate and high: in a vote by level, each has one more card of the shared vision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """Everything in which one printed edition differs from another; a contradiction raises ValueError."""

    name: str
    order: tuple[Category, Category, Category]
    """The order of the search."""
    decks: Mapping[Category, tuple[int, ...]]
    """The numbers of the psychic cards, by kind."""
    levels: Mapping[str, Level]
    turns: int = 7
    """Turns until the time is over."""
    least_players: int = 2
    """The ghost counted, as in `most_players`."""
    most_players: int = 7
    hand: int = 7
    """Vision cards that the ghost holds."""
    crow_takes_whole_hand: bool = True
    sand_seconds: int | None = None
    """How long the sand runs; None where there is no sand and the step ends when all have chosen."""
    psychics_each: Mapping[int, int] = field(default_factory=lambda: {2: 2})
    """Psychics that one player plays, by number of players; one where none is given."""
    tokens: Mapping[int, int] = field(default_factory=dict)
    """Clairvoyancy tokens of a psychic, by number of players."""
    token_faces: Mapping[int, TokenFaces] = field(default_factory=dict)
    """How many of them agree and disagree, by number of players; no limit where none is given."""
    tokens_return_at: int | None = 4
    """The turn at which spent clairvoyancy tokens come back; None where they never do."""
    tracks: Mapping[int, Track] = field(default_factory=dict)
    """The side of the clairvoyancy track, by number of players; no track where none is given."""
    extra_groups: Mapping[int, int] = field(default_factory=dict)
    """Groups made from cards left over, by number of players."""
    shared_vision_cards: int = 3
    ballot: BallotKind = BallotKind.ACCUSATION
    """How the culprit is named."""
    ballots: Mapping[int, BallotKind] = field(default_factory=dict)
    """How it is named instead, by number of players."""
    voter: Voter = Voter.PSYCHIC
    culprit_is_drawn: bool = False
    names_all_three: bool = False
    """Whether an accusation names the culprit's character, location and object."""
    lineup_kinds: tuple[Category, ...] = tuple(Category)
    """The kinds of card that stay on the table in the last step; an accusation names one of them (M3)."""
    wrong_group_leaves: bool = True
    last_hour_is_in_time: bool = False
    """Whether the last card may be found in the last turn."""
    silence_is_fatal: bool = True
    variants: Mapping[str, "Edition"] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for contradiction in _contradictions(self):
            raise ValueError(f"edition '{self.name}': {contradiction}")

    @property
    def players(self) -> range:
        """Return the numbers of players, the ghost counted."""
        return range(self.least_players, self.most_players + 1)

    def psychics(self, players: int) -> int:
        """Return how many psychics *players* (the ghost counted) play."""
        return (players - 1) * self.psychics_each.get(players, 1)

    def player_of(self, seat: int, players: int) -> int:
        """Return the index (from 0) of the player whose psychic is at *seat* (from 0), of *players* (L35)."""
        return seat // self.psychics_each.get(players, 1)

    def shared_psychics(self, psychics: Sequence[Psychic], players: int) -> tuple[tuple[Psychic, ...], ...]:
        """Return the psychics of each player who plays several of *psychics*, which are in seat order (L35)."""
        each = self.psychics_each.get(players, 1)
        return tuple(tuple(psychics[at : at + each]) for at in range(0, len(psychics), each)) if each > 1 else ()

    def voter_of(self, seat: int, players: int) -> int:
        """Return the index (from 0) of whoever votes through the psychic at *seat* (from 0), of *players*."""
        return self.player_of(seat, players) if self.voter is Voter.PLAYER else seat

    def voters(self, players: int) -> int:
        """Return how many votes, or balls, *players* (the ghost counted) have."""
        return players - 1 if self.voter is Voter.PLAYER else self.psychics(players)

    def ballot_of(self, players: int) -> BallotKind:
        """Return how *players* (the ghost counted) name the culprit."""
        return self.ballots.get(players, self.ballot)


def _contradictions(edition: Edition) -> Iterator[str]:
    """Yield why *edition* cannot be played, with the fields that contradict one another."""
    least, most = edition.least_players, edition.most_players
    if least > most or least not in POSSIBLE_PLAYERS or most not in POSSIBLE_PLAYERS:
        possible = f"{POSSIBLE_PLAYERS[0]} to {POSSIBLE_PLAYERS[-1]}"
        yield f"least_players {least} and most_players {most} are no range within {possible}"
    if edition.turns < 1:
        yield f"turns is {edition.turns}: at least 1"
    if sorted(edition.order) != sorted(Category):
        yield f"order is {', '.join(edition.order)}: each of {', '.join(Category)} once"
    if not edition.levels:
        yield "levels is empty: at least one"
    if not 1 <= edition.shared_vision_cards <= edition.hand:
        yield f"shared_vision_cards is {edition.shared_vision_cards}: 1 up to the hand of {edition.hand}"
    for players in edition.players:
        yield from _contradictions_with(edition, players)


def _contradictions_with(edition: Edition, players: int) -> Iterator[str]:
    """Yield why *edition* cannot be played by so many *players*."""
    table = f"with {players} players"
    psychics = edition.psychics(players)
    groups = psychics + edition.extra_groups.get(players, 0)
    cards = min(len(edition.decks.get(kind, ())) for kind in Category)
    if psychics > len(Psychic):
        yield f"{table} psychics_each makes {psychics} psychics: at most {len(Psychic)}"
    for name, level in edition.levels.items():
        if players not in level.laid_out:
            yield f"level '{name}' does not say how many cards are laid_out {table}"
        elif not groups <= level.laid_out[players] <= cards:
            yield f"level '{name}' has {level.laid_out[players]} cards laid_out {table}: {groups} to {cards}"
    ballot, each = edition.ballot_of(players), edition.psychics_each.get(players, 1)
    if edition.tokens.get(players) and players not in edition.tracks:
        yield f"{table} there are tokens, but no track in tracks"
    if edition.names_all_three and ballot is not BallotKind.ACCUSATION:
        yield f"names_all_three is for accusations, and {table} the ballot is {ballot}"
    if ballot is BallotKind.SECRET_BY_LEVEL:
        if players not in edition.tracks:
            yield f"{table} the ballot is {ballot}, but there is no track in tracks"
        if edition.shared_vision_cards != TRACK_LEVELS:
            yield f"{table} the ballot is {ballot}: shared_vision_cards is {TRACK_LEVELS}, one for each level"
        if edition.voter is Voter.PLAYER and each > 1:
            yield f"{table} the ballot is {ballot}, but a player of {each} psychics has no one level: voter is psychic"


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

SMALL_TRACK = Track(intermediate=5, high=7)
# The limits of the other side are printed on the board only: an owner can correct them in the settings.
LARGE_TRACK = Track(intermediate=7, high=10)

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
    tracks={4: SMALL_TRACK, 5: SMALL_TRACK, 6: LARGE_TRACK, 7: LARGE_TRACK},
    extra_groups={2: 2},
    ballot=BallotKind.SECRET_BY_LEVEL,
    ballots={2: BallotKind.OPEN, 3: BallotKind.OPEN},
    voter=Voter.PLAYER,
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

MANUAL = replace(
    _MANUAL,
    lineup_kinds=(Category.CHARACTER,),
    variants={"full_investigation": replace(_MANUAL, hand=7, names_all_three=True)},
)

EDITIONS: Mapping[str, Edition] = {edition.name: edition for edition in (LIBELLUD, IGAMES, PORTAL, MANUAL)}
"""Every edition, by name: the one list in the project."""
