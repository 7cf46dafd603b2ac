"""What the house asks the room: for something that is missing, or whether something was meant."""

from dataclasses import dataclass
from enum import StrEnum

from seance.rules import Category


class Question(StrEnum):
    """What a question asks for; a bare answer to it is the intent `answer`."""

    EDITION = "edition"
    PLAYERS = "players"
    LEVEL = "level"
    PSYCHICS = "psychics"
    STORY = "story"
    WHO_SPEAKS = "who_speaks"
    WHICH_CARD = "which_card"
    ON_WHOM = "on_whom"
    WHICH_GROUP = "which_group"
    WHO_IS_ELDEST = "who_is_eldest"
    WHAT_TO_CHANGE = "what_to_change"
    ROW = "row"
    """Which cards of a kind have the guests drawn?"""


class Doubt(StrEnum):
    """What is asked back before it is done: because it cannot be undone, or may be misheard."""

    BREAK_SILENCE = "break_silence"
    ACCUSE = "accuse"
    END = "end"
    BEGIN_ANEW = "begin_anew"
    MISHEARD = "misheard"
    VOTE = "vote"
    CHANGE_VOTE = "change_vote"
    """Shall a player's second vote replace the first?"""
    ELDEST = "eldest"
    SEAT = "seat"
    """Has the ghost just sat down?"""
    FREE_SEAT = "free_seat"
    """Shall the ghost's seat be free, as somebody at a page wants?"""
    PSYCHIC_SEAT = "psychic_seat"
    """Shall another phone have a psychic's seat?"""
    CHAIR = "chair"
    """Has a guest changed seats?"""
    ROW = "row"
    """Are these the cards that were drawn?"""
    CORRECT_ANSWER = "correct_answer"
    """Was the ghost's answer to a psychic really wrong?"""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnRow:
    """A row of cards that the guests draw themselves, as far as they have told it."""

    kind: Category
    needed: int
    """How many cards it has when it is whole."""
    edition: str
    cards: tuple[int, ...] = ()
    """From left to right."""
