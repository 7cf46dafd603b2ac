"""What the room wishes to play, until it is a whole night to begin; what is left out is asked for, not guessed."""

from collections.abc import Mapping
from dataclasses import replace

from seance.dialogue.conversation_state import Customs, Wishes
from seance.dialogue.grammar.sentences import Slot
from seance.dialogue.replies import Ask, Question, Summary
from seance.rules import Begin, Deal, Edition, Psychic
from seance.rules.editions import MOST_PLAYERS

FEWEST_PLAYERS = 2
_PLAIN = ("edition", "players", "level", "story", "by_hand", "variant")


def wished(wishes: Wishes, slots: Mapping[str, Slot], customs: Customs) -> Wishes:
    """Return *wishes* with what was just said; what does not go together with it must be said anew."""
    said = {name: value for name, value in slots.items() if name in _PLAIN}
    wishes = replace(wishes, **said)  # type: ignore[arg-type]
    named = slots.get("psychics")
    if isinstance(named, tuple):
        wishes = replace(wishes, psychics=_distinct(*map(Psychic, named)))
    if "edition" in slots and "variant" not in slots and not _is_playable(wishes, customs):
        wishes = replace(wishes, variant=None)
    return _agreeing(wishes, customs)


def joined(wishes: Wishes, psychic: Psychic, customs: Customs) -> Wishes:
    """Return *wishes* with one more psychic who plays, as long as there is room."""
    more = replace(wishes, psychics=_distinct(*wishes.psychics, psychic))
    return more if more == _agreeing(more, customs) else wishes


def defaulted(wishes: Wishes, question: Question, customs: Customs) -> Wishes:
    """Return *wishes* with the answer that the house gives itself to *question*."""
    match question:
        case Question.EDITION:
            named = customs.edition if customs.edition in _choices(question, wishes, customs) else None
            wishes = replace(wishes, edition=named or _choices(question, wishes, customs)[0])
        case Question.PLAYERS:
            wishes = replace(wishes, players=customs.players)
        case Question.LEVEL:
            levels = tuple(_edition(wishes, customs).levels)
            wishes = replace(wishes, level=customs.level if customs.level in levels else levels[0])
        case Question.PSYCHICS:
            wishes = replace(wishes, psychics=_distinct(*wishes.psychics, *Psychic)[: needed(wishes, customs)])
        case Question.STORY:
            wishes = replace(wishes, story=customs.story)
    return _agreeing(wishes, customs)


def first_missing(wishes: Wishes, customs: Customs) -> Question | None:
    """Return what must be asked for next, or None when everything is said."""
    there = {
        Question.PLAYERS: wishes.players is not None,
        Question.EDITION: wishes.edition is not None,
        Question.LEVEL: wishes.level is not None,
        Question.PSYCHICS: needed(wishes, customs) in (len(wishes.psychics), len(Psychic)),
        Question.STORY: wishes.story is not None,
    }
    return next((question for question, is_there in there.items() if not is_there), None)


def asking(question: Question, wishes: Wishes, customs: Customs) -> Ask:
    """Return *question* with what may be answered; for psychics, with the last one that was named."""
    last = wishes.psychics[-1] if wishes.psychics and question is Question.PSYCHICS else None
    return Ask(question=question, psychic=last, choices=_choices(question, wishes, customs))


def needed(wishes: Wishes, customs: Customs) -> int:
    """Return how many psychics play."""
    return _edition(wishes, customs).psychics(wishes.players or customs.players)


def begin(wishes: Wishes, customs: Customs) -> Begin:
    """Return the night that was agreed; whoever carries it out draws the seed."""
    for _ in Question:
        if (question := first_missing(wishes, customs)) is not None:
            wishes = defaulted(wishes, question, customs)
    by_hand = customs.by_hand if wishes.by_hand is None else wishes.by_hand
    return Begin(
        edition=_edition(wishes, customs),
        players=wishes.players or customs.players,
        level=wishes.level or customs.level,
        psychics=_distinct(*wishes.psychics, *Psychic)[: needed(wishes, customs)],
        deal=Deal.HAND if by_hand else Deal.MANOR,
        visions=customs.visions,
        variant=_variant(wishes, customs),
    )


def summary(wishes: Wishes, customs: Customs) -> Summary:
    """Return what will be played, as it is said before the night begins."""
    night = begin(wishes, customs)
    return Summary(
        edition=night.edition.name,
        players=night.players,
        level=night.level,
        psychics=night.psychics or (),
        story=customs.story if wishes.story is None else wishes.story,
        by_hand=night.deal is Deal.HAND,
        variant=night.variant,
    )


def _agreeing(wishes: Wishes, customs: Customs) -> Wishes:
    """Return *wishes* without what cannot be played together: it is asked for again."""
    if wishes.players is not None and not FEWEST_PLAYERS <= wishes.players <= MOST_PLAYERS:
        wishes = replace(wishes, players=None)
    if not _choices(Question.EDITION, wishes, customs):
        wishes = replace(wishes, variant=None)
    if wishes.edition is not None and not _is_playable(wishes, customs):
        wishes = replace(wishes, edition=None)
    if wishes.edition is not None and wishes.level not in (None, *_edition(wishes, customs).levels):
        wishes = replace(wishes, level=None)
    if wishes.players is not None and wishes.edition is not None and len(wishes.psychics) > needed(wishes, customs):
        wishes = replace(wishes, psychics=())
    return wishes


def _choices(question: Question, wishes: Wishes, customs: Customs) -> tuple[str, ...]:
    match question:
        case Question.EDITION:
            every = customs.editions.items()
            return tuple(n for n, e in every if wishes.variant is None or wishes.variant in e.variants)
        case Question.LEVEL:
            return tuple(_edition(wishes, customs).levels)
        case Question.PSYCHICS:
            return tuple(psychic for psychic in Psychic if psychic not in wishes.psychics)
    return ()


def _edition(wishes: Wishes, customs: Customs) -> Edition:
    return customs.editions[wishes.edition or customs.edition]


def _is_playable(wishes: Wishes, customs: Customs) -> bool:
    return wishes.edition in _choices(Question.EDITION, wishes, customs)


def _variant(wishes: Wishes, customs: Customs) -> str | None:
    wanted = wishes.variant or customs.variant
    return wanted if wanted in _edition(wishes, customs).variants else None


def _distinct(*psychics: Psychic) -> tuple[Psychic, ...]:
    return tuple(dict.fromkeys(psychics))
