"""Gathering what the room wishes to play, until a night can begin."""

from collections.abc import Mapping
from dataclasses import replace

from seance.dialogue.conversation_state import Defaults, SetupWishes
from seance.dialogue.grammar.sentences import Slot
from seance.dialogue.grammar.spoken_names import OR
from seance.dialogue.opening import Opening, chosen_opening
from seance.dialogue.questions import DrawnRow, Question
from seance.dialogue.replies import Ask, Summary, WrongPlayers
from seance.rules import Begin, Category, Deal, Edition, Psychic, Table

_PLAIN_SLOTS = ("edition", "players", "level", "by_hand", "variant", "drawn")


def add_slots(wishes: SetupWishes, slots: Mapping[str, Slot], defaults: Defaults) -> SetupWishes:
    """Return *wishes* with what was just said, without earlier wishes that conflict with it."""
    before, said = wishes, {name: value for name, value in slots.items() if name in _PLAIN_SLOTS}
    wishes = replace(wishes, **said)  # type: ignore[arg-type]
    if "story" in slots:
        wishes = replace(wishes, story=Opening(str(slots["story"])))
    named = slots.get("psychics")
    if isinstance(named, tuple):
        wishes = replace(wishes, psychics=_distinct(*(Psychic(str(each)) for each in named)))
    if "edition" in slots and "variant" not in slots and not _has_variant(wishes, defaults):
        wishes = replace(wishes, variant=None)
    wishes = _drop_conflicts(wishes, defaults)
    if wishes != before:
        wishes = replace(wishes, agreed=False)
    if wishes.rows != Table() and not _same_rows(before, wishes, defaults):
        wishes = replace(wishes, rows=Table())
    return wishes


def refuse_players(
    before: SetupWishes, slots: Mapping[str, Slot], after: SetupWishes, defaults: Defaults
) -> WrongPlayers | None:
    """Return why the number of players was dropped when *slots* were added to *before*; None where it was not."""
    wanted = slots.get("players", before.players)
    if not isinstance(wanted, int) or after.players is not None:
        return None
    limits = playable_numbers(after, defaults)
    return WrongPlayers(edition=after.edition, players=wanted, least=limits[0], most=limits[-1])


def playable_numbers(wishes: SetupWishes, defaults: Defaults) -> range:
    """Return the numbers of players of the edition that was chosen; where none was, those of all editions."""
    editions = [edition_of(wishes, defaults)] if wishes.edition is not None else defaults.editions.values()
    return range(min(each.least_players for each in editions), max(each.most_players for each in editions) + 1)


def add_psychic(wishes: SetupWishes, psychic: Psychic, defaults: Defaults) -> SetupWishes:
    """Return *wishes* with *psychic* among those who play, as long as there is a place left."""
    more = replace(wishes, psychics=_distinct(*wishes.psychics, psychic))
    return more if more == _drop_conflicts(more, defaults) else wishes


def fill_default(wishes: SetupWishes, question: Question, defaults: Defaults) -> SetupWishes:
    """Return *wishes* with *question* answered by the defaults."""
    match question:
        case Question.EDITION:
            named = defaults.edition if defaults.edition in _choices(question, wishes, defaults) else None
            chosen = replace(wishes, edition=named or _choices(question, wishes, defaults)[0])
            wishes = _drop_conflicts(chosen, defaults)
        case Question.PLAYERS:
            numbers = playable_numbers(wishes, defaults)
            wishes = replace(wishes, players=min(max(defaults.players, numbers[0]), numbers[-1]))
        case Question.LEVEL:
            levels = tuple(edition_of(wishes, defaults).levels)
            wishes = replace(wishes, level=defaults.level if defaults.level in levels else levels[0])
        case Question.PSYCHICS:
            wishes = replace(
                wishes, psychics=_distinct(*wishes.psychics, *Psychic)[: psychics_needed(wishes, defaults)]
            )
        case Question.STORY:
            wishes = replace(wishes, story=defaults.opening)
    return _drop_conflicts(wishes, defaults)


def first_missing(wishes: SetupWishes, defaults: Defaults) -> Question | None:
    """Return the question that must be asked next, or None when everything was said."""
    there = {
        Question.PLAYERS: wishes.players is not None,
        Question.EDITION: wishes.edition is not None,
        Question.LEVEL: wishes.level is not None,
        Question.PSYCHICS: psychics_needed(wishes, defaults) in (len(wishes.psychics), len(Psychic)),
        Question.STORY: wishes.story is not None,
    }
    return next((question for question, is_there in there.items() if not is_there), None)


def ask_for(question: Question, wishes: SetupWishes, defaults: Defaults) -> Ask:
    """Return *question* with its choices; for psychics, with the last one who was named and how many must play."""
    choices = _choices(question, wishes, defaults)
    if question is not Question.PSYCHICS:
        return Ask(question=question, choices=choices)
    last = wishes.psychics[-1] if wishes.psychics else None
    return Ask(question=question, psychic=last, choices=choices, needed=psychics_needed(wishes, defaults))


def psychics_needed(wishes: SetupWishes, defaults: Defaults) -> int:
    """Return how many psychics must play."""
    return edition_of(wishes, defaults).psychics(wishes.players or defaults.players)


def begin_command(wishes: SetupWishes, defaults: Defaults) -> Begin:
    """Return the command that begins the night that was agreed, without a seed."""
    for _ in Question:
        if (question := first_missing(wishes, defaults)) is not None:
            wishes = fill_default(wishes, question, defaults)
    by_hand = defaults.by_hand if wishes.by_hand is None else wishes.by_hand
    return Begin(
        edition=edition_of(wishes, defaults),
        players=wishes.players or defaults.players,
        level=wishes.level or defaults.level,
        psychics=_distinct(*wishes.psychics, *Psychic)[: psychics_needed(wishes, defaults)],
        deal=Deal.HAND if by_hand else Deal.MANOR,
        visions=defaults.visions,
        variant=_variant(wishes, defaults),
        table=wishes.rows if wishes.drawn and wishes.agreed else None,
    )


def next_row(wishes: SetupWishes, defaults: Defaults) -> Category | None:
    """Return the kind of card that the guests draw next; None when all rows are told, or the house draws."""
    order = edition_of(wishes, defaults).order if wishes.drawn else ()
    return next((kind for kind in order if not wishes.rows.of(kind)), None)


def empty_row(kind: Category, wishes: SetupWishes, defaults: Defaults) -> DrawnRow:
    """Return a row of *kind* of which nothing was told yet."""
    edition = edition_of(wishes, defaults)
    return DrawnRow(kind=kind, needed=_laid_out(wishes, defaults), edition=edition.name)


def add_row(wishes: SetupWishes, row: DrawnRow) -> SetupWishes:
    """Return *wishes* with the cards of *row*."""
    return replace(wishes, rows=replace(wishes.rows, **{str(row.kind): row.cards}))


def drop_last_row(wishes: SetupWishes, defaults: Defaults) -> SetupWishes:
    """Return *wishes* without the row that was drawn last."""
    told = [kind for kind in edition_of(wishes, defaults).order if wishes.rows.of(kind)]
    return replace(wishes, rows=replace(wishes.rows, **{str(kind): () for kind in told[-1:]}))


def _laid_out(wishes: SetupWishes, defaults: Defaults) -> int:
    """Return how many cards of each kind are laid out."""
    night = begin_command(wishes, defaults)
    return night.edition.levels[night.level].laid_out[night.players]


def _same_rows(before: SetupWishes, after: SetupWishes, defaults: Defaults) -> bool:
    """Return whether rows that were drawn for *before* can be kept."""
    return before.edition == after.edition and _laid_out(before, defaults) == _laid_out(after, defaults)


def summarise(wishes: SetupWishes, defaults: Defaults) -> Summary:
    """Return the summary that is said before the night begins."""
    night = begin_command(wishes, defaults)
    return Summary(
        edition=night.edition.name,
        players=night.players,
        level=night.level,
        psychics=night.psychics or (),
        story=chosen_opening(wishes.story) or defaults.opening,
        by_hand=night.deal is Deal.HAND,
        variant=night.variant,
        drawn=bool(wishes.drawn),
    )


def _drop_conflicts(wishes: SetupWishes, defaults: Defaults) -> SetupWishes:
    """Return *wishes* without those that cannot be played together."""
    if wishes.players is not None and wishes.players not in playable_numbers(wishes, defaults):
        wishes = replace(wishes, players=None)
    if not _choices(Question.EDITION, wishes, defaults):
        wishes = replace(wishes, variant=None)
    if wishes.edition is not None and not _has_variant(wishes, defaults):
        wishes = replace(wishes, edition=None)
    if wishes.edition is not None and wishes.level is not None:
        its_levels = edition_of(wishes, defaults).levels
        wishes = replace(wishes, level=next((each for each in wishes.level.split(OR) if each in its_levels), None))
    if (
        wishes.players is not None
        and wishes.edition is not None
        and len(wishes.psychics) > psychics_needed(wishes, defaults)
    ):
        wishes = replace(wishes, psychics=())
    return wishes


def _choices(question: Question, wishes: SetupWishes, defaults: Defaults) -> tuple[str, ...]:
    match question:
        case Question.EDITION:
            playable = (replace(wishes, edition=name) for name in defaults.editions)
            return tuple(each.edition or "" for each in playable if _is_playable(each, defaults))
        case Question.LEVEL:
            return tuple(edition_of(wishes, defaults).levels)
        case Question.PSYCHICS:
            return tuple(psychic for psychic in Psychic if psychic not in wishes.psychics)
    return ()


def edition_of(wishes: SetupWishes, defaults: Defaults) -> Edition:
    """Return the edition of *wishes*, or the default where none was chosen."""
    return defaults.editions[wishes.edition or defaults.edition]


def _is_playable(wishes: SetupWishes, defaults: Defaults) -> bool:
    """Return whether the edition of *wishes* has their variant, and is for their number of players."""
    fits = wishes.players is None or wishes.players in edition_of(wishes, defaults).players
    return fits and _has_variant(wishes, defaults)


def _has_variant(wishes: SetupWishes, defaults: Defaults) -> bool:
    return wishes.variant is None or wishes.variant in edition_of(wishes, defaults).variants


def _variant(wishes: SetupWishes, defaults: Defaults) -> str | None:
    wanted = wishes.variant or defaults.variant
    return wanted if wanted in edition_of(wishes, defaults).variants else None


def _distinct(*psychics: Psychic) -> tuple[Psychic, ...]:
    return tuple(dict.fromkeys(psychics))
