"""The intents that are expected now, to which the recogniser is narrowed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from seance.dialogue.ballots import is_open_vote
from seance.dialogue.conversation_state import DEFAULTS, Conversation, Defaults, PendingQuestion, SetupWishes
from seance.dialogue.corrections import can_correct
from seance.dialogue.draw_talk import row_asked
from seance.dialogue.grammar.sentences import Intent, Sentences
from seance.dialogue.night_setup import playable_numbers
from seance.dialogue.questions import Doubt, Question
from seance.dialogue.sand_mode import SandMode
from seance.rules import Category, Deal, Phase, Psychic, RoomView

_HOUSE = frozenset({"louder", "quieter", "hush", "repeat", "sleep", "free_seat", "ask_options", "ask_next", "ask_page"})
_NIGHT = frozenset(
    {
        "ask_time",
        "ask_hour",
        "ask_missing",
        "ask_table",
        "ask_row",
        "ask_hands",
        "ask_crows",
        "ask_progress",
        "ask_tried",
        "end",
        "pause",
        "resume",
        "guest_leaves",
        "guest_returns",
    }
)
_ACTING = frozenset({"begin", "break_silence", "enrol", "take_back"})
_TALKING = frozenset({"place_intuition", "bet", "withdraw_bet", "call_time"})
_LAYING = frozenset({"setup", "ready", "yes", "no", "tell_story"})
"""While the table is being laid: the story may be skipped, and "is everything laid?" is answered."""

_PHASES: Mapping[Phase, frozenset[str]] = {
    Phase.VISIONS: _TALKING | {"give_vision", "turn_sand"},
    Phase.INTERPRETATION: _TALKING | {"turn_sand"},
    Phase.MANIFESTATION: frozenset({"correct_answer"}),
    Phase.LINEUP: frozenset({"number_groups", "tell_story"}),
    Phase.SHARED_VISION: frozenset({"tell_story"}),
    Phase.VOTE: frozenset({"vote", "turn_shared_vision", "accuse"}),
    Phase.ELDEST: frozenset({"name_eldest"}),
    Phase.ACCUSATION: frozenset({"vote", "point_at", "accuse"}),
    Phase.OVER: frozenset(),
}

UNLIKELY_PRIOR = 0.03
"""The prior of an intent that names a card nobody searches for, or a bet on oneself; all others have 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedIntents:
    """The intents that may be said now, and the values that their slots may have; None does not narrow."""

    intents: frozenset[str]
    cards: frozenset[int] | None = None
    psychics: frozenset[Psychic] | None = None
    groups: frozenset[int] | None = None
    numbers: frozenset[int] | None = None
    places: frozenset[int] | None = None
    drawn: frozenset[int] | None = None
    """The cards of a row that the guests draw themselves."""
    sought: Mapping[Psychic, str] = field(default_factory=dict, hash=False)
    """The kind of card that each psychic searches for, or `done`."""
    kinds: Mapping[int, str] = field(default_factory=dict, hash=False)
    """The kind of each card on the table."""
    asleep: bool = False
    """Whether only `wake` is expected."""

    def narrow(self, sentences: Sentences) -> Sentences:
        """Return those of *sentences* that may be said now."""
        return sentences.narrow(
            self.intents,
            cards=self.cards,
            psychics=self.psychics,
            groups=self.groups,
            numbers=self.numbers,
            places=self.places,
            drawn=self.drawn,
        )

    def prior(self, intent: Intent) -> float:
        """Return the prior weight (0 to 1) of *intent*: people choose cards they search for, and bet on others."""
        slots = intent.slots
        if intent.name in ("place_intuition", "correct_choice"):
            card = slots.get("card")
            kind = slots.get("kind") or (self.kinds.get(card) if isinstance(card, int) else None)
            wanted = {kind for psychic, kind in self.sought.items() if slots.get("psychic") in (None, psychic)}
            fitting = kind is None or not self.sought or kind in wanted
        else:
            fitting = "on" not in slots or slots["on"] != slots.get("by")
        return 1.0 if fitting else UNLIKELY_PRIOR


def expected_intents(
    conversation: Conversation, room: RoomView | None, *, defaults: Defaults = DEFAULTS
) -> ExpectedIntents:
    """Return the intents that are expected at this point of the conversation."""
    if conversation.asleep:
        return ExpectedIntents(intents=frozenset({"wake"}), asleep=True)
    answers, pending = _answers(conversation.pending), conversation.pending
    seated = frozenset({"yes", "no"}) if conversation.sitting else frozenset[str]()
    if room is None or room.outcome is not None or conversation.setting_up:
        under_way = {"end", "take_back"} if conversation.setting_up else set()
        under_way |= {"yes"} if conversation.setting_up and pending is None else set()
        players = playable_numbers(SetupWishes(), defaults) if _asks(pending, Question.PLAYERS) else ()
        intents = _HOUSE | seated | answers | under_way | {"begin", "setup", "enrol", "tell_story"}
        return ExpectedIntents(intents=intents, numbers=frozenset(players), drawn=_drawn(pending, defaults))
    intents = _HOUSE | _NIGHT | answers
    if not conversation.paused:
        intents |= _ACTING | _PHASES[room.phase] - _absent(room, defaults)
        intents |= _LAYING if conversation.laying_out else set()
        intents |= {"correct_choice"} if can_correct(conversation, room) else set()
    elif not (pending and pending.ask_back and pending.ask_back.doubt is Doubt.END):
        intents -= answers
    intents |= seated
    cards = {card for kind in Category for card in room.table.of(kind)} | {c for g in room.groups for c in g.cards}
    groups = frozenset(group.group for group in room.groups)
    wanted = cards if _asks(pending, Question.WHICH_CARD) else groups if _asks(pending, Question.WHICH_GROUP) else ()
    return ExpectedIntents(
        intents=intents,
        cards=frozenset(cards),
        psychics=frozenset(psychic.colour for psychic in room.psychics),
        groups=groups,
        numbers=frozenset(wanted),
        places=frozenset(range(1, max(len(room.laid_out.of(kind)) for kind in Category) + 1)),
        sought={psychic.colour: psychic.searching for psychic in room.psychics},
        kinds={card: kind for kind in Category for card in room.table.of(kind)},
    )


def _answers(pending: PendingQuestion | None) -> frozenset[str]:
    """Return the intents that answer an open question; none where no question is open."""
    if pending is None:
        return frozenset()
    if row_asked(pending) is not None:
        return frozenset({"draw_row", "no"} if pending.ask else {"draw_row", "yes", "no"})
    if pending.ask is None:
        return frozenset({"yes", "no"}) if pending.summary is None else frozenset({"yes", "no", "answer"})
    of_story = {"yes", "answer_story"} if pending.question is Question.STORY else set()
    return frozenset({"answer", "no"} | of_story)


def _drawn(pending: PendingQuestion | None, defaults: Defaults) -> frozenset[int] | None:
    """Return the cards that may be in the row that *pending* is about."""
    row = row_asked(pending)
    return None if row is None else frozenset(defaults.editions[row.edition].decks[row.kind])


def _asks(pending: PendingQuestion | None, question: Question) -> bool:
    return pending is not None and pending.question is question


def _absent(room: RoomView, defaults: Defaults) -> frozenset[str]:
    """Return the intents of this phase that have no use in this edition, or with this number of players."""
    edition = defaults.edition_of(room)
    is_sand_turned = room.phase is Phase.INTERPRETATION and defaults.sand is not SandMode.ON_REQUEST
    absent = {"turn_sand"} if edition.sand_seconds is None or is_sand_turned else set()
    absent |= {"correct_answer"} if room.deal is Deal.MANOR else set()
    if all(psychic.tokens_left is None for psychic in room.psychics):
        absent |= {"bet", "withdraw_bet"}
    if room.phase is Phase.VOTE:
        absent |= {"turn_shared_vision"} if is_open_vote(room, edition) else {"accuse"}
    return frozenset(absent)
