"""Expected intents for the sentences of the benches, as a night narrows the grammar."""

from __future__ import annotations

import random
from dataclasses import replace

from seance.dialogue.conversation_state import Conversation, PendingQuestion, UndoStep
from seance.dialogue.expected_intents import ExpectedIntents, expected_intents
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.questions import Question
from seance.dialogue.replies import Ask
from seance.rules import LIBELLUD, Begin, Category, Phase, Psychic, apply, room_view
from seance.rules.terms import Group

_NIGHT = room_view(apply(None, Begin(edition=LIBELLUD, players=5, level="easy", seed=1894))[0])
"""Four psychics, eighteen cards."""
_TABLE = tuple(card for kind in Category for card in _NIGHT.table.of(kind))
_GROUPS = tuple(Group(n + 1, (_TABLE[n], _TABLE[n + 6], _TABLE[n + 12]), None) for n in range(4))
_SETTING_UP = Conversation(setting_up=True, pending=PendingQuestion(ask=Ask(question=Question.STORY)))

_CHOSEN = Conversation(done=(UndoStep(psychic=Psychic.RED, what="intuition", value=_TABLE[0]),))

MOMENTS: tuple[ExpectedIntents, ...] = (
    expected_intents(_CHOSEN, _NIGHT),
    *(
        expected_intents(Conversation(), replace(_NIGHT, phase=phase, groups=_GROUPS))
        for phase in (Phase.VOTE, Phase.ACCUSATION, Phase.ELDEST)
    ),
    expected_intents(Conversation(), None),
    expected_intents(Conversation(asleep=True), _NIGHT),
    expected_intents(_SETTING_UP, None),
)
"""Grammars of a night; the first holds most of the time, while the psychics talk over their visions."""


def expected_when_said(said: Intent | None, chance: random.Random) -> ExpectedIntents:
    """Return what is expected when *said* is said: its card and psychics are on the table, the others are random.

    Whoever chooses that card is searching for its kind; the others search for any.
    """
    name, slots = (said.name, said.slots) if said else ("", {})
    now = next((moment for moment in MOMENTS if name in moment.intents), MOMENTS[0])
    cards, psychics = now.cards, now.psychics
    if cards is not None and "card" in slots:
        others = [card for card in range(1, 55) if card != slots["card"]]
        cards = frozenset({slots["card"], *chance.sample(others, len(_TABLE) - 1)})  # type: ignore[arg-type]
    if psychics is not None:
        named = {Psychic(slots[slot]) for slot in ("psychic", "by", "on") if slot in slots}  # type: ignore[arg-type]
        others = [psychic for psychic in Psychic if psychic not in named]
        psychics = frozenset({*named, *chance.sample(others, len(_NIGHT.psychics) - len(named))})
    kinds = {card: tuple(Category)[min((card - 1) // 18, 2)] for card in cards or ()}
    sought = {psychic: chance.choice(tuple(Category)) for psychic in psychics or ()}
    kind = slots.get("kind") or kinds.get(slots.get("card"))  # type: ignore[arg-type]
    if kind is not None:
        who = Psychic(slots["psychic"]) if "psychic" in slots else chance.choice(tuple(sought))
        sought[who] = Category(str(kind))
    return replace(now, cards=cards, psychics=psychics, sought=sought, kinds=kinds)
