"""Publishes the state of the evening to the pages."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec

from seance.daemon.evening import Evening
from seance.daemon.psychic_seats import players_psychics
from seance.daemon.signals import Heard, Signal, Typed, TypedOnPage
from seance.daemon.typed_text import is_two_digits
from seance.dialogue.grammar.sentences import Intent
from seance.dialogue.serve_next import serve_next
from seance.dialogue.touch_choices import TouchChoices
from seance.ghost_words import ghost_order
from seance.narration.cues import Cue, Knock, Listen, Say, SetAmbience, ShowPsychics, ShowTable, Whisper
from seance.rules import Edition, RoomView, Seat, State, Visions, legal
from seance.web.latest import LatestState
from seance.web.page_state import (
    ChairsView,
    EditionInfo,
    HelpView,
    NumberedKnock,
    NumberedLine,
    PageState,
    SeatState,
    TalkView,
)
from seance.web.requests import GHOST_COMMANDS

MAX_LINES = 40
"""What the log of a page holds that is opened late."""
MAX_KNOCKS = 8
MAX_WHISPERS = 8


class PagePublisher:
    """Keeps the pages' latest state up to date; no method waits for a page."""

    def __init__(self, *, language: str, pace: str, edition: Edition, has_chronicle: bool = False) -> None:
        """Show *edition* until a night begins."""
        first = PageState(
            seat=SeatState(key=""), language=language, pace=pace, edition_info=edition_info(edition, None)
        )
        self.latest = LatestState(replace(first, has_chronicle=has_chronicle))

    def publish_evening(self, evening: Evening) -> None:
        """Publish the state of *evening*; called on the thread that owns it.

        The table's page must not show that the night is over before the room is told: neither may its sand, a pause
        or a question about the seat disappear.
        """
        state, paused = evening.state, evening.conversation.paused
        info = None if state is None else edition_info(state.setup.edition, state)
        is_end_untold = state is not None and state.outcome is not None and not evening.is_over_and_told
        digits = evening.seat.digits if evening.seat.asks_for_digits(evening.conversation) else None
        self.latest.update(
            lambda page: replace(
                page,
                seat=evening.seat.state,
                current_room=evening.room,
                ghost_view=evening.ghost,
                ghost_commands=() if paused or state is None else _ghost_commands(state),
                serve_next=None if evening.room is None else _serve_next(evening.room),
                visions_dealt=state is not None and state.setup.visions is Visions.DEALT,
                edition_info=info or page.edition_info,
                sand=page.sand if is_end_untold else evening.sand,
                paused=page.paused if is_end_untold else paused,
                pace=evening.pace,
                what_next=page.what_next if is_end_untold else _what_next(page, evening),
                help=page.help if is_end_untold else _help(page, evening),
                is_table_being_laid=evening.conversation.laying_out,
                has_chronicle=page.has_chronicle or evening.is_over_and_told,
                seat_digits=page.seat_digits if is_end_untold else digits,
                psychic_seats=evening.psychic_seats.state,
                can_hear=evening.can_hear,
                chairs=_chairs(evening),
                **(_psychics_fields(evening) if page.told_room == evening.room else {}),
                touch=page.touch if is_end_untold else _touch_fields(evening.touch_choices(page.told_room)),
                culprit=_culprit(evening),
                faults=evening.faults,
            )
        )

    def publish_cue(self, cue: Cue) -> None:
        """Publish what the room perceives of *cue*; called on the performing thread."""
        self.latest.update(lambda page: _after_cue(page, cue))

    def publish_signal(self, signal: Signal, evening: Evening) -> None:
        """Publish what was said to the house; table talk, secret votes and the ghost's words are not shown."""
        if evening.gives_vote_away(signal):
            return
        match signal:
            case TypedOnPage() if self.latest.current.seat_digits is not None and is_two_digits(signal.words):
                return
            case Heard(intent=Intent()) | TypedOnPage():
                text = signal.text
            case Typed() if ghost_order(signal.words) is None:
                text = signal.words
            case _:
                return
        self.latest.update(lambda page: replace(page, heard=NumberedLine(page.heard.n + 1 if page.heard else 1, text)))


def edition_info(edition: Edition, state: State | None) -> EditionInfo:
    """Return what the pages need to know of *edition*."""
    track = state.setup.track if state else None
    return EditionInfo(
        name=edition.name,
        turns=edition.turns,
        order=tuple(str(kind) for kind in edition.order),
        track=(track.intermediate, track.high) if track else None,
        crow_takes_hand=edition.crow_takes_whole_hand,
        hand=edition.hand,
        shared_vision_cards=edition.shared_vision_cards,
        lineup_kinds=tuple(str(kind) for kind in edition.lineup_kinds),
        ballot=str(edition.ballot_of(state.setup.players)) if state else "",
        names_all_three=edition.names_all_three,
    )


def _what_next(page: PageState, evening: Evening) -> str:
    """Return what is next for a table that has been told as much as *page* shows; the same while it lags a night."""
    return page.what_next if _lags_behind(page, evening) else evening.what_next_text(page.told_room)


def _help(page: PageState, evening: Evening) -> HelpView | None:
    """Return the help card for a table that has been told as much as *page* shows; the same while it lags a night."""
    return page.help if _lags_behind(page, evening) else evening.help_card(page.told_room)


def _lags_behind(page: PageState, evening: Evening) -> bool:
    room, told = evening.room, page.told_room
    is_under_way = room is not None and room.outcome is None
    return is_under_way and (told is None or told.outcome is not None)


def _chairs(evening: Evening) -> ChairsView | None:
    """Return who sits where; None without a microphone array."""
    if not evening.has_array:
        return None
    psychics = {str(psychic): float(round(deg)) for psychic, deg in evening.chairs_deg.items()}
    return ChairsView(psychics=psychics, ghost=evening.ghost_deg)


def _psychics_fields(evening: Evening) -> dict[str, Any]:
    """Return what psychics' pages show beside the table, for a room that has been told everything."""
    room, pending = evening.room, evening.conversation.pending
    tried: dict[str, tuple[int, ...]] = {}
    for wrong in evening.conversation.tried:
        tried[str(wrong.psychic)] = (*tried.get(str(wrong.psychic), ()), wrong.card)
    is_under_way = room is not None and room.outcome is None
    seats = players_psychics(room, evening.edition_of(room)) if room is not None and is_under_way else ()
    return {
        "players_psychics": tuple(tuple(map(str, seat)) for seat in seats),
        "tried": tried,
        "asks_yes_or_no": pending is not None and pending.ask_back is not None,
    }


def _touch_fields(choices: TouchChoices) -> Mapping[str, Any]:
    """Return *choices* as pages receive them."""
    return {
        "answers": [_intent_fields(each) for each in choices.answers],
        "actions": [_intent_fields(each) for each in choices.actions],
        "setup": msgspec.to_builtins(choices.setup),
        "is_about_seat": choices.is_about_seat,
    }


def _intent_fields(intent: Intent) -> dict[str, Any]:
    return {"intent": intent.name, "slots": dict(intent.slots)}


def _culprit(evening: Evening) -> int | None:
    """Return the culprit's group of a night whose end has been told."""
    ghost = evening.ghost
    return ghost.culprit if ghost is not None and evening.is_over_and_told else None


def _ghost_commands(state: State) -> tuple[str, ...]:
    return tuple(name for name in legal(state, Seat.GHOST) if name in GHOST_COMMANDS)


def _serve_next(room: RoomView) -> tuple[str, str] | None:
    found = serve_next(room)
    return None if found is None else (str(found.psychic), str(found.reason))


def _after_cue(page: PageState, cue: Cue) -> PageState:
    match cue:
        case Say(in_room_only=False):
            return replace(page, said=_append_line(page.said, cue.shown, MAX_LINES), is_story_told=cue.story)
        case Whisper():
            return replace(page, whispers=_append_line(page.whispers, cue.text, MAX_WHISPERS))
        case Knock():
            n = page.knocks[-1].n + 1 if page.knocks else 1
            knocks = (*page.knocks, NumberedKnock(n, cue.says, cue.count))
            return replace(page, knocks=knocks[-MAX_KNOCKS:])
        case ShowPsychics():
            return replace(page, lights={str(psychic): str(light) for psychic, light in cue.lights.items()})
        case Listen():
            return replace(page, talk=TalkView(cue.speaker and str(cue.speaker)) if cue.is_open else None)
        case SetAmbience():
            return replace(page, mood=cue.mood)
        case ShowTable():
            return replace(page, told_room=cue.room)
    return page


def _append_line(lines: tuple[NumberedLine, ...], text: str, max_lines: int) -> tuple[NumberedLine, ...]:
    n = lines[-1].n + 1 if lines else 1
    return (*lines, NumberedLine(n, text))[-max_lines:]
