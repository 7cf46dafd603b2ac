"""Cues for laying the table: what goes where, whether everything is laid, and the first turn."""

from collections.abc import Iterator

from seance.dialogue import replies as r
from seance.dialogue.opening import Opening
from seance.narration.cue_builder import MOODS, CueBuilder
from seance.narration.cues import Earcon, Sound, StopSpeaking
from seance.narration.staged_replies import tell_reply
from seance.rules import Category, Deal, Edition, Phase, RoomView, Table

BETWEEN_CARDS_S = 1.5
"""Time to find a card and lay it down, in seconds."""
BETWEEN_ROWS_S = 3.0
BETWEEN_STEPS_S = 2.0


@tell_reply.register
def _tell_lay_out(reply: r.LayOut, cues: CueBuilder) -> None:
    for at, (kind, cards) in enumerate(_rows(reply.table)):
        if not cues.is_full:
            cues.say("layout.all", category=kind, cards=cards)
            continue
        if at:
            cues.pause(BETWEEN_ROWS_S)
        elif len(_rows(reply.table)) > 1:
            cues.say("layout.kind", category=kind)
        cues.say_slowly("layout.all", BETWEEN_CARDS_S, category=kind, cards=cards)


@tell_reply.register
def _tell_hands_answer(reply: r.HandsAnswer, cues: CueBuilder) -> None:
    """Say what to do with hands in this phase, in the words of the lessons."""
    for key in _hands_keys(reply.topic, cues.room):
        cues.say(key, **{str(kind): kind for kind in Category})


def _hands_keys(topic: str, room: RoomView | None) -> tuple[str, ...]:
    """Return the keys of the lines that answer a question about *topic* in *room*."""
    if topic == "bet":
        plays_tokens = room is not None and any(each.tokens_left is not None for each in room.psychics)
        return ("lesson.clairvoyancy", "hands.bets") if plays_tokens else ("refusal.no_tokens",)
    if topic == "look":
        return ("hands.look",)
    if room is not None and room.groups:
        return ("hands.lineup",) if topic != "token" else ("lesson.lineup",)
    if topic == "visions":
        return ("lesson.found", "hands.keep")
    answered = room is not None and room.phase is Phase.MANIFESTATION
    by_topic = {"card": ("lesson.found",), "token": ("hands.found", "hands.wrong") if answered else ("hands.choose",)}
    return by_topic.get(topic, ("hands.choose",))


def guide_numbers(cues: CueBuilder) -> None:
    """Say where the numbers of cards are, before any is named."""
    cues.guide("numbers", once=False, **{str(kind): kind for kind in Category})
    cues.pause(BETWEEN_STEPS_S if cues.is_full and cues.style.first_night else 0.0)


def guide_setup(cues: CueBuilder, room: RoomView) -> None:
    """Say what else goes where, step by step on a first night and in one line later."""
    cues.guide("setup", once=False)
    for step, values in _setup_steps(cues.style.editions[room.edition], room):
        cues.pause(BETWEEN_STEPS_S if cues.is_full and cues.style.first_night else 0.0)
        cues.guide(step, once=False, **values)


def _setup_steps(edition: Edition, room: RoomView) -> Iterator[tuple[str, dict[str, int]]]:
    """Yield the steps of laying the table in order, with what their lines name."""
    level, tokens = edition.levels[room.level], edition.tokens.get(room.players, 0)
    hand = (edition if room.variant is None else edition.variants[room.variant]).hand
    yield from ((step, {}) for step in ("ghost", "apart"))
    yield "cards_by_hand" if room.deal is Deal.HAND else "cards_dealt", {}
    yield "visions", {"hand": hand}
    crows = "returns" if level.crows_return else "some" if level.crows else "none"
    yield f"crows_{crows}", {"crows": level.crows}
    yield "turn", {"hour": 1}
    yield "psychics", {}
    if room.players in edition.tracks:
        yield "track", {"players": room.players}
    if tokens:
        yield "tokens", {"tokens": tokens}
    elif edition.tokens:
        yield "no_tokens", {}


@tell_reply.register
def _tell_ask_ready(reply: r.AskReady, cues: CueBuilder) -> None:
    if cues.is_silent:
        cues.add(Earcon(Sound.HEARD))
    cues.say(f"ready.{'again' if reply.again else 'ask'}")


@tell_reply.register
def _tell_take_your_time(_reply: r.TakeYourTime, cues: CueBuilder) -> None:
    cues.add(Earcon(Sound.UNDERSTOOD))
    cues.say("ready.wait")


@tell_reply.register
def _tell_first_turn(reply: r.FirstTurn, cues: CueBuilder) -> None:
    """Tell the last part of the long opening, strike the first hour, and teach how it goes."""
    if reply.is_called:
        cues.add(StopSpeaking())
    *story, last = cues.style.script.opening(cues.edition)
    if story and cues.style.opening is Opening.LONG and cues.is_full:
        cues.tell_parts([last])
    cues.strike(1)
    cues.teach("visions")
    if cues.room is not None and cues.room.shared_vision is None:  # dealt visions are given on the ghost's page
        cues.teach("giving")
    if not cues.style.first_night:
        cues.say_if_full("lesson.experienced")
    if cues.room is not None:
        cues.set_mood(MOODS[cues.room.phase])


def _rows(table: Table) -> list[tuple[Category, tuple[int, ...]]]:
    return [(kind, table.of(kind)) for kind in Category if table.of(kind)]
