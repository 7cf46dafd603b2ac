"""Dealing a night (L1-L8, I1, P1, M1, M5, S1, S2)."""

from seance.rules import events as e
from seance.rules import refusals as r
from seance.rules.chance import shuffled
from seance.rules.commands import Begin
from seance.rules.course import Course
from seance.rules.deck import draw_back
from seance.rules.editions import VISION_CARDS, Edition
from seance.rules.state import State
from seance.rules.terms import Category, Deal, Psychic, Table, Trio, Visions


def begin(state: State | None, command: Begin) -> Course:
    """Lay the table, and deal what the manor deals."""
    if state is not None and state.outcome is None:
        raise r.NightUnderWay(state.hour)
    if command.seed is None:
        raise r.SeedMissing
    edition = _edition(command)
    laid_out = _laid_out(edition, command)
    psychics = _psychics(edition, command)
    if command.table is not None:
        _check_drawn(command.table, edition, laid_out)
    table = command.table or Table(*(_row(command.seed, kind, edition.decks[kind], laid_out) for kind in Category))
    yield e.NightBegun(
        edition=edition,
        players=command.players,
        level=command.level,
        psychics=psychics,
        deal=command.deal,
        visions=command.visions,
        variant=command.variant,
        table=table,
    )
    state = yield e.SeedDrawn(command.seed)
    if command.players > edition.levels[command.level].advised_up_to:
        yield e.LevelWarned(command.level, command.players)
    if command.deal is Deal.MANOR:
        state = yield e.SecretsDealt(_secret(command.seed, table, len(psychics)))
    if command.visions is Visions.DEALT:
        state = yield e.PileShuffled(shuffled(command.seed, "visions/0", range(1, VISION_CARDS + 1)))
        yield from draw_back(state)


def _edition(command: Begin) -> Edition:
    if command.variant is None:
        return command.edition
    if command.variant not in command.edition.variants:
        raise r.UnknownVariant(command.edition.name, command.variant)
    return command.edition.variants[command.variant]


def _laid_out(edition: Edition, command: Begin) -> int:
    if command.level not in edition.levels:
        raise r.UnknownLevel(edition.name, command.level, ", ".join(edition.levels))
    if command.players not in edition.players:
        raise r.WrongNumberOfPlayers(command.players, edition.least_players, edition.most_players)
    return edition.levels[command.level].laid_out[command.players]


def _psychics(edition: Edition, command: Begin) -> tuple[Psychic, ...]:
    needed = edition.psychics(command.players)
    psychics = tuple(Psychic)[:needed] if command.psychics is None else command.psychics
    if len(psychics) != needed or len(set(psychics)) != needed:
        raise r.WrongPsychics(", ".join(psychics), needed, command.players)
    return psychics


def _check_drawn(table: Table, edition: Edition, laid_out: int) -> None:
    """Raise a refusal unless the guests have drawn as many different cards of each kind as are laid out (L2)."""
    for kind in Category:
        check_row(table.of(kind), kind, edition, laid_out)


def check_row(row: tuple[int, ...], kind: Category, edition: Edition, laid_out: int, *, is_whole: bool = True) -> None:
    """Raise a refusal unless *row* has as many different cards of *kind* as are laid out, or is the beginning of it."""
    for at, card in enumerate(row):
        if card not in edition.decks[kind]:
            raise r.CardNotInEdition(card, kind, edition.name)
        if card in row[:at]:
            raise r.CardDrawnTwice(card, kind)
    if is_whole and len(row) != laid_out:
        raise r.WrongNumberOfCards(kind, len(row), laid_out)


def _row(seed: int, kind: Category, deck: tuple[int, ...], laid_out: int) -> tuple[int, ...]:
    return tuple(sorted(shuffled(seed, f"table/{kind}", deck)[:laid_out]))


def _secret(seed: int, table: Table, psychics: int) -> tuple[Trio, ...]:
    columns = [shuffled(seed, f"secret/{kind}", table.of(kind))[:psychics] for kind in Category]
    return tuple(Trio(*cards) for cards in zip(*columns, strict=True))
