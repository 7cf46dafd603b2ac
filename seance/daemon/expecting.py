"""What may be said now, for the ear and for typed words; what follows from it is not known here."""

from collections.abc import Mapping

import msgspec

from seance.codec import decode_command, view_fields
from seance.dialogue.conversation import Conversation, Customs
from seance.dialogue.sayable import sayable
from seance.dialogue.sentences import Ambiguous, Intent, Sentences
from seance.narration.cues import Expect
from seance.rules import Command, Edition, RoomView
from seance.typed import command_of


def expecting(conversation: Conversation, room: RoomView | None, customs: Customs) -> Expect:
    """Return what may be said now."""
    now = sayable(conversation, room, customs=customs)
    return Expect(
        intents=now.intents,
        cards=now.cards,
        psychics=now.psychics,
        groups=now.groups,
        numbers=now.numbers,
        places=now.places,
        asleep=now.asleep,
    )


def narrowed(sentences: Sentences, expect: Expect) -> Sentences:
    """Return those of *sentences* that may be said now."""
    return sentences.narrowed(
        expect.intents,
        cards=expect.cards,
        psychics=expect.psychics,
        groups=expect.groups,
        numbers=expect.numbers,
        places=expect.places,
    )


def understood(words: str, sentences: Sentences, expect: Expect) -> Intent | None:
    """Return what *words* mean to what may be said now, else to anything that can be said at all."""
    try:
        return narrowed(sentences, expect).match(words) or sentences.match(words)
    except Ambiguous:
        return None


def ghosts_command(words: str, room: RoomView, editions: Mapping[str, Edition]) -> Command:
    """Return what the ghost asks for by *words*, or raise NotACommand."""
    return decode_command(command_of(words, msgspec.to_builtins(view_fields(room))), editions)
