"""Every cell of the table of who may do what, tried on a running house by HTTP and signals."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import product
from unittest import mock

import pytest

from seance.daemon.chair_signals import ChairMove
from seance.daemon.device_requests import KnockRequest, LineRequest, SandRequest
from seance.daemon.signals import (
    ButtonPress,
    Heard,
    HearingChange,
    HostControl,
    SeatRequest,
    Signal,
    Talk,
    Tick,
    Typed,
    TypedOnPage,
)
from seance.dialogue.questions import Doubt
from seance.narration.cues import Cue, Expect, Listen
from seance.permissions import GHOST_SEAT, Action, Permission, Source, permission
from seance.rate_limiter import RateLimiter
from seance.rules import Psychic
from seance.web.callbacks import Lookups
from tests.web.running_evening import Phone, RunningEvening, running_evening

SAID = {
    Action.FREE_SEAT: "the ghost must change seats",
    Action.SAY: "what time is it",
    Action.CHOOSE: "red chooses card 7",
    Action.BET: "blue agrees with red",
    Action.VOTE: "red votes for group two",
    Action.UNDO: "take that back",
    Action.PAUSE: "pause",
    Action.VOLUME: "louder",
    Action.END_NIGHT: "end the séance",
}
CONTROLS = {
    Action.PACE: {"do": "pace", "value": "silent"},
    Action.TRY_DEVICES: {"do": "lights_test"},
    Action.LANGUAGE: {"do": "language", "value": "fr"},
}
OF_DEVICES = {
    Action.NARRATE: partial(LineRequest, "The doors are locked."),
    Action.CHANGE_SAND: partial(SandRequest, 30, is_added=True),
    Action.KNOCK: KnockRequest,
}
"""What no page, button or sentence asks for."""
OF_PAGES_ALONE = (Action.LANGUAGE, Action.DOCTOR, Action.PATHS, Action.BECOME_HOST)
"""There is no signal for these."""
PATH = "/var/lib/somewhere"
PAGE_HERE = "a page on this machine"
WAYS = [*Source, PAGE_HERE]
ADDRESSES = {Source.SEATED_PHONE: "127.0.0.3", Source.OTHER_PHONE: "127.0.0.4", Source.HOST_PHONE: "127.0.0.5"}
ASKER = "127.0.0.6"


class Tried:
    """A house with neither microphone nor keyboard, and what it does."""

    def __init__(self, house: RunningEvening) -> None:
        self.house, self.inbox = house, house.parts.inbox
        self.cues: list[Cue] = []
        perform = house.parts.performer.perform

        def record(cues: tuple[Cue, ...]) -> None:
            self.cues += [cue for cue in cues if not isinstance(cue, Expect)]
            perform(cues)

        house.parts.performer.perform = record

    def put(self, signal: Signal) -> None:
        self.inbox.put(signal)
        self.settle()

    def settle(self) -> None:
        """Wait until all that has come so far is handled."""
        last = Tick(silent=False)
        self.inbox.put(last)
        self.house.until(lambda: any(seen is last for seen in self.house.followed))

    def answers(self, wish: Callable[[], object]) -> bool:
        """Tell whether the house does anything after *wish*."""
        self.settle()
        self.cues.clear()
        wish()
        self.settle()
        return bool(self.cues)

    def calm(self) -> None:
        """Drop every question, free the seat, and let the night go on."""
        conversation = self.house.evening.conversation
        if conversation.pending is not None or conversation.sitting is not None:
            self.put(Typed("no"))
        if self.house.seat.holder is not None:
            self.put(Typed(SAID[Action.FREE_SEAT]))
        if self.house.evening.conversation.paused:
            self.put(Typed("go on"))
        self.put(HostControl("pace", "brisk", Source.KEYBOARD))


@pytest.fixture(scope="module")
def tried(tmp_path_factory) -> Iterator[Tried]:
    """One night for all cells; every address but 127.0.0.1 is a phone's, and nobody is too fast."""
    checks = Lookups(checks=lambda: [{"name": "journal", "state": "good", "told": PATH, "fix": ""}])
    far = mock.patch("seance.web.request_checks.is_loopback", lambda address: address == "127.0.0.1")
    unlimited = mock.patch.object(RateLimiter, "allows", return_value=True)
    running = running_evening(tmp_path_factory.mktemp("cells"), lookups=checks, with_keyboard=False)
    with far, unlimited, running as house:
        house.begin()
        yield Tried(house)


@contextmanager
def device(house: RunningEvening, way: str) -> Iterator[Phone | None]:
    """Yield the device of *way*, with the cookies that make it what it is; None if that is no page."""
    if way not in ADDRESSES and way != PAGE_HERE:
        yield None
        return
    with house.phone(address=ADDRESSES.get(way)) as phone:
        phone.get("/table")
        if way == Source.HOST_PHONE:
            assert phone.post("/host/enter", {"code": house.parts.host_access.code}).status_code == 200
        if way == Source.SEATED_PHONE:
            sit(house, phone)
        yield phone


def sit(house: RunningEvening, phone: Phone) -> None:
    """Let *phone* take the ghost's seat."""
    assert phone.post("/ghost/sit").status_code == 202
    house.until(lambda: house.seat.asked is not None)
    house.type("yes")
    assert phone.post("/ghost/sit").status_code == 202
    house.until(lambda: house.seat.holder is not None and not house.seat.unclaimed)


def say(tried: Tried, way: str, phone: Phone | None, text: str) -> None:
    """Say *text* as it is said from *way*."""
    if phone is not None:
        phone.post("/table/say", {"text": text})
    elif way == Source.VOICE:
        tried.put(Heard(text, tried.house.parts.context.sentences.match(text)))
    elif way == Source.KEYBOARD:
        tried.put(Typed(text))
    else:
        tried.put(TypedOnPage(text, Source(way)))


def observed(tried: Tried, action: Action, way: str, phone: Phone | None) -> Permission:
    """Return what becomes of *action* from *way*, as the house shows it."""
    match action:
        case Action.SIT:
            return sat(tried, way, phone)
        case Action.CONFIRM_SEAT:
            return confirmed(tried, way, phone)
        case Action.FREE_SEAT:
            return freed(tried, way, phone)
        case Action.ACT_AS_GHOST:
            return acted(tried, way, phone)
        case Action.END_NIGHT:
            say(tried, way, phone, SAID[action])
            tried.settle()
            pending = tried.house.evening.conversation.pending
            is_asked = pending is not None and pending.ask_back is not None and pending.ask_back.doubt is Doubt.END
            return Permission.ASKED_BACK if is_asked else Permission.NEVER
        case Action.TALK:
            return talked(tried, way, phone)
        case Action.DOCTOR | Action.PATHS:
            return looked_up(phone)
        case Action.BECOME_HOST:
            return became_host(tried, phone)
        case Action.LANGUAGE:  # during a night a host is told to wait
            refused = phone is None or phone.post("/host/do", CONTROLS[action]).status_code != 409
            return Permission.NEVER if refused else Permission.ALLOWED
        case Action.NARRATE | Action.CHANGE_SAND | Action.KNOCK:
            source = Source.KEYBOARD if way == PAGE_HERE else Source(way)
            done = tried.answers(lambda: tried.put(OF_DEVICES[action](source=source)))
        case Action.PACE:
            control(tried, way, phone, action)
            tried.settle()
            return Permission.ALLOWED if tried.house.evening.pace == "silent" else Permission.NEVER
        case Action.MOVE_CHAIR:
            done = tried.answers(lambda: move_chair(tried, way, phone))
        case Action.TRY_DEVICES:
            done = tried.answers(lambda: control(tried, way, phone, action))
        case Action.PAUSE if way == Source.SEATED_PHONE:
            done = tried.answers(lambda: phone.post("/ghost/control", {"control": "pause"}))
        case Action.VOLUME if way == Source.SEATED_PHONE:
            done = tried.answers(lambda: phone.post("/host/do", {"do": "louder"}))
        case _:
            done = tried.answers(lambda: say(tried, way, phone, SAID[action]))
    return Permission.ALLOWED if done else Permission.NEVER


def control(tried: Tried, way: str, phone: Phone | None, action: Action) -> None:
    if phone is not None:
        phone.post("/host/do", CONTROLS[action])
    else:
        tried.put(HostControl(CONTROLS[action]["do"], CONTROLS[action].get("value"), Source(way)))


def move_chair(tried: Tried, way: str, phone: Phone | None) -> None:
    if phone is not None:
        phone.post("/table/chair", {"psychic": "red", "direction_deg": 90})
    else:
        tried.put(ChairMove(Psychic.RED, 90.0, Source(way)))


def sat(tried: Tried, way: str, phone: Phone | None) -> Permission:
    if way == Source.SEATED_PHONE:
        return Permission.ALLOWED if phone.post("/ghost/sit").status_code == 202 else Permission.NEVER
    phone.post("/ghost/sit") if phone else tried.put(SeatRequest("a device", None, Source(way)))
    tried.settle()
    return Permission.ASKED_BACK if tried.house.seat.asked else Permission.NEVER


def confirmed(tried: Tried, way: str, phone: Phone | None) -> Permission:
    """Let somebody else ask for the seat, or to free it where it is taken; then say yes, and type the digits."""
    house, evening = tried.house, tried.house.evening
    before = house.seat.status
    with house.phone(address=ASKER) as asker:
        asker.say(SAID[Action.FREE_SEAT]) if before == "taken" else asker.post("/ghost/sit")
        house.until(lambda: evening.conversation.sitting is not None)
        say(tried, way, phone, "yes") if way != Source.BUTTON else tried.put(ButtonPress("yes"))
        tried.settle()
        if evening.conversation.sitting is None:
            return Permission.ALLOWED
        say(tried, way, phone, house.evening.seat.digits)
        tried.settle()
        return Permission.WITH_DIGITS if evening.conversation.sitting is None else Permission.NEVER


def freed(tried: Tried, way: str, phone: Phone | None) -> Permission:
    house = tried.house
    with house.phone(address=ASKER) as ghost:
        if house.seat.holder is None:
            sit(house, ghost)
        say(tried, way, phone, SAID[Action.FREE_SEAT])
        tried.settle()
    if house.seat.holder is None:
        return Permission.ALLOWED
    return Permission.NEVER if house.evening.conversation.sitting is None else Permission.ASKED_BACK


def acted(tried: Tried, way: str, phone: Phone | None) -> Permission:
    command = {"command": "turn_sand"}  # refused by the rules, which is whispered
    if phone is not None:
        done = tried.answers(lambda: phone.post("/ghost/command", command))
    elif way == Source.BUTTON:
        done = tried.answers(lambda: tried.put(ButtonPress("visions", long=True)))
    else:
        done = tried.answers(lambda: tried.put(Typed("ghost sand", Source(way))))
    return Permission.ALLOWED if done else Permission.NEVER


def talked(tried: Tried, way: str, phone: Phone | None) -> Permission:
    """Press and let go of a button to talk, in a house that hears for so long."""
    tried.put(HearingChange(True))
    tried.cues.clear()
    for is_held in (True, False):
        if phone is not None:
            phone.post("/seat/talk", {"held": is_held})
        else:
            tried.put(Talk(is_held, Source(way)))
    tried.put(HearingChange(False))
    is_open = any(isinstance(cue, Listen) and cue.is_open for cue in tried.cues)
    return Permission.ALLOWED if is_open else Permission.NEVER


def looked_up(phone: Phone | None) -> Permission:
    return Permission.ALLOWED if phone is not None and PATH in phone.get("/host/checks").text else Permission.NEVER


def became_host(tried: Tried, phone: Phone | None) -> Permission:
    if looked_up(phone) is Permission.ALLOWED or phone is None:
        return looked_up(phone)
    phone.post("/host/enter", {"code": tried.house.parts.host_access.code})
    return Permission.WITH_DIGITS if looked_up(phone) is Permission.ALLOWED else Permission.NEVER


def is_tried(action: Action, way: str) -> bool:
    if way == Source.KEYBOARD:  # a terminal has no page
        return action not in (*OF_PAGES_ALONE, Action.SIT)
    # It has the terminal, or a page with a seat.
    return not (way == PAGE_HERE and action in (Action.ACT_AS_GHOST, Action.TALK))


@pytest.mark.parametrize(("action", "way"), [cell for cell in product(Action, WAYS) if is_tried(*cell)])
def test_the_house_does_what_the_table_says(tried, action, way):
    source = Source.KEYBOARD if way == PAGE_HERE else Source(way)
    tried.calm()
    with device(tried.house, way) as phone:
        assert observed(tried, action, way, phone) is permission(action, source, seat=GHOST_SEAT)
    tried.calm()


@pytest.mark.parametrize("way", [Source.OTHER_PHONE, Source.SEATED_PHONE])
def test_a_guest_is_told_why_and_how_to_become_the_host(tried, way):
    tried.calm()
    with device(tried.house, way) as phone:
        for answer in (phone.get("/host/checks"), phone.post("/host/do", CONTROLS[Action.LANGUAGE])):
            assert answer.status_code == 403
            assert "Only the host" in answer.json()["message"]


def test_a_guest_makes_it_louder_in_the_hosts_corner_too(tried):
    with device(tried.house, Source.OTHER_PHONE) as phone:
        assert tried.answers(lambda: phone.post("/host/do", {"do": "louder"}))


def test_the_ghosts_phone_does_not_speak_at_the_table(tried):
    tried.calm()
    with device(tried.house, Source.SEATED_PHONE) as phone:
        answer = phone.say("what time is it")
        assert answer.status_code == 403
        assert "does not speak" in answer.json()["message"]
    tried.calm()


def test_a_host_who_takes_the_seat_is_both(tried):
    tried.calm()
    with device(tried.house, Source.HOST_PHONE) as phone:
        sit(tried.house, phone)
        assert looked_up(phone) is Permission.ALLOWED
        assert acted(tried, Source.HOST_PHONE, phone) is Permission.ALLOWED
    tried.calm()
