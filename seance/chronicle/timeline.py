"""The timeline of a night: what happened hour by hour, built from the events that the room heard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from seance.chronicle.guest_changes import GuestChange
from seance.rules import HEARD_BY, BallotKind, Category, Event, Outcome, Psychic, Seat, State, evolve
from seance.rules import events as e
from seance.rules.terms import Ballot, Group


@dataclass(frozen=True, slots=True)
class BetResult:
    """A bet on another psychic's choice, and whether it was right."""

    by: Psychic
    agrees: bool
    right: bool | None
    """None where the ghost has not answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one psychic did in one hour."""

    psychic: Psychic
    sought: Category
    visions: int
    """The number of vision cards given in this hour."""
    card: int | None
    """The card that was chosen, if any."""
    correct: bool | None
    """None where the ghost has not answered."""
    bets: tuple[BetResult, ...]
    last: bool
    """Whether the psychic found the third card with it."""


@dataclass(frozen=True, slots=True)
class Hour:
    """One hour, or day, of the search."""

    hour: int
    turns: tuple[Turn, ...]
    """In seat order, without psychics who have found all three cards."""
    crows: int
    """How often the ghost used a crow."""


@dataclass(frozen=True, slots=True)
class Accusation:
    """An accusation, and whether it was right."""

    hour: int
    group: int
    cards: tuple[int, int, int] | None
    """The cards that were named in a full investigation."""
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """A whole night as the room heard it."""

    edition: str
    variant: str | None
    level: str
    players: int
    is_accused_by_turn: bool
    """Whether the culprit is sought by accusations, one a turn, and not by one vote."""
    psychics: tuple[Psychic, ...]
    """In seat order."""
    hours: tuple[Hour, ...]
    hour: int
    """The last one that struck."""
    groups: tuple[Group, ...]
    """The groups of the line-up; empty before it."""
    votes: tuple[Ballot, ...]
    eldest: Psychic | None
    """The psychic who broke a tie."""
    accusations: tuple[Accusation, ...]
    culprit: int | None
    """The culprit's group, once it is revealed."""
    clairvoyancy: Mapping[Psychic, int] | None
    """Spaces on the track; None where there is none."""
    outcome: Outcome | None
    guests: tuple[GuestChange, ...] = ()
    """Guests who left or came, in order."""


@dataclass(slots=True)
class _TimelineBuilder:
    """Collects a timeline event by event."""

    state: State | None = None
    """As the room knows it."""
    hours: list[Hour] = field(default_factory=list)
    turns: dict[Psychic, Turn] = field(default_factory=dict)
    visions: dict[Psychic, int] = field(default_factory=dict)
    """The number of vision cards before each psychic when the hour began."""
    crows: int = 0
    groups: tuple[Group, ...] = ()
    votes: tuple[Ballot, ...] = ()
    eldest: Psychic | None = None
    accused: list[e.Accused] = field(default_factory=list)
    accused_at: list[int] = field(default_factory=list)
    culprit: int | None = None

    def add(self, event: Event) -> None:
        if Seat.ROOM not in HEARD_BY[type(event)]:
            raise ValueError(f"{type(event).__name__} is not for the room, and so not for a chronicle")
        before = self.state
        if before is not None:
            self._record(before, event)
        self.state = evolve(before, event)
        if isinstance(event, e.HourStruck | e.NightBegun):
            self.visions = {search.psychic: search.visions for search in self.state.searches}

    def _record(self, state: State, event: Event) -> None:
        match event:
            case e.IntuitionAnswered():
                self.turns[event.psychic] = self._turn(state, event.psychic, event.correct)
            case e.AnswerCorrected() if event.psychic in self.turns:
                self.turns[event.psychic] = self._corrected(state, self.turns[event.psychic], event.correct)
            case e.CrowUsed():
                self.crows += 1
            case e.HourStruck():
                self.close_hour(state)
            case e.LineupFormed() | e.GroupsNumbered():
                self.close_hour(state)
                self.groups = event.groups
            case e.BallotShown():
                self.votes = (*(vote for vote in self.votes if vote.by is not event.by), Ballot(event.by, event.group))
            case e.VotesRead():
                self.votes = event.votes
            case e.EldestNamed():
                self.eldest = event.psychic
            case e.Accused():
                self.accused.append(event)
                self.accused_at.append(state.hour)
            case e.CulpritRevealed():
                self.culprit = event.group

    def close_hour(self, state: State) -> None:
        """Add the hour to the timeline, with psychics whom the ghost has not answered yet."""
        for search in state.searching():
            if search.psychic not in self.turns and (search.served or search.intuition is not None):
                self.turns[search.psychic] = self._turn(state, search.psychic, None)
        turns = tuple(self.turns[psychic] for psychic in state.setup.psychics if psychic in self.turns)
        if turns or self.crows:
            self.hours.append(Hour(state.hour, turns, self.crows))
        self.turns, self.crows = {}, 0

    def _turn(self, state: State, psychic: Psychic, correct: bool | None) -> Turn:
        search = state.search(psychic)
        on = (token for token in state.tokens if token.on is psychic)
        return Turn(
            psychic=psychic,
            sought=state.setup.edition.order[len(search.found)],
            visions=search.visions - self.visions.get(psychic, 0),
            card=search.intuition,
            correct=correct,
            bets=tuple(BetResult(bet.by, bet.agrees, None if correct is None else bet.agrees is correct) for bet in on),
            last=bool(correct) and len(search.found) == 2,
        )

    def _corrected(self, state: State, turn: Turn, correct: bool) -> Turn:
        """Return *turn* with the opposite answer."""
        bets = tuple(replace(bet, right=bet.agrees is correct) for bet in turn.bets)
        return replace(turn, correct=correct, bets=bets, last=correct and turn.sought is state.setup.edition.order[-1])


def build_timeline(events: Iterable[Event], guests: tuple[GuestChange, ...] = ()) -> Timeline:
    """Return the timeline of *events* and *guests*: all events must be for the room, and the first is NightBegun."""
    builder = _TimelineBuilder()
    for event in events:
        builder.add(event)
    state = builder.state
    if state is None:
        raise ValueError("a timeline starts with NightBegun")
    builder.close_hour(state)
    setup = state.setup
    return Timeline(
        edition=setup.edition.name,
        variant=setup.variant,
        level=setup.level,
        players=setup.players,
        is_accused_by_turn=setup.ballot is BallotKind.ACCUSATION,
        psychics=setup.psychics,
        hours=tuple(builder.hours),
        hour=state.hour,
        groups=builder.groups,
        votes=builder.votes,
        eldest=builder.eldest,
        accusations=_accusations(builder, state),
        culprit=builder.culprit,
        clairvoyancy={search.psychic: search.clairvoyancy for search in state.searches} if setup.track else None,
        outcome=state.outcome,
        guests=guests,
    )


def _accusations(builder: _TimelineBuilder, state: State) -> tuple[Accusation, ...]:
    """Return the accusations; only the last can be right, if the night was won."""
    last, won = len(builder.accused) - 1, state.outcome is not None and state.outcome.won
    each = enumerate(zip(builder.accused, builder.accused_at, strict=True))
    return tuple(Accusation(hour, one.group, one.cards, won and at == last) for at, (one, hour) in each)
