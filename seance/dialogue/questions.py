"""What the house asks the room: for something that is missing, or whether something was meant."""

from enum import StrEnum


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


class Doubt(StrEnum):
    """What is asked back before it is done: because it cannot be undone, or may be misheard."""

    BREAK_SILENCE = "break_silence"
    ACCUSE = "accuse"
    END = "end"
    BEGIN_ANEW = "begin_anew"
    MISHEARD = "misheard"
    VOTE = "vote"
    ELDEST = "eldest"
    SEAT = "seat"
    """Has the ghost just sat down?"""
    FREE_SEAT = "free_seat"
    """Shall the ghost's seat be free, as somebody at a page wants?"""
