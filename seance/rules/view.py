"""What each seat may know, and who may hear which event.

RoomView has no field for what the room may not know. Field names are the wire's.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from seance.rules import events as e
from seance.rules.refusals import NoNight
from seance.rules.state import Search, State
from seance.rules.terms import (
    Ballot,
    BallotKind,
    Deal,
    Group,
    Outcome,
    Phase,
    Psychic,
    Seat,
    Table,
    Token,
    Trio,
    Visions,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PsychicView:
    """What everybody sees of one psychic."""

    colour: Psychic
    searching: str
    """`character`, `location`, `object` or `done`."""
    visions: int | tuple[int, ...]
    """How many vision cards lie before the psychic, or which ones where they are dealt (S2)."""
    served: bool
    """Whether a vision was given this turn."""
    intuition: int | None
    answered: bool
    """Whether the ghost has answered this turn."""
    clairvoyancy: int | None
    tokens_left: int | None
    found: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomView:
    """What lies openly on the table."""

    edition: str
    variant: str | None
    level: str
    players: int
    deal: Deal
    phase: Phase
    hour: int
    table: Table
    laid_out: Table
    """The rows of the first hour: the third place stays the third when a card has left it (S5)."""
    psychics: tuple[PsychicView, ...]
    bets: tuple[Token, ...]
    crows_left: int
    shared_vision_shown: int
    shared_vision: tuple[int, ...] | None
    """The shared cards that are face up; None where visions are only counted (S2)."""
    groups: tuple[Group, ...]
    voted: tuple[Psychic, ...]
    """Who has voted, in seat order; not what."""
    votes: Mapping[Psychic, int] | None
    """Votes that are open: at once in an open vote, else when they have been read."""
    pointing: Mapping[Psychic, int] | None
    """Balls on groups, while the psychics accuse."""
    eldest_of: tuple[Psychic, ...] | None
    """Of whom the eldest is asked for."""
    outcome: Outcome | None
    readers: tuple[Psychic, ...] | None = None
    """Of whom the eldest reads the votes, once the poll is closed; the wire has it only then (L31)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GhostView:
    """What the ghost alone sees, with what lies on the table."""

    room: RoomView
    secret: Mapping[Psychic, Trio] | None
    """None when the ghost dealt by hand (S1)."""
    hand: tuple[int, ...] | None
    """None where visions are only counted (S2)."""
    served: tuple[Psychic, ...]
    culprit: int | None


def view(state: State | None, seat: Seat) -> RoomView | GhostView:
    """Return what *seat* may know."""
    if state is None:
        raise NoNight
    return room_view(state) if seat is Seat.ROOM else ghost_view(state)


def room_view(state: State) -> RoomView:
    """Return what everybody at the table may know."""
    setup, ending = state.setup, state.ending
    voted = {ballot.by for ballot in ending.ballots}
    return RoomView(
        edition=setup.edition.name,
        variant=setup.variant,
        level=setup.level,
        players=setup.players,
        deal=setup.deal,
        phase=state.phase,
        hour=state.hour,
        table=state.table,
        laid_out=setup.laid_out,
        psychics=tuple(_psychic(state, search) for search in state.searches),
        bets=state.tokens,
        crows_left=state.crows_left,
        shared_vision_shown=ending.shown,
        shared_vision=ending.shared[: ending.shown] if setup.visions is Visions.DEALT else None,
        groups=ending.groups,
        voted=tuple(psychic for psychic in setup.psychics if psychic in voted),
        votes=_by_psychic(ending.ballots) if ending.ballots_open or _votes_openly(state) else None,
        pointing=_by_psychic(ending.pointing) if state.phase is Phase.ACCUSATION else None,
        eldest_of=ending.eldest_of if state.phase is Phase.ELDEST else None,
        outcome=state.outcome,
        readers=(ending.readers or None) if state.phase is Phase.VOTE else None,
    )


def _psychic(state: State, search: Search) -> PsychicView:
    setup = state.setup
    return PsychicView(
        colour=search.psychic,
        searching=state.sought(search) or "done",
        visions=search.vision_cards if setup.visions is Visions.DEALT else search.visions,
        served=search.served,
        intuition=search.intuition,
        answered=search.answered,
        clairvoyancy=search.clairvoyancy if setup.track else None,
        tokens_left=search.tokens_left if setup.tokens else None,
        found=search.found,
    )


def _votes_openly(state: State) -> bool:
    return state.phase is Phase.VOTE and state.setup.ballot is BallotKind.OPEN


def _by_psychic(ballots: Iterable[Ballot]) -> dict[Psychic, int]:
    return {ballot.by: ballot.group for ballot in ballots}


def ghost_view(state: State) -> GhostView:
    """Return what the ghost may know."""
    secret = {search.psychic: search.secret for search in state.searches if search.secret is not None}
    return GhostView(
        room=room_view(state),
        secret=secret or None,
        hand=state.deck.hand if state.setup.visions is Visions.DEALT else None,
        served=tuple(search.psychic for search in state.searches if search.served),
        culprit=state.ending.culprit,
    )


_ALL = frozenset(Seat)
_GHOST = frozenset({Seat.GHOST})
_NOBODY = frozenset[Seat]()

HEARD_BY: Mapping[type[e.Event], frozenset[Seat]] = {
    e.NightBegun: _ALL,
    e.SeedDrawn: _NOBODY,
    e.LevelWarned: _ALL,
    e.SecretsDealt: _GHOST,
    e.PileShuffled: _NOBODY,
    e.HandDrawn: _GHOST,
    e.VisionGiven: _ALL,
    e.CrowUsed: _ALL,
    e.HandDiscarded: _GHOST,
    e.SandTurned: _ALL,
    e.InterpretationBegun: _ALL,
    e.IntuitionPlaced: _ALL,
    e.BetPlaced: _ALL,
    e.BetWithdrawn: _ALL,
    e.TakenBack: _ALL,
    e.TimeCalled: _ALL,
    e.IntuitionAnswered: _ALL,
    e.ClairvoyancyMoved: _ALL,
    e.CardFound: _ALL,
    e.AnswerCorrected: _ALL,
    e.ClairvoyancyTakenBack: _ALL,
    e.TokensReturned: _ALL,
    e.HourStruck: _ALL,
    e.LineupFormed: _ALL,
    e.GroupsNumbered: _ALL,
    e.CulpritChosen: _ALL,
    e.CulpritMarked: _GHOST,
    e.SharedVisionLaid: _ALL,
    e.SharedVisionSet: _GHOST,
    e.SharedVisionTurned: _ALL,
    e.VoteCast: _ALL,
    e.BallotSealed: _NOBODY,
    e.BallotShown: _ALL,
    e.ReaderNamed: _ALL,
    e.VotesRead: _ALL,
    e.EldestNeeded: _ALL,
    e.EldestNamed: _ALL,
    e.PointedAt: _ALL,
    e.Accused: _ALL,
    e.CulpritRevealed: _ALL,
    e.SetRemoved: _ALL,
    e.SilenceBroken: _ALL,
    e.NightEnded: _ALL,
}
"""Who may hear which event; nobody hears what only the journal needs."""

if unsaid := set(e.EVENTS) ^ set(HEARD_BY):
    raise TypeError(f"say in HEARD_BY who may hear {sorted(kind.__name__ for kind in unsaid)}")


def heard(events: Iterable[e.Event], seat: Seat) -> tuple[e.Event, ...]:
    """Return those of *events* that *seat* may hear."""
    return tuple(event for event in events if seat in HEARD_BY[type(event)])
