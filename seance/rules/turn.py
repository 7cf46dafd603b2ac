"""One hour of the search: visions, interpretation, manifestation (L9-L25, I2-I7)."""

from seance.rules import commands as c
from seance.rules import events as e
from seance.rules import refusals as r
from seance.rules.course import Course
from seance.rules.deck import draw_back
from seance.rules.lineup import form_lineup
from seance.rules.state import Search, State
from seance.rules.terms import Category, Deal, Phase, Psychic, Reason, Visions


def playing(state: State, psychic: Psychic) -> Search:
    """Return the search of *psychic*, or raise NotPlaying."""
    if psychic not in state.setup.psychics:
        raise r.NotPlaying(psychic)
    return state.search(psychic)


# Visions


def give_vision(state: State, command: c.GiveVision) -> Course:
    """Lay visions before a psychic, and draw back (L9-L12)."""
    search = playing(state, command.psychic)
    if state.sought(search) is None:
        raise r.SearchIsDone(command.psychic)
    if search.served:
        raise r.AlreadyServed(command.psychic, state.hour)
    count = _cards_taken(state, command, "give_vision")
    state = yield e.VisionGiven(command.psychic, count, command.cards)
    state = yield from draw_back(state)
    yield from _interpret_by_itself(state)


def use_crow(state: State, command: c.UseCrow) -> Course:
    """Discard, and draw back (L13)."""
    if not state.crows_left:
        raise r.NoCrowsLeft(state.setup.level, state.hour)
    whole = state.setup.edition.crow_takes_whole_hand
    dealt = state.setup.visions is Visions.DEALT
    if command.count is None and command.cards is None and (whole or not dealt):
        cards, count = (state.deck.hand, len(state.deck.hand)) if dealt else (None, None)
        if dealt and not cards:
            raise r.NotInHand("none")
    else:
        cards, count = command.cards, _cards_taken(state, command, "use_crow")
        if whole and count != (len(state.deck.hand) if dealt else state.setup.edition.hand):
            raise r.WholeHandOnly(state.setup.edition.name)
    state = yield e.CrowUsed(count, state.crows_left - 1)
    if cards is not None:
        state = yield e.HandDiscarded(cards)
        yield from draw_back(state)


def _cards_taken(state: State, command: c.GiveVision | c.UseCrow, name: str) -> int:
    """Return how many cards *command* takes from the hand, or raise Refusal."""
    if state.setup.visions is Visions.DEALT:
        if command.cards is None or command.count is not None:
            raise r.CountOrCards(name, "the numbers of the cards")
        in_hand(state, command.cards)
        return len(command.cards)
    if command.count is None or command.cards is not None:
        raise r.CountOrCards(name, "a count of cards")
    most = state.setup.edition.hand
    if not 1 <= command.count <= most:
        raise r.WrongCount(command.count, 1, most)
    return command.count


def in_hand(state: State, cards: tuple[int, ...]) -> None:
    """Raise NotInHand unless the ghost holds all *cards*, each named once."""
    if not cards or len(set(cards)) != len(cards) or not set(cards) <= set(state.deck.hand):
        raise r.NotInHand(", ".join(map(str, cards)) or "none")


def _interpret_by_itself(state: State) -> Course:
    """Begin the interpretation where no sand runs and nobody waits for a vision (I4)."""
    if state.setup.edition.sand_seconds is None and not state.awaiting_vision():
        yield e.InterpretationBegun()


def turn_sand(state: State, _: c.TurnSand) -> Course:
    """Start the sand (L14)."""
    seconds = state.setup.edition.sand_seconds
    if seconds is None:
        raise r.NoSand(state.setup.edition.name)
    _refuse_missing_visions(state)
    yield e.SandTurned(seconds)


def _refuse_missing_visions(state: State) -> None:
    if waiting := state.awaiting_vision():
        raise r.VisionsMissing(", ".join(search.psychic for search in waiting), state.hour)


# Interpretation


def place_intuition(state: State, command: c.PlaceIntuition) -> Course:
    """Put or move an intuition token (L15)."""
    search = playing(state, command.psychic)
    category = state.sought(search)
    if category is None:
        raise r.SearchIsDone(command.psychic)
    _refuse_unserved(state, search)
    if command.card not in state.table.of(category):
        if any(command.card in state.table.of(other) for other in Category):
            raise r.WrongCategory(command.psychic, command.card, category)
        raise r.CardNotOnTable(command.card)
    yield e.IntuitionPlaced(command.psychic, command.card)


def _refuse_unserved(state: State, search: Search) -> None:
    if state.phase is Phase.VISIONS and not search.served and state.sought(search) is not None:
        raise r.NotServedYet(search.psychic, state.hour)


def bet(state: State, command: c.Bet) -> Course:
    """Lay or exchange a clairvoyancy token; no vision of one's own is needed (L17)."""
    by, on = _with_tokens(state, command.by), _with_tokens(state, command.on)
    if by is on:
        raise r.BetOnOneself(command.by)
    if on.intuition is None:
        _refuse_unserved(state, by)  # the wire's answer since its first version, where both reasons hold
        raise r.NothingToBetOn(command.on, state.hour)
    if not by.tokens_left and not _token_lies(state, command.by, command.on):
        raise r.NoTokensLeft(command.by, state.hour)
    _refuse_missing_face(state, by, command)
    yield e.BetPlaced(command.by, command.on, command.agrees)


def _refuse_missing_face(state: State, by: Search, command: c.Bet) -> None:
    """Raise a refusal where all tokens of *by* that say the same are spent or lie on others (L17)."""
    limit = state.setup.token_faces.of(agrees=command.agrees)
    lying = [token for token in state.tokens if token.by is command.by]
    spent_agreeing = by.spent_agreeing
    spent = spent_agreeing if command.agrees else state.setup.tokens - by.tokens_left - len(lying) - spent_agreeing
    elsewhere = sum(token.agrees is command.agrees and token.on is not command.on for token in lying)
    if limit is not None and spent + elsewhere >= limit:
        refusal = r.NoAgreeTokenLeft if command.agrees else r.NoDisagreeTokenLeft
        raise refusal(command.by, limit, state.hour)


def withdraw_bet(state: State, command: c.WithdrawBet) -> Course:
    """Take a clairvoyancy token back (L17)."""
    _with_tokens(state, command.by)
    _with_tokens(state, command.on)
    if not _token_lies(state, command.by, command.on):
        raise r.NoSuchBet(command.by, command.on)
    yield e.BetWithdrawn(command.by, command.on)


def _with_tokens(state: State, psychic: Psychic) -> Search:
    """Return the search of *psychic*, or raise NoTokens where nobody has clairvoyancy tokens (L34)."""
    if not state.setup.tokens:
        raise r.NoTokens(state.setup.edition.name, state.setup.players)
    return playing(state, psychic)


def _token_lies(state: State, by: Psychic, on: Psychic) -> bool:
    return any(token.by is by and token.on is on for token in state.tokens)


def take_back(state: State, command: c.TakeBack) -> Course:
    """Undo the last step of a psychic in this turn (S4)."""
    search = playing(state, command.psychic)
    if not search.steps:
        raise r.NothingToTakeBack(command.psychic, state.hour)
    yield e.TakenBack(command.psychic, search.steps[-1].what)


def call_time(state: State, command: c.CallTime) -> Course:
    """End the interpretation (L18, L23, S3, I4)."""
    untimed = state.setup.edition.sand_seconds is None
    if state.phase is Phase.VISIONS:
        if not untimed:
            raise r.SandNotTurned(state.hour)
        _refuse_missing_visions(state)
    undecided = [search.psychic for search in state.searching() if search.intuition is None]
    if undecided and (untimed or command.early):
        raise r.ChoicesMissing(", ".join(undecided), state.hour)
    yield e.TimeCalled(command.early)


# Manifestation


def manifest(state: State, command: c.Manifest) -> Course:
    """Answer a psychic; after the last answer the clock moves (L20-L25)."""
    search = playing(state, command.psychic)
    if search.answered:
        raise r.AlreadyAnswered(command.psychic, state.hour)
    category = state.sought(search)
    if category is None:
        raise r.SearchIsDone(command.psychic)
    correct = _is_correct(state, search, category, command.correct)
    state = yield e.IntuitionAnswered(command.psychic, search.intuition, correct)
    for token in state.tokens:
        if token.on is command.psychic and token.agrees is correct:
            state = yield e.ClairvoyancyMoved(token.by, 1)
    if correct and search.intuition is not None:
        state = yield e.CardFound(command.psychic, search.intuition)
        turns_left = state.setup.edition.turns - state.hour
        if state.sought(state.search(command.psychic)) is None and state.setup.track and turns_left:
            state = yield e.ClairvoyancyMoved(command.psychic, turns_left)
    if all(search.answered for search in state.searching()):
        yield from _turn_ends(state)


def correct_answer(state: State, command: c.CorrectAnswer) -> Course:
    """Turn an answer into its opposite, with all that followed from it (S7)."""
    search = playing(state, command.psychic)
    if state.setup.deal is Deal.MANOR:
        raise r.AnswerKnown(command.psychic)
    if not search.answered:
        raise r.NotAnsweredYet(command.psychic, state.hour)
    was_right = search.found_now is not None
    category = state.sought(search)
    if not was_right and (category is None or search.intuition not in state.table.of(category)):
        raise r.CannotBeRight(search.psychic, search.intuition)
    turns_left = state.setup.edition.turns - state.hour if state.setup.track else 0
    was_last = was_right and category is None
    state = yield e.AnswerCorrected(command.psychic, search.intuition, not was_right)
    for token in state.tokens:
        if token.on is command.psychic:
            moved = e.ClairvoyancyMoved if token.agrees is not was_right else e.ClairvoyancyTakenBack
            state = yield moved(token.by, 1)
    if was_last and turns_left:
        yield e.ClairvoyancyTakenBack(command.psychic, turns_left)
    elif not was_right and search.intuition is not None:
        state = yield e.CardFound(command.psychic, search.intuition)
        if state.sought(state.search(command.psychic)) is None and turns_left:
            yield e.ClairvoyancyMoved(command.psychic, turns_left)


def _is_correct(state: State, search: Search, category: Category, answer: bool | None) -> bool:
    if state.setup.deal is Deal.MANOR:
        if answer is not None:
            raise r.AnswerKnown(search.psychic)
        return search.secret is not None and search.secret.of(category) == search.intuition
    if answer is None:
        raise r.AnswerMissing(search.psychic)
    if answer and search.intuition not in state.table.of(category):
        raise r.CannotBeRight(search.psychic, search.intuition)
    return answer


def _turn_ends(state: State) -> Course:
    """Move the clock; lose, search on, or go to the last phase (L18, L25, I7, I11)."""
    edition = state.setup.edition
    all_done = not any(state.searching())
    if state.hour == edition.turns and not (all_done and edition.last_hour_is_in_time):
        yield e.NightEnded(won=False, reason=Reason.TIME_OVER)
        return
    if state.hour < edition.turns:
        state = yield e.HourStruck(state.hour + 1)
    if all_done:
        yield from form_lineup(state)
        return
    if state.setup.tokens and state.hour == edition.tokens_return_at:
        state = yield e.TokensReturned()
    state = yield from draw_back(state)
    yield from _interpret_by_itself(state)
