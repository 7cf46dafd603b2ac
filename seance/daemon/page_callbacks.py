"""Turns requests of the pages into signals."""

from typing import Any

from seance.daemon.chair_signals import ChairMove
from seance.daemon.loop import Inbox
from seance.daemon.signals import (
    GhostCommand,
    GhostPageOpen,
    HostCodeRequest,
    HostControl,
    PauseRequest,
    PsychicSeatLeft,
    PsychicSeatRequest,
    SeatClaim,
    SeatRequest,
    SeatTalk,
    SeatTouched,
    Stop,
    Touched,
    TypedOnPage,
    Typing,
)
from seance.dialogue.grammar.sentences import Intent
from seance.permissions import Source
from seance.web.callbacks import Callbacks
from seance.web.latest import LatestState
from seance.web.page_state import PageState
from seance.web.page_words import PageWords
from seance.web.requests import HostControlRequest


def page_callbacks(inbox: Inbox, latest: LatestState, words: PageWords, **more: Any) -> Callbacks:
    """Return callbacks that put a signal into *inbox* for each request; *words* has the texts of refusals."""

    def host_control(request: HostControlRequest, source: Source) -> str | None:
        if request.do != "language":
            inbox.put(HostControl(request.do, request.value, source))
        elif _is_night_running(latest.current):
            return words.of(latest.current.edition_info.name)["language_not_now"]
        elif request.value != latest.current.language:
            inbox.put(Stop(language=request.value))
        return None

    return Callbacks(
        say=lambda text, source, guest: inbox.put(TypedOnPage(text, source, guest)),
        typing=lambda is_begun: inbox.put(Typing(is_begun)),
        touch=lambda touch, source, guest: inbox.put(Touched(Intent(touch.name, touch.slots), source, guest)),
        request_seat=lambda device, guest, source: inbox.put(SeatRequest(device, guest, source)),
        request_psychic_seat=lambda *asked: inbox.put(PsychicSeatRequest(*asked)),
        leave_psychic_seat=lambda device: inbox.put(PsychicSeatLeft(device)),
        touch_at_seat=lambda touch, device: inbox.put(SeatTouched(device, Intent(touch.name, touch.slots))),
        talk_at_seat=lambda device, psychic, is_held: inbox.put(SeatTalk(device, is_held, psychic)),
        claim_seat=lambda device, new_device: inbox.put(SeatClaim(device, new_device)),
        seat_attempted=lambda: inbox.put(SeatRequest(None)),
        ghost_command=lambda device, command: inbox.put(GhostCommand(command, device)),
        pause_or_resume=lambda device, control: inbox.put(PauseRequest(device, control == "pause")),
        ghost_page_open=lambda device, is_open: inbox.put(GhostPageOpen(device, is_open)),
        host_control=host_control,
        move_chair=lambda psychic, direction_deg, source: inbox.put(ChairMove(psychic, direction_deg, source)),
        tell_host_code=lambda code: inbox.put(HostCodeRequest(code)),
        **more,
    )


def _is_night_running(page: PageState) -> bool:
    return page.current_room is not None and page.current_room.outcome is None
