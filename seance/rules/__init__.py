"""The headless game: `apply` a command to a state, and see what follows.

>>> from seance.rules import LIBELLUD, Begin, Psychic, Seat, apply, view
>>> state, events = apply(None, Begin(edition=LIBELLUD, players=5, level="medium", seed=1894))
>>> view(state, Seat.ROOM).table.character
(2, 3, 8, 9, 16, 17, 18)
"""

from seance.rules.commands import (
    COMMANDS,
    Abandon,
    Accuse,
    Begin,
    Bet,
    BreakSilence,
    CallTime,
    ChooseCulprit,
    ClosePoll,
    Command,
    CorrectAnswer,
    GiveVision,
    LaySharedVision,
    Manifest,
    NameEldest,
    NumberGroups,
    PlaceIntuition,
    PointAt,
    TakeBack,
    TurnSand,
    TurnSharedVision,
    UseCrow,
    Vote,
    WithdrawBet,
)
from seance.rules.decide import apply, decide
from seance.rules.editions import EDITIONS, IGAMES, LIBELLUD, MANUAL, PORTAL, Edition, Level, Track
from seance.rules.events import EVENTS, Event
from seance.rules.evolve import evolve
from seance.rules.legal import is_legal, legal, moves
from seance.rules.names import wire_name
from seance.rules.refusals import NoNight, Refusal
from seance.rules.state import State
from seance.rules.terms import (
    BallotKind,
    Category,
    Deal,
    Outcome,
    Phase,
    Psychic,
    Reason,
    Seat,
    Table,
    Trio,
    Visions,
    Voter,
)
from seance.rules.view import HEARD_BY, GhostView, RoomView, ghost_view, heard, room_view, view

__all__ = [
    "COMMANDS",
    "EDITIONS",
    "EVENTS",
    "HEARD_BY",
    "IGAMES",
    "LIBELLUD",
    "MANUAL",
    "PORTAL",
    "Abandon",
    "Accuse",
    "BallotKind",
    "Begin",
    "Bet",
    "BreakSilence",
    "CallTime",
    "Category",
    "ChooseCulprit",
    "ClosePoll",
    "Command",
    "CorrectAnswer",
    "Deal",
    "Edition",
    "Event",
    "GhostView",
    "GiveVision",
    "LaySharedVision",
    "Level",
    "Manifest",
    "NameEldest",
    "NoNight",
    "NumberGroups",
    "Outcome",
    "Phase",
    "PlaceIntuition",
    "PointAt",
    "Psychic",
    "Reason",
    "Refusal",
    "RoomView",
    "Seat",
    "State",
    "Table",
    "TakeBack",
    "Track",
    "Trio",
    "TurnSand",
    "TurnSharedVision",
    "UseCrow",
    "Visions",
    "Vote",
    "Voter",
    "WithdrawBet",
    "apply",
    "decide",
    "evolve",
    "ghost_view",
    "heard",
    "is_legal",
    "legal",
    "moves",
    "room_view",
    "view",
    "wire_name",
]
