"""What may be said now, from what lies on the table and what was asked; not what is heard."""

from collections.abc import Iterable, Mapping

from seance.dialogue.replies import Ask, AskBack, Question, Reply, Summary
from seance.narration.cues import Expect
from seance.rules import Category, Phase, Psychic, RoomView
from seance.rules.editions import MOST_PLAYERS

CONTROL = frozenset(
    ["repeat", "pause", "resume", "louder", "quieter", "hush", "sleep", "wake", "end", "begin", "enrol", "free_seat"]
)
"""What may be said to the house at any time."""

QUESTIONS = frozenset(["ask_time", "ask_hour", "ask_missing", "ask_options", "ask_table", "ask_crows", "ask_progress"])

_CHOOSING = frozenset(["place_intuition", "bet", "withdraw_bet", "call_time", "take_back"])

PHASES: Mapping[Phase | None, frozenset[str]] = {
    None: frozenset(["setup"]),
    Phase.VISIONS: _CHOOSING | {"give_vision", "turn_sand", "break_silence"},
    Phase.INTERPRETATION: _CHOOSING | {"break_silence"},
    Phase.MANIFESTATION: frozenset(["break_silence"]),
    Phase.LINEUP: frozenset(["break_silence"]),
    Phase.SHARED_VISION: frozenset(["break_silence"]),
    Phase.VOTE: frozenset(["vote", "turn_shared_vision", "break_silence"]),
    Phase.ELDEST: frozenset(["name_eldest", "answer", "break_silence"]),
    # A bare "group three" is the intent `vote`: here it means a ball.
    Phase.ACCUSATION: frozenset(["point_at", "vote", "accuse", "break_silence"]),
    Phase.OVER: frozenset(["setup"]),
}
"""What belongs to each phase, beside CONTROL and QUESTIONS; None is before the night."""

_YES_OR_NO = frozenset(["yes", "no"])


def expecting(room: RoomView | None, asked: Reply | None = None, *, asleep: bool = False) -> Expect:
    """Return what may be said now; *asked* is the question that is open, if any."""
    if asleep:
        return Expect(intents=frozenset(["wake"]), asleep=True)
    intents = CONTROL | QUESTIONS | PHASES[room.phase if room else None] | _answers(asked)
    question = asked.question if isinstance(asked, Ask) else None
    if room is None or room.phase is Phase.OVER:
        return Expect(intents=intents, numbers=_numbers(question, frozenset(), frozenset()))
    cards, groups = cards_expected(room), frozenset(group.group for group in room.groups)
    return Expect(
        intents=intents,
        cards=cards,
        psychics=_psychics(room, question),
        groups=groups,
        numbers=_numbers(question, cards, groups),
    )


def cards_expected(room: RoomView) -> frozenset[int]:
    """Return the cards that can be named: of the kinds still searched, or of the groups once all is found."""
    if room.groups:
        return frozenset(card for group in room.groups for card in group.cards)
    kinds = {psychic.searching for psychic in room.psychics} & set(Category)
    return frozenset(card for kind in kinds for card in room.table.of(Category(kind)))


def _answers(asked: Reply | None) -> frozenset[str]:
    if isinstance(asked, AskBack):
        return _YES_OR_NO
    if isinstance(asked, Summary):
        return _YES_OR_NO | {"setup"}
    if isinstance(asked, Ask):
        return frozenset(["answer"]) | _SETUP.get(asked.question, frozenset())
    return frozenset()


_SETUP: Mapping[Question, frozenset[str]] = {
    Question.EDITION: frozenset(["setup"]),
    Question.PLAYERS: frozenset(["setup"]),
    Question.LEVEL: frozenset(["setup"]),
    Question.PSYCHICS: frozenset(["setup"]),
    Question.STORY: frozenset(["setup"]) | _YES_OR_NO,
}


def _psychics(room: RoomView, question: Question | None) -> frozenset[Psychic]:
    if question is Question.WHO_IS_ELDEST and room.eldest_of:
        return frozenset(room.eldest_of)
    return frozenset(psychic.colour for psychic in room.psychics)


def _numbers(question: Question | None, cards: Iterable[int], groups: Iterable[int]) -> frozenset[int]:
    """Return the bare numbers that answer *question*."""
    if question is Question.PLAYERS:
        return frozenset(range(2, MOST_PLAYERS + 1))
    if question is Question.WHICH_CARD:
        return frozenset(cards)
    return frozenset(groups) if question is Question.WHICH_GROUP else frozenset()
