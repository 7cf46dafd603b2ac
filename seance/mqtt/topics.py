"""The topics on which the house publishes, and their JSON; docs/mqtt.md repeats them for people."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from seance.mqtt.house_state import HouseState
from seance.rules import Psychic, RoomView
from seance.rules.view import PsychicView
from seance.texts import Texts
from seance.web.page_state import NumberedKnock

AVAILABILITY, ONLINE, OFFLINE = "availability", "online", "offline"
KNOCK, HOUR = "knock", "hour"
"""The topics of events, which are not retained."""
KNOCK_TYPES = ("yes", "no", "heartbeat", "call")
COMMAND = "command"
"""The commands are below it."""
NO_NIGHT = "none"
"""The phase before the first night, and the result before a verdict."""
MOODS = (NO_NIGHT, "arrival", "visions", "waiting", "sand", "last_seconds", "answers", "culprit", "dawn")
"""What the ambience may sound like."""
SAND_STEP_S = 5
"""The sand is published in steps of so many seconds, and every second of the last ten."""
LAST_SECONDS_S = 10

Message = Mapping[str, Any]


def state_messages(state: HouseState, texts: Texts, names: Mapping[str, str], now: float) -> dict[str, Message]:
    """Return the retained messages at *now*, by topic; *names* are the psychics', by colour."""
    return {
        "night": _night(state, texts),
        "next": {"text": state.what_next},
        "psychics": _psychics(state.room, names),
        "sand": _sand(state, now),
        "verdict": _verdict(state, texts),
        "ambience": _ambience(state, texts),
        "faults": {"faults": state.faults, "is_any": bool(state.faults)},
    }


def events_between(before: HouseState, after: HouseState) -> Iterator[tuple[str, Message]]:
    """Yield topic and message of each event between two states, the oldest first."""
    last = before.knocks[-1].n if before.knocks else 0
    for knock in after.knocks:
        if knock.n > last:
            yield _event(knock, after.turns)


def _event(knock: NumberedKnock, turns: int) -> tuple[str, Message]:
    if knock.says == "hour":
        return HOUR, {"event_type": "struck", "hour": knock.count, "of": turns}
    return KNOCK, {"event_type": knock.says, "count": knock.count}


def _night(state: HouseState, texts: Texts) -> Message:
    room = state.room
    phase = NO_NIGHT if room is None else str(room.phase)
    return {
        "phase": phase,
        "phase_name": texts(f"phase.{phase}"),
        "hour": 0 if room is None else room.hour,
        "of": state.turns,
        "running": state.is_night_running,
        "paused": state.paused,
        "edition": state.edition,
        "level": None if room is None else room.level,
        "players": None if room is None else room.players,
    }


def _psychics(room: RoomView | None, names: Mapping[str, str]) -> Message:
    views = {view.colour: view for view in room.psychics} if room is not None else {}
    chosen = [str(colour) for colour, view in views.items() if view.intuition is not None]
    return {
        "chosen": chosen,
        "voted": [] if room is None else [str(colour) for colour in room.voted],
        "psychics": {str(colour): _psychic(views.get(colour), names[colour]) for colour in Psychic},
    }


def _psychic(view: PsychicView | None, name: str) -> Message:
    visions = 0 if view is None else view.visions
    return {
        "name": name,
        "plays": view is not None,
        "visions": visions if isinstance(visions, int) else len(visions),
        "chosen": view is not None and view.intuition is not None,
        "found": 0 if view is None else len(view.found),
    }


def _sand(state: HouseState, now: float) -> Message:
    if state.sand is None:
        return {"left_s": None, "of_s": None, "running": False}
    left_s = state.sand.left_at(now)
    step_s = SAND_STEP_S if left_s > LAST_SECONDS_S and state.sand.running else 1
    return {
        "left_s": math.ceil(left_s / step_s) * step_s,
        "of_s": round(state.sand.turn_s),
        "running": state.sand.running and not state.paused,
    }


def _ambience(state: HouseState, texts: Texts) -> Message:
    mood = state.mood or NO_NIGHT
    return {"mood": mood, "mood_name": texts(f"mood.{mood}")}


def _verdict(state: HouseState, texts: Texts) -> Message:
    outcome = None if state.room is None else state.room.outcome
    result = NO_NIGHT if outcome is None else "won" if outcome.won else "lost"
    return {
        "result": result,
        "result_name": texts(f"verdict.{result}"),
        "reason": None if outcome is None else str(outcome.reason),
        "culprit": state.culprit if outcome is not None else None,
    }
