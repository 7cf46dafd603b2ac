"""How the question about the ghost's seat is answered follows the devices that work at that moment."""

from contextlib import ExitStack
from dataclasses import replace

import pytest

from seance.audio.microphone import MicrophoneStatus
from seance.daemon.loop import Inbox
from seance.daemon.room_devices import RoomDevices
from seance.daemon.signals import ButtonPress, Heard, HearingChange, SeatRequest, Signal, TypedOnPage
from seance.daemon.world import hearing_setup
from seance.daemon.world.hearing_thread import SPEAKING, HearingThread
from seance.dialogue.grammar.sentences import Intent
from seance.settings import Settings
from tests.daemon.evenings import Table, begun, keys, sentences, table
from tests.nights import BLUE, RED, WHITE

YES = Heard("yes", Intent("yes"))


@pytest.fixture
def service(tmp_path) -> Table:
    """A house without a keyboard, whose microphone works."""
    return begun(table(tmp_path, devices=RoomDevices(keyboard=False, hearing=True)), RED, BLUE, WHITE)


def ask_for_seat(house: Table) -> list[str]:
    return keys(house.give(SeatRequest("phone", "asker")))


def digits_typed_by(house: Table, guest: str) -> list[str]:
    return keys(house.give(TypedOnPage(house.evening.seat.digits or "00", guest=guest)))


def test_while_the_microphone_works_a_voice_says_yes(service):
    assert ask_for_seat(service) == ["ask_back.seat"]
    assert service.evening.seat.digits is None
    assert keys(service.give(YES)) == ["reply.seat_taken"]


def test_without_its_microphone_a_service_asks_for_digits(service):
    service.give(HearingChange(can_hear=False))
    assert ask_for_seat(service) == ["ask_back.seat_by_digits", "ask_back.seat_digits"]
    assert digits_typed_by(service, "asker") == ["reply.another_phone"]
    assert digits_typed_by(service, "neighbour") == ["reply.seat_taken"]


def test_a_question_that_is_open_when_the_microphone_is_lost_is_asked_for_digits(service):
    ask_for_seat(service)
    asked_again = keys(service.give(HearingChange(can_hear=False)))
    assert asked_again == ["ask_back.seat_by_digits", "ask_back.seat_digits"]
    assert digits_typed_by(service, "asker") == ["reply.another_phone"]
    assert digits_typed_by(service, "neighbour") == ["reply.seat_taken"]


def test_when_the_microphone_is_back_the_room_must_say_it(service):
    service.give(HearingChange(can_hear=False))
    ask_for_seat(service)
    told = service.evening.seat.digits
    assert keys(service.give(HearingChange(can_hear=True))) == ["ask_back.seat"]
    service.give(TypedOnPage(str(told), guest="neighbour"))
    assert service.evening.seat.state.status == "asked"
    assert keys(service.give(YES)) == ["reply.seat_taken"]


def test_a_house_with_a_keyboard_never_asks_for_digits(tmp_path):
    typed_house = begun(table(tmp_path, devices=RoomDevices(keyboard=True, hearing=True)), RED, BLUE, WHITE)
    typed_house.give(HearingChange(can_hear=False))
    assert ask_for_seat(typed_house) == ["ask_back.seat"]


def test_a_yes_button_answers_where_nothing_hears(tmp_path):
    deaf = begun(table(tmp_path, devices=RoomDevices(keyboard=False, yes_button=True)), RED, BLUE, WHITE)
    assert ask_for_seat(deaf) == ["ask_back.seat"]
    assert keys(deaf.give(ButtonPress("yes"))) == ["reply.seat_taken"]


def test_while_the_buttons_answer_for_the_ghost_they_do_not_answer_for_its_seat(lineup):
    devices = RoomDevices(keyboard=False, yes_button=True)
    assert not devices.can_say_yes(lineup.evening.room)
    assert replace(devices, hearing=True).can_say_yes(lineup.evening.room)


# Whether the house can hear


class FakeMicrophone:
    """A microphone whose status is set by the test."""

    def __init__(self, *_: object, on_status, **_more: object) -> None:
        self.set_status = on_status

    def open(self) -> None:
        """Begin to listen."""

    def close(self) -> None:
        """End to listen."""

    def blocks(self):
        return iter(())


@pytest.fixture
def hearing(monkeypatch, tmp_path):
    """A hearing thread that is not started, its microphone, and a function that returns new changes."""
    inbox, microphones = Inbox(), []
    monkeypatch.setattr(hearing_setup, "require_recogniser", lambda _: tmp_path)
    monkeypatch.setattr(HearingThread, "start", lambda *_: None)

    def open_fake(*_: object, **more) -> FakeMicrophone:
        microphones.append(FakeMicrophone(**more))
        return microphones[-1]

    monkeypatch.setattr(hearing_setup, "Microphone", open_fake)

    def changes() -> list[bool]:
        signals: list[Signal] = [inbox.get() for _ in range(inbox.qsize())]
        return [signal.can_hear for signal in signals if isinstance(signal, HearingChange)]

    with ExitStack() as stack:
        opened = hearing_setup.open_hearing(
            Settings(), sentences("en"), sentences("en"), lambda _: None, inbox, stack, lambda _: None
        )
        yield opened, microphones[0], changes


def test_a_microphone_that_is_lost_and_found_is_reported_each_time(hearing):
    _, microphone, changes = hearing
    microphone.set_status(MicrophoneStatus.LISTENING)
    assert changes() == []
    for status in (MicrophoneStatus.LOST, MicrophoneStatus.BACK, MicrophoneStatus.SILENT, MicrophoneStatus.BACK):
        microphone.set_status(status)
    assert changes() == [False, True, False, True]


def test_a_house_hears_again_when_it_is_neither_muted_nor_without_a_microphone(hearing):
    thread, microphone, changes = hearing
    thread.set_muted("muted", True)
    microphone.set_status(MicrophoneStatus.LOST)
    thread.set_muted("muted", False)
    assert changes() == [False]
    microphone.set_status(MicrophoneStatus.BACK)
    assert changes() == [True]


def test_a_house_that_speaks_still_counts_as_hearing(hearing):
    thread, _, changes = hearing
    thread.set_muted(SPEAKING, True)
    assert changes() == []


def test_a_recogniser_that_does_not_load_is_reported():
    changes: list[HearingChange] = []
    thread = HearingThread(lambda: None, sentences("en"), lambda _: None, lambda _: None, changes.append)
    thread.start(iter(()))
    thread.close()
    assert changes == [HearingChange(can_hear=False)]
