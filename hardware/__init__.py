"""The devices of the body on a Raspberry Pi's GPIO: lights, knocker, buttons and mute switch."""

from hardware.board import BadBoard, Board
from hardware.body import Body, BodyState, open_body
from hardware.buttons import Buttons, Press
from hardware.clock import LedClock
from hardware.knocker import Knocker, KnockerBusy
from hardware.mute import Mute
from hardware.pins import HardwareError
from hardware.psychic_lights import LightState, PsychicLights
from hardware.rhythm import HEARTBEAT, NO, YES, Beat, Rhythm, hour_knocks, knocks, rhythm
from hardware.timer_bar import TimerBar

__all__ = [
    "HEARTBEAT",
    "NO",
    "YES",
    "BadBoard",
    "Beat",
    "Board",
    "Body",
    "BodyState",
    "Buttons",
    "HardwareError",
    "Knocker",
    "KnockerBusy",
    "LedClock",
    "LightState",
    "Mute",
    "Press",
    "PsychicLights",
    "Rhythm",
    "TimerBar",
    "hour_knocks",
    "knocks",
    "open_body",
    "rhythm",
]
