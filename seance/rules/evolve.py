"""How each event changes the state."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from seance.rules import events as e
from seance.rules.answer_correction import answer_corrected, moved_back
from seance.rules.state import MOST_STEPS, Deck, Ending, Search, Setup, State, Step
from seance.rules.terms import Ballot, BallotKind, Outcome, Phase, Psychic, Table, Token


def evolve(state: State | None, event: e.Event) -> State:
    """Return the state after *event*."""
    if isinstance(event, e.NightBegun):
        return _begun(event)
    change = _CHANGES.get(type(event))
    if state is None:
        raise ValueError(f"a night starts with NightBegun, not {event}")
    return change(state, event) if change else state


# Setting up


def _begun(event: e.NightBegun) -> State:
    setup = Setup(
        edition=event.edition,
        players=event.players,
        level=event.level,
        psychics=event.psychics,
        deal=event.deal,
        visions=event.visions,
        variant=event.variant,
        laid_out=event.table,
    )
    searches = tuple(Search(psychic, tokens_left=setup.tokens) for psychic in event.psychics)
    return State(setup=setup, table=event.table, searches=searches, crows_left=setup.difficulty.crows)


def _seeded(state: State, event: e.SeedDrawn) -> State:
    return state._replace(setup=replace(state.setup, seed=event.seed))


def _dealt(state: State, event: e.SecretsDealt) -> State:
    searches = zip(state.searches, event.secret, strict=True)
    return state._replace(searches=tuple(search._replace(secret=trio) for search, trio in searches))


# Vision cards


def _shuffled(state: State, event: e.PileShuffled) -> State:
    deck = state.deck._replace(pile=event.pile, discard=(), shuffles=state.deck.shuffles + 1)
    return state._replace(deck=deck)


def _drawn(state: State, event: e.HandDrawn) -> State:
    deck = state.deck
    hand, pile = deck.hand + event.cards, deck.pile[len(event.cards) :]
    return state._replace(deck=deck._replace(hand=hand, pile=pile))


def _given(state: State, event: e.VisionGiven) -> State:
    search = state.search(event.psychic)
    visions = search.visions + event.count
    if event.cards is None:
        step = Step("vision", search.visions)
        return state.with_search(_stepped(search, step, visions=visions, served=True))
    cards = search.vision_cards + event.cards
    search = search._replace(visions=visions, vision_cards=cards, served=True)
    return state.with_search(search, deck=_without(state.deck, event.cards))


def _crow_used(state: State, event: e.CrowUsed) -> State:
    return state._replace(crows_left=event.crows_left)


def _discarded(state: State, event: e.HandDiscarded) -> State:
    deck = _without(state.deck, event.cards)
    return state._replace(deck=deck._replace(discard=deck.discard + event.cards))


def _without(deck: Deck, cards: tuple[int, ...]) -> Deck:
    return deck._replace(hand=tuple(card for card in deck.hand if card not in cards))


# Interpretation


def _interpreting(state: State, _: e.SandTurned | e.InterpretationBegun) -> State:
    return state._replace(phase=Phase.INTERPRETATION)


def _placed(state: State, event: e.IntuitionPlaced) -> State:
    search = state.search(event.psychic)
    if search.intuition == event.card:
        return state
    return state.with_search(_stepped(search, Step("intuition", search.intuition), intuition=event.card))


def _bet(state: State, event: e.BetPlaced) -> State:
    return _turned(state, event.by, event.on, agrees=event.agrees)


def _withdrawn(state: State, event: e.BetWithdrawn) -> State:
    return _turned(state, event.by, event.on, agrees=None)


def _turned(state: State, by: Psychic, on: Psychic, *, agrees: bool | None) -> State:
    """Return the state with the token of *by* on *on* as given, and the step remembered."""
    before = next((token.agrees for token in state.tokens if token.by is by and token.on is on), None)
    if before is agrees:
        return state
    search = state.search(by)
    step = Step("bet", None if before is None else int(before), on)
    return _with_token(state, search, on, agrees, _one_more(search.steps, step))


def _with_token(state: State, search: Search, on: Psychic, agrees: bool | None, steps: tuple[Step, ...]) -> State:
    """Return the state with the token of *search* on *on* lying as given, or back with its owner."""
    by = search.psychic
    tokens = [token for token in state.tokens if token.by is not by or token.on is not on]
    if agrees is not None:
        tokens.append(Token(by, on, agrees))
        # In seat order, whenever they were laid: so a token that is taken back lies exactly where it lay.
        seat = state.setup.psychics.index
        tokens.sort(key=lambda token: (seat(token.by), seat(token.on)))
    tokens_left = search.tokens_left + len(state.tokens) - len(tokens)
    return state.with_search(search._replace(tokens_left=tokens_left, steps=steps), tokens=tuple(tokens))


def _taken_back(state: State, event: e.TakenBack) -> State:
    search = state.search(event.psychic)
    *others, step = search.steps
    steps = tuple(others)
    if step.on is not None:
        return _with_token(state, search, step.on, None if step.before is None else bool(step.before), steps)
    if step.what == "vision":
        search = search._replace(visions=step.before or 0, served=False, steps=steps)
        return state.with_search(search, phase=Phase.VISIONS)
    state = state.with_search(search._replace(intuition=step.before, steps=steps))
    return state if step.before is not None else _without_tokens_on(state, event.psychic)


def _without_tokens_on(state: State, psychic: Psychic) -> State:
    """Return the state after the tokens on *psychic* went home: their owners cannot take them back twice."""
    for search in state.searches:
        steps = tuple(step for step in search.steps if step.on is not psychic)
        state = _with_token(state, search, psychic, None, steps)
    return state


def _time_called(state: State, _: e.TimeCalled) -> State:
    return state._replace(phase=Phase.MANIFESTATION)


# Manifestation


def _answered(state: State, event: e.IntuitionAnswered) -> State:
    return state.with_search(state.search(event.psychic)._replace(answered=True))


def _moved(state: State, event: e.ClairvoyancyMoved) -> State:
    search = state.search(event.psychic)
    return state.with_search(search._replace(clairvoyancy=search.clairvoyancy + event.spaces))


def _found(state: State, event: e.CardFound) -> State:
    search = state.search(event.psychic)
    deck = state.deck
    if search.vision_cards:
        deck = deck._replace(discard=deck.discard + search.vision_cards)
    search = search._replace(
        found=(*search.found, event.card),
        visions=0,
        vision_cards=(),
        found_now=event.card,
        visions_then=search.visions,
        vision_cards_then=search.vision_cards,
    )
    return state.with_search(search, deck=deck, table=state.table.without(event.card))


def _tokens_returned(state: State, _: e.TokensReturned) -> State:
    full = state.setup.tokens
    return state._replace(
        searches=tuple(search._replace(tokens_left=full, spent_agreeing=0) for search in state.searches)
    )


def _struck(state: State, event: e.HourStruck) -> State:
    phase = state.phase if state.phase is Phase.ACCUSATION else Phase.VISIONS
    return _turn_over(state)._replace(hour=event.hour, phase=phase)


def _turn_over(state: State) -> State:
    agreed = Counter(token.by for token in state.tokens if token.agrees)
    searches = tuple(
        search._replace(
            served=False,
            intuition=None,
            answered=False,
            steps=(),
            found_now=None,
            visions_then=0,
            vision_cards_then=(),
            spent_agreeing=search.spent_agreeing + agreed[search.psychic],
        )
        for search in state.searches
    )
    difficulty = state.setup.difficulty
    crows_left = difficulty.crows if difficulty.crows_return else state.crows_left
    return state._replace(searches=searches, tokens=(), crows_left=crows_left)


# The culprit


def _lined_up(state: State, event: e.LineupFormed) -> State:
    state = _turn_over(state)
    return state._replace(phase=Phase.LINEUP, table=Table(), ending=Ending(groups=event.groups))


def _numbered(state: State, event: e.GroupsNumbered) -> State:
    return _with_ending(state, groups=event.groups)


def _chosen(state: State, _: e.CulpritChosen) -> State:
    return state._replace(phase=Phase.SHARED_VISION)


def _marked(state: State, event: e.CulpritMarked) -> State:
    return _with_ending(state, culprit=event.group)


def _laid(state: State, _: e.SharedVisionLaid) -> State:
    accuses = state.setup.ballot is BallotKind.ACCUSATION
    return state._replace(phase=Phase.ACCUSATION if accuses else Phase.VOTE)


def _set(state: State, event: e.SharedVisionSet) -> State:
    state = state._replace(deck=_without(state.deck, event.cards))
    return _with_ending(state, shared=event.cards)


def _card_turned(state: State, event: e.SharedVisionTurned) -> State:
    return _with_ending(state, shown=event.shown)


def _voted(state: State, event: e.BallotSealed | e.BallotShown) -> State:
    ballots = _with_ballot(state, state.ending.ballots, Ballot(event.by, event.group))
    return _with_ending(state, ballots=ballots, ballots_open=isinstance(event, e.BallotShown))


def _with_ballot(state: State, ballots: tuple[Ballot, ...], ballot: Ballot) -> tuple[Ballot, ...]:
    """Return *ballots* with *ballot* in place of an earlier one of the same voter."""
    voter_of = state.setup.voter_of
    return (*(each for each in ballots if voter_of(each.by) != voter_of(ballot.by)), ballot)


def _reader_named(state: State, event: e.ReaderNamed) -> State:
    return _with_ending(state, readers=event.psychics)


def _read(state: State, _: e.VotesRead) -> State:
    return _with_ending(state, ballots_open=True)


def _eldest_needed(state: State, event: e.EldestNeeded) -> State:
    return _with_ending(state, eldest_of=event.psychics)._replace(phase=Phase.ELDEST)


def _pointed(state: State, event: e.PointedAt) -> State:
    balls = _with_ballot(state, state.ending.pointing, Ballot(event.by, event.group))
    return _with_ending(state, pointing=balls)


def _accused(state: State, _: e.Accused) -> State:
    return _with_ending(state, pointing=())


def _removed(state: State, event: e.SetRemoved) -> State:
    groups = tuple(group for group in state.ending.groups if group.group != event.group)
    return _with_ending(state, groups=groups)


def _ended(state: State, event: e.NightEnded) -> State:
    return state._replace(phase=Phase.OVER, outcome=Outcome(event.won, event.reason))


# Pieces


def _with_ending(state: State, **changes: Any) -> State:
    return state._replace(ending=state.ending._replace(**changes))


def _stepped(search: Search, step: Step, **changes: Any) -> Search:
    return search._replace(steps=_one_more(search.steps, step), **changes)


def _one_more(steps: tuple[Step, ...], step: Step) -> tuple[Step, ...]:
    return (*steps[1 - MOST_STEPS :], step)


_CHANGES: dict[type[e.Event], Callable[[State, Any], State]] = {
    e.SeedDrawn: _seeded,
    e.SecretsDealt: _dealt,
    e.PileShuffled: _shuffled,
    e.HandDrawn: _drawn,
    e.VisionGiven: _given,
    e.CrowUsed: _crow_used,
    e.HandDiscarded: _discarded,
    e.SandTurned: _interpreting,
    e.InterpretationBegun: _interpreting,
    e.IntuitionPlaced: _placed,
    e.BetPlaced: _bet,
    e.BetWithdrawn: _withdrawn,
    e.TakenBack: _taken_back,
    e.TimeCalled: _time_called,
    e.IntuitionAnswered: _answered,
    e.ClairvoyancyMoved: _moved,
    e.CardFound: _found,
    e.AnswerCorrected: answer_corrected,
    e.ClairvoyancyTakenBack: moved_back,
    e.TokensReturned: _tokens_returned,
    e.HourStruck: _struck,
    e.LineupFormed: _lined_up,
    e.GroupsNumbered: _numbered,
    e.CulpritChosen: _chosen,
    e.CulpritMarked: _marked,
    e.SharedVisionLaid: _laid,
    e.SharedVisionSet: _set,
    e.SharedVisionTurned: _card_turned,
    e.BallotSealed: _voted,
    e.BallotShown: _voted,
    e.ReaderNamed: _reader_named,
    e.VotesRead: _read,
    e.EldestNeeded: _eldest_needed,
    e.PointedAt: _pointed,
    e.Accused: _accused,
    e.SetRemoved: _removed,
    e.NightEnded: _ended,
}
