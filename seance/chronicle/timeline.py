"""What happened in a night, hour by hour, gathered from what the room heard; it has no words of any language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from seance.rules import HEARD_BY, Category, Event, Outcome, Phase, Psychic, Seat, State, evolve
from seance.rules import events as e
from seance.rules.terms import Ballot, Group


@dataclass(frozen=True, slots=True)
class Bet:
    """What one psychic thought of another's choice."""

    by: Psychic
    agrees: bool
    right: bool | None
    """None where the ghost has not answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One psychic in one hour."""

    psychic: Psychic
    sought: Category
    visions: int
    """Vision cards that came in this hour."""
    card: int | None
    """What was chosen, if anything was."""
    correct: bool | None
    """None where the ghost has not answered."""
    bets: tuple[Bet, ...]
    last: bool
    """Whether it was the third card that was found."""


@dataclass(frozen=True, slots=True)
class Hour:
    """One hour, or day, in which cards were searched for."""

    hour: int
    turns: tuple[Turn, ...]
    """In seat order; who has found all three cards has none."""
    crows: int
    """How often the ghost discarded."""


@dataclass(frozen=True, slots=True)
class Accusation:
    """A group that was accused."""

    hour: int
    group: int
    cards: tuple[int, int, int] | None
    """What was named in a full investigation."""
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Tale:
    """A whole night as the room heard it."""

    edition: str
    variant: str | None
    level: str
    players: int
    by_days: bool
    """Whether a week is counted, not the hours of a night."""
    psychics: tuple[Psychic, ...]
    """In seat order."""
    hours: tuple[Hour, ...]
    hour: int
    """The last one that struck."""
    groups: tuple[Group, ...]
    """As they lined up; empty before."""
    votes: tuple[Ballot, ...]
    eldest: Psychic | None
    """Who broke a tie."""
    accusations: tuple[Accusation, ...]
    culprit: int | None
    """The group, once it is known to all."""
    clairvoyancy: Mapping[Psychic, int] | None
    """Spaces on the track; None where there is none."""
    outcome: Outcome | None


@dataclass(slots=True)
class _Gathering:
    """What has been gathered so far."""

    state: State | None = None
    """As the room knows it."""
    hours: list[Hour] = field(default_factory=list)
    turns: dict[Psychic, Turn] = field(default_factory=dict)
    visions: dict[Psychic, int] = field(default_factory=dict)
    """How many lay before each psychic when the hour began."""
    crows: int = 0
    groups: tuple[Group, ...] = ()
    votes: tuple[Ballot, ...] = ()
    eldest: Psychic | None = None
    accused: list[e.Accused] = field(default_factory=list)
    accused_at: list[int] = field(default_factory=list)
    culprit: int | None = None

    def hear(self, event: Event) -> None:
        if Seat.ROOM not in HEARD_BY[type(event)]:
            raise ValueError(f"{type(event).__name__} is not for the room, and so not for a chronicle")
        before = self.state
        if before is not None:
            self._note(before, event)
        self.state = evolve(before, event)
        if isinstance(event, e.HourStruck | e.NightBegun):
            self.visions = {search.psychic: search.visions for search in self.state.searches}

    def _note(self, state: State, event: Event) -> None:
        match event:
            case e.IntuitionAnswered():
                self.turns[event.psychic] = self._turn(state, event.psychic, event.correct)
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
        """Write the hour down, with those whom the ghost has not answered."""
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
            bets=tuple(Bet(bet.by, bet.agrees, None if correct is None else bet.agrees is correct) for bet in on),
            last=bool(correct) and len(search.found) == 2,
        )


def tale_of(events: Iterable[Event]) -> Tale:
    """Return the tale of *events*, all of which the room may hear; the first is NightBegun."""
    found = _Gathering()
    for event in events:
        found.hear(event)
    state = found.state
    if state is None:
        raise ValueError("a tale starts with NightBegun")
    found.close_hour(state)
    setup = state.setup
    return Tale(
        edition=setup.edition.name,
        variant=setup.variant,
        level=setup.level,
        players=setup.players,
        by_days=setup.edition.verdict is Phase.ACCUSATION,
        psychics=setup.psychics,
        hours=tuple(found.hours),
        hour=state.hour,
        groups=found.groups,
        votes=found.votes,
        eldest=found.eldest,
        accusations=_accusations(found, state),
        culprit=found.culprit,
        clairvoyancy={search.psychic: search.clairvoyancy for search in state.searches} if setup.track else None,
        outcome=state.outcome,
    )


def _accusations(found: _Gathering, state: State) -> tuple[Accusation, ...]:
    """Return the accusations; the last was right if the night was won by it."""
    last, won = len(found.accused) - 1, state.outcome is not None and state.outcome.won
    each = enumerate(zip(found.accused, found.accused_at, strict=True))
    return tuple(Accusation(hour, one.group, one.cards, won and at == last) for at, (one, hour) in each)
