"""Forming the groups and fixing the culprit (L26-L28, L37, I7, I8, M2)."""

from seance.rules import commands as c
from seance.rules import events as e
from seance.rules import refusals as r
from seance.rules.chance import shuffled
from seance.rules.course import Course
from seance.rules.deck import draw_back
from seance.rules.state import Search, State
from seance.rules.terms import Category, Group, Psychic


def form_lineup(state: State) -> Course:
    """Lay the groups on the table, and draw the culprit in editions where nobody chooses it."""
    groups = tuple(
        Group(number, _trio(state, search), search.psychic) for number, search in enumerate(state.searches, start=1)
    )
    state = yield e.LineupFormed(groups + _extra_groups(state))
    if state.setup.tokens:
        state = yield e.TokensReturned()
    state = yield from draw_back(state)
    if state.setup.edition.culprit_is_drawn:
        numbers = [group.group for group in groups]
        yield e.CulpritMarked(shuffled(state.setup.seed, "culprit", numbers)[0])
        yield e.CulpritChosen()


def _trio(state: State, search: Search) -> tuple[int, int, int]:
    found = dict(zip(state.setup.edition.order, search.found, strict=True))
    return (found[Category.CHARACTER], found[Category.LOCATION], found[Category.OBJECT])


def _extra_groups(state: State) -> tuple[Group, ...]:
    """Return groups made at random from cards that nobody found (L37)."""
    setup = state.setup
    extra = setup.edition.extra_groups.get(setup.players, 0)
    rows = [shuffled(setup.seed, f"groups/{kind}", state.table.of(kind))[:extra] for kind in Category]
    trios = zip(*rows, strict=True)
    return tuple(Group(number, trio, None) for number, trio in enumerate(trios, start=len(setup.psychics) + 1))


def number_groups(state: State, command: c.NumberGroups) -> Course:
    """Number the psychics' groups as they like (L26)."""
    psychics = state.setup.psychics
    if sorted(command.order) != sorted(psychics):
        raise r.WrongOrder(", ".join(command.order), ", ".join(psychics))
    number: dict[Psychic | None, int] = {psychic: at for at, psychic in enumerate(command.order, start=1)}
    groups = [
        Group(number.get(group.psychic, group.group), group.cards, group.psychic) for group in state.ending.groups
    ]
    yield e.GroupsNumbered(tuple(sorted(groups, key=lambda group: group.group)))


def standing(state: State, number: int) -> Group:
    """Return the group called *number*, or raise NoSuchGroup."""
    group = state.group(number)
    if group is None:
        raise r.NoSuchGroup(number, ", ".join(str(group.group) for group in state.ending.groups))
    return group


def choose_culprit(state: State, command: c.ChooseCulprit) -> Course:
    """Mark the culprit's group (L28, I8, P3)."""
    standing(state, command.group)
    yield e.CulpritMarked(command.group)
    yield e.CulpritChosen()
